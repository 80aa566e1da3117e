"""Networks as hash functions: the wing that needs torch to learn (extra ``neural``), and only numpy and Numba to hash."""
