"""Recipes by the names of the literature: views, hash functions, features, classifier, threshold.

A preset is a starting point; every field can be replaced (``RelationExtractor(preset="best", threshold="precision:0.8")``).

The systems on interactions with types and roles: the same learners and classifiers, on structures of whole interactions.

Views of the hash functions and the committee of ``best`` were chosen on training documents of BioNLP held out from the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from relhash.candidates.policies import CandidatePolicy
from relhash.errors import ParameterError
from relhash.learn import (
    BoostedClassifier,
    CommitteeClassifier,
    CoordinatesPart,
    ForestClassifier,
    LinearClassifier,
    Member,
    NeighbourClassifier,
    NgramPart,
    to_parts,
)
from relhash.learn.decision import DecisionSettings
from relhash.model.recipe import Recipe

_PAPER_LEARNER = {"n_bits": 100, "n_references": (3, 4), "n_cluster_bits": 10}
_NEAREST_OR_MARGIN = ({"hash_function": "nearest"}, {"hash_function": "margin"})
# ours; from AIMed to HPRD50 (development, three seeds) the first had AUC .79, nearest .78, balanced-margin .77, margin .76
_STANDARD_OR_BALANCED = ({"hash_function": "standard-nearest"}, {"hash_function": "balanced-margin"})
_RANDOM_LEARNER = {**_PAPER_LEARNER, "split": "random", "sampling": "global", "deletion_share": 0.0}
_NEURAL_LEARNER = {**_PAPER_LEARNER, "hash_function": "neural", "network": {"encoder": "lstm", "units": 8, "layers": 2}}
# the paper says 100 trees and nothing of how deep they grow or whether they weigh classes; training documents choose
_PAPER_FOREST = DecisionSettings(
    tuple(ForestClassifier(100, min_samples_leaf=leaf, balanced=weighed) for weighed in (False, True) for leaf in (1, 5)),
    n_folds=3,
)
_TREES = ForestClassifier(150, min_samples_leaf=5, balanced=True, random_cuts=True)
BEST_MEMBERS = (
    Member(_TREES, ("coordinates", "raw-descriptors"), weight=2),
    Member(LinearClassifier(0.1), ("descriptors", "ngrams")),
)
_FEW_LABEL_TREES = replace(_TREES, n_trees=75, min_samples_leaf=2)
_FEW_LABEL_MEMBERS = (
    Member(_FEW_LABEL_TREES, ("coordinates", "raw-descriptors")),
    Member(_FEW_LABEL_TREES, ("raw-descriptors",)),
    Member(LinearClassifier(0.3), ("coordinates",)),
    Member(LinearClassifier(0.01), ("descriptors",)),
)
"""Below 1000 labels a leaf of five is a large part of all positives, and planes are safer than trees."""
ENCODER_MEMBER = Member(LinearClassifier(0.1), ("encoder",))


def _with_encoder(members: Sequence[Member]) -> tuple[Member, ...]:
    """The members, the trees on coordinates with sight of what the encoder says."""
    return tuple(
        replace(member, parts=(*member.parts, "encoder")) if member.classifier == _TREES else member for member in members
    )


_BEST = Recipe(
    "ours: trees on coordinates, seen from the references of the hash functions, and descriptors; a linear model on n-grams",
    views=("path+edges", "path+context", "between", "window(3,3)", "descriptors"),
    parts=to_parts("coordinates", "raw-descriptors", "descriptors", "ngrams"),
    learner={"n_bits": 125, "n_references": (4,)},
    decision=DecisionSettings(
        (CommitteeClassifier(BEST_MEMBERS),), (CommitteeClassifier(_FEW_LABEL_MEMBERS),), few_labels=1000, n_folds=3
    ),
)

PRESETS: dict[str, Recipe] = {
    "best": _BEST,
    "best+encoder": replace(
        _BEST,
        summary="ours with what the shipped transformer says of a pair: more right, and slower",
        parts=to_parts(*_BEST.parts, "encoder"),
        decision=DecisionSettings(
            (CommitteeClassifier((*_with_encoder(BEST_MEMBERS), ENCODER_MEMBER)),),
            (CommitteeClassifier((*_FEW_LABEL_MEMBERS, replace(ENCODER_MEMBER, weight=2))),),
            few_labels=1000,
            n_folds=3,
        ),
    ),
    "encoder": Recipe(
        "what the shipped transformer says of a pair alone, weighed by logistic regression",
        parts=to_parts("encoder"),
        decision=DecisionSettings(tuple(LinearClassifier(strength) for strength in (0.001, 0.01, 0.1)), n_folds=3),
    ),
    "KLSH-NU-RF": Recipe(
        "the paper: nearly-unsupervised bits of dependency paths, random forest",
        learner=_PAPER_LEARNER,
        learner_choices=_NEAREST_OR_MARGIN,
        decision=_PAPER_FOREST,
        paper_f1={"A→B": 0.57, "B→A": 0.57},
    ),
    "KLSH-NU-RF-inductive": Recipe(
        "the same with a quarter of the training candidates in the place of the target",
        learner=_PAPER_LEARNER,
        learner_choices=_NEAREST_OR_MARGIN,
        decision=_PAPER_FOREST,
        use_target=False,
    ),
    "NLSH-NU-RF": Recipe(
        "the paper with networks as hash functions: LSTMs of two layers with 8 units (learning needs the extra neural)",
        learner=_NEURAL_LEARNER,
        decision=_PAPER_FOREST,
        paper_f1={"A→B": 0.56, "B→A": 0.55},
    ),
    "NLSH-NU-RF-inductive": Recipe(
        "the same with a quarter of the training candidates in the place of the target",
        learner=_NEURAL_LEARNER,
        decision=_PAPER_FOREST,
        use_target=False,
    ),
    "KLSH-RF": Recipe(
        "its supervised ancestor: references and kernel chosen with labels, 1000 bits, random forest",
        learner={"n_bits": 1000, "supervised": True},
        kernel={"max_length": (2, 4), "gap_decay": (0.5, 0.8), "threshold": (0.1, 0.4)},
        decision=_PAPER_FOREST,
        use_target=False,
        paper_f1={"A→B": 0.57, "B→A": 0.54},
    ),
    "KLSH-kNN": Recipe(
        "random bits; of the 300 nearest codes, the nearest by the kernel (as their references see it) vote",
        parts=to_parts("bits", CoordinatesPart(400)),
        learner=_RANDOM_LEARNER,
        decision=DecisionSettings(tuple(NeighbourClassifier(k) for k in (5, 15, 35)), n_folds=3),
        use_target=False,
        paper_f1={"A→B": 0.51, "B→A": 0.51},
    ),
    "random": Recipe(
        "the ablation: the same bits with random references and random splits",
        learner=_RANDOM_LEARNER,
        learner_choices=_NEAREST_OR_MARGIN,
        decision=_PAPER_FOREST,
    ),
    "random-balanced": Recipe(
        "the ablation's control: random references and splits, maximum margin cut at the median",
        learner={**_RANDOM_LEARNER, "hash_function": "balanced-margin"},
        decision=_PAPER_FOREST,
    ),
    "one-sequence": Recipe(
        "ours, not the paper's: nearly-unsupervised bits of one sequence, the path in its context and descriptors as symbols; "
        "random forest",
        views=("path+context+descriptors",),
        learner=_PAPER_LEARNER,
        learner_choices=_STANDARD_OR_BALANCED,
        decision=_PAPER_FOREST,
    ),
    "best-inductive": replace(_BEST, summary="ours without sight of the target", use_target=False),
}


def preset(name: str) -> Recipe:
    """A preset by its name.

    >>> preset("KLSH-NU-RF").learner["n_bits"]
    100
    """
    if name not in PRESETS:
        raise ParameterError(f"preset: there is no {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]


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


def to_recipe(given: str | Recipe, policy: CandidatePolicy | None = None) -> Recipe:
    """The recipe, or the one of that name, on interactions if these are the candidates of ``policy``."""
    if isinstance(given, Recipe):
        return given
    found = preset(given)
    return for_interactions(found) if policy is not None and policy.has_roles else found


def name_of(recipe: str | Recipe) -> str:
    """Its name, or ``"recipe"`` for one of your own."""
    return recipe if isinstance(recipe, str) else next((name for name, known in PRESETS.items() if known == recipe), "recipe")


def is_ours(recipe: str | Recipe) -> bool:
    """Whether a prior can take part by default: systems of the literature are left as they are."""
    if isinstance(recipe, str):
        return recipe.startswith("best")
    return recipe.parts == _BEST.parts and recipe.decision.classifiers == _BEST.decision.classifiers


def for_interactions(preset: Recipe) -> Recipe:
    """The preset on interaction candidates: its views along the path between two entities give way to those of interactions.

    >>> from relhash.model.presets import PRESETS
    >>> for_interactions(PRESETS["KLSH-NU-RF"]).views
    ('interaction', 'path+edges')
    >>> for_interactions(PRESETS["KLSH-NU-RF"]).learner["deletion_share"]
    0.0
    """
    if "descriptors" in preset.views:
        return _best(preset)
    return replace(
        preset,
        views=_WHOLE,
        parts=tuple(NGRAMS if isinstance(part, NgramPart) else part for part in preset.parts),
        # deletion did not pay, and RkNN was not worse than RMM (random RMM was much worse)
        learner=preset.learner if preset.learner.get("supervised") else {**preset.learner, "deletion_share": 0.0},
        learner_choices=preset.learner_choices[:1],
        paper_f1={},
    )


def _best(preset: Recipe) -> Recipe:
    with_encoder = "encoder" in preset.part_names
    members = (*_BEST_MEMBERS, ENCODER_MEMBER) if with_encoder else _BEST_MEMBERS
    return replace(
        preset,
        summary="ours: a linear model on n-grams, descriptors and clues, boosted trees, and trees on coordinates of all views",
        views=(*_WHOLE, *_ROLES[:2], "between", "descriptors"),
        parts=to_parts(*_BEST_PARTS, "encoder") if with_encoder else _BEST_PARTS,
        learner={**preset.learner, "n_bits": 200},
        decision=DecisionSettings((CommitteeClassifier(members),), n_folds=2, threshold="prior"),
    )
