"""A fitted model moved to other text, whether a text is like the one it was adapted to, and the codes of what it learned from.

Scores shift from text to text, so a threshold that fits one text cuts another in the wrong place. What moves is the threshold
(the share of candidates that it accepted is accepted of the new text), the map to probabilities, and what is familiar.

A bit of the code is set for about half of the candidates of the text that it was learned on; on text of another kind its share
is another one. These differences over all bits, less what chance may give with whole sentences drawn, tell fields apart: other
documents of the same corpus .00, other corpora of protein interactions mostly below .10, chemicals and diseases .13–.14, news
.19–.22 (500 candidates each; the limits below were set on these texts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.candidates import StructureSet
from relhash.candidates.candidate import Candidate
from relhash.codec import InArrays
from relhash.corpus.read_write import CorpusLike
from relhash.errors import ModelFileError, ParameterError
from relhash.files import today
from relhash.hashing.hamming import hamming_distances, unpack
from relhash.learn import FeatureMap
from relhash.learn.end_to_end import CERTAIN
from relhash.model.card import counts_of
from relhash.model.judging import Prepared, rows_accepted
from relhash.model.reading.found_names import with_one_cut

if TYPE_CHECKING:
    from relhash.model.fitted import FittedModel

UNLIKE = 0.12
"""Difference of bit shares above which a text is called unlike."""
MOST = 1000
"""Candidates that are looked at: more cost time and tell nothing new."""
FEWEST_SENTENCES = 20
"""Sentences below which nothing is said: chance would be too large a part of it."""
FAR = 1.5
"""How many times more or fewer candidates than expected may be accepted before it is said."""
SURE = 3.0
"""Standard errors that a difference must have, so that it cannot be chance."""


@dataclass(frozen=True, eq=False)
class Familiarity(InArrays):
    """How often each bit of the code is set in a text, and how far chance could move that.

    >>> known = Familiarity.of(np.array([[1, 0], [1, 0], [1, 1], [0, 1]]), [0, 1, 2, 3])
    >>> known.shares.tolist()
    [0.75, 0.5]
    """

    shares: NDArray[np.float32]
    variances: NDArray[np.float32]

    @classmethod
    def of(cls, bits: ArrayLike, sentences: ArrayLike) -> Familiarity:
        """From bits (candidates × bits) and the sentence of each candidate: those of a sentence are near-copies."""
        rows = np.asarray(bits, np.float64)
        _, number = np.unique(np.asarray(sentences), return_inverse=True)
        n = int(number.max()) + 1
        shares = rows.mean(axis=0)
        sums = np.zeros((n, rows.shape[1]))
        np.add.at(sums, number, rows - shares)
        variances = (sums**2).sum(axis=0) / len(rows) ** 2 * n / max(n - 1, 1)
        return cls(shares.astype(np.float32), variances.astype(np.float32))

    def difference(self, other: Familiarity) -> float:
        """The difference that is surely not chance (root mean square over the bits); 0 if all of it may be."""
        apart = self.shares.astype(np.float64) - other.shares
        chance = SURE * (self.variances.astype(np.float64) + other.variances)
        return float(np.sqrt(max(0.0, float((apart**2 - chance).mean()))))

    def verify(self) -> None:
        if self.shares.ndim != 1 or self.shares.shape != self.variances.shape:
            raise ModelFileError("familiarity: its arrays do not fit together")
        if not np.isfinite([self.shares, self.variances]).all():
            raise ModelFileError("familiarity: a share is not a number")


def sentences_of(candidates: Sequence[Candidate]) -> NDArray[np.str_]:
    """A name for the sentence of each candidate."""
    return np.array([f"{one.document.id}|{one.sentence}" for one in candidates], np.str_)


def some_of(sentences: NDArray[np.str_]) -> NDArray[np.int64]:
    """Rows of about :data:`MOST` candidates from all over a text; none if it has few sentences.

    Every second, third, … sentence is taken whole, so that two looks at the same text see the same.
    """
    distinct = np.array(list(dict.fromkeys(sentences.tolist())), np.str_)
    if distinct.size < FEWEST_SENTENCES:
        return np.empty(0, np.int64)
    return np.flatnonzero(np.isin(sentences, distinct[:: -(-sentences.size // MOST)]))


def share_is_far(accepted: ArrayLike, sentences: ArrayLike, expected: float) -> bool:
    """Whether far more or far fewer candidates are accepted than expected, and not by chance.

    >>> share_is_far([True, False] * 50, range(100), 0.2), share_is_far([True, False] * 50, range(100), 0.4)
    (True, False)
    """
    labels = np.asarray(accepted, bool)
    if np.unique(np.asarray(sentences)).size < FEWEST_SENTENCES:
        return False
    found = Familiarity.of(labels[:, None], sentences)
    share = float(found.shares[0])
    is_sure = abs(share - expected) > SURE * float(np.sqrt(found.variances[0]))
    return is_sure and not expected / FAR <= share <= expected * FAR


FEWEST = 50
"""Candidates that a threshold can be moved to."""


def adapted(model: FittedModel, corpus: CorpusLike, expect: float | None = None) -> FittedModel:
    """See :meth:`FittedModel.adapted_to <relhash.model.fitted.FittedModel.adapted_to>`."""
    if expect is not None and not 0 < expect < 1:
        raise ParameterError(f"expect={expect}: the share of related pairs must lie between 0 and 1, as in 0.2")
    found = model.candidates(corpus)
    if len(found) < FEWEST:
        raise ParameterError(
            f"the text to adapt to has {len(found)} candidates (pairs of entities in a sentence); at least {FEWEST} are needed"
        )
    text = Prepared(model, found)
    share = of_relations = _share(model) if expect is None else expect
    training = model.card["training"]
    if expect is None and training.get("all_pairs", True):  # the labels tell how many are related
        of_relations = training["positive"] / training["labelled"]
    X = text.features
    decision = model.decision.adapted_to(model.decision.decide(X)[0], share, of_relations)
    rule = model.end_to_end
    if not rule.knows_pairs and decision.threshold.fraction is not None:  # a cut that was fitted to rows people have read stays
        _, pairs, labels = decision.decide(X, text.groups)
        rule = with_one_cut(replace(rule, threshold=None), text.names, pairs, labels)
    familiar = familiarity_of(model.features, text.structures, found)
    moved = replace(model, decision=decision, end_to_end=rule, familiar=familiar)
    card = {
        **model.card,
        "adapted_to": counts_of(found),
        "adapted_later": {"made": today(), "moved": ["threshold", "calibration"]},
        "threshold": decision.threshold.to_dict(),
        "accepted": decision.accepted,
        "rows": rows_accepted(moved, found, X),
    }
    return replace(moved, card=card)


def _share(model: FittedModel) -> float:
    """The share of candidates that the model's threshold stands for."""
    threshold = model.decision.threshold
    if threshold.fraction is not None:
        return threshold.fraction
    accepted = model.card.get("accepted")
    if threshold.strategy.startswith("precision") and accepted is not None:  # files of earlier versions
        return float(accepted)
    raise ParameterError(
        f"the threshold of this model ({threshold.strategy}) stands for no share of the pairs, so there is nothing that has to "
        "move to other text; use it as it is, or say what share you expect (--expect 0.2, expect=0.2)"
    )


