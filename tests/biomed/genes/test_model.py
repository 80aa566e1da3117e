"""The file of the tagger: what is written comes back, damage is named."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.biomed.genes.tagger import BORDER, N_STRICT, GeneModel, Table, groups_of, labels_of
from relhash.errors import LanguageError


def small_model() -> GeneModel:
    random = np.random.default_rng(0)

    def table(names, *shape):
        return Table.of(names, random.normal(size=(len(names), *shape)))

    types = ("chemical", "cell")
    n = len(labels_of(types))
    steps = random.normal(size=(2, n, n))
    steps[0, 0, 2] = -np.inf
    n += N_STRICT
    tables = table(["x3=ase", "g=ras"], n), table([BORDER, "l=ras", "w=|"], 5, n), table(["b", "lb=^_ras"], n)
    return GeneModel(types, *tables, steps, {"ras": (1, 2, 3)}, np.array([[0.9, 0.1], [0.8, 0.2]]))


def test_round_trip(tmp_path):
    model = small_model()
    model.save(tmp_path / "model.npz")
    read = GeneModel.read(tmp_path / "model.npz")
    for name in ("own", "wide", "places"):
        before, after = getattr(model, name), getattr(read, name)
        assert before.rows == after.rows
        assert np.abs(before.weights - after.weights).max() <= np.abs(before.weights).max() / 127  # one byte per weight
    assert np.array_equal(read.steps, model.steps)
    assert (read.clusters, read.types) == (model.clusters, model.types)
    assert np.array_equal(read.calibration, model.calibration)
    assert read.fingerprint
    assert read.groups("Ras") == ("c0=1", "c1=2", "c2=3")


def test_words_without_a_group_have_their_shape():
    assert groups_of("Xyz9", {}) == ("c0=?", "c1=?Aa0")


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 cut off"])
def test_damage_is_named(tmp_path, damage):
    (tmp_path / "model.npz").write_bytes(damage)
    with pytest.raises(LanguageError, match="gene tagger is damaged"):
        GeneModel.read(tmp_path / "model.npz")


def test_another_version_is_refused(tmp_path):
    small_model().save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz") as archive:
        arrays = {**archive, "version": np.array(99)}
    np.savez(tmp_path / "model.npz", **arrays)
    with pytest.raises(LanguageError, match="version 99"):
        GeneModel.read(tmp_path / "model.npz")
