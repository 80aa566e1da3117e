"""Rows of ``relhash benchmark raw-text`` on statements that curators have judged (:mod:`relhash.bench.datasets.judged`).

Curators looked at what another system had extracted: the share of right ones among accepted statements is fair, recall is that
of what the other system found. Intervals come from papers drawn again and again, because a paper's statements stand together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relhash.bench.datasets.judged import RELATED, JudgedStatement, judged_statements
from relhash.corpus.document import Document
from relhash.model.fitted import FittedModel

JUDGED = {"indra": "judged statements", "extri": "transcription factor and gene"}
"""Sources that are reported, and what they are called."""
DRAWS = 1000


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the interval that holds 95 of 100 draws of papers."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.value is None:
            return "–"
        return f"{self.value:.3f}" if self.low is None else f"{self.value:.3f} ({self.low:.2f}–{self.high:.2f})"


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """What a model makes of judged statements.

    Attributes
    ----------
    paired, accepted
        Of the statements that are right: the share that is a candidate, and that is accepted.
    right, related
        Of the accepted statements: the share that is right, and whose participants are related at all.
    verdicts
        Accepted statements by verdict.
    """

    source: str
    statements: int
    n_right: int
    paired: Share
    accepted: Share
    right: Share
    related: Share
    verdicts: dict[str, int]


def judged_figure(model: FittedModel, root: Path, source: str, *, seed: int = 0) -> JudgedFigure:
    """Let a model read the sentences, and look which statements it makes."""
    statements = list(dict.fromkeys(judged_statements(root, source)))
    texts = list(dict.fromkeys(one.text for one in statements))
    read = model.annotate([Document(f"{number}", text) for number, text in enumerate(texts)], all_candidates=True)
    found = {text: own for text, (_, own) in zip(texts, read, strict=True)}
    said = [[one for one in found[statement.text] if statement.is_said_by(one)] for statement in statements]
    is_paired = np.array([bool(own) for own in said])
    is_accepted = np.array([any(one.is_relation for one in own) for own in said])
    is_right = np.array([one.is_right for one in statements])
    is_related = np.array([one.verdict in RELATED for one in statements])
    share = _shares(statements, seed)
    return JudgedFigure(
        source=JUDGED.get(source, source),
        statements=len(statements),
        n_right=int(is_right.sum()),
        paired=share(is_paired, is_right),
        accepted=share(is_accepted, is_right),
        right=share(is_right, is_accepted),
        related=share(is_related, is_accepted),
        verdicts=dict(Counter(one.verdict for one, own in zip(statements, is_accepted, strict=True) if own).most_common()),
    )


def _shares(statements: Sequence[JudgedStatement], seed: int) -> Callable[[NDArray[np.bool_], NDArray[np.bool_]], Share]:
    papers = sorted({one.paper for one in statements})
    of_paper = np.array([papers.index(one.paper) for one in statements])
    drawn = np.random.default_rng(seed).multinomial(len(papers), np.full(len(papers), 1 / len(papers)), DRAWS)

    def share(part: NDArray[np.bool_], of: NDArray[np.bool_]) -> Share:
        if not of.any():
            return Share(None)
        inside, whole = (np.bincount(of_paper, weights=own, minlength=len(papers)) for own in (part & of, of))
        low, high = np.quantile((drawn @ inside) / np.maximum(drawn @ whole, 1), [0.025, 0.975])
        return Share(float(part[of].mean()), float(low), float(high))

    return share


LINES: dict[str, Callable[[JudgedFigure], str]] = {
    "judged statements": lambda figure: f"{figure.statements:,}",
    "… right": lambda figure: f"{figure.n_right:,}",
    "right ones that are a candidate": lambda figure: str(figure.paired),
    "right ones that are accepted": lambda figure: str(figure.accepted),
    "accepted ones that are right": lambda figure: str(figure.right),
    "accepted ones that are related": lambda figure: str(figure.related),
    "accepted, by verdict": lambda figure: ", ".join(f"{name} {count}" for name, count in figure.verdicts.items()),
}
"""Lines of the table, and what stands in them."""
