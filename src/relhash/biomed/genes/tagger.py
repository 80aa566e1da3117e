"""Genes, proteins and other names in text: a conditional random field over spellings, neighbours and a list of known names.

One set of weights serves two guidelines (:data:`GUIDELINES`): the broad one decides what is a mention, the strict one how
certain it is, calibrated on text that was not fitted. What a spelling weighs is worked out once and remembered. Rules that are
plainly right trim a mention: no stray sign or open bracket at its border, no residue ("phosphorylated at S82"), no brand of an
assay, and the receptor of a factor is another protein than the factor. The weights ship as plain arrays, one byte each.
"""

from __future__ import annotations

import math
import re
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.biomed import genes
from relhash.biomed.genes.chain import labelled
from relhash.biomed.genes.known import KnownNames
from relhash.biomed.genes.place_scores import PlaceTable, Spelling, add_weights, form_features, numbered, shape, summed
from relhash.biomed.names.table import shipped_names
from relhash.errors import LanguageError
from relhash.files import digest_of, replacing
from relhash.kept_tables import kept_tables, read_npz
from relhash.language.annotation import PredictedMention
from relhash.language.words import Words
from relhash.resources import resource_path

_PAIRS = {")": "(", "]": "[", "}": "{"}
_RESIDUE = re.compile(r"p?(?:[STYKRC]|Ser|Thr|Tyr|Lys|Arg|Cys)[0-9]{1,4}")
_BEFORE_A_RESIDUE = frozenset(("at", "residue", "residues", "position", "positions", "site", "sites"))
_BRANDS = frozenset(("taqman", "affymetrix", "illumina", "invitrogen", "qiagen"))
_OTHER_PROTEINS = frozenset(("receptor", "receptors", "ligand", "ligands"))
_LONGEST_EXPLANATION = 7
"""Tokens in a parenthesis: *GM-CSF* has three, or five."""
_STRAY = frozenset(",;:.?!-‐‑‒–—−/\\=<>*'\"`’‘“”|~^&@#%")


def trimmed(texts: Sequence[str], first: int, after: int) -> tuple[int, int] | None:
    """The span without stray signs and unbalanced brackets at its borders; nothing if no name is left.

    >>> texts = ["IL", "-", "2", ")", ";"]
    >>> trimmed(texts, 0, 5)
    (0, 3)
    >>> trimmed(["NAD", "(", "P"], 0, 3)
    """
    while after > first and (texts[after - 1] in _STRAY or (texts[after - 1] in _PAIRS and _is_open(texts, first, after))):
        after -= 1
    while after > first and (texts[first] in _STRAY or (texts[first] in _PAIRS.values() and _is_open(texts, first, after))):
        first += 1
    if first == after or _is_open(texts, first, after) or texts[first].lower() in _BRANDS:
        return None
    is_residue = first > 0 and texts[first - 1].lower() in _BEFORE_A_RESIDUE and _RESIDUE.fullmatch("".join(texts[first:after]))
    return None if is_residue else (first, after)


