"""``relhash benchmark assertion``: negation and speculation of the events of BioNLP 2013, against plain rules."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from relhash.evaluation.datasets.assertion_gold import MarkedEvent, development_events
from relhash.evaluation.datasets.dataset import data_root
from relhash.evaluation.provenance import provenance, shipped_parses
from relhash.files import replacing
from relhash.language.assertion import Assertion, AssertionModel, assertion_by_rules, shipped_model
from relhash.language.cues import NEGATIONS, Cue
from relhash.learning.metrics import rates

Found = tuple[bool, bool]
"""Negated, speculative."""
Judge = Callable[[MarkedEvent], Found]


@dataclass(frozen=True, slots=True)
class AssertionFigure:
    """One row: a way to judge, the class it looks for, and how well it finds it."""

    judge: str
    marked: str
    precision: float
    recall: float
    f1: float
    gold: int
    found: int
    milliseconds: float
    """Per event, the parse not counted."""


def assertion_figures(data: Path | None = None) -> list[AssertionFigure]:
    """All judges on the development set of 2013."""
    return list(figures_of(development_events(data_root(data))))


def figures_of(events: Sequence[MarkedEvent], model: AssertionModel | None = None) -> Iterator[AssertionFigure]:
    """One row per judge and class; ``model`` is the one that ships, if none is given."""
    asked = model or shipped_model()
    judges: dict[str, Judge] = {"model": lambda event: _told(asked.of(event.scope, event.statement)), **RIVALS}
    for name, judge in judges.items():
        started = time.process_time()
        found = [judge(event) for event in events]
        milliseconds = 1000 * (time.process_time() - started) / max(len(events), 1)
        for number, marked in enumerate(("negation", "speculation")):
            gold = [(event.negated, event.speculative)[number] for event in events]
            yield _figure(name, marked, gold, [one[number] for one in found], milliseconds)


def _figure(judge: str, marked: str, gold: list[bool], found: list[bool], milliseconds: float) -> AssertionFigure:
    right = sum(a and b for a, b in zip(gold, found, strict=True))
    return AssertionFigure(judge, marked, *rates(sum(gold), sum(found), right), sum(gold), sum(found), milliseconds)


def _by_rules(event: MarkedEvent) -> Found:
    return _told(assertion_by_rules(event.scope, event.statement))


def _told(assertion: Assertion) -> Found:
    return assertion is Assertion.NEGATED, assertion in (Assertion.SPECULATIVE, Assertion.QUESTIONED)


def _in_sentence(event: MarkedEvent) -> Found:
    return _by_words(event, range(len(event.scope.tokens)))


def _between(event: MarkedEvent) -> Found:
    around = (*event.statement.head, *event.statement.participants)
    return _by_words(event, range(min(around), max(around) + 1))


def _by_words(event: MarkedEvent, where: range) -> Found:
    words = {event.scope.tokens[number].text.lower() for number in where}
    doubts = (Cue.MODAL, Cue.HEDGE, Cue.QUESTION, Cue.STUDY)
    return not words.isdisjoint(NEGATIONS), any(cue.kind in doubts for cue in event.scope.cues if cue.token in where)


RIVALS: dict[str, Judge] = {
    "rules": _by_rules,
    "a cue stands between": _between,
    "a cue stands in the sentence": _in_sentence,
    "majority (all asserted)": lambda event: (False, False),
}


def markdown(figures: Sequence[AssertionFigure]) -> str:
    """The figures as a table."""
    lines = ["| judge | class | P | R | F1 | gold | found | ms per event |", "|---|---|---|---|---|---|---|---|"]
    lines += [
        f"| {f.judge} | {f.marked} | {f.precision:.3f} | {f.recall:.3f} | {f.f1:.3f} | {f.gold} | {f.found} "
        f"| {f.milliseconds:.3f} |"
        for f in figures
    ]
    return "\n".join(lines) + "\n"


def write_figures(figures: Sequence[AssertionFigure], folder: Path) -> None:
    """``assertion.json`` and ``assertion.md``."""
    folder.mkdir(parents=True, exist_ok=True)
    stored = {
        "protocol": "assertion", "made": provenance(shipped_parses()), "rows": [asdict(figure) for figure in figures]
    }  # fmt: skip
    with replacing(folder / "assertion.json") as handle:
        json.dump(stored, handle, indent=1)
    with replacing(folder / "assertion.md") as handle:
        handle.write(f"# Negation and speculation, events of BioNLP 2013 devel\n\n{markdown(figures)}")
