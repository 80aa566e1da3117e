"""Entries of the networks in the table of baselines; PyTorch is imported when one is made, not before."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from relhash.baselines.entry import BaselineEntry

if TYPE_CHECKING:
    from relhash.baselines.contract import Baseline

__all__ = ["NEURAL"]


def _make(module: str, name: str, seed: int, n_jobs: int | None) -> Baseline:
    made: Baseline = getattr(import_module(f"relhash.baselines.{module}"), name)(random_state=seed, n_jobs=n_jobs)
    return made


def _entry(name: str, made: str, summary: str, paper_f1: Mapping[str, float], *, transductive: bool = False) -> BaselineEntry:
    module, _, class_name = made.partition(":")
    return BaselineEntry(
        name, summary, partial(_make, module, class_name), needs="neural", paper_f1=paper_f1, transductive=transductive
    )


NEURAL: tuple[BaselineEntry, ...] = (
    _entry(
        "CNN-Nguyen2015", "supervised_networks:NguyenCNN", "CNN over the sentence with positions", {"A→B": 0.37, "B→A": 0.45}
    ),
)
"""In the order of the paper's tables."""
