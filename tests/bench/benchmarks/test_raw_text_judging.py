"""Rows and annotated relations of one text that a person judges at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.bench.benchmarks.raw_text import Fate, Verdict, judge
from relhash.bench.datasets.raw_text_gold import gold_of_documents
from relhash.biomed.assertion import Assertion
from relhash.candidates import PairPolicy, candidates
from relhash.candidates.scene import scenes
from relhash.corpus import Document, Mention
from relhash.model.fitted import STATED
from relhash.model.prediction import Prediction
from tests.bench.datasets.test_raw_text_gold import annotated

TEXT = "RAF1 kinase binds MEK1 and ERK2 in HeLa mixes but not AKT1."
GOLD = ["RAF1", "MEK1", "ERK2", "AKT1"]


def read(*names: str) -> Document:
    """The text as a model reads it that finds these names."""
    mentions = tuple(Mention(f"p{n}", "protein", ((TEXT.index(x), TEXT.index(x) + len(x)),), x) for n, x in enumerate(names))
    return Document("d", TEXT, mentions=mentions)


def predictions(document: Document, accepted: dict[tuple[str, str], float]) -> list[Prediction]:
    found = []
    for scene in scenes(candidates([document], PairPolicy(unsplit="document"))):
        first, second = (mention.text for mention in scene.candidate.mentions)
        probability = accepted.get((first, second))
        found.append(Prediction(scene, "interaction", probability or 0.1, score=0.5, is_relation=probability is not None))
    return found


@pytest.fixture
def gold():
    (made,) = gold_of_documents([annotated(TEXT, GOLD, [(0, 1), (0, 2), (0, 3)], denied=(2,))])
    return made


def judged(gold, names, accepted, kept=frozenset(Assertion)):
    document = read(*names)
    result = judge(gold, document, predictions(document, accepted), kept)
    verdicts = [row.verdict for row in result.rows if row.accepted]
    return verdicts, result


def test_names_that_overlap_are_found(gold):
    verdicts, result = judged(gold, ["RAF1 kinase", "MEK1", "ERK2"], {("RAF1 kinase", "MEK1"): 0.9})
    assert verdicts == [Verdict.RIGHT]
    assert sorted(result.fates) == [Fate.FOUND, Fate.RELATION_WRONG]
    assert [row.is_judgeable for row in result.rows] == [True] * 3
    assert (result.names_found, result.names_right, result.entities, result.entities_found) == (3, 3, 4, 3)


def test_a_row_that_says_another_name_finds_what_is_said_of_that_name(gold):
    document = read("RAF1", "MEK1", "ERK2")
    told = predictions(document, {("RAF1", "MEK1"): 0.9})
    told[0] = replace(told[0], also=((), (document.mentions[2],)))
    result = judge(gold, document, told, frozenset(Assertion))
    assert result.fates == (Fate.FOUND, Fate.FOUND)
    assert [row.verdict for row in result.rows if row.accepted] == [Verdict.RIGHT]


def test_an_accepted_row_is_wrong_for_one_of_three_reasons(gold):
    accepted = {("RAF1", "HeLa"): 0.9, ("MEK1", "ERK2"): 0.8, ("RAF1", "AKT1"): 0.7}
    verdicts, result = judged(gold, ["RAF1", "MEK1", "ERK2", "HeLa", "AKT1"], accepted)
    assert verdicts == [Verdict.ENTITY_SPURIOUS, Verdict.NEGATED, Verdict.RELATION_WRONG]
    assert result.names_right == 4


def test_a_relation_is_lost_with_its_entity_or_in_a_name_that_swallows_two(gold):
    _, result = judged(gold, ["RAF1", "ERK2"], {("RAF1", "ERK2"): 0.9})
    assert sorted(result.fates) == [Fate.ENTITY_MISSED, Fate.FOUND]
    _, result = judged(gold, ["RAF1 kinase binds MEK1"], {})
    assert sorted(result.fates) == [Fate.ENTITY_MISSED, Fate.NOT_PAIRED]
    assert not result.rows


def test_a_pair_that_the_model_takes_for_denied_is_lost_as_such():
    (stated,) = gold_of_documents([annotated(TEXT, GOLD, [(0, 3)])])
    verdicts, result = judged(stated, ["RAF1", "AKT1"], {("RAF1", "AKT1"): 0.9}, kept=STATED)
    assert (verdicts, result.fates) == ([], (Fate.NEGATED,))
    verdicts, result = judged(stated, ["RAF1", "AKT1"], {}, kept=STATED)
    assert (verdicts, result.fates) == ([], (Fate.RELATION_WRONG,))
