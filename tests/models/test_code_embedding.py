from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from relhash.errors import ModelFileError
from relhash.models.code_embedding import CodeEmbedding


def one_hot(codes: np.ndarray, n_references: int) -> sparse.csr_matrix:
    n, n_sets = codes.shape
    columns = (np.arange(n_sets) * n_references + codes).ravel()
    return sparse.csr_matrix((np.ones(codes.size), columns, np.arange(n + 1) * n_sets), (n, n_sets * n_references))


def two_kinds(n: int, seed: int) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Codes of two kinds of candidates: each has its favourite references."""
    rng = np.random.default_rng(seed)
    kind = rng.random(n) < 0.5
    codes = np.where(rng.random((n, 30)) < 0.6, np.where(kind[:, None], 0, 1), rng.integers(0, 4, (n, 30)))
    return one_hot(codes, 4), kind


def test_directions_tell_kinds_apart_without_labels():
    codes, kind = two_kinds(400, 0)
    embedded = CodeEmbedding(4).fit(codes).transform(codes)
    correlations = [abs(np.corrcoef(column, kind)[0, 1]) for column in embedded.T]
    assert max(correlations) > 0.9


def test_equals_a_plain_decomposition():
    codes, _ = two_kinds(300, 1)
    embedding = CodeEmbedding(5).fit(codes)
    plain = np.linalg.svd(codes.toarray(), full_matrices=False)[2][:5].T
    overlap = np.linalg.svd(plain.T @ embedding.directions_.astype(float))[1]
    assert overlap[0] == pytest.approx(1, abs=1e-3)
    strongest = abs(plain[:, :2].T @ embedding.directions_[:, :2].astype(float))
    np.testing.assert_allclose(np.diag(strongest), 1, atol=2e-2)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40))
def test_a_row_depends_on_nothing_else_and_survives_storage(seed, taken):
    codes, _ = two_kinds(60, seed)
    embedding = CodeEmbedding(8, random_state=seed).fit(codes)
    whole = embedding.transform(codes)
    np.testing.assert_array_equal(embedding.transform(codes[:taken]), whole[:taken])
    stored = CodeEmbedding.from_arrays(embedding.to_arrays(), codes.shape[1])
    np.testing.assert_array_equal(stored.transform(codes), whole)


def test_fewer_codes_than_directions():
    codes, _ = two_kinds(3, 0)
    assert CodeEmbedding(60).fit(codes).transform(codes).shape == (3, 3)


@pytest.mark.parametrize(
    "broken", [np.zeros((120, 4), np.float32), np.zeros((7, 4), np.float16), np.full((120, 4), np.nan, np.float16)]
)
def test_broken_arrays_are_refused(broken):
    with pytest.raises(ModelFileError):
        CodeEmbedding.from_arrays({"directions": broken}, 120)
