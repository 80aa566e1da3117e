"""The same program with one and with two BLAS threads: what it prints must not differ."""

from __future__ import annotations

import os
import subprocess
import sys


def printed_with_threads(program: str) -> list[str]:
    """What ``program`` prints with one thread and with two; ``digest(*arrays)`` is there to print arrays to the last bit."""
    digest = (
        "import hashlib\nimport numpy as np\n"
        "def digest(*arrays):\n"
        "    whole = b''.join(np.ascontiguousarray(array).tobytes() for array in arrays)\n"
        "    return hashlib.sha256(whole).hexdigest()\n"
    )
    printed = []
    for n_threads in "12":
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": n_threads, "MKL_NUM_THREADS": n_threads}
        command = [sys.executable, "-c", digest + program]
        printed.append(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    return printed
