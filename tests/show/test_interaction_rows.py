"""A row of a model as a short text of its own."""

from __future__ import annotations

from relhash.candidates import scenes
from relhash.candidates.statements import interaction_candidate, trigger_mention
from relhash.corpus import Document
from relhash.model.prediction import Prediction
from relhash.show.sentence_drawing import interaction_of
from tests.candidates.drawn_sentences import draw


def mention(document: Document, word: str):
    return next(one for one in document.mentions if one.text == word)


def predicted(document: Document, word: str, **roles: str) -> Prediction:
    start = document.text.index(word)
    trigger = trigger_mention("Phosphorylation", start, start + len(word), word)
    participants = {role: mention(document, name) for role, name in roles.items()}
    (scene,) = scenes([interaction_candidate(document, 0, trigger, participants)])
    return Prediction(scene, "Phosphorylation", 0.9, 0.9, True)


def row(document: Document, word: str, **roles: str) -> Document:
    return interaction_of(predicted(document, word, **roles)).check()


def said(document: Document) -> list[tuple[str, str]]:
    (relation,) = document.relations
    roles = [(one.role, one.target) for one in relation.arguments] + [("", relation.trigger or "")]
    found = [(role, document.mention_by_id[target]) for role, target in roles]
    assert all(one.text == document.text[one.start : one.end] for _, one in found)
    return [(role, one.text) for role, one in found]


PASSIVE = draw(
    "RPS3 is phosphorylated by IKKbeta",
    "phosphorylated nsubjpass RPS3, phosphorylated auxpass is, phosphorylated agent IKKbeta",
    ["RPS3", "IKKbeta"],
)
KINASE = draw("the RPS3 kinase acts on IKKbeta", "acts nsubj kinase, acts prep_on IKKbeta", ["RPS3 kinase", "IKKbeta"])


def test_roles_are_told_whatever_the_order_of_the_sentence() -> None:
    found = row(PASSIVE, "phosphorylated", cause="IKKbeta", theme="RPS3")
    assert said(found) == [("Cause", "IKKbeta"), ("Theme", "RPS3"), ("", "phosphorylated")]
    assert (found.text, found.attributes) == (PASSIVE.text, ())


def test_words_that_are_far_from_it_are_left_out() -> None:
    long = draw(
        "in cells of several kinds RPS3 was , in a manner that we do not know , phosphorylated by IKKbeta and not by any other",
        "phosphorylated nsubjpass RPS3, phosphorylated auxpass was, phosphorylated agent IKKbeta",
        ["RPS3", "IKKbeta"],
    )
    found = row(long, "phosphorylated", cause="IKKbeta", theme="RPS3")
    assert found.text == "… of several kinds RPS3 was , in … not know , phosphorylated by IKKbeta and not by …"
    assert said(found) == [("Cause", "IKKbeta"), ("Theme", "RPS3"), ("", "phosphorylated")]


def test_what_is_denied_says_so() -> None:
    denied = draw(
        "IKKbeta does not phosphorylate RPS3",
        "phosphorylate nsubj IKKbeta, phosphorylate aux does, phosphorylate neg not, phosphorylate dobj RPS3",
        ["IKKbeta", "RPS3"],
    )
    found = row(denied, "phosphorylate", cause="IKKbeta", theme="RPS3")
    assert [(one.type, one.target, one.value) for one in found.attributes] == [("Assertion", "E1", "negated")]


def test_a_trigger_inside_a_name_keeps_its_place() -> None:
    found = row(KINASE, "kinase", cause="RPS3 kinase", theme="IKKbeta")
    assert said(found) == [("Cause", "RPS3 kinase"), ("Theme", "IKKbeta"), ("", "kinase")]
