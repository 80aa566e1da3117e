"""How well claims are judged that readers of text extracted and curators looked at: ``judged/`` of the data folder.

Eleven groups of papers; a judge that is fitted has seen neither the papers of the group that it is measured on nor their pairs
of entities. Rows without names (``?``) are left out: there is nothing to look for. Intervals are of papers, drawn with
replacement. The paper's systems run through the protocol of the same name: what is no candidate for them comes last, and scores
of a group count by their rank in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relhash.bench.benchmarks import Asked
from relhash.bench.datasets.dataset import data_root
from relhash.bench.datasets.judged import GROUPS, JudgedStatement, group_of, judged_dataset, judged_statements
from relhash.bench.protocols import PROTOCOLS
from relhash.bench.runner import run_protocol
from relhash.bench.tables import Report, Table
from relhash.model.checking import Checker

DRAWS = 500
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class JudgedFigure:
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
    """The benchmark; the protocol's own files stand beside ``judge.json``."""
    figures = list(judged_figures(asked.data, out=asked.output, progress=asked.say))
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
    out: Path | None = None,
    sources: Sequence[str] = ("indra", "extri"),
    systems: Sequence[str] | None = None,
    progress: Callable[[str], object] = lambda _: None,
) -> Iterator[JudgedFigure]:
    """The figures of INDRA's rows, by verdict and type, and of ExTRI's.

    Parameters
    ----------
    out
        Folder with finished cells of the protocol's systems, and for new ones.
    systems
        In place of the protocol's own.
    """
    root = data_root(data)
    checker = Checker.shipped()
    for source in sources:
        rows = judged_statements(root, source)
        progress(source)
        numbers = list(checker.numbers([row.claim for row in rows]))
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
            scores |= _of_protocol(root, len(rows), out, systems, progress)
        for system, own in scores.items():
            yield _figure(source, "all", system, right, own, papers, with_details=True)
        for system in ("shipped judge", "fitted judge", "ppi") if source == "indra" else ():
            for part, kept in _parts(rows):
                yield _figure(
                    source, part, system, right[kept], scores[system][kept], [papers[n] for n in np.flatnonzero(kept)]
                )


def _of_protocol(
    root: Path, n_rows: int, out: Path | None, systems: Sequence[str] | None, progress: Callable[[str], object]
) -> dict[str, Floats]:
    """The scores of the protocol's systems, first run of each: ranks within a group, from 0 to 1."""
    dataset = judged_dataset(root)
    run = run_protocol(
        PROTOCOLS["judged"], dataset=dataset, systems=systems, out=out, n_jobs=1, progress=lambda remark, *_: progress(remark)
    )
    found = {system.name: np.full(n_rows, -1.0) for system in run.systems}
    assert dataset.subsets is not None
    for cell in run.cells:
        if cell.seed == 0 and cell.ranks is not None:
            rows = [int(dataset.candidates[n].document.id) for n in np.flatnonzero(dataset.subsets == cell.fold)]
            found[cell.system][rows] = cell.ranks / max(int(cell.ranks.max()), 1)
    return found


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
    """Words, pairs of words and the type, without looking for anybody: what a plain text classifier makes of the rows."""
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
) -> JudgedFigure:
    from sklearn.metrics import roc_auc_score

    by_paper: dict[str, list[int]] = {}
    for number, paper in enumerate(papers):
        by_paper.setdefault(paper, []).append(number)
    groups, random = list(by_paper.values()), np.random.default_rng(0)
    drawn = []
    for _ in range(DRAWS):
        kept = np.concatenate([groups[n] for n in random.integers(len(groups), size=len(groups))])
        if 0 < right[kept].sum() < kept.size:
            drawn.append(roc_auc_score(right[kept], scores[kept]))
    low, high = np.percentile(drawn, [2.5, 97.5])
    own = JudgedFigure(rows, part, system, right.size, float(roc_auc_score(right, scores)), float(low), float(high))
    if not with_details:
        return own
    order = np.argsort(-scores, kind="stable")
    found = np.cumsum(right[order])
    precision = found / np.arange(1, right.size + 1)
    at = [float(precision[np.searchsorted(found, recall * found[-1])]) for recall in (0.65, 0.8)]
    accuracy = float(((scores > 0) == right).mean()) if system.endswith("judge") else None
    return JudgedFigure(rows, part, system, right.size, own.auc, own.low, own.high, accuracy, *at)
