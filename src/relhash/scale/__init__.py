"""Past one machine: the same predictions and the same index on a Dask cluster (extra ``scale``), for any number of workers."""
