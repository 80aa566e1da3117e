"""Why the model says what it says of a question, now, after the answers it has learned.

Text as a page may show it, with offsets that still fit: what cannot be seen is made visible (:mod:`relhash.visible`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from relhash.candidates.evidence import Evidence
from relhash.curate.curation import Curation
from relhash.model.answers.teaching import Taught, Teaching
from relhash.show.explanation import SEEN, Explained, Neighbours, explained_rows
from relhash.visible import visible

_BLANK = str.maketrans("\t\r\n\x0b\x0c", "     ")


class ShownText:
    """A stretch of text for a page, and where its characters have gone.

    >>> shown = ShownText("a\\u202eb c", keep_lines=False)
    >>> shown.text, shown.spans([(2, 3)])
    ('a⟨U+202E⟩b c', [[9, 10]])
    """

    def __init__(self, text: str, *, keep_lines: bool = False) -> None:
        plain = text if keep_lines else text.translate(_BLANK)
        self._places: list[int] | None = None
        lines = [visible(line) for line in plain.split("\n")]
        self.text = "\n".join(lines)
        if len(self.text) != len(text):
            self._places = [0]
            for character in plain:
                self._places.append(self._places[-1] + (1 if character == "\n" else len(visible(character))))

    def at(self, offset: int) -> int:
        """Where a character of the text stands now."""
        return offset if self._places is None else self._places[min(max(offset, 0), len(self._places) - 1)]

    def spans(self, spans: Iterable[tuple[int, int]], start: int = 0) -> list[list[int]]:
        """Spans that count from ``start``, as they are now."""
        return [[self.at(begin - start), self.at(end - start)] for begin, end in spans]


REASONS = 24
NEAREST = 5


def evidence_of(curation: Curation, row: int) -> dict[str, Any]:
    """The evidence of one candidate; neighbours are other questions of the text that have an answer, then training text."""
    teaching, taught = curation.teaching, curation.moment.taught
    shown = shown_evidence(teaching, taught, [row])[0]
    shown["neighbours"] = [*_answered_nearby(curation, row), *shown["neighbours"]][:NEAREST]
    return shown


def shown_evidence(teaching: Teaching, taught: Taught, rows: list[int]) -> list[dict[str, Any]]:
    """The evidence of some candidates for the page."""
    found = explained_rows(teaching, taught, np.array(rows, np.int64), Neighbours(taught.model, None))
    return [_shown(one) for one in found]


def _shown(one: Explained) -> dict[str, Any]:
    reasons = one.reasons.strongest(REASONS)
    return {
        "base": one.reasons.base,
        "log_odds": one.reasons.log_odds,
        "pair_probability": one.pair_probability,
        "names_probability": one.names_probability,
        "reasons": [{"words": visible(r.text), "part": r.part, "contribution": r.value} for r in reasons],
        "hash_functions": [
            {
                "bit": function.bit,
                "view": function.view,
                "side": function.side,
                "sides": [[{"path": visible(text), "near": near} for text, near in side] for side in function.sides],
                "contribution": sum(r.value for r in one.reasons.reasons if r.bit == function.bit),
            }
            for function in one.functions
        ],
        "neighbours": [
            {
                "sentence": visible(near.sentence) if near.sentence else None,
                "label": near.is_related,
                "similarity": None if near.similarity is None else round(near.similarity, 3),
                "from": near.source or "training text",
            }
            for near in one.neighbours
        ],
        "coverage": _coverage(one),
    }


def _coverage(one: Explained) -> dict[str, Any] | None:
    if not one.seen:
        return None
    words = f"Seen {one.seen} ({one.n_seen:,}): {SEEN[one.seen]}."
    return {"words": words, "seen": one.seen, "share": one.n_seen}


def _answered_nearby(curation: Curation, row: int) -> list[dict[str, Any]]:
    """The nearest questions with an answer that says yes or no."""
    teaching = curation.teaching
    if teaching.alike is None:
        return []
    with curation.lock:
        labels = {key: answer.is_right for key, answer in curation.answers.decisions().items()}
    rows = [teaching.row_of[key] for key, is_right in labels.items() if is_right is not None and teaching.row_of[key] != row]
    if not rows:
        return []
    similar = teaching.alike.among(row, rows)
    nearest = np.argsort(-similar, kind="stable")[:NEAREST]
    return [
        {
            "sentence": visible(" ".join(Evidence.of(teaching.scenes[rows[place]]).text.split())),
            "label": labels[teaching.candidates[rows[place]].key],
            "similarity": round(float(similar[place]), 3),
            "from": "your answers",
        }
        for place in nearest
    ]
