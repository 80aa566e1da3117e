"""Readers of word-vector files: every format, and errors that name file and line."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from relhash.errors import CorpusError
from relhash.kernels import SubwordVectors, WordVectors, load_vectors

WORDS = ["binds", "inhibits", "β-catenin"]
VECTORS = np.array([[0.5, -1.0, 0.25], [1.0, 0.0, 0.125], [0.1, 0.2, 0.3]], np.float32)


def as_text(header: bool) -> bytes:
    lines = ["3 3"] if header else []
    lines += [f"{word} " + " ".join(str(x) for x in vector) for word, vector in zip(WORDS, VECTORS, strict=True)]
    return ("\n".join(lines) + "\n").encode()


def as_binary(newlines: bool) -> bytes:
    end = b"\n" if newlines else b""
    rows = [word.encode() + b" " + struct.pack("<3f", *vector) + end for word, vector in zip(WORDS, VECTORS, strict=True)]
    return b"3 3\n" + b"".join(rows)


@pytest.mark.parametrize(
    "content",
    [
        as_text(True),
        as_text(False),
        as_binary(True),
        as_binary(False),
        gzip.compress(as_text(False), mtime=0),
        gzip.compress(as_binary(True), mtime=0),
    ],
    ids=["word2vec text", "GloVe text", "binary with newlines", "binary", "GloVe gzip", "binary gzip"],
)
def test_every_format_gives_the_same_vectors(tmp_path, content):
    path = tmp_path / "vectors"
    path.write_bytes(content)
    vectors = load_vectors(path)
    assert list(vectors.words) == WORDS
    assert_allclose([vectors.vector(word) for word in WORDS], VECTORS, atol=1e-4)


def test_npz_files_with_and_without_a_back_off(tmp_path):
    subwords = SubwordVectors(["<bi", "ds>"], VECTORS[:2])
    WordVectors(WORDS, VECTORS, subwords=subwords).in_bytes().save(tmp_path / "ours.npz")
    ours = load_vectors(tmp_path / "ours.npz")
    assert_allclose(ours.vector("binds"), VECTORS[0], atol=0.01)
    assert_allclose(ours.vector("bids"), VECTORS[:2].mean(axis=0), atol=0.01)
    codes = np.array([[1, 2], [3, -4]], np.int8)
    np.savez(tmp_path / "plain.npz", words=np.array(["a", "b"]), vectors=codes, scale=np.float32([0.5, 1.0]))
    assert_array_equal(load_vectors(tmp_path / "plain.npz").vector("a"), [0.5, 1.0])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a 1 2\nb 1\n", r"vectors:2: 1 numbers where 2 are expected"),
        (b"a 1 2\nb 1 x\n", r"vectors:2: a number cannot be read"),
        (b"a 1 2\nb nan 1\n", r"vectors:2: NaN or infinity"),
        (b"a 1 2\n\xff\xfe 1 1\n", r"vectors:2: word is not UTF-8; convert"),
        (b"3 2\na 1 2\n", r"vectors:2: ends after 1 of 3 words"),
        (as_binary(True)[:-5], r"ends within word 3 of 3; is the file complete"),
        (b"", r"vectors:1: a word and its numbers"),
        (b"PK not a zip", r"vectors: cannot read|vectors: not a file"),
        (gzip.compress(as_text(True), mtime=0)[:-9], r"vectors: cannot read word vectors"),
    ],
)
def test_malformed_files_are_reported_with_their_place(tmp_path, content, message):
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        load_vectors(path)


def test_missing_file(tmp_path):
    with pytest.raises(CorpusError, match="No such file"):
        load_vectors(tmp_path / "missing.txt")


@pytest.mark.parametrize("head", [b"0 2\n", b"2 0\n"])
def test_a_head_of_no_words_or_of_no_numbers_is_refused(head, tmp_path):
    (tmp_path / "v.bin").write_bytes(head + b"binds 0.5 1\n")
    with pytest.raises(CorpusError, match=r"v\.bin:1: .* are no vectors"):
        load_vectors(tmp_path / "v.bin")
