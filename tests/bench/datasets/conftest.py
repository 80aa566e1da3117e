"""The data of the interaction protocols in the layout of the real one, made of five names and two verbs."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

import relhash
from tests.bench.datasets.toy_documents import NAMES, toy_document


@pytest.fixture(scope="module")
def toy_bionlp(tmp_path_factory):
    root = tmp_path_factory.mktemp("events")
    for year, part, filler in (
        ("2009", "train", "here"),
        ("2011", "train", "here"),
        ("2013", "train", "there"),
        ("2013", "devel", "now"),
    ):
        documents = [
            toy_document(f"{one}-{other}-{verb}", one, other, verb, filler)
            for one, other in permutations(NAMES, 2)
            for verb in ("activates", "resembles")
        ]
        (root / "bionlp" / year).mkdir(parents=True, exist_ok=True)
        relhash.write(documents, root / "bionlp" / year / part, "bionlp")
    return root


@pytest.fixture(scope="module")
def toy_pubmed45(tmp_path_factory):
    root = tmp_path_factory.mktemp("judged")
    (root / "pubmed45" / "amr").mkdir(parents=True)
    entries, graphs, papers = [], [], []
    for number, (one, other) in enumerate(permutations(NAMES, 2)):
        paper = f"a_pmid_1000_{number}"
        papers.append(f"eval-auto-amr_{paper}")
        sentence = f"{one} activates {other}"
        for cause, theme, label in ((one, other, 1), (other, one, 2)):
            entries.append(
                {"path": f"{paper}.1", "interaction_tuple": ["activation", cause, theme], "label": label, "sentence": sentence}
            )
        graphs.append(
            f'# ::id {paper}.1\n(a / activate-01 :ARG0 (p / enzyme :name (n / name :op1 "{one}"))'
            f' :ARG1 (q / enzyme :name (m / name :op1 "{other}")))\n'
        )
    (root / "pubmed45" / "pubmed45.json").write_text(json.dumps(entries))
    (root / "pubmed45" / "amr" / "graphs.txt").write_text("\n".join(graphs))
    subsets = [papers[start : start + 5] for start in range(0, 20, 5)]
    (root / "pubmed45" / "subsets.json").write_text(json.dumps({"amr_sets_list_auto": subsets}))
    return root
