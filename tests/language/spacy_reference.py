"""The shipped model in spaCy itself, which trained it: what ours is compared with."""

from __future__ import annotations

from functools import cache
from typing import Any

from thinc.api import NumpyOps

from relhash.language.compact import load_compact
from relhash.resources import resource_path


@cache
def shipped_in_spacy() -> Any:
    """The pipeline, with matrix products by numpy as ours has them: those of spaCy's library differ in the last digit."""
    nlp = load_compact(resource_path("biomed_en"))
    for _, component in nlp.pipeline:
        for node in component.model.walk():
            node.ops = NumpyOps(use_blis=False)
    return nlp
