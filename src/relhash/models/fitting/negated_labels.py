"""Labels of a corpus that calls a denied relation a relation, made those of one that does not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from relhash.language.assertion import Assertion
from relhash.structures.candidate import Candidate
from relhash.structures.scene import scenes
from relhash.structures.statement import assertion_of_scene


def without_negated(candidates: Sequence[Candidate], y: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``y``, but false wherever the sentence denies the relation.

    BioInfer labels *A does not bind B* like *A binds B*: a model that learns from that finds relations where there are none.
    """
    positive = [int(number) for number in np.flatnonzero(y)]
    denied = [
        number
        for number, scene in zip(positive, scenes([candidates[i] for i in positive]), strict=True)
        if assertion_of_scene(scene) is Assertion.NEGATED
    ]
    changed = y.copy()
    changed[denied] = False
    return changed
