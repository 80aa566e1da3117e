"""Runs a protocol cell by cell and keeps each finished cell.

A cell is one system, direction, seed (and number of labels). Its result is a line of ``<protocol>.cells.jsonl`` in the output
folder the moment it is finished, so an interrupted run goes on where it stopped, and one with more seeds only adds to it. A run
that another protocol left in the same folder counts too, if program, settings and candidates were the same
(:mod:`relhash.evaluation.cell_keys`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from relhash.errors import ParameterError
from relhash.evaluation.bench import Bench
from relhash.evaluation.cell_figures import figures_of
from relhash.evaluation.cell_keys import cell_key, task_fingerprint
from relhash.evaluation.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.evaluation.datasets.prepared import PREPARED
from relhash.evaluation.finished_cells import CELLS, Cell, CellFile, ranks_of
from relhash.evaluation.leakage import leakage, without_shared
from relhash.evaluation.paper_tables import choose_systems
from relhash.evaluation.protocols import Protocol, Task, tasks
from relhash.evaluation.provenance import made_now
from relhash.evaluation.run import Run
from relhash.evaluation.systems.system import Job, Outcome, System
from relhash.evaluation.test_sets import TESTS, TestSet, write_tests
from relhash.models.reading.parse_settings import FILE
from relhash.orphans import end_with_parent

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
    progress: Callable[[str, int, int], None] | None = None,
) -> Run:
    """Run what is not finished yet and return all cells.

    Parameters
    ----------
    data
        The data root; see :func:`~relhash.evaluation.datasets.dataset.data_root`.
    dataset
        The prepared data, in place of what the protocol finds below the data root.
    parses
        Whose parses the corpora get, as in :class:`~relhash.models.RelationExtractor`: ``"file"``, ``"embedded"``, or those of
        a spaCy model.
    systems, seeds
        In place of the protocol's own.
    out
        Folder for finished cells; without it nothing is kept.
    progress
        Called with a remark, the cells done and their number.
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
        from relhash.evaluation.systems.prior_votes import protocol_prior

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
        delayed(_run)(system.job(bench, [one[2] for one in own], draw), own_process) for (system, draw), own in groups.items()
    )
    # a small number of jobs at a time: each holds the features of its system
    results = Parallel(n_jobs=bench.n_jobs, return_as="generator", pre_dispatch="n_jobs + 1", batch_size=1)(jobs)
    for own, outcomes in zip(groups.values(), results, strict=True):
        for one, (scores, labels, seconds) in zip(own, outcomes, strict=True):
            system, draw, n_labels = one
            figures = figures_of(dataset, task, masks, scores, labels)
            group = bench.seed if system.has_codes else draw
            kept = {"given": labels, "ranks": ranks_of(scores), "group": group, "made": made_now()}
            yield one, Cell(system.name, task.direction, task.fold, draw, n_labels, seconds, figures, **kept)


def _run(job: Job, asked_by: int) -> list[Outcome]:
    if os.getppid() == asked_by:  # in a worker
        end_with_parent()
    return job.run()


def _key(protocol: Protocol, wanted: Wanted, seed: int, fingerprint: str, dataset: Dataset) -> str:
    """Identity of a cell; the protocol counts only by the variants that it reports."""
    system, draw, n_labels = wanted
    also: list[str | bool] = [protocol.without_shared]
    if system.uses_prior and dataset.prior is not None:
        also.append(dataset.prior.fingerprint)
    return cell_key(system, fingerprint, seed=seed, draw=draw, n_labels=n_labels, also=also)
