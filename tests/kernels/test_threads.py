"""Threads around compiled code."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import joblib
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from relhash.candidates import PathSet
from relhash.kernels import PathKernel, WordSimilarity
from relhash.kernels.threads import over_ranges

ROOT = Path(__file__).parents[2]
X = PathSet.from_sequences([[f"w{i % 7}", f"w{i % 5}", f"w{i % 11}"] for i in range(300)])


class TestThreads:
    @pytest.mark.parametrize("n_jobs", [None, 1, 2, 5, -1])
    @pytest.mark.parametrize("n", [0, 1, 7, 100])
    def test_every_item_is_done_once(self, n, n_jobs):
        done = np.zeros(n, int)

        def count(start: int, stop: int) -> None:
            done[start:stop] += 1

        over_ranges(count, np.arange(n) ** 2, n_jobs)
        assert_array_equal(done, 1)

    def test_an_error_in_a_thread_reaches_the_caller(self):
        def fail(start: int, stop: int) -> None:
            raise ValueError("inside")

        with pytest.raises(ValueError, match="inside"):
            over_ranges(fail, np.ones(10), 2)

    @pytest.mark.parametrize("backend", ["threading", "loky"])
    def test_kernels_run_side_by_side_under_joblib(self, backend):
        expected = PathKernel(WordSimilarity()).gram(X, X[:4])
        jobs = (joblib.delayed(_gram)(n_jobs) for n_jobs in (None, 2, None, 2))
        for found in joblib.Parallel(2, backend=backend)(jobs):
            assert_array_equal(found, expected)

    def test_a_forked_process_gets_threads_of_its_own(self):
        """Of a process that has no other threads than ours: a fork of this one may inherit what another thread has locked."""
        program = """
            import os
            from tests.kernels.test_threads import _gram
            expected = _gram(2)
            if child := os.fork():
                raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            os._exit(0 if (_gram(2) == expected).all() else 1)
        """
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


def _gram(n_jobs: int | None) -> np.ndarray:
    return PathKernel(WordSimilarity()).gram(X, X[:4], n_jobs=n_jobs)
