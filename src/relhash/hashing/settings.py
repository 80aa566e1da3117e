"""The parameters of Algorithm 1, checked once."""

from __future__ import annotations

from dataclasses import dataclass

from relhash.errors import ParameterError
from relhash.hashing.clusters import MAX_CLUSTER_BITS
from relhash.hashing.splits import SEARCHES

__all__ = ["Settings", "require"]


@dataclass(frozen=True)
class Settings:
    """What :class:`~relhash.hashing.learner.HashcodeLearner` describes under the same names.

    >>> Settings(n_bits=0)
    Traceback (most recent call last):
    relhash.errors.ParameterError: n_bits=0 is not allowed: at least 1
    """

    n_bits: int = 100
    n_references: tuple[int, ...] = (3, 4)
    n_cluster_bits: int = 10
    split: str = "auto"
    sampling: str = "local"
    redundancy: str = "clusters"
    supervised_weight: float = 0.0
    deletion_share: float = 0.1
    max_trials: int | None = None
    view_choice: str = "draw"

    def __post_init__(self) -> None:
        sizes = self.n_references
        require(self.n_bits >= 1, "n_bits", self.n_bits, "at least 1")
        require(bool(sizes) and 1 <= min(sizes) <= max(sizes) <= 254, "n_references", sizes, "from 1 to 254")
        require(
            1 <= self.n_cluster_bits <= MAX_CLUSTER_BITS, "n_cluster_bits", self.n_cluster_bits, f"from 1 to {MAX_CLUSTER_BITS}"
        )
        require(self.split in SEARCHES, "split", self.split, f"one of {', '.join(SEARCHES)}")
        require(self.split != "exhaustive" or max(sizes) <= 16, "n_references", sizes, "at most 16 for split='exhaustive'")
        require(self.sampling in ("local", "global"), "sampling", self.sampling, "local or global")
        require(self.redundancy in ("clusters", "correlation"), "redundancy", self.redundancy, "clusters or correlation")
        require(self.supervised_weight >= 0, "supervised_weight", self.supervised_weight, "0 or positive")
        require(0 <= self.deletion_share < 1, "deletion_share", self.deletion_share, "from 0 to below 1")
        require(self.trials >= self.n_bits, "max_trials", self.max_trials, "at least n_bits")
        require(self.view_choice in ("draw", "best"), "view_choice", self.view_choice, "draw or best")

    @property
    def trials(self) -> int:
        """The budget of trials: twice ``n_bits`` by default, or ``n_bits`` when nothing is deleted."""
        if self.max_trials is not None:
            return self.max_trials
        return 2 * self.n_bits if self.deletion_share else self.n_bits


def require(holds: bool, name: str, value: object, allowed: str) -> None:
    """Refuse a parameter in the words of all our parameter errors."""
    if not holds:
        raise ParameterError(f"{name}={value!r} is not allowed: {allowed}")
