"""Which type a relation has, once it is one: multinomial regression that learns from three rows per type.

With few rows features of single words tell little: *suppressed* has not been seen, *inhibited* has. So the words on the path
between the two names enter as word vectors, beside the features as a correction sees them
(:class:`~relhash.learn.correction.Look`). A type that the labels have only between some kinds of entities is not given to
others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from relhash.codec import pack_strings, prefixed, under, unpack_strings
from relhash.errors import ModelFileError
from relhash.kernels import bundled_vectors
from relhash.learn.correction import PRIOR
from relhash.learn.look import Look

Floats = NDArray[np.float64]
Kind = tuple[str, ...]
"""The classes of the entities of a candidate."""

C = 3.0
"""Inverse strength of the regularisation."""
FEW = 3
"""Rows of a type below which it is said that the type is hardly known."""
_STOP = frozenset(
    ("the", "a", "an", "of", "in", "to", "and", "or", "by", "with", "for", "on", "at", "is", "are", "was", "were", "be", "been")
)
"""Words that stand in any sentence."""


class RelationTypes:
    """The types of the training relations; with one type there is nothing to decide.

    Attributes
    ----------
    names
        The types, the commonest first.
    weights
        One row per type: of the columns as they are seen, of the vector of the path, and an intercept.
    look
        How features are seen; ``None`` for models of earlier versions, which saw them as they are and no paths.
    kinds
        Of each type, the kinds of candidates that had it.
    """

    def __init__(
        self,
        names: Sequence[str],
        weights: Floats | None = None,
        look: Look | None = None,
        kinds: Sequence[frozenset[Kind]] = (),
    ) -> None:
        self.names, self.weights, self.look, self.kinds = tuple(names), weights, look, tuple(kinds)

    @classmethod
    def fit(
        cls,
        X: Any,
        types: Sequence[Sequence[str]],
        columns: Mapping[str, slice],
        paths: Sequence[Sequence[str]],
        kinds: Sequence[Kind],
        background: Any = None,
    ) -> RelationTypes:
        """Learn from the positive candidates.

        Parameters
        ----------
        X, columns
            Their features, and the columns of each part.
        types
            The gold types of each; a candidate may have several.
        paths, kinds
            The words on the path of each, and the classes of its entities.
        background
            Features of more text like it, for the look at features.
        """
        named = [(row, name) for row, of_candidate in enumerate(types) for name in sorted(set(of_candidate))]
        counts: dict[str, int] = {}
        for _, name in named:
            counts[name] = counts.get(name, 0) + 1
        names = sorted(counts, key=lambda name: (-counts[name], name)) or ["relation"]
        if len(names) < 2:
            return cls(names)
        from sklearn.linear_model import LogisticRegression

        rows = np.array([row for row, _ in named])
        own = {name: part for name, part in columns.items() if name != PRIOR}
        look = Look.at(X if background is None else background, own)
        seen = _table(look, X, paths)[rows]
        model = LogisticRegression(C=C, class_weight="balanced", max_iter=500)
        model.fit(seen, [names.index(name) for _, name in named])
        weights = np.column_stack([model.coef_, model.intercept_])
        if len(names) == 2:  # scikit-learn has one row for two classes
            weights = np.vstack([-weights, weights]) / 2
        of_type = [frozenset(kinds[row] for row, own in named if own == name) for name in names]
        return cls(names, weights, look, of_type)

    @property
    def needs_paths(self) -> bool:
        """Whether :meth:`predict` looks at the words on the path."""
        return self.weights is not None and self.look is not None

    def predict(self, X: Any, paths: Sequence[Sequence[str]] = (), kinds: Sequence[Kind] = ()) -> tuple[list[str], Floats]:
        """The most likely type of each row, and how probable it is that a relation there is of this type."""
        if self.weights is None:
            return [self.names[0]] * X.shape[0], np.ones(X.shape[0])
        seen = sparse.csr_matrix(X, dtype=np.float64) if self.look is None else _table(self.look, X, paths)
        votes = np.asarray(seen @ self.weights[:, :-1].T) + self.weights[:, -1]
        for row, kind in enumerate(kinds if self.kinds else ()):
            fits = np.array([kind in own for own in self.kinds])
            if fits.any():
                votes[row, ~fits] = -np.inf
        shares = special.softmax(votes, axis=1)
        best = votes.argmax(axis=1)
        return [self.names[one] for one in best], shares[np.arange(best.size), best]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {"names": pack_strings(self.names)}
        if self.weights is None or self.look is None:
            return arrays
        arrays["weights"] = self.weights
        arrays["kinds"] = pack_strings([";".join("/".join(kind) for kind in sorted(own)) for own in self.kinds])
        return arrays | prefixed("look.", self.look.to_arrays())

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> RelationTypes:
        if "names" not in arrays:
            raise ModelFileError("relation types: their names are missing")
        names = unpack_strings(arrays["names"])
        if not names:
            raise ModelFileError("relation types: there are none")
        try:
            if "0.weights" in arrays:  # one classifier per type, as versions up to 0.2 wrote it
                rows = [np.append(arrays[f"{i}.weights"], arrays[f"{i}.intercept"]) for i in range(len(names))]
                return cls(names, np.array(rows))
            if "weights" not in arrays:
                return cls(names[:1])
            kinds = [frozenset(tuple(one.split("/")) for one in own.split(";")) for own in unpack_strings(arrays["kinds"])]
            weights, look = np.asarray(arrays["weights"], np.float64), Look.from_arrays(under(arrays, "look."))
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"relation types: their arrays do not fit together ({error})") from error
        if weights.ndim != 2 or len(weights) != len(names) != len(kinds) or not np.isfinite(weights).all():
            raise ModelFileError("relation types: their weights make no sense")
        return cls(names, weights, look, kinds)


def _table(look: Look, X: Any, paths: Sequence[Sequence[str]]) -> sparse.csr_matrix:
    """Features as they are seen, and the mean vector of the words on each path."""
    rows = look(X)
    vectors = np.array([path_vector(path) for path in paths]).reshape(X.shape[0], -1)
    return sparse.csr_matrix(sparse.hstack([sparse.csr_matrix(rows.dense), rows.grams, sparse.csr_matrix(vectors)]))


def path_vector(path: Sequence[str]) -> Floats:
    """The direction of the sum of the words on a path, symbols and little words left out.

    >>> float(path_vector(["<e1>", "inhibits", "<e2>"]) @ path_vector(["<e1>", "suppresses", "the", "<e2>"])) > 0.5
    True
    """
    total = sum((_vector(word) for word in path if word not in _STOP), np.zeros(_vector("").size))
    length = float(np.linalg.norm(total))
    return total / length if length else total


@lru_cache(20_000)
def _vector(word: str) -> Floats:
    vectors = bundled_vectors()
    found = vectors.vector(word) if word and word[0].isalpha() else None
    if found is None:
        return np.zeros(vectors.dimensions)
    return np.asarray(found, np.float64) / (float(np.linalg.norm(found)) or 1.0)
