"""Several processes: the order, what is said on the way, what goes wrong, and that nobody is left behind."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path

import joblib
import pytest

from relhash.errors import CorpusError, LanguageError, RelHashError, RelHashWarning
from relhash.processes import AHEAD, in_order, n_processes


def late_if_even(number: int) -> int:
    time.sleep(0.02 * (number % 2 == 0))
    return number


def not_alone(folder: Path) -> int:
    """The process that worked on it, once there is a second one that works."""
    (folder / str(os.getpid())).touch()
    give_up = time.monotonic() + 120  # a busy machine takes its time to start one
    while len(list(folder.iterdir())) < 2 and time.monotonic() < give_up:
        time.sleep(0.01)
    return os.getpid()


def complaining(number: int) -> int:
    if number == 2:
        warnings.warn("two is odd", RelHashWarning, stacklevel=2)
    if number == 4:
        raise LanguageError("four is too many")
    return number


def killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_results_come_in_order():
    assert list(in_order(late_if_even, range(12), 2)) == list(range(12))


def test_work_is_done_by_other_processes(tmp_path):
    workers = set(in_order(not_alone, [tmp_path] * 4, 2))
    assert os.getpid() not in workers
    assert len(workers) == 2


def test_no_more_is_taken_than_is_asked_for():
    taken = []

    def pieces():
        for number in range(100):
            taken.append(number)
            yield number

    results = in_order(late_if_even, pieces(), 2)
    for _ in range(3):
        next(results)
    assert len(taken) <= AHEAD * 2 + 3
    results.close()


def test_warnings_and_errors_come_through():
    with pytest.warns(RelHashWarning, match="two is odd"), pytest.raises(LanguageError, match="four is too many"):
        list(in_order(complaining, range(6), 2))


def test_a_killed_worker_is_an_error_with_a_remedy():
    with pytest.raises(RelHashError, match=r"ended before its time.*--n-jobs 1"):
        list(in_order(killed, range(2), 2))


def test_after_a_killed_worker_there_are_others():
    with pytest.raises(RelHashError):
        list(in_order(killed, range(2), 2))
    assert list(in_order(abs, [-1, -2], 2)) == [1, 2]


def test_processes_of_joblib_are_others():
    """joblib took ours, which it had not made: ``'_ReusablePoolExecutor' object has no attribute '_temp_folder_manager'``.

    In a process of its own: joblib only does so when it is used for the first time.
    """
    program = """
        from joblib import Parallel, delayed
        from relhash.processes import in_order
        results = in_order(abs, range(-9, 0), 2)
        print(next(results), *Parallel(n_jobs=2)(delayed(abs)(-number) for number in range(3)), *results)
        print(*Parallel(n_jobs=3)(delayed(abs)(-number) for number in range(3)), *in_order(abs, range(-4, 0), 3))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["9 0 1 2 8 7 6 5 4 3 2 1", "0 1 2 4 3 2 1"], done.stderr
    assert done.stderr == ""


def test_errors_with_a_place_survive_the_way():
    error = CorpusError("bad offset", path="a.xml", where=12, remedy="check it")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(("n_jobs", "expected"), [(None, 1), (1, 1), (2, 2), (-1, joblib.cpu_count())])
def test_jobs_are_processes(n_jobs, expected):
    assert n_processes(n_jobs) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_workers_end_with_a_parent_that_was_killed(tmp_path):
    program = """
        import os, signal, sys
        from itertools import repeat
        from pathlib import Path
        from tests.test_processes import not_alone
        from relhash.processes import in_order
        results = in_order(not_alone, repeat(Path(sys.argv[1])), 2)
        next(results)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    command = [sys.executable, "-c", textwrap.dedent(program), tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    workers = [int(path.name) for path in tmp_path.iterdir()]
    assert len(workers) == 2, done.stderr
    assert all_end(workers)


def all_end(processes: list[int]) -> bool:
    """Whether they end by and by; one that has ended may wait for an init that takes note of it."""
    until = time.monotonic() + 60
    while any(map(_runs, processes)) and time.monotonic() < until:
        time.sleep(0.1)
    return not any(map(_runs, processes))


def _runs(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as handle:
            return handle.read().split(")")[-1].split()[0] != "Z"
    except OSError:
        return False


BUSY = """
import itertools, os, signal, sys, time
from relhash.cli.main import _exit_codes
from relhash.cli.process import end_like_an_interrupt
from relhash.processes import _pools, in_order

end_like_an_interrupt()
with _exit_codes():
    for _ in in_order(time.sleep, itertools.chain([0], itertools.repeat(100_000)), 2):
        print(*next(iter(_pools.values()))._processes, flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_command_that_is_ended_does_not_wait_for_its_workers():
    """It waited for all that they were doing, and then showed a traceback of loky's."""
    process = subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (143, "error: ended by SIGTERM\n")
    workers = list(map(int, out.split()))
    assert len(workers) == 2
    assert all_end(workers)


def test_workers_that_were_ended_are_started_again():
    from relhash.processes import end_workers

    assert list(in_order(late_if_even, range(3), 2)) == [0, 1, 2]
    end_workers()
    assert list(in_order(late_if_even, range(3), 2)) == [0, 1, 2]
