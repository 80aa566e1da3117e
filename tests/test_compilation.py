"""Where compiled code is kept, and threads around it."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numba
import numpy as np

from relhash import compilation
from relhash.candidates import PathSet
from relhash.compilation import after, cache_folder, compiled

X = PathSet.from_sequences([[f"w{i % 7}", f"w{i % 5}", f"w{i % 11}"] for i in range(300)])
PROGRAM = """
from relhash.compilation import after
from relhash.kernels import VectorKernel
with after(0):
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
        assert compiled(lambda x: x)(3) == 3
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
            one = pool.submit(compiled(first), 1)
            inside["first"].wait()
            other = pool.submit(compiled(second), 1)
            one.result()
            ended.set()
            other.result()
        assert before == numba.config.CACHE_DIR

    def test_functions_without_a_file_are_compiled_too(self):
        namespace: dict = {}
        exec("def triple(x):\n    return 3 * x", namespace)
        assert compiled(namespace["triple"])(2) == 6


class TestNothingWaitsForACompiler:
    def test_a_function_is_plain_python_until_compiling_pays(self):
        ran = []
        namespace: dict = {}
        exec("def twice(x):\n    return 2 * x", namespace)  # of no file, so that nothing is kept from an earlier run
        double = compiled(seconds=lambda x: 0.2, plain=lambda x: ran.append(x) or 2 * x)(namespace["twice"])
        with after(0.5):
            assert [double(x) for x in (1, 2, 3, 4)] == [2, 4, 6, 8]
        assert ran == [1, 2], "the third would be more than half a second of plain Python"

    def test_what_it_calls_is_plain_too(self):
        namespace = {"compiled": compiled, "np": np}
        exec(
            "called = compiled(lambda x: x * np.uint64(2 ** 63))\n"
            "outer = compiled(seconds=lambda x: 0.0)(lambda x: called(x) + np.uint64(1))",
            namespace,
        )
        with after(float("inf")), warnings.catch_warnings():
            warnings.simplefilter("error")  # whole numbers wrap around, as they do in compiled code
            assert int(namespace["outer"](np.uint64(2))) == 1
        assert "dispatcher" not in vars(namespace["called"])

    def test_a_sentence_needs_no_numba_and_gives_the_same_row(self, tmp_path):
        program = (
            "import sys, relhash; from relhash.compilation import after\n"
            "text = relhash.Document('d', 'Ras binds to Raf.')\n"
            "with after(float(sys.argv[1])):\n"
            "    [found] = relhash.load('ppi', cache=False).predict([text])\n"
            "print(found.probability.hex(), 'numba' in sys.modules)"
        )
        said = [
            subprocess.run([sys.executable, "-c", program, pays], capture_output=True, text=True, check=True).stdout.split()
            for pays in ("inf", "0")
        ]
        assert said[0][1] == "False", "its import takes a third of a second"
        assert said[1][1] == "True"
        assert said[0][0] == said[1][0]
