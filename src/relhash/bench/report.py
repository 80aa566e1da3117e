"""From the cells of a run to rows, differences, notes, files and figures.

Systems are compared by F1 with all labels and by AUC with few, by one bootstrap over documents and seeds; McNemar's test stands
beside it as the literature reports it. Curves over numbers of labels say what a label is worth.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from relhash.bench.cells import Cell, Run, TestSet
from relhash.bench.rivals.registry import BASELINES
from relhash.bench.tables import Report, aggregate, listed, overview
from relhash.errors import ParameterError
from relhash.learn.metrics import precision_recall_f1
from relhash.show.plots import bars, curves
from relhash.show.provenance import provenance
from relhash.show.significance import Difference, Interval, Sample, auc_sample, difference, f1_sample, interval

PLAIN = ("ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "kernel-svm")
"""Rivals that learn from the labels alone."""


def label_efficiency(rows: Sequence[Mapping[str, Any]], at: int = 100) -> list[str]:
    """How many labels the best plain baseline, and n-grams, need for the AUC that ours has with ``at`` labels."""
    notes = []
    for direction in dict.fromkeys(row["direction"] for row in rows):
        here = [row for row in rows if row["direction"] == direction]
        best_plain, ngrams = (_highest(here, names) for names in (PLAIN, PLAIN[:1]))
        for ours in ("best+prior", "best+encoder", "best", "NU+linear"):
            for row in here:
                if (row["system"], row["labels"]) == (ours, at) and best_plain:
                    worth = f"{_worth(best_plain, row['auc'])} of the best plain baseline"
                    worth += f", {_worth(ngrams, row['auc'])} of n-grams" if ngrams else ""
                    notes.append(f"{direction}: {at} labels of {ours} (AUC {row['auc']:.3f}) are worth {worth}")
    return notes


def _highest(rows: Sequence[Mapping[str, Any]], systems: Sequence[str]) -> dict[int, float]:
    """The highest AUC of some systems by number of labels."""
    highest: dict[int, float] = {}
    for row in rows:
        if row["system"] in systems:
            highest[row["labels"]] = max(highest.get(row["labels"], 0.0), row["auc"])
    return highest


def _worth(curve: Mapping[int, float], auc: float) -> str:
    needed = labels_for(curve, auc)
    return f"more than {max(curve)}" if needed is None else f"about {needed:.0f}"


def labels_for(curve: Mapping[int, float], auc: float) -> float | None:
    """Number of labels at which a curve reaches an AUC, between its points on a logarithmic scale; None if it never does.

    >>> labels_for({100: 0.6, 400: 0.7}, 0.65)
    200.0
    """
    counts = sorted(curve)
    heights = np.maximum.accumulate([curve[count] for count in counts])
    if auc > heights[-1]:
        return None
    return float(np.round(np.exp(np.interp(auc, heights, np.log(counts))), 6))


def mcnemar(y: ArrayLike, first: ArrayLike, second: ArrayLike) -> float:
    """Exact two-sided p-value of McNemar's test: do the two systems err equally often?

    It treats candidates as independent, which those of one sentence are not; the paired bootstrap is the one to believe.

    >>> round(mcnemar([1] * 10, [1] * 10, [0] * 8 + [1] * 2), 4)
    0.0078
    """
    from scipy.stats import binomtest

    gold = np.asarray(y).astype(bool)
    first_right, second_right = np.asarray(first).astype(bool) == gold, np.asarray(second).astype(bool) == gold
    only_first = int(np.count_nonzero(first_right & ~second_right))
    only_second = int(np.count_nonzero(second_right & ~first_right))
    if only_first + only_second == 0:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)


MEAN = "mean"
"""Stands in the place of a direction for the mean of all."""
AT = (50, 100, 200, 500)
"""Numbers of labels at which systems are compared."""

WITH_ALL_LABELS = (
    ("KLSH-NU-RF", "random"),
    ("KLSH-NU-RF", "random-balanced"),
    ("random-balanced", "random"),
    ("one-sequence", "KLSH-NU-RF"),
    ("KLSH-NU-RF", "KLSH-RF"),
    ("KLSH-NU-RF", "KLSH-NU-RF-inductive"),
    ("KLSH-NU-RF-inductive", "KLSH-NU-RF-unadapted"),
    ("best", "best-inductive"),
    ("best-inductive", "best-unadapted"),
    ("NLSH-NU-RF", "KLSH-NU-RF"),
    ("NLSH-NU-RF+views", "Adv-CNN"),
    ("KLSH-NU-RF+views", "Adv-CNN"),
    *(
        ("best", rival)
        for rival in ("ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "nystroem-lr", "kernel-svm", "KLSH-NU-RF")
    ),
    ("best+encoder", "best"),
    ("best+encoder", "encoder"),
    ("best+encoder+prior", "best+prior"),
    ("best+prior", "best"),
    ("best", "best/no-ngrams"),
    *(("best", rival) for rival in BASELINES),
)
WITH_FEW_LABELS = (
    ("NU+linear", "random+linear"),
    ("NU+linear", "random-balanced+linear"),
    ("NU+linear+prior", "random+linear+prior"),
    ("NU+linear+prior", "random-balanced+linear+prior"),
    ("NU+linear+prior", "NU+linear"),
    ("best+prior", "NU+linear+prior"),
    ("NU+linear", "ngram-lr"),
    ("best", "ngram+descriptors-lr"),
    ("best", "descriptors-forest"),
    ("best", "kernel-svm"),
    ("best+prior", "best"),
    ("best+prior", "descriptors-forest"),
    ("best+prior", "descriptors-forest+prior"),
    ("best+prior", "ngram+descriptors-lr+prior"),
    ("best+encoder", "best"),
    ("best+encoder+prior", "best+prior"),
    ("best+encoder", "ngram+descriptors-lr"),
    ("best+encoder", "descriptors-forest"),
    ("best+encoder", "kernel-svm"),
)


@dataclass(frozen=True)
class Comparison:
    """One system minus another in one direction (or the mean of all), with so many labels (``None``: all)."""

    first: str
    second: str
    figure: str
    direction: str
    labels: int | None
    found: Difference
    mcnemar: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {
            "first": self.first, "second": self.second, "figure": self.figure, "direction": self.direction,
            "labels": self.labels, "value": self.found.value, "low": self.found.low, "high": self.found.high,
            "p": self.found.p_value, "resampled": self.found.resampled, "seeds": self.found.n_seeds,
            "undefined": self.found.undefined, "decided": self.found.is_decided, "mcnemar": self.mcnemar,
        }  # fmt: skip

    def __str__(self) -> str:
        with_labels = "" if self.labels is None else f" {self.labels} labels"
        verdict = "" if self.found.is_decided else ", not decided"
        extra = "" if self.mcnemar is None else f", McNemar p = {self.mcnemar:.3f}"
        return f"{self.direction}{with_labels} {self.found}, p = {self.found.p_value:.4f}{extra}{verdict}"


@dataclass(frozen=True, eq=False)
class Judged:
    """What one system said of a test set: gold labels, labels and ranks (one row per run), documents, and the runs' groups."""

    y: Any
    given: Any
    ranks: Any
    documents: Any
    groups: Sequence[Hashable]

    def sample(self, figure: str, groups: Sequence[Hashable] | None = None) -> Sample:
        own = self.groups if groups is None else groups
        if figure == "auc":
            return auc_sample(self.y, self.ranks, self.documents, own)
        return f1_sample(self.y, self.given, self.documents, own)


