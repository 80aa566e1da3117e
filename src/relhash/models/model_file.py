"""The model file: a zip with a JSON manifest and arrays, nothing that could run.

``manifest.json`` says what the model is (schema version, settings, parse source, word vectors by name and hash) and holds the
sha256 of every other part. Parts are ``.npz`` files without pickle. Whatever is damaged, truncated, or of another schema
version is refused before any of it is used.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.errors import DataMissingError, ModelFileError, RelHashError
from relhash.features import FeatureMap
from relhash.files import replacing
from relhash.kernels import WordVectors
from relhash.learning.decision import Decision
from relhash.learning.relation_types import RelationTypes
from relhash.models.fitted import FittedModel
from relhash.models.pair_types import PairTypes
from relhash.models.presets import Preset
from relhash.models.reading import ParseSettings
from relhash.structures.policies import policy_from_dict

__all__ = ["SCHEMA_VERSION", "load_model", "read_manifest", "save_model"]

SCHEMA_VERSION = 3
FORMAT = "relhash-model"
LARGEST = 4 << 30
"""Bytes that the parts of a model may unpack to: a file that claims more is not one of ours."""

Arrays = Mapping[str, NDArray[Any]]


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
    parts = {name: _pack(part) for name, part in arrays.items()}
    manifest = {
        "format": FORMAT,
        "schema": SCHEMA_VERSION,
        "relhash": relhash.__version__,
        "parts": {name: hashlib.sha256(content).hexdigest() for name, content in parts.items()},
        "preset": model.preset,
        "settings": model.settings.to_dict(),
        "policy": model.policy.to_dict(),
        "random_state": model.random_state,
        "parses": model.parse_source,
        "reading": model.parses.as_dict(),
        "pairs": model.pair_types.as_list(),
        "features": feature_notes,
        "decision": decision_notes,
        "card": dict(model.card),
    }
    with replacing(path, "wb") as handle, zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_entry("manifest.json"), json.dumps(manifest, ensure_ascii=False, indent=1, allow_nan=False))
        for name, content in parts.items():
            archive.writestr(_entry(name, zipfile.ZIP_STORED), content)  # an .npz is compressed already


def load_model(path: Path, *, vectors: WordVectors | None = None, n_jobs: int | None = None) -> FittedModel:
    """Read a model file back into a model that predicts the same, bit for bit."""
    manifest, parts = _read(path)
    try:
        return FittedModel(
            preset=str(manifest["preset"]),
            settings=Preset.from_dict(manifest["settings"]),
            features=FeatureMap.from_arrays(parts["features.npz"], manifest["features"], vectors=vectors, n_jobs=n_jobs),
            decision=Decision.from_arrays(parts["decision.npz"], manifest["decision"]),
            relation_types=RelationTypes.from_arrays(parts["types.npz"]),
            policy=policy_from_dict(manifest["policy"]),
            pair_types=PairTypes.from_list(manifest["pairs"]),
            parses=ParseSettings.from_dict(manifest["reading"]),
            parse_source=str(manifest["parses"]),
            training_sentences=parts["sentences.npz"]["hashes"].astype(np.uint64, casting="safe"),
            card=dict(manifest["card"]),
            random_state=int(manifest["random_state"]),
        )
    except (ModelFileError, DataMissingError) as error:
        raise type(error)(f"{path}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RelHashError) as error:
        raise ModelFileError(f"{path}: not a model that this version understands ({type(error).__name__}: {error})") from error


def read_manifest(path: Path) -> dict[str, Any]:
    """What a model file says of itself (checked like a model that is loaded)."""
    return _read(path)[0]


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Arrays]]:
    """The manifest and the arrays of every part, after all checks."""
    if path.is_dir():
        raise ModelFileError(f"{path}: a folder, not a model file")
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
                raise ModelFileError(f"{path}: unpacks to more than any model of ours")
            manifest = json.loads(archive.read("manifest.json").decode("utf-8"))
            _check_kind(manifest, path)
            contents = {name: archive.read(name) for name in manifest["parts"]}
    except FileNotFoundError:
        raise ModelFileError(f"{path}: there is no such file; `relhash fit … -o {path.name}` makes one") from None
    except KeyError as error:
        raise ModelFileError(f"{path}: the model file is incomplete ({error})") from error
    except _BROKEN as error:
        raise ModelFileError(f"{path}: not a model file, or a damaged one ({error}); make or copy it again") from error
    for name, content in contents.items():
        if hashlib.sha256(content).hexdigest() != manifest["parts"][name]:
            raise ModelFileError(f"{path}: part {name} is damaged (its checksum differs); copy the file again")
    return manifest, {name: _unpack(content, path) for name, content in contents.items()}


_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, json.JSONDecodeError, UnicodeDecodeError, EOFError, OSError,
    NotImplementedError, RuntimeError, OverflowError, ValueError,
)  # fmt: skip
"""What ``zipfile`` and ``json`` raise on damaged files (an encrypted flag is a RuntimeError)."""


def _check_kind(manifest: Any, path: Path) -> None:
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or not isinstance(manifest.get("parts"), dict):
        raise ModelFileError(f"{path}: not a RelHash model file")
    if manifest.get("schema") != SCHEMA_VERSION:
        raise ModelFileError(
            f"{path}: the file has schema version {manifest.get('schema')} (RelHash {manifest.get('relhash')}), this is "
            f"RelHash {relhash.__version__} with version {SCHEMA_VERSION}; use the version that wrote it, or fit again"
        )


def _pack(arrays: Arrays) -> bytes:
    """An ``.npz`` with fixed dates, so that equal models are equal files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in sorted(arrays.items()):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
            archive.writestr(_entry(f"{name}.npy", zipfile.ZIP_LZMA), content.getvalue())  # a fifth smaller for trees
    return buffer.getvalue()


def _unpack(content: bytes, path: Path) -> Arrays:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (*_BROKEN, MemoryError) as error:
        raise ModelFileError(f"{path}: a part cannot be read ({error})") from error


def _entry(name: str, method: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = method
    entry.external_attr = 0o644 << 16
    return entry
