"""Worker processes end with the process that started them, also when that was killed and could say nothing."""

from __future__ import annotations

import os
import threading
import time
from functools import cache

INTERVAL = 2.0
"""Seconds between two looks at the parent."""


@cache
def end_with_parent() -> None:
    """From now on, end this process as soon as its parent has ended; called by a worker, once or often."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:  # an orphan is given another one
            time.sleep(INTERVAL)
        os._exit(1)

    threading.Thread(target=watch, name="relhash-parent", daemon=True).start()
