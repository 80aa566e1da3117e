"""A spaCy pipeline in a small folder: weights in half precision, word vectors in one byte per number, all in one file.

The model that ships was trained with vectors already rounded this way, so they come back exactly; what the weights lose does
not change a score by more than its noise (the model card's scores are those of the stored weights). Beside the file lie spaCy's
own ``config.cfg`` and ``meta.json``, readable and enough to rebuild the pipeline around the weights.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import LanguageError
from relhash.files import replacing

PIPELINE = "pipeline.msgpack.z"
"""The file that marks a compact folder."""
_NOT_COMPONENTS = ("vocab", "tokenizer", "meta.json", "config.cfg")


def is_compact(folder: Path) -> bool:
    """Whether ``folder`` was written by :func:`save_compact`."""
    return (folder / PIPELINE).is_file()


def save_compact(nlp: Any, folder: str | Path) -> None:
    """Write ``nlp`` to ``folder`` (made if needed)."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    nlp.config.to_disk(folder / "config.cfg")
    (folder / "meta.json").write_text(json.dumps(nlp.meta, indent=2, default=str) + "\n", encoding="utf-8")
    content = _changed(unpacked(nlp.to_bytes()), _halved, _bytes_of_rows)
    with replacing(folder / PIPELINE, "wb") as handle:
        handle.write(zlib.compress(_packed(content), 9))


def load_compact(folder: str | Path) -> Any:
    """The pipeline that :func:`save_compact` wrote to ``folder``, in single precision again."""
    import spacy

    folder = Path(folder)
    try:
        config = spacy.util.load_config(folder / "config.cfg")
        content = unpacked(zlib.decompress((folder / PIPELINE).read_bytes()))
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        nlp = spacy.util.load_model_from_config(config, meta=meta)
        return nlp.from_bytes(_packed(_changed(content, restored, _rows_of_bytes)))
    except (OSError, ValueError, KeyError, zlib.error) as error:
        raise LanguageError(f"the language model in {folder} is damaged ({error}); reinstall relhash or the model") from error


def _packed(value: Any) -> bytes:
    from srsly import msgpack_dumps  # type: ignore[import-untyped]  # spaCy's own serializer: msgpack that knows arrays

    return bytes(msgpack_dumps(value))


def unpacked(packed: bytes) -> Any:
    """The content of ``packed``, which spaCy's serializer wrote: msgpack that knows arrays."""
    return _serializer().unpackb(packed, raw=False)


@cache
def _serializer() -> Any:
    """The serializer without the rest of its package, which takes five times as long to import."""
    found = None if "srsly" in sys.modules else find_spec("srsly")
    if found is not None:
        package = ModuleType("srsly")
        package.__path__ = list(found.submodule_search_locations or ())
        sys.modules["srsly"] = package
    try:
        return import_module("srsly.msgpack")
    finally:
        if found is not None:
            del sys.modules["srsly"]


def _halved(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == np.float32:
        return value.astype(np.float16)
    return value


def restored(value: Any) -> Any:
    """An array of half precision in single precision, anything else as it is."""
    if isinstance(value, np.ndarray) and value.dtype == np.float16:
        return value.astype(np.float32)
    return value


def _bytes_of_rows(table: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """A table as int8 with one scale per row: exact for a table that was made so."""
    scale = np.abs(table).max(axis=1) / np.float32(127)
    rows = np.divide(table, scale[:, None], out=np.zeros_like(table), where=scale[:, None] > 0)
    return {"rows": np.round(rows).astype(np.int8), "scale": scale.astype(np.float32)}


def _rows_of_bytes(stored: dict[str, NDArray[Any]]) -> NDArray[Any]:
    table: NDArray[Any] = stored["rows"].astype(np.float32) * stored["scale"][:, None]
    return table


def _changed(content: dict[str, Any], weights: Callable[[Any], Any], vectors: Callable[[Any], Any]) -> dict[str, Any]:
    """The bytes of a pipeline with ``weights`` applied to each array of a component and ``vectors`` to the table of vectors."""
    changed = dict(content)
    for name, packed in content.items():
        if name not in _NOT_COMPONENTS and isinstance(packed, bytes):
            changed[name] = _repacked(packed, "model", lambda model: _walked(model, weights))
    if unpacked(content["vocab"]).get("vectors"):
        changed["vocab"] = _repacked(content["vocab"], "vectors", lambda fields: _with_table(fields, vectors))
    return changed


def _with_table(fields: dict[str, Any], vectors: Callable[[Any], Any]) -> dict[str, Any]:
    table = unpacked(fields["vectors"])
    return {**fields, "vectors": _packed(vectors(table)) if len(table) else fields["vectors"]}


def _repacked(packed: bytes, field: str, change: Callable[[Any], Any]) -> bytes:
    """``packed`` with its ``field``, itself packed, changed."""
    fields = unpacked(packed)
    if fields.get(field):
        fields[field] = _packed(change(unpacked(fields[field])))
    return _packed(fields)


def _walked(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {key: _walked(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(item, change) for item in value]
    return change(value)
