"""Negation and speculation: events of BioNLP 2013 as the results page reports them, and pairs that corpora call unrelated."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.bench.benchmarks.assertion import assertion_figures
from relhash.biomed.assertion import Assertion
from relhash.candidates import candidates, scenes
from relhash.candidates.statement import assertion_of_scene

pytestmark = pytest.mark.realdata


def test_the_model_reaches_its_aims_and_beats_every_rival(data_root: Path) -> None:
    figures = assertion_figures(data_root)
    for marked, aim in (("negation", 0.70), ("speculation", 0.60)):
        f1 = {figure.judge: figure.f1 for figure in figures if figure.marked == marked}
        assert f1["model"] >= aim
        assert f1["model"] == max(f1.values())


@pytest.mark.parametrize(("corpus", "share"), [("AIMed", 0.171), ("HPRD50", 0.376)])
def test_negated_pairs_are_hardly_ever_relations(corpus: str, share: float, data_root: Path) -> None:
    """Both corpora label a negated pair as unrelated; ``share`` is that of relations among all pairs."""
    found = scenes(candidates(relhash.read(data_root / "ppi" / f"{corpus}.xml")))
    related = [scene.candidate.is_positive for scene in found if assertion_of_scene(scene) is Assertion.NEGATED]
    assert sum(related) / len(related) < share / 4
