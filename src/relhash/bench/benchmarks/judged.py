"""Statements that curators have judged (:mod:`relhash.bench.datasets.judged`): two questions about the same rows.

``relhash benchmark judged`` asks how well claims are judged. Eleven groups of papers; a judge that is fitted has seen neither
the papers of the group that it is measured on nor their pairs of entities. Rows without names (``?``) are left out. The paper's
systems run through the protocol of the same name (``--systems``). ``relhash benchmark raw-text`` asks which of the statements a
model makes itself: the share of right ones of the accepted is fair, recall is that of what the other system found. Intervals
come from papers drawn with replacement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.bench.benchmarks import Asked
from relhash.bench.datasets.curated import is_aside
from relhash.bench.datasets.dataset import data_root
from relhash.bench.datasets.judged import GROUPS, RELATED, JudgedStatement, group_of, judged_statements
from relhash.bench.tables import Report, Table
from relhash.corpus.document import Document
from relhash.model.checking import Checker
from relhash.model.fitted import FittedModel

JUDGED = {"indra": "judged statements", "extri": "transcription factor and gene"}
"""Sources that are reported, and what they are called."""
DRAWS, DRAWS_OF_AUC = 1000, 500
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
    """A share with the interval that holds 95 of 100 draws of papers.

    >>> [str(one) for one in (Share(None), Share(0.5), Share(0.5, 0.4, 0.6))]
    ['–', '0.500', '0.500 (0.40–0.60)']
    """

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

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ClaimFigure:
    """One system on one set, or on a part of it: right rows against the wrong ones of a verdict, or the rows of a type."""

    rows: str
    part: str
    system: str
    n: int
    auc: float
    low: float
    high: float
    accuracy: float | None = None
    precision_at_65: float | None = None
    precision_at_80: float | None = None


def run(asked: Asked) -> Report:
    """The benchmark."""
    figures = list(judged_figures(asked.data, progress=asked.say))
    headings = ["set", "rows", "system", "n", "AUC", "95 %", "accuracy", "P at R .65", "P at R .80"]
    rows = [
        [f.rows, f.part, f.system, f.n, f.auc, f"{f.low:.3f}–{f.high:.3f}", f.accuracy, f.precision_at_65, f.precision_at_80]
        for f in figures
    ]
    table = Table(headings, rows, left=(0, 1, 2))
    return Report("judge", "Claims judged against their sentences", figures, [table], beside={"groups": GROUPS})


def judged_figures(
    data: Path | None = None,
    *,
    sources: Sequence[str] = ("indra", "extri"),
    progress: Callable[[str], object] = lambda _: None,
) -> Iterator[ClaimFigure]:
    """The figures of INDRA's rows, by verdict and type, and of ExTRI's."""
    root = data_root(data)
    checker = Checker.shipped()
    for source in sources:
        rows = judged_statements(root, source)
        progress(source)
        numbers = [checker.numbers_of(one) for one in checker.sightings([row.claim for row in rows])]
        right = np.array([row.is_right for row in rows])
        papers = [row.paper for row in rows]
        scores = {
            "shipped judge": checker.judge.log_odds(numbers),
            "fitted judge": _fitted(checker, rows, numbers, right),
            "ppi": np.array([one["related"] for one in numbers]),
            "events": np.array([one.get("typed", one["any"]) for one in numbers]),
            "n-grams": _ngrams(rows, right),
        }
        if source == "indra":
            scores["belief of the reader"] = np.array([row.belief for row in rows], np.float64)
        for system, own in scores.items():
            yield _figure(source, "all", system, right, own, papers, with_details=True)
        for system in ("shipped judge", "fitted judge", "ppi") if source == "indra" else ():
            for part, kept in _parts(rows):
                yield _figure(
                    source, part, system, right[kept], scores[system][kept], [papers[n] for n in np.flatnonzero(kept)]
                )


def _folds(rows: Sequence[JudgedStatement]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Training and test rows: no paper and no pair of entities of a test row is in its training rows."""
    groups, pairs = (np.array([one(row) for row in rows]) for one in (lambda row: group_of(row.paper), lambda row: row.pair))
    for group in np.unique(groups):
        is_tested = groups == group
        yield np.flatnonzero(~is_tested & ~np.isin(pairs, pairs[is_tested])), np.flatnonzero(is_tested)


def _fitted(checker: Checker, rows: Sequence[JudgedStatement], numbers: list[dict[str, float]], right: Bools) -> Floats:
    scores = np.zeros(len(rows))
    for train, test in _folds(rows):
        judge = checker.judge.fitted([numbers[n] for n in train], right[train].tolist(), [rows[n].paper for n in train])
        scores[test] = judge.log_odds([numbers[n] for n in test])
    return scores


def _ngrams(rows: Sequence[JudgedStatement], right: Bools) -> Floats:
    """Words, pairs of words and the type, without looking for participants: what a plain text classifier makes of the rows."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    texts = [f"{row.type} {row.text}" for row in rows]
    scores = np.zeros(len(rows))
    for train, test in _folds(rows):
        words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        model = LogisticRegression(C=1.0, solver="liblinear").fit(words.fit_transform([texts[n] for n in train]), right[train])
        scores[test] = model.decision_function(words.transform([texts[n] for n in test]))
    return scores


def _parts(rows: Sequence[JudgedStatement]) -> Iterator[tuple[str, Bools]]:
    right = np.array([row.is_right for row in rows])
    for verdict in sorted({row.verdict for row in rows if not row.is_right}):
        yield f"not {verdict}", right | np.array([row.verdict == verdict for row in rows])
    for kind in sorted({row.type for row in rows}):
        of_kind = np.array([row.type == kind for row in rows])
        if min(right[of_kind].sum(), (~right[of_kind]).sum()) >= 5:
            yield kind, of_kind


def _figure(
    rows: str, part: str, system: str, right: Bools, scores: Floats, papers: Sequence[str], *, with_details: bool = False
) -> ClaimFigure:
    from sklearn.metrics import roc_auc_score

    by_paper: dict[str, list[int]] = {}
    for number, paper in enumerate(papers):
        by_paper.setdefault(paper, []).append(number)
    groups, random = list(by_paper.values()), np.random.default_rng(0)
    drawn = []
    for _ in range(DRAWS_OF_AUC):
        kept = np.concatenate([groups[n] for n in random.integers(len(groups), size=len(groups))])
        if 0 < right[kept].sum() < kept.size:
            drawn.append(roc_auc_score(right[kept], scores[kept]))
    low, high = np.percentile(drawn, [2.5, 97.5])
    own = ClaimFigure(rows, part, system, right.size, float(roc_auc_score(right, scores)), float(low), float(high))
    if not with_details:
        return own
    order = np.argsort(-scores, kind="stable")
    found = np.cumsum(right[order])
    precision = found / np.arange(1, right.size + 1)
    at = [float(precision[np.searchsorted(found, recall * found[-1])]) for recall in (0.65, 0.8)]
    accuracy = float(((scores > 0) == right).mean()) if system.endswith("judge") else None
    return ClaimFigure(rows, part, system, right.size, own.auc, own.low, own.high, accuracy, *at)
