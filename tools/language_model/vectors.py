"""Word vectors as features of the language model: trained on our text without any sentence that we measure on.

Rows are rounded to int8 with one scale per row *before* the model sees them, so what is shipped is what was trained with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.strings import hash_string
from spacy.vectors import Vectors

_NOT_LETTERS = re.compile(r"[\W_]+")


def _fingerprint(text: str) -> str:
    """What is left of a sentence that two tokenisations agree on."""
    return _NOT_LETTERS.sub("", text.lower())


def sentences_without(path: Path, excluded: Iterable[str]) -> Iterator[list[str]]:
    """Tokens (lower case) of each line of ``path`` that is none of the ``excluded`` sentences, spacing and signs aside."""
    forbidden = {_fingerprint(text) for text in excluded}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if _fingerprint(line) not in forbidden:
                yield line.lower().split()


def train_vectors(sentences: list[list[str]], size: int, min_count: int, seed: int) -> tuple[list[str], NDArray, NDArray]:
    """Words by falling frequency, their int8 rows and the scale of each row."""
    from gensim.models import Word2Vec

    model = Word2Vec(
        sentences, vector_size=size, window=4, sg=1, negative=8, min_count=min_count, epochs=8, workers=1, seed=seed,
        sample=1e-4, hashfxn=_stable_hash,
    )  # fmt: skip
    rows = model.wv.vectors / np.linalg.norm(model.wv.vectors, axis=1, keepdims=True)
    scale = (np.abs(rows).max(axis=1) / 127).astype(np.float32)
    return list(model.wv.index_to_key), np.round(rows / scale[:, None]).astype(np.int8), scale


def _stable_hash(text: str) -> int:
    """Python's own hash differs from run to run; gensim seeds each word's row with it."""
    import zlib

    return zlib.crc32(text.encode("utf-8"))


def spellings(words: Iterable[str], path: Path) -> dict[str, int]:
    """Spelling → row: each word as it stands, capitalised, in capitals, and in every mixed case that the text at ``path`` has.

    spaCy looks vectors up by the exact spelling and does not save any other choice, so the cases are spelled out.
    """
    row_of = {word: row for row, word in enumerate(words)}
    rows = dict(row_of)
    for word, row in row_of.items():
        rows.setdefault(word.capitalize(), row)
        rows.setdefault(word.upper(), row)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            for token in line.split():
                if token not in rows and (row := row_of.get(token.lower())) is not None:
                    rows[token] = row
    return rows


def vectors_pipeline(rows_of_spellings: dict[str, int], rows: NDArray, scale: NDArray) -> Language:
    """A blank English pipeline whose vocabulary holds the vectors."""
    nlp = spacy.blank("en")
    table = Vectors(strings=nlp.vocab.strings, data=rows.astype(np.float32) * scale[:, None], name="biomed_en_vectors")
    for spelling, row in rows_of_spellings.items():
        table.add(hash_string(spelling), row=row)
    nlp.vocab.vectors = table
    return nlp
