"""Which systems are compared, and what the bootstrap says of them: F1 with all labels, AUC with few."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relhash.baselines.registry import BASELINES
from relhash.errors import ParameterError
from relhash.evaluation.finished_cells import Cell
from relhash.evaluation.mcnemar import mcnemar
from relhash.evaluation.run import Run
from relhash.evaluation.samples import Sample, auc_sample, f1_sample
from relhash.evaluation.significance import Difference, Interval, difference, interval
from relhash.evaluation.test_sets import TestSet

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
    ("KLSH-NU-RF", "KLSH-RF-100"),
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
    ("best+contextual", "best"),
    ("best+prior", "best"),
    ("best", "best/no-ngrams"),
    *(("best", rival) for rival in BASELINES),
)
WITH_FEW_LABELS = (
    ("NU+linear", "random+linear"),
    ("NU+forest", "random+forest"),
    ("NU+linear", "random-balanced+linear"),
    ("NU+forest", "random-balanced+forest"),
    ("NU+linear+prior", "random+linear+prior"),
    ("NU+linear+prior", "random-balanced+linear+prior"),
    ("NU+linear+prior", "NU+linear"),
    ("best+prior", "NU+linear+prior"),
    ("best+prior", "best/random-references+prior"),
    ("NU+linear", "ngram-lr"),
    ("NU+forest", "ngram-lr"),
    ("NU+descriptors-linear", "ngram+descriptors-lr"),
    ("best", "ngram+descriptors-lr"),
    ("best", "descriptors-forest"),
    ("best", "kernel-svm"),
    ("best+prior", "best"),
    ("best+prior", "descriptors-forest"),
    ("best+prior", "descriptors-forest+prior"),
    ("best+prior", "ngram+descriptors-lr+prior"),
    ("best+contextual", "ngram+descriptors-lr"),
    ("best+contextual", "descriptors-forest"),
    ("best+contextual", "kernel-svm"),
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