def judged(run: Run, system: str, direction: str, labels: int | None = None) -> Judged | None:
    """All runs of a system in one direction, folds put together; nothing if it did not run there."""
    own = [c for c in run.cells if (c.system, c.direction, c.labels) == (system, direction, labels) and c.given is not None]
    if not own:
        return None
    by_seed: dict[int, dict[int, Cell]] = {}
    for cell in own:
        by_seed.setdefault(cell.seed, {})[cell.fold] = cell
    folds = sorted({cell.fold for cell in own})
    tests: dict[int, TestSet] = {test.fold: test for test in run.tests if test.direction == direction}
    whole = [seed for seed, members in sorted(by_seed.items()) if set(members) == set(folds)]
    cells = [[by_seed[seed][fold] for fold in folds] for seed in whole]
    known = [members[0].ranks for members in cells if len(folds) == 1 and members[0].ranks is not None]
    ranks = np.stack(known) if len(known) == len(cells) else None
    return Judged(
        np.concatenate([tests[fold].y for fold in folds]),
        np.stack([np.concatenate([cell.given for cell in members]) for members in cells]),
        ranks,
        np.concatenate([tests[fold].documents for fold in folds]),
        [seed if members[0].group is None else members[0].group for seed, members in zip(whole, cells, strict=True)],
    )