def familiarity_of(
    features: FeatureMap, structures: StructureSet, found: Sequence[Candidate], known: NDArray[np.uint64] | None = None
) -> Familiarity | None:
    """What the bits of the code say of a text; ``None`` if there is no code, or too little text. ``known``: its codes."""
    sentences = sentences_of(found)
    rows = some_of(sentences)
    if features.code is None or not rows.size:
        return None
    codes = features.code.learner.codes(structures[rows]) if known is None else known[rows]
    return Familiarity.of(unpack(codes, features.code.n_bits), sentences[rows])


def unlike(model: FittedModel, found: Sequence[Candidate], reached: NDArray[np.bool_]) -> str:
    """One clause on how a text differs from what the model was adapted to; empty if it does not, or if that is unknown.

    ``reached`` says which of the candidates ``found`` have a score above the threshold.
    """
    are_found = any(mention.certainty < CERTAIN for one in found for mention in one.mentions)
    if are_found and model.end_to_end.knows_pairs:
        return ""  # the cut was fitted to rows that people have read, and no text moves it
    sentences = sentences_of(found)
    looked_at = [found[row] for row in some_of(sentences)]
    if model.familiar is not None and looked_at:
        own = familiarity_of(model.features, Prepared(model, looked_at).structures, looked_at)
        if own is not None and (difference := model.familiar.difference(own)) > UNLIKE:
            return f"its pairs of entities stand in other contexts (difference {difference:.2f}, usual is less than {UNLIKE})"
    if are_found and model.end_to_end.threshold is not None:
        return ""  # rows have a cut of their own, and the threshold of pairs decides nothing
    expected = model.card.get("accepted")
    if expected and model.decision.threshold.fraction is not None and share_is_far(reached, sentences, expected):
        return f"{reached.mean():.0%} of its pairs reach the threshold, where {expected:.0%} were expected"
    return ""


