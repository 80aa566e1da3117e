"""Threads for compiled loops: the same compiled function on several ranges of its work at a time.

The compiled functions of this room release the GIL and write to disjoint parts of their output, so plain Python threads serve
them. Numba's own ``parallel=True`` is not used: its portable threading layer ends the process when two Python threads enter it
at once, which is what joblib's threading backend and Dask do.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

CHUNKS_A_THREAD = 4  # more chunks than threads, so that a thread that was held up delays only a small one

_pools: dict[int, ThreadPoolExecutor] = {}
# a forked child has the pool object but not its threads
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)


def over_ranges(function: Callable[[int, int], None], costs: NDArray[np.integer], n_jobs: int | None = None) -> None:
    """Call ``function(start, stop)`` so that the ranges cover ``len(costs)`` items, on ``n_jobs`` threads.

    Parameters
    ----------
    function
        Does the work of a range; must not depend on how the whole is divided.
    costs
        Cost of each item in any unit: ranges of about equal cost are made.
    n_jobs
        As in scikit-learn: ``None`` means 1, or what an enclosing ``joblib.parallel_config`` says; -1 all cores. Inside a
        joblib worker ``None`` is 1, so nothing is oversubscribed.

    Examples
    --------
    >>> squares = np.zeros(5)
    >>> def fill(start, stop):
    ...     squares[start:stop] = np.arange(start, stop) ** 2
    >>> over_ranges(fill, np.ones(5, int), n_jobs=2)
    >>> squares
    array([ 0.,  1.,  4.,  9., 16.])
    """
    n_threads = min(_n_threads(n_jobs), len(costs))
    if n_threads <= 1:
        function(0, len(costs))
        return
    cumulated = np.cumsum(costs, dtype=np.float64)
    shares = np.linspace(0, cumulated[-1], n_threads * CHUNKS_A_THREAD + 1)[1:-1]
    bounds = np.unique(np.concatenate([[0], np.searchsorted(cumulated, shares), [len(costs)]])).tolist()
    # dearest first: costs grow with the index, as sequences are sorted by length
    ranges = list(itertools.pairwise(bounds))[::-1]
    if n_threads not in _pools:
        _pools[n_threads] = ThreadPoolExecutor(n_threads, thread_name_prefix="relhash")
    for future in [_pools[n_threads].submit(function, start, stop) for start, stop in ranges]:
        future.result()


def _n_threads(n_jobs: int | None) -> int:
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        return 1  # it cannot have been set otherwise, and joblib takes long to import
    import joblib

    return int(joblib.effective_n_jobs(n_jobs))
