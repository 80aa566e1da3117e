"""A function over many pieces of work on a cluster: results in the order of the pieces, as :mod:`relhash.processes` gives them.

Pieces travel as bytes, which Dask does not look into. What is made of a piece stays on its worker for as long as its future is
held, so that later work can begin there; if the worker is lost, it is made again.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import relhash
from relhash.processes import Said, say_again, with_warnings
from relhash.scale.cluster import check_version, losses_in_words

if TYPE_CHECKING:
    from distributed import Client, Future

Piece = TypeVar("Piece")
AHEAD = 4
"""Pieces per worker that are under way or done before the first of them is asked for: what bounds the memory of the driver."""


def in_order(client: Client, function: Callable[[Piece], Any], pieces: Iterable[Piece]) -> Iterator[tuple[Future[Any], Any]]:
    """``function`` of each piece, in the order of the pieces, each with its future; warnings of workers are given here."""
    shared = client.submit(_load, packed(function), relhash.__version__, pure=False)  # once for each worker, not for each piece
    waiting: deque[Future[Any]] = deque()
    with losses_in_words():
        try:
            for piece in pieces:
                waiting.append(client.submit(_made, shared, packed(piece), pure=False))
                if len(waiting) >= AHEAD * max(1, n_workers(client)):
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:  # also where nobody asks for the rest
            if waiting:
                client.cancel(list(waiting), force=True)


def n_workers(client: Client) -> int:
    """How many tasks the cluster works on at a time."""
    return sum(client.nthreads().values())


def packed(thing: Any) -> bytes:
    """As bytes; functions and classes of the user's own script too."""
    from distributed.protocol.pickle import dumps

    content: bytes = dumps(thing)
    return content


def _load(content: bytes, version: str) -> Any:
    check_version(version)
    return pickle.loads(content)


def _made(function: Callable[[Any], Any], piece: bytes) -> tuple[Any, list[Said]]:
    return with_warnings(function, pickle.loads(piece))


def _result(future: Future[Any]) -> tuple[Future[Any], Any]:
    result, said = future.result()
    say_again(said)
    return future, result
