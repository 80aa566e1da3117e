"""A user's spaCy model behind the few operations that the pipeline needs: tokens, parses, entities.

Threads may share a model: its components are called one after the other, and one thread at a time is inside spaCy, whose
vocabulary takes up every new word and forgets it at the end of a memory zone.
"""

from __future__ import annotations

import hashlib
import json
import weakref
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from relhash.blas import one_blas_thread
from relhash.corpus.conllu import detect_scheme
from relhash.corpus.document import Span
from relhash.errors import LanguageError
from relhash.language.annotation import ParsedSentence, PredictedMention
from relhash.language.compact import is_compact, load_compact
from relhash.language.entities import entity_type, resolved
from relhash.language.lemmas import Lemmas
from relhash.language.parsed_words import ParsedWords
from relhash.language.words import Words, spans_of, token_spans

Result = TypeVar("Result")

_loading = Lock()
_locks: weakref.WeakKeyDictionary[Any, Lock] = weakref.WeakKeyDictionary()
"""One lock for each spaCy pipeline, however many models are made of it."""


def load_model(model: str | Path, scheme: str | None = None) -> LoadedModel:
    """The model with that name (an installed package) or in that folder; it must have a parser.

    Raises
    ------
    LanguageError
        If there is no such model, if it has no parser, or if its label scheme is not recognised.
    """
    with _loading:  # the second thread to ask gets what the first one loads
        return LoadedModel(_loaded(str(model)), scheme)


@cache
def _loaded(model: str) -> Any:
    import spacy

    if Path(model).is_dir() and is_compact(Path(model)):
        return load_compact(Path(model))
    try:
        return spacy.load(model)
    except (OSError, ValueError) as error:
        what = "folder with a spaCy model" if Path(model).exists() else "installed spaCy package or folder"
        raise LanguageError(
            f"{model!r} is no {what}; use 'embedded', give the folder that holds its config.cfg, or pip install the package"
        ) from error


