"""Candidates with several views, in parts and together: parts repeat what others have, as text does."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from relhash.kernels import PathKernel, VectorKernel, WordSimilarity
from relhash.scale.part import PartSource
from relhash.structures import PathSet, StructureSet

WORDS = ["<P>", "binds", "inhibits", "of", "with", "complex", "not"]
VIEWS = ("path", "between", "descriptors")


def candidates(first: int, stop: int) -> StructureSet:
    """Candidates ``first`` to ``stop`` of a text without end; a third of them is like an earlier one."""
    sequences: dict[str, list[list[str]]] = {"path": [], "between": []}
    rows = []
    for number in range(first, stop):
        rng = np.random.default_rng(number if number % 3 else number // 6)
        for own, longest in (("path", 7), ("between", 5)):
            sequences[own].append([WORDS[i] for i in rng.integers(0, 7, rng.integers(0, longest))])
        rows.append(rng.integers(0, 3, 4))
    views: dict[str, Any] = {name: PathSet.from_sequences(own) for name, own in sequences.items()}
    return StructureSet(views | {"descriptors": np.array(rows, np.float32).reshape(-1, 4)})


def kernels() -> dict[str, list[Any]]:
    words = PathKernel(WordSimilarity(), max_length=3)
    other = PathKernel(WordSimilarity(), gap_decay=0.3)
    return {"path": [words, other], "between": [words], "descriptors": [VectorKernel("laplace", scaling="standard")]}


def _part(first: int, stop: int) -> tuple[StructureSet, dict[str, Any]]:
    return candidates(first, stop), {}


def part_sources(bounds: list[int]) -> list[PartSource]:
    return [PartSource(partial(_part, first, stop), kernels) for first, stop in pairwise(bounds)]
