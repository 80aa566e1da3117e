"""A function that was accepted, as arrays: which structures are its references, how they are split, what its family fitted.

Structures have the same numbers whether candidates lie in one process or in parts on many machines, so a record that one has
kept serves the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.functions import HashFamily, HashFunction, SplitReferences
from relhash.kernels.bound import Kernel

_OF_FAMILY = "family."

Record = Mapping[str, NDArray[Any]]


def record_of(
    function: HashFunction, family: HashFamily, ids: NDArray[np.int64], views: Sequence[str], number: int
) -> dict[str, NDArray[Any]]:
    """The record of a function whose references have these numbers; ``number`` is that of its kernel."""
    return {
        "place": np.array([list(views).index(function.view), number]),
        "ids": ids,
        "split": function.split,
        **{f"{_OF_FAMILY}{name}": array for name, array in family.to_arrays([function]).items()},
    }


def place_of(record: Record, views: Sequence[str]) -> tuple[str, int]:
    """View and number of the kernel."""
    view, number = record["place"].tolist()
    return list(views)[view], int(number)


def function_of(record: Record, family: HashFamily, references: Any, kernel: Kernel, view: str) -> HashFunction:
    """The function of a record, with the structures that its numbers stand for."""
    own = {name.removeprefix(_OF_FAMILY): array for name, array in record.items() if name.startswith(_OF_FAMILY)}
    (function,) = family.from_arrays(own, [SplitReferences(references, record["split"], kernel, view)])
    return function
