"""Bytes of whatever is named: a file, a packed one, a pipe, standard input."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from relhash import corpus
from relhash.corpus.source import open_bytes, read_text
from relhash.errors import CorpusError


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-6], lambda data: data[:15] + b"\xff" * 20 + data[35:], lambda data: data[:2]]
)
def test_damaged_gzip(tmp_path: Path, damage) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(damage(gzip.compress(b"text of some length" * 50)))
    with pytest.raises(CorpusError, match="damaged or cut off"):
        read_text(path)


def test_gzip_needs_no_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(b"one"))
    with open_bytes(path) as handle:
        assert handle.read() == b"one"


def bomb(path: Path, size: int) -> Path:
    with gzip.open(path, "wb") as packed:
        for _ in range(size >> 20):
            packed.write(b"a" * (1 << 20))
    return path


@pytest.mark.parametrize("suffix", [".txt.gz", ".jsonl.gz", ".csv.gz"])
def test_a_gzip_bomb_is_refused(tmp_path: Path, suffix, monkeypatch) -> None:
    """A few kilobytes that unpack to gigabytes: a memory error after half a minute."""
    monkeypatch.setattr("relhash.corpus.source.ALWAYS_ALLOWED", 1 << 20)
    with pytest.raises(CorpusError, match=r"more than 200 times its size.*gunzip"):
        corpus.read(bomb(tmp_path / f"bomb{suffix}", 8 << 20))


def test_repetitive_text_of_ordinary_size_is_read(tmp_path: Path) -> None:
    assert len(read_text(bomb(tmp_path / "same.txt.gz", 2 << 20))) == 2 << 20


@contextmanager
def piped(tmp_path: Path, content: str) -> Iterator[Path]:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(content,), daemon=True)
    writer.start()
    yield pipe
    writer.join()


@pytest.mark.parametrize("content", ['{"id": "d", "text": "TNF binds p53."}\n', "TNF binds p53."], ids=["JSON", "text"])
def test_a_pipe_is_read_like_a_file(tmp_path: Path, content: str) -> None:
    """Detection read the beginning of a pipe, and the reader the rest; raw text was refused as of no format."""
    with piped(tmp_path, content) as pipe:
        assert [found.text for found in corpus.read(pipe)] == ["TNF binds p53."]


def test_a_pipe_with_what_looks_like_a_corpus_is_not_taken_for_text(tmp_path: Path) -> None:
    with piped(tmp_path, "<html>TNF binds p53.</html>") as pipe, pytest.raises(CorpusError, match="--format"):
        corpus.read(pipe)


def test_closed_standard_input(monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(CorpusError, match="standard input is closed"):
        corpus.read("-")


UNNOTICED = """
import os, signal, sys, threading, time
from pathlib import Path
from relhash.corpus.source import open_source

def end(*_):
    raise SystemExit(7)

signal.signal(signal.SIGTERM, end)
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()  # which gets the signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
writing = os.open(sys.argv[1], os.O_RDWR)  # and never writes
open_source(Path(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
def test_a_signal_that_does_not_interrupt_reading_is_noticed(tmp_path: Path) -> None:
    """One that came between two looks at signals and the beginning of a read was noticed after the next byte: never."""
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-c", UNNOTICED, str(tmp_path / "pipe")]
    assert subprocess.run(command, timeout=300, check=False).returncode == 7
