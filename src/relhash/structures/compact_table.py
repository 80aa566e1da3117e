"""A table of descriptors in little memory: most columns are facts, 0 or 1, and take a byte instead of four."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class CompactTable:
    """The same numbers as a ``float32`` table, kept apart by kind of column.

    Parameters
    ----------
    is_fact
        For each column whether it holds only 0 and 1.
    facts, numbers
        The columns of either kind, in their order.

    Examples
    --------
    >>> table = CompactTable(np.array([True, False]), np.array([[1], [0]], np.uint8), np.array([[0.5], [2]], np.float32))
    >>> table.dense().tolist(), table[[1]].dense().tolist()
    ([[1.0, 0.5], [0.0, 2.0]], [[0.0, 2.0]])
    """

    __slots__ = ("facts", "is_fact", "numbers")

    def __init__(self, is_fact: NDArray[np.bool_], facts: NDArray[np.uint8], numbers: NDArray[np.float32]) -> None:
        self.is_fact, self.facts, self.numbers = is_fact, facts, numbers

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.facts), self.is_fact.size

    def __getitem__(self, index: Any) -> CompactTable:
        return CompactTable(self.is_fact, self.facts[index], self.numbers[index])

    def dense(self) -> NDArray[np.float32]:
        """The table itself, newly made."""
        table = np.empty(self.shape, np.float32)
        table[:, self.is_fact] = self.facts
        table[:, ~self.is_fact] = self.numbers
        return table

    @classmethod
    def concatenate(cls, tables: Sequence[Self]) -> Self:
        """The rows of tables with the same columns, one after the other."""
        return cls(
            tables[0].is_fact,
            np.concatenate([table.facts for table in tables]),
            np.concatenate([table.numbers for table in tables]),
        )
