"""Data sets that are more than a list of files, by the name that a protocol gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

from relhash.errors import DataMissingError, ParameterError
from relhash.evaluation.datasets.bionlp import bionlp_dataset
from relhash.evaluation.datasets.dataset import Dataset, data_root
from relhash.evaluation.datasets.nero_open import nero_open_dataset
from relhash.evaluation.datasets.pubmed45 import pubmed45_dataset

PREPARED: dict[str, Callable[..., Dataset]] = {
    "bionlp": bionlp_dataset,
    "nero-open": nero_open_dataset,
    "pubmed45": pubmed45_dataset,
}
"""Data sets by the name that a protocol gives."""


def prepared_dataset(name: str, data: Path | None = None, **given: Path | str | None) -> Dataset:
    """The data set of the protocol ``name`` with files of the user's own, as :data:`PREPARED` takes them."""
    options = {option: value for option, value in given.items() if value is not None}
    prepare = PREPARED.get(name)
    unknown = [option for option in options if prepare is None or option not in inspect.signature(prepare).parameters]
    if prepare is None or unknown:
        raise ParameterError(f"the benchmark {name!r} has no option --{', --'.join(unknown or options)}")
    try:
        root = data_root(data)
    except DataMissingError:
        if data is not None or not isinstance(options.get("path"), Path):
            raise
        root = Path()  # a user with files of her own need not have a data folder
    return prepare(root, **options)
