"""What happened while reading and learning: a record per document, per trial, or per reference of the supervised learner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar


@dataclass(frozen=True)
class Step:
    """One trial of Algorithm 1, as given to ``callback`` and kept in ``trace_``.

    Attributes
    ----------
    trial
        Number of the trial, from 0; it also names the function that the trial made.
    n_functions, n_bits
        Functions after this step, and how many are wanted.
    objective
        H(x, c) − I(c : c_prev) + H(x | c_prev).
    joint_entropy, redundancy, membership_entropy
        Its terms.
    accepted
        Whether the function joined the code (a constant bit does not while other trials are left).
    deleted
        Functions that were deleted after this trial, by the trials that made them.
    restored
        The deleted function (its trial) that was put back because only a constant bit was left to take.
    cluster_size, cluster_entropy
        Candidates in the cluster from which the references were drawn, and the entropy of x there; None for a global draw.
    view, kernel
        The view that is compared, and the number of the chosen kernel among those offered for it.
    n_references
        α of this function.
    seconds
        Time of the trial.
    deleted_at
        In ``trace_``: the trial after which the function of this trial was deleted for good; None if it was not.
    """

    trial: int
    n_functions: int
    n_bits: int
    objective: float
    joint_entropy: float
    redundancy: float
    membership_entropy: float
    accepted: bool
    deleted: tuple[int, ...]
    cluster_size: int | None
    cluster_entropy: float | None
    view: str
    kernel: int
    n_references: int
    seconds: float
    deleted_at: int | None = None
    restored: int | None = None

    phase: ClassVar[str] = "learning hash functions"

    @property
    def done(self) -> int:
        """How far it is, out of :attr:`wanted`; a deletion takes some back."""
        return self.n_functions

    @property
    def wanted(self) -> int:
        return self.n_bits

    @property
    def remark(self) -> str:
        return f"objective {self.objective:.3f}"


@dataclass(frozen=True)
class SharedReference:
    """One more reference in the shared set of :class:`~relhash.hashing.SupervisedHashcodeLearner`, as given to ``callback``.

    Attributes
    ----------
    n_references
        Size of the set now.
    view, kernel
        The view for which it is filled, and the number of the kernel, out of those offered, that is being tried.
    objective
        I(C : y) in nats with this reference.
    done, wanted
        References chosen so far, of all views and kernels, and how many there may be.
    seconds
        Time it took.
    """

    n_references: int
    view: str
    kernel: int
    objective: float
    done: int
    wanted: int
    seconds: float

    phase: ClassVar[str] = "choosing references"

    @property
    def remark(self) -> str:
        return f"objective {self.objective:.3f}"


@dataclass(frozen=True)
class DocumentRead:
    """One more document that was read, as given to the ``callback`` of whatever reads text; ``remark`` is its id."""

    done: int
    remark: str

    phase: ClassVar[str] = "reading"
    wanted: ClassVar[None] = None


Progress = DocumentRead | Step | SharedReference
"""What a ``callback`` may get; all say ``phase``, ``done`` out of ``wanted`` (``None``: not known), and a ``remark``."""


def each_document(callback: Callable[[Progress], object]) -> Callable[[Any], None]:
    """What takes one document after the other, and tells the callback."""
    numbers = count(1)

    def read(document: Any) -> None:
        callback(DocumentRead(next(numbers), document.id))

    return read


def with_deletions(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps of a whole fit, each with the trial after which its function was deleted, if it was."""
    restored = {step.restored for step in steps}
    deleted_at = {trial: step.trial for step in steps for trial in step.deleted if trial not in restored}
    return tuple(replace(step, deleted_at=deleted_at.get(step.trial)) for step in steps)
