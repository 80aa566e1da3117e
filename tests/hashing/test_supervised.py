from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from relhash.errors import ParameterError
from relhash.hashing import HashcodeLearner, SharedReference, SupervisedHashcodeLearner
from relhash.hashing.supervised import information_about_labels
from relhash.kernels.vector_kernels import VectorKernel

SMALL = {"n_bits": 6, "n_shared": 5, "n_candidates": 2, "n_trial_bits": 4, "random_state": 0}


@parametrize_with_checks([SupervisedHashcodeLearner(**SMALL)])  # no check is waived
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def hidden_direction():
    """Two informative columns that hardly vary among eight loud ones."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(400, 2)), rng.normal(size=(400, 4))])
    return X, (X[:, 0] > 0).astype(int)


def test_information_about_labels_on_known_codes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    noise = rng.integers(0, 2, (4, 4000)).astype(np.uint8)
    told = np.vstack([noise[:3], y[None].astype(np.uint8)])
    assert information_about_labels(noise, y, 2) < 0.02
    assert information_about_labels(told, y, 2) == pytest.approx(np.log(2), abs=0.03)


def test_labels_choose_better_references_than_chance(hidden_direction):
    X, y = hidden_direction
    gains = {
        n_candidates: np.mean(
            [
                SupervisedHashcodeLearner(20, n_shared=12, n_candidates=n_candidates, n_trial_bits=12, random_state=seed)
                .fit(X, y)
                .information_[""][-1]
                for seed in range(3)
            ]
        )
        for n_candidates in (1, 6)
    }
    assert gains[6] > gains[1]


def test_the_kernel_is_chosen_by_the_labels(hidden_direction):
    """A kernel that sees only the informative column wins over one that is flat."""
    X, y = hidden_direction
    flat, informative = VectorKernel("rbf", gamma=1e-6), VectorKernel(lambda A, B: np.exp(-np.abs(A[:, :1] - B[:, :1].T)))
    learner = SupervisedHashcodeLearner(**SMALL | {"n_trial_bits": 10}, kernel=[flat, informative]).fit(X, y)
    assert learner.kernels_[""] == (informative,)


@pytest.mark.parametrize("seed", [0, 3])
def test_the_kernel_that_tells_most_on_the_mean_is_chosen(hidden_direction, seed):
    X, y = (part[:60] for part in hidden_direction)
    seen: list[SharedReference] = []
    two = [VectorKernel("rbf"), VectorKernel("laplace")]
    learner = SupervisedHashcodeLearner(**SMALL | {"n_shared": 8, "random_state": seed}, kernel=two, callback=seen.append)
    learner.fit(X, y)
    told = [[one.objective for one in seen if one.kernel == kernel][:5] for kernel in (0, 1)]  # of 4 to 8 references
    best = int(np.argmax(np.mean(told, axis=1)))
    assert learner.kernels_[""][0].metric == two[best].metric
    assert learner.information_[""] == told[best]  # the best has begun again, with the same random numbers
    assert [one.done for one in seen] == [*range(4, 9), *range(12, 17), *range(20, 25)]


def test_bits_feed_a_forest(hidden_direction):
    X, y = hidden_direction
    learner = SupervisedHashcodeLearner(100, n_shared=20, n_candidates=3, n_trial_bits=8, random_state=0).fit(X[:200], y[:200])
    forest = RandomForestClassifier(50, random_state=0).fit(learner.transform(X[:200]), y[:200])
    assert forest.score(learner.transform(X[200:]), y[200:]) > 0.7
    assert (learner.transform(X)[:5] == learner.transform(X[:5])).all()
    shared = np.unique(np.concatenate([function.references for function in learner.functions_]), axis=0)
    assert len(shared) <= 20


def test_arrays_bring_it_back(hidden_direction):
    X, y = hidden_direction
    learner = SupervisedHashcodeLearner(**SMALL).fit(X, y)
    again = HashcodeLearner.from_arrays(learner.to_arrays(), learner.kernels_)
    assert (again.transform(X) == learner.transform(X)).all()


def test_labels_are_needed(hidden_direction):
    X, _ = hidden_direction
    with pytest.raises(ParameterError, match="no candidate has a label"):
        SupervisedHashcodeLearner(**SMALL).fit(X, [None] * 400)


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [("n_bits", 1, 0), ("n_references", 1, 0), ("n_references", 254, 255), ("n_shared", 4, 3), ("n_candidates", 1, 0),
     ("n_trial_bits", 1, 0), ("n_factors", 1, 0)],
)  # fmt: skip
def test_bounds_are_where_they_are_said_to_be(hidden_direction, name, allowed, refused):
    X, y = (part[:20] for part in hidden_direction)
    rest = SMALL | ({"n_shared": 300} if name == "n_references" else {})
    assert SupervisedHashcodeLearner(**rest | {name: allowed}).fit(X, y).transform(X).shape[0] == 20
    with pytest.raises(ParameterError, match=f"{name}={refused} is not allowed"):
        SupervisedHashcodeLearner(**rest | {name: refused}).fit(X, y)


def test_progress_is_reported_over_all_kernels(hidden_direction):
    X, y = hidden_direction
    seen: list[SharedReference] = []
    two = [VectorKernel("rbf"), VectorKernel("laplace")]
    learner = SupervisedHashcodeLearner(**SMALL, kernel=two, callback=seen.append).fit(X, y)
    best = [(seen[-1].kernel, 4), (seen[-1].kernel, 5)]  # fills its set again, to the end
    assert [(one.kernel, one.n_references) for one in seen] == [(0, 4), (0, 5), (1, 4), (1, 5), *best]
    assert [(one.done, one.wanted) for one in seen] == [(done, 15) for done in (4, 5, 9, 10, 14, 15)]
    chosen = [kernel.metric for kernel in two].index(learner.kernels_[""][0].metric)
    assert [one.objective for one in seen if one.kernel == chosen] == 2 * learner.information_[""]
    silent = SupervisedHashcodeLearner(**SMALL, kernel=two).fit(X, y)
    assert (silent.transform(X) == learner.transform(X)).all()
