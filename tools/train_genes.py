"""Train the recogniser of names that ships as ``src/relhash/resources/genes``.

    python tools/train_genes.py --data ../shared/data --work /tmp/genes

Corpora of different guidelines share their weights, and each says nothing of the types that it does not mark: BC2GM, BioNLP
2009 and 2013 train, EPI, PTM, BioInfer, NLM-Gene, GNormPlus (proteins); JNLPBA (proteins, cells); ID (proteins, chemicals,
organisms), half of its sentences about genes of bacteria also with names that were made up; BC5CDR train (chemicals,
diseases); NCBI disease; NERO (all, annotated in part). What each guideline does otherwise is apart; for each type a mixture
of them ships (:data:`SHIPPED`), for proteins a broad and a strict one.
It is fitted without the development parts: they say how good a choice is and calibrate the certainty, and what is printed of
them holds for the file. Sentences and papers of the test sets (:func:`gene_model.corpora.measured`) are left out, too.
"""

from __future__ import annotations

import argparse
import pickle
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from gene_model import corpora
from gene_model.arrays import GUIDELINES, MARKED, Reader, Tokens, Vocabulary, problem
from gene_model.clusters import word_clusters
from gene_model.fitting import Weights, allowed_steps, fitted
from relhash.biomed.genes.known import KnownNames
from relhash.biomed.genes.tagger import N_STRICT, PLACES, GeneModel, GeneTagger, Table, labels_of, log_odds
from relhash.biomed.names.table import shipped_names
from relhash.language.compact import load_compact
from relhash.language.spacy_model import LoadedModel
from relhash.resources import resource_path

