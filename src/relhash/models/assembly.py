"""From a preset to working objects: kernels, hashcode learner, feature parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from relhash.errors import ParameterError
from relhash.features.contextual import ContextualPart
from relhash.features.coordinates import ReferenceCoordinates
from relhash.features.descriptor_bits import DescriptorBits
from relhash.features.feature_map import CODE_PARTS, DescriptorPart, FeatureMap, HashcodePart, NgramPart, Part
from relhash.features.ngrams import Ngrams
from relhash.hashing.learner import HashcodeLearner
from relhash.hashing.supervised import SupervisedHashcodeLearner
from relhash.hashing.trace import Event
from relhash.kernels import PathKernel, WordSimilarity, WordVectors
from relhash.kernels.vector_kernels import VectorKernel
from relhash.models.presets import Preset
from relhash.structures.contextual import CONTEXTUAL
from relhash.structures.views import view

__all__ = ["make_features", "make_kernels", "make_learner"]

CODES = "codes"
"""Name of the block of columns that the hash functions fill."""


def make_kernels(preset: Preset, vectors: WordVectors | None = None) -> dict[str, Any]:
    """One kernel a view: subsequences of labels, or the Laplace kernel on standardised descriptors."""
    parameters = dict(preset.kernel)
    words = {"threshold": parameters.pop("threshold")} if "threshold" in parameters else {}
    similarity = WordSimilarity.from_vectors(vectors, **words)
    try:
        path_kernel = PathKernel(similarity, **parameters)
    except TypeError as error:
        raise ParameterError(f"kernel: {error}") from error
    return {
        name: VectorKernel("laplace", scaling="standard") if view(name).is_dense else path_kernel for name in preset.views
    }


def make_learner(
    preset: Preset,
    kernels: Mapping[str, Any],
    *,
    random_state: int = 0,
    n_jobs: int | None = None,
    callback: Callable[[Event], object] | None = None,
) -> Any:
    """The hashcode learner of a preset, not yet fitted."""
    parameters: dict[str, Any] = {
        "kernel": dict(kernels),
        "views": list(preset.views),
        "random_state": random_state,
        "n_jobs": n_jobs,
        "callback": callback,
    }
    own = dict(preset.learner)
    try:
        if own.pop("supervised", False):
            return SupervisedHashcodeLearner(**parameters, **own)
        return HashcodeLearner(**parameters, **own)
    except TypeError as error:
        raise ParameterError(f"learner: {error}") from error


def make_features(
    preset: Preset,
    kernels: Mapping[str, Any],
    *,
    random_state: int = 0,
    n_jobs: int | None = None,
    callback: Callable[[Event], object] | None = None,
) -> FeatureMap:
    """The feature parts of a preset, not yet fitted."""
    parts: dict[str, Part] = {}
    code_parts = [part for part in preset.parts if part in CODE_PARTS]
    if code_parts:
        learner = make_learner(preset, kernels, random_state=random_state, n_jobs=n_jobs, callback=callback)
        parts[CODES] = HashcodePart(learner, code_parts, ReferenceCoordinates(random_state=random_state, n_jobs=n_jobs))
    if "descriptors" in preset.parts:
        parts["descriptors"] = DescriptorPart(DescriptorBits())
    if "raw-descriptors" in preset.parts:
        parts["raw-descriptors"] = DescriptorPart(None)
    if "ngrams" in preset.parts:
        parts["ngrams"] = NgramPart(Ngrams(preset.ngram_views, sizes=preset.ngram_sizes))
    if CONTEXTUAL in preset.parts:
        parts[CONTEXTUAL] = ContextualPart()
    return FeatureMap(parts)
