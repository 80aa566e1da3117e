"""Networks as hash functions: the wing that needs torch to learn (extra ``neural``), and only numpy and Numba to hash.

Public: :class:`NeuralFamily`, which ``HashcodeLearner(hash_function="neural")`` finds by its name. Everything else of this wing
is its own business, and nothing outside imports it before a network is asked for.
"""

from relhash.hashing.neural.family import NeuralFamily

__all__ = ["NeuralFamily"]
