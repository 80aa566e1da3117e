"""Word vectors in whole numbers: exact, small, and with a back-off for words they do not hold.

Each vector is stored as integers times one scale. Inner products of integers are exact in floating point as long as they stay
below 2**24 (float32) or 2**53 (float64), so a cosine computed from them is the same whatever the shape of the matrix product,
the batch or the library: that is what makes hash bits reproducible. A word that is not known gets the mean of the vectors of
its parts: ``dephosphorylates`` lies near ``dephosphorylation``.

Read are word2vec (text and binary), GloVe (text), and ``.npz``; gzip is unpacked on the way.
"""

from __future__ import annotations

import gzip
import os
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.codec import pack_strings, read_arrays, unpack_strings
from relhash.errors import CorpusError, ModelFileError, ParameterError
from relhash.files import replacing
from relhash.kept_tables import kept_tables, read_npz
from relhash.resources import resource_path

MOST_UNKNOWN = 1 << 16
"""Words without a vector of their own whose row is remembered: the views of a text ask for the same ones again and again."""


class SubwordVectors:
    """Vectors of parts of words.

    Parameters
    ----------
    parts
        Letter n-grams of words in angle brackets, such as ``<de``, ``phos`` or ``tion>``.
    vectors
        One row per part, such that a word's vector is the mean over its parts.
    n_min, n_max
        Lengths of the n-grams.

    Examples
    --------
    >>> subwords = SubwordVectors(["<un", "do>"], [[0.0, 1.0], [1.0, 0.0]], n_min=3, n_max=3)
    >>> subwords.vector("undo")
    array([0.5, 0.5], dtype=float32)
    """

    def __init__(self, parts: Iterable[str], vectors: ArrayLike, *, n_min: int = 3, n_max: int = 6) -> None:
        self.parts: tuple[str, ...] = tuple(parts)
        self.vectors: NDArray[np.float32] = np.ascontiguousarray(vectors, dtype=np.float32)
        self.n_min, self.n_max = n_min, n_max
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.parts):
            raise ParameterError(f"SubwordVectors: {len(self.parts)} parts but vectors of shape {self.vectors.shape}")
        self._rows = {part: row for row, part in enumerate(self.parts)}

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    def vector(self, word: str) -> NDArray[np.float32] | None:
        """Mean of the vectors of the parts of ``word`` that are known; ``None`` if there are none."""
        rows = [self._rows[part] for part in parts_of(word, self.n_min, self.n_max) if part in self._rows]
        if not rows:
            return None
        return (self.vectors[rows].astype(np.float64).sum(axis=0) / len(rows)).astype(np.float32)

    def to_arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """Plain arrays, for ``numpy.savez``; vectors in 8 bits per number."""
        largest = np.abs(self.vectors).max(axis=1, initial=0.0)
        scales = np.where(largest > 0, largest, 1.0).astype(np.float32) / np.float32(127)
        return {
            f"{prefix}parts": pack_strings(self.parts),
            f"{prefix}vectors": np.rint(self.vectors / scales[:, None]).astype(np.int8),
            f"{prefix}scale": scales,
            f"{prefix}lengths": np.array([self.n_min, self.n_max]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> SubwordVectors:
        missing = [name for name in ("parts", "vectors", "scale", "lengths") if f"{prefix}{name}" not in arrays]
        if missing:
            raise ModelFileError(f"stored parts of words lack {', '.join(missing)}")
        n_min, n_max = arrays[f"{prefix}lengths"].tolist()
        vectors = arrays[f"{prefix}vectors"]
        if vectors.dtype != np.float32:
            vectors = vectors.astype(np.float32) * arrays[f"{prefix}scale"][:, None]
        return cls(unpack_strings(arrays[f"{prefix}parts"]), vectors, n_min=n_min, n_max=n_max)


def parts_of(word: str, n_min: int, n_max: int) -> list[str]:
    """Letter n-grams of a word in lower case, its ends marked.

    >>> parts_of("Rad", 3, 4)
    ['<ra', 'rad', 'ad>', '<rad', 'rad>']
    """
    marked = f"<{word.lower()}>"
    return [marked[i : i + n] for n in range(n_min, n_max + 1) for i in range(len(marked) - n + 1)]


class WordVectors:
    """Vectors of words; a word is looked up as written, then in lower case, then by its parts.

    Parameters
    ----------
    words
        The words, distinct.
    vectors
        One row per word. Floating-point rows are rounded to 16-bit integers times a scale per row; ``int8`` and ``int16`` rows
        are taken as they are, with ``scales``.
    scales
        What the integer rows are to be multiplied by (default 1).
    subwords
        Back-off for unknown words; ``tools/train_vectors.py`` fits one.

    Examples
    --------
    >>> vectors = WordVectors(["binds", "inhibits"], [[1.0, 0.5], [0.0, 2.0]])
    >>> "Binds" in vectors, "sleeps" in vectors
    (True, False)
    >>> vectors.vector("BINDS").round(3)
    array([1. , 0.5], dtype=float32)
    """

    def __init__(
        self,
        words: Iterable[str],
        vectors: ArrayLike,
        *,
        scales: ArrayLike | None = None,
        subwords: SubwordVectors | None = None,
    ) -> None:
        self.words: tuple[str, ...] = tuple(words)
        self.codes, self.scales = _as_whole_numbers(np.asarray(vectors), scales)
        self.subwords = subwords
        self._rows = {word: row for row, word in enumerate(self.words)}
        self._unknown: dict[str, NDArray[np.signedinteger[Any]]] = {}
        if len(self._rows) != len(self.words):
            raise ParameterError("WordVectors: a word occurs twice")
        if len(self.words) != len(self.codes) or len(self.scales) != len(self.codes):
            raise ParameterError(f"WordVectors: {len(self.words)} words, {len(self.codes)} vectors, {len(self.scales)} scales")
        if subwords is not None and subwords.dimensions != self.dimensions:
            raise ParameterError(f"WordVectors: words have {self.dimensions} dimensions, their parts {subwords.dimensions}")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return self._row(word) is not None

    def __repr__(self) -> str:
        backoff = "no back-off" if self.subwords is None else f"back-off by {len(self.subwords)} parts of words"
        return f"WordVectors({len(self)} words, {self.dimensions} dimensions, {backoff})"

    def __deepcopy__(self, memo: dict[int, Any]) -> WordVectors:
        return self  # immutable, and large: a cloned estimator shares it

    @property
    def dimensions(self) -> int:
        return int(self.codes.shape[1])

    def _row(self, word: str) -> int | None:
        row = self._rows.get(word)
        return self._rows.get(word.lower()) if row is None else row

    def vector(self, word: str) -> NDArray[np.float32] | None:
        """The vector of a word, from its parts if need be; ``None`` if nothing is known of it."""
        row = self._row(word)
        if row is not None:
            return np.float32(self.scales[row]) * self.codes[row].astype(np.float32)
        if self.subwords is not None:
            return self.subwords.vector(word)
        return None

    def encode(self, words: Iterable[str]) -> NDArray[np.signedinteger[Any]]:
        """Integer rows of words, each up to its own scale (all that a cosine needs); zeros where nothing is known."""
        words = list(words)
        codes = np.zeros((len(words), self.dimensions), self.codes.dtype)
        known, rows = [], []
        for number, word in enumerate(words):
            row = self._row(word)
            if row is not None:
                known.append(number)
                rows.append(row)
            elif self.subwords is not None:
                codes[number] = self._by_parts(self.subwords, word)
        codes[known] = self.codes[rows]
        return codes

    def _by_parts(self, subwords: SubwordVectors, word: str) -> NDArray[np.signedinteger[Any]]:
        """The integer row of a word that has no vector, remembered."""
        found = self._unknown.get(word)
        if found is None:
            vector = subwords.vector(word)
            found = np.zeros(self.dimensions, self.codes.dtype)
            if vector is not None:
                found = quantise(vector[None], self.codes.dtype.type)[0][0]
            if len(self._unknown) >= MOST_UNKNOWN:
                self._unknown.clear()
            self._unknown[word] = found
        return found

    def to_arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """Plain arrays, for ``numpy.savez``."""
        arrays: dict[str, NDArray[Any]] = {
            f"{prefix}words": pack_strings(self.words),
            f"{prefix}vectors": self.codes,
            f"{prefix}scale": self.scales,
        }
        if self.subwords is not None:
            arrays |= self.subwords.to_arrays(f"{prefix}subwords.")
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> WordVectors:
        """The inverse of :meth:`to_arrays`; ``words`` may also be an array of strings, and ``scale`` absent."""
        missing = [name for name in ("words", "vectors") if f"{prefix}{name}" not in arrays]
        if missing:
            raise ModelFileError(f"stored word vectors lack {', '.join(missing)}")
        words = arrays[f"{prefix}words"]
        return cls(
            unpack_strings(words) if words.dtype == np.uint8 else [str(word) for word in words],
            arrays[f"{prefix}vectors"],
            scales=arrays.get(f"{prefix}scale"),
            subwords=SubwordVectors.from_arrays(arrays, f"{prefix}subwords.") if f"{prefix}subwords.parts" in arrays else None,
        )

    def in_bytes(self) -> WordVectors:
        """The same in 8 bits per number, half the size; cosines move by less than 0.01."""
        codes, scales = quantise(self.scales[:, None] * self.codes.astype(np.float64), np.int8)
        return WordVectors(self.words, codes, scales=scales, subwords=self.subwords)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write an ``.npz`` without pickle."""
        with replacing(path, "wb") as handle:
            np.savez_compressed(handle, **self.to_arrays())  # type: ignore[arg-type]


@cache
def bundled_vectors() -> WordVectors:
    """The vectors that come with RelHash; ``resources/vectors/README.md`` says what they were made from."""
    return WordVectors.from_arrays(kept_tables(resource_path("vectors", "biomed100.npz"), _with_subwords))


def _with_subwords(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of the file, with vectors of parts of words instead of bytes and scales."""
    arrays = read_npz(path)
    vectors = arrays["subwords.vectors"].astype(np.float32) * arrays["subwords.scale"][:, None]
    return {**arrays, "subwords.vectors": vectors}


def quantise(vectors: NDArray[Any], dtype: type[np.signedinteger[Any]]) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Rows as integers that use the whole range of ``dtype``, and the scale of each row.

    >>> quantise(np.array([[0.5, -1.0]]), np.int8)
    (array([[  64, -127]], dtype=int8), array([0.00787402], dtype=float32))
    """
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scales = np.where(largest > 0, largest, 1.0) / np.iinfo(dtype).max
    return np.rint(vectors / scales[:, None]).astype(dtype), scales.astype(np.float32)


def _as_whole_numbers(vectors: NDArray[Any], scales: ArrayLike | None) -> tuple[NDArray[Any], NDArray[np.float32]]:
    if vectors.ndim != 2:
        raise ParameterError(f"WordVectors: a table of vectors is expected, not an array of shape {vectors.shape}")
    if vectors.dtype in (np.int8, np.int16):
        return np.ascontiguousarray(vectors), np.asarray(np.ones(len(vectors)) if scales is None else scales, np.float32)
    if scales is not None:
        raise ParameterError("WordVectors: scales belong to int8 or int16 vectors")
    vectors = vectors.astype(np.float64)
    if not np.isfinite(vectors).all():
        raise ParameterError("WordVectors: a vector holds NaN or infinity")
    return quantise(vectors, np.int16)


GZIP, ZIP = b"\x1f\x8b", b"PK"


def load_vectors(path: str | os.PathLike[str]) -> WordVectors:
    """Word vectors from a file; its format is seen from its contents.

    Parameters
    ----------
    path
        word2vec in text or binary form (first line: number of words and dimensions), GloVe text (no such line), or an ``.npz``
        with ``words``, ``vectors`` and, for integer vectors, ``scale``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "vectors.txt"
    >>> _ = path.write_text("binds 0.5 1\\ninhibits 1 0\\n")
    >>> load_vectors(path)
    WordVectors(2 words, 2 dimensions, no back-off)
    """
    path = Path(path)
    try:
        with open(path, "rb") as handle:
            start = handle.read(2)
        if start == ZIP:
            return _read_npz(path)
        with gzip.open(path, "rb") if start == GZIP else open(path, "rb") as stream:
            return _read_stream(stream, path)  # type: ignore[arg-type]
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CorpusError(f"cannot read word vectors ({reason})", path=path) from error


def _read_npz(path: Path) -> WordVectors:
    try:
        return WordVectors.from_arrays(read_arrays(path))
    except (ValueError, ModelFileError) as error:
        raise CorpusError(f"not a file of word vectors ({error})", path=path) from error


def _read_stream(stream: IO[bytes], path: Path) -> WordVectors:
    first = stream.readline()
    header = first.split()
    if len(header) == 2 and header[0].isdigit() and header[1].isdigit():
        n_words, dimensions = int(header[0]), int(header[1])
        if not n_words or not dimensions:
            raise CorpusError(f"{n_words} words of {dimensions} numbers are no vectors", path=path, where=1)
        peeked = stream.readline()
        if _is_text_line(peeked, dimensions):
            return _read_text(chain([peeked], stream), path, dimensions, 2, n_words)
        return _read_binary(peeked, stream, path, n_words, dimensions)
    if len(header) < 2:
        raise CorpusError("a word and its numbers are expected on each line", path=path, where=1)
    return _read_text(chain([first], stream), path, len(header) - 1, 1)


def _is_text_line(line: bytes, dimensions: int) -> bool:
    try:
        np.array(line.split()[-dimensions:], dtype=np.float64)
    except ValueError:
        return False
    return len(line.split()) > dimensions


def _read_text(lines: Iterable[bytes], path: Path, dimensions: int, first_line: int, n_words: int | None = None) -> WordVectors:
    rows: dict[str, np.ndarray] = {}
    number = first_line
    for number, line in enumerate(lines, first_line):
        if len(rows) == n_words:
            break
        if line.strip():
            word, vector = _word_and_vector(line, path, number, dimensions)
            rows.setdefault(word, vector)
    if n_words is not None and len(rows) < n_words:
        raise CorpusError(f"ends after {len(rows)} of {n_words} words", path=path, where=number)
    return WordVectors(rows, np.stack(list(rows.values())))


def _word_and_vector(line: bytes, path: Path, number: int, dimensions: int) -> tuple[str, NDArray[np.float64]]:
    # a few GloVe words contain spaces: the numbers are counted from the right
    fields = line.rstrip().rsplit(b" ", dimensions) if b"\t" not in line else line.split()
    try:
        vector = np.array(fields[1:], dtype=np.float64)
        word = fields[0].decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError("word is not UTF-8", path=path, where=number, remedy="convert the file to UTF-8") from error
    except ValueError as error:
        raise CorpusError("a number cannot be read", path=path, where=number) from error
    if vector.size != dimensions:
        raise CorpusError(f"{vector.size} numbers where {dimensions} are expected", path=path, where=number)
    if not np.isfinite(vector).all():
        raise CorpusError("NaN or infinity in a vector", path=path, where=number)
    return word, vector


def _read_binary(start: bytes, stream: IO[bytes], path: Path, wanted: int, dimensions: int) -> WordVectors:
    """The original word2vec format: each word, a space, and its numbers as little-endian float32."""
    data, size = memoryview(start + stream.read()), 4 * dimensions
    rows: dict[str, np.ndarray] = {}
    position = 0
    for number in range(1, wanted + 1):
        space = bytes(data[position : position + 1000]).find(b" ")
        end = position + space + 1 + size
        if space < 0 or end > len(data):
            raise CorpusError(f"ends within word {number} of {wanted}", path=path, remedy="is the file complete?")
        try:
            word = bytes(data[position : position + space]).lstrip(b"\n").decode("utf-8")
        except UnicodeDecodeError as error:
            raise CorpusError(f"word {number} is not UTF-8", path=path) from error
        vector = np.frombuffer(data, "<f4", dimensions, position + space + 1).astype(np.float64)
        if not np.isfinite(vector).all():
            raise CorpusError(f"NaN or infinity in the vector of word {number}", path=path)
        rows.setdefault(word, vector)
        position = end
    return WordVectors(rows, np.stack(list(rows.values())))
