"""Codes in files."""

from __future__ import annotations

import numpy as np

from relhash.cli.hash import CODE_COLUMNS, code_rows, write_code_arrays
from relhash.hashing.hamming import unpack


def test_codes_as_text_and_as_arrays_say_the_same(small_model, fulltext, tmp_path):
    model = small_model.model_
    expected = unpack(model.hashcodes(fulltext), model.n_bits)
    as_bits = list(code_rows(model.hash_stream(fulltext.documents), model.n_bits, bits=True))
    assert list(as_bits[0]) == list(CODE_COLUMNS)
    assert [row["code"] for row in as_bits] == ["".join(map(str, code)) for code in expected]
    as_hex = [row["code"] for row in code_rows(model.hash_stream(fulltext.documents), model.n_bits)]
    assert [int(code, 16) >> (4 * len(code) - model.n_bits) for code in as_hex] == [int(row["code"], 2) for row in as_bits]
    assert write_code_arrays(model.hash_stream(fulltext.documents), model.n_bits, tmp_path / "codes.npz") == len(expected)
    with np.load(tmp_path / "codes.npz") as arrays:
        np.testing.assert_array_equal(unpack(arrays["codes"], int(arrays["n_bits"])), expected)
        assert arrays["keys"].tolist() == [candidate.key for candidate in model.candidates(fulltext)]
