"""What the networks are given to read."""

from __future__ import annotations

import pytest

from relhash.bench.rivals.sequences import NOWHERE, read_sequences
from relhash.candidates.candidate import Candidate
from relhash.corpus import Document, Mention
from relhash.errors import ParameterError, StructureError
from tests.bench.rivals.toy_candidates import pair, toy_interactions


def test_sentence_is_blinded_and_cut_around_the_participants():
    (sequence,) = read_sequences([pair(0, ["a", "b", "Ras", "binds", "Raf", "c", "d"])], "sentence", context=1)
    assert sequence.labels == ["b", "<E1>", "binds", "<E2>", "c"]
    assert sequence.anchors == (1, 3)
    assert not sequence.tags


def test_names_of_several_words_are_one_token_and_other_entities_show_their_type():
    text = "Ras kinase binds Raf and Mek ."
    spans = {"T1": (0, 10), "T2": (17, 20), "T3": (25, 28)}
    names = tuple(Mention(name, "Gene", (span,), text[slice(*span)]) for name, span in spans.items())
    candidate = Candidate(Document("d", text, mentions=names), 0, (names[0], names[2]), ("e1", "e2"))
    (sequence,) = read_sequences([candidate], "sentence")
    assert sequence.labels == ["<E1>", "binds", "<PROTEIN>", "and", "<E2>", "."]
    assert sequence.anchors == (0, 4)


def test_syntax_gives_heads_as_places_in_the_sequence():
    (sequence,) = read_sequences([pair(0, ["a", "b", "Ras", "binds", "Raf", "c"])], "sentence", context=0, syntax=True)
    assert sequence.labels == ["<E1>", "binds", "<E2>"]
    assert sequence.heads == [1, NOWHERE, 1]
    assert sequence.edges == ["nsubj", "", "dobj"]
    assert sequence.tags == ["NN", "VB", "NN"]


def test_path_of_a_pair_and_paths_of_an_interaction():
    (along,) = read_sequences([pair(0, ["Ras", "binds", "the", "Raf"])], "path")
    assert along.labels == ["<E1>", "<nsubj", "binds", "dobj>", "<E2>"]
    interactions, _ = toy_interactions(1)
    word = interactions[0].mentions[1].text
    (roles,) = read_sequences(interactions, "path")
    assert roles.labels == ["<REGULATION>", word, "nsubj>", "<CAUSE>", word, "dobj>", "<THEME>"]
    (sentence,) = read_sequences(interactions, "sentence", context=0)
    assert sentence.labels[:3] == ["<REGULATION>", "<CAUSE>", word]
    assert sentence.anchors[:2] == (2, 1)  # trigger, cause, theme
    assert sentence.labels[sentence.anchors[2]] == "<THEME>"


def test_readings_along_a_parse_say_what_is_missing():
    names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    unparsed = Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"))
    with pytest.raises(StructureError, match="no parse"):
        read_sequences([unparsed], "path")
    with pytest.raises(ParameterError, match="reading='words'"):
        read_sequences([unparsed], "words")
    with pytest.raises(ParameterError, match="syntax"):
        read_sequences([unparsed], "path", syntax=True)
