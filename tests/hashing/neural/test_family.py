"""Networks as hash functions: the same contract as the other families, and what is their own."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from relhash.candidates.paths import PathSet
from relhash.candidates.structure_set import StructureSet
from relhash.errors import DataMissingError, ModelFileError, ParameterError
from relhash.hashing import HashcodeLearner
from relhash.hashing.neural.family import NeuralFamily
from relhash.hashing.neural.network import Architecture
from relhash.hashing.splits import all_splits, sampled_splits
from relhash.kernels import PathKernel, WordSimilarity, WordVectors
from tests.hashing.array_kernel import PlainKernel
from tests.hashing.function_contract import CORNERS, HashFunctionContract

torch = pytest.importorskip("torch", reason="needs the extra neural")

LONGER = {"epochs": 40, "learning_rate": 0.1, "weight_decay": 0.001}
"""Opposite corners of a square (XOR) ask more of a network than a few paths do."""
WORDS = ["<E1>", "<E2>", "nsubj>", "binds", "inhibits", "of", "with", "complex", "not"]


class TestChosenByTheKernel(HashFunctionContract):
    def make_family(self):
        return NeuralFamily(**LONGER)


class TestChosenByNetworks(HashFunctionContract):
    def make_family(self):
        return NeuralFamily(choose="networks", **LONGER)


@pytest.fixture(scope="module")
def paths() -> PathSet:
    rng = np.random.default_rng(1)
    return PathSet.from_sequences([[WORDS[i] for i in rng.integers(0, 9, rng.integers(0, 8))] for _ in range(150)])


@pytest.fixture(scope="module")
def kernel() -> PathKernel:
    words = [word for word in WORDS if word.isalpha()]
    return PathKernel(WordSimilarity.from_vectors(WordVectors(words, np.random.default_rng(0).normal(size=(len(words), 10)))))


def learn(paths, kernel, **parameters):
    network = {"epochs": 5, **parameters.pop("network", {})}
    defaults = {"n_bits": 8, "n_cluster_bits": 4, "hash_function": "neural", "network": network, "random_state": 3}
    return HashcodeLearner(**(defaults | parameters), kernel=kernel).fit(paths[:90], target=paths[90:])


class TestBits:
    def test_depend_on_nothing_but_the_point(self, paths, kernel):
        learner = learn(paths, kernel)
        bits = learner.transform(paths)
        assert 0 < bits.mean() < 1
        order = np.random.default_rng(0).permutation(len(paths))
        assert (learner.transform(paths[order]) == bits[order]).all()
        assert (np.concatenate([learner.transform(paths[i : i + 1]) for i in range(30)]) == bits[:30]).all()
        in_other_company = PathSet.from_sequences([["some", "new", "words", "<E9>"], *paths[:20]], vocabulary=["unseen>"])
        assert (learner.transform(in_other_company)[1:] == bits[:20]).all()

    def test_same_seed_same_bits_for_any_number_of_threads(self, paths, kernel):
        expected = learn(paths, kernel).transform(paths)
        n_threads = torch.get_num_threads()
        try:
            for n_jobs in (1, 2):
                torch.set_num_threads(n_jobs)
                learner = learn(paths, kernel, n_jobs=n_jobs)
                assert (learner.transform(paths) == expected).all()
                assert torch.get_num_threads() == n_jobs
        finally:
            torch.set_num_threads(n_threads)

    def test_empty_sequence_gets_zero(self, paths, kernel):
        assert not learn(paths, kernel).transform(PathSet.from_sequences([[], []])).any()

    def test_come_back_from_arrays(self, paths, kernel):
        learner = learn(paths, kernel)
        again = HashcodeLearner.from_arrays(learner.to_arrays(), learner.kernels_)
        assert (again.transform(paths) == learner.transform(paths)).all()


def test_opposite_split_gives_the_opposite_network():
    rng = np.random.default_rng(0)
    crowd = np.concatenate([CORNERS, rng.normal(2, 2, (100, 2))])
    bound = PlainKernel(gamma=0.2).bind(crowd)
    ids = bound.rows[:4].astype(np.int64)
    for split in all_splits(4):
        one, other = (NeuralFamily(epochs=3).respond(bound, ids).settled().bits(z) for z in (split, 1 - split))
        assert (one == 1 - other).all()


class TestSplits:
    def test_all_networks_of_a_trial_are_fitted_together(self, paths, kernel, monkeypatch):
        calls = []
        original = NeuralFamily.fit

        def counted(self, architecture, start, vectors, lengths, splits):
            calls.append(len(splits))
            return original(self, architecture, start, vectors, lengths, splits)

        monkeypatch.setattr(NeuralFamily, "fit", counted)
        together = {"n_references": 4, "deletion_share": 0.0, "network": {"choose": "networks"}}
        learn(paths, kernel, **together)
        assert calls == [7] * 8
        calls.clear()
        learn(paths, kernel, **{**together, "n_references": 12})
        assert len(calls) == 8
        assert max(calls) <= 32
        calls.clear()
        learn(paths, kernel, n_references=12, deletion_share=0.0)  # chosen by the kernel: only the winner
        assert calls == [1] * 8

    def test_objective_is_that_of_the_networks(self, paths, kernel):
        """With choose="kernel" too: the trace tells of the bits that are used, not of those that chose the split."""
        learner = learn(paths, kernel, n_bits=1, deletion_share=0.0)
        bit = learner.transform(paths)[:, 0]
        counts = np.array([((bit == c) & ((np.arange(150) < 90) == x)).sum() for c in (0, 1) for x in (0, 1)]) / 150
        expected = -(counts[counts > 0] * np.log(counts[counts > 0])).sum()
        assert learner.trace_[0].joint_entropy == pytest.approx(expected)

    def test_sampled_splits_are_different_and_canonical(self):
        splits = sampled_splits(12, np.random.default_rng(0))
        assert len(np.unique(splits, axis=0)) == len(splits) <= 32
        assert not splits[:, 0].any()
        assert splits.any(axis=1).all()
        assert (sampled_splits(4, np.random.default_rng(0)) == all_splits(4)).all()


def test_several_views(paths, kernel):
    X = StructureSet({"path": paths, "table": np.random.default_rng(0).normal(size=(150, 3)) * [1, 10, 100]})
    network, kernels = {"epochs": 5}, {"path": kernel, "table": "rbf"}
    learner = HashcodeLearner(12, hash_function="neural", network=network, kernel=kernels, random_state=0)
    features = learner.fit(X[:90], target=X[90:]).transform(X)
    assert {function.view for function in learner.functions_} == {"path", "table"}
    assert (features[:9] == learner.transform(X[:9])).all()


@pytest.mark.parametrize(
    "network",
    [
        {"encoder": "gru"},
        {"units": 0},
        {"epochs": 0},
        {"learning_rate": 0.0},
        {"weight_decay": -1.0},
        {"choose": "best"},
        {"n": 1},
    ],
    ids=str,
)
def test_bad_parameters(paths, kernel, network):
    with pytest.raises(ParameterError, match=next(iter(network))):
        learn(paths, kernel, network=network)


def test_without_torch_the_error_names_the_extra(paths, kernel, monkeypatch):
    learner = learn(paths, kernel)
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "relhash.hashing.neural.fitting")
    with pytest.raises(DataMissingError, match=r"relhash\[neural\]"):
        learn(paths, kernel)
    assert learner.transform(paths).shape == (150, 8)  # hashing needs no torch


class TestStorage:
    """Networks are plain numbers of single precision among the other arrays, and nothing is believed that does not add up."""

    @pytest.fixture(scope="class")
    @classmethod
    def learner(cls, paths, kernel):
        return learn(paths, kernel)

    def test_weights_are_stored_as_they_are(self, learner):
        arrays = learner.to_arrays()
        size = Architecture(width=10).size
        assert arrays["family.parameters"].dtype == np.float32
        assert arrays["family.n_parameters"].tolist() == [size] * 8
        weights = np.concatenate([function.weights for function in learner.functions_])
        assert (arrays["family.parameters"] == weights).all()

    def test_all_settings_come_back(self, learner):
        again = HashcodeLearner.from_arrays(learner.to_arrays(), learner.kernels_)
        assert again.family_.settings == learner.family_.settings == NeuralFamily(epochs=5).settings

    def test_several_views_and_kernels_of_different_width(self, paths, kernel):
        X = StructureSet({"path": paths, "table": np.random.default_rng(0).normal(size=(150, 3))})
        offered = {"path": [kernel, PathKernel(WordSimilarity())], "table": "rbf"}
        network = {"units": 5, "epochs": 3}
        learner = HashcodeLearner(16, hash_function="neural", network=network, kernel=offered, random_state=0).fit(X)
        widths = {function.architecture.width for function in learner.functions_}
        assert widths == {3, 10, 32}
        again = HashcodeLearner.from_arrays(learner.to_arrays(), learner.kernels_)
        assert (again.codes(X) == learner.codes(X)).all()

    def test_hashes_without_torch(self, tmp_path):
        X = np.random.default_rng(0).normal(size=(60, 3))
        network = {"epochs": 3}
        learner = HashcodeLearner(6, hash_function="neural", network=network, kernel="cosine", random_state=0).fit(X)
        np.savez(tmp_path / "code.npz", **learner.to_arrays())
        program = (
            "import sys\n"
            "class NoTorch:\n"
            "    def find_spec(name, path=None, target=None):\n"
            "        if name.split('.')[0] == 'torch': raise ImportError(name)\n"
            "sys.meta_path.insert(0, NoTorch)\n"
            "import numpy as np\n"
            "from relhash.hashing import HashcodeLearner; from relhash.kernels import VectorKernel\n"
            "X = np.random.default_rng(0).normal(size=(60, 3))\n"
            "learner = HashcodeLearner.from_arrays(dict(np.load(sys.argv[1])), {'': [VectorKernel('cosine')]})\n"
            "print(learner.codes(X)[:, 0].tolist())"
        )
        command = [sys.executable, "-c", program, str(tmp_path / "code.npz")]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert printed.strip() == str(learner.codes(X)[:, 0].tolist())

    @pytest.mark.parametrize(
        "change",
        [
            lambda arrays: arrays.pop("family.parameters"),
            lambda arrays: arrays.update({"family.parameters": arrays["family.parameters"][:-1]}),
            lambda arrays: arrays.update({"family.parameters": np.full_like(arrays["family.parameters"], np.nan)}),
            lambda arrays: arrays.update({"family.parameters": arrays["family.parameters"].astype(np.float64)}),
            lambda arrays: arrays.update({"family.parameters": arrays["family.parameters"].reshape(8, -1)}),
            lambda arrays: arrays.update({"family.n_parameters": arrays["family.n_parameters"][:-1]}),
            lambda arrays: arrays.update({"family.n_parameters": shifted(arrays["family.n_parameters"], 1)}),
            # one network more, one less wide: each alone is possible, together they cannot read the same vectors
            lambda arrays: arrays.update({"family.n_parameters": shifted(arrays["family.n_parameters"], 32)}),
        ],
        ids=["missing", "a number short", "not numbers", "doubles", "a table", "a network short", "torn", "of two widths"],
    )
    def test_numbers_that_do_not_fit(self, learner, change):
        arrays = learner.to_arrays()
        change(arrays)
        with pytest.raises(ModelFileError, match="stored hash functions"):
            HashcodeLearner.from_arrays(arrays, learner.kernels_)

    def test_vectors_of_another_length_are_refused(self, learner, paths):
        again = HashcodeLearner.from_arrays(learner.to_arrays(), {"": [PathKernel(WordSimilarity())]})
        with pytest.raises(ParameterError, match="vectors of length 10, not of 32"):
            again.transform(paths)


def shifted(sizes: np.ndarray, by: int) -> np.ndarray:
    return sizes + by * np.array([1, -1, *[0] * (len(sizes) - 2)])
