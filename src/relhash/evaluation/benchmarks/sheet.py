"""``relhash benchmark sheet``: what each threshold rule makes of a sheet of picked labels, beside the oracle threshold.

Codes and other features are made once for each pair of corpora, with one seed; a draw refits the classifier alone. The scores
of each draw are kept, so that an interrupted run goes on where it stopped, and a new rule costs nothing. A prior is just
another array of scores for the same text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.evaluation.bench import Bench, Features
from relhash.evaluation.benchmarks.sheet_rules import RULES, PriorView, Sheet
from relhash.evaluation.cell_keys import program_digest
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.datasets.sheets import DRAWN, draw_sheet, sheet_tasks
from relhash.evaluation.protocols import Task
from relhash.evaluation.provenance import provenance, shipped_parses
from relhash.evaluation.systems.prior_votes import PriorVotes
from relhash.files import replacing
from relhash.learning import CommitteeClassifier, ForestClassifier
from relhash.learning.decision import Decision
from relhash.learning.metrics import oracle_threshold, precision_recall_f1
from relhash.models.presets import PRESETS, Preset

SIZES = (30, 60, 120, 240)
DRAWS = 20


@dataclass(frozen=True, slots=True)
class SheetFigure:
    """Means over the draws of one kind of sheet under one rule."""

    direction: str
    drawn: str
    rows: int
    rule: str
    f1: float
    precision: float
    recall: float
    accepted: float
    f1_oracle: float
    precision_oracle: float
    too_imprecise: float
    """Share of draws whose precision is below .4 where that of the oracle threshold is not."""
    draws: int


def sheet_figures(
    dataset: Dataset,
    *,
    draws: int = DRAWS,
    sizes: Sequence[int] = SIZES,
    out: Path | None = None,
    tasks: Sequence[Task] | None = None,
    priors: Mapping[str, PriorView] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Iterator[SheetFigure]:
    """One figure per direction, kind of sheet, number of rows and rule.

    Parameters
    ----------
    out
        Folder for the scores of finished draws; without it nothing is kept.
    priors
        What a prior model says of the test text, by direction.
    """
    for task in sheet_tasks(dataset) if tasks is None else tasks:
        store = _Scores(None if out is None else out / "sheet.scores", dataset, task)
        gold = dataset.y[task.test]
        beside: dict[str, Any] = {"prior": (priors or {}).get(task.direction), "true_share": float(gold.mean())}
        for size in sizes:
            for drawn in DRAWN:
                results: dict[str, list[tuple[float, ...]]] = {}
                for draw in range(draws):
                    rows = draw_sheet(dataset.y[task.train], size, drawn, draw)
                    sheet = replace(store.sheet(size, drawn, draw), rows=rows, **beside)
                    if progress is not None:
                        progress(f"{task.direction} {size} {drawn} {draw}")
                    for name, rule in RULES.items():
                        if decided := rule(sheet):
                            results.setdefault(name, []).append(_judged(gold, *decided))
                for name, figures in results.items():
                    means = dict(zip(_MEASURED, np.mean(figures, axis=0).tolist(), strict=True))
                    yield SheetFigure(direction=task.direction, drawn=drawn, rows=size, rule=name, draws=draws, **means)


def prior_views(dataset: Dataset, votes: PriorVotes) -> dict[str, PriorView]:
    """What the prior of the protocol says of both texts of each direction."""
    scores = np.asarray(special.expit(votes.log_odds))
    return {
        task.direction: PriorView(scores[task.test], votes.probabilities[task.test], scores[task.train])
        for task in sheet_tasks(dataset)
    }  # fmt: skip


_MEASURED = ("f1", "precision", "recall", "accepted", "f1_oracle", "precision_oracle", "too_imprecise")


def _judged(gold: NDArray[np.bool_], scores: NDArray[np.float64], accepted: NDArray[np.bool_]) -> tuple[float, ...]:
    cut, best = oracle_threshold(gold, scores)
    precision, recall, f1 = precision_recall_f1(gold, accepted)
    of_oracle = precision_recall_f1(gold, scores >= cut)[0]
    return f1, precision, recall, float(accepted.mean()), best, of_oracle, float(precision < 0.4 <= of_oracle)


class _Scores:
    """Scores of sheets on the text of one task, each from its file or made now."""

    def __init__(self, folder: Path | None, dataset: Dataset, task: Task) -> None:
        self.dataset, self.task = dataset, task
        self.folder = None if folder is None else folder / task.direction.replace("→", "-")
        self.preset = _preset()
        known = [program_digest(), dataset.parsed_by, repr(self.preset), task.train.size, task.test.size]
        self.fingerprint = hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]
        self._features: Features | None = None

    def sheet(self, size: int, drawn: str, draw: int) -> Sheet:
        file = None if self.folder is None else self.folder / f"{size}-{drawn}-{draw}.{self.fingerprint}.npz"
        if file is not None and file.exists():
            with np.load(file, allow_pickle=False) as kept:
                return Sheet(kept["y"], kept["held_out"], kept["scores"].astype(np.float64))
        made = self._made(size, drawn, draw)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file, "wb") as handle:
                np.savez_compressed(handle, y=made.y, held_out=made.held_out, scores=made.scores.astype(np.float32))
        return replace(made, scores=made.scores.astype(np.float32).astype(np.float64))

    def _made(self, size: int, drawn: str, draw: int) -> Sheet:
        if self._features is None:
            self._features = Bench(self.dataset, self.task, 0, n_jobs=1).features(self.preset)
        features = self._features
        y, documents = self.dataset.y[self.task.train], self.dataset.documents[self.task.train]
        rows = draw_sheet(y, size, drawn, draw)
        decision = Decision.fit(
            self.preset.decision,
            features.train[rows],
            y[rows],
            documents[rows],
            columns=features.columns,
            random_state=draw,
            n_jobs=1,
        )
        held_out = np.full(rows.size, np.nan) if decision.out_of_fold is None else decision.out_of_fold
        return Sheet(y[rows], held_out, decision.classifier.scores(features.test))


def _preset() -> Preset:
    """The product's own classifier of few labels without its trees, which take 20 times as long for up to .02 AUC."""
    best = PRESETS["best"]
    (committee,) = best.decision.few_label_classifiers
    if not isinstance(committee, CommitteeClassifier):
        raise TypeError("best has no committee for few labels any more")
    members = tuple(member for member in committee.members if not isinstance(member.classifier, ForestClassifier))
    names = {part for member in members for part in member.parts}
    few = replace(best.decision, few_label_classifiers=(CommitteeClassifier(members),))
    return replace(best, parts=tuple(part for part in best.parts if part.name in names), decision=few)


