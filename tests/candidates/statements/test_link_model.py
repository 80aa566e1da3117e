"""What is learned of links: which entity is whose theme, and whose cause; candidates and clues that come of it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from relhash.candidates import build_structures
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.scene import Stage
from relhash.candidates.statements import InteractionPolicy, interaction_candidates
from relhash.candidates.statements.links import CLUES, LinkModel, links, shipped_word_groups
from relhash.candidates.statements.triggers import Trigger
from relhash.corpus import Document
from relhash.errors import ModelFileError
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import annotated, event, shown

NAMES = ["Ras", "Raf", "Mek", "Erk", "Akt", "Sos", "Src", "Jun"]


def said(first: str, second: str, verb: str, name: str) -> Document:
    """The first does something to the second, and a third, Myc, has no part in it."""
    drawn = draw(
        f"{first} {verb} {second} without Myc",
        f"{verb} nsubj {first}, {verb} dobj {second}, {verb} prep_without Myc",
        [first, second, "Myc"],
    )
    kind = {"activates": "Positive_regulation", "blocks": "Negative_regulation"}.get(verb)
    if kind is None:
        return replace(drawn, id=name)
    return replace(annotated(drawn, [("T9", verb, kind)], [event("E1", kind, "T9", Theme="T2", Cause="T1")]), id=name)


TEXT = [
    said(first, second, verb, f"{first}-{second}-{verb}")
    for first in NAMES
    for second in NAMES
    if first != second
    for verb in ("activates", "blocks", "resembles")
]


@pytest.fixture(scope="module")
def policy() -> InteractionPolicy:
    return InteractionPolicy(one_participant=True).fitted(TEXT)


def test_the_subject_is_the_cause_and_the_object_the_theme(policy: InteractionPolicy) -> None:
    assert policy.links is not None
    stage = Stage(draw("Fos activates Max without Myc", "activates nsubj Fos, activates dobj Max, activates prep_without Myc",
                       ["Fos", "Max", "Myc"]), 0)  # fmt: skip
    found = [link for link in links(stage, policy.triggers(stage), policy) if link.trigger.type == "Positive_regulation"]
    scores = policy.links.log_odds(stage, found)
    names = [stage.mentions[link.entity].text for link in found]
    assert max(zip(scores["cause"], names))[1] == "Fos"
    assert max(zip(scores["theme"], names))[1] == "Max"


def test_candidates_of_likely_links_come_first_and_have_clues(policy: InteractionPolicy) -> None:
    document = said("Fos", "Max", "activates", "new")
    found = list(interaction_candidates([document], replace(policy, max_candidates=1, one_participant=False)))
    assert [shown(one) for one in found] == [("Positive_regulation", {"cause": "Fos", "theme": "Max"})]
    table = build_structures(found, ["clues"])["clues"]
    assert table.shape == (1, len(CLUES))
    assert table[0, CLUES.index("alone")] == 0
    assert table[0, CLUES.index("first")] > table[0, CLUES.index("other_cause")]
    (alone, *_) = (one for one in interaction_candidates([document], policy) if len(one.mentions) == 2)
    assert alone.clues[CLUES.index("alone")] == 1


def test_training_candidates_do_not_know_their_own_document(policy: InteractionPolicy) -> None:
    odd = said("Ras", "Raf", "titillates", "odd")
    odd = annotated(replace(odd, relations=()), [("T9", "titillates", "Positive_regulation")],
                    [event("E1", "Positive_regulation", "T9", Theme="T2", Cause="T1")])  # fmt: skip
    text = [odd, *TEXT]
    learned = InteractionPolicy().fitted(text)
    share = CLUES.index("share")
    known = {one.clues[share] for one in learned.candidates([odd])}
    unknown = {one.clues[share] for one in learned.training_candidates(text) if one.document is odd}
    assert known
    assert not known & unknown


def test_a_policy_with_links_comes_back_from_json(policy: InteractionPolicy) -> None:
    written = json.loads(json.dumps(policy.to_dict()))
    again = CandidatePolicy.from_dict(written)
    document = said("Fos", "Max", "blocks", "new")
    made = [(one.key, one.clues) for one in policy.candidates([document])]
    assert made == [(one.key, one.clues) for one in again.candidates([document])]
    assert made
    with pytest.raises(ModelFileError, match="links"):
        LinkModel.from_dict({"theme": written["links"]["theme"]})
    with pytest.raises(ModelFileError, match="as many"):
        LinkModel.from_dict({"theme": "AAA=", "cause": "AAA="})


def test_similar_words_are_told_by_their_groups(policy: InteractionPolicy) -> None:
    """*stimulates* stands nowhere in the training text, and is in a group with *activates*."""
    groups = shipped_word_groups()
    assert set(groups("stimulates")) & set(groups("activates"))
    arcs = "stimulates nsubj Fos, stimulates dobj Max"
    stage = Stage(draw("Fos stimulates Max", arcs, ["Fos", "Max"]), 0)
    found = list(links(stage, [Trigger(1, "Positive_regulation", 0.1)], policy))
    assert policy.links is not None
    with_groups = policy.links.log_odds(stage, found)["theme"]
    without = replace(policy.links, groups=None).log_odds(stage, found)["theme"]
    assert max(with_groups) > max(without)


def test_weights_of_other_groups_are_refused(policy: InteractionPolicy) -> None:
    """Groups have numbers, which mean other words elsewhere; a model of version 0.2 has none."""
    assert policy.links is not None
    written = policy.links.to_dict()
    with pytest.raises(ModelFileError, match="other groups"):
        LinkModel.from_dict({**written, "groups": "0"})
    del written["groups"]
    assert LinkModel.from_dict(written).groups is None


def test_too_little_text_teaches_no_links() -> None:
    few = InteractionPolicy().fitted(TEXT[:6])
    assert few.links is None
    assert [one.clues for one in few.training_candidates(TEXT[:1])] == [()] * len(list(few.candidates(TEXT[:1])))
