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

from relhash.bench.rivals.baseline import FoldedMachine, checked_labels
from relhash.candidates.candidate import Candidate
from relhash.candidates.scene import last_sentence
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Mention
from relhash.errors import DataMissingError, ParameterError

Floats = NDArray[np.float64]
ALMOST_NOTHING = 1e-9
RELATION = "relation"


class Kindred(FoldedMachine):
    """Kindred's relation classifier on pairs; it has nothing to choose, the folds of documents give its held-out scores.

    Parameters
    ----------
    n_folds, random_state, n_jobs
        Of :class:`~relhash.bench.rivals.baseline.FoldedMachine`.
    """

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)
        _, self.classifier_ = self._chosen(
            ("as it is",),
            lambda _, rows: _trained([candidates[row] for row in rows], labels[rows]),
            lambda classifier, rows: _scores(classifier, [candidates[row] for row in rows]),
            candidates,
            labels,
        )
        return self

    def _positive(self, candidates: Sequence[Candidate]) -> Floats:
        return _scores(self.classifier_, candidates)


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
    try:
        classifier.train(corpus)
    except OSError as error:  # spaCy's "[E050] Can't find model"
        raise DataMissingError(
            f"kindred: the spaCy model that it parses with is not installed ({error}); python -m spacy download en_core_web_sm"
        ) from error
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
