"""The parameters of Algorithm 1, checked once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from relhash.errors import ParameterError
from relhash.hashing.clusters import MAX_CLUSTER_BITS
from relhash.hashing.splits import SEARCHES, TermWeights

SAMPLINGS = ("local", "highest", "global")
MEMBERS_OF_A_CLUSTER = 8
"""So many candidates a cluster must hold on average."""


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
    entropy_weight: float = 1.0
    redundancy_weight: float = 1.0
    supervised_weight: float = 0.0
    bit_entropy_weight: float = 0.0
    n_global: int | None = None
    deletion_share: float = 0.1
    deletion_spread: float = 1.0
    max_trials: int | None = None

    def __post_init__(self) -> None:
        sizes = self.n_references
        require(self.n_bits >= 1, "n_bits", self.n_bits, "at least 1")
        require(bool(sizes) and 1 <= min(sizes) <= max(sizes) <= 254, "n_references", sizes, "from 1 to 254")
        require(
            1 <= self.n_cluster_bits <= MAX_CLUSTER_BITS, "n_cluster_bits", self.n_cluster_bits, f"from 1 to {MAX_CLUSTER_BITS}"
        )
        require(self.split in SEARCHES, "split", self.split, f"one of {', '.join(SEARCHES)}")
        require(self.split != "exhaustive" or max(sizes) <= 16, "n_references", sizes, "at most 16 for split='exhaustive'")
        require(self.sampling in SAMPLINGS, "sampling", self.sampling, f"one of {', '.join(SAMPLINGS)}")
        require(self.redundancy in ("clusters", "correlation"), "redundancy", self.redundancy, "clusters or correlation")
        require((self.n_global or 1) >= 1, "n_global", self.n_global, "at least 1, or None for n_cluster_bits")
        for name in ("entropy_weight", "redundancy_weight", "supervised_weight", "bit_entropy_weight", "deletion_spread"):
            require(getattr(self, name) >= 0, name, getattr(self, name), "0 or positive")
        require(0 <= self.deletion_share < 1, "deletion_share", self.deletion_share, "from 0 to below 1")
        require(self.trials >= self.n_bits, "max_trials", self.max_trials, "at least n_bits")

    def for_candidates(self, n_candidates: int) -> Settings:
        """The same with as many cluster bits as so many candidates can fill.

        A cluster of one or two candidates has nothing to say of the redundancy of a bit, nor enough to draw references from.

        >>> Settings(n_cluster_bits=10).for_candidates(2000).n_cluster_bits
        7
        """
        most = max(1, (n_candidates // MEMBERS_OF_A_CLUSTER).bit_length() - 1)
        return replace(self, n_cluster_bits=min(self.n_cluster_bits, most))

    @property
    def term_weights(self) -> TermWeights:
        return TermWeights(self.entropy_weight, self.redundancy_weight, self.supervised_weight, self.bit_entropy_weight)

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
