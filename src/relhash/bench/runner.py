"""Runs a protocol cell by cell and keeps each finished cell.

A cell is one system, direction, seed (and number of labels). Its result is a line of ``<protocol>.cells.jsonl`` in the output
folder the moment it is finished, so an interrupted run goes on where it stopped, and one with more seeds only adds to it. A run
that another protocol left in the same folder counts too, if program, settings and candidates were the same. A cell has figures
over all candidates of its test set, and over what else a protocol counts by; what training and test text have in common, and
would make a result look better than it is, is counted first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from relhash.bench.bench import Bench
from relhash.bench.cells import CELLS, TESTS, Cell, CellFile, Run, TestSet, cell_key, ranks_of, task_fingerprint, write_tests
from relhash.bench.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.bench.datasets.prepared import PREPARED
from relhash.bench.protocols import Protocol, Task, tasks
from relhash.bench.rivals import BASELINES
from relhash.bench.rivals.registry import is_installed, remedy
from relhash.bench.systems.listed import SYSTEMS, is_system
from relhash.bench.systems.listed import system as system_named
from relhash.bench.systems.system import Outcome, System, Work
from relhash.candidates.candidate import Candidate
from relhash.candidates.shared_sentences import plain_text, sentence_key
from relhash.errors import DataMissingError, ParameterError
from relhash.learn.metrics import f1_score, measure
from relhash.model.reading.reader import FILE
from relhash.processes import end_with_parent
from relhash.show.provenance import made_now

ALL = "all"
"""The name that stands for every system of the paper's table, ours, and what a user would pick today."""

