"""When two mentions mean the same entity.

With ids: when their ids are the same. Without: when their names are the same up to case, Greek letters, hyphens and blanks, and
they are of one type. A mention with an id is never the same as one without, whatever they are called: that the name is spelled
alike is no proof that it is the same thing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from relhash.structures.symbols import entity_class

EntityKey = tuple[str, str]
"""Sorts, and is equal for the same entity: ``("id", ids)`` or ``("name of a TYPE", name)``."""


def entity_key(name: str, kind: str, ids: Sequence[str]) -> EntityKey:
    """The key of a mention. All its ids count: of two that share only some, nobody knows whether they are the same.

    >>> entity_key("RAF1", "protein", ["HGNC:9829"]) == entity_key("c-Raf", "gene", ["HGNC:9829"])
    True
    >>> entity_key("NF-κB", "protein", []), entity_key("NF-kappa B", "gene", [])
    (('name of a protein', 'nfkappab'), ('name of a protein', 'nfkappab'))
    """
    if ids:
        return "id", ";".join(sorted(set(ids)))
    return f"name of a {entity_class(kind)}", normalised(name)


@lru_cache(maxsize=65_536)
def normalised(name: str) -> str:
    """The letters and digits of a name, in lower case, Greek ones spelled out; the name itself if it has none.

    >>> normalised("TNF-α"), normalised("tnf alpha"), normalised("β2"), normalised("+/-")
    ('tnfalpha', 'tnfalpha', 'beta2', '+/-')
    """
    plain = "".join(map(_spelled, unicodedata.normalize("NFKC", name).casefold()))
    return re.sub(r"[\W_]+", "", plain) or plain.strip()


def _spelled(letter: str) -> str:
    if "\u03b1" <= letter <= "\u03c9":
        return unicodedata.name(letter).removeprefix("GREEK SMALL LETTER ").removeprefix("FINAL ").split()[0].lower()
    return letter
