"""Fit what a shipped model and the encoder need to decide together: ``resources/models/NAME/encoder.json``.

    RELHASH_DATA=../shared/data python tools/fit_second_reader.py ppi WORK
    RELHASH_DATA=../shared/data python tools/fit_second_reader.py related WORK
    RELHASH_DATA=../shared/data python tools/fit_second_reader.py events WORK

Every twelfth paper of the sources was kept from the encoder. The model is fitted once more without these papers (kept in WORK);
on them, which neither has learned, the weight of the encoder is chosen, and the mean of both votes calibrated and cut.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import special

from encoder_data import CAUSE, THEME, is_held_out
from relhash.bench.datasets.curated import JUDGED_BY_CURATORS, judged_documents
from relhash.bench.datasets.dataset import data_root
from relhash.bench.systems.prior_votes import (
    PRIOR_SOURCES,
    fit_prior,
    fit_untyped_prior,
    read_prior_source,
    related_pairs,
    without_leakage,
)
from relhash.candidates import build_structures
from relhash.candidates.encoded import ENCODER
from relhash.corpus.document import paper_ids
from relhash.language.encoder import shared_encoder
from relhash.learn.calibration import Calibration
from relhash.learn.correction import fitted_line
from relhash.learn.labels import has_label
from relhash.learn.metrics import auc, average_precision
from relhash.learn.threshold import Threshold, choose_threshold, score_at_fraction
from relhash.model import FittedModel
from relhash.model.judging import Prepared
from relhash.model.model_file import FILE, SecondReader, find_model
from train_events_model import fit_events, learned_documents
from train_ppi_model import tested_text

HEADS = {
    "ppi": {
        "general": ("general",),
        "heads": ("bioinfer", "bionlp", "nero"),
        "both": ("general", "bioinfer", "bionlp", "nero"),
    },
    "related": {"general": ("general",), "heads": ("nero", "nero-other"), "both": ("general", "nero", "nero-other")},
    "events": {"links": (THEME, CAUSE)},
}
WEIGHTS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
FEWEST_ACCEPTED = 10
"""Of fewer of a group it is not told which share of it is accepted."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=tuple(HEADS))
    parser.add_argument("work", type=Path)
    parser.add_argument("--data", type=Path, default=None)
    given = parser.parse_args()
    root = data_root(given.data)
    tested = tested_text(root)
    if given.name == "ppi":
        sources = {name: without_leakage(read_prior_source(name, root), *tested)[0] for name in PRIOR_SOURCES}
    elif given.name == "related":
        sources = {"related": without_leakage(related_pairs(root), *tested)[0]}
    else:
        sources = {"events": learned_documents(root)}
    aside = {name: [one for one in own if is_held_out(paper_of(one))] for name, own in sources.items()}
    if given.name != "events":
        aside["curators"] = [
            one for name in ("extri", "bel") for one in judged_documents(root, name) if is_held_out(paper_of(one))
        ]
    core = given.work / f"{given.name}-without-a-twelfth.relhash"
    if not core.exists():
        kept = {name: [one for one in own if not is_held_out(paper_of(one))] for name, own in sources.items()}
        if given.name == "ppi":
            model = fit_prior(kept, threshold="fraction")
        else:
            model = (fit_events if given.name == "events" else fit_untyped_prior)(kept[given.name])
        given.work.mkdir(parents=True, exist_ok=True)
        model.save(core)
    second = fitted_beside(FittedModel.load(core, encoder=False), aside, given.name)
    file = find_model(given.name).parent / FILE
    second.write(file)
    print(file, second)


def paper_of(document) -> str:
    """As the encoder's sources name the paper: those of curators by its bare number."""
    is_judged = document.metadata.get("source") == JUDGED_BY_CURATORS
    return document.metadata["pmid"] if is_judged else min(paper_ids(document), default=document.id)


def fitted_beside(model: FittedModel, aside, name: str) -> SecondReader:
    """The second reader, from documents by source that neither has learned."""
    encoder = shared_encoder()
    rows, candidates = {}, []
    for source, documents in aside.items():
        found = model.candidates(documents)
        found = [one for one, is_labelled in zip(found, has_label(found), strict=True) if is_labelled]
        own = model.decision.classifier.log_odds(Prepared(model, found).features)
        candidates += found
        rows[source] = own, build_structures(found, [ENCODER])[ENCODER], np.array([one.is_positive for one in found])
    model_votes, table, gold = (np.concatenate(column) for column in zip(*rows.values(), strict=True))
    best = None
    for label, names in HEADS[name].items():
        heads = np.array([float(head in names) / len(names) for head in encoder.heads])
        scales = float(model_votes.std()), float((table[:, : heads.size] @ heads).std())
        for weight in WEIGHTS:
            figures = {}
            for source, (own, of_source, y) in rows.items():
                votes = own / scales[0] + weight * (of_source[:, : heads.size] @ heads) / scales[1]
                figures[source] = auc(y, votes), average_precision(y, votes)
            mean = float(np.mean([one[1] for one in figures.values()]))
            print(
                label, weight, {source: f"AUC {a:.3f} AP {p:.3f}" for source, (a, p) in figures.items()}, f"mean AP {mean:.4f}"
            )
            if best is None or mean > best[0]:
                best = mean, heads, scales, weight
    for source, (own, _, y) in rows.items():
        print(f"the model alone, {source}: AUC {auc(y, own):.3f} AP {average_precision(y, own):.3f}")
    _, heads, scales, weight = best
    votes = (model_votes / scales[0] + weight * (table[:, : heads.size] @ heads) / scales[1]) / (1 + weight)
    line = fitted_line(
        np.column_stack([votes, np.ones(votes.size)]), gold, np.array([1.0, 0.0]), np.array([5.0, 5.0]), free=(1,)
    )
    scores = special.expit(votes)
    calibration = Calibration.line(*line)
    threshold = choose_threshold("fraction", gold, scores, calibration=calibration)
    if (groups := model.policy.groups(candidates)) is not None:
        threshold = moved(model.decision.threshold, special.expit(model_votes), scores, np.array(groups))
    accepted = float((scores >= threshold.score).mean())
    print(f"{gold.size} pairs of papers kept aside, {gold.sum()} related; weight {weight}, accepted {accepted:.3f}")
    return SecondReader(encoder.version, len(encoder.columns), tuple(heads.tolist()), scales, weight, *line, threshold)


def moved(threshold: Threshold, before: np.ndarray, scores: np.ndarray, groups: np.ndarray) -> Threshold:
    """The threshold that accepts as many of each group as before; of a rare one, the share of all that its score accepted."""
    of_group = {}
    for name, cut in threshold.of_group.items():
        own = groups == name
        own = own if (before[own] >= cut).sum() >= FEWEST_ACCEPTED else np.ones(groups.size, bool)
        of_group[name] = score_at_fraction(scores[own], float((before[own] >= cut).mean()))
    score = score_at_fraction(scores, float((before >= threshold.score).mean()))
    return replace(threshold, score=score, of_group=of_group)


if __name__ == "__main__":
    main()
