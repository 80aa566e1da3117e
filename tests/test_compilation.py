"""Where compiled code is kept, and threads around it."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numba

from relhash import compilation
from relhash.candidates import PathSet
from relhash.compilation import cache_folder, compiled

X = PathSet.from_sequences([[f"w{i % 7}", f"w{i % 5}", f"w{i % 11}"] for i in range(300)])
PROGRAM = """
from relhash.kernels import VectorKernel
print(VectorKernel("linear").gram([[2.0]], [[3.0]])[0, 0])
"""


def run(**environment: str) -> str:
    return started(**environment).stdout


def started(**environment: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    environment.pop("NUMBA_CACHE_DIR", None)
    return subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)


class TestCache:
    def test_is_filled_once_and_only_in_our_folder(self, tmp_path):
        sources = Path(cache_folder.__wrapped__.__code__.co_filename).parent
        before = set(sources.rglob("*.nb?"))
        assert run(XDG_CACHE_HOME=str(tmp_path)).strip() == "6.0"
        kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")}
        assert kept
        assert run(XDG_CACHE_HOME=str(tmp_path)).strip() == "6.0"
        assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")} == kept
        assert set(sources.rglob("*.nb?")) == before

    def test_a_home_that_cannot_be_written_still_works(self):
        done = started(XDG_CACHE_HOME="/proc/none", HOME="/proc/none")
        assert done.stdout.strip() == "6.0"
        said = "/proc/none/relhash/numba: compiled code cannot be kept here (No such file or directory)"
        assert done.stderr.count(said) == 1, "every command took half a minute, and nobody said why"

    def test_leaves_the_users_own_setting_alone(self):
        before = numba.config.CACHE_DIR
        compiled(lambda x: x)
        assert before == numba.config.CACHE_DIR

    def test_nor_do_two_threads_leave_theirs_behind(self, monkeypatch):
        """Two modules that were imported at once: the folder of one was the user's from then on."""
        before, jit = numba.config.CACHE_DIR, compilation._jit
        inside = {"first": Event(), "second": Event()}
        ended = Event()

        def slow(function, **options):
            inside[function.__name__].set()
            (ended if function.__name__ == "second" else inside["second"]).wait(0.3)  # for ever, if one waits for the other
            return jit(function, **options)

        def first(x):
            return x

        def second(x):
            return -x

        monkeypatch.setattr(compilation, "_jit", slow)
        with ThreadPoolExecutor(2) as pool:
            one = pool.submit(compiled, first)
            inside["first"].wait()
            other = pool.submit(compiled, second)
            one.result()
            ended.set()
            other.result()
        assert before == numba.config.CACHE_DIR

    def test_functions_without_a_file_are_compiled_too(self):
        namespace: dict = {}
        exec("def triple(x):\n    return 3 * x", namespace)
        assert compiled(namespace["triple"])(2) == 6