FOLDER = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "genes"
SEED = 2026
SETTINGS = {"epochs": 4, "averaged": 2, "rate": 0.1, "dropped": 0.5, "decay": 0.05}
GROUPS = {"model": ("protein",), "others": ("chemical", "disease", "cell", "species")}
"""Models that ship, and the types that each finds: one of genes and their products, one of what they are mistaken for."""
PARTLY_MARKED = 3000
"""Sentences of NERO, which marks names in part, that a model learns from."""
SHIPPED = {
    "protein": {"genenorm": 0.9, "id": 0.1},
    "chemical": {"cdr": 1.0},
    "disease": {"cdr": 1.0},
    "cell": {"jnlpba": 1.0},
    "species": {"id": 1.0},
}
STRICT = {"bc2gm": 0.4, "bionlp": 0.3, "id": 0.3}
"""What ships, as shares of the corpora's guidelines: names as NLM-Gene and GNormPlus cut them, not phrases as BC2GM does.
BioNLP alone would be sure that the complex NF-kappaB is no protein; without ID the names of bacteria would be doubted."""
SPECIFIC = tuple(f"{guideline}|" for guideline in GUIDELINES)
TINY, NEGLIGIBLE = 0.02, 0.04
"""Weights below the first are nothing; features none of whose weights is above the second are left out of the file."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with ner/, bionlp/, ppi/, nero/ and text/")
    parser.add_argument("--work", type=Path, required=True, help="folder for sentences with their features, kept between runs")
    parser.add_argument("--output", type=Path, default=FOLDER)
    parser.add_argument("--groups", default=",".join(GROUPS), help="models to fit, with commas")
    parser.add_argument("--leave-out", default="", help="corpora that are not trained on, with commas: to see what each gives")
    parser.add_argument("--new-groups", action="store_true", help="groups of similar words anew: the events model, whose links "
                        "were learned with those of before, has to be made anew, too")  # fmt: skip
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    parts, clusters = _sentences(given.data, given.work, given.new_groups)
    left_out = set(filter(None, given.leave_out.split(",")))
    held_out = {name: part for name, part in parts.items() if name.endswith((" devel", " test"))}
    training = [one for name, part in parts.items() if name not in {*held_out, *left_out} for one in part]
    given.output.mkdir(parents=True, exist_ok=True)
    for name in given.groups.split(","):
        types = GROUPS[name]
        own = [one for one in training if set(types) & set(MARKED.get(one.sentence.guideline, ("protein",)))]
        partly = [one for one in own if not one.sentence.whole and any(mark[2] in types for mark in one.sentence.marks)]
        own = [one for one in own if one.sentence.whole] + partly[:PARTLY_MARKED]
        vocabulary, weights = _fitted(own, clusters, types)
        (given.work / f"{name}.pickle").write_bytes(pickle.dumps((vocabulary, weights)))
        calibration = _report(held_out, shipped(types, vocabulary, weights, np.tile([1.0, 0.0], (len(types), 1))))
        shipped(types, vocabulary, weights, calibration).save(given.output / f"{name}.npz")
        print(f"{name}: {(given.output / f'{name}.npz').stat().st_size:,} bytes")


def _sentences(data: Path, work: Path, new_groups: bool) -> tuple[dict[str, list[Tokens]], dict[str, tuple[int, ...]]]:
    """Every corpus in tokens with features; made once and kept in ``work``."""
    file = work / "sentences.pickle"
    if not file.exists():
        model = LoadedModel(load_compact(resource_path("biomed_en")))
        clusters = dict(GeneModel.read(FOLDER / "model.npz").clusters)
        if new_groups:
            clusters = word_clusters(model._nlp, data / "text" / "sentences.txt", SEED)
        reader = Reader(model.tokenize, KnownNames(shipped_names()), clusters)
        forbidden, papers = corpora.measured(data)
        genes = [
            one
            for name in ("NLMgene", "GNormPlus")
            for one in corpora.pubtator(data / "genenorm" / f"{name}_Train.PubTator", "genenorm", ("protein",))
        ]
        more, living = data / "bionlp-more", ("protein", "chemical", "species")
        bacteria = list(corpora.standoff(more / "2011-id" / "train", "id", living))
        held_out = {
            "bc2gm devel": corpora.bc2gm(data, "devel"),
            "bionlp devel": corpora.bionlp(data, "2009", "devel"),
            "epi devel": corpora.standoff(more / "2011-epi" / "devel", "bionlp"),
            "id devel": corpora.standoff(more / "2011-id" / "devel", "id", living),
            "genenorm devel": (one for one in genes if is_held_out(one.document)),
            "jnlpba devel": corpora.jnlpba(data, "devel"),
            "ncbi devel": corpora.ncbi(data, "devel"),
        }
        held_out = {name: list(corpora.without(part, forbidden, papers)) for name, part in held_out.items()}
        cdr = corpora.pubtator(data / "bc5cdr" / "devel.PubTator", "cdr", ("chemical", "disease"))
        forbidden |= {one.fingerprint for part in held_out.values() for one in part}
        papers |= {one.document for one in genes if is_held_out(one.document)}
        training = {
            "bc2gm": corpora.bc2gm(data, "train"),
            "bionlp2009": corpora.bionlp(data, "2009", "train"),
            "bionlp2013": corpora.bionlp(data, "2013", "train"),
            "epi": corpora.standoff(more / "2011-epi" / "train", "bionlp"),
            "ptm": corpora.standoff(more / "exhaustive-ptm" / "visible", "bionlp"),
            "id": bacteria,
            "id renamed": list(corpora.renamed(bacteria, "id", living, SEED))[::2],  # half for each guideline
            "genenorm renamed": list(corpora.renamed(bacteria, "genenorm", ("protein",), SEED + 1))[1::2],
            "genenorm": genes,
            "bioinfer": corpora.bioinfer(data),
            "jnlpba": corpora.jnlpba(data, "test"),
            "cdr": corpora.pubtator(data / "bc5cdr" / "train.PubTator", "cdr", ("chemical", "disease")),
            "ncbi": corpora.ncbi(data, "train"),
            "nero": corpora.nero(data),
        }
        kept = {name: list(corpora.without(part, forbidden, papers)) for name, part in training.items()}
        kept |= {**held_out, "cdr test": list(cdr)}
        parts = {name: [one for one in map(reader, part) if one is not None] for name, part in kept.items()}
        file.write_bytes(pickle.dumps((parts, clusters)))
    parts, clusters = pickle.loads(file.read_bytes())
    for name, part in parts.items():
        print(f"{name}: {len(part)} sentences, {sum(len(one.sentence.marks) for one in part)} mentions", flush=True)
    return parts, clusters


def is_held_out(paper: str) -> bool:
    """Whether a paper of NLM-Gene or GNormPlus is in the part that choices are made on: every fifth, by its number."""
    return int(paper) % 5 == 0


def _fitted(
    sentences: Sequence[Tokens], clusters: dict[str, tuple[int, ...]], types: Sequence[str]
) -> tuple[Vocabulary, Weights]:
    vocabulary = Vocabulary.of(sentences, clusters)
    sizes = len(vocabulary.own), len(vocabulary.wide), len(vocabulary.places)
    print(f"{len(sentences)} sentences, {sizes} features of spellings, far-reaching spellings and places", flush=True)
    labels = labels_of(types)
    start = Weights.zeros(*sizes, len(GUIDELINES), len(labels))
    return vocabulary, fitted(problem(sentences, vocabulary, types), start, labels, seed=SEED, **SETTINGS)


def _report(held_out: dict[str, list[Tokens]], model: GeneModel) -> NDArray[np.float64]:
    """Print scores on the held-out parts; return slope and intercept of the certainty of each type."""
    tagger = GeneTagger(model, KnownNames(shipped_names()))
    graded: dict[str, list[tuple[float, bool, str]]] = {kind: [] for kind in model.types}
    for name, part in held_out.items():
        counts: Counter[tuple[str, str]] = Counter()
        for one in part:
            gold = {
                (start, end, kind)
                for start, end, kind in one.sentence.marks
                if kind in one.sentence.whole and kind in model.types
            }
            spaces = [one.sentence.text[end : end + 1].isspace() for _, end in one.spans]
            counts.update((kind, "gold") for _, _, kind in gold)
            for first, after, kind, likely in tagger.graded_spans(one.texts, spaces):
                if kind not in one.sentence.whole:
                    continue
                start, end = one.spans[first][0], one.spans[after - 1][1]
                touched = [(s, e) for s, e, own in gold if own == kind and s < end and start < e]
                counts.update([(kind, "found")])
                counts.update([(kind, "right")] if (start, end, kind) in gold else [])
                counts.update([(kind, "near")] if touched else [])
                # "p53" for "p53 protein" is the same name: as cut means that one end at least is where people put it
                graded[kind].append((log_odds(likely), any(s == start or e == end for s, e in touched), name))
        for kind in sorted({kind for kind, _ in counts}):
            n_gold, n_found, n_right, n_near = (max(counts[kind, what], 0) for what in ("gold", "found", "right", "near"))
            precision, recall = n_right / max(n_found, 1), n_right / max(n_gold, 1)
            f1 = 2 * n_right / max(n_found + n_gold, 1)
            exact = f"precision {precision:.4f}, recall {recall:.4f}, F1 {f1:.4f}"
            print(f"{name} {kind}: {exact}; overlapping precision {n_near / max(n_found, 1):.4f}", flush=True)
    calibration = []
    for kind, rows in graded.items():
        X, y = np.array([odds for odds, _, _ in rows])[:, None], np.array([right for _, right, _ in rows])
        share = Counter(name for _, _, name in rows)
        machine = LogisticRegression(C=1e6).fit(X, y, sample_weight=[len(rows) / share[name] for _, _, name in rows])
        certainty = machine.predict_proba(X)[:, 1]
        bands = [(certainty >= low) & (certainty < low + 0.2) for low in (0.0, 0.2, 0.4, 0.6, 0.8)]
        by_band = "; ".join(f"{y[band].mean() if band.any() else 0:.2f} of {band.sum()}" for band in bands)
        print(f"certainty of {kind}: AUC {roc_auc_score(y, certainty):.3f}; right by fifths: {by_band}", flush=True)
        calibration.append((float(machine.coef_[0, 0]), float(machine.intercept_[0])))
    return np.array(calibration)


def shipped(types: tuple[str, ...], vocabulary: Vocabulary, weights: Weights, calibration: NDArray[np.float64]) -> GeneModel:
    """The weights that ship, scaled for all features being there; negligible ones are left out."""
    present = 1 - SETTINGS["dropped"]
    labels = labels_of(types)
    of_type = {kind: [labels.index(f"{place} {kind}") for place in PLACES] for kind in types}
    strict_shares = STRICT if types[0] == "protein" else SHIPPED[types[0]]
    tables = {}
    for name in ("own", "wide", "places"):
        rows, learned = getattr(vocabulary, name), getattr(weights, name).astype(np.float64)
        features = [feature for feature in rows if not feature.startswith(SPECIFIC)]
        shared = learned[[rows[feature] for feature in features]]
        broad, strict = shared.copy(), shared[..., :N_STRICT].copy()
        for place, feature in enumerate(features):
            for kind in types:
                for guideline, share in SHIPPED[kind].items():
                    row = rows.get(f"{guideline}|{feature}")
                    if row is not None:
                        broad[place][..., of_type[kind]] += share * learned[row][..., of_type[kind]]
            for guideline, share in strict_shares.items():
                row = rows.get(f"{guideline}|{feature}")
                if row is not None:
                    strict[place] += share * learned[row][..., :N_STRICT]
        both = np.concatenate([broad, strict], axis=-1) * present
        both[np.abs(both) < TINY] = 0
        kept = np.flatnonzero(np.abs(both).reshape(len(both), -1).max(axis=1) > NEGLIGIBLE)
        tables[name] = Table.of([features[place] for place in kept], both[kept])
    added = weights.steps[1:]
    broad_steps, strict_steps = weights.steps[0].astype(np.float64), weights.steps[0].astype(np.float64)
    for number, kind in enumerate(types):
        is_of = np.zeros((len(labels), len(labels)), bool)
        is_of[of_type[kind], :] = True
        is_of[:, of_type[kind]] = True
        for steps, shares in ((broad_steps, SHIPPED[kind]), (strict_steps, SHIPPED[kind] if number else strict_shares)):
            for guideline, share in shares.items():
                steps[is_of] += share * added[GUIDELINES.index(guideline)][is_of]
    return GeneModel(
        types,
        **tables,
        steps=np.where(allowed_steps(labels), np.array([broad_steps, strict_steps]), -np.inf),
        clusters=vocabulary.clusters,
        calibration=calibration,
    )


if __name__ == "__main__":
    main()
