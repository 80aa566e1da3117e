"""Which of several parses is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.errors import CorpusError
from tests.corpus.unified_samples import PAIRS, read_one, write


def test_parse_can_be_chosen_and_a_missing_one_is_named(tmp_path: Path) -> None:
    one_sentence = PAIRS.split('    <sentence id="d0.s1"')[0] + "</document></corpus>"
    path = write(tmp_path, one_sentence)
    assert read_one(path, parse="Charniak-Lease").sentences[0].parser == "file:Charniak-Lease"
    with pytest.raises(
        CorpusError, match=r"corpus\.xml \[d0\.s0\]: there is no parse 'enju' .*'Charniak-Lease', 'split_parse'"
    ):
        read_one(path, parse="enju")
