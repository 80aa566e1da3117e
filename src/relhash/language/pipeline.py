"""Text in, documents with sentences, tokens, mentions and dependencies out: the adapter around a spaCy pipeline.

Only what is missing is added: a corpus keeps its sentences, tokens, mentions and parses unless asked otherwise. The result for
one document never depends on the others in the stream or on the size of the batches.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from relhash.biomed.names import phrases
from relhash.corpus.document import Document, Mention, Sentence, Span
from relhash.corpus.remarks import check_characters
from relhash.errors import ParameterError, RelHashWarning
from relhash.language.annotation import Annotation, ParsedSentence, ParseSource, PredictedMention
from relhash.language.entities import Lexicon, Recogniser, entity_type, resolved
from relhash.language.parse_cache import ParseCache, cache_key
from relhash.language.parsed_words import LONGEST_SENTENCE
from relhash.language.words import LONGEST_UNIT, Words, divided, stops_after_capitals, words_of_sentence, words_of_text

LONG_TEXT = 2 * LONGEST_UNIT
"""Characters up to which a text has surely fewer words than a unit."""

EntityPolicy = Literal["keep", "predict", "merge", "none"]


class Pipeline:
    """A language pipeline: sentences, tokens, tags, lemmas, dependencies and entities.

    Parameters
    ----------
    model
        ``"embedded"`` (the biomedical English model that ships with RelHash), the folder of a spaCy model, or the name of an
        installed spaCy package (``"en_core_sci_sm"``). It must have a parser.
    scheme
        Name of the model's inventory of dependency labels; by default the model's own statement, else detected from its labels.
    entities
        ``"keep"``: a document with mentions (or with listed candidate pairs) keeps exactly those, any other gets predicted
        ones. ``"merge"``: predicted mentions are added where they overlap no given one. ``"predict"``: given mentions are
        replaced, and relations dropped with them. ``"none"``: nothing is predicted.
    types
        Predict only mentions of these types (in any of their names); ``None``: all that the model and the lexicon know.
    lexicon
        Names → ids as a second source of entities, see :class:`relhash.language.entities.Lexicon`.
    recogniser
        A finder of names of your own: text in, mentions with place, type, certainty and perhaps ids out (a spaCy pipeline:
        :func:`relhash.language.entities.spacy_recogniser`). Where one of the model's overlaps them, theirs stay. Parses are
        kept between runs only if it has a ``fingerprint``, a string that changes when it does.
    blind
        Replace entities by a placeholder noun before parsing (see :mod:`relhash.language.words`).
    reparse
        Tokenise and parse again what the document has parsed already, inside its own sentence bounds.
    collapse
        Bring the parses into the scheme ``stanford-collapsed`` (see :mod:`relhash.language.schemes`).
    cache
        Where parses are kept between runs; ``None`` parses always.
    batch_size
        Documents handed to spaCy at a time. It changes the speed, never the result.

    Examples
    --------
    >>> pipeline = Pipeline()                                                                    # doctest: +SKIP
    >>> document = pipeline("Ras catalyzes phosphorylation of Raf.")                             # doctest: +SKIP
    >>> [(mention.text, mention.type) for mention in document.mentions]                          # doctest: +SKIP
    [('Ras', 'protein'), ('Raf', 'protein')]
    """

    def __init__(
        self,
        model: str | Path = "embedded",
        *,
        scheme: str | None = None,
        entities: EntityPolicy = "keep",
        types: Iterable[str] | None = None,
        lexicon: Lexicon | None = None,
        recogniser: Recogniser | None = None,
        blind: bool = False,
        reparse: bool = False,
        collapse: bool = False,
        cache: ParseCache | None = None,
        batch_size: int = 64,
    ) -> None:
        if entities not in ("keep", "predict", "merge", "none"):
            raise ParameterError(f"entities={entities!r}; allowed are 'keep', 'predict', 'merge' and 'none'")
        if batch_size < 1:
            raise ParameterError(f"batch_size={batch_size}; it must be at least 1")
        self.types = None if types is None else frozenset(map(entity_type, types))
        self._model = _loaded(model, scheme)
        self.entities, self.lexicon, self.blind, self.reparse = entities, lexicon, blind, reparse
        self.collapse = collapse
        self.recogniser, self.batch_size = recogniser, batch_size
        self.cache = cache if recogniser is None or hasattr(recogniser, "fingerprint") else None

    @property
    def source(self) -> ParseSource:
        """Parser, version and scheme: what ``Sentence.parser`` records and what a model must not mix."""
        return ParseSource(self._model.name, self._model.version, self._model.scheme, self.blind)

    @property
    def entity_types(self) -> tuple[str, ...]:
        """The types of mention that the model predicts, in our names."""
        return tuple(sorted({entity_type(label) for label in self._model.entity_labels}))

    def __call__(self, text: str | Document) -> Document:
        """One document, or one text (as a document with the id ``"text"``)."""
        document = text if isinstance(text, Document) else Document("text", text)
        return next(self.annotate([document]))

    def annotate(self, documents: Iterable[Document | str]) -> Iterator[Document]:
        """The documents in their order, annotated; a stream in, a stream out (``batch_size`` of them are held at a time)."""
        named = (
            item if isinstance(item, Document) else Document(f"text{number}", item) for number, item in enumerate(documents)
        )
        while batch := tuple(itertools.islice(named, self.batch_size)):
            yield from self._annotated(batch)

    def recognised(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the mentions that are found in them, and nothing parsed."""
        plans = [_Plan(document, self._model.tokenize, self) for document in documents]
        found = zip(documents, self._predicted_mentions(plans), strict=True)
        return [
            replace(document, mentions=(*document.mentions, *_as_mentions(document, mentions))) for document, mentions in found
        ]

    def _annotated(self, batch: Sequence[Document]) -> list[Document]:
        keys = [None if self.cache is None else self._key(document) for document in batch]
        found = [self._kept(key, document) for key, document in zip(keys, batch, strict=True)]
        missing = [index for index, annotation in enumerate(found) if annotation is None]
        for index, annotation in zip(missing, self._parse([batch[index] for index in missing]), strict=True):
            found[index] = annotation
            key = keys[index]
            if self.cache is not None and key is not None:
                self.cache.put(key, annotation)
        source = self.source
        for document, kept in zip(batch, found, strict=True):
            _warn_of_cut_sentences(document, kept)
        return [
            annotation.applied_to(
                document,
                parser=str(source),
                scheme=source.scheme,
                replace_mentions=self.entities == "predict",
                collapse=self.collapse,
            )
            for document, annotation in zip(batch, found, strict=True)
            if annotation is not None
        ]

    def _kept(self, key: str | None, document: Document) -> Annotation | None:
        """The parse that is kept for the document, if there is one that fits it."""
        annotation = None if self.cache is None or key is None else self.cache.get(key)
        if self.cache is not None and key is not None and annotation is not None and not annotation.fits(document):
            self.cache.drop(key)
            return None
        return annotation

    def _parse(self, documents: Sequence[Document]) -> list[Annotation]:
        if not documents:
            return []  # and the model need not be loaded
        plans = [_Plan(document, self._model.tokenize, self) for document in documents]
        predicted = self._predicted_mentions(plans)
        units = [
            words.blinded([*_kept(plan.document, self), *_as_mentions(plan.document, mentions)]) if self.blind else words
            for plan, mentions in zip(plans, predicted, strict=True)
            for words in plan.to_parse
        ]
        parses = iter(self._model.parses(units))
        return [
            Annotation(plan.assembled(parses), tuple(mentions)) for plan, mentions in zip(plans, predicted, strict=True)
        ]  # fmt: skip

    def _predicted_mentions(self, plans: Sequence[_Plan]) -> list[list[PredictedMention]]:
        """Mentions to add to each document: of the model and of the lexicon, where the policy asks for them."""
        asked = [plan for plan in plans if plan.wants_entities]
        by_unit = iter(self._model.entities([words for plan in asked for words in plan.all_words], self.types))
        added: dict[int, list[PredictedMention]] = {}
        for plan in asked:
            from_model = [mention for _ in plan.all_words for mention in next(by_unit)]
            if any(mention.type == "protein" for mention in from_model):
                from relhash.biomed.names.table import shipped_names  # not for those who find no names

                from_model = phrases.names_in(plan.document.text, from_model, shipped_names())
            from_lexicon = [] if self.lexicon is None else self.lexicon.matches(plan.document.text, plan.token_spans)
            own = () if self.recogniser is None else self.recogniser(plan.document.text)
            from_recogniser = [replace(mention, type=entity_type(mention.type)) for mention in own]
            found = resolved(_spans(_kept(plan.document, self)), from_lexicon, from_recogniser, from_model)
            added[id(plan)] = [mention for mention in found if self.types is None or mention.type in self.types]
        return [added.get(id(plan), []) for plan in plans]

    def _key(self, document: Document) -> str:
        settings: list[object] = [self._model.fingerprint, str(self.source), self.entities, self.reparse]
        settings.append("" if self.lexicon is None else self.lexicon.fingerprint)
        settings += [] if self.recogniser is None else [str(getattr(self.recogniser, "fingerprint", ""))]
        settings.append(None if self.types is None else sorted(self.types))
        if len(document.text) > LONG_TEXT:
            settings.append(LONGEST_UNIT)  # parsed in parts
        if stops_after_capitals(document.text):
            settings.append("E2F . NF-kappa B .")  # tokenised otherwise before
        settings.append(phrases.VERSION)
        return cache_key(settings, document)


