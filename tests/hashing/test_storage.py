"""Learned functions in and out of arrays, whatever their family; what is refused, and when."""

from __future__ import annotations

import io

import numpy as np
import pytest

from relhash.codec import pack_strings
from relhash.errors import ModelFileError, ParameterError
from relhash.hashing import HASH_FAMILIES, HashcodeLearner, HashFamily, MarginFamily
from relhash.hashing.storage import check_storable, gather_references
from tests.hashing.projection_family import ProjectionFamily
from tests.hashing.short_fits import learn as short_fit
from tests.hashing.short_fits import path_kernel

X = np.random.default_rng(0).normal(size=(90, 2))


@pytest.fixture
def _registered(monkeypatch):
    monkeypatch.setitem(HASH_FAMILIES._parts, "projection", ProjectionFamily)


def learn(**parameters) -> HashcodeLearner:
    return HashcodeLearner(12, random_state=0, **parameters).fit(X)


def through_a_file(learner: HashcodeLearner, **changed: np.ndarray) -> HashcodeLearner:
    """As ``numpy.savez`` and ``numpy.load`` without pickle give the arrays back."""
    buffer = io.BytesIO()
    np.savez(buffer, **(learner.to_arrays() | changed))
    buffer.seek(0)
    with np.load(buffer, allow_pickle=False) as archive:
        return HashcodeLearner.from_arrays(dict(archive), learner.kernels_, n_jobs=1)


def test_a_single_bit_is_a_code():
    bits = HashcodeLearner(1, random_state=0).fit_transform(X)
    assert (bits.shape, 0 < bits.mean() < 1) == ((90, 1), True)


FAMILIES = {
    "nearest": {},
    "standard nearest": {"hash_function": "standard-nearest"},
    "margin": {"hash_function": "margin", "ridge": 0.25},
    "balanced margin": {"hash_function": "balanced-margin", "ridge": 0.25},
    "own": {"hash_function": ProjectionFamily(0.125)},
}


@pytest.mark.usefixtures("_registered")
class TestRoundTrip:
    @pytest.mark.parametrize("parameters", FAMILIES.values(), ids=FAMILIES)
    def test_the_family_with_its_settings_comes_back(self, parameters):
        learner = learn(**parameters)
        again = through_a_file(learner)
        assert (again.codes(X) == learner.codes(X)).all()
        assert type(again.family_) is type(learner.family_)
        assert again.family_.settings == learner.family_.settings
        assert (again.n_bits, again.n_features_in_, again.trace_) == (12, 2, ())

    def test_a_second_round_gives_the_same_arrays(self):
        once = learn(hash_function="margin")
        twice = through_a_file(once)
        one, two = once.to_arrays(), twice.to_arrays()
        assert one.keys() == two.keys()
        assert all(np.array_equal(one[name], two[name]) for name in one)

    def test_what_comes_back_can_learn_again(self):
        again = through_a_file(learn(hash_function="margin", ridge=0.25)).set_params(random_state=0)
        assert (again.fit(X).codes(X) == learn(hash_function="margin", ridge=0.25).codes(X)).all()


