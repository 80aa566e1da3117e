"""Clusters and splits as all parts together count them. Nothing is asked before somebody looks at the counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.clusters import Clusters
from relhash.hashing.population import Evaluation
from relhash.scale.asking import AskedParts, Reply
from relhash.scale.families import Asked, Halves, on_parts
from relhash.scale.medians import Listed

Counted = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


class PartClusters(Clusters):
    """Clusters by some functions.

    Parameters
    ----------
    chosen
        The serial numbers of the functions.
    reply
        What :meth:`relhash.scale.part.Part.clusters` answers.
    """

    def __init__(self, chosen: tuple[int, ...], reply: Reply) -> None:
        self.chosen, self._reply = chosen, reply

    @property
    def codes(self) -> NDArray[np.int64]:
        """Their codes, in the order in which they are numbered: by their first point."""
        return self._counted[0]

    @property
    def totals(self) -> NDArray[np.int64]:  # type: ignore[override]
        return self._counted[1]

    @property
    def n_points(self) -> NDArray[np.int64]:
        return self._counted[2]

    @cached_property
    def _counted(self) -> Counted:
        answers = self._reply.answers
        codes = np.concatenate([answer[0] for answer in answers])
        distinct, cells = np.unique(codes, return_inverse=True)
        totals = np.zeros((distinct.size, answers[0][1].shape[1]), np.int64)
        n_points = np.zeros(distinct.size, np.int64)
        np.add.at(totals, cells, np.concatenate([answer[1] for answer in answers]))
        np.add.at(n_points, cells, np.concatenate([answer[2] for answer in answers]))
        firsts = np.concatenate([answer[3] for answer in answers])
        by_point = np.lexsort((*firsts.T[::-1], cells))  # inside each cluster its first point comes first
        first = by_point[np.unique(cells[by_point], return_index=True)[1]]
        order = np.lexsort(firsts[first].T[::-1])
        return distinct[order], totals[order], n_points[order]


class AllParts:
    """What families ask of all parts together (:class:`relhash.scale.families.Parts`)."""

    def __init__(self, parts: AskedParts, n_candidates: int) -> None:
        self._parts, self.n_candidates = parts, n_candidates

    def power_sums(self, asked: Asked) -> NDArray[np.int64]:
        return added(self._parts.ask("power_sums", asked))

    def digit_counts(self, asked: Asked, directions: Any, prefixes: Any, shift: int, width: int) -> NDArray[np.int64]:
        return added(self._parts.ask("median_counts", asked, directions, prefixes, shift, width))

    def listed(self, asked: Asked, directions: Any, prefixes: Any, shift: int) -> Sequence[Sequence[Listed]]:
        return self._parts.ask("median_values", asked, directions, prefixes, shift)


class PartEvaluation(Evaluation):
    """References that all parts are compared with."""

    def __init__(self, parts: AskedParts, everybody: AllParts, asked: Asked, clusters: PartClusters) -> None:
        self._parts, self._everybody, self.asked, self.clusters = parts, everybody, asked, clusters
        self.view, self.number, self.n_references, self.fits = asked.view, asked.number, int(asked.ids.size), False
        self._known: dict[bytes, NDArray[np.int64]] = {}
        self._halves: dict[bytes, Halves] = {}
        self._way = on_parts(asked.family)
        self._table = parts.post("table", asked, clusters.chosen, clusters.codes) if self._way.has_table else None

    @cached_property
    def table(self) -> NDArray[np.int64] | None:  # type: ignore[override]
        return None if self._table is None else added(self._table.answers)

    def ones(self, splits: NDArray[np.uint8]) -> NDArray[np.int64]:
        """What was counted for a function before is not counted again: the search comes back to the split that it found."""
        solutions = [row.tobytes() for row in self._way.solutions(self.asked, splits)]
        new = [n for n, solution in enumerate(solutions) if solution not in self._known]
        if new:
            halves = self._way.shared(self.asked, splits[new], self._everybody)
            clusters = self.clusters
            assert isinstance(clusters, PartClusters)
            counted = added(self._parts.ask("ones", self.asked, splits[new], halves, clusters.chosen, clusters.codes))
            for place, n in enumerate(new):
                self._known[solutions[n]] = counted[place]
                if halves is not None:
                    self._halves[solutions[n]] = halves[0][place, None], halves[1][place, None]
        return np.stack([self._known[solution] for solution in solutions])

    def halves(self, split: NDArray[np.uint8]) -> Halves | None:
        """What this split needs of all candidates."""
        known = self._halves.get(self._way.solutions(self.asked, split[None])[0].tobytes())
        return self._way.shared(self.asked, split[None], self._everybody) if known is None else known


def added(answers: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return reduce(np.add, answers)
