"""Compiled code on disk: damage, another version or a full disk mean compiling again, with one warning."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import warnings

import numba
import pytest

from relhash import compiled_files as compiled_cache
from relhash.compiled_files import CheckedFiles, damaged_files, with_checked_files
from relhash.errors import RelHashWarning


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A compiled function, made anew as a new process would; and the folder of its files."""
    source = tmp_path / "squares.py"
    source.write_text("def square(x):\n    return x * x\n")
    spec = importlib.util.spec_from_file_location("squares", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kept = tmp_path / "kept"
    # in the environment too: Numba reads its settings anew while it compiles if a test before has changed one there
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kept))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(kept))

    def make():
        monkeypatch.setattr(compiled_cache, "_warned", set())
        return with_checked_files(numba.njit(cache=True)(module.square))

    return make, kept


def hits(function):
    return sum(function.stats.cache_hits.values())


def test_what_was_compiled_is_found_again(tmp_path):
    """By another process, so that settings of Numba which tests before have changed play no part."""
    (tmp_path / "squares.py").write_text(
        "import numba\nfrom relhash.compiled_files import with_checked_files\n\n\n"
        "@with_checked_files\n@numba.njit(cache=True)\ndef square(x):\n    return x * x\n"
    )
    program = "from squares import square; print(square(3), sum(square.stats.cache_hits.values()))"
    kept = tmp_path / "kept"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kept)}

    def said():
        command = [sys.executable, "-c", program]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout.split()

    assert said() == ["9", "0"]
    assert said() == ["9", "1"]
    assert list(damaged_files(kept)) == []


@pytest.mark.parametrize("how", ["empty", "truncated", "flipped", "foreign"])
def test_damage_heals_with_one_warning(made, how):
    make, kept = made
    make()(3)
    (path,) = kept.rglob("*.nb*")
    content = path.read_bytes()
    middle = len(content) // 2
    path.write_bytes(
        {
            "empty": b"",
            "truncated": content[:middle],
            "flipped": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
            "foreign": b"\x80\x04N.",
        }[how]
    )
    assert list(damaged_files(kept)) == [path]
    with pytest.warns(RelHashWarning, match="damaged; it is compiled again") as said:
        assert make()(3) == 9
    assert len(said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = make()
        assert (again(3), hits(again)) == (9, 1)


def test_two_that_compile_at_once_keep_both_and_never_each_others(made):
    """Both began with an empty index, and called their file number 1: one signature was given the code of the other."""
    make, kept = made
    one, other = make(), make()
    write, written = CheckedFiles._keep, []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(CheckedFiles, "_keep", lambda self, path, value: written.append((self, path, value)))
        assert (one(3), other(3.5)) == (9, 12.25)
    assert not list(kept.rglob("*.nb*"))
    for self, path, value in written[::-1]:  # in whatever order they are ready
        write(self, path, value)
    again = make()
    assert (again(3), again(3.5), hits(again)) == (9, 12.25, 2)


def test_code_of_an_older_source_or_signature_is_not_taken(made):
    make, kept = made
    first = make()
    first(3)
    (path,) = kept.rglob("*.nb*")
    files = first._cache._cache_file
    version, stamp, key, data = files._checked(path)
    assert files.load(key) is not None
    for other in ((version, "of before", key, data), (version, stamp, ("another",), data), data):
        files._keep(path, other)
        assert files.load(key) is None


def test_a_folder_that_cannot_be_written_only_warns(made, monkeypatch):
    make, _ = made

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(RelHashWarning, match="No space left") as said:
        assert make()(3) == 9
    assert len(said) == 1
