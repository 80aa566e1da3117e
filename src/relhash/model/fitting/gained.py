"""What labels have changed against the prior, in words: how good it is on the labels, and which rows of the text changed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.learn.correction import FittedCorrection, clipped_log_odds, held_out_log_odds
from relhash.learn.decision import Decision
from relhash.learn.end_to_end import EndToEnd
from relhash.learn.gain import Gain
from relhash.learn.labels import example_of
from relhash.learn.relation_types import FEW
from relhash.model.fitting.code_choice import FittedFeatures
from relhash.model.fitting.training_labels import TrainingLabels
from relhash.model.fitting.training_text import TrainingText
from relhash.model.prior import ChosenPrior
from relhash.model.reading.found_names import judged_names, names_of

SHOWN = 5
"""Rows gained and lost that are named."""
MOST_DOUBLED = 400
"""Labels up to which the card says what more would add."""


def gained(
    made: FittedFeatures, decision: Decision, rule: EndToEnd, told: TrainingLabels, prior: ChosenPrior | None
) -> dict[str, Any]:
    """What the labels have changed against the prior: on themselves, held out, and in the text to adapt to."""
    fitted = decision.classifier
    if prior is None or not isinstance(fitted, FittedCorrection) or decision.out_of_fold is None:
        return {}
    rows, documents = made.rows[told.rows], told.documents[told.rows]
    before, own = fitted.prior(rows), rows[:, : rows.shape[1] - 1]
    half = None
    if told.rows.size <= MOST_DOUBLED:
        half = held_out_log_odds(fitted, before, own, told.gold, documents, n_folds=2, origins=told.origins)
    gain = Gain.of(told.gold, before, clipped_log_odds(decision.out_of_fold), documents, half)
    new, lost, total = _rows_changed(made, decision, rule, told.text, prior)
    lines = gain.lines(prior.name, len(new) + len(lost) if total else None, total)
    if total:
        lines.append(f"in the text to adapt to: {len(new)} rows gained, {len(lost)} lost, of {total} pairs")
        lines += [f"gained: {one}" for one in new[:SHOWN]] + [f"lost: {one}" for one in lost[:SHOWN]]
    counts = Counter(name for candidate in told.candidates for name in candidate.relations)
    few = [f"{name} ({count})" for name, count in counts.items() if count < FEW and len(counts) > 1]
    if few:
        lines.append(f"types with fewer than {FEW} rows, hardly known: {', '.join(few)}")
    return {"gain": lines}


def _rows_changed(
    made: FittedFeatures, decision: Decision, rule: EndToEnd, text: TrainingText, prior: ChosenPrior
) -> tuple[list[str], list[str], int]:
    """Rows of the text to adapt to that the model accepts and the prior does not, and the other way round."""
    if made.target_rows is None or not isinstance(decision.classifier, FittedCorrection):
        return [], [], 0
    known = prior.model.decision
    cut = float(known.calibration.probabilities([min(known.threshold.score, 1.0)])[0])
    pairs = special.expit(decision.classifier.prior(made.target_rows))
    names = names_of(text.target)
    before, accepted = judged_names(prior.model.end_to_end, names, pairs, pairs >= cut)
    _, pairs, labels = decision.decide(made.target_rows)
    after, accepted_now = judged_names(rule, names, pairs, labels)
    moved = np.argsort(-np.abs(after - before), kind="stable")

    def told(rows: NDArray[np.bool_]) -> list[str]:
        return [f"{example_of(text.target[row])} ({before[row]:.2f} → {after[row]:.2f})" for row in moved if rows[row]]

    return told(accepted_now & ~accepted), told(accepted & ~accepted_now), len(text.target)
