"""The language model that ships: spaCy trained it, and numpy runs it, so that a first sentence does not wait for spaCy.

What is asked before it is known whether anything has to be parsed (name, scheme, fingerprint) stands in two small files; tables
and weights are loaded when a first text has to be parsed, which takes longer than reading a kept parse.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.biomed import genes
from relhash.blas import one_blas_thread
from relhash.corpus.document import Span
from relhash.errors import LanguageError
from relhash.kept_tables import Tables, kept_tables
from relhash.language.annotation import ParsedSentence, PredictedMention
from relhash.language.arc_eager import LEFT, RIGHT, Affine, ArcEagerParser
from relhash.language.compact import PIPELINE, restored, unpacked
from relhash.language.entities import KNOWN_TYPES
from relhash.language.lemmas import Lemmas
from relhash.language.parsed_words import ParsedWords
from relhash.language.remembered_words import LayerInContext, RememberedWords
from relhash.language.tokenizer import Tokenizer
from relhash.language.words import Words, token_spans
from relhash.language.words_alone import Strings, WordsAlone, WordVectors
from relhash.resources import resource_path

EMBEDDED = "biomed_en"
_WHAT_ENTITIES_DEPEND_ON = (
    ("genes", "model.npz"), ("genes", "others.npz"), ("lexicon", "names.npz"), ("lexicon", "patterns.tsv"),
)  # fmt: skip
_ORTH = 65
"""How the file calls the text of a token."""


class Network(NamedTuple):
    """The parts of the model that read a text."""

    tokenizer: Tokenizer
    words: RememberedWords
    tags: tuple[str, ...]
    tagger: Affine
    parser: ArcEagerParser
    lemmas: Lemmas

    def read(self, words: Words) -> ParsedWords:
        """Tags and trees of some words."""
        vectors = self.words(words.texts)
        tags = [self.tags[number] for number in self.tagger(vectors).argmax(axis=1).tolist()]
        starts = np.array([0 if start is None else 1 if start else -1 for start in words.starts], np.int8)
        trees = self.parser(vectors, starts)
        lemmas = list(map(self.lemmas, words.texts, tags))
        return ParsedWords(tags, lemmas, trees.heads, trees.labels, trees.starts)


@cache
def network(folder: Path) -> Network:
    """The model in a folder that :func:`relhash.language.compact.save_compact` wrote.

    Raises
    ------
    LanguageError
        If the folder is damaged.
    """
    try:
        tables = kept_tables(folder / PIPELINE, _tables)
        rules = json.loads(tables["rules"].tobytes())
        alone, *in_context = [
            tuple(tables[f"words/{number}/{name}"] for name in LayerInContext._fields) for number in range(rules["layers"])
        ]
        embedded = [(tables[f"words/table {number}"], seed) for number, seed in enumerate(rules["seeds"])]
        vectors = WordVectors(*(tables[f"vectors/{name}"] for name in WordVectors._fields))
        of_words = WordsAlone(Strings.shipped(), vectors, embedded, tables["words/projection"], *alone)
        return Network(
            Tokenizer(*rules["tokenizer"]),
            RememberedWords(of_words, [LayerInContext.of(*one) for one in in_context], rules["pad"]),
            tuple(rules["tags"]),
            _affine(tables, "tagger"),
            ArcEagerParser(
                _affine(tables, "parser/hidden"), tables["parser/roles"], tables["parser/bias"], tables["parser/absent"],
                _affine(tables, "parser/scores"), rules["moves"],
            ),
            Lemmas.of_tables(rules["lemmas"]),
        )
    except (OSError, ValueError, KeyError, IndexError, TypeError, zlib.error) as error:
        raise LanguageError(f"the language model in {folder} is damaged ({error}); reinstall relhash or the model") from error


def _affine(tables: Tables, name: str) -> Affine:
    return Affine(tables[f"{name}/W"], tables[f"{name}/b"])


def _tables(path: Path) -> dict[str, NDArray[Any]]:
    """What is needed of the file of a pipeline, as plain arrays; everything that is no array in one of JSON."""
    stored = unpacked(zlib.decompress(path.read_bytes()))
    vocabulary, tokenizer, tagger, parser = (unpacked(stored[name]) for name in ("vocab", "tokenizer", "tagger", "parser"))
    vectors, lookups = unpacked(vocabulary["vectors"]), unpacked(vocabulary["lookups"])
    places, rows = unpacked(vectors["key2row"]), unpacked(vectors["vectors"])
    numbers = np.fromiter(places, np.uint64, len(places))
    order = numbers.argsort()
    words, tagging, parsing = (_layers(one) for one in (unpacked(stored["tok2vec"]), tagger, parser))
    (scores, hidden), lower = parsing["linear"], parsing["precomputable_affine"][0]
    layers = list(zip(words["maxout"], words["layernorm"], strict=True))
    rules = {
        "tokenizer": [
            *(tokenizer[rule] for rule in ("prefix_search", "suffix_search", "infix_finditer")),
            {case: [token[_ORTH] for token in tokens] for case, tokens in tokenizer["exceptions"].items()},
        ],
        "layers": len(layers),
        "seeds": [int(table["seed"]) for table in words["hashembed"]],
        "pad": max(int(own["pad"]) for kind in words.values() for own in kind if "pad" in own),  # words alone need none
        "tags": json.loads(tagger["cfg"])["labels"],
        "moves": _moves(json.loads(unpacked(parser["moves"])["moves"])),
        "lemmas": {name: next(iter(table.values())) for name, table in lookups.items()},
    }
    tables = {
        "rules": np.frombuffer(json.dumps(rules).encode(), np.uint8),
        "vectors/numbers": numbers[order],
        "vectors/places": np.fromiter(places.values(), np.int32, len(places))[order],
        "vectors/rows": rows["rows"],
        "vectors/scales": rows["scale"],
        "words/projection": words["static_vectors"][0]["W"],
        "parser/roles": lower["W"],
        "parser/bias": lower["b"],
        "parser/absent": lower["pad"],
    }
    for number, table in enumerate(words["hashembed"]):
        tables[f"words/table {number}"] = table["E"]
    for number, (maxout, norm) in enumerate(layers):
        parts = (maxout["W"], maxout["b"], norm["G"], norm["b"])
        tables |= {f"words/{number}/{name}": part for name, part in zip(LayerInContext._fields, parts, strict=True)}
    for name, layer in (("tagger", tagging["softmax"][0]), ("parser/hidden", hidden), ("parser/scores", scores)):
        tables |= {f"{name}/W": layer["W"], f"{name}/b": layer["b"]}
    return tables


def _layers(component: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What the layers of a component's network hold, by kind of layer, those nearer to the beginning first."""
    model = unpacked(component["model"])
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for node, attributes, parameters in zip(model["nodes"], model["attrs"], model["params"], strict=True):
        held = {name: unpacked(value) for name, value in attributes.items()}
        found[node["name"]].append({**held, **{name: restored(value) for name, value in parameters.items()}})
    return found


