"""Naming the type of a pair that is related: multinomial regression on features and on the words of the path."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from relhash.codec import pack_strings
from relhash.errors import ModelFileError
from relhash.learn.relation_types import RelationTypes

KINDS = ["binding", "inhibition", "activation"]
COLUMNS = {"bits": slice(0, 20)}
PROTEINS = ("protein", "protein")
WORDS = {"binding": ["binds", "interacts", "associates"], "inhibition": ["inhibits", "suppresses", "blocks"],
         "activation": ["activates", "stimulates", "activate"]}  # fmt: skip


def examples(n: int = 60) -> tuple[sparse.csr_matrix, list[list[str]], list[list[str]]]:
    """Codes whose first three bits say the type, the others nothing; paths without words."""
    rng = np.random.default_rng(0)
    types = [KINDS[number % 3] for number in range(n)]
    bits = rng.integers(0, 2, (n, 20))
    bits[:, :3] = np.array([[kind == name for name in KINDS] for kind in types])
    return sparse.csr_matrix(bits, dtype=float), [[kind] for kind in types], [["<e1>", "<e2>"]] * n


def learned_from(X, types, paths, kinds=None) -> RelationTypes:
    return RelationTypes.fit(X, types, COLUMNS, paths, kinds or [PROTEINS] * len(types))


def test_each_candidate_gets_its_type() -> None:
    learned = learned_from(*examples())
    assert set(learned.names) == set(KINDS)
    new, expected, paths = examples(33)
    names, shares = learned.predict(new, paths, [PROTEINS] * 33)
    assert names == [kind for (kind,) in expected]
    assert (shares > 1 / 3).all()


def test_a_candidate_of_two_types_teaches_both() -> None:
    X, types, paths = examples()
    both = [[*own, "binding"] if own == ["activation"] else own for own in types]
    learned = learned_from(X, both, paths)
    assert learned.names[0] == "binding"  # the commonest first
    assert set(learned.predict(X[[1, 4]], paths[:2], [PROTEINS] * 2)[0]) == {"inhibition"}


def test_one_row_of_a_type_teaches_words_that_mean_the_same() -> None:
    """Below ten rows per type every relation got the commonest type, without a word: "Aspirin inhibits" was activation."""
    nothing = sparse.csr_matrix((3, 20))
    learned = learned_from(nothing, [[kind] for kind in KINDS], [["<e1>", WORDS[kind][0], "<e2>"] for kind in KINDS])
    for kind in KINDS:
        names, _ = learned.predict(nothing[:2], [["<e1>", word, "the", "<e2>"] for word in WORDS[kind][1:]], [PROTEINS] * 2)
        assert names == [kind, kind]


def test_a_type_is_not_given_to_entities_that_never_had_it() -> None:
    X, types, paths = examples(6)
    kinds = [("chemical", "protein") if own == ["inhibition"] else PROTEINS for own in types]
    learned = learned_from(X, types, paths, kinds)
    names, shares = learned.predict(X, paths, [PROTEINS] * 6)
    assert "inhibition" not in names
    assert learned.predict(X, paths, [("cell", "cell")] * 6)[0] == [own for (own,) in types]  # nothing fits: all may
    assert np.isfinite(shares).all()


def test_with_one_type_there_is_nothing_to_decide() -> None:
    X, _, paths = examples(4)
    learned = learned_from(X, [["cleavage"]] * 4, paths)
    assert not learned.needs_paths
    assert learned.predict(X)[0] == ["cleavage"] * 4


def test_types_survive_a_model_file() -> None:
    X, types, paths = examples()
    learned = learned_from(X, types, paths)
    again = RelationTypes.from_arrays(learned.to_arrays())
    assert again.predict(X, paths, [PROTEINS] * 60)[0] == learned.predict(X, paths, [PROTEINS] * 60)[0]
    for change in ({"names": None}, {"weights": np.zeros(3)}, {"kinds": None}):
        arrays = {name: one for name, one in {**learned.to_arrays(), **change}.items() if one is not None}
        with pytest.raises(ModelFileError):
            RelationTypes.from_arrays(arrays)


def test_types_of_the_last_release_are_read() -> None:
    arrays = {"names": pack_strings(["a", "b"])}
    for number, weights in enumerate(np.eye(2)):
        arrays |= {f"{number}.weights": weights, f"{number}.intercept": np.array(0.0)}
    assert RelationTypes.from_arrays(arrays).predict(np.eye(2))[0] == ["a", "b"]
