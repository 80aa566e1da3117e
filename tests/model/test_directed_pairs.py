"""Of the two directions of a pair a model accepts one, wherever its decisions are shown; types without direction keep both."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from relhash.candidates import PairPolicy
from relhash.corpus import Argument, Document, Mention, Relation
from relhash.corpus.document import Sentence
from relhash.learn.linear import LinearClassifier
from relhash.model import FittedModel, RelationExtractor, judging
from relhash.model.answers.teaching import Teaching
from relhash.model.prediction import with_predictions
from relhash.show.assessment import assess

SAID = (("activates", "Regulation", ("Cause", "Theme")), ("binds", "Binding", ("Theme", "Theme2")), ("beside", "", ("", "")))
"""A verb, the type that it states, and the roles of who stands before and behind it."""


@pytest.fixture(scope="module")
def gold() -> list[Document]:
    return [
        sentence(f"{n}-{verb}", f"{first} {verb} {second}.", kind, roles)
        for n, (first, second) in enumerate(permutations(("Ras", "Raf", "Mek", "Akt"), 2))
        for verb, kind, roles in SAID
    ]


def sentence(name: str, text: str, kind: str, roles: tuple[str, str]) -> Document:
    ends = (0, 3), (len(text) - 4, len(text) - 1)
    names = tuple(Mention(f"T{n}", "protein", (end,), text[slice(*end)]) for n, end in enumerate(ends))
    stated = Relation("R1", kind, tuple(Argument(role, name.id) for role, name in zip(roles, names, strict=True)))
    whole = Sentence("s1", 0, len(text))
    return Document(name, text, sentences=(whole,), mentions=names, relations=(stated,) if kind else ())


@pytest.fixture(scope="module")
def model(gold: list[Document]) -> FittedModel:
    extractor = RelationExtractor(
        "best", views=("between",), parts=("ngrams",), classifier=LinearClassifier(0.1), policy=PairPolicy(directed=True),
        prior="none",
    )  # fmt: skip
    fitted = extractor.fit(gold).model_
    # so low that both directions of what is said of one are above it
    return fitted.accepting_from(min(p.probability for p in fitted.predict(gold[:1], all_candidates=True)))


@pytest.fixture(scope="module")
def before(model: FittedModel) -> FittedModel:
    """The same as a file of before would say it: nobody has counted which types have a direction."""
    assert isinstance(model.policy, PairPolicy)
    return replace(model, policy=replace(model.policy, both_ways=None))


def accepted(model: FittedModel, documents: list[Document]) -> dict[str, list[tuple[str, ...]]]:
    """The verb of each sentence → the roles of what is accepted there."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for one in model.predict(documents):
        found.setdefault(one.candidate.document.id, []).append(one.candidate.roles)
    return found


def test_one_direction_is_accepted_and_no_score_moves(model, before, gold):
    both, one = [("e1", "e2"), ("e2", "e1")], [("e1", "e2")]
    assert accepted(before, gold) == {name.id: both for name in gold if name.relations}
    assert accepted(model, gold) == {name.id: both if "binds" in name.id else one for name in gold if name.relations}
    rows = [[(p.candidate.key, p.score, p.probability) for p in m.predict(gold, all_candidates=True)] for m in (model, before)]
    assert rows[0] == rows[1]


def test_every_way_to_ask_gives_the_same_answer(model, gold, monkeypatch):
    found = model.candidates(gold)
    told = [one.is_relation for one in model.predict(gold, all_candidates=True)]
    assert judging.decisions(model, found)[2].tolist() == told
    assert Teaching(model, found).untaught.accepted.tolist() == told
    assert [one.is_relation for document in gold for one in model.predict([document], all_candidates=True)] == told
    monkeypatch.setattr(judging, "CANDIDATES_AT_A_TIME", 1)
    assert [one.is_relation for one in model.stream(iter(gold), all_candidates=True)] == told


def test_figures_are_of_what_is_accepted(model, before, gold):
    assert model.evaluate(gold).precision == assess(model, gold).metrics.precision == 1.0
    assert before.evaluate(gold).precision == assess(before, gold).metrics.precision < 1.0


def test_gold_events_count_as_pairs(model, gold):
    """A word that names the event made ``evaluate`` look for it among pairs, and fail."""
    events = [with_trigger(document) for document in gold]
    assert assess(model, events).stated.as_dict() == assess(model, gold).stated.as_dict()


def with_trigger(document: Document) -> Document:
    start, end = 4, len(document.text) - 5
    word = Mention("T9", "Regulation", ((start, end),), document.text[start:end], is_trigger=True)
    return replace(
        document,
        mentions=(*document.mentions, word),
        relations=tuple(replace(one, trigger=word.id) for one in document.relations),
    )


def test_annotated_text_has_one_relation_from_cause_to_theme(model, gold):
    (stated,) = with_predictions(gold[0], model.predict(gold[:1])).relations
    assert [(argument.role, argument.target) for argument in stated.arguments] == [("Cause", "T0"), ("Theme", "T1")]


def test_a_model_file_keeps_what_was_counted(model, gold, tmp_path: Path):
    model.save(tmp_path / "m.relhash")
    again = FittedModel.load(tmp_path / "m.relhash")
    assert again.policy == model.policy
    assert accepted(again, gold) == accepted(model, gold)


def test_a_file_of_before_decides_as_it_did(before, gold, tmp_path: Path):
    assert "both_ways" not in json.dumps(before.policy.to_dict())
    before.save(tmp_path / "m.relhash")
    assert accepted(FittedModel.load(tmp_path / "m.relhash"), gold) == accepted(before, gold)
