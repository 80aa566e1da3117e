"""Streams, signals and disks: whatever fails is one line and a documented exit code."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from relhash.resources import resource_path

pytestmark = pytest.mark.usefixtures("compiled_code")
START = [sys.executable, "-m", "relhash"]


def relhash(*arguments, shell="", **options):
    """Run the command in a process of its own, through a shell if its streams are to be changed."""
    options = {"capture_output": True, "timeout": 600, **options}
    if shell:
        line = " ".join([f"'{sys.executable}' -m relhash", *map(str, arguments), shell])
        return subprocess.run(["bash", "-c", line], **options)
    return subprocess.run([*START, *map(str, arguments)], **options)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.jsonl"
    path.write_text('{"id": "d", "text": "α-Synuclein binds p53."}\n' * 1, encoding="utf-8")
    return path


def test_a_full_device(text):
    done = relhash("convert", text, "-", "--to", "jsonl", "--quiet", shell="> /dev/full")
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


@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full", "2> >(true)", ">&- 2>&-"])
def test_nobody_hears_the_error(tmp_path, shell):
    """The exit code is what it would be; it was 1 or 120 where standard error could not be written."""
    assert relhash("inspect", tmp_path / "nothing.txt", shell=shell).returncode == 2


def test_work_goes_on_where_notes_cannot_be_written(text, tmp_path):
    assert relhash("convert", text, tmp_path / "o.jsonl", shell="2>/dev/full").returncode == 0
    assert (tmp_path / "o.jsonl").stat().st_size


def test_closed_standard_input():
    done = relhash("inspect", "-", shell="<&-")
    assert done.returncode == 2
    assert b"standard input is closed" in done.stderr


def test_utf8_whatever_the_terminal_speaks(text):
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = relhash("inspect", text.rename(text.with_name("α.jsonl")), env=ascii_only)
    assert "α" in done.stdout.decode("utf-8")
    assert "β.txt: there is no such file" in relhash("inspect", "β.txt", env=ascii_only).stderr.decode("utf-8")


def on_terminal(*arguments):
    """What a terminal gets to show."""
    terminal, side = os.openpty()
    process = subprocess.Popen([*START, *map(str, arguments)], stdout=side, stderr=subprocess.DEVNULL)
    os.close(side)
    shown = b""
    with suppress(OSError):  # so it ends
        while piece := os.read(terminal, 65536):
            shown += piece
    os.close(terminal)
    assert process.wait() == 0
    return shown.decode("utf-8").replace("\r\n", "\n")


def test_data_do_not_command_the_terminal(tmp_path):
    """A table on a terminal could set its title or clear it."""
    text = "RAF1 \x1b]0;owned\x07 binds \x9b2J MEK1\u202e."
    row = {"document": "d", "relation": "interaction", "probability": "0.9", "marked": text}
    row |= {f"{name}{number}": f"X{number}" for number in (1, 2) for name in ("entity", "type", "ids")}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    table = on_terminal("pairs", tmp_path / "rows.jsonl")
    assert "RAF1 ␛]0;owned␇ binds ⟨U+009B⟩2J MEK1⟨U+202E⟩.\t" in table
    assert not {"\x1b", "\x07", "\x9b", "\u202e"}.intersection(table)
    (tmp_path / "text.jsonl").write_text(json.dumps({"id": "d", "text": text}))
    (document,) = on_terminal("convert", tmp_path / "text.jsonl", "-", "--to", "jsonl", "-q").splitlines()
    assert json.loads(document)["text"] == "RAF1 \x1b]0;owned\x07 binds ⟨U+009B⟩2J MEK1⟨U+202E⟩."
    printed = relhash("pairs", tmp_path / "rows.jsonl").stdout.decode("utf-8")
    assert text in printed  # a pipe is for programs


def test_a_file_name_that_is_no_text(tmp_path):
    done = relhash("inspect", tmp_path / os.fsdecode(b"a\xff.txt"))
    assert done.returncode == 2
    assert b"there is no such file" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_pipe_from_the_shell(text):
    done = relhash("inspect", f"<(cat '{text}')", "--json", shell=" ")
    assert done.returncode == 0, done.stderr
    assert b'"documents": 1' in done.stdout


def ended_by(process, number, ready, seconds=300.0):
    """Send a signal when ``ready`` says so; the exit code and what was said."""
    until = time.monotonic() + seconds
    while not ready():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until, "it never came so far"
        time.sleep(0.02)
    process.send_signal(number)
    _, said = process.communicate(timeout=300)
    return process.returncode, said.decode()


def test_sigterm_while_input_is_awaited(tmp_path):
    pipe, writing = tmp_path / "pipe", []
    os.mkfifo(pipe)
    process = subprocess.Popen([*START, "inspect", pipe], stderr=subprocess.PIPE)

    def is_read():
        with suppress(OSError):  # until somebody reads it
            writing.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        return bool(writing)

    code, said = ended_by(process, signal.SIGTERM, is_read)
    os.close(writing[0])
    assert (code, said.strip()) == (143, "error: ended by SIGTERM")


LOST = """
import ctypes, os, signal, time
from relhash.cli.main import _exit_codes
from relhash.cli.process import end_like_an_interrupt