def _loaded(model: str | Path, scheme: str | None) -> Any:
    # numpy is not for those who only read a text, spaCy not for those who use the model that ships
    if model == "embedded":
        from relhash.language.embedded import ShippedModel

        return ShippedModel(scheme)
    from relhash.language.spacy_model import load_model

    return load_model(model, scheme)


class _Plan:
    """What one document needs: the words to parse, the words to look for entities in, and how to put parses together."""

    def __init__(self, document: Document, tokenize: Any, pipeline: Pipeline) -> None:
        check_characters([document.text], where=document.id)
        self.document = document
        has_own = bool(document.entities) or document.candidates is not None
        self.wants_entities = not has_own if pipeline.entities == "keep" else pipeline.entities != "none"
        self._parsed_anew = [pipeline.reparse or not sentence.is_parsed for sentence in document.sentences]
        self._units: list[list[Words]] = []
        """For each sentence that is looked at, or for the whole text, the words that a model reads at once."""
        if not document.sentences:
            self._units = [divided(words_of_text(document, tokenize))]
            self.to_parse = self.all_words
            return
        self._units = [
            divided(words_of_sentence(document, sentence, tokenize, keep_tokens=not pipeline.reparse))
            if anew or self.wants_entities
            else []
            for sentence, anew in zip(document.sentences, self._parsed_anew, strict=True)
        ]
        self.to_parse = [
            words for units, anew in zip(self._units, self._parsed_anew, strict=True) if anew for words in units
        ]  # fmt: skip

    @property
    def all_words(self) -> list[Words]:
        """All units in which entities are looked for, in the order of the text."""
        return [words for units in self._units for words in units]

    @property
    def token_spans(self) -> list[Span]:
        return [span for words in self.all_words for span in words.spans]

    def assembled(self, parses: Iterator[list[ParsedSentence]]) -> tuple[ParsedSentence | None, ...]:
        """The sentences in order, taking from ``parses`` one entry for each element of ``to_parse``."""
        if not self.document.sentences:
            return tuple(parsed for _ in self.to_parse for parsed in next(parses))
        return tuple(
            _one([parsed for _ in units for parsed in next(parses)], sentence) if anew else None
            for sentence, units, anew in zip(self.document.sentences, self._units, self._parsed_anew, strict=True)
        )


