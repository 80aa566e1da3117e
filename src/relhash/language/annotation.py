"""What a pipeline adds to one document, and where it comes from: it can be cached and laid onto the document again.

Ids are given only when an annotation is applied, so that two documents with the same text share one cache entry.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from relhash.corpus.conllu import COLLAPSED
from relhash.corpus.document import Dependency, Document, Mention, Sentence, Span, Token
from relhash.errors import LanguageError
from relhash.language.schemes import collapse as collapsed_sentence
from relhash.language.schemes import collapsed


@dataclass(frozen=True, slots=True)
class ParseSource:
    """Parser, version and scheme of labels; its text form is what ``Sentence.parser`` and model files hold.

    A model fitted on the parses of one source misreads those of another.

    >>> source = ParseSource("biomed_en", "1.0.0", "craft")
    >>> str(source)
    'biomed_en 1.0.0 (craft)'
    >>> ParseSource.from_text(str(source)) == source
    True
    """

    name: str
    version: str
    scheme: str
    blinded: bool = False
    """Whether entities were replaced by a placeholder before parsing (see :mod:`relhash.language.words`)."""

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.scheme}){' blinded' if self.blinded else ''}"

    @classmethod
    def from_text(cls, text: str) -> ParseSource:
        """The source that ``text`` names; parses of corpus files ("Charniak-Lease") have no such form and are refused."""
        plain = text.removesuffix(" blinded")
        source, _, scheme = plain.removesuffix(")").rpartition(" (")
        name, _, version = source.rpartition(" ")
        if not (name and version and scheme and plain.endswith(")")):
            raise LanguageError(f"{text!r} names no parser of RelHash; parses of a corpus file carry only the file's own name")
        return cls(name, version, scheme, blinded=plain != text)


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A parse: where the sentence stands, (start, end, pos, lemma) of each token, (head, dependent, label) of each arc."""

    start: int
    end: int
    tokens: tuple[tuple[int, int, str, str], ...]
    arcs: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class PredictedMention:
    """A mention found in the text; ``certainty`` is the probability that the span, as cut, names an entity of this type."""

    start: int
    end: int
    type: str
    ids: tuple[str, ...] = ()
    certainty: float = 1.0
    name: str = ""
    """The whole name where the text leaves a part out (see :attr:`relhash.corpus.document.Mention.name`)."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One parse per sentence (``None`` where the document's own stays), and the mentions to add."""

    sentences: tuple[ParsedSentence | None, ...]
    mentions: tuple[PredictedMention, ...]

    def to_json(self) -> str:
        rows = [None if s is None else [s.start, s.end, s.tokens, s.arcs] for s in self.sentences]
        mentions = [[m.start, m.end, m.type, m.ids, m.certainty, m.name] for m in self.mentions]
        return json.dumps([rows, mentions], ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Annotation:
        """Read back; raises ``ValueError``, ``TypeError`` or ``KeyError`` when ``text`` is not what :meth:`to_json` wrote."""
        rows, mentions = json.loads(text)
        return cls(
            tuple(None if row is None else _parsed_sentence(*row) for row in rows),
            tuple(
                PredictedMention(int(start), int(end), str(kind), tuple(ids), float(certainty), str(name))
                for start, end, kind, ids, certainty, name in mentions
            ),
        )

    def fits(self, document: Document) -> bool:
        """Whether all places and numbers are those of ``document``: an entry of a cache may be whole and yet wrong."""
        if document.sentences and len(self.sentences) != len(document.sentences):
            return False
        length = len(document.text)
        return all(0 <= m.start < m.end <= length for m in self.mentions) and all(
            sentence is None or _is_inside(sentence, length) for sentence in self.sentences
        )

    def applied_to(
        self, document: Document, *, parser: str, scheme: str, replace_mentions: bool = False, collapse: bool = False
    ) -> Document:
        """The document with the parses and mentions of this annotation.

        ``replace_mentions`` drops the document's own mentions, and with them everything that refers to them. ``collapse``
        brings the parses into the scheme ``stanford-collapsed``.
        """
        if not document.sentences:
            sentences = tuple(
                _sentence(document, f"{document.id}.s{number}", parsed, parser, scheme, collapse)
                for number, parsed in enumerate(self.sentences)
                if parsed is not None
            )
        else:
            if len(self.sentences) != len(document.sentences):
                raise LanguageError(f"{document.id}: {len(self.sentences)} parses for {len(document.sentences)} sentences")
            sentences = tuple(
                given if parsed is None else _refreshed(document, given, parsed, parser, scheme)
                for given, parsed in zip(document.sentences, self.sentences, strict=True)
            )
            sentences = tuple(map(collapsed_sentence, sentences)) if collapse else sentences
        if replace_mentions:
            document = replace(
                document, mentions=(), relations=(), candidates=None, attributes=(), equivalences=(), concept_relations=()
            )
        return replace(
            document, sentences=sentences, mentions=(*document.mentions, *_numbered(document, self.mentions))
        )  # fmt: skip


def _is_inside(parsed: ParsedSentence, length: int) -> bool:
    n_tokens = len(parsed.tokens)
    return (
        0 <= parsed.start <= parsed.end <= length
        and all(0 <= start <= end <= length for start, end, _, _ in parsed.tokens)
        and all(0 <= head < n_tokens and 0 <= dependent < n_tokens for head, dependent, _ in parsed.arcs)
    )


def _parsed_sentence(start: Any, end: Any, tokens: Sequence[Any], arcs: Sequence[Any]) -> ParsedSentence:
    return ParsedSentence(
        int(start),
        int(end),
        tuple((int(a), int(b), str(pos), str(lemma)) for a, b, pos, lemma in tokens),
        tuple((int(head), int(dependent), str(label)) for head, dependent, label in arcs),
    )


def _sentence(
    document: Document, identifier: str, parsed: ParsedSentence, parser: str, scheme: str, collapse: bool = False
) -> Sentence:
    text = document.text
    tokens = tuple([Token(start, end, text[start:end], pos, lemma) for start, end, pos, lemma in parsed.tokens])
    if collapse and parsed.arcs and scheme != COLLAPSED:
        dependencies = collapsed(tokens, parsed.arcs, scheme, identifier)
    else:
        dependencies = tuple([Dependency(*arc, scheme) for arc in parsed.arcs])
    return Sentence(identifier, parsed.start, parsed.end, tokens, dependencies, parser)


def _refreshed(document: Document, given: Sentence, parsed: ParsedSentence, parser: str, scheme: str) -> Sentence:
    """A given sentence keeps its id, its bounds and, where they are the parsed ones, what its tokens say of themselves."""
    made = replace(_sentence(document, given.id, parsed, parser, scheme), start=given.start, end=given.end)
    if [(token.start, token.end) for token in given.tokens] != [(token.start, token.end) for token in made.tokens]:
        return made
    tokens = tuple(
        replace(old, pos=old.pos or new.pos, lemma=old.lemma or new.lemma)
        for old, new in zip(given.tokens, made.tokens, strict=True)
    )
    return replace(made, tokens=tokens)


def _numbered(document: Document, mentions: Sequence[PredictedMention]) -> list[Mention]:
    taken = {mention.id for mention in document.mentions} | {relation.id for relation in document.relations}
    numbered: list[Mention] = []
    number = 0
    for mention in mentions:
        while (identifier := f"{document.id}.p{number}") in taken:
            number += 1
        number += 1
        spans: tuple[Span] = ((mention.start, mention.end),)
        text = document.text[mention.start : mention.end]
        numbered.append(
            Mention(identifier, mention.type, spans, text, mention.ids, certainty=mention.certainty, name=mention.name)
        )
    return numbered
