"""A preset with parts of it replaced, as the parameters of an extractor ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from relhash.errors import ParameterError
from relhash.learn import FeaturePart, to_parts
from relhash.learn.classifier import Classifier, to_classifier
from relhash.model.presets import Preset


def adjusted(
    base: Preset,
    *,
    views: Sequence[str] | None = None,
    parts: Sequence[str | FeaturePart] | None = None,
    learner: Mapping[str, Any] | None = None,
    kernel: Mapping[str, Any] | None = None,
    classifier: str | Classifier | Sequence[Classifier] | None = None,
    threshold: str | float | None = None,
    expect: float | None = None,
) -> Preset:
    """``base`` with everything that is not ``None`` in its place; ``learner`` and ``kernel`` replace single parameters.

    >>> from relhash.model.presets import preset
    >>> changed = adjusted(preset("KLSH-NU-RF"), learner={"n_bits": 20}, classifier="linear")
    >>> changed.learner["n_bits"], str(changed.decision.classifiers[0])
    (20, 'linear')
    """
    changes: dict[str, Any] = {}
    if views is not None:
        changes["views"] = tuple(views)
    if parts is not None or views is not None:
        of_base = {part.name: part for part in base.parts}
        named = base.parts
        if parts is not None:  # a part that the preset has keeps the preset's parameters
            named = to_parts(*(of_base.get(one, one) if isinstance(one, str) else one for one in parts))
        # whoever names views (because there are no parses, say) means the n-grams too
        changes["parts"] = tuple(part if views is None else part.restricted_to(tuple(views)) for part in named)
    if learner is not None:
        changes["learner"] = {**base.learner, **learner}
        # what the user has settled is no longer up for choice
        changes["learner_choices"] = tuple(choice for choice in base.learner_choices if not set(choice) & set(learner))
    if kernel is not None:
        changes["kernel"] = {**base.kernel, **kernel}
    changed = replace(base, **changes)
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
