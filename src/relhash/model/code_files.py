"""Hashcodes in files: as rows beside the candidate they belong to, or as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.candidate import Candidate
from relhash.files import replacing
from relhash.hashing.hamming import unpack
from relhash.model.prediction import ModelIdentity
from relhash.model.tables.columns import candidate_row, marked_text

CODE_COLUMNS = (
    "document", "entity1", "type1", "start1", "end1", "ids1", "entity2", "type2", "start2", "end2", "ids2", "code",
    "marked", "model", "model_version",
)  # fmt: skip
"""Columns of a table of codes, in this order."""

Hashed = Iterable[tuple[Sequence[Candidate], NDArray[np.uint64]]]
"""Candidates with their packed codes, batch by batch."""


def code_rows(
    hashed: Hashed, n_bits: int, *, bits: bool = False, made_by: ModelIdentity | None = None
) -> Iterator[dict[str, Any]]:
    """One row per candidate, with its code as text: hexadecimal digits, or with ``bits`` 0 and 1; bit 0 comes first.

    Codes of two models cannot be compared, so every row names the model that ``made_by`` says.
    """
    model = made_by or ModelIdentity()
    for candidates, codes in hashed:
        for candidate, code in zip(candidates, unpack(codes, n_bits), strict=True):
            text = "".join(map(str, code)) if bits else np.packbits(code).tobytes().hex()
            sentence = candidate.document.sentences[candidate.sentence]
            yield {
                **candidate_row(candidate),
                "code": text,
                "marked": marked_text(candidate, sentence.start, sentence.end),
                "model": model.name,
                "model_version": model.version,
            }


def write_code_arrays(hashed: Hashed, n_bits: int, path: Path) -> int:
    """An ``.npz`` with ``codes``, ``n_bits`` and ``keys``, complete or not at all; how many codes it holds."""
    keys: list[str] = []
    blocks: list[NDArray[np.uint64]] = [np.empty((0, -(-n_bits // 64)), np.uint64)]
    for candidates, codes in hashed:
        keys += [candidate.key for candidate in candidates]
        blocks.append(codes)
    with replacing(path, "wb") as handle:
        np.savez_compressed(handle, codes=np.concatenate(blocks), n_bits=np.int64(n_bits), keys=np.array(keys, dtype=np.str_))
    return len(keys)
