"""Sentences as arrays for :mod:`gene_model.fitting`: the features of the tagger, and which of them a guideline weighs anew.

Weights are shared by all guidelines; features that say how a guideline cuts and what it counts (words, shapes, groups, what the
list of names says) have a second weight for each, named ``guideline|feature``. What ships adds the two up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gene_model.corpora import OPEN, MarkedText
from gene_model.fitting import Problem
from relhash.biomed.genes.known import KnownNames
from relhash.biomed.genes.place_scores import form_features, place_features
from relhash.biomed.genes.tagger import BORDER, PLACES, groups_of, labels_of
from relhash.corpus.document import Span

TYPES = ("protein", "chemical", "disease", "cell", "species")
GUIDELINES = ("bc2gm", "bionlp", "bioinfer", "jnlpba", "nero", "genenorm", "cdr", "ncbi", "id")
MARKED = {
    "cdr": ("chemical", "disease"), "ncbi": ("disease",), "jnlpba": ("protein", "cell"),
    "id": ("protein", "chemical", "species"), "nero": TYPES,
}  # fmt: skip
"""Types that a guideline marks; the others mark proteins."""
_SPECIFIC = tuple(f"{guideline}|" for guideline in GUIDELINES)
NARROW = ("p2", "p3", "p4", "p5", "x2", "x3", "x4", "x5", "g=", "n=", "d=", "a=")
"""Features of a spelling that count for the token itself only."""
AT_LEAST_FORM, AT_LEAST_PLACE = 2, 3
"""Tokens that a feature must be seen at."""
LABELS = labels_of(TYPES)
OUTSIDE = 0
_OF_TYPE = {kind: [LABELS.index(f"{place} {kind}") for place in PLACES] for kind in TYPES}


@dataclass
class Tokens:
    """A sentence in tokens, with its features and the labels that its annotation allows."""

    sentence: MarkedText
    spans: list[Span]
    texts: list[str]
    places: list[list[str]]
    allowed: NDArray[np.bool_]


class Reader:
    """Sentences → tokens, by the tokenizer that ships."""

    def __init__(self, tokenize, known: KnownNames, clusters: dict[str, tuple[int, ...]]) -> None:
        self._tokenize, self._known, self.clusters = tokenize, known, clusters

    def __call__(self, sentence: MarkedText) -> Tokens | None:
        text = sentence.text
        spans = [(start, end) for start, end in self._tokenize(text) if not text[start:end].isspace()]
        if not spans:
            return None
        texts = [text[start:end] for start, end in spans]
        spaces = [text[end : end + 1].isspace() for _, end in spans]
        classes = self._known.classes(texts)
        places = place_features(texts, spaces, classes, [groups_of(form, self.clusters)[1] for form in texts])
        return Tokens(sentence, spans, texts, places, _allowed(sentence, spans, texts, classes))


def _allowed(
    sentence: MarkedText, tokens: Sequence[Span], texts: Sequence[str], classes: Sequence[Sequence[str]]
) -> NDArray[np.bool_]:
    """The labels of each token: one where all names are marked; all of a type of which the corpus marks none or some."""
    allowed = np.zeros((len(tokens), len(LABELS)), bool)
    allowed[:, OUTSIDE] = True
    for kind in set(TYPES) - set(sentence.whole):
        allowed[:, _OF_TYPE[kind]] = True
    if "protein" not in sentence.whole and sentence.guideline == "nero":
        for index, (text, known) in enumerate(zip(texts, classes, strict=True)):
            is_gene = any(not role.endswith(_OTHER_ROLES) for role in known)
            if text.isalpha() and text == text.lower() and not is_gene:
                allowed[index, _OF_TYPE["protein"]] = False
    last = -1
    for start, end, kind in sorted(sentence.marks, key=lambda mark: (mark[0], -mark[1])):
        inside = _covered(tokens, start, end)
        if kind in TYPES and (not inside or inside[0] <= last):  # nested: the longer one stays
            continue
        if kind == OPEN:
            allowed[[index for index in inside if index > last]] = True
        elif not kind:
            allowed[[index for index in inside if index > last], 1:] = False
        else:
            last = inside[-1]
            begin, middle, finish, single = _OF_TYPE[kind]
            allowed[inside] = False
            for index in inside:
                label = single if len(inside) == 1 else begin if index == inside[0] else finish if index == last else middle
                allowed[index, label] = True
    return allowed


_OTHER_ROLES = (" chemical", " disease", " cell", " species")


def _covered(tokens: Sequence[Span], start: int, end: int) -> list[int]:
    return [index for index, (first, after) in enumerate(tokens) if first < end and start < after]


def _is_specific_place(name: str) -> bool:
    return name == "b" or name.startswith(("x=", "g=", "gs="))


def _is_specific_form(name: str) -> bool:
    return name == BORDER or name.startswith(("l=", "s=", "is ", "c1="))


@dataclass
class Vocabulary:
    """Names of features → rows."""

    own: dict[str, int]
    wide: dict[str, int]
    places: dict[str, int]
    clusters: dict[str, tuple[int, ...]]

    @classmethod
    def of(cls, sentences: Sequence[Tokens], clusters: dict[str, tuple[int, ...]]) -> Vocabulary:
        forms = Counter((one.sentence.guideline, text) for one in sentences for text in one.texts)
        own: Counter[str] = Counter()
        wide: Counter[str] = Counter({BORDER: AT_LEAST_FORM, **{f"{g}|{BORDER}": AT_LEAST_FORM for g in GUIDELINES}})
        for (guideline, form), count in forms.items():
            mine, far = _of_form(form, guideline, clusters)
            own.update(dict.fromkeys(mine, count))
            wide.update(dict.fromkeys(far, count))
        places = Counter(name for one in sentences for names in one.places for name in _of_place(names, one.sentence.guideline))
        return cls(_rows(own, AT_LEAST_FORM), _rows(wide, AT_LEAST_FORM), _rows(places, AT_LEAST_PLACE), clusters)


def _of_form(form: str, guideline: str, clusters: dict[str, tuple[int, ...]]) -> tuple[list[str], list[str]]:
    names = [*form_features(form), *groups_of(form, clusters)]
    wide = [name for name in names if name[:2] not in NARROW]
    return [name for name in names if name[:2] in NARROW], wide + [f"{guideline}|{n}" for n in wide if _is_specific_form(n)]


def _of_place(names: list[str], guideline: str) -> list[str]:
    return names + [f"{guideline}|{name}" for name in names if _is_specific_place(name)]


def _rows(counts: Counter[str], at_least: int) -> dict[str, int]:
    return {name: row for row, name in enumerate(sorted(name for name, count in counts.items() if count >= at_least))}


def problem(sentences: Sequence[Tokens], vocabulary: Vocabulary, types: Sequence[str]) -> Problem:
    """The sentences as arrays, for a model of these types; features that the vocabulary does not have are left out."""
    forms: dict[tuple[str, str], int] = {}
    own: list[list[int]] = []
    wide: list[list[int]] = []
    places: list[list[int]] = []
    spelling: list[int] = []
    for one in sentences:
        guideline = one.sentence.guideline
        for text in one.texts:
            number = forms.setdefault((guideline, text), len(own))
            if number == len(own):
                mine, far = _of_form(text, guideline, vocabulary.clusters)
                own.append(_known(mine, vocabulary.own))
                wide.append(_known(far, vocabulary.wide))
            spelling.append(number)
        places.extend(_known(_of_place(names, guideline), vocabulary.places) for names in one.places)
    own.append([])
    wide.append([vocabulary.wide[BORDER]])
    return Problem(
        bounds=np.cumsum([0, *(len(one.texts) for one in sentences)]).astype(np.int64),
        spelling=np.array(spelling, np.int32),
        own=_ragged(own),
        wide=_ragged(wide),
        places=_ragged(places),
        allowed=_of_types(np.concatenate([one.allowed for one in sentences]), types),
        guideline=np.array([GUIDELINES.index(one.sentence.guideline) for one in sentences]),
        importance=np.ones(len(sentences)),
        wide_is_specific=np.array([name.startswith(_SPECIFIC) for name in vocabulary.wide]),
        place_is_specific=np.array([name.startswith(_SPECIFIC) for name in vocabulary.places]),
        marked=_marked(types),
    )


def _of_types(allowed: NDArray[np.bool_], types: Sequence[str]) -> NDArray[np.bool_]:
    """The labels that are allowed to a model of some types: what may be of another type may be outside."""
    own = [place for kind in types for place in _OF_TYPE[kind]]
    others = [place for place in range(len(LABELS)) if place not in own]
    return np.concatenate([allowed[:, others].any(axis=1, keepdims=True), allowed[:, own]], axis=1)


def _marked(types: Sequence[str]) -> NDArray[np.float64]:
    labels = labels_of(types)
    return np.array([
        [float(label.rpartition(" ")[2] in MARKED.get(guideline, ("protein",))) for label in labels] for guideline in GUIDELINES
    ])  # fmt: skip


def _known(names: Iterable[str], rows: dict[str, int]) -> list[int]:
    return [row for row in map(rows.get, names) if row is not None]


def _ragged(lists: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    ends = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return ends, np.fromiter((row for one in lists for row in one), np.int32, int(ends[-1]))
