"""A recipe: everything that says how a model is made, as data that is written and read as TOML; and those of the literature.

``relhash info --recipe best`` prints one, ``relhash fit --recipe mine.toml`` takes one. A file may also name one that ships and
say only what is to be different::

    base = "best"
    [learner]
    n_bits = 50

Views of the hash functions and the committee of ``best`` were chosen on training documents of BioNLP held out from the rest.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar

from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.views import view
from relhash.codec import InJson
from relhash.errors import ParameterError, RelHashError
from relhash.learn import (
    BoostedClassifier,
    CommitteeClassifier,
    CoordinatesPart,
    FeaturePart,
    ForestClassifier,
    LinearClassifier,
    Member,
    NeighbourClassifier,
    NgramPart,
    to_parts,
)
from relhash.learn.classifier import Classifier, to_classifier
from relhash.learn.codes import check_code
from relhash.learn.decision import DecisionSettings


@dataclass(frozen=True)
class Recipe(InJson):
    """Everything that makes a system, and what its authors report for it.

    Attributes
    ----------
    summary
        One line for people.
    views
        What the hash functions compare.
    parts
        Feature parts (see :mod:`relhash.learn`); their columns come in this order.
    learner
        Parameters of :class:`~relhash.hashing.HashcodeLearner`, hash families and kernels by the names under which they are
        registered; ``supervised=True`` asks for the optimisation with labels of KLSH-RF.
    learner_choices
        Alternatives for some of the learner's parameters, of which held-out training documents choose one
        (:mod:`relhash.model.fitting`).
    kernel
        Parameters of the path kernel (``max_length``, ``gap_decay``) and of the word similarity (``threshold``, ``hard``); a
        list of values offers a kernel for each, from which the learner chooses.
    decision
        Classifiers to choose from, and the threshold.
    use_target
        Whether the codes see the unlabelled target; without it they are inductive. The threshold takes its fraction to the
        target's scores in either case, so that systems differ in their codes alone.
    paper_f1
        F1 reported in the literature by direction (``"A→B"``: trained on AIMed, tested on BioInfer).

    Examples
    --------
    >>> from relhash.model import preset
    >>> mine = preset("KLSH-NU-RF").adjusted(learner={"n_bits": 20}, classifier="linear")
    >>> Recipe.from_toml(mine.to_toml()) == mine
    True
    >>> Recipe.from_toml('base = "KLSH-NU-RF"\\n[learner]\\nn_bits = 50').learner["n_bits"]
    50
    """

    summary: str = ""
    views: Sequence[str] = ("path+edges",)
    parts: Sequence[FeaturePart] = field(default_factory=lambda: to_parts("bits"))
    learner: Mapping[str, Any] = field(default_factory=dict)
    learner_choices: Sequence[Mapping[str, Any]] = ()
    kernel: Mapping[str, Any] = field(default_factory=dict)
    decision: DecisionSettings = field(default_factory=lambda: DecisionSettings((ForestClassifier(),)))
    use_target: bool = True
    paper_f1: Mapping[str, float] = field(default_factory=dict)

    is_whole: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.parts:
            raise ParameterError("parts: name at least one")
        if len(set(self.part_names)) < len(self.parts):
            raise ParameterError(f"parts: {', '.join(self.part_names)} names one twice")

    @property
    def part_names(self) -> tuple[str, ...]:
        return tuple(part.name for part in self.parts)

    @property
    def has_codes(self) -> bool:
        """Whether any part needs hash functions."""
        return any(part.code_output for part in self.parts)

    @property
    def all_views(self) -> tuple[str, ...]:
        """Every view that has to be built, each once."""
        of_parts = [name for part in self.parts for name in part.views]
        return tuple(dict.fromkeys([*(self.views if self.has_codes else ()), *of_parts]))

    def checked(self) -> Recipe:
        """This recipe, after an error for anything in it that cannot be had: before hours of learning, not after."""
        for name in self.all_views:
            view(name)
        for part in self.parts:
            part.check()
        if self.has_codes:
            for choice in self.learner_choices or ({},):
                check_code(self.views, {**self.learner, **choice}, self.kernel)
        self.decision.check(self.part_names)
        return self

    def with_decision(self, **changes: Any) -> Recipe:
        """The same with another classifier, threshold, …"""
        return replace(self, decision=replace(self.decision, **changes))

    def adjusted(
        self,
        *,
        views: Sequence[str] | None = None,
        parts: Sequence[str | FeaturePart] | None = None,
        learner: Mapping[str, Any] | None = None,
        kernel: Mapping[str, Any] | None = None,
        classifier: str | Classifier | Sequence[Classifier] | None = None,
        threshold: str | float | None = None,
        expect: float | None = None,
    ) -> Recipe:
        """The same with all that is not ``None`` in its place; ``learner`` and ``kernel`` replace single parameters."""
        changes: dict[str, Any] = {}
        if views is not None:
            changes["views"] = tuple(views)
        if parts is not None or views is not None:
            of_base = {part.name: part for part in self.parts}
            named = self.parts
            if parts is not None:  # a part that the preset has keeps the preset's parameters
                named = to_parts(*(of_base.get(one, one) if isinstance(one, str) else one for one in parts))
            # views that are named (because there are no parses, say) are meant for the n-grams too
            changes["parts"] = tuple(part if views is None else part.restricted_to(tuple(views)) for part in named)
        if learner is not None:
            changes["learner"] = {**self.learner, **learner}
            # what the user has settled is no longer up for choice
            changes["learner_choices"] = tuple(choice for choice in self.learner_choices if not set(choice) & set(learner))
        if kernel is not None:
            changes["kernel"] = {**self.kernel, **kernel}
        changed = replace(self, **changes)
        if classifier is not None:
            given = (classifier,) if isinstance(classifier, str) or not isinstance(classifier, Sequence) else classifier
            changed = changed.with_decision(classifiers=tuple(map(to_classifier, given)), few_label_classifiers=())
        if expect is not None:
            if threshold is not None:
                raise ParameterError(f"expect={expect}: a threshold ({threshold}) was given as well; give one of the two")
            if not 0 < expect < 1:
                raise ParameterError(f"expect={expect}: the share of related pairs must lie between 0 and 1, as in 0.2")
            threshold = f"share:{expect:g}"
        if threshold is not None:
            changed = changed.with_decision(threshold=threshold)
        return changed

    def to_toml(self) -> str:
        """The recipe as a file that :meth:`from_toml` reads."""
        return "\n".join(_toml_lines(self.to_dict())) + "\n"

    @classmethod
    def from_toml(cls, text: str) -> Recipe:
        """A recipe from TOML: whole, or what is different from the recipe that it names as its ``base``."""
        try:
            given = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise ParameterError(f"not TOML ({error})") from error
        base = given.pop("base", None)
        known = {one.name for one in fields(cls)}
        if unknown := sorted(set(given) - known):
            raise ParameterError(f"there is no {', '.join(map(repr, unknown))}; there are base, {', '.join(sorted(known))}")
        try:
            whole = (cls() if base is None else preset(str(base))).to_dict()
            for name, value in given.items():
                whole[name] = {**whole[name], **value} if isinstance(value, Mapping) else value
            if "learner" in given and "learner_choices" not in given:  # what is settled is no longer up for choice
                whole["learner_choices"] = [one for one in whole["learner_choices"] if not set(one) & set(given["learner"])]
            return cls.from_dict(whole)
        except ParameterError:
            raise
        except (RelHashError, KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise ParameterError(f"not a recipe ({type(error).__name__}: {error})") from error

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Recipe:
        """The recipe in a TOML file."""
        try:
            return cls.from_toml(Path(path).read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ParameterError(f"{path}: the recipe cannot be read ({error})") from error
        except ParameterError as error:
            raise ParameterError(f"{path}: {error}; relhash info --recipe best shows a whole one") from error


def _toml_lines(table: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """A table of JSON as TOML, which has no null: such a value is left out, and has its default when it is read."""
    tables = {}
    for name, value in table.items():
        key = name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else json.dumps(name)
        if isinstance(value, Mapping) or (isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value)):
            tables[key] = value
        elif value is not None:
            yield f"{key} = {json.dumps(value, ensure_ascii=False)}"
    for key, value in tables.items():
        inner = f"{path}.{key}" if path else key
        for one in [value] if isinstance(value, Mapping) else value:
            yield f"\n[{inner}]" if isinstance(value, Mapping) else f"\n[[{inner}]]"
            yield from _toml_lines(one, inner)


_PAPER_LEARNER = {"n_bits": 100, "n_references": (3, 4), "n_cluster_bits": 10}
_NEAREST_OR_MARGIN = ({"hash_function": "nearest"}, {"hash_function": "margin"})
# ours; from AIMed to HPRD50 (development, three seeds) the first had AUC .79, nearest .78, balanced-margin .77, margin .76
_STANDARD_OR_BALANCED = ({"hash_function": "standard-nearest"}, {"hash_function": "balanced-margin"})
_RANDOM_LEARNER = {**_PAPER_LEARNER, "split": "random", "sampling": "global", "deletion_share": 0.0}
_NEURAL_LEARNER = {**_PAPER_LEARNER, "hash_function": "neural", "network": {"units": 8, "layers": 2}}
_INDUCTIVE = "the same with a quarter of the training candidates in the place of the target"
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
        summary="ours with what the shipped transformer says of a pair: better, and slower",
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
        _INDUCTIVE, learner=_PAPER_LEARNER, learner_choices=_NEAREST_OR_MARGIN, decision=_PAPER_FOREST, use_target=False
    ),
    "NLSH-NU-RF": Recipe(
        "the paper with networks as hash functions: LSTMs of two layers with 8 units (learning needs the extra neural)",
        learner=_NEURAL_LEARNER,
        decision=_PAPER_FOREST,
        paper_f1={"A→B": 0.56, "B→A": 0.55},
    ),
    "NLSH-NU-RF-inductive": Recipe(_INDUCTIVE, learner=_NEURAL_LEARNER, decision=_PAPER_FOREST, use_target=False),
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

    >>> for_interactions(PRESETS["KLSH-NU-RF"]).views
    ('interaction', 'path+edges')
    """
    if "descriptors" in preset.views:
        return _best_for_interactions(preset)
    return replace(
        preset,
        views=_WHOLE,
        parts=tuple(NGRAMS if isinstance(part, NgramPart) else part for part in preset.parts),
        # deletion did not pay, and RkNN was not worse than RMM (random RMM was much worse)
        learner=preset.learner if preset.learner.get("supervised") else {**preset.learner, "deletion_share": 0.0},
        learner_choices=preset.learner_choices[:1],
        paper_f1={},
    )


def _best_for_interactions(preset: Recipe) -> Recipe:
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
