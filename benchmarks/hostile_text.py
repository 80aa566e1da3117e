"""Does the time of a document grow faster than its length? Ten kinds of text that someone sends to stop a server.

    python benchmarks/hostile_text.py [--model ppi] [--sizes 1000,10000,100000,1000000,10000000] [--most 120] [-o FILE.json]

Prints processor seconds per size, the slope of their logarithms between the two largest sizes (1: linear, 2: quadratic), and
how many characters a minute allows by it. A size that would take more than ``--most`` seconds, by the time of the one before,
is left out.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import relhash
from relhash.corpus import Document
from relhash.model import FittedModel
from relhash.show.provenance import provenance

NAMES = ("RAF1", "MEK1", "ERK2", "STAT3", "JAK2", "p53", "MDM2", "EGFR", "GRB2", "IL-2", "TNF-alpha", "NF-kappa B")


def repeated(pattern: str) -> Callable[[int], str]:
    return lambda size: (pattern * (size // len(pattern) + 1))[:size]


def names(separator: str) -> Callable[[int], str]:
    def text(size: int) -> str:
        return separator.join(itertools.islice(itertools.cycle(NAMES), size // (len(separator) + 6) + 1))[:size]

    return text


def blanks(size: int) -> str:
    return "RAF1 binds MEK1, and IL-2" + " " * size + "IL-4 binds RAF1."


def without_punctuation(size: int) -> str:
    draw = random.Random(0)
    words = ["binds", "the", "cells", "of", "activated", "in", "with", "expression", *NAMES]
    return " ".join(draw.choices(words, k=size // 6))[:size]


KINDS: dict[str, Callable[[int], str]] = {
    "blanks between two names": blanks,
    "names with commas": names(", "),
    "names with blanks": names(" "),
    "names with hyphens": names("-"),
    "names with slashes": names("/"),
    "names in parentheses": lambda size: repeated("tumor necrosis factor (TNF) ")(size),
    "open parentheses": repeated("RAF1 ("),
    "one letter": repeated("a"),
    "hyphens behind names": repeated("RAF1/MEK1---- "),
    "no punctuation": without_punctuation,
}


def row(kind: str, measured: dict[str, Any], sizes: Sequence[int]) -> str:
    """A line of the table."""
    spent = [measured["seconds"].get(str(size)) for size in sizes]
    size, last = max((size, one) for size, one in zip(sizes, spent, strict=True) if one is not None)
    allowed = float(f"{size * (60 / last) ** (1 / measured['slope']):.1e}")
    cells = ["–" if one is None else f"{one:.2f}" for one in spent]
    return " | ".join([f"| {kind}", *cells, f"{measured['slope']:.2f}", f"{allowed:,.0f} |"])


def seconds(model: FittedModel, text: str) -> float:
    """Processor time of one document."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in model.stream([Document("d", text)]):
            pass
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="ppi")
    parser.add_argument("--sizes", default="1000,10000,100000,1000000,10000000")
    parser.add_argument("--most", type=float, default=120)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    sizes = [int(one) for one in given.sizes.split(",")]
    model = FittedModel.load(given.model, cache=False, n_jobs=1)
    seconds(model, names(", ")(10_000))  # enough that everything is compiled
    rows = {}
    print(f"relhash {relhash.__version__}, {given.model}; processor seconds")
    print(" | ".join(["| text", *(f"{size:,}" for size in sizes), "slope", "in a minute |"]))
    for kind, text in KINDS.items():
        spent: list[float] = []
        for before, size in zip([1, *sizes], sizes, strict=False):
            if spent and spent[-1] * size / before > given.most:
                break
            spent.append(seconds(model, text(size)))
        slope = math.log(spent[-1] / spent[-2]) / math.log(sizes[len(spent) - 1] / sizes[len(spent) - 2])
        rows[kind] = {"seconds": dict(zip(map(str, sizes), (round(one, 3) for one in spent), strict=False)), "slope": slope}
        print(row(kind, rows[kind], sizes), flush=True)
        if given.output:
            found = {"model": given.model, "kinds": rows, "made": provenance("the shipped pipeline")}
            given.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
