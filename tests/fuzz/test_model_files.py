"""Model files and indexes with right checksums and wrong contents: a model or an error of ours, and never code that runs."""

from __future__ import annotations

import hashlib
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import relhash
from relhash.corpus import Corpus
from relhash.model import FittedModel
from relhash.model.index import CODES, Index
from relhash.model.model_file import _pack
from relhash.resources import resource_path
from tests.fuzz.mutations import ROUNDS, changed, mutated, packed, survived, unpacked

KEPT = Path(__file__).parents[1] / "model" / "kept" / "schema-3.relhash"
USUAL = 120


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


def archives(path: Path, count: int, seed: int) -> Iterator[bytes]:
    """Archives of ours with right checksums, in each either a value of the manifest or an array of a part another one."""
    chance, parts = random.Random(seed), unpacked(path)
    manifest = json.loads(parts.pop("manifest.json"))
    for number in range(count):
        contents, head = dict(parts), manifest
        if number % 2:
            head = changed(manifest, chance, left=("parts", "format", "schema"))
        else:
            name = chance.choice(sorted(parts))
            contents[name] = damaged(parts[name], chance)
        head = {**head, "parts": {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}}
        yield packed({"manifest.json": json.dumps(head).encode(), **contents})


def test_contents_that_do_not_add_up_are_refused(tmp_path):
    path, text = tmp_path / "m.relhash", Corpus.of(list(relhash.read(resource_path("demo") / "fulltext.jsonl.gz"))[:1])
    inputs = archives(KEPT, ROUNDS or USUAL, seed=21)
    assert survived(path, inputs, lambda _: len(FittedModel.load(path, cache=False).scores(text)))


@pytest.fixture
def index(tmp_path):
    pytest.importorskip("pyarrow")
    text = "RAF1 binds to MEK1. STAT3 associates with JAK2 and PTPN6. TP53 is bound by MDM2."
    return Index.made(relhash.load("ppi"), text, tmp_path, n_bits=64).folder


def asked(folder: Path) -> bool:
    return all(one.as_row() for one in Index.open(folder).like(0, n=5))


def test_hash_functions_of_an_index_that_do_not_add_up(index):
    assert survived(index / CODES, archives(index / CODES, ROUNDS or 60, seed=4), lambda _: asked(index))


def test_parts_of_an_index_with_damaged_bytes(index):
    """Arrow follows any offset: a flipped byte ended in a foreign error, or in memory that is not the file's."""
    (part,) = index.glob("part-*.arrow")
    assert survived(part, mutated([part.read_bytes()], ROUNDS or 200, seed=3), lambda _: asked(index))
