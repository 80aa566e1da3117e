"""RelHash: relation extraction with few labels on text that differs from what was labelled.

The names below are loaded on first use, so that ``import relhash`` (and ``relhash --help``) stays fast.

>>> import relhash
>>> relhash.PathSet.from_sequences([["<P>", "binds", "<P>"]])
PathSet(1 candidates, 1 distinct sequences, 2 tokens)
"""

from __future__ import annotations

import importlib
import logging
import os
from typing import TYPE_CHECKING, Any

from relhash.registry import offer

if TYPE_CHECKING:
    from relhash.candidates import PathSet as PathSet
    from relhash.candidates import StructureSet as StructureSet
    from relhash.corpus import Corpus as Corpus
    from relhash.corpus import Document as Document
    from relhash.corpus import read as read
    from relhash.corpus import stream as stream
    from relhash.corpus import write as write
    from relhash.errors import RelHashError as RelHashError
    from relhash.hashing import HashcodeLearner as HashcodeLearner
    from relhash.model import FittedModel as FittedModel
    from relhash.model import RelationExtractor as RelationExtractor

__version__ = "0.3.0"

_HOMES = {
    "Corpus": "relhash.corpus",
    "Document": "relhash.corpus",
    "FittedModel": "relhash.model",
    "HashcodeLearner": "relhash.hashing",
    "PathSet": "relhash.candidates",
    "RelHashError": "relhash.errors",
    "RelationExtractor": "relhash.model",
    "StructureSet": "relhash.candidates",
    "read": "relhash.corpus",
    "stream": "relhash.corpus",
    "write": "relhash.corpus",
}

__all__ = [*_HOMES, "__version__", "load"]


def load(path: str | os.PathLike[str], **options: Any) -> FittedModel:
    """A model of a file, or one that ships with RelHash by its name; see :meth:`FittedModel.load`.

    >>> import relhash
    >>> relhash.load("ppi").predict("RAF1 binds to MEK1.")[0].is_relation
    True
    """
    from relhash.model import FittedModel

    return FittedModel.load(path, **options)


logging.getLogger("relhash").addHandler(logging.NullHandler())  # a program that wants messages sets a handler
offer("relhash.readers", "amr", "relhash.language.amr_format:AMR")
offer("relhash.feature_parts", "prior", "relhash.model.prior:PriorPart")
offer("relhash.table_formats", "html", "relhash.show.pages:HTML")


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'relhash' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