def f1_interval(run: Run, system: str, direction: str) -> Interval | None:
    """F1 of a system in one direction; nothing if it did not run there, or if the test set is too small to resample."""
    found = judged(run, system, direction)
    try:
        return None if found is None else interval(found.sample("f1"), n_resamples=1000)
    except ParameterError:
        return None


def comparisons(run: Run) -> Iterator[Comparison]:
    """Every pair of systems that is worth it and has run, in the mean of all directions and in each."""
    few = bool(run.protocol.label_counts)
    figure = "auc" if few else "f1"
    directions = list(dict.fromkeys(test.direction for test in run.tests))
    samples: dict[tuple[str, str, int | None], Judged | None] = {}

    def known(system: str, direction: str, labels: int | None) -> Judged | None:
        if (system, direction, labels) not in samples:
            samples[system, direction, labels] = judged(run, system, direction, labels)
        return samples[system, direction, labels]

    for first, second in WITH_FEW_LABELS if few else WITH_ALL_LABELS:
        for labels in AT if few else (None,):
            pairs = {}
            for direction in directions:
                one, other = known(first, direction, labels), known(second, direction, labels)
                if one is not None and other is not None and not (few and (one.ranks is None or other.ranks is None)):
                    pairs[direction] = one, other
            yield from _compared(first, second, figure, labels, pairs)


def _compared(
    first: str, second: str, figure: str, labels: int | None, pairs: Mapping[str, tuple[Judged, Judged]]
) -> Iterator[Comparison]:
    tests = {direction: _paired(one, other, figure) for direction, (one, other) in pairs.items()}
    chosen = {MEAN: list(tests.values()), **{direction: [test] for direction, test in tests.items()}} if len(tests) > 1 else {}
    for direction, own in (chosen or {direction: [test] for direction, test in tests.items()}).items():
        try:
            found = difference(own, n_resamples=2000 if figure == "f1" else 600)
        except ParameterError:  # too little to resample, as toy corpora are: no interval is better than a wrong one
            continue
        exact = None
        if direction != MEAN and figure == "f1":
            one, other = pairs[direction]
            exact = mcnemar(one.y, one.given[0], other.given[0])
        yield Comparison(first, second, figure, direction, labels, found, exact)


def _paired(one: Judged, other: Judged, figure: str) -> tuple[Sample, Sample]:
    """Both samples; where one of them has codes that draws share, draws of both are grouped by these codes."""
    groups = list(one.groups), list(other.groups)
    if len(groups[0]) == len(groups[1]) and groups[0] != groups[1]:
        coarser = min(groups, key=lambda own: len(set(own)))
        groups = coarser, coarser
    return one.sample(figure, groups[0]), other.sample(figure, groups[1])


def rows_of(run: Run) -> list[dict[str, Any]]:
    """One row per system, direction and variant (and number of labels): means over seeds."""
    flat = []
    for cell in _pooled(run):
        for variant, figures in cell.figures.items():
            # the paper judges interactions among its candidates, not whether a pair interacts at all
            paper = None if variant in ("pairs", "stated", "any-word") else run.system(cell.system).paper_f1.get(cell.direction)
            flat.append(
                {
                    "system": cell.system, "direction": cell.direction, "variant": variant, "seconds": cell.seconds,
                    "paper_f1": paper, "labels": cell.labels, "chosen": cell.chosen, **figures,
                }
            )  # fmt: skip
    by = ["system", "direction", "variant"] + (["labels"] if run.protocol.label_counts else [])
    rows = aggregate(flat, by)
    chosen = Counter((one["system"], one["direction"], one["chosen"]) for one in flat if one["variant"] == "all")
    for row in rows:
        own = {name: n for (*place, name), n in chosen.items() if place == [row["system"], row["direction"]] and name}
        row["chosen"] = "; ".join(f"{name} ×{n}" for name, n in sorted(own.items(), key=lambda one: -one[1]))
        if not run.protocol.label_counts:
            row.pop("labels", None)
            found = f1_interval(run, row["system"], row["direction"]) if row["variant"] == "all" else None
            row["f1_interval"] = None if found is None else [round(found.low, 4), round(found.high, 4)]
    return rows


_COLUMNS = {
    "precision": "P", "recall": "R", "f1": "F1", "f1_oracle": "oracle", "f1_at_half": "at 0.5", "auc": "AUC", "seconds": "s",
    "paper_f1": "paper",
}  # fmt: skip
"""Columns of figures, with short headings for the terminal, so that no name of a system is cut off."""
MANY = 12
"""More systems than this are printed one per line; every figure is in the files."""


