"""What a person sees while a model or codes are fitted: one bar per phase."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from relhash.cli.console import progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from relhash.hashing.trace import Progress


class FitPhases:
    """Progress of a fit: first the documents that are parsed, if any, then what the learner of hash functions reports."""

    def __init__(self, stack: ExitStack, n_documents: int | None, quiet: bool) -> None:
        self.stack, self.n_documents, self.quiet = stack, n_documents, quiet
        self.phase = ""
        self.step: Callable[..., None] = lambda steps=1, remark="": None
        self.done = 0

    def on_document(self, document: Any) -> None:
        self._enter("parsing", self.n_documents)
        self.step(1, document.id)

    def on_step(self, reached: Progress) -> None:
        self._enter(reached.phase, reached.wanted)
        self.step(max(0, reached.done - self.done), f"objective {reached.objective:.3f}")
        self.done = max(self.done, reached.done)

    def _enter(self, phase: str, total: int | None) -> None:
        if phase != self.phase:
            self.stack.close()  # the bar of the phase before
            self.phase, self.done = phase, 0
            self.step = self.stack.enter_context(progress(phase, total=total, quiet=self.quiet))
