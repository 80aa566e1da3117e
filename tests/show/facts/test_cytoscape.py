"""A network for Cytoscape."""

from __future__ import annotations

import json

from relhash.show.facts import write_facts
from tests.show.facts.few_facts import FACTS


def test_cytoscape_json(tmp_path):
    write_facts(FACTS, tmp_path / "pairs.cyjs", title="mine")
    content = json.loads((tmp_path / "pairs.cyjs").read_text())
    ids = {node["data"]["id"] for node in content["elements"]["nodes"]}
    ends = {edge["data"][end] for edge in content["elements"]["edges"] for end in ("source", "target")}
    assert ids == ends
    assert content["data"]["name"] == "mine"
    assert max(edge["data"]["belief"] for edge in content["elements"]["edges"]) == round(FACTS[0].belief, 4)
