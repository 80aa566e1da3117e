"""Workers end with their parent, also when it was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

WORKER = """
import time
from relhash import processes
processes.INTERVAL = 0.1
processes.end_with_parent()
print("up", flush=True)
time.sleep(600)
"""
PARENT = f"""
import subprocess, sys
worker = subprocess.Popen([sys.executable, "-c", {WORKER!r}], stdout=subprocess.PIPE)
worker.stdout.readline()
print(worker.pid, flush=True)
worker.wait()
"""


def is_running(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as handle:
            return handle.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:  # it may end while we look
        return False


def test_a_worker_ends_when_its_parent_is_killed():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    worker = int(parent.stdout.readline())
    assert is_running(worker)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    until = time.monotonic() + 60
    while is_running(worker) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_running(worker)
