"""Past one machine: the same predictions and the same hash functions on a Dask cluster (extra ``scale``).

:mod:`relhash.scale.dataset` and :mod:`relhash.scale.dataset` read text in partitions and write a dataset or an index; they
can be stopped and started again, and an index needs no cluster. :mod:`relhash.scale.fitting` is where a fit parses, builds
structures and learns; :mod:`relhash.scale.population` lets :class:`~relhash.hashing.HashcodeLearner` learn from candidates in
parts on many machines. Results are those of one process, to the last bit, for any number of workers and partitions.
"""
