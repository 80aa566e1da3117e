"""The weights of the gene tagger as they ship: plain arrays in one file, one byte per weight with a scale per row.

Names of features are stored as text, so that the file can be read and checked; nothing in it is code.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import LanguageError
from relhash.files import replacing
from relhash.language.genes.forms import shape

LABELS = ("outside", "begin", "inside", "end", "single")
OFFSETS = (-2, -1, 0, 1, 2)
"""A spelling counts for the token itself and for its neighbours at these places."""
GUIDELINES = ("broad", "strict")
"""What counts as a mention: families, complexes and "p53 protein" too (BC2GM), or rather single genes (halfway to BioNLP)."""
WIDTH = len(GUIDELINES) * len(LABELS)
CENTRE = OFFSETS.index(0)
BORDER = "border"
"""The feature of the place before the first and after the last token of a sentence."""
_VERSION = 2

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Table:
    """Weights by name of feature."""

    rows: Mapping[str, int]
    weights: Floats

    @classmethod
    def of(cls, names: Sequence[str], weights: NDArray[Any]) -> Table:
        return cls({name: row for row, name in enumerate(names)}, np.ascontiguousarray(weights, np.float32))


@dataclass(frozen=True)
class GeneModel:
    """Everything that was learned.

    ``own``: features of a spelling that count for the token itself, (features, guidelines x labels). ``wide``: those that count
    for its neighbours too, (features, offsets, guidelines x labels). ``places``: features of the place. ``steps``: (guidelines,
    labels, labels), ``-inf`` where one cannot follow the other. ``clusters``: word → the groups of similar words that it is in.
    ``calibration``: slope and intercept that turn log-odds by the strict guideline into how often spans are right.
    """

    own: Table
    wide: Table
    places: Table
    steps: NDArray[np.float64]
    clusters: Mapping[str, tuple[int, ...]]
    calibration: tuple[float, float]
    fingerprint: str = ""

    @cached_property
    def groups(self) -> Callable[[str], tuple[str, ...]]:
        """Token → the groups of similar words that it is in, as names of features, from the coarsest; remembered."""
        return lru_cache(maxsize=65536)(partial(groups_of, clusters=self.clusters))

    def save(self, path: Path) -> None:
        arrays: dict[str, NDArray[Any]] = {"version": np.array(_VERSION), "steps": self.steps}
        for name in ("own", "wide", "places"):
            table: Table = getattr(self, name)
            flat = table.weights.reshape(len(table.weights), -1)
            scale = np.abs(flat).max(axis=1) / 127
            arrays[f"{name}_names"] = _lines(table.rows)
            arrays[f"{name}_scale"] = scale.astype(np.float16)
            arrays[f"{name}_rows"] = np.round(flat / np.maximum(scale, 1e-12)[:, None]).astype(np.int8)
        arrays["words"] = _lines(self.clusters)
        arrays["clusters"] = np.array(list(self.clusters.values()), np.int16)
        arrays["calibration"] = np.array(self.calibration, np.float64)
        with replacing(path, "wb") as handle:
            np.savez_compressed(handle, **arrays)  # type: ignore[arg-type]

    @classmethod
    def read(cls, path: Path) -> GeneModel:
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            with np.load(path, allow_pickle=False) as archive:
                arrays = dict(archive)
            if int(arrays["version"]) != _VERSION:
                raise ValueError(f"version {int(arrays['version'])} instead of {_VERSION}")
            tables = {}
            for name, shape in (("own", (-1, WIDTH)), ("wide", (-1, len(OFFSETS), WIDTH)), ("places", (-1, WIDTH))):
                weights = arrays[f"{name}_rows"].astype(np.float32) * arrays[f"{name}_scale"].astype(np.float32)[:, None]
                tables[name] = Table.of(_names(arrays[f"{name}_names"]), weights.reshape(shape))
                if len(tables[name].rows) != len(tables[name].weights):
                    raise ValueError(f"{name}: names and weights differ in number")
            words = _names(arrays["words"])
            slope, intercept = arrays["calibration"].tolist()
            return cls(
                **tables,
                steps=arrays["steps"].astype(np.float64),
                clusters=dict(zip(words, map(tuple, arrays["clusters"].tolist()), strict=True)),
                calibration=(slope, intercept),
                fingerprint=digest,
            )
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise LanguageError(f"{path}: the gene tagger is damaged ({error}); reinstall relhash") from error


def _lines(texts: Mapping[str, Any]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode(), np.uint8)


def _names(lines: NDArray[np.uint8]) -> list[str]:
    return lines.tobytes().decode().split("\n") if len(lines) else []


def groups_of(form: str, clusters: Mapping[str, tuple[int, ...]]) -> tuple[str, ...]:
    """The groups of a token as names of features; those of its shape where the word is not known."""
    numbers = clusters.get(form.lower())
    return ("c0=?", f"c1=?{shape(form)}") if numbers is None else tuple(f"c{level}={n}" for level, n in enumerate(numbers))
