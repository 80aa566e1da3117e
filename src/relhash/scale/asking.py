"""Questions to all parts of a text, on whatever workers they are, and what happens when one of them was lost.

Dask makes the part of a lost worker again, from its source. It then says what it does not know: it is told the numbers of its
structures once more, computes the bits of the functions so far, and is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import RelHashError
from relhash.hashing.functions import HashFamily
from relhash.scale.part import KnownFunction, Part, PartSource, Preparation, load_part

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["AskedParts"]


class AskedParts:
    """Parts on the workers of a cluster.

    Attributes
    ----------
    told
        What each part must know before it can be asked about functions; None as long as this is being worked out.
    functions
        Every function that a part may have to compute the bits of, by its serial number.
    alive
        The serial numbers of the functions of the code, in their order.
    """

    def __init__(self, client: Client, sources: Sequence[PartSource], family: HashFamily) -> None:
        self.client, self.family = client, family
        self.parts: list[Any] = client.map(load_part, sources, pure=False)
        self.told: list[Preparation] | None = None
        self.functions: dict[int, KnownFunction] = {}
        self.alive: list[int] = []

    def __len__(self) -> int:
        return len(self.parts)

    def leave_out(self, empty: Sequence[bool]) -> None:
        """Forget parts that have nothing in them."""
        self.parts = [part for part, is_empty in zip(self.parts, empty, strict=True) if not is_empty]

    def ask(self, question: str, *arguments: Any) -> list[Any]:
        """The answers of all parts to one question: a method of :class:`~relhash.scale.part.Part`."""
        return self.ask_each(question, [arguments] * len(self.parts))

    def ask_each(self, question: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """The same with arguments of its own for each part."""
        from distributed import KilledWorker

        answers: list[Any] = [None] * len(self.parts)
        waiting = list(range(len(self.parts)))
        alive = tuple(self.alive)
        try:
            while waiting:
                futures = [
                    self.client.submit(_answer, self.parts[n], question, arguments[n], alive, self.told is not None, pure=False)
                    for n in waiting
                ]
                met = self.client.gather(futures)
                behind = {n: answer for n, answer in zip(waiting, met, strict=True) if isinstance(answer, _Behind)}
                for n, answer in zip(waiting, met, strict=True):
                    answers[n] = answer
                telling = [
                    self.client.submit(
                        _tell,
                        self.parts[n],
                        self.told[n] if self.told is not None and not one.is_prepared else None,
                        {serial: self.functions[serial] for serial in one.lacks},
                        self.family,
                        pure=False,
                    )
                    for n, one in behind.items()
                ]
                self.client.gather(telling)
                waiting = list(behind)
        except KilledWorker as error:
            raise RelHashError(
                f"a part of the text ended its worker {error.allowed_failures + 1} times; give workers more memory, or cut the "
                "text into smaller partitions (--partition-size)"
            ) from error
        return answers

    def chain(self, question: str, view: str, so_far: NDArray[np.float64], *arguments: Any) -> NDArray[np.float64]:
        """Ask one part after the other, each with the answer of the one before."""

        def step(state: NDArray[np.float64], part: Any) -> NDArray[np.float64]:
            asked = (view, state, *arguments)
            return self.client.submit(_answer, part, question, asked, (), False, pure=False).result()

        return reduce(step, self.parts, so_far)


class _Behind:
    """What a part does not know yet."""

    def __init__(self, is_prepared: bool, lacks: tuple[int, ...]) -> None:
        self.is_prepared, self.lacks = is_prepared, lacks


def _answer(part: Part, question: str, arguments: tuple[Any, ...], alive: tuple[int, ...], must_be_prepared: bool) -> Any:
    with part.lock:
        lacks = tuple(serial for serial in alive if serial not in part.bits)
        if must_be_prepared and (lacks or not part.is_prepared):
            return _Behind(part.is_prepared, lacks)
        if must_be_prepared:
            for serial in set(part.bits).difference(alive):
                del part.bits[serial]
        return getattr(part, question)(*arguments)


def _tell(part: Part, told: Preparation | None, functions: Mapping[int, KnownFunction], family: Any) -> None:
    with part.lock:
        if told is not None:
            part.prepare(told)
        part.catch_up(functions, family)
