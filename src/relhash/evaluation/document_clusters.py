"""Documents of one corpus in groups that are about the same things.

A group held out differs from the rest of its corpus as another corpus would, and its labels were made by the same people: what
carries over to it can be found out without a look at the corpus that a table reports on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError

_N_DIRECTIONS = 30


def document_clusters(texts: Sequence[str], n_clusters: int = 4) -> NDArray[np.int64]:
    """The cluster of each text: k-means of its words' leading directions (tf-idf; words of many texts say nothing).

    >>> texts = ["wheat rice rye", "rice rye oats", "rye oats wheat", "steel iron zinc", "iron zinc tin", "zinc tin steel"]
    >>> clusters = document_clusters(texts, 2)
    >>> len(set(clusters[:3])), len(set(clusters[3:])), bool(clusters[0] != clusters[3])
    (1, 1, True)
    """
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    if not 2 <= n_clusters <= len(texts):
        raise ParameterError(f"clusters of documents: {len(texts)} documents cannot be put into {n_clusters}")
    rare = 3 if len(texts) > 50 else 1
    words = TfidfVectorizer(min_df=rare, max_df=0.3 if len(texts) > 50 else 0.9, sublinear_tf=True).fit_transform(texts)
    n_directions = min(_N_DIRECTIONS, min(words.shape) - 1)
    directions = normalize(TruncatedSVD(max(1, n_directions), random_state=0).fit_transform(words))
    return np.asarray(KMeans(n_clusters, n_init=10, random_state=0).fit_predict(directions), np.int64)
