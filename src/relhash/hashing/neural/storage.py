"""The networks of neural hash functions as a safetensors part of the model file: named tensors, nothing that could run.

Functions that hash the same view have networks of the same shapes: their weights lie in one tensor, ``<view>/<weight>``, a row
a function in the order of the code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import DataMissingError, ModelFileError
from relhash.hashing.functions import HashFunction
from relhash.hashing.neural.family import NeuralFamily, NeuralFunction
from relhash.structures.packing import unpack_strings

__all__ = ["networks_from_bytes", "networks_to_bytes"]

Arrays = Mapping[str, NDArray[Any]]


def networks_to_bytes(functions: Sequence[HashFunction]) -> bytes:
    """The weights of all functions."""
    networks = [function for function in functions if isinstance(function, NeuralFunction)]
    tensors: dict[str, NDArray[np.float32]] = {}
    for view in dict.fromkeys(network.view for network in networks):
        own = [network for network in networks if network.view == view]
        named = own[0].architecture.named(np.stack([network.weights for network in own]))
        tensors |= {f"{view}/{name}": values for name, values in named.items()}
    content: bytes = _safetensors().numpy.save(tensors)
    return content


def networks_from_bytes(content: bytes, arrays: Arrays, network: Mapping[str, Any]) -> NDArray[np.float64]:
    """Parameters of all functions one after the other, as :func:`relhash.hashing.storage.functions_from_arrays` takes them.

    ``arrays`` are the other stored arrays of the functions, ``network`` the parameters of the family.
    """
    family, library = NeuralFamily.from_parameters(network), _safetensors()
    try:
        tensors = library.numpy.load(content)
        views, view_of = unpack_strings(arrays["views"]), np.asarray(arrays["functions.view"])
        rows: dict[int, NDArray[np.float64]] = {}
        for number, view in enumerate(views):
            architecture = family.architecture(tensors[f"{view}/input"].shape[1])
            functions = np.flatnonzero(view_of == number)
            own = {}
            for name, shape in architecture.shapes.items():
                own[name] = tensors[f"{view}/{name}"]
                if own[name].shape != (functions.size, *shape) or not np.isfinite(own[name]).all():
                    raise ModelFileError(f"networks of view {view!r}: {name} has the wrong shape or holds no numbers")
            rows |= dict(zip(functions.tolist(), architecture.flat(own).astype(np.float64), strict=True))
        return np.concatenate([rows[function] for function in range(view_of.size)])
    except (KeyError, IndexError, ValueError, library.SafetensorError) as error:
        raise ModelFileError(f"the networks of the hash functions do not fit together ({error})") from error


def _safetensors() -> Any:
    try:
        import safetensors.numpy
    except ImportError as error:
        raise DataMissingError(
            "the model holds networks, which are stored with safetensors; install it with: pip install 'relhash[neural]'"
        ) from error
    return safetensors
