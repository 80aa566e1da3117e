"""A spaCy pipeline in a small folder: weights in half precision, word vectors in one byte per number, all in one file.

The model that ships was trained with vectors already rounded this way, so they come back exactly; what the weights lose does
not change a score by more than its noise (the model card's scores are those of the stored weights). Beside the file lie spaCy's
own ``config.cfg`` and ``meta.json``, readable and enough to rebuild the pipeline around the weights.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import LanguageError
from relhash.files import replacing

PIPELINE = "pipeline.msgpack.z"
"""The file that marks a compact folder."""
_BARE = "relhash.bare_tokenizer.v1"
"""A tokenizer without rules: those of the file come later, and English ones would be made to be thrown away."""
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
    content = _changed(_unpacked(nlp.to_bytes()), _halved, _bytes_of_rows)
    with replacing(folder / PIPELINE, "wb") as handle:
        handle.write(zlib.compress(_packed(content), 9))


def load_compact(folder: str | Path, without: Sequence[str] = ()) -> Any:
    """The pipeline that :func:`save_compact` wrote to ``folder``, in single precision again, ``without`` some components."""
    import spacy
    from spacy.tokenizer import Tokenizer

    folder = Path(folder)
    spacy.util.registry.tokenizers(_BARE, func=lambda: lambda nlp: Tokenizer(nlp.vocab))
    try:
        config = spacy.util.load_config(folder / "config.cfg")
        tokenizer, config["nlp"]["tokenizer"] = config["nlp"]["tokenizer"], {"@tokenizers": _BARE}
        stored = _unpacked(zlib.decompress((folder / PIPELINE).read_bytes()))
        content = {name: packed for name, packed in stored.items() if name not in without}
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        nlp = spacy.util.load_model_from_config(config, meta=meta, exclude=list(without))
        nlp.config["nlp"]["tokenizer"] = tokenizer
        packed = _packed(_changed(content, _restored, _rows_of_bytes))
        return _with_numpy_products(nlp.from_bytes(packed, exclude=list(without)))
    except (OSError, ValueError, KeyError, zlib.error) as error:
        raise LanguageError(f"the language model in {folder} is damaged ({error}); reinstall relhash or the model") from error


def _with_numpy_products(nlp: Any) -> Any:
    """Matrix products by numpy instead of BLIS: the same answers, one and a half times as fast."""
    from thinc.api import NumpyOps

    for _, component in nlp.pipeline:
        for node in component.model.walk() if hasattr(component, "model") else ():
            node.ops = NumpyOps(use_blis=False)
    return nlp


def _packed(value: Any) -> bytes:
    from srsly import msgpack_dumps  # type: ignore[import-untyped]  # spaCy's own serializer: msgpack that knows arrays

    return bytes(msgpack_dumps(value))


def _unpacked(packed: bytes) -> Any:
    from srsly import msgpack_loads

    return msgpack_loads(packed)


def _halved(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == np.float32:
        return value.astype(np.float16)
    return value


def _restored(value: Any) -> Any:
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
    if _unpacked(content["vocab"]).get("vectors"):
        changed["vocab"] = _repacked(content["vocab"], "vectors", lambda fields: _with_table(fields, vectors))
    return changed


def _with_table(fields: dict[str, Any], vectors: Callable[[Any], Any]) -> dict[str, Any]:
    table = _unpacked(fields["vectors"])
    return {**fields, "vectors": _packed(vectors(table)) if len(table) else fields["vectors"]}


def _repacked(packed: bytes, field: str, change: Callable[[Any], Any]) -> bytes:
    """``packed`` with its ``field``, itself packed, changed."""
    fields = _unpacked(packed)
    if fields.get(field):
        fields[field] = _packed(change(_unpacked(fields[field])))
    return _packed(fields)


def _walked(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {key: _walked(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(item, change) for item in value]
    return change(value)
