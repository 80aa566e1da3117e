"""How well claims are judged that readers of text extracted and curators looked at: ``judged/`` of the data folder.

Eleven groups of papers; a judge that is fitted has seen neither the papers of the group that it is measured on nor their pairs
of entities. Rows without names (``?``) are left out: there is nothing to look for. Intervals are of papers, drawn with
replacement.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relhash.bench.datasets.dataset import data_root
from relhash.errors import CorpusError
from relhash.model.checking import Checker, Claim
from relhash.model.checking.claim import UNKNOWN_NAMES

GROUPS, DRAWS = 11, 500
FAMILIES = {"NFKB": "NFkappaB"}
"""Names of families in ExTRI that are written otherwise in FamPlex."""
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


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A claim, whether a curator found it right, what the curator called it, its paper, and the reader's own belief."""

    claim: Claim
    is_right: bool
    verdict: str
    paper: str
    belief: float | None = None


def judged_figures(data: Path | None = None, *, progress: Callable[[str], object] = lambda _: None) -> Iterator[JudgedFigure]:
    """The figures of INDRA's rows, by verdict and type, and of ExTRI's."""
    root = data_root(data) / "judged"
    checker = Checker.shipped()
    for name, read in (("indra", indra_rows), ("extri", extri_rows)):
        rows = read(root)
        progress(name)
        numbers = list(checker.numbers([row.claim for row in rows]))
        right = np.array([row.is_right for row in rows])
        papers = [row.paper for row in rows]
        systems = {
            "shipped judge": checker.judge.log_odds(numbers),
            "fitted judge": _fitted(checker, rows, numbers, right),
            "ppi": np.array([one["related"] for one in numbers]),
            "events": np.array([one.get("typed", one["any"]) for one in numbers]),
            "n-grams": _ngrams(rows, right),
        }
        if all(row.belief is not None for row in rows):
            systems["belief of the reader"] = np.array([row.belief for row in rows], np.float64)
        for system, scores in systems.items():
            yield _figure(name, "all", system, right, scores, papers, with_details=True)
        for system in ("shipped judge", "fitted judge", "ppi") if name == "indra" else ():
            for part, kept in _parts(rows):
                yield _figure(name, part, system, right[kept], systems[system][kept], [papers[n] for n in np.flatnonzero(kept)])


def indra_rows(root: Path) -> list[JudgedRow]:
    """The rows of INDRA that name both participants."""
    found = []
    for row in map(json.loads, _lines(root / "indra_dev.jsonl")):
        if row.get("text") and not {row["subject"], row["object"]} & UNKNOWN_NAMES:
            claim = Claim(" ".join(row["text"].split()), row["subject"], row["object"], row["type"])
            verdict, belief = row["verdict"], row.get("belief")
            found.append(JudgedRow(claim, verdict == "correct", verdict, str(row["pmid"]), 0.0 if belief is None else belief))
    return found


def extri_rows(root: Path) -> list[JudgedRow]:
    """The rows of ExTRI: does a transcription factor regulate a gene?"""
    found = []
    for row in csv.DictReader(_lines(root / "extri_dev.tsv"), delimiter="\t"):
        verdict = row["evaluation"].strip()
        if verdict in ("a", "r", "v", "n", "nv") and row["sentence"]:
            factor, gene = (FAMILIES.get(row[part], row[part]) for part in ("TF", "TG"))
            claim = Claim(" ".join(row["sentence"].split()), factor, gene, "Regulation")
            found.append(JudgedRow(claim, verdict in ("a", "r", "v"), verdict, row["id"].split(":")[0]))
    return found


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CorpusError("judged rows are missing", path=path, remedy="set RELHASH_DATA to the data folder") from error


def _folds(rows: Sequence[JudgedRow]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Training and test rows: no paper and no pair of entities of a test row is in its training rows."""
    from sklearn.model_selection import GroupKFold

    pairs = [frozenset((row.claim.subject, row.claim.object)) for row in rows]
    for train, test in GroupKFold(GROUPS).split(rows, groups=[row.paper for row in rows]):
        tested = {pairs[number] for number in test}
        yield np.array([number for number in train if pairs[number] not in tested]), test


def _fitted(checker: Checker, rows: Sequence[JudgedRow], numbers: list[dict[str, float]], right: Bools) -> Floats:
    scores = np.zeros(len(rows))
    for train, test in _folds(rows):
        judge = checker.judge.fitted([numbers[n] for n in train], right[train].tolist(), [rows[n].paper for n in train])
        scores[test] = judge.log_odds([numbers[n] for n in test])
    return scores


def _ngrams(rows: Sequence[JudgedRow], right: Bools) -> Floats:
    """Words, pairs of words and the type, without looking for anybody: what a plain text classifier makes of the rows."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    texts = [f"{row.claim.type} {row.claim.sentence}" for row in rows]
    scores = np.zeros(len(rows))
    for train, test in _folds(rows):
        words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        model = LogisticRegression(C=1.0, solver="liblinear").fit(words.fit_transform([texts[n] for n in train]), right[train])
        scores[test] = model.decision_function(words.transform([texts[n] for n in test]))
    return scores


def _parts(rows: Sequence[JudgedRow]) -> Iterator[tuple[str, Bools]]:
    right = np.array([row.is_right for row in rows])
    for verdict in sorted({row.verdict for row in rows if not row.is_right}):
        yield f"not {verdict}", right | np.array([row.verdict == verdict for row in rows])
    for kind in sorted({row.claim.type for row in rows}):
        of_kind = np.array([row.claim.type == kind for row in rows])
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


def write_figures(figures: Sequence[JudgedFigure], folder: Path) -> None:
    """``judged.json`` in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    own = {"protocol": "judged", "groups": GROUPS, "rows": [asdict(figure) for figure in figures]}
    (folder / "judged.json").write_text(json.dumps(own, indent=1) + "\n", encoding="utf-8")
