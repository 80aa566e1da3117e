"""A preset with parts of it replaced, as the parameters of an extractor ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from relhash.errors import ParameterError
from relhash.learning.decision import ClassifierSpec
from relhash.models.presets import Preset
from relhash.structures.views import view

__all__ = ["adjusted"]


def adjusted(
    base: Preset,
    *,
    views: Sequence[str] | None = None,
    parts: Sequence[str] | None = None,
    learner: Mapping[str, Any] | None = None,
    kernel: Mapping[str, Any] | None = None,
    classifier: str | ClassifierSpec | Sequence[ClassifierSpec] | None = None,
    threshold: str | float | None = None,
) -> Preset:
    """``base`` with everything that is not ``None`` in its place; ``learner`` and ``kernel`` replace single parameters.

    >>> from relhash.models.presets import preset
    >>> adjusted(preset("KLSH-NU-RF"), learner={"n_bits": 20}, classifier="linear C=0.1").learner["n_bits"]
    20
    """
    changes: dict[str, Any] = {}
    if views is not None:
        changes["views"] = tuple(views)
        # whoever names views (because there are no parses, say) means the n-grams too
        sequences = [name for name in views if not view(name).is_dense]
        changes["ngram_views"] = tuple(n for n in base.ngram_views if n in sequences) or tuple(sequences) or base.ngram_views
    if parts is not None:
        changes["parts"] = tuple(parts)
    if learner is not None:
        changes["learner"] = {**base.learner, **learner}
        # what the user has settled is no longer up for choice
        changes["learner_choices"] = tuple(choice for choice in base.learner_choices if not set(choice) & set(learner))
    if kernel is not None:
        changes["kernel"] = {**base.kernel, **kernel}
    changed = replace(base, **changes)
    if classifier is not None:
        changed = changed.with_head(classifiers=_specs(classifier), few_label_classifiers=())
    if threshold is not None:
        changed = changed.with_head(threshold=threshold)
    return changed


def _specs(classifier: str | ClassifierSpec | Sequence[ClassifierSpec]) -> tuple[ClassifierSpec, ...]:
    if isinstance(classifier, str):
        kind, *parameters = classifier.split()
        try:
            given = {name: float(value) for name, value in (parameter.split("=") for parameter in parameters)}
        except ValueError:
            raise ParameterError(f"classifier: {classifier!r} is not of the form 'linear C=0.1'") from None
        return (ClassifierSpec(kind, {name: int(v) if v == int(v) and name != "C" else v for name, v in given.items()}),)
    return (classifier,) if isinstance(classifier, ClassifierSpec) else tuple(classifier)
