"""What work over much text depends on, in plain values: the model, how it reads, and what is made of the text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import relhash
from relhash.files import digest_of
from relhash.model import FittedModel
from relhash.model.model_file import find_model
from relhash.scale.cluster import check_version


@dataclass(frozen=True)
class Job:
    """A model and how it reads (as in ``relhash predict``), as every worker gets them.

    ``sha256`` is what the file must be, ``version`` the one of RelHash: a worker that has another one refuses the job.
    """

    model: str
    sha256: str
    lexicon: str | None = None
    ground: bool = True
    parses: str | None = None
    types: str | None = None
    max_pairs: int | None = None
    grounded: bool = False
    version: str = relhash.__version__

    suffix: ClassVar[str] = ".parquet"
    """Of the parts that are made."""
    grows: ClassVar[bool] = False
    """Whether the same folder may be given more text later."""

    @classmethod
    def of_model(cls, model: str | Path, **settings: Any) -> Self:
        """The job of a model file (or name), as it is now."""
        path = find_model(model)
        return cls(str(path.absolute()), digest_of(path), **settings)

    def as_dict(self) -> dict[str, Any]:
        """As JSON gives it back."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def loaded(self) -> FittedModel:
        """The model as the job wants it; a process reads it once."""
        check_version(self.version)
        return _loaded(self)

    def adjusted(self, model: FittedModel) -> FittedModel:
        """The model with the settings of the job."""
        return model.adjusted(types=self.types, max_pairs=self.max_pairs, grounded=self.grounded)


@dataclass(frozen=True)
class PredictionJob(Job):
    """The arguments of ``relhash predict``; with ``all_candidates`` rows below the threshold are written too."""

    all_candidates: bool = False
    with_single: bool = False
    threshold: float | None = None
    keep: tuple[str, ...] = ()

    def adjusted(self, model: FittedModel) -> FittedModel:
        return super().adjusted(model).adjusted(threshold=self.threshold, keep=self.keep)


@dataclass(frozen=True)
class HashJob(Job):
    """The arguments of ``relhash hash`` for an index: length of its codes, and the seed with which they are learned."""

    n_bits: int = 128
    seed: int = 0
    cache: bool = False
    """Whether parses are kept between runs; no part of what is made."""

    suffix: ClassVar[str] = ".arrow"
    grows: ClassVar[bool] = True

    def as_dict(self) -> dict[str, Any]:
        return {name: value for name, value in super().as_dict().items() if name != "cache"}


@lru_cache(maxsize=2)  # two jobs may take turns on a worker
def _loaded(job: Job) -> FittedModel:
    # mostly no cache of parses: all of PubMed is rarely read twice, and partitions that are done are kept as such
    cache = isinstance(job, HashJob) and job.cache
    model = FittedModel.load(
        job.model, lexicon=job.lexicon, ground=job.ground, cache=cache, n_jobs=1, parses=job.parses, sha256=job.sha256
    )
    return job.adjusted(model)
