"""Every table and figure of the paper: which command, file and day answer it, its rows beside ours, its two bar charts drawn.

All of it comes from kept results (``benchmarks/results``): nothing runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from relhash.bench.benchmarks import Asked
from relhash.bench.benchmarks.reproduction import VIEWS
from relhash.bench.protocols import PROTOCOLS
from relhash.bench.runner import IN_PAPER
from relhash.bench.systems.listed import system
from relhash.bench.tables import Report, Row, Table, overview
from relhash.errors import DataMissingError
from relhash.show.plots import bars
from relhash.show.provenance import day_of

PPI, BIONLP, JUDGED = "ppi-cross/ppi-cross.json", "bionlp/bionlp.json", "judged/judged.json"
DIRECTIONS = {"A→B": "A→B", "B→A": "B→A", "train→devel13": "BioNLP", "papers": "judged"}
"""Those of our protocols, and how they are called beside the paper."""
BESIDE = ("KLSH-NU-RF/literal", "random", "random-balanced", "ngram-lr", "best")
"""Rows of ours that stand below the paper's."""
SETTINGS = {
    "KLSH-RF": "supervised",
    "KLSH-NU-RF-unadapted": "inductive, nothing of the target seen",
    "KLSH-NU-RF-inductive": "inductive, threshold adapted",
    "KLSH-NU-RF": "transductive",
}
HASHING = {"network": "best network that classifies", "NLSH-NU-RF": "neural hashing", "KLSH-NU-RF": "kernel hashing"}
NETWORKS = ("CNN", "LSTM", "BiLSTM", "RNN", "Adv", "SSL-VAE")
"""How the names of networks that classify begin; of each data set the second figure shows the best."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the paper shows, what makes it here, the file below ``benchmarks/results``, and rows that this has to have:
    systems, or directions with structures."""

    shown: str
    command: str
    file: str
    systems: Sequence[str] = ()


ANSWERS = (
    Answer("Table 1: AIMed and BioInfer", "relhash benchmark ppi-cross --systems all", PPI, IN_PAPER[False]),
    Answer("Table 2: BioNLP", "relhash benchmark bionlp --seeds 5", BIONLP, IN_PAPER[True]),
    Answer("Table 2: PubMed45", "relhash benchmark pubmed45 --path FILE", "pubmed45/pubmed45.json", IN_PAPER[True]),
    Answer("… its stand-in, statements that curators judged", "relhash benchmark judged --systems all", JUDGED, IN_PAPER[True]),
    Answer("Figure: supervised, inductive, transductive", "relhash benchmark paper -o OUT", "paper/paper.json"),
    Answer("Figure: neural hashing", "relhash benchmark paper -o OUT", "paper/paper.json"),
    Answer("Concept figures", "python tools/draw_concepts.py OUT.png", "../../docs/images/concepts.png"),
    Answer(
        "The authors' published code", "relhash benchmark published-code", "published-code/published-code.json",
        PROTOCOLS["published-code"].systems,
    ),
    Answer(
        "Why F1 0.57 is out of reach", "relhash benchmark reproduction", "reproduction/reproduction.json",
        [f"{direction} {view}" for direction in ("A→B", "B→A") for view in VIEWS],
    ),
)  # fmt: skip


def run(asked: Asked) -> Report:
    """What answers each table and figure, the paper's rows beside ours, and its figures drawn."""
    results = _results_folder()
    rows = list(_rows(results))
    tables = {"Table 1": ("A→B", "B→A"), "Table 2; beside judged statements the paper's PubMed45": ("BioNLP", "judged")}
    shown = {name: [row for row in rows if row["is_row"] and row["direction"] in own] for name, own in tables.items()}
    figures = {"settings": _called(rows, SETTINGS), "hashing": _called([*_best_networks(rows), *rows], HASHING)}
    titles = {"settings": "F1 of hashcodes, by what they have seen", "hashing": "F1 of networks, neural and kernel hashing"}
    headings = ["in the paper", "command", "file", "date", "hours", "missing"]
    inventory = list(_inventory(results))
    listed = Table(headings, inventory, left=(0, 1, 2, 3, 5))
    hours = sum(float(line[4]) for line in inventory if line[4] != "–")
    title = "Leaves and class weights, of which the paper says nothing: what training documents chose, of how many runs"
    forests = Table.pivot(
        [row for row in rows if row["is_row"] and row.get("chosen")], "system", "direction", lambda row: row["chosen"],
        heading="system", title=title,
    )  # fmt: skip
    return Report(
        "paper",
        "The tables and figures of the paper, and what answers each",
        rows,
        [listed, *(overview(own, name) for name, own in shown.items()), replace(forests, left=range(len(forests.headings)))],
        [
            "hours: of all cells that were kept, one core each, on a busy machine",
            f"all of it: {hours:.1f} hours of a core, and a quarter of an hour for the last line: within a night on two cores",
        ],
        beside={"figures": figures},
        pictures={f"{name}.png": partial(bars, own, title=titles[name]) for name, own in figures.items()},
    )


