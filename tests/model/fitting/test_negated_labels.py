"""Labels of corpora that call a denied relation a relation."""

from __future__ import annotations

import numpy as np

from relhash.candidates import candidates
from relhash.model.fitting import without_negated
from tests.candidates.drawn_sentences import draw


def test_denied_pairs_become_negative_and_nothing_else_changes():
    denied = draw("Ras not binds Raf", "binds nsubj Ras, binds neg not, binds dobj Raf", ["Ras", "Raf"], related=[(1, 2)])
    stated = draw("Ras binds Raf", "binds nsubj Ras, binds dobj Raf", ["Ras", "Raf"], related=[(1, 2)])
    unrelated = draw("Ras not binds Raf", "binds nsubj Ras, binds neg not, binds dobj Raf", ["Ras", "Raf"])
    found = list(candidates([denied, stated, unrelated]))
    y = np.array([True, True, False])
    assert without_negated(found, y).tolist() == [False, True, False]
    assert y.tolist() == [True, True, False]
