"""How a pair stands among the other entities of its sentence.

Of six proteins in a sentence hardly all fifteen pairs interact: that another one is nearer, in words or in the parse, or that
the same name stands nearer a second time, speaks against a pair.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from math import log1p

from relhash.candidates.scene import Scene, Stage
from relhash.corpus.document import Mention

COLUMNS = (
    "log_entities", "log_names", "log_same_name_elsewhere", "same_name_closer", "log_distance", "log_closer_to_either",
    "log_closer_to_one", "log_path_distance", "log_path_closer_to_either", "log_path_closer_to_one",
)  # fmt: skip

_UNREACHABLE = 30
"""The distance, in steps of the parse, of entities that no path joins."""


class CompanyFacts:
    """Distances between all entities of a sentence, each searched for once."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._gaps: dict[str, list[int]] = {}
        self._steps: dict[str, list[int]] = {}

    def __call__(self, scene: Scene) -> list[float]:
        first, last = scene.candidate.mentions[0], scene.candidate.mentions[-1]
        left, right = scene.tokens[0], scene.tokens[-1]
        gap = _gap(left, right)
        closer = sorted(bisect_left(self._sorted_gaps(mention), gap) for mention in (first, last))
        elsewhere, nearer = self._same_names(first, last, right, gap)
        others, nearer_others = self._same_names(last, first, left, gap)
        return [
            log1p(len(self.stage.mentions)),
            log1p(len(self._by_name)),
            log1p(elsewhere + others),
            float(nearer or nearer_others),
            log1p(gap),
            log1p(closer[0]),
            log1p(closer[1]),
            *(self._in_parse(first, last, right) if self.stage.is_parsed else (0.0, 0.0, 0.0)),
        ]

    def _in_parse(self, first: Mention, last: Mention, right: Sequence[int]) -> tuple[float, float, float]:
        steps = _nearest(self.stage.graph.distances(self.stage.tokens_of(first)), right)
        closer = sorted(bisect_left(self._sorted_steps(mention), steps) for mention in (first, last))
        return log1p(steps), log1p(closer[0]), log1p(closer[1])

    def _same_names(self, mention: Mention, partner: Mention, tokens: Sequence[int], gap: int) -> tuple[int, bool]:
        """How many other mentions have the name of ``mention``, and whether one is nearer to its partner's ``tokens``."""
        same = [
            other
            for other in self._by_name.get(mention.text.casefold(), ())
            if other.id != mention.id and other.id != partner.id
        ]
        return len(same), any(_gap(self.stage.tokens_of(other), tokens) < gap for other in same)

    @cached_property
    def _by_name(self) -> dict[str, list[Mention]]:
        found: dict[str, list[Mention]] = {}
        for mention in self.stage.mentions:
            found.setdefault(mention.text.casefold(), []).append(mention)
        return found

    def _sorted_gaps(self, mention: Mention) -> list[int]:
        """Words between ``mention`` and every other entity."""
        found = self._gaps.get(mention.id)
        if found is None:
            own = self.stage.tokens_of(mention)
            others = (self.stage.tokens_of(other) for other in self.stage.mentions if other.id != mention.id)
            found = self._gaps[mention.id] = sorted(_gap(tokens, own) for tokens in others)
        return found

    def _sorted_steps(self, mention: Mention) -> list[int]:
        """Steps in the parse from ``mention`` to every other entity."""
        found = self._steps.get(mention.id)
        if found is None:
            distances = self.stage.graph.distances(self.stage.tokens_of(mention))
            others = (self.stage.tokens_of(other) for other in self.stage.mentions if other.id != mention.id)
            found = self._steps[mention.id] = sorted(_nearest(distances, tokens) for tokens in others)
        return found


def _gap(left: Sequence[int], right: Sequence[int]) -> int:
    return max(right[0] - left[-1], left[0] - right[-1], 0)


def _nearest(distances: Sequence[int], tokens: Sequence[int]) -> int:
    return min((distances[token] for token in tokens if distances[token] >= 0), default=_UNREACHABLE)
