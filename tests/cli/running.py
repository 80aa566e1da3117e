"""How tests of commands run them: as a user types them, in this process."""

from __future__ import annotations

import csv
import io
import signal
import sys
from pathlib import Path

import pytest

from relhash.cli.main import main


def exit_code(*arguments: str | Path) -> int:
    """Run ``relhash`` with these arguments, and give the process back as it was: the program leaves its handlers set."""
    hook, handlers = sys.unraisablehook, {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGALRM)}
    try:
        with pytest.raises(SystemExit) as exited:
            main(list(map(str, arguments)))
    finally:
        sys.unraisablehook = hook
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return int(exited.value.code or 0)


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """The same: the exit code, what was printed, and what was said on the way."""
    code = exit_code(*arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def rows_of(text: str) -> list[dict[str, str]]:
    """The rows of a TSV."""
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))
