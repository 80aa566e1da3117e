"""Model files with right checksums and wrong contents: a model or an error of ours, and never code that runs."""

from __future__ import annotations

import copy
import hashlib
import io
import json
import random
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from relhash.errors import RelHashError
from relhash.model import FittedModel
from relhash.model.model_file import _pack
from tests.fuzz.mutations import ROUNDS

KEPT = Path(__file__).parents[1] / "model" / "kept" / "schema-3.relhash"
USUAL = 120
VALUES: list[Any] = [None, "", "x", -1, 0, 1, 10**20, 1.5, -0.0, True, [], {}, [[]], {"a": 1}, "embedded", "os", "²"]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in nested JSON."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += places(item, (*path, key))
    return found


def changed(manifest: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    manifest = copy.deepcopy(manifest)
    place = chance.choice([place for place in places(manifest) if place[0] not in ("parts", "format", "schema")])
    inner = manifest
    for key in place[:-1]:
        inner = inner[key]
    if chance.random() < 0.2:
        del inner[place[-1]]
    else:
        inner[place[-1]] = chance.choice(VALUES)
    return manifest


def damaged(content: bytes, chance: random.Random) -> bytes:
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    name = chance.choice(sorted(arrays))
    array = arrays[name]
    kind = chance.randrange(6)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        arrays[name] = array[: array.shape[0] // 2] if array.ndim else array[None]
    elif kind == 2:
        arrays[name] = array.astype(np.float64) * np.nan if array.dtype.kind in "fiu" else array
    elif kind == 3:
        arrays[name] = -array.astype(np.int64) - 1 if array.dtype.kind in "iu" else array
    elif kind == 4:
        largest = np.full(array.shape, np.iinfo(np.int64).max)
        arrays[name] = largest if array.dtype.kind in "iu" else array.astype(np.float32) * 1e30
    else:
        arrays[name] = array.reshape(-1)
    return _pack(arrays)


def test_contents_that_do_not_add_up_are_refused(tmp_path):
    chance = random.Random(21)
    with zipfile.ZipFile(KEPT) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts.pop("manifest.json"))
    target = tmp_path / "m.relhash"
    for number in range(ROUNDS or USUAL):
        contents, head = dict(parts), manifest
        if number % 2:
            head = changed(manifest, chance)
        else:
            name = chance.choice(sorted(parts))
            contents[name] = damaged(parts[name], chance)
        head = {**head, "parts": {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}}
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("manifest.json", json.dumps(head))
            for name, content in contents.items():
                archive.writestr(name, content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                FittedModel.load(target, cache=False)
            except RelHashError:
                continue
            except Exception as error:
                difference = {key: (manifest[key], head.get(key)) for key in manifest if manifest[key] != head.get(key)}
                raise AssertionError(f"input {number}: {difference}") from error
