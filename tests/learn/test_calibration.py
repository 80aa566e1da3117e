"""From scores to probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ModelFileError
from relhash.learn.calibration import Calibration


@pytest.mark.parametrize("kind", ["isotonic", "platt"])
def test_calibration_is_monotone_stored_and_about_right(kind):
    rng = np.random.default_rng(0)
    scores = rng.uniform(size=3000)
    y = rng.uniform(size=3000) < scores**2
    calibration = Calibration.fit(scores, y, kind)
    grid = np.linspace(0, 1, 101)
    probabilities = calibration.probabilities(grid)
    assert (np.diff(probabilities) >= 0).all()
    assert np.abs(probabilities - grid**2).mean() < 0.04
    again = Calibration.from_arrays(calibration.to_arrays(), kind=kind)
    np.testing.assert_array_equal(again.probabilities(grid), probabilities)


def test_calibration_chooses_by_the_number_of_labels():
    y = np.repeat([0, 1], [40, 10])
    scores = np.linspace(0, 1, 50)
    assert Calibration.fit(scores, y).kind == "platt"
    assert Calibration.fit(np.tile(scores, 10), np.tile(y, 10)).kind == "isotonic"
    backwards = Calibration.fit(1 - scores, y).probabilities(np.array([0.0, 1.0]))
    assert backwards[0] == pytest.approx(backwards[1])


def test_score_of_inverts_the_map():
    calibration = Calibration(np.array([0.2, 0.6]), np.array([0.1, 0.9]), "isotonic")
    assert calibration.score_of(0.5) == pytest.approx(0.4)
    assert calibration.score_of(0.05) == 0.0
    assert calibration.score_of(0.95) == np.inf


@pytest.mark.parametrize(
    ("scores", "values"),
    [([0, 1], [0.9, 0.1]), ([1, 0], [0, 1]), ([0, 1], [0, 2]), ([], []), ([0], [0, 1]), ([0, 1], [0, np.nan])],
)
def test_damaged_calibration_is_refused(scores, values):
    with pytest.raises(ModelFileError):
        Calibration.from_arrays({"scores": np.array(scores, float), "values": np.array(values, float)}, kind="isotonic")


def test_no_step_of_isotonic_regression_is_certain():
    """100 right of 100 is not probability 1: half an example of either class is added to each step."""
    y = np.repeat([0, 1], 100)
    calibration = Calibration.fit(np.linspace(0, 1, 200), y, "isotonic")
    assert calibration.values[[0, -1]] == pytest.approx([0.5 / 101, 100.5 / 101])


def test_targets_of_platt_are_smoothed():
    """Separable scores have no best sigmoid but a step; with Platt's targets few labels stay modest, many may be surer."""

    def surest(n):
        y = np.repeat([0, 1], n)
        return Calibration.fit(np.where(y, 0.9, 0.1), y, "platt").probabilities([0.1, 0.9])

    assert surest(4) == pytest.approx([1 / 6, 5 / 6], abs=0.01)
    assert surest(40) == pytest.approx([1 / 42, 41 / 42], abs=0.01)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_that_cannot_be_is_nearly_reached(share):
    """Nobody can know that all candidates are relations; the odds stay finite."""
    even = Calibration(np.array([0.0, 1.0]), np.array([0.2, 0.8]), "platt")
    probabilities = even.moved_to(share, [0.0, 0.5, 1.0]).probabilities([0.0, 0.5, 1.0])
    assert abs(probabilities.mean() - share) < 2e-4
    assert ((probabilities > 0) & (probabilities < 1)).all()


def test_what_is_certain_moves_too():
    """A step of 0 or 1 has no log-odds; it is taken for nearly certain."""
    certain = Calibration(np.array([0.0, 1.0]), np.array([0.0, 1.0]), "isotonic")
    moved = certain.moved_to(0.25, [0.0, 1.0, 1.0])
    assert moved.probabilities([0.0, 1.0, 1.0]).mean() == pytest.approx(0.25)
    assert (np.diff(moved.values) > 0).all()
