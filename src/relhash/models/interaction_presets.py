"""The systems on interactions with types and roles: the same learners and classifiers, on structures of whole interactions.

Views of the hash functions and the committee of ``best`` were chosen on training documents of BioNLP held out from the rest.
"""

from __future__ import annotations

from dataclasses import replace

from relhash.features import NgramPart, to_parts
from relhash.learning import BoostedClassifier, CommitteeClassifier, ForestClassifier, LinearClassifier, Member
from relhash.learning.decision import DecisionSettings
from relhash.models.presets import CONTEXTUAL_MEMBER, Preset, preset
from relhash.structures.policies import CandidatePolicy

_ROLES = ("role(cause)", "role(theme)", "role(theme2)")
_WHOLE = ("interaction", "path+edges")
"""Views that show all participants: by role through the trigger, and from each to the next as the sentence has them. Bits of
the paths to single roles did much worse (F1 .37 against .42 to .44)."""
NGRAMS = NgramPart(("between", *_ROLES))
WITHOUT_CODES = to_parts("descriptors", "raw-descriptors", "clues", NGRAMS)
"""Feature parts of a model that has no hash functions: small, and fast to learn."""
MEMBERS_WITHOUT_CODES = (
    # which word names which type, n-grams say best; trees weigh what competes
    Member(LinearClassifier(0.05), ("descriptors", "ngrams", "clues")),
    Member(BoostedClassifier(300, depth=3, rate=0.06, rows=0.5), ("raw-descriptors", "clues")),
)
_BEST_PARTS = to_parts("coordinates", *WITHOUT_CODES)
_BEST_MEMBERS = (
    *MEMBERS_WITHOUT_CODES,
    Member(ForestClassifier(150, balanced=True, random_cuts=True), ("raw-descriptors", "coordinates"), weight=0.5),
)


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
    forests = [one for one in preset.decision.classifiers if isinstance(one, ForestClassifier)]
    return replace(
        preset,
        views=_WHOLE,
        parts=tuple(NGRAMS if isinstance(part, NgramPart) else part for part in preset.parts),
        # deletion did not pay, and RkNN was not worse than RMM (random RMM was much worse)
        learner=preset.learner if preset.learner.get("supervised") else {**preset.learner, "deletion_share": 0.0},
        learner_choices=preset.learner_choices[:1],
        # nor were trees to the last leaf than smaller ones, and a choice in every fold costs twice the time
        decision=replace(preset.decision, classifiers=forests[:1]) if forests else preset.decision,
        paper_f1={},
    )


def _best(preset: Preset) -> Preset:
    contextual = "contextual" in preset.part_names
    members = (*_BEST_MEMBERS, CONTEXTUAL_MEMBER) if contextual else _BEST_MEMBERS
    return replace(
        preset,
        summary="ours: a linear model on n-grams, descriptors and clues, boosted trees, and trees on coordinates of all views",
        views=(*_WHOLE, *_ROLES[:2], "between", "descriptors"),
        parts=to_parts(*_BEST_PARTS, "contextual") if contextual else _BEST_PARTS,
        learner={**preset.learner, "n_bits": 200},
        decision=DecisionSettings((CommitteeClassifier(members),), n_folds=2, threshold="prior"),
    )
