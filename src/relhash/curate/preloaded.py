"""Imported by the process from which :class:`relhash.curate.work.InProcesses` forks its workers, for its effect."""

import relhash.curate.predicting  # noqa: F401  (loaded before the model: what it takes long to import)
from relhash.curate.ready import make_ready

make_ready()
