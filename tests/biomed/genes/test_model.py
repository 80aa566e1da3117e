"""The file of the tagger: what is written comes back, damage is named."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.biomed.genes.tagger import BORDER, WIDTH, GeneModel, Table, groups_of
from relhash.errors import LanguageError


def small_model() -> GeneModel:
    random = np.random.default_rng(0)

    def table(names, *shape):
        return Table.of(names, random.normal(size=(len(names), *shape)))

    steps = random.normal(size=(2, 5, 5))
    steps[0, 0, 2] = -np.inf
    tables = table(["x3=ase", "g=ras"], WIDTH), table([BORDER, "l=ras", "w=|"], 5, WIDTH), table(["b", "lb=^_ras"], WIDTH)
    return GeneModel(*tables, steps, {"ras": (1, 2, 3)}, (0.9, 0.1))


def test_round_trip(tmp_path):
    model = small_model()
    model.save(tmp_path / "model.npz")
    read = GeneModel.read(tmp_path / "model.npz")
    for name in ("own", "wide", "places"):
        before, after = getattr(model, name), getattr(read, name)
        assert before.rows == after.rows
        assert np.abs(before.weights - after.weights).max() <= np.abs(before.weights).max() / 127  # one byte per weight
    assert np.array_equal(read.steps, model.steps)
    assert (read.clusters, read.calibration) == (model.clusters, model.calibration)
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