IN_PAPER = {
    False: (
        "SVM-Airola2008", "SVM-Miwa2009", "SVM-Tikk2010", "CNN-Nguyen2015", "BiLSTM-Kavuluru2017", "CNN-Peng2017",
        "RNN-Hsieh2017", "CNN-RevGrad", "BiLSTM-RevGrad", "Adv-CNN", "Adv-BiLSTM", "KLSH-kNN", "KLSH-RF", "SSL-VAE",
        "KLSH-NU-RF",
    ),
    True: (
        "SVM-Garg2016", "LSTM-Rao2017", "LSTM-Garg2019", "BiLSTM-Garg2019", "LSTM-CNN-Garg2019", "CNN-Garg2019", "KLSH-kNN",
        "KLSH-RF", "SSL-VAE", "KLSH-NU-RF",
    ),
}  # fmt: skip
"""The rows of the paper's first table (pairs), and of its second (candidates with roles)."""
_OURS = ("NLSH-NU-RF", "best")
_TODAY = ("random", "random-balanced", "ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "nystroem-lr")
"""And every baseline that the paper does not have."""
_WITH_INTERACTIONS = ("NLSH-NU-RF", "best", "random", "random-balanced", "ngram-lr")
"""Ours and what a user would pick today, on interactions; the others can be named."""


def all_systems(protocol: Protocol) -> list[str]:
    """Names of all systems for a protocol.

    >>> from relhash.bench.protocols import PROTOCOLS
    >>> "SVM-Tikk2010" in all_systems(PROTOCOLS["ppi-cross"]), "SVM-Tikk2010" in all_systems(PROTOCOLS["bionlp"])
    (True, False)
    """
    if protocol.has_roles:
        return [*IN_PAPER[True], *_WITH_INTERACTIONS]
    return [*IN_PAPER[False], *_OURS, *_TODAY, *(name for name in BASELINES if not BASELINES[name].paper_f1)]


def choose_systems(names: Sequence[str] | None, protocol: Protocol) -> tuple[list[System], list[str]]:
    """Systems by name (the protocol's own if not given), and a note for each of :data:`ALL` that cannot run here.

    Each looks at candidates as the protocol has them: ``best`` is the same system whether it is named or part of the table. A
    system that is named and cannot run is an error; one that is only part of all is left out.
    """
    given = list(protocol.systems) if names is None else list(names)
    wanted = dict.fromkeys(one for name in given for one in (all_systems(protocol) if name == ALL else [name]))
    unknown = [name for name in wanted if not is_system(name)]
    if unknown:
        raise ParameterError(f"systems: there is no {', '.join(unknown)}; there are {ALL}, {', '.join(SYSTEMS)}")
    systems = {name: system_named(name, has_roles=protocol.has_roles) for name in wanted}
    missing = {name: one.needs for name, one in systems.items() if not is_installed(one.needs)}
    for name in given:
        if name in missing:
            raise DataMissingError(f"systems: {name} needs what is not installed: {remedy(missing[name])}")
    notes = [f"{name} was left out, what it needs is not installed: {remedy(extra)}" for name, extra in missing.items()]
    chosen = [one for name, one in systems.items() if name not in missing]
    if not chosen:
        raise ParameterError("systems: none is left to run")
    return chosen, notes


def figures_of(
    dataset: Dataset,
    task: Task,
    masks: Mapping[str, NDArray[np.bool_]],
    scores: NDArray[np.float64],
    labels: NDArray[np.bool_],
) -> dict[str, dict[str, Any]]:
    """By variant: each of ``masks`` (which candidates count), and, where the data has them, pairs, all that is stated, and
    interactions whatever their word."""
    y = dataset.y[task.test]
    figures = {}
    for variant, mask in masks.items():
        figures[variant] = measure(y[mask], scores[mask], labels[mask]).as_dict()
        figures[variant]["f1_at_half"] = f1_score(y[mask], scores[mask] >= 0.5)
    if dataset.pairs is not None:
        figures["pairs"] = measure(*by_pair(dataset.pairs[task.test], y, scores, labels)).as_dict()
    if dataset.unreached:
        unreached = dataset.unreached.get(task.fold, 0)
        figures["stated"] = measure(*with_unreached(unreached, y, scores, labels)).as_dict()
    if (wordless := dataset.any_word) is not None:
        said = by_pair(wordless.numbers[task.test], wordless.stated[task.test], scores, labels)
        figures["any-word"] = measure(*with_unreached(wordless.unreached.get(task.fold, 0), *said)).as_dict()
    return figures


def by_pair(
    pairs: NDArray[np.int64], y: NDArray[np.bool_], scores: NDArray[np.float64], labels: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    """Gold, scores and labels of pairs: a pair is related if one of its candidates is, and as likely as the likeliest.

    ``pairs`` has the number of each candidate's pair, or of anything else that several candidates are about.
    """
    _, rows = np.unique(pairs, return_inverse=True)
    gold, given = np.zeros(rows.max() + 1, bool), np.zeros(rows.max() + 1, bool)
    best = np.full(rows.max() + 1, -np.inf)
    np.logical_or.at(gold, rows, y)
    np.logical_or.at(given, rows, labels)
    np.maximum.at(best, rows, scores)
    return gold, best, given


def with_unreached(
    unreached: int, y: NDArray[np.bool_], scores: NDArray[np.float64], labels: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    """Gold, scores and labels with so many relations more that are stated and were never found."""
    lowest = np.full(unreached, min(scores.min(initial=0.0), 0.0) - 1.0)
    return np.append(y, np.ones(unreached, bool)), np.append(scores, lowest), np.append(labels, np.zeros(unreached, bool))


def leakage(train: Sequence[Candidate], test: Sequence[Candidate]) -> str:
    """What the candidates of two corpora share, in words; spacing, punctuation and case of the text do not matter."""
    by_id = [{candidate.document.id: candidate.document for candidate in own} for own in (train, test)]
    seen, tested = ([plain_text(document.text) for document in own.values()] for own in by_id)
    is_new = without_shared(train, test)
    sentences = len({sentence_key(candidate) for candidate, new in zip(test, is_new, strict=True) if not new})
    documents = sum(text in set(seen) for text in tested)
    if not (documents or sentences):
        return "no sentence of the test text is in the training text"
    return (
        f"{sentences} sentences ({int((~is_new).sum())} candidates) and {documents} documents "
        "of the test text are also in the training text"
    )


def without_shared(train: Sequence[Candidate], test: Sequence[Candidate]) -> NDArray[np.bool_]:
    """Which test candidates stand in sentences that the training candidates do not have."""
    seen = {sentence_key(candidate) for candidate in train}
    return np.array([sentence_key(candidate) not in seen for candidate in test], bool)


CODE_SEEDS = 4
"""In protocols with few labels, draw ``d`` uses the codes of seed ``d`` modulo this: codes are dearer than draws."""


def run_protocol(
    protocol: Protocol,
    *,
    data: Path | None = None,
    dataset: Dataset | None = None,
    parses: str = FILE,
    systems: Sequence[str] | None = None,
    seeds: int | None = None,
    out: Path | None = None,
    n_jobs: int | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Run:
    """Run what is not finished yet and return all cells.

    ``dataset`` takes the place of what the protocol finds below the data root, ``systems`` and ``seeds`` that of the protocol's
    own. ``parses`` says whose parses the corpora get, as in :class:`~relhash.model.RelationExtractor`. Finished cells are kept
    in the folder ``out``; ``progress`` is called with a remark, the cells done and their number.
    """
    if not systems and parses != FILE:
        systems = [*protocol.systems, *protocol.prior_systems]
    chosen, left_out = choose_systems(systems or None, protocol)
    n_seeds = protocol.seeds if seeds is None else seeds
    if n_seeds < 1:
        raise ParameterError(f"seeds: at least 1 is needed, not {n_seeds}")
    if dataset is None:
        dataset = _dataset(protocol, data_root(data), parses)
    elif parses != FILE:
        raise ParameterError(f"parses: the data of {protocol.name} is prepared already, so it keeps the parses that it has")
    todo = list(tasks(protocol, dataset))
    tests = [TestSet.of(dataset, task) for task in todo]
    run = Run(protocol, tests, chosen, notes=[*dataset.notes, *left_out], parsed_by=dataset.parsed_by, dataset=dataset)
    fresh = [dataset.candidates[row] for row in todo[0].train], [dataset.candidates[row] for row in todo[0].test]
    run.notes.append(f"leakage, {todo[0].direction}: {leakage(*fresh)}")
    if any(system.uses_prior for system in chosen) and dataset.prior is None:
        from relhash.bench.systems.prior_votes import protocol_prior

        if progress is not None:
            progress("learning the prior from NERO and BioNLP", 0, 0)
        dataset.prior = protocol_prior(dataset, data_root(data), out, n_jobs=n_jobs)
    if dataset.prior is not None:
        run.notes += dataset.prior.notes
    store = CellFile(None if out is None else out / f"{protocol.name}{CELLS}")
    if out is not None:
        about = {"notes": run.notes, "parsed_by": run.parsed_by}
        write_tests(out / f"{protocol.name}{TESTS}", protocol.name, tests, about)
    fingerprints = {id(task): task_fingerprint(dataset, task) for task in todo}
    plan = list(_plan(protocol, chosen, todo, n_seeds))
    shared_by = todo[0]
    seedless: dict[str, Any] = {}
    for task, seed, wanted in _by_bench(plan):
        if task is not shared_by:
            shared_by, seedless = task, {}
        keys = {one: _key(protocol, one, seed, fingerprints[id(task)], dataset) for one in wanted}
        missing = [one for one in wanted if keys[one] not in store.finished]
        done = len(wanted) - len(missing)
        bench = Bench(dataset, task, seed, n_jobs=n_jobs, seedless=seedless)
        for one, cell in _measured(bench, protocol, missing):
            store.add(keys[one], cell)
            done += 1
            if progress is not None:
                progress(f"{cell.system} {task.direction} seed {cell.seed}", len(run.cells) + done, len(plan))
        run.cells += [store.taken(keys[one]) for one in wanted]
    return run


def _dataset(protocol: Protocol, root: Path, parses: str) -> Dataset:
    if not protocol.prepared:
        return Dataset([read_benchmark_corpus(root, name) for _, name in protocol.corpora], parses=parses)
    if parses != FILE:
        raise ParameterError(f"parses: {protocol.name} prepares its own; leave --parses out")
    return PREPARED[protocol.prepared](root)


Wanted = tuple[System, int, int | None]


def _plan(
    protocol: Protocol, systems: Sequence[System], todo: Sequence[Task], n_seeds: int
) -> Iterator[tuple[Task, int, Wanted]]:
    """Every cell: its task, the seed of its codes, and the system with draw and number of labels."""
    for task in todo:
        for draw in range(n_seeds):
            for system in systems:
                if protocol.label_counts and not system.needs_labels:
                    if draw == 0:
                        yield task, 0, (system, 0, 0)
                elif not protocol.label_counts:
                    if draw == 0 or not system.deterministic:
                        yield task, draw, (system, draw, None)
                else:
                    most = len(task.train)
                    for n_labels in protocol.label_counts:
                        if n_labels <= most:
                            yield task, draw % CODE_SEEDS, (system, draw, n_labels)


def _by_bench(plan: Sequence[tuple[Task, int, Wanted]]) -> Iterator[tuple[Task, int, list[Wanted]]]:
    """The plan ordered so that cells with the same task and seed, which share features, follow each other."""
    groups: dict[tuple[int, int], tuple[Task, int, list[Wanted]]] = {}
    for task, seed, wanted in plan:
        groups.setdefault((id(task), seed), (task, seed, []))[2].append(wanted)
    yield from groups.values()


def _measured(bench: Bench, protocol: Protocol, wanted: Sequence[Wanted]) -> Iterator[tuple[Wanted, Cell]]:
    """Run cells that share a bench: features here, on threads, one system after the other; classifiers in processes."""
    if not wanted:
        return
    dataset, task = bench.dataset, bench.task
    y = dataset.y[task.test]
    masks = {"all": np.ones(y.size, bool)}
    if protocol.without_shared:
        train, test = ([dataset.candidates[row] for row in rows] for rows in (task.train, task.test))
        masks["no-shared"] = without_shared(train, test)
    groups: dict[tuple[System, int], list[Wanted]] = {}
    for one in wanted:
        groups.setdefault((one[0], one[1]), []).append(one)
    own_process = os.getpid()
    jobs = (
        delayed(_run)(system.work(bench, draw), [one[2] for one in own], own_process) for (system, draw), own in groups.items()
    )
    # a small number of jobs at a time: each holds the features of its system
    results = Parallel(n_jobs=bench.n_jobs, return_as="generator", pre_dispatch="n_jobs + 1", batch_size=1)(jobs)
    for own, outcomes in zip(groups.values(), results, strict=True):
        for one, outcome in zip(own, outcomes, strict=True):
            system, draw, n_labels = one
            figures = figures_of(dataset, task, masks, outcome.scores, outcome.labels)
            group = bench.seed if system.has_codes else draw
            kept = {"given": outcome.labels, "ranks": ranks_of(outcome.scores), "group": group, "made": made_now()}
            cell = Cell(system.name, task.direction, task.fold, draw, n_labels, outcome.seconds, figures, **kept)
            yield one, replace(cell, chosen=outcome.chosen)


def _run(work: Work, label_counts: Sequence[int | None], asked_by: int) -> list[Outcome]:
    if os.getppid() == asked_by:  # in a worker
        end_with_parent()
    return [work(n_labels) for n_labels in label_counts]


def _key(protocol: Protocol, wanted: Wanted, seed: int, fingerprint: str, dataset: Dataset) -> str:
    """Identity of a cell; the protocol counts only by the variants that it reports."""
    system, draw, n_labels = wanted
    also: list[str | bool] = [protocol.without_shared]
    if system.uses_prior and dataset.prior is not None:
        also.append(dataset.prior.fingerprint)
    return cell_key(system, fingerprint, seed=seed, draw=draw, n_labels=n_labels, also=also)