def up_to_receptors(texts: Sequence[str], spans: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The spans in their order, those of a factor lengthened where "(its abbreviation) receptor" follows.

    >>> texts = "tissue factor ( TF ) receptor ( p ) binds".split()
    >>> up_to_receptors(texts, [(0, 2, "protein"), (3, 4, "protein")])
    [(0, 6, 'protein')]
    """
    found: list[tuple[int, int, str]] = []
    for first, after, kind in spans:
        if not found or first >= found[-1][1]:  # else the abbreviation is in the name that has been lengthened
            found.append((first, _after_receptor(texts, after) if kind == "protein" else after, kind))
    return found


def _after_receptor(texts: Sequence[str], after: int) -> int:
    if after < len(texts) and texts[after] == "(":
        closing = next((place for place in range(after + 1, len(texts)) if texts[place] in _PAIRS), after)
        follows = "".join(texts[closing + 1 : closing + 2]).lower()
        if 1 < closing - after <= _LONGEST_EXPLANATION and follows in _OTHER_PROTEINS:
            return closing + 2
    return after


def _is_open(texts: Sequence[str], first: int, after: int) -> bool:
    """Whether a bracket is opened and not closed, or closed and not opened."""
    waiting: list[str] = []
    for text in texts[first:after]:
        if text in _PAIRS.values():
            waiting.append(text)
        elif text in _PAIRS and (not waiting or waiting.pop() != _PAIRS[text]):
            return True
    return bool(waiting)


PLACES = ("begin", "inside", "end", "single")
N_STRICT = 1 + len(PLACES)
"""The first labels, of which there is a second set of weights: outside, and those of the first type."""


def labels_of(types: Sequence[str]) -> tuple[str, ...]:
    """The labels of a model that finds names of these types."""
    return ("outside", *(f"{place} {kind}" for kind in types for place in PLACES))


OFFSETS = (-2, -1, 0, 1, 2)
"""A spelling counts for the token itself and for its neighbours at these places."""
GUIDELINES = ("broad", "strict")
"""What counts as a mention: families, complexes and "p53 protein" too (BC2GM), or rather single genes (halfway to BioNLP)."""
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

    def sums(self, names: Sequence[Iterable[str]]) -> Floats:
        """For each of ``names`` the sum of the weights of those that have some, one after the other."""
        rows = [[row for row in map(self.rows.get, own) if row is not None] for own in names]
        ends = np.cumsum([len(own) for own in rows], dtype=np.int64)
        flat = np.fromiter(chain.from_iterable(rows), np.int64, int(ends[-1]))
        return summed(self.weights.reshape(len(self.weights), -1), flat, ends)


@dataclass(frozen=True)
class GeneModel:
    """Everything that was learned.

    ``types``: those of the names that it finds. ``own``: features of a spelling that count for the token itself, (features,
    width): weights of all labels, then those that the strict guideline has instead of the first. ``wide``: those that count for
    its neighbours too, (features, offsets, width). ``places``: features of the place. ``steps``: (guidelines, labels, labels),
    ``-inf`` where one cannot follow the other. ``clusters``: word → the groups of similar words that it is in. ``calibration``:
    for each type the slope and intercept that turn log-odds by the strict guideline into how often spans are right.
    """

    types: tuple[str, ...]
    own: Table
    wide: Table
    places: Table
    steps: NDArray[np.float64]
    clusters: Mapping[str, tuple[int, ...]]
    calibration: NDArray[np.float64]
    fingerprint: str = ""

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return labels_of(self.types)

    @cached_property
    def groups(self) -> Callable[[str], tuple[str, ...]]:
        """Token → the groups of similar words that it is in, as names of features, from the coarsest; remembered."""
        return lru_cache(maxsize=65536)(partial(groups_of, clusters=self.clusters))

    def save(self, path: Path) -> None:
        arrays: dict[str, NDArray[Any]] = {"version": np.array(_VERSION), "steps": self.steps}
        arrays["types"] = _lines(dict.fromkeys(self.types))
        for name in ("own", "wide", "places"):
            table: Table = getattr(self, name)
            flat = table.weights.reshape(len(table.weights), -1)
            scale = np.abs(flat).max(axis=1) / 127
            arrays[f"{name}_names"] = _lines(table.rows)
            arrays[f"{name}_scale"] = scale.astype(np.float16)
            arrays[f"{name}_rows"] = np.round(flat / np.maximum(scale, 1e-12)[:, None]).astype(np.int8)
        arrays["words"] = _lines(self.clusters)
        arrays["clusters"] = np.array(list(self.clusters.values()), np.int16)
        arrays["calibration"] = self.calibration
        with replacing(path, "wb") as handle:
            np.savez_compressed(handle, **arrays)  # type: ignore[arg-type]

    @classmethod
    def read(cls, path: Path) -> GeneModel:
        try:
            arrays, digest = kept_tables(path, _with_weights), digest_of(path)
            if int(arrays["version"]) != _VERSION:
                raise ValueError(f"version {int(arrays['version'])} instead of {_VERSION}")
            tables = {}
            types = tuple(_names(arrays["types"])) if "types" in arrays else ("protein",)
            width = len(labels_of(types)) + N_STRICT
            for name, shape in (("own", (-1, width)), ("wide", (-1, len(OFFSETS), width)), ("places", (-1, width))):
                tables[name] = Table.of(_names(arrays[f"{name}_names"]), arrays[f"{name}_weights"].reshape(shape))
                if len(tables[name].rows) != len(tables[name].weights):
                    raise ValueError(f"{name}: names and weights differ in number")
            words = _names(arrays["words"])
            return cls(
                types,
                **tables,
                steps=arrays["steps"].astype(np.float64),
                clusters=dict(zip(words, map(tuple, arrays["clusters"].tolist()), strict=True)),
                calibration=arrays["calibration"].astype(np.float64).reshape(len(types), 2),
                fingerprint=digest,
            )
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise LanguageError(f"{path}: the gene tagger is damaged ({error}); reinstall relhash") from error


def _with_weights(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of the file, with weights instead of bytes and scales."""
    arrays = read_npz(path)
    for name in ("own", "wide", "places"):
        rows, scales = (arrays.pop(f"{name}_{part}").astype(np.float32) for part in ("rows", "scale"))
        arrays[f"{name}_weights"] = rows * scales[:, None]
    return arrays


def _lines(texts: Mapping[str, Any]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode(), np.uint8)


def _names(lines: NDArray[np.uint8]) -> list[str]:
    return lines.tobytes().decode().split("\n") if len(lines) else []


def groups_of(form: str, clusters: Mapping[str, tuple[int, ...]]) -> tuple[str, ...]:
    """The groups of a token as names of features; those of its shape where the word is not known."""
    numbers = clusters.get(form.lower())
    return ("c0=?", f"c1=?{shape(form)}") if numbers is None else tuple(f"c{level}={n}" for level, n in enumerate(numbers))


REMEMBERED = 100_000
"""Spellings whose weights are remembered before all are forgotten: about 20 MB."""
N_BORDERS = 2
GENES_FIRST = 0.3
"""How much more certain another name than that of a gene has to be: the strict guideline makes the certainty of genes low."""
LONGEST = 400
"""Tokens of a stretch without a full stop (a table, a list) that are looked at in one go."""
BLOCK = 4096
"""Tokens, about, whose scores are in memory at a time."""


class _Spellings(NamedTuple):
    """What is remembered of spellings, a row each; the first two are what stands before and after a sentence."""

    weights: NDArray[np.float32]
    """What a spelling weighs at each offset."""
    parts: NDArray[np.uint64]
    brackets: NDArray[np.int8]
    """See :class:`~relhash.biomed.genes.place_scores.Spelling`."""


class GeneTagger:
    """Finds mentions of genes, their products, families and complexes; all are ``"protein"``. Threads may share it."""

    def __init__(self, model: GeneModel, known: KnownNames) -> None:
        self.model, self._known, labels = model, known, model.labels
        self._begins, self._ends = borders(labels)
        self._first = {kind: [labels.index(f"{place} {kind}") for place in ("begin", "single")] for kind in model.types}
        self._last = {kind: [labels.index(f"{place} {kind}") for place in ("end", "single")] for kind in model.types}
        self._places = PlaceTable.of(model.places.rows)
        self._rows: dict[str, int] = {}
        self._spelled = _Spellings(
            np.zeros((1024, *model.wide.weights.shape[1:]), np.float32), np.zeros((1024, 6), np.uint64), np.zeros(1024, np.int8)
        )
        self._spelled.weights[:N_BORDERS] = model.wide.weights[model.wide.rows[BORDER]]
        self._spelled.parts[:N_BORDERS] = [np.tile(numbered(sign), 3) for sign in ("^", "$")]
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        """Changes with the weights; part of every cache key."""
        return f"genes {genes.VERSION} {self.model.fingerprint}"

    def mentions(self, words: Words) -> list[PredictedMention]:
        """The mentions among ``words``, in their order."""
        found: list[PredictedMention] = []
        for first, ends in _blocks(stretches(words)):
            here = slice(first, first + ends[-1])
            for start, end, kind, likely in self._graded(words.texts[here], words.spaces[here], ends):
                begins, last = words.groups[first + start][0], words.groups[first + end - 1][1] - 1
                certainty = self._certainty(kind, likely)
                found.append(PredictedMention(words.spans[begins][0], words.spans[last][1], kind, (), certainty))
        return found

    def spans(self, texts: Sequence[str], spaces: Sequence[bool]) -> list[tuple[int, int, str, float]]:
        """(first token, token after the last, type, certainty) of each mention in a sentence of these tokens.

        ``spaces`` says of each token whether a space follows it.
        """
        return [
            (first, after, kind, self._certainty(kind, likely))
            for first, after, kind, likely in self.graded_spans(texts, spaces)
        ]

    def graded_spans(self, texts: Sequence[str], spaces: Sequence[bool]) -> list[tuple[int, int, str, float]]:
        """The same with a probability instead of the certainty: that a name begins or ends where the span does, strictly."""
        return list(self._graded(tuple(texts), spaces, (len(texts),)))

    def _graded(
        self, texts: tuple[str, ...], spaces: Sequence[bool], ends: tuple[int, ...]
    ) -> Iterator[tuple[int, int, str, float]]:
        """The same of several sentences."""
        given = self._weights(texts, spaces, ends), np.array(ends, np.int64), N_STRICT, self.model.steps
        labels, probable, named = labelled(*given, self._begins, self._ends)
        for sentence in named.tolist():
            start, end = ends[sentence - 1] if sentence else 0, ends[sentence]
            own = texts[start:end]
            runs = mention_runs(self.model.labels, labels[start:end])
            whole = [(*span, kind) for first, after, kind in runs if (span := trimmed(own, first, after))]
            for first, after, kind in up_to_receptors(own, whole):
                begins = sum([probable.item(start + first, label) for label in self._first[kind]])
                closes = sum([probable.item(start + after - 1, label) for label in self._last[kind]])
                yield start + first, start + after, kind, max(begins, closes)

    def scores(self, texts: Sequence[str], spaces: Sequence[bool]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The score of each label at each token, by the broad and by the strict guideline."""
        scores, n_labels = self._weights(tuple(texts), spaces, (len(texts),)), len(self.model.labels)
        return scores[:, :n_labels], np.concatenate([scores[:, n_labels:], scores[:, N_STRICT:n_labels]], axis=1)

    def _weights(self, texts: tuple[str, ...], spaces: Sequence[bool], ends: tuple[int, ...]) -> NDArray[np.float64]:
        """The scores of all labels at each token of sentences that end before the tokens ``ends``, then those of the labels
        that the strict guideline scores otherwise."""
        spelled, rows = self._spellings(texts)
        scores = np.zeros((len(texts), spelled.weights.shape[2]))
        weights, known = self.model.places.weights, self._known.numbered(texts, ends)
        places = self._places, np.array(spaces, np.bool_), known
        add_weights(scores, np.array(ends, np.int64), *spelled, rows, weights, *places)
        return scores

    def _certainty(self, kind: str, probability: float) -> float:
        slope, intercept = self.model.calibration[self.model.types.index(kind)]
        return 1 / (1 + math.exp(-(slope * log_odds(probability) + intercept)))

    def _spellings(self, texts: Sequence[str]) -> tuple[_Spellings, NDArray[np.int64]]:
        """What is known of spellings, and the row of each text in it."""
        with self._lock:
            if len(self._rows) + len(texts) > REMEMBERED:
                self._rows.clear()
            new = [text for text in dict.fromkeys(texts) if text not in self._rows]
            if new:
                self._remember(new)
            return self._spelled, np.array([self._rows[text] for text in texts], np.int64)

    def _remember(self, texts: Sequence[str]) -> None:
        first = len(self._rows) + N_BORDERS
        here = slice(first, first + len(texts))
        while here.stop > len(self._spelled.weights):  # another thread may be reading the old ones: not resized in place
            self._spelled = _Spellings(*(np.concatenate([own, np.zeros_like(own)]) for own in self._spelled))
        spelled = [Spelling.of(text, shape(text), self.model.groups(text)[1]) for text in texts]
        self._spelled.weights[here] = self._weighed(texts)
        self._spelled.parts[here] = [one.parts for one in spelled]
        self._spelled.brackets[here] = [one.bracket for one in spelled]
        self._rows.update(zip(texts, range(first, here.stop), strict=True))

    def _weighed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """What the spellings say of the tokens around them: (spellings, offsets, labels)."""
        own, wide = self.model.own, self.model.wide
        names = [(*_features_of_form(text), *self.model.groups(text)) for text in texts]
        weights = wide.sums(names).reshape(len(texts), *wide.weights.shape[1:])
        weights[:, CENTRE] += own.sums(names)
        return weights


@lru_cache(maxsize=4096)
def _features_of_form(text: str) -> tuple[str, ...]:
    return tuple(form_features(text))  # several taggers ask for those of the same words


def log_odds(probability: float) -> float:
    """The logarithm of the odds, kept within what a float can tell from certainty."""
    return math.log(max(probability, 1e-6)) - math.log(max(1 - probability, 1e-6))


def borders(labels: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What the first and the last label of a sentence score: it neither begins nor ends inside a mention."""
    is_first = [label.startswith(("outside", "begin", "single")) for label in labels]
    is_last = [label.startswith(("outside", "end", "single")) for label in labels]
    return np.where(is_first, 0.0, -np.inf), np.where(is_last, 0.0, -np.inf)


def mention_runs(names: Sequence[str], labels: NDArray[np.int64]) -> Iterator[tuple[int, int, str]]:
    """(first token, token after the last, type) of each mention that the labels spell."""
    first = 0
    for index in labels.nonzero()[0].tolist():
        place, _, kind = names[labels[index]].partition(" ")
        if place in ("begin", "single"):
            first = index
        if place in ("end", "single"):
            yield first, index + 1, kind


def stretches(words: Words) -> Iterator[tuple[int, int]]:
    """(first word, word after the last) of pieces that are about sentences: the tagger runs before the parser, which knows."""
    texts, spaces, starts = words.texts, words.spaces, words.starts
    first = 0
    for index, (begins, before) in enumerate(zip(starts[1:], texts, strict=False), 1):
        if begins or (before in _FULL_STOPS and spaces[index - 1] and begins is None and not texts[index][0].islower()):
            yield from _pieces(first, index)
            first = index
    if texts:
        yield from _pieces(first, len(texts))


_FULL_STOPS = frozenset(".?!")


def _pieces(first: int, after: int) -> Iterator[tuple[int, int]]:
    starts = range(first, after, LONGEST)
    return zip(starts, (*starts[1:], after), strict=True)


def _blocks(pieces: Iterable[tuple[int, int]]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Pieces that follow each other, some thousand words at a time: the first word, and where each piece ends after it."""
    start = 0
    ends: list[int] = []
    for first, after in pieces:
        if not ends:
            start = first
        ends.append(after - start)
        if ends[-1] >= BLOCK:
            yield start, tuple(ends)
            ends = []
    if ends:
        yield start, tuple(ends)


class Taggers:
    """Several taggers as one; where their mentions overlap, the more certain one stays (:data:`GENES_FIRST`).

    A gene is less certain where the text has its name as that of a chemical, a disease, a cell or a species, too.
    """

    def __init__(self, *taggers: GeneTagger) -> None:
        self._taggers = taggers

    @property
    def fingerprint(self) -> str:
        """Changes with the weights of any; part of every cache key."""
        return " ".join(["rivals", *(tagger.fingerprint for tagger in self._taggers)])

    def mentions(self, words: Words) -> list[PredictedMention]:
        """The mentions among ``words``, in their order."""
        found = [mention for tagger in self._taggers for mention in tagger.mentions(words)]
        starts = {start: number for number, (start, _) in enumerate(words.spans)}
        ends = {end: number + 1 for number, (_, end) in enumerate(words.spans)}
        names = [words.tokens[starts[one.start] : ends[one.end]] for one in found]
        rivals: dict[tuple[str, ...], float] = {}
        for name, one in zip(names, found, strict=True):
            if one.type != "protein":
                rivals[name] = max(one.certainty, rivals.get(name, 0.0))
        kept: list[PredictedMention] = []
        for one in sorted(found, key=lambda mention: -mention.certainty - GENES_FIRST * (mention.type == "protein")):
            place = bisect_left(kept, one.start, key=lambda other: other.start)  # those kept stand in order and do not overlap
            if all(one.start >= other.end or other.start >= one.end for other in kept[max(place - 1, 0) : place + 1]):
                kept.insert(place, one)
        doubts = {
            id(one): rivals[name] for name, one in zip(names, found, strict=True) if one.type == "protein" and name in rivals
        }
        return [replace(one, certainty=one.certainty * (1 - doubts[id(one)])) if id(one) in doubts else one for one in kept]


@cache
def _shipped_known() -> KnownNames:
    return KnownNames(shipped_names())


@cache
def shipped_gene_tagger() -> GeneTagger:
    """The tagger of genes and their products that ships, read once."""
    return GeneTagger(GeneModel.read(resource_path("genes", "model.npz")), _shipped_known())


@cache
def shipped_taggers() -> Taggers:
    """All taggers that ship: genes; chemicals, diseases, cells and species."""
    others = GeneModel.read(resource_path("genes", "others.npz"))
    return Taggers(shipped_gene_tagger(), GeneTagger(others, _shipped_known()))
