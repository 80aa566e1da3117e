"""The model file: what of a model stands in its manifest (settings, parse source, word vectors) and what in arrays.

How the file itself is written, read and checked is in :mod:`relhash.model.archive`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import relhash.model.prior  # noqa: F401 (the feature part "prior" registers itself)
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.views import view
from relhash.errors import DataMissingError, ModelFileError, ParameterError, RelHashError
from relhash.kernels import WordVectors
from relhash.learn import FeatureMap
from relhash.learn.decision import Decision
from relhash.learn.end_to_end import AT_THEIR_WORD, EndToEnd
from relhash.learn.relation_types import RelationTypes
from relhash.model.adaptation import Familiarity
from relhash.model.archive import ArchiveKind, Arrays, read_archive, write_archive
from relhash.model.fitted import FittedModel
from relhash.model.pair_types import PairTypes
from relhash.model.prediction import identity_of_file
from relhash.model.reading.reader import ParseSettings
from relhash.model.recipe import Recipe
from relhash.model.seen import Seen

SCHEMA_VERSION = 3
OLDEST_SCHEMA = 3
"""Files from this version on are read; tests/model/kept holds one of each."""
MODEL = ArchiveKind("relhash-model", SCHEMA_VERSION, "model", "relhash fit", OLDEST_SCHEMA)
ROWS = ".rows.json"
"""What is known of rows of raw text since a model was made stands beside it: some numbers, where the model has megabytes."""


def save_model(model: FittedModel, path: Path) -> None:
    """Write the model file, complete or not at all."""
    feature_arrays, feature_notes = model.features.to_arrays()
    decision_arrays, decision_notes = model.decision.to_arrays()
    arrays: dict[str, Arrays] = {
        "features.npz": feature_arrays,
        "decision.npz": decision_arrays,
        "types.npz": model.relation_types.to_arrays(),
        "sentences.npz": {"hashes": model.training_sentences},
    }
    if model.familiar is not None:
        arrays["familiar.npz"] = model.familiar.to_arrays()
    if model.seen is not None:
        arrays["seen.npz"] = model.seen.to_arrays()
    manifest = {
        "preset": model.preset,
        "settings": model.settings.to_dict(),
        "policy": model.policy.to_dict(),
        "random_state": model.random_state,
        "parses": model.parse_source,
        "reading": model.parses.to_dict(),
        "pairs": model.pair_types.as_list(),
        "features": feature_notes,
        "decision": decision_notes,
        "end_to_end": model.end_to_end.to_dict(),
        "card": dict(model.card),
    }
    write_archive(path, MODEL, manifest, arrays)


def load_model(
    path: Path,
    *,
    vectors: WordVectors | None = None,
    n_jobs: int | None = None,
    parses: str | None = None,
    sha256: str | None = None,
) -> FittedModel:
    """Read a model file back into a model that predicts the same, bit for bit.

    ``parses`` is the spaCy model that the file may name beside what ships, ``sha256`` what the file must be.
    """
    if sha256 is not None:
        _check_sha256(path, sha256)
    manifest, parts = read_archive(path, MODEL)
    manifest |= _rows_beside(path, manifest)
    try:
        settings = Recipe.from_dict(manifest["settings"])
        for name in settings.all_views:
            view(name)  # else an unknown one would be found when the first text is read
        return FittedModel(
            preset=str(manifest["preset"]),
            settings=settings,
            features=FeatureMap.from_arrays(parts["features.npz"], manifest["features"], vectors=vectors, n_jobs=n_jobs),
            decision=Decision.from_arrays(parts["decision.npz"], manifest["decision"]),
            relation_types=RelationTypes.from_arrays(parts["types.npz"]),
            policy=CandidatePolicy.from_dict(manifest["policy"]),
            pair_types=PairTypes.from_list(manifest["pairs"]),
            parses=ParseSettings.from_dict(manifest["reading"]).trusting(parses),
            parse_source=str(manifest["parses"]),
            training_sentences=parts["sentences.npz"]["hashes"].astype(np.uint64, casting="safe"),
            card=dict(manifest["card"]),
            random_state=int(manifest["random_state"]),
            familiar=Familiarity.from_arrays(parts["familiar.npz"]) if "familiar.npz" in parts else None,
            seen=Seen.from_arrays(parts["seen.npz"]) if "seen.npz" in parts else None,
            end_to_end=EndToEnd.from_dict(manifest["end_to_end"]) if "end_to_end" in manifest else AT_THEIR_WORD,
            identity=identity_of_file(path, manifest),
        )
    except (ModelFileError, DataMissingError) as error:
        raise type(error)(f"{path}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RelHashError) as error:
        raise ModelFileError(f"{path}: not a model that this version understands ({type(error).__name__}: {error})") from error


def _check_sha256(path: Path, wanted: str) -> None:
    wanted = wanted.strip().lower()
    if not re.fullmatch(r"[0-9a-f]{64}", wanted):
        raise ParameterError("--require-sha256: 64 hexadecimal digits are expected, as sha256sum prints them")
    from relhash.files import digest_of

    found = digest_of(path)
    if found not in ("", wanted):
        raise ModelFileError(f"{path}: not the file that was asked for (its sha256 is {found})")


def read_manifest(path: Path) -> dict[str, Any]:
    """What a model file says of itself (checked like a model that is loaded)."""
    manifest = read_archive(path, MODEL)[0]
    return manifest | _rows_beside(path, manifest)


def save_rows(model: FittedModel, path: Path) -> None:
    """Write what a model knows of rows of raw text beside its file, which stays as it is."""
    told = {"end_to_end": model.end_to_end.to_dict(), "card": {"raw_text": model.card["raw_text"]}}
    path.with_suffix(ROWS).write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _rows_beside(path: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    beside = path.with_suffix(ROWS)
    if not beside.is_file():
        return {}
    try:
        told = json.loads(beside.read_text(encoding="utf-8"))
        return {"end_to_end": dict(told["end_to_end"]), "card": {**manifest["card"], **told["card"]}}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"{beside}: not what is known of rows ({error}); copy it again, or delete it") from error
