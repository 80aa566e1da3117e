"""How a model reads text: with the parses that the files carry, or with a language pipeline, then always the same one.

A model that learned from one parser's paths misreads another's. So the choice is made once, when a model is fitted, and kept in
its file (:class:`ParseSettings`); whatever the model meets later is read accordingly (:class:`Reader`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from relhash.biomed.grounding import shipped_grounder
from relhash.candidates.candidate import Candidate
from relhash.candidates.views import view
from relhash.codec import InJson
from relhash.corpus import Document, Mention
from relhash.corpus.conllu import COLLAPSED
from relhash.corpus.tables.reader import UNTYPED
from relhash.errors import LanguageError, ModelFileError, ParameterError, StructureError
from relhash.language.annotation import ParseSource
from relhash.language.entities import Lexicon, Recogniser, entity_type
from relhash.language.parse_cache import ParseCache
from relhash.language.schemes import collapse_document
from relhash.processes import in_order, n_processes

if TYPE_CHECKING:
    from relhash.language import Pipeline


AUTO, FILE, EMBEDDED = "auto", "file", "embedded"


@dataclass(frozen=True, slots=True)
class ParseSettings(InJson):
    """Where parses come from, as plain data of a model file.

    Parameters
    ----------
    source
        ``"file"``: what the corpora carry. ``"embedded"``: the pipeline that ships with RelHash. Anything else is the folder or
        the installed package of a spaCy model with a parser.
    blind
        Replace entities by a placeholder noun before parsing.
    collapse
        Bring the parses into the scheme ``stanford-collapsed``.
    parser
        What the pipeline calls itself; filled in when a model is fitted, checked when it is used.
    types
        Types of entities to look for in text that has none; filled in from the training text. ``None``: all.
    """

    source: str = FILE
    blind: bool = True
    collapse: bool = True
    parser: str = ""
    types: tuple[str, ...] | None = None

    @property
    def uses_pipeline(self) -> bool:
        return self.source != FILE

    def trusting(self, trusted: str | None) -> ParseSettings:
        """These settings of a file. A spaCy model is code that would run, so a file may name only what ships.

        ``trusted`` is the one other source that the user, not the file, has named.
        """
        if self.source not in (FILE, EMBEDDED, trusted):
            raise ModelFileError(
                f"it reads text with the spaCy model {self.source!r}, which does not ship with RelHash, and loading that runs "
                f"its code; if you trust it, name it yourself: --parses {self.source} (in Python: parses={self.source!r})"
            )
        return self


NO_PARSE = "none"
REMEDY = "fit with --parses embedded (RelationExtractor(parses='embedded')), which parses whatever it is given"


def parse_source(candidates: Iterable[Candidate]) -> str:
    """Parser and label scheme of the candidates' sentences, as one string; ``"none"`` when nothing is parsed.

    Candidates with more than one source, or partly without a parse, are refused: such a corpus cannot be learned from.
    """
    return _only_source(candidates) or NO_PARSE


def parsed_views(names: Iterable[str]) -> list[str]:
    """Those of the views that walk dependencies.

    >>> parsed_views(["path+edges", "between", "descriptors"])
    ['path+edges']
    """
    return [name for name in names if view(name).needs_parse]


def check_parse_source(candidates: Sequence[Candidate], expected: str) -> None:
    """Refuse candidates whose parses do not come from the ``expected`` source."""
    given = _only_source(candidates)
    if given is None or given == expected:
        return
    where = _where(candidates[0])
    if given == NO_PARSE:
        raise StructureError(
            f"{where} has no parse, but the model was fitted on the parses of its files ({expected}); for raw text {REMEDY}"
        )
    raise StructureError(
        f"{where} was parsed by {given}, but the model was fitted on the parses of its files ({expected}); for text of any "
        f"source {REMEDY}"
    )


def _only_source(candidates: Iterable[Candidate]) -> str | None:
    """The one source of all candidates; nothing if no sentence says anything of its source."""
    found: dict[str, str] = {}
    last: tuple[int, int] | None = None
    for candidate in candidates:
        place = id(candidate.document), candidate.sentence
        if place == last:
            continue
        last = place
        source = _source(candidate)
        if source is not None:
            found.setdefault(source, _where(candidate))
    if len(found) > 1:
        listed = "; ".join(f"{source} ({where})" for source, where in sorted(found.items()))
        raise StructureError(
            f"parses come from different sources: {listed}. Use one source for everything: {REMEDY}, or leave the odd "
            "documents out"
        )
    return next(iter(found), None)


def _source(candidate: Candidate) -> str | None:
    """Source of one sentence; nothing for a parsed sentence without arcs, which says nothing of its scheme."""
    document = candidate.document
    if not document.sentences or not document.sentences[candidate.sentence].is_parsed:
        return NO_PARSE
    sentence = document.sentences[candidate.sentence]
    if not sentence.dependencies:
        return None
    parser, scheme = sentence.parser or "unnamed parser", sentence.dependencies[0].scheme
    if f"({scheme})" in parser:
        return parser
    return f"{parser}, as {scheme}" if parser.endswith((")", "blinded")) else f"{parser} ({scheme})"


def _where(candidate: Candidate) -> str:
    document = candidate.document
    if document.sentences:
        return f"sentence {document.sentences[candidate.sentence].id!r} of document {document.id!r}"
    return f"document {document.id!r}"


ANY_TYPE = UNTYPED
"""What a spreadsheet without types calls its entities, if the tagger knows none of them: such a model takes every type."""
BATCH = 16
"""Documents that are parsed at a time; it changes how often there is news, never the result."""
SURE_WITHOUT_ID = 0.8
"""Certainty of a name from which on it needs no id to count as a chemical or disease."""
FEW = 4 * BATCH
"""Documents up to which no processes are started: they take seconds to load what they need."""


class Reader:
    """Documents as a model wants them.

    Parameters
    ----------
    settings
        The model's choice.
    lexicon
        Names → ids to find in text without entities, beside what the pipeline recognises.
    recogniser
        A finder of names of your own, before the pipeline's (see :class:`relhash.language.Pipeline`).
    cache
        Where parses are kept between runs.
    ground
        Give ids to entities that have none, as far as their names are known (see :mod:`relhash.biomed.grounding`). Ids are
        no features; they tell which names are of one thing.
    n_jobs
        Processes that parse, as in scikit-learn; a text of few documents is parsed here. They never change a result.
    """

    def __init__(
        self,
        settings: ParseSettings,
        *,
        lexicon: Lexicon | None = None,
        cache: ParseCache | None = None,
        ground: bool = False,
        n_jobs: int | None = None,
        recogniser: Recogniser | None = None,
    ) -> None:
        self.settings, self.lexicon, self.cache, self.ground, self.n_jobs = settings, lexicon, cache, ground, n_jobs
        self.recogniser = recogniser

    def __call__(
        self,
        documents: Iterable[Document],
        *,
        tag: bool = True,
        on_document: Callable[[Document], object] | None = None,
        asks_for_ids: Callable[[Document], bool] | None = None,
    ) -> Iterator[Document]:
        """The documents in their order, parsed and (with ``tag``) their entities found, where the model's pipeline has to.

        Entities and sentences that a document has stay as they are. ``on_document`` is called with each document that the
        pipeline has looked at. Documents that the pipeline need not look at get ids only if ``asks_for_ids`` says so.
        """
        if not self.settings.uses_pipeline:
            for document in documents:
                yield self.grounded(document) if asks_for_ids is None or asks_for_ids(document) else document
            return
        pipeline = self._pipeline(tag)
        source = str(pipeline.source)
        if self.settings.parser not in ("", source):
            raise ModelFileError(
                f"the model was fitted on parses of {self.settings.parser}, but this installation has {source}; "
                "fit it again, or use the version of RelHash that made it"
            )
        for ready, asked in self._read_by(pipeline, source, iter(documents), tag):
            yield ready
            if on_document is not None and asked:
                on_document(ready)

    def _read_by(
        self, pipeline: Pipeline, source: str, documents: Iterator[Document], tag: bool
    ) -> Iterator[tuple[Document, bool]]:
        """The documents, and of each whether the pipeline has looked at it; on several processes where that pays."""
        processes = n_processes(self.n_jobs)
        first = list(islice(documents, FEW if processes > 1 else 0))
        everything = chain(first, documents)
        batches = iter(lambda: list(islice(everything, BATCH)), [])
        if processes == 1 or len(first) < FEW:
            for batch in batches:
                yield from self._batch_read(pipeline, source, batch, tag)
        else:
            for read in in_order(partial(self.read_batch, tag=tag), batches, processes):
                yield from read

    def _batch_read(
        self, pipeline: Pipeline, source: str, batch: Sequence[Document], tag: bool
    ) -> Iterator[tuple[Document, bool]]:
        waiting = [not _is_read(document, source, tag) for document in batch]
        if tag:
            self._check_types(pipeline, [document for document, asked in zip(batch, waiting, strict=True) if asked])
        parsed = pipeline.annotate([document for document, asked in zip(batch, waiting, strict=True) if asked])
        for document, asked in zip(batch, waiting, strict=True):
            ready = self.grounded(next(parsed) if asked else document)
            if asked and tag and self.ground:
                ready = replace(ready, mentions=tuple(filter(_is_trusted, ready.mentions)))
            yield ready if asked or not self.settings.collapse else collapse_document(ready), asked

    def read_batch(self, batch: Sequence[Document], tag: bool) -> list[tuple[Document, bool]]:
        """What a worker process does; what it has loaded, it keeps for the next batch."""
        pipeline = self._pipeline(tag)
        return list(self._batch_read(pipeline, str(pipeline.source), batch, tag))

    def recognised(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the entities that the model's pipeline finds in them, ids among them, and nothing parsed."""
        return [self.grounded(document) for document in self._pipeline(tag=True).recognised(documents)]

    def grounded(self, document: Document) -> Document:
        """The document with ids for its entities, if the reader gives any."""
        # after the cache, whose parses stay valid whatever the list of names says
        if not self.ground or not document.entities:
            return document
        return shipped_grounder()(document)

    def _pipeline(self, tag: bool) -> Pipeline:
        from relhash.language import Pipeline

        return Pipeline(
            self.settings.source,
            entities="keep" if tag else "none",
            types=self._types,
            lexicon=self.lexicon,
            recogniser=self.recogniser,
            blind=self.settings.blind,
            reparse=True,
            collapse=self.settings.collapse,
            cache=self.cache,
            batch_size=BATCH,
        )

    @property
    def _types(self) -> Collection[str] | None:
        types = self.settings.types
        return None if types is None or ANY_TYPE in types else tuple(map(entity_type, types))

    def _check_types(self, pipeline: Pipeline, documents: Sequence[Document]) -> None:
        """Refuse text without entities if nothing in it could be of the model's types."""
        if self._types is None or all(document.entities or document.candidates is not None for document in documents):
            return
        known = {*pipeline.entity_types, *(entry.type for entry in (self.lexicon.entries if self.lexicon else ()))}
        if known.isdisjoint(self._types):
            first = next(document for document in documents if not document.entities)
            raise LanguageError(
                f"document {first.id!r} has no entities, and none of the model's types ({', '.join(self._types)}) is among "
                f"those that can be found in text ({', '.join(sorted(known))}); give their names with a lexicon "
                "(--lexicon FILE: name, id, type), or annotate the text"
            )


