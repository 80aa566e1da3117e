"""Questions to all parts of a text, on whatever workers they are, and what happens when one of them was lost.

A message to every part and back takes longer than most answers. So a question whose answer is not needed yet is only posted: it
travels with the next one, and a part answers all of them in the order in which they were posted.

Dask makes the part of a lost worker again, from its source. It then says what it does not know: it is told the numbers of its
structures once more, computes the bits of the functions so far, and is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.hashing.functions import HashFamily
from relhash.scale.cluster import losses_in_words
from relhash.scale.part import KnownFunction, Part, PartSource, Preparation, load_part

if TYPE_CHECKING:
    from distributed import Client, Future

Question = tuple[str, tuple[Any, ...]]
"""A method of :class:`~relhash.scale.part.Part`, and its arguments."""


class Reply:
    """The answers to a question that was posted: None for a part that was not asked."""

    def __init__(self, parts: AskedParts, n: int) -> None:
        self._parts, self._answers = parts, [None] * n
        self.is_here = False

    @property
    def answers(self) -> list[Any]:
        if not self.is_here:
            self._parts.send()
        return self._answers


@dataclass(frozen=True, eq=False)
class _Posted:
    question: str
    arguments: Sequence[tuple[Any, ...] | None]
    reply: Reply


class AskedParts:
    """Parts on the workers of a cluster; ``on_part`` is called with their number whenever one is made.

    Attributes
    ----------
    told
        What each part must know before it can be asked about functions; None as long as this is being worked out.
    functions
        Every function that a part may have to compute the bits of, by its serial number.
    alive
        The serial numbers of the functions of the code, in their order.
    n_messages
        How often all parts were waited for.
    """

    def __init__(
        self,
        client: Client,
        sources: Sequence[PartSource] | Sequence[Future[PartSource]],
        family: HashFamily,
        on_part: Callable[[int], object] | None = None,
    ) -> None:
        self.client, self.family = client, family
        self.parts: list[Any] = client.map(load_part, sources, pure=False)
        if on_part is not None:
            from distributed import as_completed

            for _ in as_completed(self.parts):
                on_part(len(self.parts))
        self.told: list[Preparation] | None = None
        self.functions: dict[int, KnownFunction] = {}
        self.alive: list[int] = []
        self.n_messages = 0
        self._posted: list[_Posted] = []
        self._to_come: set[int] = set()

    def __len__(self) -> int:
        return len(self.parts)

    def leave_out(self, empty: Sequence[bool]) -> None:
        """Forget parts that have nothing in them."""
        self.parts = [part for part, is_empty in zip(self.parts, empty, strict=True) if not is_empty]

    def ask(self, question: str, *arguments: Any) -> list[Any]:
        """The answers of all parts to one question: a method of :class:`~relhash.scale.part.Part`."""
        return self.post(question, *arguments).answers

    def ask_each(self, question: str, arguments: Sequence[tuple[Any, ...] | None]) -> list[Any]:
        """The same with arguments of its own for each part; a part with None is not asked."""
        return self.post_each(question, arguments).answers

    def post(self, question: str, *arguments: Any) -> Reply:
        """A question that travels with the next one, or as soon as somebody looks at the answers."""
        return self.post_each(question, [arguments] * len(self.parts))

    def post_each(self, question: str, arguments: Sequence[tuple[Any, ...] | None]) -> Reply:
        reply = Reply(self, len(self.parts))
        self._posted.append(_Posted(question, arguments, reply))
        return reply

    def post_bits(self, serial: int, question: str, *arguments: Any) -> None:
        """Post a question after which every part has the bits of this function."""
        self._to_come.add(serial)
        self.post(question, *arguments)

    def send(self) -> None:
        """Ask everything that was posted, and wait for the answers."""
        posted, self._posted = self._posted, []
        alive, to_come = tuple(self.alive), frozenset(self._to_come)
        self._to_come.clear()
        questions = [
            [(one.question, arguments) for one in posted if (arguments := one.arguments[n]) is not None]
            for n in range(len(self.parts))
        ]
        answers: dict[int, list[Any]] = {}
        waiting = [n for n, own in enumerate(questions) if own]
        with losses_in_words():
            while waiting:
                self.n_messages += 1
                answer_all = partial(_answer, alive=alive, to_come=to_come, must_be_prepared=self.told is not None)
                asked = [self.parts[n] for n in waiting], [questions[n] for n in waiting]
                met = self.client.gather(self.client.map(answer_all, *asked, pure=False))
                behind = {n: answer for n, answer in zip(waiting, met, strict=True) if isinstance(answer, _Behind)}
                answers |= dict(zip(waiting, met, strict=True))
                self.client.gather([self._tell(n, one) for n, one in behind.items()])
                waiting = list(behind)
        for n, own in answers.items():
            asked_of_it = (one.reply for one in posted if one.arguments[n] is not None)
            for reply, answer in zip(asked_of_it, own, strict=True):
                reply._answers[n] = answer
        for one in posted:
            one.reply.is_here = True

    def chain(self, question: str, view: str, so_far: NDArray[np.float64], *arguments: Any) -> NDArray[np.float64]:
        """Ask one part after the other, each with the answer of the one before; the driver waits for the last one only."""

        state: Any = so_far
        for part in self.parts:
            state = self.client.submit(_continue, part, question, view, state, arguments, pure=False)
        return np.asarray(state.result())

    def _tell(self, n: int, behind: _Behind) -> Any:
        told = self.told[n] if self.told is not None and not behind.is_prepared else None
        functions = {serial: self.functions[serial] for serial in behind.lacks}
        return self.client.submit(_tell, self.parts[n], told, functions, self.family, pure=False)


class _Behind:
    """What a part does not know yet."""

    def __init__(self, is_prepared: bool, lacks: tuple[int, ...]) -> None:
        self.is_prepared, self.lacks = is_prepared, lacks


def _answer(
    part: Part, questions: Sequence[Question], alive: Sequence[int], to_come: frozenset[int], must_be_prepared: bool
) -> Any:
    with part.lock:
        lacks = tuple(serial for serial in alive if serial not in part.bits and serial not in to_come)
        if must_be_prepared and (lacks or not part.is_prepared):
            return _Behind(part.is_prepared, lacks)
        if must_be_prepared:
            for serial in set(part.bits).difference(alive):
                del part.bits[serial]
        return [getattr(part, question)(*arguments) for question, arguments in questions]


def _continue(part: Part, question: str, view: str, state: NDArray[np.float64], arguments: Sequence[Any]) -> Any:
    with part.lock:
        return getattr(part, question)(view, state, *arguments)


def _tell(part: Part, told: Preparation | None, functions: Mapping[int, KnownFunction], family: Any) -> None:
    with part.lock:
        if told is not None:
            part.prepare(told)
        part.catch_up(functions, family)
