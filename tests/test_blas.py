"""One BLAS thread inside, as many as before outside, whoever else asks for it meanwhile."""

from __future__ import annotations

from threading import Barrier, Thread

import numpy as np  # noqa: F401  (brings a BLAS library into the process)
import pytest
from threadpoolctl import threadpool_info

from relhash.blas import one_blas_thread


def threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture
def before() -> set[int]:
    """As many as now: a library that another test has loaded since this file was read has its own number."""
    found = threads()
    if max(found) == 1:
        pytest.skip("BLAS has one thread on this machine anyway")
    return found


def test_one_inside_and_the_former_number_after(before):
    with one_blas_thread():
        assert threads() == {1}
        with one_blas_thread():
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == before


def test_an_error_inside_lifts_the_limit(before):
    with pytest.raises(RuntimeError), one_blas_thread():
        raise RuntimeError
    assert threads() == before


def test_the_limit_stays_until_the_last_thread_is_done(before):
    """Of threadpoolctl's own contexts, crossing in two threads, the first to end lifts the limit of the other."""
    entered, left = Barrier(2), Barrier(2)
    seen = []

    def first():
        with one_blas_thread():
            entered.wait()
        left.wait()

    def second():
        with one_blas_thread():
            entered.wait()
            left.wait()
            seen.append(threads())

    workers = [Thread(target=first), Thread(target=second)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert seen == [{1}]
    assert threads() == before
