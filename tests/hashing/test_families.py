from __future__ import annotations

from importlib.metadata import EntryPoint

import numpy as np
import pytest

from relhash.errors import ParameterError
from relhash.hashing import HASH_FAMILIES, HashcodeLearner, MarginFamily, NearestFamily
from relhash.hashing.storage import find_family
from tests.hashing.projection_family import ProjectionFamily

X = np.random.default_rng(0).normal(size=(80, 2))


def test_names_stand_for_families_with_the_parameters_of_the_learner():
    parameters = HashcodeLearner(ridge=0.5, network={"units": 5}).get_params(deep=False)
    nearest, margin, neural = (find_family(name, parameters) for name in ("nearest", "margin", "neural"))
    assert isinstance(nearest, NearestFamily)
    assert isinstance(margin, MarginFamily)
    assert (margin.ridge, neural.settings["units"]) == (0.5, 5)


def test_a_registered_family_is_found_by_its_name(monkeypatch):
    names = "nearest, standard-nearest, margin, balanced-margin, neural"
    with pytest.raises(ParameterError, match=f"'projection' is not allowed: {names} or a HashFamily"):
        HashcodeLearner(8, hash_function="projection").fit(X)
    monkeypatch.setitem(HASH_FAMILIES._parts, "projection", ProjectionFamily)
    by_name = HashcodeLearner(8, hash_function="projection", random_state=0).fit(X)
    as_object = HashcodeLearner(8, hash_function=ProjectionFamily(), random_state=0).fit(X)
    assert (by_name.codes(X) == as_object.codes(X)).all()


def test_a_family_of_another_installed_package_is_found(monkeypatch):
    place = "tests.hashing.projection_family:ProjectionFamily"
    monkeypatch.setattr(HASH_FAMILIES, "_offered", {"projection": EntryPoint("projection", place, "relhash.hash_families")})
    monkeypatch.setattr(HASH_FAMILIES, "_parts", dict(HASH_FAMILIES._parts))
    assert isinstance(find_family("projection", {}), ProjectionFamily)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"hash_function": "margin", "ridge": 0.0}, "ridge=0.0"),
        ({"hash_function": 3}, "hash_function=3"),
    ],
    ids=str,
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ParameterError, match=message):
        HashcodeLearner(8, **parameters).fit(X)
