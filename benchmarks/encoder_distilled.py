"""Does what the encoder knows survive in the small features of ``ppi``, if they learn from its votes on unlabelled text?

    RELHASH_DATA=../shared/data python benchmarks/encoder_distilled.py label WORK [--sentences 177854]
    RELHASH_DATA=../shared/data python benchmarks/encoder_distilled.py learn WORK -o benchmarks/results/encoder/distilled.json

``label`` reads shuffled sentences of ``text/sentences.txt`` (none that is tested) with the shipped ``ppi``, and keeps of every
pair its features and the vote of the encoder; it goes on where it stopped. ``learn`` fits students of these votes: a ridge
regression on n-grams and descriptors, and boosted trees on descriptors. Strength and mixture are chosen by how well they meet
the encoder on a tenth of the sentences that was kept aside; no label is looked at. The student then votes in the place of the
encoder. Tested once, on corpora that neither ``ppi`` nor the encoder has seen, with their entities; of the models that ship
also what they accept, and how often a probability of .9 or more is right.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge

import relhash
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import data_root, read_benchmark_corpus
from relhash.candidates import build_structures
from relhash.candidates.encoded import ENCODER
from relhash.candidates.shared_sentences import plain_text
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.corpus import Document
from relhash.learn.labels import has_label
from relhash.learn.metrics import auc, average_precision, measure
from relhash.model.judging import Prepared
from relhash.model.model_file import FILE, SecondReader, find_model
from relhash.show.provenance import provenance, shipped_parses

CHUNK = 2000
"""Sentences."""
STRENGTHS = (30.0, 100.0, 300.0, 1000.0, 3000.0)
SIZES = (10_000, 20_000, 40_000, 80_000, 160_000, 320_000)
LEARNS_FROM = (("descriptors", "ngrams"), ("raw-descriptors", "raw-descriptors"))
"""First and last feature part of the regression, and of the trees."""
TESTS = ("ppi/AIMed.xml", "ppi/HPRD50.xml")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("label", "learn"))
    parser.add_argument("work", type=Path)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--sentences", type=int, default=177_854)
    parser.add_argument("--output", "-o", type=Path)
    given = parser.parse_args()
    root = data_root(given.data)
    given.work.mkdir(parents=True, exist_ok=True)
    model = relhash.load("ppi", encoder=False, n_jobs=1, cache=False)
    second = SecondReader.read(find_model("ppi").parent / FILE)
    if given.what == "label":
        label(model, second, root, given.work, given.sentences)
    else:
        figures = learn(model, second, root, given.work)
        figures["made"] = provenance(shipped_parses())
        if given.output:
            given.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def votes_of(second: SecondReader, found) -> np.ndarray:
    heads = np.array(second.heads)
    return build_structures(found, [ENCODER])[ENCODER][:, : heads.size] @ heads


def tests_of(root: Path) -> dict[str, list[Document]]:
    tests = {name.split("/")[1].removesuffix(".xml"): list(read_benchmark_corpus(root, name)) for name in TESTS}
    return {**tests, "BioNLP 2013 devel": list(pairs_of_events(development_documents(root)))}


def label(model, second: SecondReader, root: Path, work: Path, sentences: int) -> None:
    tested = {plain_text(d.text[s.start : s.end]) for own in tests_of(root).values() for d in own for s in d.sentences}
    lines = (root / "text" / "sentences.txt").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if plain_text(line) not in tested]
    random.Random(0).shuffle(lines)
    for start in range(0, min(sentences, len(lines)), CHUNK):
        file = work / f"{start:06}.npz"
        if file.exists():
            continue
        own = lines[start : start + CHUNK]
        found = model.candidates([Document(f"{start + i}", "\n".join(own[i : i + 20])) for i in range(0, len(own), 20)])
        X = Prepared(model, found).features.tocsr()
        arrays = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape, "votes": votes_of(second, found)}
        np.savez(file.with_suffix(".writing.npz"), **arrays)
        file.with_suffix(".writing.npz").replace(file)
        print(file.name, len(found), flush=True)


def learn(model, second: SecondReader, root: Path, work: Path) -> dict[str, object]:
    files = [np.load(file) for file in sorted(work.glob("[0-9]*.npz"))]
    X = sparse.vstack([sparse.csr_matrix((f["data"], f["indices"], f["indptr"]), f["shape"]) for f in files]).tocsr()
    votes = np.concatenate([f["votes"] for f in files])
    columns = model.features.columns
    words, raw = (slice(columns[first].start, columns[last].stop) for first, last in LEARNS_FROM)
    aside = len(votes) - len(votes) // 10
    tests = {}
    figures: dict[str, Any] = {"unlabelled pairs": len(votes), "first reader": {}, "with the encoder": {}}
    for test, documents in tests_of(root).items():
        found = model.candidates(documents)
        found = [one for one, is_labelled in zip(found, has_label(found), strict=True) if is_labelled]
        y = np.array([one.is_positive for one in found])
        for name, reader in (("first reader", model), ("with the encoder", second.beside(model))):
            figures[name][test] = decided(y, *reader.decision.decide(Prepared(reader, found).features))
            print(test, name, json.dumps(figures[name][test]), flush=True)
        features = Prepared(model, found).features.tocsr()
        tests[test] = features, model.decision.classifier.log_odds(features) / second.scales[0], y
    for size in [one for one in SIZES if one < aside] + [aside]:
        best = None
        for strength in STRENGTHS:
            ridge = Ridge(strength, solver="sparse_cg").fit(X[:size, words], votes[:size])
            met = float(np.corrcoef(ridge.predict(X[aside:, words]), votes[aside:])[0, 1])
            best = max(best or (met, strength, ridge), (met, strength, ridge), key=lambda one: one[0])
        _, strength, ridge = best
        left = votes[:size] - ridge.predict(X[:size, words])
        trees = HistGradientBoostingRegressor(max_iter=200, random_state=0).fit(X[:size, raw].toarray(), left)

        def student(rows, ridge=ridge, trees=trees) -> np.ndarray:
            return ridge.predict(rows[:, words]) + trees.predict(rows[:, raw].toarray())

        kept = student(X[aside:])
        name = f"with a student of {size} pairs"
        figures[name] = {
            "correlation": float(np.corrcoef(kept, votes[aside:])[0, 1]),
            "strength": strength,
            **{
                test: ranked(y, own + second.weight * student(features) / kept.std())
                for test, (features, own, y) in tests.items()
            },
        }
        print(name, json.dumps(figures[name]), flush=True)
    return figures


def ranked(y: np.ndarray, scores: np.ndarray) -> dict[str, float]:
    return {"auc": auc(y, scores), "average precision": average_precision(y, scores)}


def decided(y: np.ndarray, scores: np.ndarray, probabilities: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    sure, found = probabilities >= 0.9, measure(y, scores, labels)
    figures = {"precision": found.precision, "recall": found.recall, "f1": found.f1}
    return {**ranked(y, scores), **figures, "sure": int(sure.sum()), "sure and right": int(y[sure].sum())}


if __name__ == "__main__":
    main()
