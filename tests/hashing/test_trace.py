from __future__ import annotations

import subprocess
import sys

import pytest

from relhash.hashing import Step
from relhash.hashing.trace import with_deletions
from tests.hashing.short_fits import learn


def step(trial: int, deleted: tuple[int, ...] = ()) -> Step:
    return Step(
        trial=trial,
        n_functions=trial + 1,
        n_bits=9,
        objective=1.0,
        joint_entropy=1.0,
        redundancy=0.0,
        membership_entropy=0.0,
        accepted=True,
        deleted=deleted,
        cluster_size=None,
        cluster_entropy=None,
        view="",
        kernel=0,
        n_references=4,
        seconds=0.1,
    )


def test_a_step_learns_when_its_function_was_deleted():
    trace = with_deletions([step(0), step(1), step(2, deleted=(0,)), step(3, deleted=(1, 3))])
    assert [one.deleted_at for one in trace] == [2, 3, None, 3]
    assert [one.deleted for one in trace] == [(), (), (0,), (1, 3)]


def test_learning_needs_no_pandas():
    program = (
        "import sys; sys.modules['pandas'] = None\n"
        "import numpy as np; from relhash.hashing import HashcodeLearner\n"
        "X = np.random.default_rng(0).normal(size=(40, 2))\n"
        "print(len(HashcodeLearner(4, random_state=0).fit(X).trace_) >= 4)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "True\n"


def test_trace_has_a_step_per_trial(plane):
    steps = []
    trace = learn(*plane, callback=steps.append).trace_
    assert len(trace) == len(steps) <= 48
    for step in trace:
        assert step.objective == pytest.approx(step.joint_entropy - step.redundancy + step.membership_entropy)
    assert sum(step.accepted for step in trace) - sum(step.deleted_at is not None for step in trace) == 24
    assert {step.cluster_size is None for step in trace} == {True, False}
    assert steps[-1].n_functions == 24


def test_trace_is_a_table_for_pandas(plane):
    pandas = pytest.importorskip("pandas")
    trace = learn(*plane).trace_
    table = pandas.DataFrame(trace)
    assert table.objective.tolist() == [step.objective for step in trace]
    assert table.accepted.sum() - table.deleted_at.notna().sum() == 24
