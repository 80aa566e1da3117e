"""The systems on interactions with types and roles: the same learners and classifiers, on structures of whole interactions.

Views of the hash functions and the committee of ``best`` were chosen on training documents of BioNLP held out from the rest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from relhash.learning.decision import HeadSettings, committee
from relhash.models.presets import CONTEXTUAL_MEMBER, Preset, preset
from relhash.structures.candidates import CandidatePolicy

__all__ = ["for_interactions", "preset_for"]

_ROLES = ("role(cause)", "role(theme)", "role(theme2)")
_WHOLE = ("interaction", "path+edges")
"""Views that show all participants: by role through the trigger, and from each to the next as the sentence has them. Bits of
the paths to single roles did much worse (F1 .37 against .42 to .44)."""
_BEST_PARTS = ("coordinates", "descriptors", "raw-descriptors", "ngrams")
_BEST_MEMBERS: tuple[dict[str, Any], ...] = (
    # which word names which type, n-grams say best
    {"parts": ["descriptors", "ngrams"], "kind": "linear", "C": 0.2, "weight": 2},
    {
        "parts": ["raw-descriptors", "coordinates"], "kind": "forest", "n_trees": 150, "min_samples_leaf": 1, "balanced": True,
        "random_cuts": True,
    },
)  # fmt: skip


def preset_for(name: str, policy: CandidatePolicy | None) -> Preset:
    """The preset called ``name``, on interactions if these are the candidates of ``policy``."""
    found = preset(name)
    return for_interactions(found) if policy is not None and policy.has_roles else found


def for_interactions(preset: Preset) -> Preset:
    """The preset on interaction candidates: its views along the path between two entities give way to those of interactions.

    >>> from relhash.models.presets import PRESETS
    >>> for_interactions(PRESETS["KLSH-NU-RF"]).views
    ('interaction', 'path+edges')
    >>> for_interactions(PRESETS["KLSH-NU-RF"]).learner["deletion_share"]
    0.0
    """
    if "descriptors" in preset.views:
        return _best(preset)
    forests = [spec for spec in preset.head.classifiers if spec.kind == "forest"]
    return replace(
        preset,
        views=_WHOLE,
        ngram_views=("between", *_ROLES),
        # deletion did not pay, and RkNN was not worse than RMM (random RMM was much worse)
        learner=preset.learner if preset.learner.get("supervised") else {**preset.learner, "deletion_share": 0.0},
        learner_choices=preset.learner_choices[:1],
        # nor were trees to the last leaf than smaller ones, and a choice in every fold costs twice the time
        head=replace(preset.head, classifiers=forests[:1]) if forests else preset.head,
        paper_f1={},
    )


def _best(preset: Preset) -> Preset:
    contextual = "contextual" in preset.parts
    members = (*_BEST_MEMBERS, CONTEXTUAL_MEMBER) if contextual else _BEST_MEMBERS
    return replace(
        preset,
        summary="ours: a linear model on n-grams and descriptors, and trees on coordinates of all views and descriptors",
        views=(*_WHOLE, *_ROLES[:2], "between", "descriptors"),
        parts=(*_BEST_PARTS, "contextual") if contextual else _BEST_PARTS,
        learner={**preset.learner, "n_bits": 200},
        ngram_views=("between", *_ROLES),
        head=HeadSettings((committee(*members),), n_folds=3),
    )
