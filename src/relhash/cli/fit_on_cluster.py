"""Where ``relhash fit`` does its long work: here, or with ``--engine dask`` on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from relhash.cli.options import EngineName

if TYPE_CHECKING:
    from relhash.models import RelationExtractor
    from relhash.scale.fitting import ClusterEngine


@contextmanager
def engine_for(
    model: RelationExtractor, engine: EngineName, scheduler: str | None, workers: int | None, partition_size: int
) -> Iterator[ClusterEngine | None]:
    """The cluster, as long as the block lasts; what it cannot learn is refused before it is there."""
    if engine is EngineName.LOCAL:
        yield None
        return
    from relhash.scale.cluster import cluster
    from relhash.scale.fitting import ClusterEngine, check_settings

    if model.codes is None:
        check_settings(model.settings)
    with cluster(scheduler, workers) as client:
        yield ClusterEngine(client, partition_size=partition_size)
