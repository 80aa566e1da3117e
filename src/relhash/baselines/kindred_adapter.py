"""Kindred (Lever and Jones 2017) through its own interface, where a user has installed it.

*Painless relation extraction with Kindred. BioNLP 2017.*

Kindred reads text and entities, parses by itself (its spaCy model must be installed too), makes its own candidates out of all
ordered pairs of a sentence, and learns a logistic regression on its own features. Each sentence is given to it as a document; a
relation is given in both orders, since ours has none, and the likelier order counts. With its threshold at almost 0 it returns
the probability of every pair; a pair that it does not consider (its own splitting of sentences may part the two) has 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.baselines.contract import Baseline, checked_labels, documents_of
from relhash.baselines.folds import best_held_out
from relhash.corpus.document import Mention
from relhash.errors import ParameterError
from relhash.structures.candidates import Candidate
from relhash.structures.scene import last_sentence
from relhash.structures.symbols import entity_class

__all__ = ["Kindred"]

Floats = NDArray[np.float64]
ALMOST_NOTHING = 1e-9
RELATION = "relation"


class Kindred(Baseline):
    """Kindred's relation classifier on pairs.

    Parameters
    ----------
    n_folds
        Folds of documents for the held-out scores.
    random_state
        Draws the folds.
    n_jobs
        Accepted for the contract; Kindred uses one core.
    """

    def __init__(self, n_folds: int = 3, random_state: int = 0, n_jobs: int | None = None) -> None:
        self.n_folds = n_folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)

        def scores_of(_: str, train: NDArray[np.int64], test: NDArray[np.int64]) -> Floats:
            return _scores(_trained([candidates[row] for row in train], labels[train]), [candidates[row] for row in test])

        chosen = best_held_out(
            ("as it is",), scores_of, labels, documents_of(candidates), n_folds=self.n_folds, random_state=self.random_state
        )
        self.held_out_scores_, self.held_out_labels_ = chosen.scores, labels
        self.classifier_ = _trained(candidates, labels)
        self.classes_ = np.array([False, True])
        return self

    def predict_proba(self, candidates: Sequence[Candidate]) -> Floats:
        positive = _scores(self.classifier_, candidates)
        return np.column_stack([1 - positive, positive])


def _trained(candidates: Sequence[Candidate], y: NDArray[np.bool_]) -> Any:
    import kindred

    corpus = kindred.Corpus()
    for rows in _by_sentence(candidates):
        document, entities = _document(candidates, rows)
        for row in rows:
            if y[row]:
                pair = [entities[mention.id] for mention in candidates[row].mentions]
                for ordered in (pair, pair[::-1]):
                    document.addRelation(kindred.Relation(RELATION, ordered, ["first", "second"]))
        corpus.addDocument(document)
    classifier = kindred.RelationClassifier(classifierType="LogisticRegression", threshold=ALMOST_NOTHING)
    classifier.train(corpus)
    return classifier


def _scores(classifier: Any, candidates: Sequence[Candidate]) -> Floats:
    import kindred

    corpus = kindred.Corpus()
    row_of: list[dict[frozenset[str], int]] = []
    for rows in _by_sentence(candidates):
        corpus.addDocument(_document(candidates, rows)[0])
        row_of.append({frozenset(mention.id for mention in candidates[row].mentions): row for row in rows})
    classifier.predict(corpus)
    scores = np.zeros(len(candidates))
    for document, rows_here in zip(corpus.documents, row_of, strict=True):
        for relation in document.relations:
            row = rows_here.get(frozenset(entity.sourceEntityID for entity in relation.entities))
            if row is not None:
                scores[row] = max(scores[row], relation.probability)
    return scores


def _by_sentence(candidates: Sequence[Candidate]) -> Iterator[list[int]]:
    """Rows of the candidates of each sentence."""
    groups: dict[tuple[int, int, int], list[int]] = {}
    for row, candidate in enumerate(candidates):
        if len(candidate.mentions) != 2:
            raise ParameterError(f"kindred: candidate {candidate.key!r} is not a pair; it takes pairs of entities only")
        place = id(candidate.document), candidate.sentence, last_sentence(candidate)
        groups.setdefault(place, []).append(row)
    yield from groups.values()


def _document(candidates: Sequence[Candidate], rows: Sequence[int]) -> tuple[Any, dict[str, Any]]:
    """A sentence with the mentions of its candidates, as Kindred's document, and its entities by our id."""
    import kindred

    first = candidates[rows[0]]
    sentences = first.document.sentences[first.sentence : last_sentence(first) + 1]
    start, end = (sentences[0].start, sentences[-1].end) if sentences else (0, len(first.document.text))
    mentions: dict[str, Mention] = {mention.id: mention for row in rows for mention in candidates[row].mentions}
    entities = {
        name: kindred.Entity(
            entity_class(mention.type),
            mention.text,
            [(max(a, start) - start, min(b, end) - start) for a, b in mention.spans],
            sourceEntityID=name,
        )
        for name, mention in mentions.items()
    }
    return kindred.Document(first.document.text[start:end], entities=list(entities.values())), entities
