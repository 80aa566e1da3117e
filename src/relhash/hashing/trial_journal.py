"""Trials of the hashcode learner on disk: a fit that was killed goes on with the next trial, and ends with the same bits.

A record holds what happened in a trial and, if a function was accepted, which structures are its references, what its family
has fitted, and its bits. So nothing is compared again. Random numbers need no record: those of a trial come from its number.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import RelHashError
from relhash.hashing.algorithm import Progressed
from relhash.hashing.functions import HashFunction
from relhash.hashing.population import Population
from relhash.hashing.settings import Settings
from relhash.hashing.trace import Step
from relhash.journal import Journal

_NOTES = "notes"
_BROKEN = (RelHashError, OSError, ValueError, TypeError, KeyError, IndexError, EOFError)


class TrialJournal:
    """The trials of one fit.

    Parameters
    ----------
    journal
        Where they are kept; its key must tell the candidates, the settings and the seed.
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def recalled(self, population: Population, settings: Settings) -> Progressed:
        """How far an earlier fit came; its functions are in the population then.

        Latent factors of all bits (``redundancy="correlation"``) are not kept: such a fit begins anew.
        """
        progressed = Progressed()
        if settings.redundancy != "clusters":
            self.journal.cut(0)
            return progressed
        made: dict[int, HashFunction] = {}
        for number in range(self.journal.n_found):
            try:
                arrays = _unpacked(self.journal[number])
                notes = json.loads(str(arrays.pop(_NOTES)))
                step = Step(**{**notes["step"], "deleted": tuple(notes["step"]["deleted"])})
                _replay(step, arrays, population, progressed, made)
                progressed.since_deletion, progressed.given_up = (
                    int(notes["since_deletion"]),
                    [(made[trial], trial) for trial in notes["given_up"]],
                )
            except _BROKEN:  # from here on as if it were not there
                self.journal.cut(number)
                population.keep(range(len(progressed.functions)))
                break
        return progressed

    def append(self, progressed: Progressed, accepted: Mapping[str, NDArray[Any]] | None) -> None:
        """Keep the last trial; ``accepted`` is what :meth:`Population.recorded` says of its function."""
        step = progressed.steps[-1]
        notes = {
            "step": asdict(step),
            "since_deletion": progressed.since_deletion,
            "given_up": [trial for _, trial in progressed.given_up],
        }
        arrays = {**(accepted or {}), _NOTES: np.array(json.dumps(notes, default=_plain))}
        self.journal.append(_packed(arrays))


def _replay(
    step: Step,
    arrays: Mapping[str, NDArray[Any]],
    population: Population,
    progressed: Progressed,
    made: dict[int, HashFunction],
) -> None:
    """Do again what the trial did to the code."""
    if step.accepted:
        made[step.trial] = population.recall(arrays)
        _join(progressed, made, step.trial)
    if step.deleted:
        kept = [number for number, trial in enumerate(progressed.made_by) if trial not in step.deleted]
        population.keep(kept)
        progressed.functions = [progressed.functions[number] for number in kept]
        progressed.made_by = [progressed.made_by[number] for number in kept]
    if step.restored is not None:
        population.add(made[step.restored])
        _join(progressed, made, step.restored)
    progressed.trial = step.trial + 1
    progressed.steps.append(step)


def _join(progressed: Progressed, made: Mapping[int, HashFunction], trial: int) -> None:
    progressed.functions.append(made[trial])
    progressed.made_by.append(trial)


def _packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _unpacked(record: bytes) -> dict[str, NDArray[Any]]:
    with np.load(io.BytesIO(record), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _plain(value: Any) -> Any:
    """Numbers of numpy as JSON takes them."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} in a trial")
