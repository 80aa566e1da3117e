"""Where the long work of a fit is done, if not in this process: what such a place can do.

Reading, structures and hash functions may be made elsewhere (:mod:`relhash.scale.fitting`); labels, classifier and threshold
are this process's. A model does not depend on the place: it has the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from relhash.features.codes import CodeSettings
from relhash.journal import Journal
from relhash.structures import Candidate, StructureSet

if TYPE_CHECKING:
    from relhash.models.fitting.stages import FitPlan

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Engine(Protocol):
    """A place for the long work of a fit."""

    def check(self, plan: FitPlan) -> None:
        """An error for what cannot be learned there, before any work."""

    def in_order(self, function: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
        """``function`` of each piece, in the order of the pieces."""

    def structures(self, candidates: Sequence[Candidate], views: Sequence[str]) -> StructureSet:
        """:func:`~relhash.structures.build_structures`."""

    def fit_hash(
        self,
        settings: CodeSettings,
        learner: Any,
        X: StructureSet,
        y: Any = None,
        *,
        target: StructureSet | None = None,
        journal: Journal | None = None,
    ) -> tuple[Any, Any]:
        """:meth:`HashcodeLearner.fit_hash <relhash.hashing.HashcodeLearner.fit_hash>` of a learner that ``settings`` made.

        ``X`` and ``target`` are what :meth:`structures` gave.
        """
