"""Proteins that only name a kind of cell make no candidates."""

from __future__ import annotations

import pytest

from relhash.candidates import PairPolicy, candidates
from relhash.candidates.symbols import only_marks_cells
from relhash.corpus import Document, Mention
from relhash.corpus.document import CandidatePair


def named(text: str, name: str) -> Mention:
    start = text.index(name)
    return Mention(name, "protein", ((start, start + len(name)),), name)


@pytest.mark.parametrize(
    "text",
    [
        "CD4+ T cells", "CD4 T cells", "CD4(+) T lymphocytes", "CD4 + cells", "CD4-positive T-cell line", "CD4 cells",
        "CD4+CD25+ regulatory T cells", "CD4(+)CD25(high) Tregs", "CD4+ and CD8+ T cells", "CD4- thymocytes",
    ],
)  # fmt: skip
def test_a_marker_before_its_cells(text):
    assert only_marks_cells(text, named(text, "CD4"))


@pytest.mark.parametrize(
    "text",
    [
        "CD4 binds gp120 on T cells", "CD4 expression of T cells", "CD4-treated cells", "CD4-deficient T cells", "CD4, T cells",
        "CD4/T cell receptor", "CD4 T cell receptor", "CD4-induced cell death", "CD4", "CD4 or T cells",
    ],
)  # fmt: skip
def test_a_protein_that_does_something_stays(text):
    assert not only_marks_cells(text, named(text, "CD4"))


def test_a_marker_is_no_participant_unless_asked_for_or_listed():
    text = "IL-2 production by CD4+ T cells needs CD28."
    names = tuple(named(text, name) for name in ("IL-2", "CD4", "CD28"))
    given = Document("d", text, mentions=names)
    policy = PairPolicy(unsplit="document")
    assert [[m.text for m in one.mentions] for one in candidates([given], policy)] == [["IL-2", "CD28"]]
    assert len(list(candidates([given], PairPolicy(unsplit="document", cell_marker_pairs=True)))) == 3
    listed = Document("d", text, mentions=names, candidates=(CandidatePair("p", "IL-2", "CD4"),))
    assert len(list(candidates([listed], policy))) == 1


def test_other_types_are_not_asked():
    text = "aspirin cells and ibuprofen"
    drugs = tuple(Mention(n, "chemical", named(text, n).spans, n) for n in ("aspirin", "ibuprofen"))
    assert len(list(candidates([Document("d", text, mentions=drugs)], PairPolicy(unsplit="document")))) == 1
