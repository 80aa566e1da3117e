"""Systems by the names of the literature, as data: views, hash functions, features, classifier, threshold.

A preset is a starting point; every field can be replaced (``RelationExtractor(preset="best", threshold="precision:0.8")``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from relhash.errors import ParameterError
from relhash.features.feature_map import CODE_PARTS, PARTS
from relhash.learning.decision import ClassifierSpec, HeadSettings, committee
from relhash.learning.threshold import parse_strategy
from relhash.structures.views import view

__all__ = ["BEST_MEMBERS", "CONTEXTUAL_MEMBER", "PRESETS", "Preset", "preset"]


@dataclass(frozen=True)
class Preset:
    """Everything that makes a system, and what its authors report for it.

    Attributes
    ----------
    summary
        One line for people.
    views
        What the hash functions compare.
    parts
        Feature parts (see :mod:`relhash.features.feature_map`).
    learner
        Parameters of the hashcode learner; ``supervised=True`` asks for the optimisation with labels of KLSH-RF.
    learner_choices
        Alternatives for some of the learner's parameters, of which held-out training labels choose one
        (:mod:`relhash.models.code_choice`).
    kernel
        Parameters of the path kernel (``max_length``, ``gap_decay``) and of the word similarity (``threshold``).
    head
        Classifier, threshold, weights.
    ngram_views, ngram_sizes
        For the part ``ngrams``.
    use_target
        Whether the codes see the unlabelled target; without it they are inductive. The threshold takes its fraction to the
        target's scores in either case, so that systems differ in their codes alone.
    paper_f1
        F1 reported in the literature by direction (``"A→B"``: trained on AIMed, tested on BioInfer).
    """

    summary: str
    views: Sequence[str] = ("path+edges",)
    parts: Sequence[str] = ("bits",)
    learner: Mapping[str, Any] = field(default_factory=dict)
    learner_choices: Sequence[Mapping[str, Any]] = ()
    kernel: Mapping[str, Any] = field(default_factory=dict)
    head: HeadSettings = field(default_factory=lambda: HeadSettings((ClassifierSpec("forest"),)))
    ngram_views: Sequence[str] = ("between", "path", "path+edges", "window(3,3)")
    ngram_sizes: Sequence[int] = (1, 2, 3)
    use_target: bool = True
    paper_f1: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = [part for part in self.parts if part not in PARTS]
        if unknown or not self.parts:
            raise ParameterError(f"parts: {', '.join(unknown) or 'none named'}; there are {', '.join(PARTS)}")

    @property
    def has_codes(self) -> bool:
        return any(part in CODE_PARTS for part in self.parts)

    @property
    def all_views(self) -> tuple[str, ...]:
        """Every view that has to be built, each once."""
        views = list(self.views) if self.has_codes else []
        if "ngrams" in self.parts:
            views += self.ngram_views
        if "descriptors" in self.parts or "raw-descriptors" in self.parts:
            views.append("descriptors")
        if "contextual" in self.parts:
            views.append("contextual")
        return tuple(dict.fromkeys(views))

    def checked(self) -> Preset:
        """This preset, after an error for any name or value in it that does not exist: before hours of learning, not after."""
        for name in self.all_views:
            view(name)
        for spec in (*self.head.classifiers, *self.head.few_label_classifiers):
            spec.make(0, None, dict.fromkeys(self.parts, slice(0)))
        parse_strategy(self.head.threshold)
        return self

    def with_head(self, **changes: Any) -> Preset:
        """The same with another classifier, threshold, …"""
        return replace(self, head=replace(self.head, **changes))


_PAPER_LEARNER = {"n_bits": 100, "n_references": (3, 4), "n_cluster_bits": 10}
_NEAREST_OR_MARGIN = ({"hash_function": "nearest"}, {"hash_function": "margin"})
_NEURAL_LEARNER = {**_PAPER_LEARNER, "hash_function": "neural", "network": {"encoder": "lstm", "units": 8, "layers": 2}}
# the paper says 100 trees and nothing on how deep they grow; that is chosen on the training side
_PAPER_FOREST = HeadSettings(
    tuple(ClassifierSpec("forest", {"n_trees": 100, "min_samples_leaf": leaf}) for leaf in (1, 5)), n_folds=3
)
_TREES = {"kind": "forest", "n_trees": 150, "min_samples_leaf": 5, "balanced": True, "random_cuts": True}
BEST_MEMBERS: tuple[dict[str, Any], ...] = (
    {"parts": ["coordinates", "raw-descriptors"], **_TREES, "weight": 2},
    {"parts": ["descriptors", "ngrams"], "kind": "linear", "C": 0.1},
)
_FEW_LABEL_TREES = {**_TREES, "n_trees": 75, "min_samples_leaf": 2}
_FEW_LABEL_MEMBERS: tuple[dict[str, Any], ...] = (
    {"parts": ["coordinates", "raw-descriptors"], **_FEW_LABEL_TREES},
    {"parts": ["raw-descriptors"], **_FEW_LABEL_TREES},
    {"parts": ["coordinates"], "kind": "linear", "C": 0.3},
    {"parts": ["descriptors"], "kind": "linear", "C": 0.01},
)
"""Below 1000 labels a leaf of five is a large part of all positives, and planes are safer than trees."""
CONTEXTUAL_MEMBER = {"parts": ["contextual"], "kind": "linear", "C": 0.1}


def _with_contextual(members: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The members, the trees on coordinates with sight of the contextual vectors."""
    return [
        {**member, "parts": [*member["parts"], "contextual"]} if member.get("random_cuts") else dict(member)
        for member in members
    ]


