"""The model file: a zip with a JSON manifest and arrays, nothing that could run; and the models that ship.

``manifest.json`` says what the file holds (kind, schema version, …) and the sha256 of every other part. Parts are ``.npz``
files without pickle. Whatever is damaged, truncated, or of another kind or schema version is refused before any of it is used.
An index keeps its hash functions in the same kind of file.

A shipped model may have a second reader, the encoder (:mod:`relhash.language.encoder`): ``encoder.json`` beside it says how
much each vote counts, and calibration and threshold of their mean, so that a probability means the same with it and without.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import lzma
import math
import os
import re
import zipfile
import zlib
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import relhash
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.views import view
from relhash.codec import LARGEST, LATER, Arrays, InJson, read_arrays
from relhash.errors import DataMissingError, ModelFileError, ParameterError, RelHashError
from relhash.files import check_ends, digest_of, replacing
from relhash.kernels import WordVectors
from relhash.language.encoder import OTHER_FILE, encoder_is_there
from relhash.learn import FeatureMap
from relhash.learn.calibration import Calibration
from relhash.learn.committee import CommitteeClassifier, FittedCommittee, FittedMember
from relhash.learn.decision import Decision
from relhash.learn.descriptors import EncoderPart
from relhash.learn.end_to_end import EndToEnd
from relhash.learn.linear import FittedLinear, LinearClassifier
from relhash.learn.relation_types import RelationTypes
from relhash.learn.threshold import Threshold
from relhash.model.adaptation import Familiarity, Seen
from relhash.model.fitted import FittedModel, PairTypes
from relhash.model.prediction import ModelIdentity, identity_of_file
from relhash.model.reading.reader import ParseSettings
from relhash.model.recipe import Recipe
from relhash.resources import resource_path

SUFFIX = ".relhash"


def shipped_models() -> dict[str, Path]:
    """Name → file of each model that ships."""
    folder = resource_path("models")
    return {path.stem: path for path in sorted(folder.glob(f"*/*{SUFFIX}"))} if folder.is_dir() else {}


def find_model(name: str | os.PathLike[str]) -> Path:
    """The file called ``name``, else the shipped model of that name.

    >>> find_model("no-such-model")
    Traceback (most recent call last):
    ...
    relhash.errors.ModelFileError: no-such-model: there is no such file...
    """
    path = Path(name)
    if path.exists():
        return path
    shipped = shipped_models()
    if str(name) in shipped:
        return shipped[str(name)]
    listed = f"; models that ship with RelHash: {', '.join(shipped)}" if shipped else ""
    raise ModelFileError(f"{path}: there is no such file; `relhash fit … -o {path.name}` makes one{listed}")


LARGEST_RATIO = 1000
"""Bytes of arrays that a packed byte of a part may unpack to."""
MANIFEST_RATIO, MANIFEST_ALLOWED = 200, 64 << 20
"""The same of the manifest, which is read before anything is known of the file, and what may be whatever the ratio."""

LEVEL = 6
"""Of deflate. Files were written with LZMA before, a fifth smaller, but five times as slow to read and ten times to write."""

FORMATS = {"relhash-model": "a model", "relhash-codes": "the hash functions of an index"}
"""What the files of each format are, to say so when one is taken for another."""


@dataclass(frozen=True)
class ArchiveKind:
    """One kind of file: its name in the manifest, the version of its layout, what people call it, what makes one.

    Files from version ``oldest`` on are read (``None``: only this one): what a later version has added is then optional.
    """

    format: str
    schema: int
    noun: str
    made_by: str
    oldest: int | None = None


def write_archive(path: Path, kind: ArchiveKind, manifest: Mapping[str, Any], arrays: Mapping[str, Arrays]) -> None:
    """Write the file, complete or not at all; equal contents are equal files."""
    parts = {name: _pack(part) for name, part in arrays.items()}
    head = {
        "format": kind.format,
        "schema": kind.schema,
        "relhash": relhash.__version__,
        "parts": {name: hashlib.sha256(content).hexdigest() for name, content in parts.items()},
    }
    with replacing(path, "wb") as handle, zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps({**head, **manifest}, ensure_ascii=False, indent=1, allow_nan=False)
        archive.writestr(_entry("manifest.json"), text)
        for name, content in parts.items():
            archive.writestr(_entry(name, zipfile.ZIP_STORED), content)  # an .npz is compressed already


def read_archive(path: Path, kind: ArchiveKind) -> tuple[dict[str, Any], dict[str, Arrays]]:
    """The manifest and the arrays of every part, after all checks."""
    if path.is_dir():
        raise ModelFileError(f"{path}: a folder, not a {kind.noun} file")
    check_ends(path)
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
                raise ModelFileError(f"{path}: unpacks to more than any {kind.noun} of ours")
            manifest = _manifest(archive, path)
            _check_kind(manifest, path, kind)
            contents = {name: archive.read(name) for name in manifest["parts"]}
    except FileNotFoundError:
        raise ModelFileError(f"{path}: there is no such file; `{kind.made_by} … -o {path.name}` makes one") from None
    except KeyError as error:
        raise ModelFileError(f"{path}: the {kind.noun} file is incomplete ({error})") from error
    except _BROKEN as error:
        if isinstance(error, zipfile.BadZipFile) and path.suffix != ".relhash" and path.read_bytes()[:2] != b"PK":
            made = f"{kind.made_by} … -o makes one"
            remedy = "check the order of the arguments: relhash predict MODEL TEXT" if kind.noun == "model" else made
            raise ModelFileError(f"{path}: not a {kind.noun} file; {remedy}") from error
        raise ModelFileError(f"{path}: not a {kind.noun} file, or a damaged one ({error}); make or copy it again") from error
    arrays: dict[str, Arrays] = {}
    for name, content in contents.items():
        if hashlib.sha256(content).hexdigest() != manifest["parts"][name]:
            raise ModelFileError(f"{path}: part {name} is damaged (its checksum differs); copy the file again")
        try:
            arrays[name] = read_arrays(content, largest_ratio=LARGEST_RATIO)
        except (OSError, ValueError, MemoryError) as error:
            raise ModelFileError(f"{path}: part {name} cannot be read ({error})") from error
    return manifest, arrays


_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, json.JSONDecodeError, UnicodeDecodeError, EOFError, OSError,
    NotImplementedError, RuntimeError, OverflowError, ValueError,
)  # fmt: skip
"""What ``zipfile`` and ``json`` raise on damaged files (an encrypted flag is a RuntimeError)."""


def _manifest(archive: zipfile.ZipFile, path: Path) -> Any:
    entry = archive.getinfo("manifest.json")
    packed = min(entry.compress_size, path.stat().st_size)  # what an entry says of itself need not be true
    if entry.file_size > max(MANIFEST_ALLOWED, MANIFEST_RATIO * packed):
        raise ModelFileError(f"{path}: a manifest of {packed:,} bytes unpacks to {entry.file_size:,}: not one of ours")

    def finite(number: str) -> str:  # nothing that we write is NaN or infinite, and what compares with NaN is never true
        if not math.isfinite(float(number)):
            raise ValueError(f"{number:.20} in the manifest")
        return number

    return json.loads(
        archive.read(entry).decode("utf-8"),
        parse_constant=finite,
        parse_float=lambda number: float(finite(number)),
        parse_int=lambda number: int(finite(number)),
    )


def _check_kind(manifest: Any, path: Path, kind: ArchiveKind) -> None:
    given = manifest.get("format") if isinstance(manifest, dict) else None
    if given != kind.format or not isinstance(manifest.get("parts"), dict):
        held = f"; it holds {FORMATS[given]}" if given in FORMATS and given != kind.format else ""
        raise ModelFileError(f"{path}: not a RelHash {kind.noun} file{held}")
    schema = manifest.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or not (kind.oldest or kind.schema) <= schema <= kind.schema:
        raise ModelFileError(
            f"{path}: the file has schema version {manifest.get('schema')} (RelHash {manifest.get('relhash')}), this is "
            f"RelHash {relhash.__version__} with version {kind.schema}; use the version that wrote it, or fit again"
        )


def _pack(arrays: Arrays) -> bytes:
    """An ``.npz`` with fixed dates, so that equal models are equal files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in sorted(arrays.items()):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
            archive.writestr(_entry(f"{name}.npy"), content.getvalue(), compresslevel=LEVEL)
    return buffer.getvalue()


