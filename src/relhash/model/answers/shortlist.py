"""From much text the candidates that are worth a person's time, in memory that does not grow with the text.

Half of what is kept are candidates that the model doubts, of kinds that its training text never had before others, and one of
several with the same code: near duplicates are one question. The other half is drawn from everything, each candidate with the
same chance, so that what is asked about it at random still speaks for the whole text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate
from relhash.corpus import Document
from relhash.model.seen import Seen

MOST = 20_000
"""Candidates that are kept of a text."""
AT_ONCE = 200
"""Documents that are read at a time."""
NEW = 2.0
"""What doubt counts for where the training text has nothing like it."""

Judge = Callable[[Sequence[Candidate]], tuple[NDArray[np.float64], NDArray[np.uint64] | None]]
"""Probabilities and codes of candidates."""


@dataclass(frozen=True, eq=False)
class Shortlist:
    """Candidates of a text in its order, how many it has in all, and which of these were drawn, all of them if all are kept."""

    candidates: list[Candidate]
    total: int
    is_sample: NDArray[np.bool_]


def worth_asking(
    documents: Iterable[Document],
    candidates: Callable[[Sequence[Document]], Iterable[Candidate]],
    judge: Judge,
    *,
    seen: Seen | None = None,
    most: int = MOST,
    wanted: Collection[str] = (),
) -> Shortlist:
    """At most ``most`` candidates of any number of documents, and those with the keys that are wanted.

    While a text has no more than ``most``, nothing is judged. What is drawn is drawn in the same way each time, so that answers
    find their questions again.
    """
    kept: list[Candidate] = []
    worth, drawn = np.empty(0), np.empty(0)  # inf: not judged yet
    codes: list[bytes] = []
    total, rng = 0, np.random.default_rng(0)
    unread = iter(documents)
    while batch := list(islice(unread, AT_ONCE)):
        found = list(candidates(batch))
        total += len(found)
        kept += found
        codes += [b""] * len(found)
        worth = np.append(worth, np.full(len(found), np.inf))
        drawn = np.append(drawn, rng.random(len(found)))
        if len(kept) <= most:
            continue
        rows = np.flatnonzero(np.isinf(worth))
        p, own = judge([kept[row] for row in rows])
        worth[rows] = worth_of(p, own, seen)
        for number, row in enumerate(rows.tolist()):
            codes[row] = str(total + row).encode() if own is None else own[number].tobytes()
        sample = np.argsort(drawn, kind="stable")[: most // 2]
        asked = [row for row, one in enumerate(kept) if one.key in wanted] if wanted else []
        places = np.unique([*best(worth, codes, most // 2).tolist(), *sample.tolist(), *asked])
        kept, codes = [kept[row] for row in places], [codes[row] for row in places]
        worth, drawn = worth[places], drawn[places]
    is_sample = np.ones(len(kept), bool)
    if total > len(kept):
        is_sample[np.argsort(drawn, kind="stable")[most // 2 :]] = False
    return Shortlist(kept, total, is_sample)


def worth_of(p: NDArray[np.float64], codes: NDArray[np.uint64] | None, seen: Seen | None) -> NDArray[np.float64]:
    """The doubt about each candidate, more where it is of a kind that the training text never had."""
    doubt = 4 * p * (1 - p)
    return doubt if seen is None or codes is None else np.where(seen.counts(codes) == 0, NEW, 1.0) * doubt


def best(worth: NDArray[np.float64], codes: Sequence[bytes], n: int) -> NDArray[np.int64]:
    """The ``n`` candidates of most worth with different codes.

    >>> best(np.array([0.9, 0.8, 0.1]), [b"a", b"a", b"b"], 2).tolist()
    [0, 2]
    """
    order = np.argsort(-worth, kind="stable").tolist()
    first = {codes[row]: row for row in reversed(order)}
    return np.array([row for row in order if first[codes[row]] == row][:n], np.int64)
