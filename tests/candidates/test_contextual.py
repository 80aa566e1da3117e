"""The contextual view, with an encoder that a test can read in place of the installed one."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import build_structures, candidates
from relhash.candidates.contextual import STRETCHES, blinded_text
from relhash.candidates.pairs import PairPolicy
from relhash.candidates.scene import scenes
from relhash.corpus import Document, Mention
from relhash.errors import DataMissingError
from relhash.language.encoder import SentenceEncoder, encoder_is_installed

TEXT = "IL-2 and IL-2 receptor bind p55 in cells."


def document() -> Document:
    spans = {"T1": (0, 4), "T2": (9, 22), "T3": (28, 31)}
    mentions = tuple(Mention(name, "gene", (span,), TEXT[slice(*span)]) for name, span in spans.items())
    return Document("d", TEXT, mentions=mentions)


def shown(pair: set[str]) -> tuple[str, list[list[str]]]:
    policy = PairPolicy(unsplit="document")
    (scene,) = (s for s in scenes(candidates([document()], policy)) if {m.id for m in s.candidate.mentions} == pair)
    text, stretches = blinded_text(scene)
    return text, [[text[start:end] for start, end in spans] for spans in stretches]


def test_participants_are_numbered_and_the_rest_is_a_type():
    text, stretches = shown({"T1", "T3"})
    assert text == "protein1 and protein bind protein2 in cells."
    assert stretches == [["protein1"], ["protein2"], [" and protein bind "], []]


def test_neighbours():
    text, stretches = shown({"T1", "T2"})
    assert text == "protein1 and protein2 bind protein in cells."
    assert stretches[2] == [" and "]


class Lengths(SentenceEncoder):
    """Encodes a stretch by how many characters it has."""

    width = 1

    def encode_all(self, items):
        sizes = [[*(sum(end - start for start, end in spans) for spans in stretches), len(text)] for text, stretches in items]
        return [np.array(own, np.float32)[:, None] for own in sizes]


def test_the_view_is_a_table_of_the_stretches(monkeypatch):
    monkeypatch.setattr("relhash.candidates.contextual.shared_encoder", Lengths)
    found = candidates([document()], PairPolicy(unsplit="document"))
    table = build_structures(found, ["contextual"])["contextual"]
    assert table.shape == (3, len(STRETCHES))
    assert table[0].tolist() == [8, 8, 5, 0, 44]


def test_however_many_are_encoded_at_a_time(monkeypatch):
    monkeypatch.setattr("relhash.candidates.contextual.shared_encoder", Lengths)
    found = list(candidates([document()], PairPolicy(unsplit="document")))
    together = build_structures(found, ["contextual"])["contextual"]
    monkeypatch.setattr("relhash.candidates.contextual.AT_ONCE", 2)
    assert (build_structures(found, ["contextual"])["contextual"] == together).all()
    assert build_structures([], ["contextual"])["contextual"].shape == (0, len(STRETCHES))


@pytest.mark.skipif(encoder_is_installed(), reason="the encoder is installed")
def test_without_the_encoder_the_remedy_is_named():
    found = list(candidates([document()], PairPolicy(unsplit="document")))
    with pytest.raises(DataMissingError, match=r"relhash\[contextual\]"):
        build_structures(found, ["contextual"])


@pytest.mark.skipif(not encoder_is_installed(), reason="needs the extra [contextual]")
def test_the_installed_encoder_tells_words_apart():
    encoder = SentenceEncoder()
    text = "protein1 binds protein2 , while cats sleep"
    vectors = encoder.encode(text, [[(9, 14)], [(32, 36)], []])
    assert vectors.shape == (4, encoder.width)
    assert not vectors[2].any()
    again = encoder.encode("protein1 inhibits protein2 , while dogs sleep", [[(9, 17)], [(35, 39)]])

    def cosine(a, b):
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    assert cosine(vectors[0], again[0]) > cosine(vectors[0], again[1])