def _moves(counts: dict[str, dict[str, int]]) -> list[tuple[int, str]]:
    """Kind and label of each move, in the order of the scores: the kinds by number, the most frequent labels first."""
    return [
        (int(kind), label if int(kind) in (LEFT, RIGHT) else "")
        for kind, labels in sorted(counts.items())
        for _, label in sorted(((count, label) for label, count in labels.items()), reverse=True)
    ]


class ShippedModel:
    """The model ``"embedded"``: name, scheme and fingerprint at once, its two jobs when they are asked for.

    Names are found by :mod:`relhash.biomed.genes`; the recognizers of the file are not loaded. Threads may share it.
    """

    def __init__(self, scheme: str | None = None) -> None:
        self._folder = resource_path(EMBEDDED)
        try:
            self._files = [(self._folder / name).read_bytes() for name in ("meta.json", "config.cfg")]
            meta: dict[str, Any] = json.loads(self._files[0])
            self.name, self.version = str(meta["name"]), str(meta["version"])
            self.scheme = scheme or str(meta["dependency_scheme"])
        except (OSError, ValueError, KeyError) as error:
            raise LanguageError(f"the embedded language model is missing or damaged ({error}); reinstall relhash") from error
        self.entity_labels: tuple[str, ...] = KNOWN_TYPES

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever the model, the gene tagger or its list of names does; part of every cache key."""
        digest = hashlib.sha256(genes.VERSION.encode())
        for content in self._files:
            digest.update(content)
        for parts in _WHAT_ENTITIES_DEPEND_ON:
            with resource_path(*parts).open("rb") as handle:
                digest.update(hashlib.file_digest(handle, "sha256").digest())
        return digest.hexdigest()

    @cached_property
    def network(self) -> Network:
        return network(self._folder)

    def tokenize(self, text: str) -> Iterable[Span]:
        """Spans of the tokens of ``text``."""
        return token_spans(self.network.tokenizer, text)

    def parses(self, units: Sequence[Words]) -> list[list[ParsedSentence]]:
        """For each unit its sentences; a unit without words has none.

        Units go through one at a time: in a larger batch the last digits of a score depend on the neighbours, and with them,
        once in a while, an attachment.
        """
        with one_blas_thread():
            self.network.words.remember(sorted({text for words in units for text in words.texts}))
            return [self.network.read(words).sentences(words, self.scheme) if words.texts else [] for words in units]

    def entities(self, units: Sequence[Words], types: frozenset[str] | None = None) -> list[list[PredictedMention]]:
        """For each unit the mentions that are found."""
        if types == frozenset():
            return [[] for _ in units]
        from relhash.biomed.genes.tagger import shipped_taggers  # compiled code: not for those who only read a file

        # cells and species are found even where they are not asked for: they are what genes and chemicals are mistaken for
        taggers = shipped_taggers()
        return [taggers.mentions(words) for words in units]
