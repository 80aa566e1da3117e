"""What all parts must know before functions are learned: one numbering of their structures, and kernels fitted to all of them.

Structures and points get the numbers that they would have in one process, and kernels the scales. The driver works this out
from the answers of the parts, and tells each part what concerns it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.kernels.bound import Kernel
from relhash.kernels.vector_kernels import SAMPLE, VectorKernel
from relhash.scale.asking import AskedParts
from relhash.scale.numbering import number_by_occurrence, number_by_order
from relhash.scale.part import Preparation


@dataclass(frozen=True)
class Numbering:
    """What the driver keeps of it.

    Attributes
    ----------
    n_structures
        How many distinct structures a view has.
    vocabularies
        The tokens of views of sequences, numbered by their first occurrence.
    new_from
        For these views the number of the first structure that no part before has, part by part.
    """

    n_structures: dict[str, int] = field(default_factory=dict)
    vocabularies: dict[str, dict[str, int]] = field(default_factory=dict)
    new_from: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    def has(self, view: str, ids: NDArray[np.int64], n_parts: int) -> list[NDArray[np.int64] | None]:
        """Which of these structures to ask each part for; None: it need not be asked."""
        if view not in self.new_from:  # rows of a table are numbered by their order: any part may have them
            return [ids] * n_parts
        owners = np.searchsorted(self.new_from[view], ids, side="right") - 1
        return [ids[owners == part] if (owners == part).any() else None for part in range(n_parts)]


def prepare(
    parts: AskedParts, kernels: Mapping[str, Sequence[Kernel]], sizes: Sequence[int], membership: NDArray[np.int64]
) -> Numbering:
    """Number everything, fit the kernels, and keep for each part what it will be told.

    Parameters
    ----------
    sizes
        Candidates of each part.
    membership
        x of all candidates, part after part.
    """
    numbering = Numbering()
    ids: list[dict[str, NDArray[np.int64]]] = [{} for _ in range(len(parts))]
    for view in kernels:
        vocabularies = parts.ask("vocabulary", view)
        if vocabularies[0] is None:
            numbers = number_by_order(
                parts.ask("n_rows", view),
                lambda most, view=view: parts.ask("sampled_rows", view, most),  # type: ignore[misc]
                lambda low, high, view=view: parts.ask("rows_between", view, low, high),  # type: ignore[misc]
            )
            _fit_kernels(parts, view, kernels[view], sizes)
        else:
            order = numbering.vocabularies[view] = {}
            for vocabulary in vocabularies:
                for token in vocabulary:
                    order.setdefault(token, len(order))
            numbers, is_first = number_by_occurrence(parts.ask("keys", view))
            n_new = [int(own.sum()) for own in is_first]
            numbering.new_from[view] = np.cumsum([0, *n_new[:-1]])
        numbering.n_structures[view] = 1 + max(int(own.max(initial=-1)) for own in numbers)
        for part, own in zip(ids, numbers, strict=True):
            part[view] = own
    _, owned = number_by_occurrence(parts.ask_each("point_keys", [(own,) for own in ids]))
    fitted = {
        (view, number): (kernel.gamma_, kernel.scale_)
        for view, offered in kernels.items()
        for number, kernel in enumerate(offered)
        if isinstance(kernel, VectorKernel) and hasattr(kernel, "gamma_")
    }
    memberships = np.split(membership.astype(np.uint8), np.cumsum(sizes)[:-1])
    parts.told = [Preparation(fitted, *each) for each in zip(ids, memberships, owned, strict=True)]
    return numbering


def _fit_kernels(parts: AskedParts, view: str, offered: Sequence[Kernel], sizes: Sequence[int]) -> None:
    """Standard deviations by adding row to row from part to part, and the rows that one process would sample."""
    if not any(kernel.needs_fit for kernel in offered):
        return
    n_candidates = sum(sizes)
    largest = np.max(parts.ask("largest", view), axis=0)
    sums = parts.chain("add_up", view, np.zeros(largest.size), None)
    mean = sums / n_candidates
    spread = np.sqrt(parts.chain("add_up", view, np.zeros(largest.size), mean) / n_candidates)
    every, starts = max(1, -(-n_candidates // SAMPLE)), np.cumsum([0, *sizes])
    places = np.arange(0, n_candidates, every)
    own: list[tuple[Any, ...] | None] = [
        (view, places[(places >= low) & (places < high)] - low) for low, high in pairwise(starts)
    ]
    sample = np.concatenate(parts.ask_each("rows_at", own))
    for kernel in offered:
        if kernel.needs_fit:
            assert isinstance(kernel, VectorKernel)
            kernel.fit_summary(spread, largest, sample)
