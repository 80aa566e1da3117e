"""Fitted feature parts as plain arrays, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ModelFileError
from relhash.features.contextual import ContextualPart
from relhash.features.coordinates import ReferenceCoordinates
from relhash.features.descriptor_bits import DescriptorBits
from relhash.features.feature_map import DescriptorPart, FeatureMap, HashcodePart, NgramPart, Part
from relhash.features.ngrams import Ngrams
from relhash.hashing.learner import HashcodeLearner
from relhash.kernels.bound import Kernel
from relhash.models.assembly import CODES
from relhash.models.presets import Preset
from relhash.structures.contextual import CONTEXTUAL
from relhash.structures.descriptors import COLUMNS
from relhash.structures.packing import pack_strings, unpack_strings

__all__ = ["features_from_arrays", "features_to_arrays"]

Arrays = dict[str, NDArray[Any]]


def features_to_arrays(features: FeatureMap) -> tuple[Arrays, dict[str, Any]]:
    """Arrays, each under the name of its part, and notes for the manifest."""
    arrays: Arrays = {}
    notes: dict[str, Any] = {"parts": list(features.parts)}
    for name, part in features.parts.items():
        own: Mapping[str, NDArray[Any]] = {}
        if isinstance(part, HashcodePart):
            own = dict(part.learner.to_arrays())
            notes["outputs"] = list(part.outputs)
            if "coordinates" in part.outputs:
                own |= {f"coordinates.{key}": array for key, array in part.coordinates.to_arrays().items()}
        elif isinstance(part, NgramPart):
            own = part.ngrams.to_arrays()
        elif isinstance(part, ContextualPart):
            own = part.to_arrays()
        elif isinstance(part, DescriptorPart):
            columns = {"names": pack_strings(part.columns)}
            own = columns if part.bits is None else {**columns, **part.bits.to_arrays()}
        arrays |= {f"{name}/{key}": array for key, array in own.items()}
    return arrays, notes


def features_from_arrays(
    arrays: Mapping[str, NDArray[Any]],
    notes: Mapping[str, Any],
    settings: Preset,
    kernels: Mapping[str, Sequence[Kernel]],
    n_jobs: int | None,
) -> FeatureMap:
    """The inverse of :func:`features_to_arrays`."""
    parts: dict[str, Part] = {}
    for name in notes["parts"]:
        own = {key.split("/", 1)[1]: array for key, array in arrays.items() if key.startswith(f"{name}/")}
        if name == CODES:
            if "family" not in own:  # the shipped model, until it is fitted again
                name = settings.learner.get("hash_function", "nearest")
                own |= {"family": pack_strings([name, "{}"])}
                own |= {f"family.{key}": own[f"functions.{key}"] for key in ("parameters", "n_parameters")}
            learner = HashcodeLearner.from_arrays(own, kernels, n_jobs=n_jobs)
            parts[name] = HashcodePart(learner, notes["outputs"], _coordinates(own, notes["outputs"], learner))
        elif name == "ngrams":
            parts[name] = NgramPart(Ngrams.from_arrays(own))
        elif name == CONTEXTUAL:
            parts[name] = ContextualPart.from_arrays(own)
        elif name in ("descriptors", "raw-descriptors"):
            columns = unpack_strings(np.asarray(own.get("names", np.empty(0, np.uint8)), np.uint8))
            if columns != COLUMNS:
                raise ModelFileError("the model was made with other descriptors than this version computes; fit it again")
            parts[name] = DescriptorPart(DescriptorBits.from_arrays(own) if name == "descriptors" else None, columns)
        else:
            raise ModelFileError(f"unknown feature part {name!r}")
    return FeatureMap(parts)


def _coordinates(
    arrays: Mapping[str, NDArray[Any]], outputs: Sequence[str], learner: HashcodeLearner
) -> ReferenceCoordinates | None:
    if "coordinates" not in outputs:
        return None
    own = {key.removeprefix("coordinates."): array for key, array in arrays.items() if key.startswith("coordinates.")}
    return ReferenceCoordinates.from_arrays(own, learner.functions_, learner.n_jobs)
