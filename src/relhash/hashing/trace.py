"""What happened while learning: one line a trial, or one a shared reference of the supervised learner."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Event", "SharedReference", "Step", "Trace"]


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
        H(x, c) − I(c : c_prev) + H(x | c_prev), less the weighted label entropy.
    joint_entropy, redundancy, membership_entropy, label_entropy
        Its terms: H(x, c), I(c : c_prev), H(x | c_prev), H(y | c_prev, c).
    accepted
        Whether the function joined the code (a constant bit does not while other trials are left).
    deleted
        Functions that were deleted after this trial, by the trials that made them.
    cluster_size, cluster_entropy
        Candidates in the cluster from which the references were drawn, and the entropy of x there; None for a global draw.
    view, kernel
        The view that is compared, and the number of the chosen kernel among those offered for it.
    n_references
        α of this function.
    seconds
        Time of the trial.
    """

    trial: int
    n_functions: int
    n_bits: int
    objective: float
    joint_entropy: float
    redundancy: float
    membership_entropy: float
    label_entropy: float
    accepted: bool
    deleted: tuple[int, ...]
    cluster_size: int | None
    cluster_entropy: float | None
    view: str
    kernel: int
    n_references: int
    seconds: float

    phase: ClassVar[str] = "learning hash functions"

    @property
    def done(self) -> int:
        """How far it is, out of :attr:`wanted`; a deletion takes some back."""
        return self.n_functions

    @property
    def wanted(self) -> int:
        return self.n_bits


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


Event = Step | SharedReference
"""What a ``callback`` may be told; both say ``phase``, ``done`` out of ``wanted``, and ``objective``."""


class Trace:
    """The steps of a fit."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def append(self, step: Step) -> None:
        self.steps.append(step)

    def table(self) -> pd.DataFrame:
        """One row a trial; ``deleted_at`` is the trial after which the function was deleted, if it was."""
        import pandas as pd

        deleted_at = {function: step.trial for step in self.steps for function in step.deleted}
        names = [field.name for field in fields(Step)]
        table = pd.DataFrame([asdict(step) for step in self.steps], columns=names)
        table["deleted_at"] = pd.array([deleted_at.get(step.trial) for step in self.steps], dtype="Int64")
        return table.drop(columns=["deleted", "n_bits"])
