"""The name of a source of parses, as sentences and model files carry it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import LanguageError
from relhash.language import ParseSource

NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)


@given(name=NAMES, version=NAMES, scheme=st.sampled_from(["craft", "ud", "stanford-basic"]), blinded=st.booleans())
def test_text_and_back(name: str, version: str, scheme: str, blinded: bool) -> None:
    source = ParseSource(name, version, scheme, blinded)
    assert ParseSource.from_text(str(source)) == source


@pytest.mark.parametrize("text", ["", "Charniak-Lease", "file:split_parse", "a 1", "a 1 ()", "a 1 (craft) seen"])
def test_parses_of_files_have_no_such_name(text: str) -> None:
    with pytest.raises(LanguageError, match="names no parser of RelHash"):
        ParseSource.from_text(text)
