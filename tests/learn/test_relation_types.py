"""Naming the type of a pair that is related: one classifier a type, learned from the positive candidates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from relhash.errors import ModelFileError
from relhash.learn.relation_types import RelationTypes

KINDS = ["binding", "inhibition", "activation"]


def examples(n: int = 60) -> tuple[sparse.csr_matrix, list[list[str]]]:
    """Codes whose first three bits say the type, the others nothing."""
    rng = np.random.default_rng(0)
    types = [KINDS[number % 3] for number in range(n)]
    bits = rng.integers(0, 2, (n, 20))
    bits[:, :3] = np.array([[kind == name for name in KINDS] for kind in types])
    return sparse.csr_matrix(bits, dtype=float), [[kind] for kind in types]


def test_each_candidate_gets_its_type() -> None:
    X, types = examples()
    learned = RelationTypes.fit(X, types)
    assert set(learned.names) == set(KINDS)
    new, expected = examples(33)
    assert learned.predict(new) == [kind for (kind,) in expected]


def test_a_candidate_of_two_types_teaches_both() -> None:
    X, types = examples()
    both = [[*own, "binding"] if own == ["activation"] else own for own in types]
    learned = RelationTypes.fit(X, both)
    assert learned.names[0] == "binding"  # the commonest first
    assert set(learned.predict(X[[1, 4]])) == {"inhibition"}


def test_one_row_of_a_type_is_enough_to_learn_it() -> None:
    """Below ten rows per type every relation got the commonest type, without a word."""
    X, types = examples(3)
    learned = RelationTypes.fit(X, types)
    new, expected = examples(33)
    right = sum(own == kind for own, (kind,) in zip(learned.predict(new), expected, strict=True))
    assert right > 33 / 2
    assert RelationTypes.fit(X[:1], types[:1]).predict(X) == [types[0][0]] * 3  # nothing else is there


def test_types_survive_a_model_file() -> None:
    X, types = examples()
    learned = RelationTypes.fit(X, types)
    again = RelationTypes.from_arrays(learned.to_arrays())
    assert again.predict(X) == learned.predict(X)
    with pytest.raises(ModelFileError):
        RelationTypes.from_arrays({})
