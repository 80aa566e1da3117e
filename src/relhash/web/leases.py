"""A question is asked one person at a time: leases that end by themselves when nobody answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from relhash.models.answers.questions import Question

SECONDS = 300.0
"""How long a question is kept for a person."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A question, who has it, and until when (seconds since 1970)."""

    question: Question
    curator: str
    until: float


class Leases:
    """Who is asked what at the moment. Not safe between threads: whoever holds it has a lock.

    >>> now = [0.0]
    >>> leases = Leases(60, clock=lambda: now[0])
    >>> _ = leases.take(Question(7, "uncertain"), "ann")
    >>> leases.rows_of_others("bob"), leases.rows_of_others("ann")
    ([7], [])
    >>> now[0] = 61
    >>> leases.rows_of_others("bob")
    []
    """

    def __init__(self, seconds: float = SECONDS, clock: Callable[[], float] = time.time) -> None:
        self.seconds, self._clock = seconds, clock
        self._by_row: dict[int, Lease] = {}

    def take(self, question: Question, curator: str) -> Lease:
        """Lease a question to a person, in the place of whoever had it."""
        lease = Lease(question, curator, self._clock() + self.seconds)
        self._by_row[question.row] = lease
        return lease

    def of(self, row: int, curator: str) -> Lease | None:
        """The lease that this person has on a row."""
        lease = self._by_row.get(row)
        return lease if lease is not None and lease.curator == curator and lease.until > self._clock() else None

    def release(self, row: int) -> None:
        """Nobody is asked this any more."""
        self._by_row.pop(row, None)

    def keep_only(self, curator: str, rows: Collection[int]) -> None:
        """This person is asked nothing any more but these."""
        self._by_row = {row: lease for row, lease in self._by_row.items() if lease.curator != curator or row in rows}

    def rows_of_others(self, curator: str) -> list[int]:
        """Rows that somebody else is asked."""
        return [row for row, lease in self._standing() if lease.curator != curator]

    def _standing(self) -> list[tuple[int, Lease]]:
        now = self._clock()
        self._by_row = {row: lease for row, lease in self._by_row.items() if lease.until > now}
        return list(self._by_row.items())
