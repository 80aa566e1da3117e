"""Whether a text looks like the text that a model was adapted to, judged by its hashcodes and from how much is accepted.

A bit of the code is set for about half of the candidates of the text that it was learned on. On text of another kind its share
is another one; these differences, over all bits, tell fields apart. (Cells of several bits that no candidate had filled before
do not: a code that is spread evenly fills them all, with whatever text.) What chance may give, with whole sentences drawn, is
taken off. Models of AIMed, BioInfer and BioNLP 2009 on 500 candidates: other documents of the same corpus .00, other corpora
of protein interactions mostly below .10, chemicals and diseases .13–.14, news .19–.22.
The limits below were set on these very texts, 47 pairs of news among them: how often they err elsewhere is not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.candidates.candidate import Candidate
from relhash.codec import InArrays
from relhash.errors import ModelFileError

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
