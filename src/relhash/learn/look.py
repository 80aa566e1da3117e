"""How a correction sees features: parts of comparable size, and how near two rows are as they are seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.codec import Arrays, pack_strings, unpack_strings

Floats = NDArray[np.float64]

BLOCKS = {"coordinates": 1.0, "descriptors": 0.5, "ngrams": 0.5, "encoder": 0.5}
"""Share of each feature part in the variance of the linear term; of other features, if none of these is there, all alike."""
WIDTH = 0.3
"""Two rows are near if the cosine of their features is this close to 1."""


@dataclass(frozen=True, eq=False)
class Look:
    """How a correction sees features: parts of comparable size, by statistics of a text that are kept from then on.

    Attributes
    ----------
    centre, scale
        Of each column that enters as it is (scale 0: it does not enter).
    idf
        Of each column of an n-gram: it counts by its rarity, and all of a row together have length 1.
    parts
        The columns of each part.
    """

    centre: Floats
    scale: Floats
    idf: Floats
    parts: Mapping[str, slice]

    @classmethod
    def at(cls, X: Any, columns: Mapping[str, slice]) -> Look:
        """The look at rows like these."""
        known = {name: part for name, part in columns.items() if name in BLOCKS}
        parts = known or dict(columns)
        centre, scale, idf = np.zeros(X.shape[1]), np.zeros(X.shape[1]), np.zeros(X.shape[1])
        for name, part in parts.items():
            if name == "ngrams":
                n_rows = np.asarray((X[:, part] != 0).sum(axis=0)).ravel()
                idf[part] = np.log((1 + X.shape[0]) / (1 + n_rows))
                continue
            rows = dense(X[:, part])
            spread = rows.std(axis=0)
            # a coordinate of little spread may tell as much as one of large spread, but a constant tells nothing
            weight = 1 / np.sqrt(np.maximum(spread, 1e-3 * max(spread.max(initial=0.0), 1e-9)))
            weight = weight if name == "coordinates" else np.ones(spread.size)
            centre[part] = rows.mean(axis=0)
            size = np.sqrt((((rows - centre[part]) * weight) ** 2).sum(axis=1).mean()) if rows.size else 0.0
            scale[part] = weight * (np.sqrt(BLOCKS.get(name, 1.0)) / size if size > 0 else 0.0)
        return cls(centre, scale, idf, parts)

    def __call__(self, X: Any) -> SeenRows:
        """The rows as they are seen."""
        tables = [part for name, part in self.parts.items() if name != "ngrams"]
        blocks = [(dense(X[:, part]) - self.centre[part]) * self.scale[part] for part in tables]
        table = np.hstack(blocks) if blocks else np.zeros((X.shape[0], 0))
        grams = sparse.csr_matrix((X.shape[0], 0))
        if "ngrams" in self.parts:
            part = self.parts["ngrams"]
            grams = sparse.csr_matrix(X[:, part] != 0, dtype=np.float64).multiply(self.idf[part]).tocsr()
            length = np.sqrt(np.asarray(grams.multiply(grams).sum(axis=1)).ravel())
            weight = np.sqrt(BLOCKS["ngrams"]) / np.where(length > 0, length, 1.0)
            grams = sparse.csr_matrix(sparse.diags(weight) @ grams)
        return SeenRows(table, grams)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything, for a model file."""
        return {
            "names": pack_strings(list(self.parts)),
            "parts": np.array([[part.start, part.stop] for part in self.parts.values()], np.int64).reshape(-1, 2),
            "columns": np.array([self.centre, self.scale, self.idf]),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Look:
        """The inverse of :meth:`to_arrays`."""
        places = np.asarray(arrays["parts"], np.int64).reshape(-1, 2).tolist()
        parts = {name: slice(*place) for name, place in zip(unpack_strings(arrays["names"]), places, strict=True)}
        centre, scale, idf = np.asarray(arrays["columns"], np.float64)
        if not np.isfinite([centre, scale, idf]).all():
            raise ValueError("the look at features is not made of numbers")
        return cls(centre, scale, idf, parts)


class SeenRows(NamedTuple):
    """Rows as a correction sees them: dense parts, and n-grams."""

    dense: Floats
    grams: sparse.csr_matrix

    def of(self, rows: Any) -> SeenRows:
        return SeenRows(self.dense[rows], self.grams[rows])

    def products(self, other: SeenRows) -> Floats:
        """Of each row with each row of the other."""
        return np.asarray(self.dense @ other.dense.T + (self.grams @ other.grams.T).toarray())

    @property
    def lengths(self) -> Floats:
        squared = (self.dense**2).sum(axis=1) + np.asarray(self.grams.multiply(self.grams).sum(axis=1)).ravel()
        return np.sqrt(np.maximum(squared, 1e-12))


def nearness(products: Floats, lengths: Floats, of_answers: Floats) -> Floats:
    """Between 0 and 1: 1 for rows with the same features."""
    return np.asarray(np.exp((products / lengths[:, None] / of_answers[None] - 1) / WIDTH))


def dense(X: Any) -> Floats:
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, np.float64)
