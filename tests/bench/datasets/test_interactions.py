"""Interaction candidates know the pair that they join, whatever type and roles they suppose."""

from __future__ import annotations

from relhash.bench.datasets.bionlp import InteractionDataset
from relhash.candidates.statements import InteractionPolicy, TriggerLexicon, participants
from tests.bench.datasets.toy_documents import toy_document, toy_parse


def test_candidates_of_the_same_two_names_in_a_sentence_are_one_pair():
    documents = list(toy_parse(toy_document(name, "MEK", "ERK", "activates", "here") for name in ("a", "b")))
    policy = InteractionPolicy(TriggerLexicon.learn(documents))
    dataset = InteractionDataset([documents, documents[:1]], policy, ["a remark"])
    places = [
        (corpus, one.document.id, frozenset(mention.id for mention in participants(one).values()))
        for corpus, one in zip(dataset.corpus, dataset.candidates, strict=True)
    ]
    assert len(places) > len(set(places))  # two ways to fill the roles
    assert [places.index(place) for place in places] == [dataset.pairs.tolist().index(pair) for pair in dataset.pairs]
    assert dataset.notes == ["a remark"]