def summary(figures: Sequence[SheetFigure]) -> list[dict[str, Any]]:
    """One row per rule: means over all sheets, the worst mean loss to the oracle, and how often precision falls below .4."""
    rows = []
    for rule in dict.fromkeys(figure.rule for figure in figures):
        own = [figure for figure in figures if figure.rule == rule]
        losses = [figure.f1_oracle - figure.f1 for figure in own]
        rows.append(
            {
                "rule": rule,
                "f1": float(np.mean([figure.f1 for figure in own])),
                "precision": float(np.mean([figure.precision for figure in own])),
                "f1_oracle": float(np.mean([figure.f1_oracle for figure in own])),
                "loss": float(np.mean(losses)),
                "worst_loss": float(np.max(losses)),
                "too_imprecise": float(np.mean([figure.too_imprecise for figure in own])),
            }
        )
    return rows


def markdown(figures: Sequence[SheetFigure]) -> str:
    """The summary, and F1 (precision) of each rule by direction, kind of sheet and number of rows."""
    lines = [
        "| rule | F1 | P | oracle F1 | mean loss | largest mean loss | P < .4, oracle's not |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['rule']} | {row['f1']:.3f} | {row['precision']:.3f} | {row['f1_oracle']:.3f} | {row['loss']:.3f} "
        f"| {row['worst_loss']:.3f} | {row['too_imprecise']:.1%} |"
        for row in summary(figures)
    ]
    rules = list(dict.fromkeys(figure.rule for figure in figures))
    lines += ["", f"| direction | drawn | rows | oracle | {' | '.join(rules)} |", "|---" * (4 + len(rules)) + "|"]
    places: dict[tuple[str, str, int], dict[str, SheetFigure]] = {}
    for figure in figures:
        places.setdefault((figure.direction, figure.drawn, figure.rows), {})[figure.rule] = figure
    for (direction, drawn, size), own in places.items():
        first = next(iter(own.values()))
        cells = [f"{own[rule].f1:.3f} ({own[rule].precision:.2f})" if rule in own else "" for rule in rules]
        lines.append(f"| {direction} | {drawn} | {size} | {first.f1_oracle:.3f} ({first.precision_oracle:.2f}) "
                     f"| {' | '.join(cells)} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def write_figures(figures: Sequence[SheetFigure], folder: Path) -> None:
    """``sheet.json`` and ``sheet.md``."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, made = [asdict(figure) for figure in figures], provenance(shipped_parses())
    with replacing(folder / "sheet.json") as handle:
        json.dump({"protocol": "sheet", "made": made, "summary": summary(figures), "rows": rows}, handle, indent=1)
    with replacing(folder / "sheet.md") as handle:
        handle.write(f"# Threshold rules on sheets of picked labels\n\n{markdown(figures)}")
