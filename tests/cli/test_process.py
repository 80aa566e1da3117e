"""Streams, signals and memory: whatever fails is one line and a documented exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from relhash.cli.process import bytes_of, limit_memory
from relhash.errors import ParameterError

START = [sys.executable, "-c", "from relhash.cli.main import main; main()"]


def relhash(*arguments, shell="", **options):
    """Run the command in a process of its own, through a shell if its streams are to be changed."""
    options = {"capture_output": True, "timeout": 120, **options}
    if shell:
        line = " ".join([f"'{sys.executable}' -c 'from relhash.cli.main import main; main()'", *map(str, arguments), shell])
        return subprocess.run(["bash", "-c", line], **options)
    return subprocess.run([*START, *map(str, arguments)], **options)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.jsonl"
    path.write_text('{"id": "d", "text": "α-Synuclein binds p53."}\n' * 1, encoding="utf-8")
    return path


def test_a_full_device(text):
    done = relhash("convert", text, "-", "--to", "jsonl", shell="> /dev/full")
    assert done.returncode == 3
    assert done.stderr.decode().strip() == "error: standard output: No space left on device"


def test_a_full_device_as_output(text):
    done = relhash("convert", text, "/dev/full", "--to", "jsonl")
    assert done.returncode == 3
    assert b"/dev/full: No space left" in done.stderr
    assert b"Traceback" not in done.stderr


def test_closed_standard_output(text):
    done = relhash("inspect", text, "--quiet", shell=">&-")
    assert done.returncode == 3
    assert done.stderr.decode().strip().startswith("error: standard output: Bad file descriptor")


def test_closed_standard_input():
    done = relhash("inspect", "-", shell="<&-")
    assert done.returncode == 2
    assert b"standard input is closed" in done.stderr


def test_utf8_whatever_the_terminal_speaks(text):
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = relhash("inspect", text.rename(text.with_name("α.jsonl")), env=ascii_only)
    assert "α" in done.stdout.decode("utf-8")
    assert "β.txt: there is no such file" in relhash("inspect", "β.txt", env=ascii_only).stderr.decode("utf-8")


def test_a_file_name_that_is_no_text(tmp_path):
    done = relhash("inspect", tmp_path / os.fsdecode(b"a\xff.txt"))
    assert done.returncode == 2
    assert b"there is no such file" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_pipe_from_the_shell(text):
    done = relhash("inspect", f"<(cat '{text}')", "--json", shell=" ")
    assert done.returncode == 0, done.stderr
    assert b'"documents": 1' in done.stdout


def test_sigterm_ends_like_ctrl_c(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # nobody ever writes
    process = subprocess.Popen([*START, "inspect", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (143, -signal.SIGTERM)
    assert b"Traceback" not in said


def test_memory_has_a_bound():
    program = "from relhash.cli.process import limit_memory; limit_memory(['--max-memory=300M']); bytearray(1 << 30)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert b"MemoryError" in done.stderr


@pytest.mark.parametrize("size", ["", "much", "-1G", "0", "4X"])
def test_sizes_that_are_none(size):
    with pytest.raises(ParameterError, match="write for instance 4G"):
        bytes_of(size)


def test_the_bound_may_stand_anywhere(monkeypatch):
    asked = []
    monkeypatch.setattr("relhash.cli.process._limit", asked.append)
    after = ["--", "--max-memory", "x"]
    assert limit_memory(["predict", "--max-memory", "1G", "m", *after]) == ["predict", "m", *after]
    assert asked == [1 << 30]