def _entry(name: str, method: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = method
    entry.external_attr = 0o644 << 16
    return entry


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
    check_sha256(path, sha256)
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
            end_to_end=EndToEnd.from_dict(manifest["end_to_end"]) if "end_to_end" in manifest else EndToEnd(),
            identity=identity_of_file(path, manifest),
        )
    except (ModelFileError, DataMissingError) as error:
        raise type(error)(f"{path}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RelHashError) as error:
        raise ModelFileError(f"{path}: not a model that this version understands ({type(error).__name__}: {error})") from error


def check_sha256(path: Path, wanted: str | None) -> None:
    """Refuse another file than the one that is wanted, if one is."""
    if wanted is None:
        return
    wanted = wanted.strip().lower()
    if not re.fullmatch(r"[0-9a-f]{64}", wanted):
        raise ParameterError("--require-sha256: 64 hexadecimal digits are expected, as sha256sum prints them")
    found = digest_of(path)
    if found not in ("", wanted):
        raise ModelFileError(f"{path}: not the file that was asked for (its sha256 is {found})")


def read_manifest(path: Path) -> dict[str, Any]:
    """What a model file says of itself (checked like a model that is loaded)."""
    manifest = read_archive(path, MODEL)[0]
    return manifest | _rows_beside(path, manifest)


def save_rows(model: FittedModel, path: Path) -> None:
    """Write what a model knows of rows of raw text beside its file, which stays as it is."""
    known = {"end_to_end": model.end_to_end.to_dict(), "card": {"raw_text": model.card["raw_text"]}}
    path.with_suffix(ROWS).write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _rows_beside(path: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    beside = path.with_suffix(ROWS)
    if not beside.is_file():
        return {}
    try:
        known = json.loads(beside.read_text(encoding="utf-8"))
        return {"end_to_end": dict(known["end_to_end"]), "card": {**manifest["card"], **known["card"]}}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"{beside}: not what is known of rows ({error}); copy it again, or delete it") from error


FILE = "encoder.json"


@dataclass(frozen=True)
class SecondReader(InJson):
    """What a model and the encoder need to decide together: how much the votes count (the model's counts 1), the spread of
    their log-odds on pairs that neither has learned, the line from their mean to a probability, and which pairs are accepted.
    ``columns`` are the numbers that the encoder gives of a pair, the first of which are log-odds by head; ``rows`` is the
    probability from which a row of raw text is accepted, where that is not the model's own.
    """

    encoder: str
    columns: int
    heads: tuple[float, ...]
    scales: tuple[float, float]
    weight: float
    slope: float
    offset: float
    threshold: Threshold
    rows: float | None = field(default=None, metadata=LATER)

    @classmethod
    def read(cls, path: Path) -> SecondReader:
        try:
            return cls.from_dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, ModelFileError) as error:
            raise ModelFileError(f"{path}: is no second reader ({error})") from error

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_dict(), indent=1) + "\n", encoding="utf-8")

    @property
    def card(self) -> dict[str, Any]:
        """What the card of a model says of it."""
        return {"second_reader": {"encoder": self.encoder, "weight": self.weight}}

    def beside(self, model: FittedModel) -> FittedModel:
        """The model with the encoder as a member of its committee."""
        own = model.decision
        width = sum(len(part.columns) for part in model.features.parts)
        weights = np.zeros(self.columns)
        weights[: len(self.heads)] = self.heads
        encoder, of_encoder = FittedLinear(weights, 0.0), [slice(width, width + self.columns)]
        members = (
            FittedMember(own.kind, own.classifier, [slice(0, width)], 1.0, self.scales[0]),
            FittedMember(LinearClassifier.kind, encoder, of_encoder, self.weight, self.scales[1]),
        )
        features = copy(model.features)
        features.parts = [*model.features.parts, EncoderPart()]
        decision = replace(
            own,
            classifier=FittedCommittee(members, width + self.columns),
            kind=CommitteeClassifier.kind,
            calibration=Calibration.line(self.slope, self.offset),
            threshold=self.threshold,
            chosen=f"{own.chosen}; encoder {self.encoder}",
        )
        identity = model.identity or ModelIdentity()
        rule = model.end_to_end
        return replace(
            model,
            settings=replace(model.settings, parts=(*model.settings.parts, EncoderPart())),
            features=features,
            decision=decision,
            end_to_end=rule if self.rows is None else replace(rule, threshold=self.rows),
            identity=replace(identity, version=f"{identity.version}+encoder"),
            card={**model.card, **self.card},
        )


def second_reader_of(path: Path, wanted: bool | None = None) -> SecondReader | None:
    """The second reader that ships with a model's file, unless another encoder is named, or ``off``.

    ``wanted=None``: where the extra ``[encoder]`` is installed. Without it the same numbers take longer.
    """
    found = path.parent / FILE
    wanted = importlib.util.find_spec("onnxruntime") is not None if wanted is None else wanted
    is_there = wanted and found.is_file() and not os.environ.get(OTHER_FILE) and encoder_is_there()
    return SecondReader.read(found) if is_there else None


def second_reader_card(path: Path) -> dict[str, Any]:
    """What the card of a model's file should say of its second reader."""
    second = second_reader_of(path)
    return {} if second is None else second.card
