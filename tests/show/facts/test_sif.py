"""A network as plain triples."""

from __future__ import annotations

from relhash.show.facts import write_facts
from tests.show.facts.few_facts import FACTS


def test_sif_keeps_entities_of_one_name_apart(tmp_path):
    write_facts(FACTS, tmp_path / "pairs.sif")
    lines = (tmp_path / "pairs.sif").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    assert {line.split("\t")[1] for line in lines} == {"interaction", "inhibits"}
    assert "MEK1\tinteraction\tRAF1 (HGNC:9829)" in lines or "RAF1 (HGNC:9829)\tinteraction\tMEK1" in lines
    assert "RAF1 (protein, no id)\tinhibits\tMEK1" in lines