def _results_folder() -> Path:
    known = [place / "benchmarks" / "results" for place in (Path.cwd(), Path(__file__).resolve().parents[4])]
    found = next((place for place in known if (place / PPI).exists()), None)
    if found is None:
        raise DataMissingError("paper: kept results are in the repository only; call it there (folder benchmarks/results)")
    return found


def _inventory(results: Path) -> Iterator[list[str]]:
    for one in ANSWERS:
        path = (results / one.file).resolve()
        if not path.exists():
            yield [one.shown, one.command, "–", "–", "–", "the labelled file" if "pubmed45" in one.file else "all"]
            continue
        stored = json.loads(path.read_text(encoding="utf-8")) if path.suffix == ".json" else {}
        rows = stored.get("rows", [])
        had = {row.get("system") for row in rows} | {f"{row['direction']} {row['view']}" for row in rows if "view" in row}
        missing = [name for name in one.systems if name not in had]
        seconds = sum(row["seconds"] * row["n_runs"] for row in rows if row.get("variant") == "all" and one.systems)
        hours = f"{seconds / 3600:.1f}" if seconds else "–"
        day = _days(stored["made"]) if stored else day_of(path) or "–"
        yield [one.shown, one.command, one.file, day, hours, ", ".join(missing) or "nothing"]


def _days(made: Mapping[str, Any]) -> str:
    """First and last day of the cells that were kept, else the day of the file.

    >>> _days({"date": "2026-11-18T09:30Z", "cells": {"ee772a49d5 2026-11-17": 44, "293c0c6d91 2026-11-18": 10}})
    '2026-11-17, 2026-11-18'
    """
    days = sorted({cell.split()[-1] for cell in made.get("cells", ())}) or [made["date"][:10]]
    return ", ".join(dict.fromkeys((days[0], days[-1])))


def _rows(results: Path) -> Iterator[Row]:
    """The rows of the three protocols, in the paper's order, with its figures: beside judged statements those of PubMed45."""
    for file, has_roles in ((PPI, False), (BIONLP, True), (JUDGED, True)):
        if not (results / file).exists():
            continue
        stored = [row for row in json.loads((results / file).read_text(encoding="utf-8"))["rows"] if row["variant"] == "all"]
        order = [*IN_PAPER[has_roles], "NLSH-NU-RF", *BESIDE, *SETTINGS]
        for name in dict.fromkeys(order):
            for row in stored:
                if row["system"] == name and row["direction"] in DIRECTIONS:
                    published = dict(system(name, has_roles=has_roles).paper_f1)
                    paper = published.get("subsets" if file == JUDGED else row["direction"], row["paper_f1"])
                    is_row = name in (*IN_PAPER[has_roles], "NLSH-NU-RF", *BESIDE)
                    yield {**row, "direction": DIRECTIONS[row["direction"]], "paper_f1": paper, "is_row": is_row}


def _best_networks(rows: Sequence[Row]) -> list[Row]:
    found = []
    for place in DIRECTIONS.values():
        own = [row for row in rows if row["direction"] == place and row["system"].startswith(NETWORKS)]
        if own:
            best, published = max(own, key=lambda row: row["f1"]), max(row["paper_f1"] or 0.0 for row in own)
            found.append({**best, "system": "network", "network": best["system"], "paper_f1": published})
    return found


def _called(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[Row]:
    """The rows of these systems under other names, with what a picture needs."""
    keys = ("direction", "f1", "f1_sd", "n_runs", "f1_interval", "auc", "paper_f1", "network")
    return [
        {"system": said, **{key: row.get(key) for key in keys}} for name, said in names.items() for row in rows
        if row["system"] == name
    ]  # fmt: skip
