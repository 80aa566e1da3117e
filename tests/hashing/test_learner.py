"""HashcodeLearner on arrays, PathSets and StructureSets: what a user relies on."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from relhash.candidates.paths import PathSet
from relhash.errors import ParameterError
from relhash.hashing import HashcodeLearner
from tests.blas_threads import printed_with_threads
from tests.hashing.short_fits import learn, path_kernel


@parametrize_with_checks([HashcodeLearner(n_bits=12, random_state=0)])  # no check is waived
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"hash_function": "svm"}, "hash_function='svm'"),
        ({"target_share": 1.0}, "target_share"),
        ({"target_share": 0.0}, "target_share"),
        ({"kernel": 3}, "kernel=3"),
        ({"views": ["path"]}, "StructureSet"),
    ],
)
def test_bad_parameters_are_named(plane, parameters, message):
    """Those of the estimator; those of the algorithm are in test_settings.py."""
    with pytest.raises(ParameterError, match=message):
        learn(plane[0], **parameters)


VARIANTS = {
    "nearest": {},
    "margin": {"hash_function": "margin"},
    "many references": {"n_references": 12},
    "random": {"split": "random", "sampling": "global", "deletion_share": 0.0},
    "correlation": {"redundancy": "correlation"},
}


class TestDeterminism:
    @pytest.mark.parametrize("parameters", VARIANTS.values(), ids=VARIANTS)
    def test_rows_do_not_depend_on_each_other(self, plane, parameters):
        train, target = plane
        learner = learn(train, target, **parameters)
        features = learner.transform(target)
        assert (features[:7] == learner.transform(target[:7])).all()
        assert (features[[5]] == learner.transform(target[[5]])).all()

    @pytest.mark.parametrize("parameters", VARIANTS.values(), ids=VARIANTS)
    def test_the_same_seed_gives_the_same_bits(self, plane, parameters):
        train, target = plane
        first, second = (learn(train, target, **parameters).transform(target) for _ in range(2))
        assert (first == second).all()

    def test_threads_change_nothing(self, structures):
        kernel = {"path": path_kernel(), "between": path_kernel(), "descriptors": "laplace"}
        one, three = (learn(structures, kernel=kernel, n_jobs=n_jobs).codes(structures) for n_jobs in (1, 3))
        assert (one == three).all()

    def test_seeds_differ(self, plane):
        assert (learn(plane[0], random_state=0).codes(plane[0]) != learn(plane[0], random_state=1).codes(plane[0])).any()

    def test_another_process_gives_the_same_bits(self, plane):
        program = (
            "import numpy as np; from relhash.hashing import HashcodeLearner; "
            "rng = np.random.default_rng(0); train, target = rng.normal(size=(150, 2)), rng.normal(1, 1, (120, 2)); "
            "learner = HashcodeLearner(n_bits=24, n_cluster_bits=5, random_state=0).fit(train, target=target); "
            "print(learner.codes(target)[:, 0].tolist())"
        )
        printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        assert printed.strip() == str(learn(*plane).codes(plane[1])[:, 0].tolist())

    def test_blas_threads_change_nothing(self):
        one, two = printed_with_threads(
            "from relhash.hashing import HashcodeLearner\n"
            "X = np.random.default_rng(0).random(size=(40, 60_000))\n"
            "X /= np.linalg.norm(X, axis=1, keepdims=True)\n"
            "learner = HashcodeLearner(6, hash_function='margin', n_references=20, split='random', random_state=0)\n"
            "learner.set_params(kernel=lambda A, B: A @ B.T - 1).fit(X)\n"
            "print(digest(learner.codes(X), *[function.parameters for function in learner.functions_]))"
        )
        assert one == two

    def test_fitted_bits_are_the_bits_of_transform(self, plane):
        """What the learner counted is what the functions compute."""
        seen = []
        learner = learn(plane[0], plane[1], callback=seen.append)
        bits = learner.transform(np.concatenate(plane))
        last = learner.trace_[-1]
        share = bits[:, -1].mean()
        assert -(share * np.log(share) + (1 - share) * np.log(1 - share)) <= last.joint_entropy


class TestData:
    def test_settings_differ_in_what_plays_the_target(self, plane):
        train, target = plane
        transductive, inductive = learn(train, target), learn(train)
        assert transductive.transform(target).shape == inductive.transform(target).shape == (120, 24)
        share = inductive.trace_[0].membership_entropy
        assert share == pytest.approx(-(0.253 * np.log(0.253) + 0.747 * np.log(0.747)), abs=0.01)

    def test_paths(self, paths):
        learner = learn(paths[:120], paths[120:], kernel=path_kernel())
        assert (learner.transform(paths)[:9] == learner.transform(paths[:9])).all()
        unseen = PathSet.from_sequences([["<P>", "phosphorylates", "<P>"], []])
        assert learner.transform(unseen).shape == (2, 24)
        assert not learner.transform(unseen)[1].any()  # an empty path is similar to nothing

    @pytest.mark.parametrize("n", [2, 3, 5])
    def test_hardly_any_data(self, n):
        X = np.arange(n, dtype=float)[:, None]
        assert learn(X).transform(X).shape == (n, 24)

    def test_all_candidates_equal(self):
        X = np.ones((20, 3))
        assert learn(X, X).transform(X).shape == (20, 24)

    def test_labels_are_not_looked_at(self, plane):
        train = plane[0]
        assert (learn(train, y=train[:, 0] > 0).codes(train) == learn(train).codes(train)).all()


class TestWorkflow:
    def test_pipeline_and_grid_search_on_arrays(self, plane):
        y = plane[0][:, 0] > 0
        pipeline = make_pipeline(HashcodeLearner(n_bits=16, random_state=0), RandomForestClassifier(20, random_state=0))
        assert pipeline.fit(plane[0], y).score(plane[0], y) > 0.8

    def test_pipeline_and_grid_search_on_paths(self, paths):
        y = np.array(["binds" in path for path in paths])
        pipeline = make_pipeline(HashcodeLearner(n_bits=16, kernel=path_kernel(), random_state=0), LogisticRegression())
        search = GridSearchCV(pipeline, {"hashcodelearner__n_references": [3, 6]}, cv=3).fit(paths, y)
        assert search.best_score_ > max(y.mean(), 1 - y.mean())

    def test_clone_keeps_all_parameters(self):
        learner = HashcodeLearner(7, kernel=path_kernel(gap_decay=0.5), views=["a"], split="random")
        copy = clone(learner)
        assert copy.get_params(deep=False).keys() == learner.get_params(deep=False).keys()
        assert (copy.n_bits, copy.kernel.gap_decay, copy.views, copy.split) == (7, 0.5, ["a"], "random")


@pytest.mark.parametrize("parameters", [{}, {"hash_function": "margin"}, {"deletion_share": 0.0}])
@pytest.mark.parametrize("with_target", [True, False])
def test_hashing_while_learning_gives_what_transform_gives(parameters, with_target):
    rng = np.random.default_rng(0)
    train, target = np.round(rng.normal(size=(80, 2)), 1), np.round(rng.normal(1, 1, (50, 2)), 1)
    learner = HashcodeLearner(n_bits=12, n_cluster_bits=4, random_state=1, **parameters)
    hashed, target_hashed = learner.fit_hash(train, target=target if with_target else None)
    same = HashcodeLearner(n_bits=12, n_cluster_bits=4, random_state=1, **parameters)
    same.fit(train, target=target if with_target else None)

    np.testing.assert_array_equal(hashed, same.transform(train))
    if with_target:
        np.testing.assert_array_equal(target_hashed, same.transform(target))
    else:
        assert target_hashed is None


def test_a_code_of_one_bit_comes_back_from_arrays(plane):
    learner = learn(*plane, n_bits=1)
    again = HashcodeLearner.from_arrays(learner.to_arrays(), learner.kernels_)
    np.testing.assert_array_equal(again.transform(plane[0]), learner.transform(plane[0]))
    assert again.n_features_in_ == plane[0].shape[1]
