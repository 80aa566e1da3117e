"""What the networks compute, against torch's own layers and plain definitions, element by element."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.errors import ParameterError
from relhash.hashing.neural.network import Architecture, Sequences, decisions


def random_sequences(rng, n=30, n_tokens=12, width=5, longest=9) -> Sequences:
    lengths = rng.integers(0, longest + 1, n)
    tokens = rng.integers(0, n_tokens, lengths.sum()).astype(np.int32)
    vectors = rng.normal(size=(n_tokens, width)).astype(np.float32)
    return Sequences(vectors, tokens, np.concatenate([[0], np.cumsum(lengths)]))


def random_weights(architecture, rng, n=3):
    return np.stack([architecture.initial(rng) + rng.normal(0, 0.5, architecture.size).astype(np.float32) for _ in range(n)])


def sequence(sequences, number):
    return sequences.vectors[sequences.tokens[sequences.offsets[number] : sequences.offsets[number + 1]]].astype(np.float64)


@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_lstm_equals_that_of_torch(n_layers):
    torch = pytest.importorskip("torch", reason="needs the extra neural")
    rng = np.random.default_rng(n_layers)
    units = 4
    sequences, architecture = random_sequences(rng), Architecture(5, units, n_layers)
    (weights,) = random_weights(architecture, rng, 1)
    named = {name: values[0] for name, values in architecture.named(weights[None]).items()}
    theirs = torch.nn.LSTM(5, units, n_layers)
    order = np.concatenate(
        [np.arange(units) + units * gate for gate in (0, 1, 3, 2)]
    )  # torch: input, forget, candidate, output
    with torch.no_grad():
        for layer in range(n_layers):
            taken = named["input"] if layer == 0 else named["between"][layer - 1]
            getattr(theirs, f"weight_ih_l{layer}").copy_(torch.from_numpy(taken.T[order].copy()))
            getattr(theirs, f"weight_hh_l{layer}").copy_(torch.from_numpy(named["recurrent"][layer].T[order].copy()))
            getattr(theirs, f"bias_ih_l{layer}").copy_(torch.from_numpy(named["bias"][layer][order].copy()))
            getattr(theirs, f"bias_hh_l{layer}").zero_()
        (found,) = decisions(architecture, weights[None], sequences)
        for number in range(len(sequences)):
            X = torch.from_numpy(sequence(sequences, number).astype(np.float32))
            last = theirs(X[:, None])[1][0][-1, 0].numpy() if len(X) else np.zeros(units)
            assert found[number] == pytest.approx(float(last @ named["output"] + named["intercept"][0]), abs=2e-4)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), n_jobs=st.sampled_from([1, 2]))
def test_a_decision_does_not_depend_on_company_or_threads(seed, n_jobs):
    rng = np.random.default_rng(seed)
    sequences, architecture = random_sequences(rng), Architecture(5)
    weights = random_weights(architecture, rng)
    together = decisions(architecture, weights, sequences, n_jobs)
    assert np.isfinite(together).all()
    number, network = int(rng.integers(len(sequences))), int(rng.integers(len(weights)))
    own = sequences.tokens[sequences.offsets[number] : sequences.offsets[number + 1]]
    alone = Sequences(sequences.vectors, own, np.array([0, own.size]))
    assert decisions(architecture, weights[[network]], alone)[0, 0] == together[network, number]


def test_weights_by_name_and_back():
    architecture = Architecture(7, units=3, layers=2)
    weights = random_weights(architecture, np.random.default_rng(0))
    named = architecture.named(weights)
    assert {name: values.shape[1:] for name, values in named.items()} == architecture.shapes
    assert (architecture.flat(named) == weights).all()
    assert Architecture.of_size(architecture.size, 3, 2) == architecture
    with pytest.raises(ParameterError, match="weights"):
        Architecture.of_size(architecture.size + 1, 3, 2)
