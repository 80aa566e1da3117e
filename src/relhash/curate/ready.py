"""A model that worker processes share: the process that they are forked from has loaded it before.

A worker is then there at once, also when it takes the place of one that was ended, and of what is loaded (tables, weights,
compiled code) there is one copy in memory. What to load stands in the environment of that process, pickled.
"""

from __future__ import annotations

import base64
import os
import pickle
from contextlib import suppress
from multiprocessing import forkserver
from typing import Any

from relhash.processes import settle

VARIABLE = "_RELHASH_READY"
_models: dict[bytes, Any] = {}


def prepare(load: bytes, use: bytes) -> None:
    """Start the process that others are forked from, with the model that ``load`` makes, after ``use`` of it (both pickled).

    A process that has been started before stays as it is, and workers load their own.
    """
    os.environ[VARIABLE] = f"{base64.b64encode(load).decode()} {base64.b64encode(use).decode()}"
    try:
        forkserver.ensure_running()
    finally:
        del os.environ[VARIABLE]


def model_of(load: bytes) -> Any:
    """The model, loaded if it is not there."""
    return _models[load] if load in _models else pickle.loads(load)()


def make_ready() -> None:
    """In the process that others are forked from: load what its environment says."""
    given = os.environ.pop(VARIABLE, None)
    if given is None:
        return
    import numba  # noqa: F401  (for longer texts than the first)

    load, use = map(base64.b64decode, given.split())
    with suppress(Exception):  # then workers load for themselves, and say why they cannot
        model = pickle.loads(load)()
        function, args = pickle.loads(use)
        list(function(model, *args))
        _models[load] = model
    settle()
