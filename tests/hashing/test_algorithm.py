"""The ideas of the paper on points in the plane, where the right answer can be seen."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from relhash.hashing import HashcodeLearner, NearestFamily
from relhash.hashing.algorithm import current_objectives
from relhash.hashing.information import cluster_by_keys, n_log_n
from relhash.hashing.splits import SplitObjective, TermWeights, all_splits, find_split
from relhash.hashing.table import Table
from relhash.kernels import VectorKernel
from tests.hashing.array_kernel import PlainKernel
from tests.hashing.entropies import conditional_entropy
from tests.hashing.short_fits import learn as short_fit
from tests.hashing.short_fits import path_kernel

SQUARE = np.array([[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
UP_DOWN, LEFT_RIGHT = [0, 0, 1, 1], [0, 1, 0, 1]


def best_split(points, is_train, clusters):
    """The split of the square's corners that the objective prefers."""
    kernel = PlainKernel()
    bound = kernel.bind(np.concatenate([SQUARE, points]))
    weights = np.zeros((bound.n_unique, 2), np.int64)
    np.add.at(weights, (bound.rows[4:], is_train.astype(int)), 1)
    labels = np.zeros(bound.n_unique, np.int64)
    labels[bound.rows[4:]] = clusters
    responses = NearestFamily().respond(bound, bound.rows[:4].astype(np.int64))
    rows = np.arange(bound.n_unique, dtype=np.int32)
    clusters = cluster_by_keys(labels, weights)
    objective = SplitObjective(responses, clusters, rows, weights, n_log_n(int(weights.sum())), TermWeights())
    return find_split("exhaustive", objective, np.random.default_rng(0)).tolist()


def test_the_chosen_split_also_cuts_the_neighbouring_cluster():
    """References in the left cluster: cutting it left from right leaves the right cluster whole, cutting up from down cuts
    both. The other bits of the code already tell left from right."""
    rng = np.random.default_rng(0)
    left, right = rng.normal([0, 0], 0.7, (300, 2)), rng.normal([4, 0], 0.7, (300, 2))
    clusters = np.repeat([0, 1], 300)
    assert best_split(np.concatenate([left, right]), rng.integers(0, 2, 600), clusters) == UP_DOWN


def test_the_best_split_generalises_across_both_sets():
    """Training points lie left, target points right. Left against right would only tell the sets apart."""
    rng = np.random.default_rng(1)
    train, target = rng.normal([-1, 0], 0.8, (300, 2)), rng.normal([1, 0], 0.8, (300, 2))
    is_train = np.repeat([1, 0], 300)
    assert best_split(np.concatenate([train, target]), is_train, np.zeros(600, int)) == UP_DOWN
    assert LEFT_RIGHT in all_splits(4).tolist()


@pytest.fixture(scope="module")
def islands():
    """Twelve tight islands scattered far apart; on each, the target set lies to the right of the training set."""
    rng = np.random.default_rng(2)
    centres = rng.uniform(0, 200, (12, 2))
    island = rng.integers(0, 12, 1200)
    train = centres[island[:600]] + rng.normal([-0.7, 0], 1, (600, 2))
    target = centres[island[600:]] + rng.normal([0.7, 0], 1, (600, 2))
    return train, target, island


def learn(islands, seed, **parameters):
    train, target, _ = islands
    settings = {"n_bits": 40, "n_references": 4, "n_cluster_bits": 6, "kernel": PlainKernel(5e-4), "deletion_share": 0.0}
    return HashcodeLearner(**(settings | parameters), random_state=seed).fit(train, target=target)


def test_local_sampling_adds_bits_that_split_clusters(islands):
    """A bit cuts an island if it divides its points in a ratio below 9 : 1."""
    train, target, island = islands

    def cuts(learner):
        bits = learner.transform(np.concatenate([train, target]))[:, 6:]  # the first ζ are drawn globally in any case
        shares = np.stack([bits[island == number].mean(axis=0) for number in range(12)])
        return ((shares > 0.1) & (shares < 0.9)).any(axis=0).mean()

    local = np.mean([cuts(learn(islands, seed)) for seed in range(3)])
    everywhere = np.mean([cuts(learn(islands, seed, sampling="global")) for seed in range(3)])
    assert local > everywhere + 0.2


@pytest.fixture(scope="module")
def shifted():
    """One cloud, in which the target set lies to the right of the training set."""
    rng = np.random.default_rng(3)
    return rng.normal([-0.7, 0], 1, (600, 2)), rng.normal([0.7, 0], 1, (600, 2)), None


def test_high_entropy_clusters_stay_mixed(shifted):
    """A cut left from right tells training from target points, a cut up from down does not. Random splits make both kinds,
    optimised ones leave more of H(x | c)."""
    train, target, _ = shifted

    def mixing(learner):
        ones = np.stack([learner.transform(target).sum(axis=0), learner.transform(train).sum(axis=0)], axis=-1)
        return np.mean([conditional_entropy(np.stack([[600, 600] - bit, bit])) for bit in ones])

    optimised = [mixing(learn(shifted, seed)) for seed in range(5)]
    by_chance = [mixing(learn(shifted, seed, split="random")) for seed in range(5)]
    assert min(optimised) > max(by_chance)


