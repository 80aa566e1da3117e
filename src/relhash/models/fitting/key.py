"""Everything that a model depends on, in one key: its stages are found again by it (:mod:`relhash.models.fitting.work`)."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.corpus import Document
from relhash.corpus.jsonl import encode_document
from relhash.errors import ParameterError
from relhash.files import digest_of
from relhash.models.reading.parse_settings import ParseSettings

if TYPE_CHECKING:
    from relhash.language.entities import Lexicon
    from relhash.models.fitting.stages import FitPlan
    from relhash.structures import CandidatePolicy


def fit_key(
    plan: FitPlan,
    sides: Iterable[Iterable[Document] | None],
    labels: int | Mapping[str, bool] | None,
    *,
    policy: CandidatePolicy | None,
    reading: tuple[str | ParseSettings, Lexicon | None, bool],
) -> str:
    """A hash of the documents of each side as they were given, of the labels asked for, and of all settings.

    ``reading`` is the source of parses, the names to find, and whether names are given ids. Threads change nothing, so they
    are not part of it; the program is (:func:`relhash.journal.installed_program`), where the key is used.
    """
    if plan.vectors is not None:
        raise ParameterError("work: the stages of a fit with word vectors of your own cannot be kept; leave out work")
    parses, lexicon, ground = reading
    settings = {
        "preset": plan.preset,
        "settings": plan.settings.to_dict(),
        "codes": _digest(plan.codes),
        "prior": _digest(plan.prior),
        "chooses_threshold": plan.chooses_threshold,
        "negated_are_negative": plan.negated_are_negative,
        "seed": plan.random_state,
        "policy": None if policy is None else policy.to_dict(),
        "parses": parses.as_dict() if isinstance(parses, ParseSettings) else parses,
        "lexicon": None if lexicon is None else [str(entry) for entry in lexicon.entries],
        "ground": ground,
        "labels": labels if labels is None or isinstance(labels, int) else sorted(labels.items()),
    }
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for side in sides:
        digest.update(b"\nno side" if side is None else b"\nside\n")
        for document in side or ():
            digest.update(json.dumps(encode_document(document), separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


def _digest(given: Any) -> str:
    """A model, codes, or the name of a file of them, by content."""
    if given is None:
        return ""
    if isinstance(given, str | os.PathLike):
        return f"{os.fspath(given)} {digest_of(Path(given))}"  # of a shipped one the program tells the content
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "content"
        given.save(path)
        return digest_of(path)
