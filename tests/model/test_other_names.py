"""What a sentence says of a name and of its abbreviation is one row, which says both."""

from __future__ import annotations

from dataclasses import replace

import pytest

import relhash
from relhash.corpus import Document
from relhash.model.judging import one_row_per_statement


def rows(text: str) -> list[tuple[str, str, str, str]]:
    found = [one.as_row() for one in relhash.load("ppi").predict(text)]
    return [(row["entity1"], row["also1"], row["entity2"], row["also2"]) for row in found]


def names(row: tuple[str, str, str, str]) -> list[set[str]]:
    return [set(filter(None, row[:2])), set(filter(None, row[2:]))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tumor necrosis factor (TNF) activates NF-kappaB.", [{"Tumor necrosis factor", "TNF"}, {"NF-kappaB"}]),
        ("RAF1 binds to mitogen-activated protein kinase kinase 1 (MEK1).",
         [{"RAF1"}, {"mitogen-activated protein kinase kinase 1", "MEK1"}]),
        ("TPL-2 (COT, MAP3K8) kinase activates ERK1.", [{"TPL-2", "COT; MAP3K8"}, {"ERK1"}]),
    ],
)  # fmt: skip
def test_a_name_and_its_abbreviation_make_one_row(text, expected):
    assert [names(row) for row in rows(text)] == [expected]


def test_the_more_probable_row_stays_and_the_other_is_no_relation():
    model = relhash.load("ppi")
    found = model.predict("Tumor necrosis factor (TNF) activates NF-kappaB.", all_candidates=True)
    assert [one.is_relation for one in found].count(True) == 1
    best = next(one for one in found if one.is_relation)
    assert best.probability == max(one.probability for one in found)
    assert [[mention.certainty < 1 for mention in also] for also in best.also] == [[True], []]


def test_the_same_name_elsewhere_is_another_statement():
    found = rows("RAF1 binds to MEK1, and RAF1 phosphorylates MEK1.")
    assert len(found) > 1
    assert {also for row in found for also in (row[1], row[3])} == {""}


def test_annotated_names_keep_their_rows():
    model = relhash.load("ppi")
    text = "Tumor necrosis factor (TNF) activates NF-kappaB."
    read, _ = next(model.annotate([Document("d", text)]))
    sure = tuple(replace(mention, certainty=1.0) for mention in read.mentions)
    annotated = model.accepting_from(0.01).predict([replace(read, mentions=sure)])
    assert len(annotated) == 2
    assert not any(one.also for one in annotated)


def test_what_is_not_accepted_is_left_alone():
    found = relhash.load("ppi").predict("RAF1 does not bind MEK1.", all_candidates=True)
    assert one_row_per_statement(found) == found
    assert one_row_per_statement([]) == []
