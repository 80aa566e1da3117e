"""Fifty-eight labels as a curator brings them, and raw text to adapt to: for own_model_rows.py."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from relhash.candidates import Candidate, candidates
from relhash.corpus import Document, read

N_POSITIVE, N_NEGATIVE = 25, 33


def drawn_sheet(data: Path, draw: int) -> list[Document]:
    """A CSV from AIMed as it is read: one marked sentence per row, picked at random among the relations and the others."""
    pairs = list(candidates(read(data / "ppi" / "AIMed.xml")))
    rng = np.random.default_rng(draw)
    picked = [
        pairs[number]
        for sign, n in ((True, N_POSITIVE), (False, N_NEGATIVE))
        for number in rng.permutation([k for k, pair in enumerate(pairs) if pair.is_positive is sign])[:n]
    ]
    with tempfile.TemporaryDirectory() as scratch:
        sheet = Path(scratch) / "labels.csv"
        _write(sheet, picked)
        return list(read(sheet))


def _write(path: Path, picked: Sequence[Candidate]) -> None:
    with path.open("w", newline="", encoding="utf-8") as handle:
        sheet = csv.writer(handle)
        sheet.writerow(["text", "e1_start", "e1_end", "e2_start", "e2_end", "e1_type", "e2_type", "label"])
        for pair in picked:
            sentence = pair.document.sentences[pair.sentence]
            ends = [end - sentence.start for mention in pair.mentions for end in (mention.start, mention.end)]
            text = pair.document.text[sentence.start : sentence.end]
            sheet.writerow([text, *ends, "protein", "protein", int(bool(pair.is_positive))])


def raw_abstracts(data: Path, n: int) -> list[Document]:
    """Texts of BioNLP 2009 test, which has no labels."""
    files = sorted((data / "bionlp" / "2009" / "test").glob("*.txt"))[:n]
    return [Document(file.stem, file.read_text(encoding="utf-8")) for file in files]


def means_over_draws(rows: Sequence[dict[str, Any]], *kind: str) -> list[dict[str, Any]]:
    """Rows of one kind (equal in these columns) become one, the mean of their measures."""
    kinds: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        kinds.setdefault(tuple(row[name] for name in kind), []).append(row)
    means = []
    for values, own in kinds.items():
        measures = [name for name, value in own[0].items() if isinstance(value, float)]
        means.append(
            dict(zip(kind, values, strict=True)) | {name: float(np.mean([row[name] for row in own])) for name in measures}
        )
    return means