_BEST = Preset(
    "ours: trees on coordinates, seen from the references of the hash functions, and descriptors; a linear model on n-grams",
    views=("path+edges", "path+context", "between", "window(3,3)", "descriptors"),
    parts=("coordinates", "raw-descriptors", "descriptors", "ngrams"),
    learner={"n_bits": 125, "n_references": (4,)},
    head=HeadSettings((committee(*BEST_MEMBERS),), (committee(*_FEW_LABEL_MEMBERS),), few_labels=1000, n_folds=3),
)

PRESETS: dict[str, Preset] = {
    "best": _BEST,
    "best+contextual": replace(
        _BEST,
        summary="ours with the vectors of a sentence encoder, which must be installed (extra contextual)",
        parts=(*_BEST.parts, "contextual"),
        head=HeadSettings(
            (committee(*_with_contextual(BEST_MEMBERS), CONTEXTUAL_MEMBER),),
            (committee(*_FEW_LABEL_MEMBERS, {**CONTEXTUAL_MEMBER, "weight": 2}),),
            few_labels=1000,
            n_folds=3,
        ),
    ),
    "KLSH-NU-RF": Preset(
        "the paper: nearly-unsupervised bits of dependency paths, random forest",
        learner=_PAPER_LEARNER,
        learner_choices=_NEAREST_OR_MARGIN,
        head=_PAPER_FOREST,
        paper_f1={"A→B": 0.57, "B→A": 0.57},
    ),
    "KLSH-NU-RF-inductive": Preset(
        "the same with a quarter of the training candidates in the place of the target",
        learner=_PAPER_LEARNER,
        learner_choices=_NEAREST_OR_MARGIN,
        head=_PAPER_FOREST,
        use_target=False,
    ),
    "NLSH-NU-RF": Preset(
        "the paper with networks as hash functions: LSTMs of two layers with 8 units (learning needs the extra neural)",
        learner=_NEURAL_LEARNER,
        head=_PAPER_FOREST,
        paper_f1={"A→B": 0.56, "B→A": 0.55},
    ),
    "NLSH-NU-RF-inductive": Preset(
        "the same with a quarter of the training candidates in the place of the target",
        learner=_NEURAL_LEARNER,
        head=_PAPER_FOREST,
        use_target=False,
    ),
    "KLSH-RF": Preset(
        "its supervised ancestor: references optimised with labels, 1000 bits, random forest",
        learner={"n_bits": 1000, "supervised": True},
        head=_PAPER_FOREST,
        use_target=False,
        paper_f1={"A→B": 0.57, "B→A": 0.54},
    ),
    "KLSH-kNN": Preset(
        "random bits, nearest neighbours by Hamming distance",
        learner={**_PAPER_LEARNER, "split": "random", "sampling": "global", "deletion_share": 0.0},
        head=HeadSettings(tuple(ClassifierSpec("neighbours", {"k": k}) for k in (5, 15, 35))),
        use_target=False,
        paper_f1={"A→B": 0.51, "B→A": 0.51},
    ),
    "random": Preset(
        "the ablation: the same bits with random references and random splits",
        learner={**_PAPER_LEARNER, "split": "random", "sampling": "global", "deletion_share": 0.0},
        learner_choices=_NEAREST_OR_MARGIN,
        head=_PAPER_FOREST,
    ),
    "best-inductive": replace(_BEST, summary="ours without sight of the target", use_target=False),
}


def preset(name: str) -> Preset:
    """A preset by its name.

    >>> preset("KLSH-NU-RF").learner["n_bits"]
    100
    """
    if name not in PRESETS:
        raise ParameterError(f"preset: there is no {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]
