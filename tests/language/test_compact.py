"""A pipeline survives the compact folder: same answers, half the digits, a fraction of the bytes."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.vectors import Vectors

from relhash.errors import LanguageError
from relhash.language import Pipeline
from relhash.language.compact import is_compact, load_compact, save_compact
from relhash.resources import resource_path
from tests.language.tiny_language_model import tiny_pipeline

TEXT = "Ras binds Raf . The kinase phosphorylates MEK ."


def test_a_saved_pipeline_gives_the_same_answers(tmp_path):
    nlp = tiny_pipeline()
    save_compact(nlp, tmp_path / "compact")
    nlp.to_disk(tmp_path / "plain")
    assert is_compact(tmp_path / "compact")
    assert not is_compact(tmp_path / "plain")
    assert Pipeline(tmp_path / "compact")(TEXT) == Pipeline(tmp_path / "plain")(TEXT)
    sizes = [sum(p.stat().st_size for p in (tmp_path / name).rglob("*") if p.is_file()) for name in ("compact", "plain")]
    assert sizes[0] < sizes[1] / 2


def test_weights_keep_half_precision(tmp_path):
    nlp = tiny_pipeline()
    save_compact(nlp, tmp_path)
    restored = load_compact(tmp_path)
    for name in nlp.pipe_names:
        for before, after in zip(nlp.get_pipe(name).model.walk(), restored.get_pipe(name).model.walk(), strict=True):
            for parameter in before.param_names:
                if before.has_param(parameter):
                    value = after.get_param(parameter)
                    assert value.dtype == np.float32
                    np.testing.assert_array_equal(value, before.get_param(parameter).astype(np.float16).astype(np.float32))


def test_vectors_made_of_bytes_come_back_exactly(tmp_path):
    generator = np.random.default_rng(0)
    rows = generator.integers(-127, 128, (50, 8)).astype(np.float32)
    rows[:, 0] = 127
    table = rows * generator.random((50, 1), dtype=np.float32)
    nlp = spacy.blank("en")
    nlp.vocab.vectors = Vectors(data=table, keys=[f"w{number}" for number in range(50)], strings=nlp.vocab.strings)
    save_compact(nlp, tmp_path)
    restored = load_compact(tmp_path)
    for number in range(50):
        assert restored.vocab.get_vector(f"w{number}") == pytest.approx(table[number], rel=1e-6)


FOLDER = resource_path("biomed_en")


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


def test_the_folder_is_small_and_says_where_it_comes_from():
    assert is_compact(FOLDER)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 15_000_000
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    for word in ("CRAFT", "BC5CDR", "CC BY", "train_language_model.py", "UAS", "LAS"):
        assert word in card
    meta = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))
    assert (meta["name"], meta["dependency_scheme"]) == ("biomed_en", "craft")


def test_a_damaged_folder_names_the_remedy(tmp_path: Path):
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "pipeline.msgpack.z").write_bytes(zlib.compress(b"nothing"))
    with pytest.raises(LanguageError, match=r"damaged .*reinstall"):
        load_compact(tmp_path)
    (tmp_path / "pipeline.msgpack.z").write_bytes(b"nothing")
    with pytest.raises(LanguageError, match=r"damaged .*reinstall"):
        Pipeline(tmp_path)


def test_the_serializer_comes_without_the_rest_of_its_package():
    """That takes five times as long to import, and every command waits for it."""
    program = "import sys; from relhash.language.compact import unpacked; assert unpacked(b'\\x01') == 1; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "srsly.msgpack" in loaded
    assert not {"srsly", "srsly.ujson"} & set(loaded)