def test_deletion_raises_the_mean_objective(islands):
    train, target, _ = islands
    weights = np.repeat([[0, 1], [1, 0]], 600, axis=0).astype(np.int64)

    def mean_objective(learner):
        bits = np.ascontiguousarray(learner.transform(np.concatenate([train, target])).T)
        rng = np.random.default_rng(0)
        return np.mean([current_objectives(bits, weights, n_log_n(1200), 6, TermWeights(), rng).mean() for _ in range(20)])

    kept = np.mean([mean_objective(learn(islands, seed)) for seed in range(5)])
    deleted = np.mean([mean_objective(learn(islands, seed, deletion_share=0.1, max_trials=160)) for seed in range(5)])
    assert deleted > kept


def test_optimised_bits_are_worth_more_than_random_ones(shifted):
    train, target, _ = shifted
    weights = np.repeat([[0, 1], [1, 0]], 600, axis=0).astype(np.int64)

    def mean_objective(learner):
        bits = np.ascontiguousarray(learner.transform(np.concatenate([train, target])).T)
        rng = np.random.default_rng(0)
        return current_objectives(bits, weights, n_log_n(1200), 6, TermWeights(), rng).mean()

    optimised = [mean_objective(learn(shifted, seed)) for seed in range(5)]
    by_chance = [mean_objective(learn(shifted, seed, split="random", sampling="global")) for seed in range(5)]
    assert np.mean(optimised) > np.mean(by_chance) + 0.02
    assert all(a > b for a, b in zip(optimised, by_chance, strict=True))


def test_views_are_drawn_evenly(structures):
    kernel = {"path": path_kernel(), "between": path_kernel(), "descriptors": VectorKernel("laplace", scaling="standard")}
    learner = short_fit(structures, kernel=kernel, n_bits=60)
    drawn = Counter(step.view for step in learner.trace_)
    assert set(drawn) == {"path", "between", "descriptors"}
    assert min(drawn.values()) > 0.2 * drawn.total()
    assert learner.transform(structures[:5]).shape == (5, 60)


def test_each_function_chooses_among_kernels(paths):
    offered = [path_kernel(gap_decay=0.3), path_kernel(gap_decay=1.0, max_length=2)]
    learner = short_fit(paths, kernel=offered)
    assert {step.kernel for step in learner.trace_} == {0, 1}
    alone = short_fit(paths, kernel=offered[:1])
    assert learner.trace_[0].objective >= alone.trace_[0].objective


def test_a_bit_that_cuts_nothing_is_not_accepted_while_trials_are_left(shifted):
    """Every point is similar to any other here, so the bit of a single reference is 1 for all of them and tells nothing."""
    train, target, _ = shifted
    learner = HashcodeLearner(
        12, n_references=(1, 3), kernel=PlainKernel(5e-4), n_cluster_bits=3, deletion_share=0.0, max_trials=60, random_state=0
    ).fit(train, target=target)
    bits = learner.transform(np.concatenate([train, target]))
    assert not (bits == bits[0]).all(axis=0).any()
    refused = [step for step in learner.trace_ if not step.accepted]
    assert refused
    assert {step.n_references for step in refused} == {1}


def test_a_constant_bit_is_accepted_only_once_the_code_would_be_too_short_without_it(shifted):
    """All trials cut nothing here. Four bits in six trials: the first two may be refused, not one more."""
    train, target, _ = shifted
    learner = HashcodeLearner(4, n_references=1, kernel=PlainKernel(5e-4), max_trials=6, random_state=0)
    assert learner.fit(train, target=target).transform(train).shape == (600, 4)
    assert [step.accepted for step in learner.trace_] == [False, False, True, True, True, True]


@pytest.mark.parametrize("seed", range(6))
def test_deletion_never_leaves_room_for_a_constant_bit_only(shifted, seed):
    """Half of the trials cut nothing, and deletion may use up those that are left. What it gave up then comes back."""
    train, target, _ = shifted
    learner = HashcodeLearner(
        12,
        n_references=(1, 3),
        kernel=PlainKernel(5e-4),
        n_cluster_bits=3,
        deletion_share=0.5,
        max_trials=26,
        random_state=seed,
    )
    own, other = learner.fit_hash(train, target=target)
    bits = np.concatenate([own, other])
    assert bits.shape == (1200, 12)
    assert np.array_equal(bits, learner.transform(np.concatenate([train, target])))
    steps = learner.trace_
    restored = [step for step in steps if step.restored is not None]
    assert all(not step.accepted for step in restored)
    # constant bits are those of trials that were accepted though they cut nothing, and then nothing was there to come back
    constant = int((bits == bits[0]).all(axis=0).sum())
    cutting = sum(step.accepted and step.n_references == 3 for step in steps)
    assert constant == max(0, 12 - cutting)
    assert sum(step.accepted for step in steps) - sum(step.deleted_at is not None for step in steps) == 12


def test_latent_factors_are_fitted_again_once_there_are_enough_new_bits(shifted, monkeypatch):
    """With three factors: as soon as there are two bits, and then after every third."""
    train, target, _ = shifted
    fitted = []
    original = Table.latent_clusters

    def spied(self, n_factors, rng, *, anew):
        fitted.append((len(self.bits), anew))
        return original(self, n_factors, rng, anew=anew)

    monkeypatch.setattr(Table, "latent_clusters", spied)
    HashcodeLearner(12, n_cluster_bits=3, redundancy="correlation", deletion_share=0.0, random_state=0).fit(
        train, target=target
    )
    assert [number for number, anew in fitted if anew] == [2, 5, 8, 11]
