"""The systems that are compared: presets, their variants, and the plain rivals that stay in every table.

A system is a preset (what the product runs), a rival with features of its own, or a baseline of the literature. Everything is
data, so that a table can say exactly what ran. A name means one system in every protocol; :func:`system` gives it as it looks
at the candidates of a protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from relhash.bench.rivals.registry import BASELINES
from relhash.bench.systems.kernel_machines import KernelMachineSystem, NystroemSystem
from relhash.bench.systems.system import BaselineSystem, PresetSystem, PriorAlone, System, WithPrior
from relhash.errors import ParameterError
from relhash.learn import CommitteeClassifier, ForestClassifier, LinearClassifier, Member, to_parts
from relhash.learn.decision import DecisionSettings
from relhash.model.recipe import BEST_MEMBERS, PRESETS, Recipe

# its leaves are small ones, which measured best: rivals get what serves them
_DESCRIPTOR_FOREST = DecisionSettings((ForestClassifier(200, min_samples_leaf=3, balanced=True),))
_BALANCED_FOREST = DecisionSettings(  # else that of the paper's presets
    (ForestClassifier(100, balanced=True), ForestClassifier(100, min_samples_leaf=5, balanced=True)), n_folds=3
)
_LINEAR = DecisionSettings((LinearClassifier(0.03), LinearClassifier(0.1), LinearClassifier(0.3)))
_FEW = DecisionSettings((LinearClassifier(0.01),), n_folds=3)
_WORDS = ("path+edges", "between")
_KERNEL_VIEWS = ("path+edges", "path+context", "between", "window(3,3)", "descriptors")
_FOUR_VIEWS = ("path+edges", "between", "window(3,3)", "descriptors")
_RANDOM = {"split": "random", "sampling": "global", "deletion_share": 0.0}
# RMM, small clusters, no deletion, C: by transfer to HPRD50 and BioNLP 2009 with 50 to 500 labels, for both kinds of bits
_NU_400 = {"n_bits": 400, "hash_function": "margin", "n_cluster_bits": 5, "deletion_share": 0.0}
_RANDOM_400 = {"n_bits": 400, "hash_function": "margin", **_RANDOM}
_RANDOM_BALANCED_400 = {"n_bits": 400, "hash_function": "balanced-margin", **_RANDOM}


_HARD = {"hard": True, "threshold": 0.5}
_PUBLISHED: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "objective": ("the objective H(c) + H(c | c_prev) + H(x | c) + H(c | x)",
                  {"entropy_weight": 2.0, "bit_entropy_weight": 1.0}, {}),
    "cluster": ("the single cluster of the highest entropy", {"sampling": "highest"}, {}),
    "first-global": ("clusters from the second function on", {"n_global": 1}, {}),
    "deletion": ("deletion below mean − 1.28 sd", {"deletion_spread": 1.28}, {}),
    "margin": ("maximum margin with C = 1 (of the squared hinge)", {"hash_function": "margin", "ridge": 1.0}, {}),
    "hard-words": ("words that match or do not (cosine 0.5)", {}, {"kernel": _HARD}),
    "pairs": ("tokens that are a word and its edge", {}, {"views": ("path+pairs",)}),
}  # fmt: skip
"""Where the code that the authors published differs from the paper: what, and parameters of the learner and the recipe."""


def _plain(name: str, summary: str, parts: Sequence[str], decision: DecisionSettings) -> System:
    preset = Recipe(summary, views=(), parts=to_parts(*parts), decision=decision)
    return PresetSystem(name, preset=preset, deterministic="forest" not in name)


def _variant(name: str, base: str, summary: str, learner: Mapping[str, Any] = (), **changes: Any) -> System:  # type: ignore[assignment]
    """A preset with something changed; its hash functions are nearest neighbours, so that rows differ in one thing only."""
    preset = PRESETS[base]
    own = {"learner": {**preset.learner, **dict(learner)}, "learner_choices": (), "paper_f1": {}, **changes}
    return PresetSystem(name, preset=replace(preset, summary=summary, **own), pairs_only="views" in changes)


def _best_of(name: str, summary: str, *members: Member, **changes: Any) -> System:
    """The preset ``best`` with other members in its committee."""
    parts = dict.fromkeys(part for member in members for part in member.parts)
    best = PRESETS["best"]
    return PresetSystem(
        name,
        preset=replace(best, summary=summary, parts=to_parts(*parts), **changes).with_decision(
            classifiers=(CommitteeClassifier(members),), few_label_classifiers=()
        ),
        pairs_only=True,
    )


def _nothing_adapted(name: str) -> System:
    """A preset that never sees the target: neither its codes nor its threshold."""
    preset = PRESETS[f"{name}-inductive"]
    summary = f"{preset.summary}; its threshold comes from the training side too"
    return PresetSystem(f"{name}-unadapted", preset=replace(preset, summary=summary), threshold_adapted=False)


def _few(name: str, summary: str, learner: Mapping[str, Any]) -> System:
    preset = Recipe(summary, views=_WORDS, parts=to_parts("bits"), learner=learner, decision=_FEW)
    return PresetSystem(name, preset=preset, pairs_only=True)


_TREES, _NGRAMS = BEST_MEMBERS
_ON_INTERACTIONS = {  # what the paper has for its own systems: on BioNLP, and as mean over PubMed45's subsets
    "KLSH-NU-RF": {"train→devel13": 0.67, "subsets": 0.61},
    "NLSH-NU-RF": {"train→devel13": 0.63, "subsets": 0.59},
    "KLSH-RF": {"train→devel13": 0.63, "subsets": 0.57},
    "KLSH-kNN": {"train→devel13": 0.60, "subsets": 0.46},
}


def _trees_on(*parts: str) -> Member:
    return replace(_TREES, parts=parts)


_ALL = (
    *(PresetSystem(name, preset=preset, paper=_ON_INTERACTIONS.get(name, {})) for name, preset in PRESETS.items()),
    *(_nothing_adapted(name) for name in ("best", "KLSH-NU-RF")),
    _plain("ngram-lr", "logistic regression on n-grams", ("ngrams",), _LINEAR),
    _plain("ngram+descriptors-lr", "the same with descriptors", ("ngrams", "descriptors"), _LINEAR),
    _plain("descriptors-forest", "random forest on raw descriptors", ("raw-descriptors",), _DESCRIPTOR_FOREST),
    NystroemSystem(
        "nystroem-lr",
        preset=Recipe("logistic regression on Nyström features of the summed kernel", views=_KERNEL_VIEWS, decision=_LINEAR),
    ),
    KernelMachineSystem(
        "kernel-svm",
        preset=Recipe("support vector machine on the summed kernel, supervised throughout", views=_KERNEL_VIEWS, decision=_FEW),
        deterministic=True,
    ),
    _few("NU+linear", "nearly-unsupervised bits of two word views, linear", _NU_400),
    _few("random+linear", "random bits of two word views, linear", _RANDOM_400),
    _few("random-balanced+linear", "random bits cut at the median, linear", _RANDOM_BALANCED_400),
    _variant("function=nearest", "KLSH-NU-RF", "KLSH-NU-RF with RkNN, the base of the rows below", {}),
    _variant("split=random", "KLSH-NU-RF", "random splits", {"split": "random"}),
    _variant("entropy=none", "KLSH-NU-RF", "an objective without the entropy term", {"entropy_weight": 0.0}),
    _variant("redundancy=none", "KLSH-NU-RF", "an objective without the redundancy term", {"redundancy_weight": 0.0}),
    _variant("sampling=global", "KLSH-NU-RF", "references from everywhere", {"sampling": "global"}),
    _variant("deletion=none", "KLSH-NU-RF", "no function is deleted", {"deletion_share": 0.0}),
    _variant("redundancy=correlation", "KLSH-NU-RF", "redundancy by total correlation", {"redundancy": "correlation"}),
    _variant("function=margin", "KLSH-NU-RF", "RMM instead of RkNN", {"hash_function": "margin"}),
    _variant("function=balanced-margin", "KLSH-NU-RF", "RMM cut at the median", {"hash_function": "balanced-margin"}),
    _variant("function=standard-nearest", "KLSH-NU-RF", "RkNN by standardised similarities",
             {"hash_function": "standard-nearest"}),
    _variant("forest=balanced", "KLSH-NU-RF", "a forest that weighs both classes alike", decision=_BALANCED_FOREST),
    _variant("KLSH-NU-RF/literal", "KLSH-NU-RF", "KLSH-NU-RF with a forest as written: 100 trees, nothing else said",
             decision=DecisionSettings((ForestClassifier(100),), n_folds=3)),
    _variant("NLSH-NU-RF/networks", "NLSH-NU-RF", "NLSH-NU-RF with a network for every split, which chooses by its own bits",
             {"network": {**PRESETS["NLSH-NU-RF"].learner["network"], "choose": "networks"}}),
    *(_variant(f"published/{name}", "KLSH-NU-RF", f"KLSH-NU-RF, of the authors' published code {summary}", learner, **changes)
      for name, (summary, learner, changes) in _PUBLISHED.items()),
    _variant("published", "KLSH-NU-RF", "the authors' published code, all of it, by maximum margin",
             {name: value for _, learner, _ in _PUBLISHED.values() for name, value in learner.items()},
             views=("path+pairs",), kernel=_HARD),
    _variant("bits=50", "KLSH-NU-RF", "50 bits", {"n_bits": 50}),
    _variant("bits=300", "KLSH-NU-RF", "300 bits", {"n_bits": 300}),
    _variant("alpha=2", "KLSH-NU-RF", "2 references", {"n_references": (2,)}),
    _variant("alpha=8", "KLSH-NU-RF", "8 references", {"n_references": (8,)}),
    _variant("zeta=5", "KLSH-NU-RF", "clusters of 5 bits", {"n_cluster_bits": 5}),
    _variant("zeta=7", "KLSH-NU-RF", "clusters of 7 bits (15,500 candidates fill no more than 10)", {"n_cluster_bits": 7}),
    *(
        PresetSystem(
            f"{name}+views",
            preset=replace(PRESETS[name], summary=f"{name} on four views", views=_FOUR_VIEWS, paper_f1={}),
            pairs_only=True,
        )
        for name in ("KLSH-NU-RF", "NLSH-NU-RF")
    ),
    _variant("views=between", "KLSH-NU-RF", "words between instead of paths", views=("between",)),
    _variant("views=words", "KLSH-NU-RF", "paths, words between and windows", views=("path+edges", "between", "window(3,3)")),
    _variant("views=words+descriptors", "KLSH-NU-RF", "the same and descriptors", views=_FOUR_VIEWS),
    _variant("best/random-references", "best", "best with references from everywhere, chosen by nothing", _RANDOM),
    _best_of("best/no-coordinates", "trees on descriptors, and n-grams", _trees_on("raw-descriptors"), _NGRAMS),
    _best_of("best/no-descriptors", "trees on coordinates, and n-grams, none with descriptors",
             _trees_on("coordinates"), replace(_NGRAMS, parts=("ngrams",))),
    _best_of("best/no-ngrams", "the trees alone", _TREES),
    _best_of("best/coordinates", "trees on coordinates, nothing else", _trees_on("coordinates")),
    _best_of("best/descriptors", "trees on descriptors, nothing else", _trees_on("raw-descriptors")),
    _best_of("best/bits", "bits in the place of the coordinates", _trees_on("bits", "raw-descriptors"), _NGRAMS),
    _best_of("best/with-bits", "bits beside the coordinates", _trees_on("coordinates", "bits", "raw-descriptors"), _NGRAMS),
    _best_of("best/500-functions", "with 500 hash functions", *BEST_MEMBERS, learner={"n_bits": 500, "n_references": (4,)}),
)  # fmt: skip

_WEIGHED = ("best", "best+encoder", "NU+linear", "random+linear", "random-balanced+linear")
_AS_FEATURE = ("descriptors-forest", "ngram+descriptors-lr")
_WITH_PRIOR = (
    PriorAlone("prior", deterministic=True),
    *(
        WithPrior.of(one, as_feature=one.name in _AS_FEATURE)
        for one in _ALL
        if isinstance(one, PresetSystem) and one.name in (*_WEIGHED, *_AS_FEATURE)
    ),
)
SYSTEMS: dict[str, System] = {one.name: one for one in (*_ALL, *_WITH_PRIOR, *map(BaselineSystem.called, BASELINES))}
"""Our systems by name, as they look at pairs."""


def system(name: str, *, has_roles: bool = False) -> System:
    """The system called ``name`` as it looks at pairs, or at candidates with a trigger and roles.

    >>> system("KLSH-NU-RF").preset.views, system("KLSH-NU-RF", has_roles=True).preset.views
    (('path+edges',), ('interaction', 'path+edges'))
    """
    if not is_system(name):
        raise ParameterError(f"systems: there is no {name}; there are {', '.join(SYSTEMS)}")
    found = SYSTEMS[name] if name in SYSTEMS else BaselineSystem.called(name)
    return found.for_interactions() if has_roles else found


def is_system(name: str) -> bool:
    """Whether there is such a system, here or as a baseline that somebody has registered."""
    return name in SYSTEMS or name in BASELINES
