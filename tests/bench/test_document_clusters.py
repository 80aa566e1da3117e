"""Documents about the same things end up together."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.protocols import document_clusters
from relhash.errors import ParameterError


def test_topics_are_found_and_the_same_every_time():
    topics = (["wheat", "rice", "rye", "oats", "barley"], ["steel", "iron", "zinc", "tin", "copper"])
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(topics[number % 2], 4)) for number in range(20)]
    clusters = document_clusters(texts, 2)
    assert len(set(clusters[::2])) == len(set(clusters[1::2])) == 1
    assert clusters[0] != clusters[1]
    np.testing.assert_array_equal(clusters, document_clusters(texts, 2))


@pytest.mark.parametrize("n_clusters", [1, 4])
def test_numbers_that_cannot_be_are_refused(n_clusters):
    with pytest.raises(ParameterError, match="3 documents"):
        document_clusters(["a b", "b c", "c d"], n_clusters)
