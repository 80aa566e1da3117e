"""The systems on interactions with types and roles: the same learners and classifiers, on structures of whole interactions."""

from __future__ import annotations

from dataclasses import replace

from relhash.models.presets import Preset, preset
from relhash.structures.candidates import CandidateMaker, CandidatePolicy
from relhash.structures.interactions import InteractionPolicy
from relhash.structures.interactions_judged import JudgedPolicy
from relhash.structures.roles import INTERACTION

__all__ = ["for_interactions", "preset_for"]

_ROLES = ("role(cause)", "role(theme)", "role(theme2)")
_WHOLE = (INTERACTION, "path+edges")
"""Views that show all participants: by role through the trigger, and from each to the next as the sentence has them. Bits of
the paths to single roles did much worse on held-out training documents of BioNLP (F1 .37 against .42 to .44)."""


def preset_for(name: str, policy: CandidatePolicy | CandidateMaker | None) -> Preset:
    """The preset called ``name``, on interactions if these are the candidates of ``policy``."""
    found = preset(name)
    return for_interactions(found) if isinstance(policy, InteractionPolicy | JudgedPolicy) else found


def for_interactions(preset: Preset) -> Preset:
    """The preset on interaction candidates: its views along the path between two entities give way to those of interactions.

    >>> from relhash.models.presets import PRESETS
    >>> for_interactions(PRESETS["KLSH-NU-RF"]).views
    ('interaction', 'path+edges')
    """
    has_all_views = "descriptors" in preset.views
    forests = [spec for spec in preset.head.classifiers if spec.kind == "forest"]
    return replace(
        preset,
        views=(*_WHOLE, *_ROLES[:2], "between", "descriptors") if has_all_views else _WHOLE,
        ngram_views=("between", *_ROLES),
        # trees to the last leaf were never worse there than smaller ones, and a choice in every fold costs twice the time
        head=replace(preset.head, classifiers=forests[:1]) if forests else preset.head,
        paper_f1={},
    )
