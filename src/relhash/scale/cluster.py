"""A Dask cluster to work on: one that is there already, or one on this machine whose workers do not fight for cores."""

from __future__ import annotations

import logging
import os
import platform
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import relhash
from relhash.errors import DataMissingError, ParameterError

if TYPE_CHECKING:
    from distributed import Client

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "NUMBA_NUM_THREADS")
ONE_THREAD = dict.fromkeys(_THREADS, "1")
"""Environment of a worker: it is one core's work, and threads inside it would fight for that core."""
PATIENCE = 10
"""Seconds to wait for a scheduler."""
PATIENCE_FOR_WORKERS = 120
"""Seconds to wait for the first worker: a batch system may take its time."""
SUSPICION = 3
"""Workers that a task may take with it before it is given up."""
LOST = "the Dask scheduler is gone, and with it the work that was under way; start the same command again: what is kept is kept"
_MEMORY = {f"distributed.worker.memory.{what}": False for what in ("target", "spill", "pause")}
"""Of workers here: a worker that waits for memory would wait for ever."""


def dask_setup(worker: object) -> None:
    """What a worker here does first, called by Dask: it leaves Ctrl-C, which a terminal sends to all, to the driver."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def cluster(scheduler: str | None = None, workers: int | None = None) -> Iterator[Client]:
    """A client of the cluster at ``scheduler`` (``tcp://host:8786``), or of one on this machine that ends with the block, of
    ``workers`` processes, by default one per core that this process may use."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise DataMissingError("--engine dask needs dask.distributed; pip install 'relhash[scale]'") from error
    quiet = {
        "distributed.nanny.pre-spawn-environ": {**dask.config.get("distributed.nanny.pre-spawn-environ", {}), **ONE_THREAD},
        "distributed.scheduler.allowed-failures": SUSPICION,
        "distributed.worker.profile.enabled": False,
        # the unused dashboard would cost more than small trials do
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.system-monitor.interval": "5s",
    }
    with _without_chatter(), dask.config.set(quiet):
        if scheduler is not None:
            if workers is not None:
                raise ParameterError("--workers is for a cluster on this machine; a --scheduler has its own workers")
            with _connected(scheduler) as client:
                yield client
            return
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        with (
            dask.config.set(_MEMORY),
            LocalCluster(
                n_workers=workers or cores,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # by default it listens on all addresses, and asks for no token
                worker_dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                preload=__name__,
            ) as here,
            Client(here) as client,
        ):
            yield client


@contextmanager
def _connected(scheduler: str) -> Iterator[Client]:
    from distributed import Client

    try:
        client = Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise ParameterError(
            f"--scheduler {scheduler}: no Dask scheduler answers there; start one (dask scheduler), or leave --scheduler out "
            "to work on this machine"
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE_FOR_WORKERS)
        except TimeoutError as error:
            raise ParameterError(f"--scheduler {scheduler}: it has no workers; start some: dask worker {scheduler}") from error
        try:
            versions = set(client.run(_version).values())
        except ImportError as error:
            raise ParameterError(f"--scheduler {scheduler}: its workers have no RelHash ({error}); install it there") from error
        if versions != {relhash.__version__}:
            raise ParameterError(
                f"--scheduler {scheduler}: its workers have RelHash {', '.join(sorted(versions))}, this is "
                f"{relhash.__version__}; install the same everywhere"
            )
        yield client


def _version() -> str:
    return relhash.__version__


def check_version(planned: str) -> None:
    """On a worker, which may have come after the others were asked: refuse work that another version planned."""
    if planned != relhash.__version__:
        raise ParameterError(
            f"the worker on {platform.node()} has RelHash {relhash.__version__}, the work is that of {planned}; install the "
            "same everywhere"
        )


@contextmanager
def _without_chatter() -> Iterator[None]:
    """Dask tells of every worker that comes and goes, and of every task that failed; we say what matters ourselves."""
    own = [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]  # with own levels
    loggers = [logging.getLogger(name) for name in ("distributed", "tornado.application", "asyncio", *own)]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    yield
    # after an error they stay silent: threads of a client whose scheduler is gone go on telling of it until the program ends
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)
