"""Who ends a fit gets what it has learned, or an end: Ctrl-C a shorter code, SIGTERM nothing."""

from __future__ import annotations

import pytest

from relhash.cli.process import Terminated
from tests.hashing.short_fits import learn


def ended(plane, trial, by=KeyboardInterrupt, **parameters):
    """The learner, or what ended its fit: pytest itself would end by it."""

    def callback(step):
        if step.trial == trial:
            raise by

    try:
        return learn(*plane, callback=callback, **parameters)
    except KeyboardInterrupt as interrupt:
        return interrupt


def test_interruption_keeps_what_was_learned(plane):
    with pytest.warns(UserWarning, match="interrupted"):
        learner = ended(plane, 9)
    assert learner.interrupted_
    assert 1 <= learner.transform(plane[1]).shape[1] <= 10
    whole = learn(*plane, deletion_share=0.0)
    assert not whole.interrupted_
    with pytest.warns(UserWarning, match="10 of 24"):
        part = ended(plane, 9, deletion_share=0.0)
    assert (part.transform(plane[1]) == whole.transform(plane[1])[:, :10]).all()


def test_before_the_first_function_there_is_nothing_to_keep(plane, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("relhash.hashing.algorithm.GreedyCode._try", interrupted)
    with pytest.raises(KeyboardInterrupt):
        learn(*plane)


def test_sigterm_ends_a_fit_that_has_functions(plane):
    assert type(ended(plane, 9, Terminated)) is Terminated