class TestDamage:
    @pytest.mark.parametrize(
        "change",
        [
            {"functions.n_references": np.array([-1] * 12, np.int32)},
            {"functions.n_references": np.empty(0, np.int32)},
            {"functions.kernel": np.full(12, 7, np.int32)},
            {"functions.view": np.full(12, 3, np.int32)},
            {"family": pack_strings(["margin"])},
            {"family": pack_strings(["margin", "{"])},
            {"family": pack_strings(["margin", "[1]"])},
            {"family": pack_strings(["margin", '{"ridge": -1}'])},
            {"family": pack_strings(["margin", '{"rigde": 1}'])},
            {"family.parameters": np.zeros(3)},
            {"family.n_parameters": np.zeros(12, np.int64)},
        ],
        ids=str,
    )
    def test_arrays_that_do_not_fit_together(self, change):
        with pytest.raises(ModelFileError, match="stored hash functions: "):
            through_a_file(learn(hash_function="margin"), **change)

    def test_coefficients_that_are_no_numbers_or_belong_to_others(self):
        """Compiled code adds up one coefficient per reference, without looking where the row ends."""
        learner = learn(hash_function="margin")
        arrays = learner.to_arrays()
        with pytest.raises(ModelFileError, match="no number"):
            through_a_file(learner, **{"family.parameters": np.full_like(arrays["family.parameters"], np.nan)})
        moved = arrays["family.n_parameters"].copy()
        moved[0], moved[1] = moved[0] - 1, moved[1] + 1
        with pytest.raises(ModelFileError, match="another number of coefficients"):
            through_a_file(learner, **{"family.n_parameters": moved})

    def test_a_family_that_is_not_installed_is_named(self, monkeypatch):
        with monkeypatch.context() as here:
            here.setitem(HASH_FAMILIES._parts, "projection", ProjectionFamily)
            learner = learn(hash_function="projection")
            arrays = learner.to_arrays()
        with pytest.raises(ModelFileError, match="no hash family 'projection'; install the package"):
            HashcodeLearner.from_arrays(arrays, learner.kernels_)


class TestRefusedBeforeTheFit:
    def test_a_class_that_nobody_registered(self):
        with pytest.raises(ParameterError, match=r"HASH_FAMILIES\.register\('projection', ProjectionFamily\)"):
            check_storable(ProjectionFamily())
        with pytest.raises(ParameterError, match="could not be saved"):
            learn(hash_function=ProjectionFamily()).to_arrays()

    @pytest.mark.usefixtures("_registered")
    def test_what_is_registered_can_be_stored(self):
        check_storable(ProjectionFamily())
        for name in ("nearest", "margin", "neural", "projection"):
            check_storable(name)

    @pytest.mark.usefixtures("_registered")
    def test_settings_must_be_plain(self):
        with pytest.raises(ParameterError, match="not plain JSON"):
            check_storable(ProjectionFamily(threshold=np.float32(1)))
        with pytest.raises(ParameterError, match="not plain JSON"):
            check_storable(ProjectionFamily(threshold=float("nan")))

    def test_another_class_of_the_same_name(self):
        class Wider(MarginFamily):
            """Would come back as a MarginFamily."""

        assert issubclass(Wider, HashFamily)
        with pytest.raises(ParameterError, match="Wider could not be saved"):
            check_storable(Wider())

    def test_unknown_names(self):
        with pytest.raises(ParameterError, match="hash_function='svm'"):
            check_storable("svm")


def test_functions_keep_only_their_references():
    functions = learn().functions_
    gathered = gather_references(functions)[""]
    assert len(gathered) == sum(function.n_references for function in functions)
    assert all(function.references.base is not X for function in functions)


class TestOfSeveralViews:
    def test_arrays_bring_it_back(self, plane, structures):
        for parameters in ({}, {"hash_function": "margin", "ridge": 0.1}):
            learner = short_fit(*plane, **parameters)
            again = HashcodeLearner.from_arrays(learner.to_arrays(), learner.kernels_)
            assert (again.transform(plane[1]) == learner.transform(plane[1])).all()
        kernel = {"path": [path_kernel(), path_kernel(gap_decay=0.4)], "between": path_kernel(), "descriptors": "laplace"}
        learner = short_fit(structures, kernel=kernel)
        arrays = learner.to_arrays()
        assert all(array.dtype != object for array in arrays.values())
        again = HashcodeLearner.from_arrays(arrays, learner.kernels_)
        assert (again.codes(structures) == learner.codes(structures)).all()

    def test_damaged_arrays_are_refused(self, plane):
        learner = short_fit(*plane)
        for name in ("functions.splits", "references.0.table", "views"):
            arrays = learner.to_arrays()
            arrays[name] = arrays[name][:-1]
            with pytest.raises(ModelFileError, match="stored hash functions"):
                HashcodeLearner.from_arrays(arrays, learner.kernels_)
