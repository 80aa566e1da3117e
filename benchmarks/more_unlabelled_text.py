"""Does a code get better when it is learned on much more unlabelled text?

    python benchmarks/more_unlabelled_text.py [--bits 100] [--draws 8] [--bionlp] [--raw N] [--work DIR] [--output DIR]

Codes are learned without labels on 620 candidates of AIMed and BioInfer (1×), on 6,200 of them (10×), on all of both (what a
fit has today), on both and other text (100×, then all there is), and on other text alone, as much as both. Other text is every
pair of proteins in the sentences of NERO, with ``--bionlp`` also in BioNLP, with ``--raw N`` also in so many raw sentences. A
linear classifier then gets 50 to 500 labels of one corpus and is tested on the other. All text is parsed by the embedded
pipeline, so that the source of parses is one. Proteins are those of the annotators; in raw sentences those of the embedded
tagger. Sentences of AIMed or BioInfer in the other text are left out.

A draw is a seed of the code and a draw of labels. Intervals are those of the paired difference over draws (95 %, t
distribution), so both kinds of chance are in them. ``balanced`` is the control without Algorithm 1: random references and
splits, cut at the median.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.metrics import roc_auc_score

import relhash
from relhash.candidates import PairPolicy, StructureSet, build_structures, candidates
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.corpus import Document
from relhash.files import replacing
from relhash.language.entities import entity_type
from relhash.language.parse_cache import ParseCache
from relhash.learn import LinearClassifier
from relhash.learn.codes import make_code
from relhash.learn.labels import draw_labelled
from relhash.model.reading.reader import ParseSettings, Reader
from relhash.show.plots import COLOURS, MARKERS
from relhash.show.provenance import provenance, shipped_parses

HERE = Path(__file__).resolve().parent
VIEWS = ("path+edges", "between")
PROTEINS = PairPolicy(types=[("protein", "protein")])
LABELS = (50, 100, 200, 500)
UNIT = 620
"""Candidates of 1×; AIMed and BioInfer together have 25 times as many."""
LEARNERS = {
    "NU": {"hash_function": "margin", "n_cluster_bits": 5, "deletion_share": 0.0},
    "balanced": {"hash_function": "balanced-margin", "split": "random", "sampling": "global", "deletion_share": 0.0},
}
TODAY = "both corpora"
Sides = dict[str, tuple[StructureSet, NDArray[np.bool_]]]


def parsed(documents: Iterable[Document], *, tag: bool = False) -> Iterator[Document]:
    return Reader(ParseSettings("embedded", types=("protein",)), cache=ParseCache())(documents, tag=tag)


def with_pairs(documents: Iterable[Document]) -> list[Document]:
    """Those of the documents in which two proteins may stand in one sentence."""
    return [one for one in documents if sum(entity_type(m.type) == "protein" for m in one.mentions) > 1]


def other_text(data: Path, bionlp: bool, n_raw: int) -> Iterator[tuple[str, list[Document]]]:
    yield "NERO", with_pairs(relhash.read(data / "nero" / "annotation_results.txt.gz"))
    if bionlp:
        folders = [data / "bionlp" / place for place in ("2009/train", "2009/devel", "2013/train", "2013/devel")]
        yield "BioNLP", with_pairs(document for folder in folders for document in relhash.read(folder))
    if n_raw:
        lines = (data / "text" / "sentences.txt").read_text(encoding="utf-8").splitlines()
        chosen = np.random.default_rng(0).choice(len(lines), min(n_raw, len(lines)), replace=False)
        yield "raw", [Document(f"line-{number}", lines[number]) for number in sorted(chosen)]


def prepare(data: Path, work: Path, bionlp: bool, n_raw: int) -> tuple[Sides, StructureSet, dict[str, int]]:
    """Structures of both corpora with their labels, and of the other text; kept in ``work``, as parsing takes minutes."""
    work.mkdir(parents=True, exist_ok=True)
    sides: Sides = {}
    seen: set[int] = set()
    for letter, name in (("A", "AIMed"), ("B", "BioInfer")):
        found = list(candidates(parsed(relhash.read(data / "ppi" / f"{name}.xml"))))
        seen.update(map(int, sentence_hashes(found)))
        sides[letter] = build_structures(found, VIEWS), np.array([candidate.is_positive for candidate in found])
    others, counts = [], {}
    for name, documents in other_text(data, bionlp, n_raw):
        path = work / f"{name}-{len(documents)}.joblib"
        if not path.exists():
            started = time.perf_counter()
            # every pair counts, whether anybody has judged it or not
            read = (replace(one, candidates=None, relations=()) for one in parsed(documents, tag=name == "raw"))
            found = list(candidates(read, PROTEINS))
            new = [candidate for candidate, key in zip(found, sentence_hashes(found), strict=True) if int(key) not in seen]
            joblib.dump(build_structures(new, VIEWS), path)
            print(f"{name}: {len(found)} candidates, {len(new)} kept, {time.perf_counter() - started:.0f} s", flush=True)
        others.append(joblib.load(path))
        counts[name] = len(others[-1])
    return sides, StructureSet.concatenate(others), counts


def texts(sides: Sides, other: StructureSet, rng: np.random.Generator) -> Iterator[tuple[str, StructureSet]]:
    own = StructureSet.concatenate([structures for structures, _ in sides.values()])
    most = 100 * UNIT - len(own)
    more = other if len(other) <= most else other[np.sort(rng.choice(len(other), most, replace=False))]
    yield "1×", own[np.sort(rng.choice(len(own), UNIT, replace=False))]
    yield "10×", own[np.sort(rng.choice(len(own), 10 * UNIT, replace=False))]
    yield TODAY, own
    yield "100×", StructureSet.concatenate([own, more])
    if len(more) < len(other):
        yield f"{round((len(own) + len(other)) / UNIT)}×", StructureSet.concatenate([own, other])
    yield "other text", other[np.sort(rng.choice(len(other), min(len(own), len(other)), replace=False))]


def measure(sides: Sides, other: StructureSet, learners: Iterable[str], bits: int, draw: int) -> Iterator[dict[str, Any]]:
    for name, text in texts(sides, other, np.random.default_rng(draw)):
        for kind in learners:
            code = make_code(VIEWS, {"n_bits": bits, **LEARNERS[kind]}, random_state=draw, n_jobs=1)
            started = time.process_time()
            code.learn(text)
            seconds = time.process_time() - started
            rows = {letter: code.learner.transform(structures) for letter, (structures, _) in sides.items()}
            for source, target in (("A", "B"), ("B", "A")):
                y, gold = sides[source][1], sides[target][1]
                for n in LABELS:
                    chosen = draw_labelled(y, n, draw)
                    fitted = LinearClassifier(0.01).fit(rows[source][chosen].astype(float), y[chosen], random_state=draw)
                    auc = float(roc_auc_score(gold, fitted.scores(rows[target].astype(float))))
                    yield {
                        "system": f"{kind} {name}", "direction": f"{source}→{target}", "labels": n, "draw": draw, "auc": auc,
                        "candidates": len(text), "seconds": round(seconds, 2),
                    }  # fmt: skip


def summary(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Means and spreads by system, direction and number of labels, with the paired difference to both corpora alone."""
    auc = {(c["system"], c["direction"], c["labels"], c["draw"]): c["auc"] for c in cells}
    draws = sorted({c["draw"] for c in cells})
    rows = []
    for system, direction, n in dict.fromkeys((c["system"], c["direction"], c["labels"]) for c in cells):
        own = np.array([auc[system, direction, n, draw] for draw in draws])
        base = np.array([auc[f"{system.split()[0]} {TODAY}", direction, n, draw] for draw in draws])
        row: dict[str, Any] = {"system": system, "direction": direction, "labels": n, "auc": float(own.mean())}
        if len(draws) > 1:
            half = float(stats.t.ppf(0.975, len(draws) - 1) * stats.sem(own - base)) if (own != base).any() else 0.0
            gain = float((own - base).mean())
            row |= {"auc_sd": float(own.std(ddof=1)), "gain": gain, "low": gain - half, "high": gain + half}
        rows.append(row)
    return rows


