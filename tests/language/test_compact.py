"""A pipeline survives the compact folder: same answers, half the digits, a fraction of the bytes."""

from __future__ import annotations

import numpy as np
import pytest
import spacy
from spacy.vectors import Vectors

from relhash.language import Pipeline
from relhash.language.compact import is_compact, load_compact, save_compact
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
