"""Proteins found, missed and invented, on a pipeline whose answers are known."""

from __future__ import annotations

import pytest

from relhash.bench.benchmarks.protein_errors import SPURIOUS, protein_errors, spurious_kind
from relhash.corpus.document import Document, Mention
from tests.bench.benchmarks.test_language_scores import Answers

TEXT = "Grb2 binds the p21 ras protein, not iTreg or the SH2 domain of Src."


def mention(words: str, kind: str = "protein", is_trigger: bool = False) -> Mention:
    start = TEXT.index(words)
    return Mention(f"T{start}", kind, ((start, start + len(words)),), words, is_trigger=is_trigger)


def test_each_error_has_its_place() -> None:
    gold = Document(
        "d", TEXT, mentions=(mention("Grb2"), mention("p21 ras"), mention("Src"), mention("binds", "protein", True))
    )
    found = Document(
        "d", TEXT, mentions=(mention("Grb2", "Gene"), mention("p21 ras protein"), mention("iTreg"), mention("SH2 domain"))
    )
    errors = protein_errors(Answers([found]), [gold])  # type: ignore[arg-type]
    assert (errors.n_gold, errors.n_found, errors.n_exact) == (3, 4, 1)
    assert (errors.precision, errors.recall, errors.f1) == (1 / 4, 1 / 3, pytest.approx(2 / 7))
    assert (errors.overlapping_precision, errors.overlapping_recall) == (2 / 4, pytest.approx(2 / 3))
    assert (errors.too_long, errors.too_short, errors.shifted, errors.missed) == (1, 0, 0, 1)
    assert {kind: count for kind, count in errors.spurious if count} == {"cell": 1, "domain": 1}


def test_boundaries() -> None:
    gold = Document("d", TEXT, mentions=(mention("p21 ras"),))
    for found, kind in (("ras", "too_short"), ("the p21 ras protein", "too_long"), ("ras protein", "shifted")):
        errors = protein_errors(Answers([Document("d", TEXT, mentions=(mention(found),))]), [gold])  # type: ignore[arg-type]
        assert getattr(errors, kind) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("carboxyl-terminal SH2 domain", "domain"),
        ("catenin gene family", "family"),
        ("GEF", "family"),
        ("VDR 3'-UTR haplotypes", "DNA element"),
        ("Ser473", "residue"),
        ("murine", "species"),
        ("anti-CD3 antibody", "reagent or assay"),
        (")p53", "cut or stray sign"),
        ("cyclinB1", "name"),
    ],
)
def test_what_is_taken_for_a_protein(text: str, kind: str) -> None:
    assert spurious_kind(text) == kind
    assert kind in SPURIOUS
