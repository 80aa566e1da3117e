"""A shipped model beside a drawn encoder: an ordinary model, with a vote, a calibration and a version of its own."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import relhash
from relhash.errors import ModelFileError
from relhash.language.encoder import shared_encoder
from relhash.learn.threshold import Threshold
from relhash.model.judging import Prepared
from relhash.model.model_file import FILE, SecondReader, find_model, second_reader_of
from tests.language.test_encoder import drawn_arrays, saved

TEXT = "RAF1 binds to MEK1 in resting cells. RAF1 and MEK1 were measured."
SECOND = SecondReader("drawn", 10, (1.0, 0.0), (1.0, 2.0), 0.5, 1.5, -0.2, Threshold(0.5, "fraction"))


@pytest.fixture
def _drawn(tmp_path, monkeypatch):
    monkeypatch.setenv("RELHASH_ENCODER", str(saved(tmp_path / "drawn.npz", drawn_arrays())))
    shared_encoder.cache_clear()
    yield
    shared_encoder.cache_clear()


@pytest.mark.usefixtures("_drawn")
def test_both_votes_count(tmp_path):
    model = relhash.load("ppi", encoder=False)
    both = SECOND.beside(model)
    found = model.candidates(TEXT)
    heads = Prepared(both, found).structures["encoder"][:, 0].astype(float)
    own = model.decision.classifier.log_odds(Prepared(model, found).features)
    votes = (own / 1.0 + 0.5 * heads / 2.0) / 1.5
    scores, probabilities, labels = both.decision.decide(Prepared(both, found).features)
    np.testing.assert_allclose(scores, 1 / (1 + np.exp(-votes)))
    np.testing.assert_allclose(probabilities, 1 / (1 + np.exp(0.2 - 1.5 * votes)), atol=1e-4)
    np.testing.assert_array_equal(labels, scores >= 0.5)
    assert both.end_to_end == model.end_to_end
    with_cut = replace(SECOND, rows=0.3)
    assert SecondReader.from_dict(with_cut.to_dict()) == with_cut
    assert with_cut.beside(model).end_to_end == replace(model.end_to_end, threshold=0.3)
    rows = both.predict(TEXT, all_candidates=True)
    assert rows[0].made_by.name == "ppi"
    assert rows[0].made_by.version == f"{model.identity.version}+encoder"
    both.save(tmp_path / "both.relhash")
    again = relhash.load(tmp_path / "both.relhash").predict(TEXT, all_candidates=True)
    assert [row.probability for row in again] == [row.probability for row in rows]


def test_files(tmp_path, monkeypatch):
    monkeypatch.delenv("RELHASH_ENCODER", raising=False)
    monkeypatch.setattr("relhash.model.model_file.encoder_is_there", lambda: True)
    assert second_reader_of(tmp_path / "ppi.relhash", True) is None
    SECOND.write(tmp_path / FILE)
    assert second_reader_of(tmp_path / "ppi.relhash", True) == SECOND
    assert second_reader_of(tmp_path / "ppi.relhash", False) is None
    for spec, found in ((None, None), ("installed", SECOND)):
        monkeypatch.setattr("importlib.util.find_spec", lambda name, spec=spec: spec)
        assert second_reader_of(tmp_path / "ppi.relhash") == found
    monkeypatch.setenv("RELHASH_ENCODER", "off")
    assert second_reader_of(tmp_path / "ppi.relhash", True) is None
    given = json.loads((tmp_path / FILE).read_text())
    del given["scales"]
    (tmp_path / FILE).write_text(json.dumps(given))
    with pytest.raises(ModelFileError, match="scales"):
        SecondReader.read(tmp_path / FILE)


@pytest.mark.parametrize("name", ["ppi", "related", "events"])
def test_what_ships_fits_together(name, monkeypatch):
    monkeypatch.delenv("RELHASH_ENCODER", raising=False)
    second = second_reader_of(find_model(name), True)
    assert second is not None
    assert second.encoder == shared_encoder().version
    assert second.columns == len(shared_encoder().columns)
    model = relhash.load(name, encoder=True)
    rows = model.predict("RAF1 binds to MEK1 in resting cells.", all_candidates=True)
    assert rows
    assert all(row.made_by.version.endswith("+encoder") for row in rows)
