"""Labels as people write them, by themselves and within their column."""

from __future__ import annotations

import pytest

from relhash.corpus.tables.labels import ColumnOfLabels, meaning_of_label
from relhash.errors import CorpusError


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("1", "0"), ("1,0", "0,0"), ("Yes", "No."), ("TRUE", "FALSE"), ("Ja", "Nein"), ("wahr", "falsch"), ("oui", "non"),
        ("VRAI", "FAUX"), ("Sí", "no"), ("verdadero", "falso"), ("positiv", "negativ"), ("positif", "négatif"), ("+", "-"),
        ("✓", "✗"), ("x", "keine Wechselwirkung"), ("y", "no interaction"),
    ],
)  # fmt: skip
def test_yes_and_no(yes: str, no: str) -> None:
    assert meaning_of_label(yes) == ("yes", "interaction")
    assert meaning_of_label(no) == ("no", "")
    column = ColumnOfLabels([yes, no, yes])
    assert (column.meaning(yes), column.meaning(no), column.notes) == (("yes", "interaction"), ("no", ""), [])


@pytest.mark.parametrize(
    ("name", "denied"),
    [("binds", "does not bind"), ("binds", "doesn't bind"), ("related", "unrelated"), ("binding", "non-binding"),
     ("interagiert", "interagiert nicht"), ("Bindung", "keine Bindung")],
)  # fmt: skip
def test_a_label_that_denies_the_other_is_no_relation_of_its_own(name: str, denied: str) -> None:
    column = ColumnOfLabels([name, denied])
    assert (column.meaning(name), column.meaning(denied)) == (("yes", name), ("no", ""))
    assert column.notes == [f"read as no: {denied!r}"]


def test_names_stay_types_and_are_counted() -> None:
    column = ColumnOfLabels(["effect", "advise", "effect", "0", ""])
    assert column.meaning("advise") == ("yes", "advise")
    assert column.meaning("") == ("open", "")
    assert column.notes == ["the labels are read as 2 types of relation: effect (2), advise (1)"]
    assert ColumnOfLabels(["interaction", "0"]).notes == []


def test_yes_and_names_do_not_mix() -> None:
    column = ColumnOfLabels(["yes", "yes", "no", "binds"])
    assert column.meaning("yes") == ("yes", "interaction")
    with pytest.raises(CorpusError, match="'binds' beside 'yes'"):
        column.meaning("binds")
    with pytest.raises(CorpusError, match="'1' beside 'binds'"):
        ColumnOfLabels(["1", "binds", "binds"]).meaning("1")


def test_ticks_beside_empty_cells() -> None:
    column = ColumnOfLabels(["x", "", "X", ""])
    assert column.meaning("") == ("no", "")
    (note,) = column.notes
    assert note.startswith("the labels are ticks and empty cells: empty cells (2) are read as no")
    assert ColumnOfLabels(["x", "", "0"]).meaning("") == ("open", "")


def test_other_numbers_are_refused() -> None:
    with pytest.raises(CorpusError, match="'2' is neither yes nor no"):
        ColumnOfLabels(["1", "2"]).meaning("2")
