"""Past one machine: the same predictions and the same hash functions on a Dask cluster (extra ``scale``).

:mod:`relhash.scale.prediction` reads text in partitions and writes a partitioned Parquet dataset; it can be stopped and started
again. :mod:`relhash.scale.population` lets :class:`~relhash.hashing.HashcodeLearner` learn from candidates that lie in parts on
many machines. Results are those of one process, to the last bit, for any number of workers and partitions.

:mod:`relhash.scale.similar` and :mod:`relhash.scale.code_overview` take a table of codes as an index; they need no cluster.
"""