MOST_KEPT = 20_000
"""Candidates that are kept: more make a large file and tell nothing new."""
OFTEN = 5
"""Training candidates as near as is usual among them from which a kind of sentence counts as often seen."""
COMPARED = 500
UNLABELLED = -1


@dataclass(frozen=True, eq=False)
class Seen(InArrays):
    """Packed codes of candidates and their labels: 1 a relation, 0 none, -1 not labelled.

    >>> seen = Seen(np.array([[0]] * 6 + [[7]] * 2, np.uint64), np.array([1, 1, 0, 1, 0, 0, 0, 0], np.int8))
    >>> seen.how_often(np.array([[0], [7], [1]], np.uint64)).tolist()
    ['often', 'rarely', 'never']
    """

    codes: NDArray[np.uint64]
    labels: NDArray[np.int8]

    @classmethod
    def of(cls, codes: NDArray[np.uint64], labels: NDArray[np.int8]) -> Seen:
        """At most :data:`MOST_KEPT` of them, from all over the text."""
        step = max(1, -(-len(codes) // MOST_KEPT))
        return cls(np.ascontiguousarray(codes[::step]), np.ascontiguousarray(labels[::step]))

    @cached_property
    def usual_distance(self) -> int:
        """The distance within which most of these candidates have some others."""
        sample = np.arange(0, len(self.codes), max(1, len(self.codes) // COMPARED))
        distances = np.sort(hamming_distances(self.codes[sample], self.codes), axis=1)
        return int(np.median(distances[:, min(OFTEN, distances.shape[1] - 1)]))

    def counts(self, codes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """How many of these candidates are as near to each code as is usual among them."""
        return np.asarray((hamming_distances(codes, self.codes) <= self.usual_distance).sum(axis=1))

    def how_often(self, codes: NDArray[np.uint64]) -> NDArray[np.str_]:
        """``"often"``, ``"rarely"`` or ``"never"`` for each code."""
        found = self.counts(codes)
        return np.where(found >= OFTEN, "often", np.where(found > 0, "rarely", "never"))

    def verify(self) -> None:
        if self.codes.ndim != 2 or self.labels.shape != (len(self.codes),):
            raise ModelFileError("seen codes: their arrays do not fit together")
        if not len(self.codes) or not np.isin(self.labels, (UNLABELLED, 0, 1)).all():
            raise ModelFileError("seen codes: a label makes no sense")