def compile():
    os.kill(os.getpid(), signal.{signal})
    for _ in range(1000):
        pass

callback = ctypes.CFUNCTYPE(None)(compile)
end_like_an_interrupt()
with _exit_codes():
    callback()  # what is raised in it goes nowhere
    {then}
"""


@pytest.mark.parametrize("then", ["time.sleep(60)", "raise RuntimeError('no compiled object yet')"])
@pytest.mark.parametrize(("name", "code", "said"), [("SIGTERM", 143, "ended by SIGTERM"), ("SIGINT", 130, "interrupted")])
def test_a_signal_that_c_code_swallows(name, code, said, then):
    """A SIGTERM while Numba compiled was lost, and then a traceback of Numba's."""
    program = LOST.format(signal=name, then=then)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr.strip()) == (code, f"error: {said}")


@pytest.fixture
def corpora(tmp_path):
    """Text for a fit that takes some seconds."""
    for name in ("abstracts", "fulltext"):
        shutil.copy(resource_path("demo") / f"{name}.jsonl.gz", tmp_path)
    return ["abstracts.jsonl.gz", "--adapt", "fulltext.jsonl.gz"]


WITH_SIGNAL = """
import os
from pathlib import Path
import {module} as module
from relhash.cli.main import main

own = module.{function}

def signalled(*given):
    if {when}:
        os.kill(os.getpid(), {number})
    return own(*given)

module.{function} = signalled
main()
"""


def signalled(folder, *arguments, module, function, when, number):
    """Run the command in a process that sends itself a signal where it calls a function: no clock says when that is."""
    program = WITH_SIGNAL.format(module=module, function=function, when=when, number=int(number))
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_in_the_middle_of_a_prediction(tmp_path, number, code):
    (tmp_path / "text.txt").write_text("RAF1 binds MEK1. " * 30)
    done = signalled(
        tmp_path, "predict", "ppi", "text.txt", "-o", "rows.tsv", "-q",
        module="relhash.model.judging", function="keeps", when="any(Path().glob('.rows.tsv.*.tmp'))", number=number,
    )  # fmt: skip
    assert done.returncode == code
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("error: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["text.txt"]


def test_sigterm_in_the_middle_of_a_fit(tmp_path, corpora):
    """It was taken for Ctrl-C, which keeps the hash functions learned so far: a model was written, with exit code 0."""
    done = signalled(
        tmp_path, "fit", *corpora, "-o", "m.relhash", "-q", "--preset", "KLSH-NU-RF",
        module="relhash.hashing.algorithm", function="GreedyCode._try", number=signal.SIGTERM,
        when="len(given[0].functions) == 5",
    )  # fmt: skip
    assert (done.returncode, done.stderr.strip()) == (143, "error: ended by SIGTERM")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["abstracts.jsonl.gz", "fulltext.jsonl.gz"]


@pytest.fixture
def small_disk(tmp_path):
    """A disk of four megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no small disk can be mounted here: that needs root")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def leave(disk, room):
    """Fill the disk up to so many bytes."""
    ballast = disk / "ballast"
    ballast.unlink(missing_ok=True)
    usage = shutil.disk_usage(disk)
    ballast.write_bytes(bytes(usage.free - room))


def test_a_disk_that_is_full_is_seen_before_the_work(small_disk, text):
    leave(small_disk, 100_000)
    done = relhash("convert", text, small_disk / "out.jsonl")
    assert done.returncode == 2
    assert b"the disk is full" in done.stderr


def test_a_disk_that_fills_up_under_an_output(small_disk, tmp_path):
    """One line, exit code 3, the old output whole, nothing left; with room the same command works."""
    document = json.dumps({"id": "d", "text": "α-Synuclein binds p53. " * 200})
    (tmp_path / "long.jsonl").write_text("\n".join([document.replace('"d"', f'"d{n}"') for n in range(400)]) + "\n")
    (small_disk / "out.jsonl").write_text("old")
    leave(small_disk, (1 << 20) + 50_000)
    done = relhash("convert", tmp_path / "long.jsonl", small_disk / "out.jsonl")
    assert done.returncode == 3
    assert done.stderr.decode().strip().splitlines()[-1].endswith("out.jsonl: No space left on device")
    assert sorted(path.name for path in small_disk.iterdir()) == ["ballast", "out.jsonl"]
    assert (small_disk / "out.jsonl").read_text() == "old"
    (small_disk / "ballast").unlink()
    assert relhash("convert", tmp_path / "long.jsonl", small_disk / "out.jsonl").returncode == 0


def test_a_disk_too_small_for_cache_and_journal_only_means_that_nothing_is_kept(small_disk, tmp_path):
    (tmp_path / "text.txt").write_text("RAF1 binds MEK1. TNF activates IL2.")
    (small_disk / "cache").mkdir()
    leave(small_disk, 0)
    done = relhash(
        "predict", "ppi", tmp_path / "text.txt", "-o", tmp_path / "rows.tsv",
        # all is compiled, and how fast it is then does not matter
        env={**os.environ, "XDG_CACHE_HOME": str(small_disk / "cache"), "NUMBA_CACHE_DIR": "", "NUMBA_OPT": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert len((tmp_path / "rows.tsv").read_text().splitlines()) > 1
