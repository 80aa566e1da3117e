"""The checks that every reader applies to what it has read: nothing dangling, nothing outside the text."""

from __future__ import annotations

from collections.abc import Iterable

from relhash.corpus.document import Document, Mention, Sentence
from relhash.errors import CorpusError


def check_document(document: Document, *, path: str | None = None) -> None:
    """Raise a :class:`CorpusError` naming the element if ``document`` contradicts itself."""
    length = len(document.text)
    mention_ids = _unique((mention.id for mention in document.mentions), "mention", path)
    relation_ids = _unique((relation.id for relation in document.relations), "relation", path)
    _unique((sentence.id for sentence in document.sentences), "sentence", path)
    for mention in document.mentions:
        _check_mention(mention, length, path)
    for sentence in document.sentences:
        _check_sentence(sentence, length, path)
    known = mention_ids | relation_ids
    for relation in document.relations:
        for argument in relation.arguments:
            if argument.target not in known:
                raise CorpusError(
                    f"argument {argument.role} refers to {argument.target!r}, which does not exist",
                    path=path,
                    where=relation.id,
                )
        if relation.trigger is not None and relation.trigger not in mention_ids:
            raise CorpusError(f"trigger {relation.trigger!r} does not exist", path=path, where=relation.id)
    for pair in document.candidates or ():
        for end in (pair.first, pair.second):
            if end not in mention_ids:
                raise CorpusError(f"candidate pair refers to {end!r}, which does not exist", path=path, where=pair.id)
    for attribute in document.attributes:
        if attribute.target not in known:
            raise CorpusError(f"attribute refers to {attribute.target!r}, which does not exist", path=path, where=attribute.id)
    for group in document.equivalences:
        for member in group:
            if member not in mention_ids:
                raise CorpusError(f"equivalence refers to {member!r}, which does not exist", path=path, where=document.id)


def _unique(ids: Iterable[str], kind: str, path: str | None) -> set[str]:
    seen: set[str] = set()
    for identifier in ids:
        if identifier in seen:
            raise CorpusError(
                f"the {kind} id {identifier!r} is used twice",
                path=path,
                where=identifier,
                remedy="ids must be unique in a document",
            )
        seen.add(identifier)
    return seen


def _check_mention(mention: Mention, length: int, path: str | None) -> None:
    if not mention.spans:
        raise CorpusError("mention without offsets", path=path, where=mention.id)
    previous = 0
    for start, end in mention.spans:
        if not 0 <= start < end <= length:
            raise CorpusError(f"offsets {start}-{end} lie outside the text of {length} characters", path=path, where=mention.id)
        if start < previous:
            raise CorpusError("spans of a mention must be in order and must not overlap", path=path, where=mention.id)
        previous = end


def _check_sentence(sentence: Sentence, length: int, path: str | None) -> None:
    if not 0 <= sentence.start <= sentence.end <= length:
        raise CorpusError(
            f"offsets {sentence.start}-{sentence.end} lie outside the text of {length} characters", path=path, where=sentence.id
        )
    for token in sentence.tokens:
        if not sentence.start <= token.start <= token.end <= sentence.end:
            raise CorpusError(f"token {token.text!r} lies outside its sentence", path=path, where=sentence.id)
    count = len(sentence.tokens)
    for arc in sentence.dependencies:
        if not (0 <= arc.head < count and 0 <= arc.dependent < count):
            raise CorpusError(f"dependency {arc.label!r} refers to a token that does not exist", path=path, where=sentence.id)
