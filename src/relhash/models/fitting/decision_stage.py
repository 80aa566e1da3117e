"""The decision as a stage of a fit: learned, or recalled as an earlier run has kept it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from relhash.features.part_stage import same_arrays
from relhash.features.stages import Stages
from relhash.learning.decision import Decision

_NAME, _HELD_OUT = "decision", "out_of_fold"


def kept_decision(learn: Callable[[], Decision], stages: Stages | None) -> Decision:
    """What ``learn`` gives, kept; or the decision that was kept before."""
    kept = None if stages is None else stages.recall(_NAME)
    if kept is not None:
        return _restored(*kept)
    decision = learn()
    if stages is not None:
        arrays, notes = _stored(decision)
        again = _stored(_restored(arrays, json.loads(json.dumps(notes))))
        if same_arrays(again[0], arrays) and again[1] == notes:  # a classifier of somebody else's may not come back as it was
            stages.keep(_NAME, arrays, notes)
    return decision


def _stored(decision: Decision) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """All of it, also what a model file does not hold."""
    arrays, notes = decision.to_arrays()
    if decision.out_of_fold is not None:
        arrays[_HELD_OUT] = decision.out_of_fold
    table = {name: dict(reached) for name, reached in decision.table.items()}
    return arrays, {"decision": notes, "table": table, "accepted": decision.accepted}


def _restored(arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any]) -> Decision:
    decision = Decision.from_arrays({name: array for name, array in arrays.items() if name != _HELD_OUT}, notes["decision"])
    return replace(decision, table=notes["table"], out_of_fold=arrays.get(_HELD_OUT), accepted=notes["accepted"])
