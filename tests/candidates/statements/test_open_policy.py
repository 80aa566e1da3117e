"""Interactions of any type, from judged statements to verbs of new text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import relhash
from relhash.candidates import build_structures
from relhash.candidates.statements.open_policy import OpenPolicy
from relhash.errors import ParameterError
from relhash.kernels import PathKernel, WordSimilarity
from relhash.language import Pipeline
from relhash.model import FittedModel, RelationExtractor
from tests.corpus.test_nero import table

NAMES = ["RAF1", "MEK1", "AKT1", "SOS1", "ERK2"]


def statements() -> str:
    rows = []
    for number, first in enumerate(NAMES):
        for second in NAMES[:number] + NAMES[number + 1 :]:
            for verb in ("phosphorylate", "inhibit"):
                rows.append((first, verb, second, f"{first} {verb}s {second} in cells.", f"9{number}{len(rows)}"))
    return table(*rows)


def test_a_model_of_open_types_is_fitted_saved_and_used_on_new_text(tmp_path: Path) -> None:
    (tmp_path / "nero.txt").write_text(statements(), encoding="utf-8")
    extractor = RelationExtractor(
        "KLSH-NU-RF", policy=OpenPolicy(), learner={"n_bits": 20, "n_cluster_bits": 4}, threshold=0.5, parses="embedded",
        cache=False, n_jobs=1,
    )  # fmt: skip
    extractor.fit(relhash.read(tmp_path / "nero.txt"))
    extractor.save(tmp_path / "open.relhash")
    model = FittedModel.load(tmp_path / "open.relhash", cache=False)
    assert model.policy == OpenPolicy()
    rows = [one.as_row() for one in model.predict("RAF1 activates MEK1 in cells.")]
    assert [(row["entity1"], row["relation"], row["entity2"]) for row in rows] == [("RAF1", "activate", "MEK1")]


def test_bounds_are_checked() -> None:
    with pytest.raises(ParameterError, match="most_entities"):
        OpenPolicy(most_entities=1)


def test_spellings_of_one_type_meet(tmp_path: Path) -> None:
    """A type in capitals was a symbol of its own, like no word."""
    spelled = ["phosphorylate", "phosphorylation", "Phosphorylation", "inhibit"]
    judged = [
        {"path": f"a_pmid_1_1.{number}", "interaction_tuple": [kind, "RAF1", "MEK1"], "label": 1,
         "sentence": "RAF1 acts on MEK1 in cells."}
        for number, kind in enumerate(spelled)
    ]  # fmt: skip
    (tmp_path / "judged.json").write_text(json.dumps(judged), encoding="utf-8")
    documents = Pipeline(entities="none").annotate(relhash.read(tmp_path / "judged.json", "pubmed45").documents)
    found = list(OpenPolicy().candidates(documents))
    assert [one.supposed_type for one in found] == [kind.lower() for kind in spelled]
    structures = build_structures(found, ["interaction"])["interaction"]
    first, second, third, other = PathKernel(WordSimilarity.from_vectors()).gram(structures, structures)[0]
    assert second == third
    assert first > second > other