def mean_auc(cells: list[dict[str, Any]], system: str, draw: int, labels: int | None = None) -> float:
    """Mean of both directions, and of all numbers of labels unless one is named."""
    own = [c for c in cells if (c["system"], c["draw"]) == (system, draw) and labels in (None, c["labels"])]
    return float(np.mean([c["auc"] for c in own]))


def interval(differences: list[float]) -> dict[str, float]:
    gain = float(np.mean(differences))
    half = float(stats.t.ppf(0.975, len(differences) - 1) * stats.sem(differences)) if len(differences) > 1 else 0.0
    return {"gain": gain, "low": gain - half, "high": gain + half}


def overview(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """By system: the mean AUC at each number of labels, and the gain over both corpora; then Algorithm 1 minus its control."""
    draws = sorted({c["draw"] for c in cells})
    systems = list(dict.fromkeys(c["system"] for c in cells))
    means = {
        system: {str(n): float(np.mean([mean_auc(cells, system, draw, n) for draw in draws])) for n in LABELS}
        | interval([mean_auc(cells, system, d) - mean_auc(cells, f"{system.split()[0]} {TODAY}", d) for d in draws])
        for system in systems
    }
    controlled = {
        text: interval([mean_auc(cells, f"NU {text}", d) - mean_auc(cells, f"balanced {text}", d) for d in draws])
        for text in dict.fromkeys(system.split(maxsplit=1)[1] for system in systems)
        if {f"NU {text}", f"balanced {text}"} <= set(systems)
    }
    return {"means": means, "NU minus balanced": controlled}


def figure(means: dict[str, dict[str, float]], path: Path) -> None:
    """The gain over both corpora by what the code was learned on, with its interval."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawing, axis = pyplot.subplots(figsize=(6.4, 3.4), layout="constrained")
    names = {"NU": "Algorithm 1 (maximum margin)", "balanced": "control: random, cut at the median"}
    texts = list(dict.fromkeys(system.split(maxsplit=1)[1] for system in means))
    for number, (kind, label) in enumerate(names.items()):
        own = [means[f"{kind} {text}"] for text in texts if f"{kind} {text}" in means]
        gains = np.array([row["gain"] for row in own])
        spread = [gains - [row["low"] for row in own], np.array([row["high"] for row in own]) - gains]
        places = np.arange(len(own)) + 0.16 * (number - 0.5)
        axis.errorbar(places, gains, spread, fmt=MARKERS[number], color=COLOURS[number], capsize=3, label=label)
    axis.axhline(0, color="#999999", linewidth=0.8)
    axis.set_xticks(np.arange(len(texts)), texts)
    axis.set_ylabel("gain in AUC, with 95 % interval")
    axis.set_xlabel("what the code was learned on, without labels")
    axis.legend(frameon=False, fontsize=8)
    axis.spines[["top", "right"]].set_visible(False)
    with replacing(path, "wb") as handle:
        drawing.savefig(handle, format="png", dpi=150, bbox_inches="tight")
    pyplot.close(drawing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bits", type=int, default=100)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--bionlp", action="store_true", help="read BioNLP, too")
    parser.add_argument("--raw", type=int, default=0, help="raw sentences to read")
    parser.add_argument("--learners", default="NU,balanced")
    parser.add_argument("--work", type=Path, default=HERE / ".work", help="where prepared structures are kept")
    parser.add_argument("--output", type=Path, default=HERE / "results")
    arguments = parser.parse_args()
    data = Path(os.environ.get("RELHASH_DATA") or HERE.parent.parent / "shared" / "data")
    sides, other, counts = prepare(data, arguments.work, arguments.bionlp, arguments.raw)
    print({letter: len(y) for letter, (_, y) in sides.items()}, counts, flush=True)
    cells: list[dict[str, Any]] = []
    for draw in range(arguments.draws):
        cells += measure(sides, other, arguments.learners.split(","), arguments.bits, draw)
        rows, found = summary(cells), overview(cells)
        result = {"bits": arguments.bits, "draws": draw + 1, "candidates": counts, **found, "rows": rows, "cells": cells}
        arguments.output.mkdir(parents=True, exist_ok=True)
        path = arguments.output / "more_unlabelled_text.json"
        path.write_text(
            json.dumps({**result, "made": provenance(shipped_parses())}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        for system, gain in found["means"].items():
            print(f"draw {draw}: {system:24s} {gain['gain']:+.4f} [{gain['low']:+.4f}, {gain['high']:+.4f}]", flush=True)
        figure(found["means"], path.with_suffix(".png"))


if __name__ == "__main__":
    main()
