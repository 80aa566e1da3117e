"""A command in processes that are killed at random moments and started again, until one of them ends by itself.

``python -m tests.killing SEED KILLS FOLDER OUTPUT ARGUMENT…`` runs ``relhash ARGUMENT…`` once undisturbed, then with kills, and
prints one JSON line: how many kills there were, after how many of them something was kept, how many runs came to their end, and
what these left beside the output. A run that ends with other bytes is an error. The processes are forks of one that has run the
command already, so that a kill seldom hits the loading of libraries.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path


def main() -> None:
    seed, kills, folder, output, arguments = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4], sys.argv[5:]
    import relhash.bench.protocols  # with it nearly everything else
    import relhash.cli.main
    import relhash.cli.predict
    import relhash.language

    def start(place: Path) -> int:
        place.mkdir(parents=True, exist_ok=True)
        if process := os.fork():
            return process
        code = 1
        with contextlib.suppress(BaseException):
            os.chdir(place)
            with open(place / ".." / "said", "a") as said:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
            try:
                relhash.cli.main.main(arguments)
            except SystemExit as end:
                code = int(end.code or 0)
        os._exit(code)

    def run(place: Path) -> float:
        started = time.monotonic()
        _, status = os.waitpid(start(place), 0)
        if status:
            sys.exit(f"exit code {os.waitstatus_to_exitcode(status)}: {(place / '..' / 'said').read_text()}")
        return time.monotonic() - started

    warm_up(relhash.cli.main.main, folder / "warm", arguments)
    whole = run(folder / "undisturbed")
    expected = content(folder / "undisturbed" / output)
    rng, killed, ended, left, kept = random.Random(seed), 0, 0, set(), 0
    place = folder / "killed-0"
    while killed < kills:
        process = start(place)
        time.sleep(rng.uniform(0.05, 0.9) * whole)
        done, status = os.waitpid(process, os.WNOHANG)
        if not done:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            killed += 1
            kept += any(path.is_file() for path in place.glob("*.kept/*/??/*"))
            if not is_done(place, output):
                continue
        else:
            assert not status, (folder / "said").read_text()
        ended, place = judge(place, output, expected, ended, left)
    run(place)
    ended, _ = judge(place, output, expected, ended, left)
    print(json.dumps({"kills": killed, "with_something_kept": kept, "ended": ended, "left": sorted(left), "seconds": whole}))


def warm_up(command: Callable[[list[str]], None], place: Path, arguments: list[str]) -> None:
    """In this very process, which only starts others afterwards."""
    place.mkdir(parents=True)
    before = Path.cwd()
    os.chdir(place)
    try:
        command(arguments)
    except SystemExit as end:
        if end.code:
            raise
    finally:
        os.chdir(before)


def is_done(place: Path, output: str) -> bool:
    """Whether a kill came after the last step: the output is there, and nothing that a next run could go on with."""
    return [path.name for path in place.iterdir()] == [output]


def judge(place: Path, output: str, expected: bytes, ended: int, left: set[str]) -> tuple[int, Path]:
    if content(place / output) != expected:
        sys.exit(f"other bytes in {place}")
    left |= {path.name for path in place.iterdir()} - {output}
    shutil.rmtree(place)
    return ended + 1, place.with_name(f"killed-{ended + 1}")


def content(path: Path) -> bytes:
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return b"".join(f"{file.name}\n".encode() + file.read_bytes() for file in files if file.is_file())


if __name__ == "__main__":
    main()
