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
from numpy.typing import ArrayLike, NDArray

from relhash.bench.datasets.curated import is_aside
from relhash.bench.datasets.judged import RELATED, JudgedStatement, judged_statements
from relhash.corpus.document import Document
from relhash.model.fitted import FittedModel

JUDGED = {"indra": "judged statements", "extri": "transcription factor and gene"}
"""Sources that are reported, and what they are called."""
DRAWS = 1000
CONFIDENT = 0.9
"""Rows from this probability on have figures of their own."""
BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows of like probability: how many, their mean probability, and the share that is right."""

    n: int
    probability: float
    right: float


def bins(probabilities: ArrayLike, right: ArrayLike) -> tuple[Bin, ...]:
    """Rows by tenths of probability.

    >>> [(one.n, one.right) for one in bins([0.15, 0.1, 1.0], [True, False, True])]
    [(2, 0.5), (1, 1.0)]
    """
    given, is_right = np.asarray(probabilities, np.float64), np.asarray(right, np.float64)
    tenth = np.minimum((given * BINS).astype(int), BINS - 1)
    own = [tenth == number for number in np.unique(tenth)]
    return tuple(Bin(int(one.sum()), float(given[one].mean()), float(is_right[one].mean())) for one in own)


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
    n_confident, confident
        Accepted statements with a probability of at least :data:`CONFIDENT`, and the share whose participants are related.
    verdicts
        Accepted statements by verdict.
    reliability
        Statements that are a candidate, by probability: the share whose participants are related.
    """

    source: str
    statements: int
    n_right: int
    paired: Share
    accepted: Share
    right: Share
    related: Share
    n_confident: int
    confident: Share
    verdicts: dict[str, int]
    reliability: tuple[Bin, ...]


def judged_figure(model: FittedModel, root: Path, source: str, *, seed: int = 0) -> JudgedFigure:
    """Let a model read the sentences, and look which statements it makes; of sources that models learn from, papers aside."""
    statements = [one for one in dict.fromkeys(judged_statements(root, source)) if source == "indra" or is_aside(one.paper)]
    texts = list(dict.fromkeys(one.text for one in statements))
    read = model.annotate([Document(f"{number}", text) for number, text in enumerate(texts)], all_candidates=True)
    found = {text: own for text, (_, own) in zip(texts, read, strict=True)}
    said = [[one for one in found[statement.text] if statement.is_said_by(one)] for statement in statements]
    is_paired = np.array([bool(own) for own in said])
    is_accepted = np.array([any(one.is_relation for one in own) for own in said])
    probability = np.array([max((one.probability for one in own), default=0.0) for own in said])
    is_right = np.array([one.is_right for one in statements])
    is_related = np.array([one.verdict in RELATED for one in statements])
    is_confident = is_accepted & (probability >= CONFIDENT)
    share = _shares(statements, seed)
    return JudgedFigure(
        source=JUDGED.get(source, source),
        statements=len(statements),
        n_right=int(is_right.sum()),
        paired=share(is_paired, is_right),
        accepted=share(is_accepted, is_right),
        right=share(is_right, is_accepted),
        related=share(is_related, is_accepted),
        n_confident=int(is_confident.sum()),
        confident=share(is_related, is_confident),
        verdicts=dict(Counter(one.verdict for one, own in zip(statements, is_accepted, strict=True) if own).most_common()),
        reliability=bins(probability[is_paired], is_related[is_paired]),
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
    "accepted ones ≥ .9": lambda figure: f"{figure.n_confident:,}",
    "… ≥ .9 that are related": lambda figure: str(figure.confident),
    "accepted, by verdict": lambda figure: ", ".join(f"{name} {count}" for name, count in figure.verdicts.items()),
}
"""Lines of the table, and what stands in them."""
