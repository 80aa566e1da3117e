"""Strings as one array of bytes, as model files and stored structures hold them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["pack_strings", "unpack_strings"]


def pack_strings(strings: Iterable[str]) -> NDArray[np.uint8]:
    """Strings as UTF-8 bytes, each ended by 0xFF, which UTF-8 never uses (fixed-width arrays waste memory on long words)."""
    return np.frombuffer(b"".join(s.encode("utf-8", "surrogatepass") + b"\xff" for s in strings), np.uint8)


def unpack_strings(packed: NDArray[np.uint8]) -> tuple[str, ...]:
    """The inverse of :func:`pack_strings`.

    >>> unpack_strings(pack_strings(["α", "", "b"]))
    ('α', '', 'b')
    """
    return tuple(part.decode("utf-8", "surrogatepass") for part in packed.tobytes().split(b"\xff")[:-1])