def choose_parses(
    wanted: str | ParseSettings, train: Sequence[Document], target: Sequence[Document], *, needs_parse: bool, needs_split: bool
) -> ParseSettings:
    """The settings of a model that is to be fitted.

    ``"auto"`` is ``"embedded"`` as soon as any document of the two sides lacks what the model needs, else ``"file"``;
    documents that the embedded pipeline has parsed before keep those parses, and the model goes on with that pipeline.
    """
    if isinstance(wanted, ParseSettings):
        settings = wanted
    elif wanted != AUTO:
        settings = ParseSettings(wanted)
    elif any(lacks(document, needs_parse, needs_split) for side in (train, target) for document in side):
        settings = ParseSettings(EMBEDDED)
    else:
        settings = _own_parses([*train, *target]) or ParseSettings(FILE)
    if not settings.source:
        raise ParameterError("parses: say 'file', 'embedded', or a spaCy model with a parser")
    if not settings.uses_pipeline:
        return replace(settings, parser="", types=None)
    parser = str(Reader(settings)._pipeline(tag=False).source)
    return replace(settings, parser=parser, types=types_of(train))


def types_of(train: Iterable[Document]) -> tuple[str, ...] | None:
    """The types of entities that a model of this training text looks for in text that has none."""
    types = {entity_type(mention.type) for document in train for mention in document.entities}
    return tuple(sorted(types)) or None


