"""Events as the shared tasks judge them: with nesting an event inside must be right, too; flat it stands for its entities."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from relhash.corpus import Document, Mention, Relation
from relhash.corpus.document import Argument
from relhash.learn.metrics import Score
from relhash.show.assessment import _event_scores
from relhash.show.stated import event_score

TEXT = "IL-4 induces expression of RAF1 strongly"


def mention(identifier: str, type: str, word: str) -> Mention:
    start = TEXT.index(word)
    return Mention(identifier, type, ((start, start + len(word)),), word, is_trigger=type != "protein")


EXPRESSION = Relation("E1", "Gene_expression", (Argument("Theme", "T1"),), "B1")
CAUSED = Relation("E2", "Positive_regulation", (Argument("Theme", "E1"), Argument("Cause", "T2")), "B2")
GOLD = Document(
    "d",
    TEXT,
    mentions=(
        mention("T1", "protein", "RAF1"),
        mention("T2", "protein", "IL-4"),
        mention("B1", "Gene_expression", "expression"),
        mention("B2", "Positive_regulation", "induces"),
        mention("B3", "Positive_regulation", "strongly"),
    ),
    relations=(EXPRESSION, CAUSED),
)
FOUND = {
    "the same": (GOLD.relations, (1, 1)),
    "another event inside": ((replace(EXPRESSION, type="Binding"), CAUSED), (0, 1)),
    "the entity in place of the event": ((replace(CAUSED, arguments=(Argument("Theme", "T1"), CAUSED.arguments[1])),), (0, 1)),
    "a relation without a word inside": ((replace(EXPRESSION, trigger=None), CAUSED), (0, 1)),
    "another word": ((EXPRESSION, replace(CAUSED, trigger="B3")), (0, 0)),
    "another type": ((EXPRESSION, replace(CAUSED, type="Regulation")), (0, 0)),
    "theme and cause changed": (
        (EXPRESSION, replace(CAUSED, arguments=(Argument("Cause", "T1"), Argument("Theme", "T2")))),
        (0, 0),
    ),
}


@pytest.mark.parametrize("case", FOUND)
def test_what_is_right_with_nesting_and_without(case: str) -> None:
    relations, expected = FOUND[case]
    scores = _event_scores(GOLD, replace(GOLD, relations=relations), SimpleNamespace())
    assert {name: (one.gold, one.found) for name, one in scores.items()} == {"nested": (1, 1), "flat": (1, 1)}
    assert (scores["nested"].right, scores["flat"].right) == expected


def test_events_about_one_participant_count_where_they_are_made() -> None:
    scores = _event_scores(GOLD, GOLD, SimpleNamespace(one_participant=True))
    assert (scores["nested"], scores["all_nested"]) == (Score.of(1, 1, 1), Score.of(2, 2, 2))
    twice = replace(GOLD, relations=(*GOLD.relations, replace(CAUSED, id="E3")))
    assert event_score(GOLD, twice, nesting=True, one_participant=True) == Score.of(2, 3, 2)  # one of the gold is found once


def test_members_of_an_equivalence_are_one() -> None:
    found = replace(GOLD, relations=(replace(EXPRESSION, arguments=(Argument("Theme", "T2"),)),))
    alike = replace(GOLD, equivalences=(("T1", "T2"),), relations=(EXPRESSION,))
    assert event_score(alike, found, nesting=True, one_participant=True).right == 1
    assert event_score(replace(alike, equivalences=()), found, nesting=True, one_participant=True).right == 0
