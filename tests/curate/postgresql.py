"""A PostgreSQL server of our own, on a socket in a temporary folder, for as long as tests run."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


@contextmanager
def postgresql_server() -> Iterator[str]:
    """The URL of the server, without a database; the test is skipped where there is no PostgreSQL."""
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL on this machine")
    as_user: dict[str, object] = {}
    folder = Path(tempfile.mkdtemp(prefix="relhash-pg-"))
    if os.geteuid() == 0:  # PostgreSQL does not run as root
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "cwd": folder, **as_user}
    process = None
    try:
        made = [programs / "initdb", "-D", folder / "data", "-U", "relhash", "-A", "trust", "-N", "--locale=C", "-E", "UTF8"]
        subprocess.run(list(map(str, made)), check=True, **quiet)  # type: ignore[call-overload]
        started = [programs / "postgres", "-D", folder / "data", "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"]
        process = subprocess.Popen(list(map(str, started)), **quiet)  # type: ignore[call-overload]
        _wait(folder, process)
        yield f"postgresql+psycopg://relhash@/{{}}?host={folder}"
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # does not wait for clients, as SIGTERM would
            process.wait(180)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(folder: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 180
    while not list(folder.glob(".s.PGSQL.*")):
        assert process.poll() is None, "PostgreSQL ended at once"
        assert time.monotonic() < deadline, "PostgreSQL did not start"
        time.sleep(0.05)
