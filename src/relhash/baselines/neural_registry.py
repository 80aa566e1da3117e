"""Entries of the networks; :mod:`relhash.baselines.registry` adds them to all baselines."""

from __future__ import annotations

from relhash.baselines.entry import BaselineEntry

__all__ = ["NEURAL"]

NEURAL: tuple[BaselineEntry, ...] = ()