def lacks(document: Document, needs_parse: bool, needs_split: bool) -> bool:
    """Whether a pipeline is needed to get candidates out of the document."""
    if not document.text.strip():
        return False
    if not document.sentences:
        return needs_parse or (document.candidates is None and (needs_split or not document.entities))
    return needs_parse and not all(sentence.is_parsed for sentence in document.sentences)


def _own_parses(documents: Sequence[Document]) -> ParseSettings | None:
    """The settings behind parses that the embedded pipeline made, if all of them are such."""
    found = {
        (sentence.parser, arc.scheme)
        for document in documents
        for sentence in document.sentences
        for arc in sentence.dependencies[:1]
    }
    if len(found) != 1:
        return None
    ((parser, scheme),) = found
    try:
        source = ParseSource.from_text(parser)
    except LanguageError:
        return None
    if replace(source, blinded=False) != _embedded_source():
        return None
    return ParseSettings(EMBEDDED, blind=source.blinded, collapse=scheme == COLLAPSED)


@cache
def _embedded_source() -> ParseSource:
    from relhash.language import Pipeline

    return Pipeline(EMBEDDED).source


def _is_trusted(mention: Mention) -> bool:
    """Whether a name that was found may stand: of chemicals and diseases one without an id has to be rather certain."""
    return bool(mention.ids) or mention.certainty >= SURE_WITHOUT_ID or entity_type(mention.type) not in ("chemical", "disease")


def _is_read(document: Document, source: str, tag: bool) -> bool:
    """Whether this very pipeline has seen the document before."""
    if tag and not document.entities and document.candidates is None:
        return False
    return bool(document.sentences) and all(sentence.parser == source for sentence in document.sentences)


def to_lexicon(given: Lexicon | str | os.PathLike[str] | None) -> Lexicon | None:
    """The lexicon, read if a file was named."""
    return given if given is None or isinstance(given, Lexicon) else Lexicon.read(Path(given))


def to_cache(given: bool | ParseCache) -> ParseCache | None:
    """The cache that was given, the usual one, or none."""
    return given if isinstance(given, ParseCache) else ParseCache() if given else None
