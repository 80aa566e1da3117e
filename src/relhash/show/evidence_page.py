"""The explanation of a model on a text as one HTML file: no script, nothing loaded, every character escaped and visible."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from markupsafe import Markup

import relhash
from relhash.files import replacing
from relhash.model.judging import accepted_text
from relhash.show.drawings import draw_calibration, draw_curves, draw_redundancy, draw_trace
from relhash.show.explanation import Explained, Explanation
from relhash.show.interaction_drawing import LONGEST as WIDEST
from relhash.show.interaction_drawing import draw_interactions, interaction_of
from relhash.show.model_view import ModelView
from relhash.show.pages import render

REASONS = 10
BITS_SHOWN = 40
SEEN = {
    "often": "sentences of this kind are frequent in the training text",
    "rarely": "the training text has few sentences of this kind",
    "never": "the training text has no sentence of this kind: read it twice",
}


def write_explanation(path: str | os.PathLike[str], explanation: Explanation) -> None:
    """Write the page to ``path``; it appears complete or not at all."""
    with replacing(path) as handle:
        handle.write(render_explanation(explanation))


def render_explanation(explanation: Explanation) -> str:
    """The page as one HTML document."""
    matrix = explanation.view.redundancy
    return render(
        "explanation",
        title=explanation.title,
        found=explanation,
        accepted=accepted_text(**explanation.accepted),
        facts=_facts(explanation),
        drawn=_drawn(explanation.view),
        alike=matrix[~np.eye(len(matrix), dtype=bool)],
        seen=SEEN,
        bits_shown=BITS_SHOWN,
        reasons=_reasons,
        interaction=_interaction,
        version=relhash.__version__,
    )


def _drawn(view: ModelView) -> Mapping[str, Markup | None]:
    gold = view.gold
    curve = None
    if gold is not None:
        curve = draw_curves({"": (gold.curve, (gold.measured.recall, gold.measured.precision))}, gold.share)
    return {
        "curve": curve,
        "calibration": None if gold is None else draw_calibration(gold.bins),
        "trace": draw_trace(view.trace) if view.trace else None,
        "redundancy": draw_redundancy(view.redundancy) if len(view.redundancy) > 1 else None,
    }


def _facts(explanation: Explanation) -> list[tuple[str, str, str]]:
    """What the model is, in a few words with some more below."""
    card = explanation.model.card
    training, threshold = card.get("training", {}), explanation.model.decision.threshold
    begin, score = explanation.accepted["lowest"], f"score {threshold.score:.3f}"
    return [
        ("Model", str(card.get("preset", "")), str(card.get("summary", ""))),
        ("Learned from", f"{training.get('labelled', 0):,} labelled candidates", f"{training.get('positive', 0):,} relations"),
        ("Decides by", *_decided_by(str(card.get("classifier", "")))),
        ("Accepts", f"from {score if begin is None else f'probability {begin:.2f}'} on", f"{score}, rule {threshold.strategy}"),
    ]


def _decided_by(classifier: str) -> tuple[str, str]:
    """The classifier in a word or two, and its members without their settings.

    >>> _decided_by("prior with weight 0.90, and committee of ngrams (linear C=0.1), codes (forest n_trees=75)")
    ('prior with weight 0.90, and committee', 'ngrams (linear), codes (forest)')
    >>> _decided_by("forest n_trees=75 balanced=True")
    ('forest', '')
    """
    plain = re.sub(r" \w+=[^\s,)]+", "", classifier)
    name, _, members = plain.partition(" of ")
    return name, members


def _reasons(row: Explained) -> list[tuple[str, str, float]]:
    start = ("where it starts, knowing nothing of the candidate", "", row.reasons.base)
    return [start, *((one.text, one.part, one.value) for one in row.reasons.strongest(REASONS))]


def _interaction(row: Explained) -> Any:
    """Who does what to whom; of a pair its path says all there is. A name as long as a page fits no picture."""
    if row.prediction.candidate.trigger is None or len((stated := interaction_of(row.prediction)).text) > WIDEST:
        return ""
    return Markup(f'<div class="drawing scroll">{draw_interactions(stated, styled=False)}</div>\n')
