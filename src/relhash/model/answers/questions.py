"""Which questions to ask next, and which candidates of much text are worth a person's time.

Uncertainty alone picks what is ambiguous, and often the same kind of sentence again and again. The hashcodes of the text tell
which sentences are of one kind: a question counts for more where many candidates have codes like its own, and for less where
answers were given nearby. Every fifth question is drawn at random with a known probability, so that figures on how many rows
are right stay honest (:mod:`relhash.model.estimates`).

Of much text half of what is kept are candidates that the model doubts, of kinds that its training text never had before others,
and one of several with the same code. The other half is drawn from everything, so that it still speaks for the whole text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.candidates import Candidate
from relhash.corpus import Document
from relhash.errors import ParameterError
from relhash.hashing.hamming import hamming_distances
from relhash.model.adaptation import Seen

Floats = NDArray[np.float64]

DRAWN = 0.2
"""Share of questions that are drawn at random."""
LOOKED_AT = 1000
"""Candidates by which the density of a place is estimated."""
NEAR = 0.05
"""Share of all pairs of candidates whose distance is called near."""
AS_GOOD_AS_ANSWERED = 4.0
"""How much an answer to the very same code lowers the worth of a question."""
LEAST = 0.1
"""Draws are in proportion to the probability plus this: rows that may be accepted are what people want to know about."""


@dataclass(frozen=True, slots=True)
class Question:
    """A candidate to ask about: its row, why it was chosen, and the probability of the draw if it was drawn."""

    row: int
    why: str
    draw: float | None = None


class Queue:
    """The order of questions on the candidates of one text.

    ``codes`` are their packed hashcodes; without them the worth of a question is its uncertainty alone. ``seen`` is what the
    model learned from: the order ``"new"`` asks first about kinds of sentences that it never had. ``is_sample`` are the
    candidates that may be drawn at random, if not all. With one seed the same answers lead to the same questions.

    Two kinds of sentences, all equally uncertain; most are of the first kind, so it is asked first, then the second:

    >>> codes = np.array([[0]] * 6 + [[2**40 - 1]] * 4, np.uint64)
    >>> queue = Queue([None] * 10, codes)
    >>> [question.row for question in queue.next(np.full(10, 0.5), (), 2, order="useful", drawn=0)]
    [0, 6]
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        codes: NDArray[np.uint64] | None = None,
        *,
        seen: Seen | None = None,
        is_sample: NDArray[np.bool_] | None = None,
        random_state: int = 0,
    ) -> None:
        self.candidates, self.seen, self.random_state = candidates, seen, random_state
        self._is_sample = np.ones(len(candidates), bool) if is_sample is None else is_sample
        self.codes = codes if codes is not None and codes.shape[1] else None
        n = len(candidates)
        self._density = np.ones(n)
        self._width = 1.0
        if self.codes is not None and n > 1:
            sample = np.random.default_rng(random_state).choice(n, min(n, LOOKED_AT), replace=False)
            distances = hamming_distances(self.codes, self.codes[sample])
            self._width = max(float(np.quantile(distances[sample], NEAR)), 1.0)
            self._density = self._nearness(distances).mean(axis=1)

    def next(
        self,
        probabilities: ArrayLike,
        answered: Collection[int],
        n: int = 1,
        *,
        order: str = "useful",
        taken: Collection[int] = (),
        drawn: float = DRAWN,
    ) -> list[Question]:
        """The next ``n`` questions, by the ``probabilities`` of the present model.

        Parameters
        ----------
        answered, taken
            Rows that have an answer, also those that were skipped; rows that other people are asked at the moment.
        order
            ``"useful"`` (what teaches most), ``"uncertain"``, ``"confident"`` (the most probable first), ``"random"``,
            ``"new"`` (what the training text never had first, then what teaches most), ``"entity"`` and ``"pair"`` (all
            sentences about one together, the most probable first).
        drawn
            Share of questions that are drawn at random, in the order ``"useful"``.
        """
        if order not in ORDERS:
            raise ParameterError(f"order: {order!r} is none of {', '.join(ORDERS)}")
        p = np.asarray(probabilities, np.float64)
        if p.shape != (len(self.candidates),):
            raise ParameterError(f"{len(self.candidates)} candidates have {p.size} probabilities")
        open_ = np.ones(p.size, bool)
        open_[[*answered, *taken]] = False
        if order == "useful":
            return self._useful(p, open_, list(answered), n, drawn)
        if order == "new":
            return self._new(p, open_, list(answered), n, drawn)
        share = None
        if order == "random":
            open_ &= self._is_sample
            share = 1.0 / max(int(open_.sum()), 1)
        ranked, why = self._ranked(order, p)
        return [Question(row, why(row), share) for row in ranked[open_[ranked]][:n].tolist()]

    def _ranked(self, order: str, p: Floats) -> tuple[NDArray[np.int64], Callable[[int], str]]:
        """All rows in their order, and why each is asked."""
        if order == "uncertain":
            return np.argsort(-uncertainty(p), kind="stable"), lambda row: f"uncertain ({p[row]:.2f})"
        if order == "confident":
            return np.argsort(-p, kind="stable"), lambda row: "most probable"
        if order == "random":
            return np.random.default_rng(self.random_state).permutation(p.size), lambda row: "drawn at random"
        names = [names_of(candidate) for candidate in self.candidates]
        groups = [[tuple(sorted(own))] if order == "pair" else [(name,) for name in own] for own in names]
        expected: dict[tuple[str, ...], float] = {}  # groups with most expected relations first
        for row, own in enumerate(groups):
            for group in own:
                expected[group] = expected.get(group, 0.0) + float(p[row])
        best = [max(own, key=lambda group: (expected[group], repr(group))) for own in groups]
        ranked = sorted(range(p.size), key=lambda row: (-expected[best[row]], repr(best[row]), -p[row], row))
        return np.array(ranked, np.int64), lambda row: f"all about {' – '.join(best[row])}"

    def _useful(self, p: Floats, open_: Any, answered: list[int], n: int, drawn: float) -> list[Question]:
        worth = uncertainty(p) * np.sqrt(self._density)
        covered = self._covered(answered)
        chosen: list[Question] = []
        for number in range(len(answered), len(answered) + n):
            if not open_.any():
                break
            # drawn questions are evenly spread, the first ones are chosen
            is_drawn = np.floor((number + 1) * drawn) > np.floor(number * drawn)
            if is_drawn and (open_ & self._is_sample).any():
                question = self._draw(p, open_, number)
            else:
                value = np.where(open_, worth / (1 + AS_GOOD_AS_ANSWERED * covered), -1.0)
                row = int(np.argmax(value))
                is_new = self.codes is not None and covered[row] < 0.5
                kind = ", of a kind with few answers yet" if is_new else ""
                question = Question(row, f"uncertain ({p[row]:.2f}){kind}")
            open_[question.row] = False
            covered = covered + self._near(question.row)
            chosen.append(question)
        return chosen

    def _new(self, p: Floats, open_: Any, answered: list[int], n: int, drawn: float) -> list[Question]:
        if self.seen is None or self.codes is None:
            return self._useful(p, open_, answered, n, drawn)
        never = self.seen.counts(self.codes) == 0
        asked = self._useful(p, open_ & never, answered, n, 0.0) if (open_ & never).any() else []
        first = [Question(one.row, f"{one.why}; the training text has nothing like it") for one in asked]
        open_[[one.row for one in first]] = False
        return [*first, *self._useful(p, open_, [*answered, *(one.row for one in first)], n - len(first), drawn)]

    def _draw(self, p: Floats, open_: Any, number: int) -> Question:
        open_ = open_ & self._is_sample
        weights = np.where(open_, p + LEAST, 0.0)
        weights /= weights.sum()
        rng = np.random.default_rng([self.random_state, number])
        row = int(np.searchsorted(np.cumsum(weights), rng.uniform() * (1 - 1e-12), side="right"))
        row = min(row, int(np.flatnonzero(open_)[-1]))
        return Question(row, "drawn at random, to estimate how many rows are right", float(weights[row]))

    def _near(self, row: int) -> Floats:
        """How near each candidate is to a row, between 0 and 1."""
        if self.codes is None:
            near = np.zeros(len(self.candidates))
            near[row] = 1.0
            return near
        return self._nearness(hamming_distances(self.codes[[row]], self.codes)[0])

    def _covered(self, answered: Sequence[int]) -> Floats:
        if not answered or self.codes is None:
            return np.zeros(len(self.candidates))
        return np.asarray(self._nearness(hamming_distances(self.codes, self.codes[list(answered)])).sum(axis=1))

    def _nearness(self, distances: NDArray[np.uint16]) -> Floats:
        return np.asarray(np.exp(distances.astype(np.float64) / -self._width))


def uncertainty(p: Floats) -> Floats:
    """Between 0, for a certain answer, and 1, for a probability of one half."""
    return np.asarray(4 * p * (1 - p))


def names_of(candidate: Candidate) -> list[str]:
    """The participants by id, or by name where they have none."""
    return [mention.ids[0] if mention.ids else mention.text for mention in candidate.mentions if not mention.is_trigger]


ORDERS = ("useful", "new", "uncertain", "confident", "random", "entity", "pair")
"""Orders of questions by name."""
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
