"""Similarity of relation structures: words, paths, and vectors.

>>> from relhash import PathSet
>>> from relhash.kernels import PathKernel, WordSimilarity
>>> kernel = PathKernel(WordSimilarity(["binds", "binding"], [[1.0, 0.7], [0.7, 1.0]]))
>>> X = PathSet.from_sequences([["<P>", "binds", "<P>"], ["<P>", "binding", "<P>"], ["<P>", "inhibits", "<P>"]])
>>> kernel.gram(X, X).round(2)
array([[1.  , 0.86, 0.54],
       [0.86, 1.  , 0.54],
       [0.54, 0.54, 1.  ]], dtype=float32)
"""

from relhash.kernels.bound import BoundKernel, Kernel, nearest_of
from relhash.kernels.path_kernel import PathKernel
from relhash.kernels.storage import KERNELS
from relhash.kernels.vector_kernels import VectorKernel
from relhash.kernels.word_vectors import SubwordVectors, WordVectors, bundled_vectors, load_vectors
from relhash.kernels.words import WordSimilarity

__all__ = [
    "KERNELS",
    "BoundKernel",
    "Kernel",
    "PathKernel",
    "SubwordVectors",
    "VectorKernel",
    "WordSimilarity",
    "WordVectors",
    "bundled_vectors",
    "load_vectors",
    "nearest_of",
]