def finish(run: Run, out: Path | None) -> Report:
    """Rows, tables and notes of a run; written with a picture to ``out`` if given."""
    chosen, rows = run.protocol, rows_of(run)
    compared = list(comparisons(run))
    notes = [*run.notes, *_said(compared), *_subset_tests(run)]
    if chosen.label_counts:
        notes += label_efficiency(rows)
    systems = dict.fromkeys(row["system"] for row in rows)
    notes += [f"{name}: {run.system(name).summary}" for name in systems]
    columns = ["system", "direction", "labels" if chosen.label_counts else "variant", *_COLUMNS]
    shown = replace(listed(rows, columns, _COLUMNS), title=chosen.summary)
    tables = [listed(rows, columns)]
    if chosen.label_counts:
        picture = partial(curves, rows, title="AUC on the other corpus by number of labels (mean ± sd of draws)")
    else:
        tables.insert(0, overview(rows, "F1 (precision, recall), mean of the seeds, beside the paper's F1."))
        picture = partial(bars, [row for row in rows if row["variant"] == "all"], title=chosen.summary)
        if len(systems) > MANY:
            shown = replace(tables[0], title=f"{chosen.summary}: F1 (precision, recall)")
    report = Report(
        chosen.name, chosen.name, rows, tables, notes, {"differences": [one.as_dict() for one in compared]},
        pictures={f"{chosen.name}.png": picture}, shown=[shown],
    )  # fmt: skip
    if out is not None:
        replace(report, made=_made(run, out / f"{chosen.name}.json")).write(out)
    return report


def _made(run: Run, file: Path) -> dict[str, Any]:
    """Who made the results; a run that is read from its files leaves what its results say of that, but for its cells: they may
    have become more."""
    known = json.loads(file.read_text(encoding="utf-8")).get("made") if run.dataset is None and file.exists() else None
    cells = [cell.made for cell in run.cells]
    return {**known, "cells": dict(Counter(cells))} if known else provenance(run.parsed_by, cells)


def _pooled(run: Run) -> list[Cell]:
    """Cells with the folds of one direction and seed put together: F1 of all test candidates, not a mean of folds."""
    if run.protocol.split not in ("folds", "clusters"):
        return run.cells
    groups: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in run.cells:
        groups.setdefault((cell.system, cell.direction, cell.seed), []).append(cell)
    pooled = []
    for (system, direction, seed), members in groups.items():
        own = judged(replace(run, cells=members), system, direction)
        if own is None:
            continue
        precision, recall, f1 = precision_recall_f1(own.y, own.given[0])
        means = {
            name: float(np.mean([cell.figures["all"][name] for cell in members]))
            for name in ("auc", "average_precision", "f1_oracle", "f1_at_half")
        }
        figures = {"all": {**means, "precision": precision, "recall": recall, "f1": f1}}
        pooled.append(Cell(system, direction, 0, seed, None, sum(c.seconds for c in members), figures, own.given[0]))
    return pooled


def _said(compared: Sequence[Comparison]) -> list[str]:
    """One line for each pair of systems."""
    said: dict[tuple[str, str], list[Comparison]] = {}
    for one in compared:
        said.setdefault((one.first, one.second), []).append(one)
    names = {"f1": "F1", "auc": "AUC"}
    return [
        f"{names[own[0].figure]} of {first} minus {second}, {own[0].found.resampled} resampled together: "
        + "; ".join(map(str, own))
        for (first, second), own in said.items()
    ]


def _subset_tests(run: Run) -> list[str]:
    """Wilcoxon's signed-rank test of two systems over given subsets, as the paper pairs them."""
    if run.protocol.split != "subsets":
        return []
    from scipy.stats import wilcoxon

    f1 = aggregate(({"system": c.system, "fold": c.fold, **c.figures["all"]} for c in run.cells), ("system", "fold"))
    notes = []
    for pair in WITH_ALL_LABELS:
        values = [[row["f1"] for row in f1 if row["system"] == name] for name in pair]
        if values[0] and len(values[0]) == len(values[1]) and values[0] != values[1]:
            p_value = float(wilcoxon(*values).pvalue)
            notes.append(f"F1 of {pair[0]} against {pair[1]} over {len(values[0])} subsets, signed ranks: p = {p_value:.3f}")
    return notes
