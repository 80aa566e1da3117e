"""The sentence encoder: batches and what is kept, with a drawn model; the installed one, where there is one."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from relhash.errors import DataMissingError
from relhash.language import encoder as encoder_module
from relhash.language.encoder import SentenceEncoder, encoder_is_installed, shared_encoder

TEXTS = ["protein1 binds protein2", "protein1 inhibits protein2 .", "no protein1", "protein1 binds protein", ""]


def test_a_package_that_is_not_there_is_named_with_the_remedy() -> None:
    assert not encoder_is_installed("no_such_encoder")
    with pytest.raises(DataMissingError, match=r"'no_such_encoder'.*pip install 'relhash\[contextual\]'"):
        _ = SentenceEncoder("no_such_encoder")._loaded


def test_the_carrier_is_a_package_or_a_folder(monkeypatch, tmp_path) -> None:
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setenv("RELHASH_ENCODER", str(tmp_path))
    assert SentenceEncoder().carrier == str(tmp_path)
    assert encoder_module._folder(str(tmp_path)) == Path(tmp_path)
    monkeypatch.delenv("RELHASH_ENCODER")
    assert SentenceEncoder().carrier == encoder_module.DEFAULT_ENCODER
    assert encoder_module._folder("json") == Path(__import__("json").__path__[0]) / "model"
    assert encoder_module._folder("not/a/folder") is None


class DrawnTorch:
    """As much of torch as the encoder uses."""

    inference_mode = nullcontext

    @staticmethod
    def tensor(rows):
        return np.array(rows)


class DrawnModel:
    """The vector of a word piece is its number and its place; every batch is written down."""

    config = SimpleNamespace(num_hidden_layers=2, hidden_size=2)

    def __init__(self):
        self.shapes: list[tuple[int, ...]] = []

    def __call__(self, input_ids, attention_mask, output_hidden_states):
        self.shapes.append(input_ids.shape)
        assert ((input_ids > 0) == (attention_mask > 0)).all()
        places = np.broadcast_to(np.arange(input_ids.shape[1]), input_ids.shape)
        layer = np.stack([input_ids, places], axis=2).astype(np.float32)
        return SimpleNamespace(hidden_states=[SimpleNamespace(numpy=lambda: layer)] * 3)


def drawn_tokenizer(texts, **options):
    """Words by their length, between two frame symbols."""
    ids, offsets = [], []
    for text in texts:
        words, place = [], 0
        for word in text.split():
            start = text.index(word, place)
            place = start + len(word)
            words.append((start, place))
        ids.append([1, *(end - start for start, end in words), 2])
        offsets.append([(0, 0), *words, (0, 0)])
    return {"input_ids": ids, "offset_mapping": offsets}


@pytest.fixture
def drawn():
    encoder = SentenceEncoder("drawn", layers=(0,))
    encoder.__dict__["_loaded"] = (DrawnTorch, drawn_tokenizer, DrawnModel())
    return encoder


def test_texts_of_about_one_length_are_encoded_together(drawn):
    drawn.encode_all([(text, []) for text in [*TEXTS, "one two three four five six"]])
    assert sorted(drawn._loaded[2].shapes) == [(8, 8), (8, 16)]  # six words and two symbols: always filled up by something


def test_stretches_are_means_of_what_they_touch(drawn):
    (rows,) = drawn.encode_all([("protein1 binds protein2", [[(0, 8)], [(9, 14), (15, 23)], []])])
    assert rows.tolist() == [[8, 1], [6.5, 2.5], [0, 0], [7, 2]]


def test_what_is_known_is_not_encoded_again(drawn, monkeypatch):
    first = drawn.encode_all([(text, []) for text in [*TEXTS, *TEXTS]])
    n_batches = len(drawn._loaded[2].shapes)
    again = drawn.encode_all([(text, []) for text in TEXTS])
    assert len(drawn._loaded[2].shapes) == n_batches
    for one, two, three in zip(first, first[len(TEXTS) :], again, strict=False):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(one, three)
    monkeypatch.setattr(encoder_module, "MOST_KEPT", 2)
    drawn.encode("something new here", [])
    assert len(drawn._known) == 2


needs_encoder = pytest.mark.skipif(not encoder_is_installed(), reason="needs the extra [contextual]")


@needs_encoder
def test_the_same_bits_in_any_batch():
    """What predictions one by one and a thousand at a time rely on; the library does not promise it."""
    words = ["protein1", "binds", "strongly", "to", "the", "kinase", "domain", "of", "protein2", "in", "most", "cells"]
    texts = [" ".join([*words[:size], *words[:turn]]) for size in (1, 4, 7, 12) for turn in range(size)]
    items = [(text, [[(0, 8)], [(9, 14)]]) for text in texts]
    together = SentenceEncoder().encode_all(items)
    backwards = SentenceEncoder().encode_all(items[::-1])[::-1]
    alone = SentenceEncoder()
    for item, one, two in zip(items, together, backwards, strict=True):
        np.testing.assert_array_equal(one, alone.encode(*item))
        np.testing.assert_array_equal(one, two)


@needs_encoder
def test_other_weights_are_refused():
    with pytest.raises(DataMissingError, match="has other weights"):
        _ = SentenceEncoder(weights="0" * 64)._loaded
    assert shared_encoder() is shared_encoder()