class LoadedModel:
    """A spaCy pipeline with a parser, its identity, and its two jobs: parses and entities. Safe to share between threads."""

    def __init__(self, nlp: Any, scheme: str | None = None) -> None:
        self._nlp = nlp
        self._lock = _locks.setdefault(nlp, Lock())
        assigns = {name: set(nlp.get_pipe_meta(name).assigns) for name in nlp.pipe_names}
        parsers = [name for name, assigned in assigns.items() if "token.dep" in assigned]
        if not parsers:
            raise LanguageError(
                f"the model {nlp.meta.get('name')!r} has no dependency parser (only: {', '.join(nlp.pipe_names) or 'nothing'}) "
                "and paths are made of dependencies; use the embedded model or one with a parser"
            )
        self._recognizers = [name for name, assigned in assigns.items() if "doc.ents" in assigned]
        self._parse_components = [name for name in nlp.pipe_names if name not in self._recognizers]
        self.name = str(nlp.meta.get("name") or "model")
        self._lemmas = Lemmas.of(nlp)
        self.version = str(nlp.meta.get("version", "0"))
        self.scheme = scheme or nlp.meta.get("dependency_scheme") or _detected_scheme(nlp, parsers)

    @property
    def entity_labels(self) -> tuple[str, ...]:
        return tuple(label for name in self._recognizers for label in getattr(self._nlp.get_pipe(name), "labels", ()))

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever the configuration or training of the model does; part of every cache key."""
        meta = json.dumps(self._nlp.meta, sort_keys=True, default=str) + self._nlp.config.to_str()
        return hashlib.sha256(meta.encode("utf-8")).hexdigest()

    def tokenize(self, text: str) -> Iterable[Span]:
        """Spans of the tokens of ``text``."""
        with self._lock:
            return token_spans(lambda run: spans_of(self._nlp.tokenizer(run)), text)

    def parses(self, units: Sequence[Words]) -> list[list[ParsedSentence]]:
        """For each unit its sentences; a unit without words has none."""

        def sentences(words: Words, doc: Any) -> list[ParsedSentence]:
            return self._parsed(words, doc).sentences(words, self.scheme)

        return self._run(units, self._parse_components, sentences)

    def entities(self, units: Sequence[Words], types: frozenset[str] | None = None) -> list[list[PredictedMention]]:
        """For each unit the mentions that are found; where those of two recognizers overlap, the earlier one is right.

        Recognizers after the last one that knows any of ``types`` do not run; what those before it find is all there.

        Each recognizer sees a fresh document: spaCy would let the first one's entities forbid the second's. What opens a
        bracket that it does not close ("NAD (P") is no name and is dropped.
        """

        def mentions(words: Words, doc: Any) -> list[PredictedMention]:
            return [_mention(words, entity) for entity in doc.ents if not _cuts_brackets(entity.text)]

        found: list[list[PredictedMention]] = [[] for _ in units]
        for name in self._recognizers_of(types):
            for number, fresh in enumerate(self._run(units, [*self._listened_to(name), name], mentions)):
                earlier = [(mention.start, mention.end) for mention in found[number]]
                found[number] = [*found[number], *resolved(earlier, fresh)]
        return found

    def _recognizers_of(self, types: frozenset[str] | None) -> list[str]:
        if types is None:
            return self._recognizers
        knowing = [
            number
            for number, name in enumerate(self._recognizers)
            if not types.isdisjoint(map(entity_type, getattr(self._nlp.get_pipe(name), "labels", ())))
        ]
        return self._recognizers[: knowing[-1] + 1] if knowing else []

    def _parsed(self, words: Words, doc: Any) -> ParsedWords:
        """What the pipeline has written into a document; reading spaCy's tokens one by one takes three times as long."""
        columns = doc.to_array(["HEAD", "TAG", "POS", "DEP", "LEMMA"])
        import numpy as np  # not at the top: who only reads text does not wait for it

        heads = (columns[:, 0].astype(np.int64) + np.arange(len(columns))).tolist()
        written = columns[:, 1:].T.tolist()
        called = {number: doc.vocab.strings[number] if number else "" for column in written for number in column}
        tags, parts_of_speech, labels, lemmas = ([called[number] for number in column] for column in written)
        if self._lemmas is not None:
            lemmas = [lemma or self._lemmas(text, tag) for lemma, text, tag in zip(lemmas, words.texts, tags, strict=True)]
        shown = [tag or part for tag, part in zip(tags, parts_of_speech, strict=True)]
        return ParsedWords(shown, lemmas, heads, labels, [sentence.start for sentence in doc.sents])

    def _listened_to(self, recognizer: str) -> list[str]:
        """The shared embedding components that ``recognizer`` reads from."""
        return [
            name for name in self._nlp.pipe_names if recognizer in getattr(self._nlp.get_pipe(name), "listening_components", ())
        ]

    def _run(
        self, units: Sequence[Words], components: Sequence[str], result: Callable[[Words, Any], list[Result]]
    ) -> list[list[Result]]:
        """For each unit what ``result`` takes from its processed document (nothing for a unit without words).

        Documents go through one at a time: in a larger batch the last digits of a score depend on the neighbours, and with
        them, once in a while, an attachment. No document outlives its memory zone.
        """
        from spacy.tokens import Doc

        stages = [self._nlp.get_pipe(name) for name in components]
        taken: list[list[Result]] = []
        with one_blas_thread():
            for words in units:
                if not words.texts:
                    taken.append([])
                    continue
                with self._lock, self._nlp.memory_zone():
                    doc = Doc(
                        self._nlp.vocab, words=list(words.texts), spaces=list(words.spaces), sent_starts=list(words.starts)
                    )
                    for stage in stages:
                        doc = stage(doc)
                    taken.append(result(words, doc))
                    del doc
        return taken


def _mention(words: Words, entity: Any) -> PredictedMention:
    first, last = words.groups[entity.start][0], words.groups[entity.end - 1][1] - 1
    return PredictedMention(words.spans[first][0], words.spans[last][1], entity_type(entity.label_))


def _cuts_brackets(text: str) -> bool:
    return any(text.count(opening) != text.count(closing) for opening, closing in ("()", "[]", "{}"))


def _detected_scheme(nlp: Any, parsers: Sequence[str]) -> str:
    """The label scheme of a foreign parser, from the labels it can give."""
    labels = [label for name in parsers for label in getattr(nlp.get_pipe(name), "labels", ())]
    found = detect_scheme(labels)
    if found is not None:
        return found
    raise LanguageError(
        f"the label scheme of the parser of {nlp.meta.get('name')!r} is not recognised; "
        "name it with scheme='craft', 'ud' or 'stanford-basic'"
    )
