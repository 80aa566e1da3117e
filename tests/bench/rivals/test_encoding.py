"""How what a network reads becomes arrays."""

from __future__ import annotations

import numpy as np

from relhash.bench.rivals.sequences import UNKNOWN, Encoding, read_sequences
from tests.bench.rivals.toy_candidates import pair, toy_pairs, toy_vectors


def test_encoding_of_a_candidate_does_not_depend_on_the_others():
    candidates, _ = toy_pairs(20)
    sequences = read_sequences(candidates, "sentence")
    encoding = Encoding.learn(sequences[:10], toy_vectors())
    together, alone = encoding.encode(sequences), encoding.encode(sequences[7:8])
    own = slice(together.starts[7], together.starts[8])
    np.testing.assert_array_equal(together.vectors[together.words[own]], alone.vectors[alone.words])
    np.testing.assert_array_equal(together.symbols[together.words[own]], alone.symbols[alone.words])
    assert (together.anchors[7] == alone.anchors[0]).all()


def test_words_without_vector_and_new_symbols_are_unknown():
    sequences = read_sequences([pair(0, ["Ras", "binds", "Raf"])], "sentence")
    encoding = Encoding.learn(sequences, toy_vectors())
    new = encoding.encode(read_sequences([pair(0, ["Ras", "xyzzy", "Raf"])], "sentence"))
    assert new.symbols[new.words].tolist() == [encoding.symbols["<E1>"], UNKNOWN, encoding.symbols["<E2>"]]
    assert not new.vectors.any()
