"""Train the gene tagger that ships as ``src/relhash/resources/genes``.

    python tools/train_genes.py --data ../shared/data --work /tmp/genes

Corpora of different guidelines (BC2GM; BioNLP 2009 and 2013 train; BioInfer; JNLPBA; NERO, annotated in part) share their
weights; what each guideline does otherwise is apart, and two ship: BC2GM's (broad) and one halfway to BioNLP's (strict).
It is fitted without the development parts of BC2GM and BioNLP 2009 first (they say how good a choice is and calibrate the
certainty), with the same settings on everything then. Sentences and papers of the test sets (BC2GM test, BioNLP 2013 devel,
HPRD50) are in neither.
"""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from gene_model import corpora
from gene_model.arrays import GUIDELINES, Reader, Tokens, Vocabulary, problem
from gene_model.clusters import word_clusters
from gene_model.fitting import ALLOWED, Weights, fitted
from relhash.biomed.genes.known import KnownNames
from relhash.biomed.genes.tagger import GeneModel, GeneTagger, Table, log_odds
from relhash.biomed.names.table import shipped_names
from relhash.language.spacy_model import load_model

FOLDER = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "genes"
SEED = 2026
SETTINGS = {"epochs": 8, "averaged": 4, "rate": 0.1, "dropped": 0.5, "decay": 0.05}
SHIPPED = {"broad": {"bc2gm": 1.0}, "strict": {"bc2gm": 0.5, "bionlp": 0.5}}
"""The two guidelines that ship, as shares of the corpora's. BioNLP alone would be sure that the complex NF-kappaB is none."""
SPECIFIC = tuple(f"{guideline}|" for guideline in GUIDELINES)
NEGLIGIBLE = 0.02
"""Features none of whose weights is above this are left out of the file."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with ner/, bionlp/, ppi/, nero/ and text/")
    parser.add_argument("--work", type=Path, required=True, help="folder for sentences with their features, kept between runs")
    parser.add_argument("--output", type=Path, default=FOLDER / "model.npz")
    parser.add_argument("--leave-out", default="", help="corpora that are not trained on, with commas: to see what each gives")
    parser.add_argument("--only-choose", action="store_true", help="stop after the figures on the development parts")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    parts, clusters = _sentences(given.data, given.work)
    left_out = set(filter(None, given.leave_out.split(",")))
    training = [one for name, part in parts.items() if not name.endswith(" devel") and name not in left_out for one in part]
    held_out = {name: part for name, part in parts.items() if name.endswith(" devel")}
    vocabulary, weights = _fitted(training, clusters)
    calibration = _report(held_out, shipped(vocabulary, weights, (1.0, 0.0)))
    if not given.only_choose:
        vocabulary, weights = _fitted([*training, *(one for part in held_out.values() for one in part)], clusters)
        given.output.parent.mkdir(parents=True, exist_ok=True)
        shipped(vocabulary, weights, calibration).save(given.output)
        print(f"{given.output}: {given.output.stat().st_size:,} bytes")


def _sentences(data: Path, work: Path) -> tuple[dict[str, list[Tokens]], dict[str, tuple[int, ...]]]:
    """Every corpus in tokens with features; made once and kept in ``work``."""
    file = work / "sentences.pickle"
    if not file.exists():
        model = load_model("embedded")
        clusters = word_clusters(model._nlp, data / "text" / "sentences.txt", SEED)
        reader = Reader(model.tokenize, KnownNames(shipped_names()), clusters)
        forbidden, papers = corpora.measured(data)
        held_out = {"bc2gm devel": corpora.bc2gm(data, "devel"), "bionlp devel": corpora.bionlp(data, "2009", "devel")}
        held_out = {name: list(corpora.without(part, forbidden, papers)) for name, part in held_out.items()}
        forbidden |= {one.fingerprint for part in held_out.values() for one in part}
        training = {
            "bc2gm": corpora.bc2gm(data, "train"),
            "bionlp2009": corpora.bionlp(data, "2009", "train"),
            "bionlp2013": corpora.bionlp(data, "2013", "train"),
            "bioinfer": corpora.bioinfer(data),
            "jnlpba": (one for part in ("devel", "test") for one in corpora.jnlpba(data, part)),
            "nero": corpora.nero(data),
        }
        kept = {name: list(corpora.without(part, forbidden, papers)) for name, part in training.items()}
        parts = {name: [one for one in map(reader, part) if one is not None] for name, part in {**kept, **held_out}.items()}
        file.write_bytes(pickle.dumps((parts, clusters)))
    parts, clusters = pickle.loads(file.read_bytes())
    for name, part in parts.items():
        print(f"{name}: {len(part)} sentences, {sum(len(one.sentence.spans) for one in part)} mentions", flush=True)
    return parts, clusters


def _fitted(sentences: Sequence[Tokens], clusters: dict[str, tuple[int, ...]]) -> tuple[Vocabulary, Weights]:
    vocabulary = Vocabulary.of(sentences, clusters)
    sizes = len(vocabulary.own), len(vocabulary.wide), len(vocabulary.places)
    print(f"{len(sentences)} sentences, {sizes} features of spellings, far-reaching spellings and places", flush=True)
    start = Weights.zeros(*sizes, len(GUIDELINES))
    return vocabulary, fitted(problem(sentences, vocabulary), start, seed=SEED, **SETTINGS)


def _report(held_out: dict[str, list[Tokens]], model: GeneModel) -> tuple[float, float]:
    """Print scores on the held-out parts; return slope and intercept of the certainty."""
    tagger = GeneTagger(model, KnownNames(shipped_names()))
    odds: list[float] = []
    right: list[bool] = []
    part_of: list[int] = []
    for number, (name, part) in enumerate(held_out.items()):
        n_gold = n_found = n_right = n_near = 0
        for one in part:
            gold = set(one.sentence.spans)
            spaces = [one.sentence.text[end : end + 1].isspace() for _, end in one.spans]
            n_gold += len(gold)
            for first, after, likely in tagger.graded_spans(one.texts, spaces):
                start, end = one.spans[first][0], one.spans[after - 1][1]
                touched = [(s, e) for s, e in gold if s < end and start < e]
                n_found += 1
                n_right += (start, end) in gold
                n_near += bool(touched)
                odds.append(log_odds(likely))
                # "p53" for "p53 protein" is the same name: as cut means that one end at least is where people put it
                right.append(any(s == start or e == end for s, e in touched))
                part_of.append(number)
        f1 = 2 * n_right / max(n_found + n_gold, 1)
        exact = f"precision {n_right / n_found:.4f}, recall {n_right / n_gold:.4f}, F1 {f1:.4f}"
        print(f"{name}: {exact}; overlapping precision {n_near / n_found:.4f}", flush=True)
    X, y, parts = np.array(odds)[:, None], np.array(right), np.array(part_of)
    machine = LogisticRegression(C=1e6).fit(X, y, sample_weight=len(y) / np.bincount(parts)[parts])
    certainty = machine.predict_proba(X)[:, 1]
    for number, name in enumerate(held_out):
        of = parts == number
        print(f"certainty on {name}: AUC {roc_auc_score(y[of], certainty[of]):.3f}; right by certainty:", end=" ")
        for low in (0.0, 0.2, 0.4, 0.6, 0.8, 0.9):
            inside = of & (certainty >= low) & (certainty < (low + 0.2 if low < 0.8 else 0.9 if low == 0.8 else 1.1))
            print(f"from {low} {y[inside].mean() if inside.any() else 0:.2f} of {inside.sum()}", end="; ")
        print(flush=True)
    print("calibration", machine.coef_, machine.intercept_)
    return float(machine.coef_[0, 0]), float(machine.intercept_[0])


def shipped(vocabulary: Vocabulary, weights: Weights, calibration: tuple[float, float]) -> GeneModel:
    """The weights of both guidelines side by side, scaled for all features being there, negligible ones left out."""
    present = 1 - SETTINGS["dropped"]
    tables = {}
    for name in ("own", "wide", "places"):
        rows, learned = getattr(vocabulary, name), getattr(weights, name).astype(np.float64)
        features = [feature for feature in rows if not feature.startswith(SPECIFIC)]
        shared = learned[[rows[feature] for feature in features]]
        sides = []
        for guideline in SHIPPED.values():
            side = shared.copy()
            for name_of, share in guideline.items():
                for place, feature in enumerate(features):
                    row = rows.get(f"{name_of}|{feature}")
                    if row is not None:
                        side[place] += share * learned[row]
            sides.append(side * present)
        both = np.concatenate(sides, axis=-1)
        kept = np.flatnonzero(np.abs(both).reshape(len(both), -1).max(axis=1) > NEGLIGIBLE)
        tables[name] = Table.of([features[place] for place in kept], both[kept])
    steps = [
        weights.steps[0] + sum(share * weights.steps[1 + GUIDELINES.index(name)] for name, share in guideline.items())
        for guideline in SHIPPED.values()
    ]
    return GeneModel(
        **tables,
        steps=np.where(ALLOWED, np.array(steps), -np.inf).astype(np.float64),
        clusters=vocabulary.clusters,
        calibration=calibration,
    )


if __name__ == "__main__":
    main()
