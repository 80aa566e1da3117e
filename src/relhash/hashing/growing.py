"""Algorithm 1 from its first trial to its last: kept in a journal on the way, and ended early by Ctrl-C without loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from relhash.hashing.algorithm import GreedyCode
from relhash.hashing.functions import HashFunction
from relhash.hashing.population import Population
from relhash.hashing.settings import Settings
from relhash.hashing.storage import gather_references
from relhash.hashing.trace import Step, with_deletions
from relhash.hashing.trial_journal import TrialJournal
from relhash.journal import Journal


@dataclass(frozen=True)
class Grown:
    """The functions of a code, the trials that led to them, and whether Ctrl-C ended them early."""

    functions: list[HashFunction]
    trace: Sequence[Step]
    interrupted: bool


def grow(
    population: Population,
    settings: Settings,
    seed: np.random.SeedSequence,
    *,
    journal: Journal | None = None,
    callback: Callable[[Step], object] | None = None,
) -> Grown:
    """Grow a code, from where the ``journal`` says that an earlier run has come."""
    trials = None if journal is None else TrialJournal(journal)
    progressed = None if trials is None else trials.recalled(population, settings)
    code = GreedyCode(population, settings, seed, progressed=progressed)

    def after(step: Step) -> None:
        if trials is not None:
            trials.append(code.progressed, population.recorded() if step.accepted else None)
        if callback is not None:
            callback(step)

    interrupted = False
    try:
        code.grow(after)
    except KeyboardInterrupt as interrupt:
        if not code.functions or type(interrupt) is not KeyboardInterrupt:  # SIGTERM wants an end, not a shorter code
            raise
        interrupted = True
    gather_references(code.functions)
    return Grown(code.functions, with_deletions(code.steps), interrupted)
