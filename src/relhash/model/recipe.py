"""A recipe: everything that says how a model is made, as data that is written and read as TOML.

``relhash info --recipe best`` prints one, ``relhash fit --recipe mine.toml`` takes one. A file may also name one that ships and
say only what is to be different::

    base = "best"
    [learner]
    n_bits = 50
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar

from relhash.candidates.views import view
from relhash.codec import InJson
from relhash.errors import ParameterError, RelHashError
from relhash.learn import FeaturePart, ForestClassifier, to_parts
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
        (:mod:`relhash.model.fitting.code_choice`).
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
            # whoever names views (because there are no parses, say) means the n-grams too
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
        except tomllib.TOMLDecodeError as error:
            raise ParameterError(f"not TOML ({error})") from error
        base = given.pop("base", None)
        known = {one.name for one in fields(cls)}
        if unknown := sorted(set(given) - known):
            raise ParameterError(f"there is no {', '.join(map(repr, unknown))}; there are base, {', '.join(sorted(known))}")
        try:
            from relhash.model.presets import preset  # they are made of recipes

            whole = (cls() if base is None else preset(str(base))).to_dict()
            for name, value in given.items():
                whole[name] = {**whole[name], **value} if isinstance(value, Mapping) else value
            if "learner" in given and "learner_choices" not in given:  # what is settled is no longer up for choice
                whole["learner_choices"] = [one for one in whole["learner_choices"] if not set(one) & set(given["learner"])]
            return cls.from_dict(whole)
        except ParameterError:
            raise
        except (RelHashError, KeyError, TypeError, ValueError, AttributeError) as error:
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
