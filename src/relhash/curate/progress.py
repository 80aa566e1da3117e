"""How far people are, and what the answers say of the table so far."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from relhash.curate.curation import Curation

WINDOW = 300.0
"""Seconds over which answers per minute are counted."""


def progress_of(curation: Curation, curator: str | None = None) -> dict[str, Any]:
    """The figures that the page shows beside each question; ``per_minute`` is that of one person, or of all."""
    with curation.lock:
        moment = curation.moment
        answers = curation.answers
        times = [at for at, name in answers.times if curator in (None, name)]
        n, skipped, told, agreed = len(answers), answers.skipped, answers.told(), answers.agreement()
        is_learning = curation.is_learning
    taught = moment.taught
    estimate = curation.teaching.warranty(taught, told)
    before = curation.teaching.untaught.accepted
    rows = taught.rows
    return {
        "answered": n - skipped,
        "skipped": skipped,
        "open": len(curation.teaching.candidates) - n,
        "total": len(curation.teaching.candidates),
        "per_minute": per_minute(times, time.time()),
        "precision": None if estimate is None else {**asdict(estimate.precision), "n": estimate.drawn},
        "recall": None if estimate is None else {**asdict(estimate.recall), "n": estimate.drawn},
        "gained": int((taught.accepted & ~before).sum()),
        "lost": int((before & ~taught.accepted).sum()),
        "threshold": rows["lowest"],
        "accepted": rows["accepted"],
        "f1": None if moment.held_out is None else asdict(moment.held_out),
        "agreement": None if agreed is None else asdict(agreed),
        "has_learned": taught.model is not curation.teaching.model,
        "is_learning": is_learning,
        "problem": curation.problem,
    }


def per_minute(times: list[float], now: float) -> float:
    """Answers per minute over the last minutes, since the first of them.

    >>> per_minute([0, 30, 60, 90], now=120)
    2.0
    """
    recent = [at for at in times if now - at <= WINDOW]
    return 0.0 if not recent else round(len(recent) / max((now - min(recent)) / 60, 0.25), 2)
