"""What a worker on this machine does first: leave Ctrl-C, which the terminal sends to every process, to the driver.

The driver ends its work, or what was learned so far becomes a shorter code, and then it ends the workers.
"""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Called by Dask, in the main thread of the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
