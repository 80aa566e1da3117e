"""Groups of similar words: k-means over the word vectors of the embedded language model, at three grains.

They ship with the gene tagger, which learned from them. What is learned of *abolished* then helps with *abrogated*, though no
training text had the latter. Whoever keeps weights of groups keeps their fingerprint, too: other groups have other numbers.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from relhash.errors import LanguageError
from relhash.resources import resource_path


@dataclass(frozen=True, eq=False)
class WordGroups:
    """Word in lower case → the numbers of its groups, from the coarsest; ``fingerprint`` tells sets of groups apart."""

    of: Mapping[str, tuple[int, ...]]
    fingerprint: str

    def __call__(self, word: str) -> tuple[int, ...]:
        """The groups of a word; none of one that is not known.

        >>> groups = WordGroups({"abolished": (1, 7), "abrogated": (1, 7)}, "")
        >>> groups("Abrogated"), groups("titillated")
        ((1, 7), ())
        """
        return self.of.get(word.lower(), ())


@cache
def shipped_word_groups() -> WordGroups:
    """The groups that ship, read once."""
    path = resource_path("genes", "model.npz")
    try:
        with np.load(path, allow_pickle=False) as archive:
            words, groups = archive["words"], archive["clusters"].astype("<i2")
        listed = dict(zip(words.tobytes().decode().split("\n"), map(tuple, groups.tolist()), strict=True))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise LanguageError(f"{path}: the groups of words are damaged ({error}); reinstall relhash") from error
    return WordGroups(listed, hashlib.sha256(words.tobytes() + groups.tobytes()).hexdigest()[:16])
