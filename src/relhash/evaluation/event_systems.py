"""The systems of the paper's second table: interactions with types and roles (BioNLP, PubMed45)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from relhash.models.interaction_presets import for_interactions

if TYPE_CHECKING:
    from relhash.evaluation.systems import System

__all__ = ["event_systems"]

_NAMES = ("best", "KLSH-NU-RF", "NLSH-NU-RF", "KLSH-RF", "KLSH-RF-100", "KLSH-kNN", "random", "ngram-lr")
_PAPER = {  # BioNLP, and the mean over PubMed45's subsets
    "KLSH-NU-RF": {"train→devel13": 0.67, "subsets": 0.61},
    "NLSH-NU-RF": {"train→devel13": 0.63, "subsets": 0.59},
    "KLSH-RF": {"train→devel13": 0.63, "subsets": 0.57},
    "KLSH-kNN": {"train→devel13": 0.60, "subsets": 0.46},
}


def event_systems(systems: Mapping[str, System]) -> tuple[System, ...]:
    """Systems of :data:`~relhash.evaluation.systems.SYSTEMS` on interactions, as ``events/<name>``."""
    return tuple(_on_events(systems[name]) for name in _NAMES)


def _on_events(system: System) -> System:
    preset = replace(for_interactions(system.preset), paper_f1=_PAPER.get(system.name, {}))
    return replace(system, name=f"events/{system.name}", preset=preset)
