"""What the second reader costs: time to load, sentences a second with and without onnxruntime, and predict as a whole.

    RELHASH_DATA=../shared/data python benchmarks/encoder_speed.py [--abstracts 60] [-o benchmarks/results/encoder_speed.json]

CPU time of one thread, on abstracts of BioNLP 2009 test; sentences are those with at least one pair of proteins.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

import relhash
from relhash.bench.datasets.dataset import data_root
from relhash.candidates.encoded import EncoderView
from relhash.candidates.scene import scenes
from relhash.corpus import Document
from relhash.language import encoder as runtime
from relhash.language.encoder import PairEncoder, encoder_file
from relhash.show.provenance import provenance, shipped_parses


def clocked(work) -> tuple[float, object]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--abstracts", type=int, default=60)
    parser.add_argument("--output", "-o", type=Path)
    given = parser.parse_args()
    files = sorted((data_root(given.data) / "bionlp" / "2009" / "test").glob("*.txt"))[: given.abstracts]
    documents = [Document(file.stem, file.read_text(encoding="utf-8")) for file in files]
    once, twice = (relhash.load("ppi", encoder=encoder, n_jobs=1, cache=False) for encoder in (False, True))
    collector = EncoderView().collector()
    for scene in scenes(once.candidates(documents)):
        collector.add(scene)
    sentences = collector.sentences
    figures: dict[str, float] = {"sentences": len(sentences), "pairs": sum(len(one.pairs) for one in sentences)}
    found = {}
    for name, session in (("onnxruntime", runtime._integer_product()), ("numpy", None)):
        if name == "onnxruntime" and session is None:
            continue
        runtime._integer_product = lambda session=session: session
        figures[f"load, {name} (s)"], reader = clocked(lambda: PairEncoder.load(encoder_file()))
        reader.encode(sentences[:2])
        seconds, found[name] = clocked(lambda reader=reader: reader.encode(sentences))
        figures[f"sentences/s, {name}"] = len(sentences) / seconds
    if len(found) == 2:
        assert all(np.array_equal(a, b) for a, b in zip(*found.values(), strict=True)), "onnxruntime has changed a bit"
    for name, model in (("once", once), ("twice", twice)):
        model.predict(documents)  # compiled, and every word met once
        figures[f"abstracts/s, read {name}"] = len(documents) / clocked(lambda model=model: model.predict(documents))[0]
    figures = {**{name: round(value, 2) for name, value in figures.items()}, "made": provenance(shipped_parses())}
    print(json.dumps(figures, indent=1))
    if given.output:
        given.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
