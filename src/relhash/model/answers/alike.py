"""Which candidates of a text, and which labelled sentences that ship, say nearly the same as another one.

Near codes are ordered by the exact kernels (:mod:`relhash.hashing.hamming`), so one answer can be accepted for a whole group. A
model file holds no sentences; a few thousand labelled pairs of BioInfer, BioNLP and ExTRI ship beside the models, and a model
is shown only those whose sentence it has learned.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate, PathSet, StructureSet, build_structures
from relhash.candidates.scene import Scene
from relhash.hashing.hamming import as_columns, search, similarities
from relhash.kernels.bound import Kernel
from relhash.model.fitted import FittedModel
from relhash.model.index import VIEWS
from relhash.resources import resource_path

if TYPE_CHECKING:
    from relhash.model.fitted import FittedModel

SAME = 0.9
"""Similarity from which sentences are put into one group, to be judged together. Of the pairs that are as similar to a related
one, 45 of 55 are related in AIMed, 81 of 94 in BioInfer, 48 of 48 in HPRD50; between .8 and .9 it is 202 of 337. Of those like
an unrelated pair 678 of 689 are unrelated."""


class Alike:
    """The candidates of one text, to be compared with each other and with others by the kernels of some views."""

    def __init__(self, kernels: Mapping[str, Sequence[Kernel]], structures: StructureSet, codes: NDArray[np.uint64]) -> None:
        self.kernels, self.structures, self.codes = kernels, structures, codes
        self._columns = as_columns(codes)

    @classmethod
    def of(cls, model: FittedModel, scenes: Sequence[Scene], codes: NDArray[np.uint64]) -> Alike:
        """Compared as an index would, by the model's kernels for these views; by all of them if it has none of these."""
        kernels = views_to_compare(model)
        return cls(kernels, build_structures(scenes, list(kernels)), codes)

    def near(self, row: int, n: int = 20) -> list[tuple[int, float]]:
        """The candidates most like a row, without itself, and how similar they are."""
        found = self.nearest(self.codes[[row]], self.structures[[row]], n + 1)[0]
        return [(other, value) for other, value in found if other != row][:n]

    def nearest(self, codes: NDArray[np.uint64], queries: StructureSet, n: int) -> list[list[tuple[int, float]]]:
        """The same for candidates of any text."""
        found = search(self.kernels, [self._columns], self.structures.__getitem__, codes, queries, n=n)
        return [list(zip(rows.tolist(), values.tolist(), strict=True)) for values, rows in found]

    def among(self, row: int, rows: Sequence[int]) -> NDArray[np.float32]:
        """How similar a row is to each of some others."""
        return similarities(self.kernels, self.structures[list(rows)], self.structures[[row]])[:, 0]

    def group(self, row: int, n: int = 20) -> list[tuple[int, float]]:
        """Those that are so similar that one look may judge them together."""
        return [(other, value) for other, value in self.near(row, n) if value >= SAME]


def views_to_compare(model: FittedModel) -> dict[str, Any]:
    """The kernels of a model by the views that an index compares, as far as it has them; else all that it has."""
    code = model.features.code
    kernels = {} if code is None else dict(code.learner.kernels_)
    return {view: kernels[view] for view in VIEWS if view in kernels} or kernels


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled pair: its marked sentence, whether it is related, and the corpus that says so."""

    marked: str
    is_related: bool
    source: str


@cache
def shipped_examples() -> tuple[tuple[Example, ...], NDArray[np.uint64], StructureSet]:
    """All of them, the hash of each sentence, and what the kernels compare."""
    with lzma.open(resource_path("examples", "labelled.jsonl.xz"), "rt", encoding="utf-8") as handle:
        rows = [json.loads(line) for line in handle]
    views = {view: PathSet.from_sequences([row["views"][place] for row in rows]) for place, view in enumerate(VIEWS)}
    examples = tuple(Example(row["marked"], row["related"], row["source"]) for row in rows)
    return examples, np.array([int(row["sentence"], 16) for row in rows], np.uint64), StructureSet(views)


def learned_examples(model: FittedModel, queries: Sequence[Candidate | Scene], n: int) -> list[list[tuple[Example, float]]]:
    """For each query the ``n`` examples that the model has learned from and are most like it, with their similarity."""
    kernels = {view: kernel for view, kernel in views_to_compare(model).items() if view in VIEWS}
    examples, hashes, structures = shipped_examples()
    known = np.flatnonzero(np.isin(hashes, model.training_sentences))
    if not known.size or not kernels:
        return []
    values = similarities(kernels, structures[known], build_structures(queries, list(kernels))).T
    best = np.argsort(-values, axis=1, kind="stable")[:, :n]
    return [[(examples[known[row]], float(own[row])) for row in rows.tolist()] for own, rows in zip(values, best, strict=True)]