def _one(parsed: Sequence[ParsedSentence], sentence: Sentence) -> ParsedSentence:
    """The parse of one given sentence; a very long one was parsed in parts, between which no arc leads."""
    if len(parsed) == 1:
        return parsed[0]
    tokens: list[tuple[int, int, str, str]] = []
    arcs: list[tuple[int, int, str]] = []
    for part in parsed:
        arcs += [(head + len(tokens), dependent + len(tokens), label) for head, dependent, label in part.arcs]
        tokens += part.tokens
    return ParsedSentence(sentence.start, sentence.end, tuple(tokens), tuple(arcs))


def _warn_of_cut_sentences(document: Document, annotation: Annotation | None) -> None:
    found = () if annotation is None or document.sentences else annotation.sentences
    if any(sentence is not None and len(sentence.tokens) >= LONGEST_SENTENCE for sentence in found):
        warnings.warn(
            f"document {document.id!r}: a stretch without the end of a sentence was cut into pieces of {LONGEST_SENTENCE} "
            "words; relations across a cut are not found (is the text without punctuation, or a table?)",
            RelHashWarning,
            stacklevel=2,
        )


def _kept(document: Document, pipeline: Pipeline) -> Sequence[Mention]:
    return () if pipeline.entities == "predict" else document.entities


def _as_mentions(document: Document, predicted: Sequence[PredictedMention]) -> list[Mention]:
    return [
        Mention(f"T{number}", m.type, ((m.start, m.end),), document.text[m.start : m.end], m.ids, certainty=m.certainty)
        for number, m in enumerate(predicted, 1)
    ]


def _spans(mentions: Sequence[Mention]) -> list[Span]:
    return [span for mention in mentions for span in mention.spans]
