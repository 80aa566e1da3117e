"""How long does it take from a corpus file to arrays, next to just reading the file?

    python benchmarks/structures_speed.py [CORPUS.xml]

Measures, in processor time of one core and one run: parsing the XML with lxml alone, reading it into documents, and the
way from the file to three views. The target is a whole of at most twice the reading. Without an argument it takes
ppi/AIMed.xml of RELHASH_DATA. Writes benchmarks/results/structures_speed.json and .png.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import etree

from relhash.candidates import build_structures, candidates
from relhash.corpus import read
from relhash.show.provenance import provenance

VIEWS = ("path+edges", "between", "window(3,3)")
REPETITIONS = 5
TARGET = 2.0


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of the fastest of several repetitions: other programs on the machine only ever add."""
    times = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(path: Path) -> dict[str, float]:
    corpus = read(path)
    pairs = sum(1 for _ in candidates(corpus))
    parse = seconds(lambda: etree.parse(str(path)))
    reading = seconds(lambda: read(path))
    whole = seconds(lambda: build_structures(candidates(read(path)), VIEWS))
    views = {
        f"view {name}": seconds(lambda name=name: build_structures(candidates(corpus), [name]))
        for name in (*VIEWS, "descriptors")
    }
    return {
        "candidates": pairs,
        "lxml alone": parse,
        "lxml and objects": reading,
        "file to three views": whole,
        "ratio": whole / reading,
        "microseconds a candidate": (whole - reading) / pairs * 1e6,
        **views,
    }


def draw(figures: dict[str, float], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    names = ["lxml alone", "lxml and objects", "file to three views"]
    figure, axes = plt.subplots(figsize=(6, 1.8), layout="constrained")
    axes.barh(names[::-1], [figures[name] for name in names[::-1]], color="tab:blue")
    axes.axvline(TARGET * figures["lxml and objects"], color="tab:red", linestyle="--", label=f"target: {TARGET:g} × reading")
    axes.set_xlabel("seconds of processor time")
    axes.legend(frameon=False, fontsize="small")
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = (
        Path(os.environ.get("RELHASH_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data") / "ppi" / "AIMed.xml"
    )
    parser.add_argument("corpus", nargs="?", type=Path, default=default)
    path = parser.parse_args().corpus
    if not path.exists():
        print(f"{path} is not there; name a corpus in unified XML, or set RELHASH_DATA")
        return
    figures = measure(path)
    for name, value in figures.items():
        print(f"{name:28} {value:10.3f}")
    verdict = "met" if figures["ratio"] <= TARGET else "missed"
    print(f"target (file to three views at most {TARGET:g} × lxml and objects): {verdict}")
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    (results / "structures_speed.json").write_text(
        json.dumps({"corpus": path.name, **figures, "made": provenance("")}, indent=2) + "\n", encoding="utf-8"
    )
    draw(figures, results / "structures_speed.png")


if __name__ == "__main__":
    main()
