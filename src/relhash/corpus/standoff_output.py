"""Writing standoff: a folder with a text and its annotation files for each document (see :mod:`relhash.corpus.standoff`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from relhash.corpus.document import Attribute, Document, Mention, Relation, spanned_text
from relhash.errors import CorpusError
from relhash.files import new_folder

_NAME = re.compile(r"[^\s:]+")
_LINE_END = re.compile(r"[\r\n\t]")
_FOUND_LATER = {"Entity", "Anaphora"}
"""Types of mentions that the shared tasks ask for (``.a2``) rather than give (``.a1``)."""


def write_brat(documents: Iterable[Document], path: Path) -> None:
    """A folder of ``.txt`` and ``.ann``. Ids that are not of brat's form (``T1``, ``E1``, ``R1``, …) are numbered anew."""
    with new_folder(path) as folder:
        for document, name in _named(documents, path):
            lines = _Lines(document, path)
            _write_text(folder / f"{name}.txt", document.text)
            _write_text(folder / f"{name}.ann", "".join([*lines.mentions(document.mentions), *lines.rest("AM")]))


def write_bionlp(documents: Iterable[Document], path: Path) -> None:
    """A folder of ``.txt``, ``.a1`` (given entities) and ``.a2`` (triggers, events, relations, equivalences, modifications)."""
    with new_folder(path) as folder:
        for document, name in _named(documents, path):
            lines = _Lines(document, path)
            given = [mention for mention in document.mentions if not _is_asked_for(mention)]
            asked = [mention for mention in document.mentions if _is_asked_for(mention)]
            _write_text(folder / f"{name}.txt", document.text)
            _write_text(folder / f"{name}.a1", "".join(lines.mentions(given)))
            _write_text(folder / f"{name}.a2", "".join([*lines.mentions(asked), *lines.rest("M")]))


def _is_asked_for(mention: Mention) -> bool:
    return mention.is_trigger or mention.is_answer or mention.type in _FOUND_LATER


def _named(documents: Iterable[Document], path: Path) -> Iterator[tuple[Document, str]]:
    """Documents with the names of their files: the id, with characters that file systems dislike percent-encoded."""
    seen: set[str] = set()
    for document in documents:
        if not document.text:  # an empty text file would pass for a damaged one
            raise CorpusError("standoff cannot hold a document without text", path=path, where=document.id)
        name = quote(document.id, safe=" !#$&'()+,;=@[]{}^~", errors="strict")
        if name.startswith("."):
            name = "%2E" + name[1:]
        if not name or len(name) > 200:
            raise CorpusError("the document's id cannot be a file name (empty or too long)", path=path, where=document.id[:60])
        if name in seen:
            raise CorpusError("two documents have this id, so their files would have one name", path=path, where=document.id)
        seen.add(name)
        yield document, name


def _write_text(path: Path, content: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as handle:
        handle.write(content)


class _Lines:
    """The annotation lines of one document, with the ids that they get."""

    def __init__(self, document: Document, path: Path) -> None:
        self.document, self.path = document, path
        mentions = [mention.id for mention in document.mentions]
        interactions = [relation.id for relation in document.relations if relation.trigger is not None]
        pairs = [relation.id for relation in document.relations if relation.trigger is None]
        self.ids = dict(zip(mentions, _names(mentions, "T")))
        relation_ids = dict(zip(interactions, _names(interactions, "E"))) | dict(zip(pairs, _names(pairs, "R")))
        clash = self.ids.keys() & relation_ids.keys()
        if clash:
            raise self._refusal(sorted(clash)[0], "a mention and a relation of the same id")
        self.ids |= relation_ids

    def mentions(self, mentions: Iterable[Mention]) -> Iterator[str]:
        for mention in mentions:
            offsets = ";".join(f"{start} {end}" for start, end in mention.spans)
            covered = _LINE_END.sub(" ", spanned_text(self.document.text, mention.spans))
            yield f"{self.ids[mention.id]}\t{self._name(mention.type, mention.id)} {offsets}\t{covered}\n"

    def rest(self, attribute_letters: str) -> Iterator[str]:
        for relation in self.document.relations:
            yield self._relation(relation)
        for group in self.document.equivalences:
            if len(group) < 2:
                raise self._refusal(self.document.id, "an equivalence of fewer than two mentions")
            yield f"*\tEquiv {' '.join(self.ids[member] for member in group)}\n"
        notes = iter(_names([attribute.id for attribute in self.document.attributes if _is_note(attribute)], "#"))
        stated = iter(
            _names([attribute.id for attribute in self.document.attributes if not _is_note(attribute)], attribute_letters)
        )
        for attribute in self.document.attributes:
            yield self._note(attribute, next(notes)) if _is_note(attribute) else self._attribute(attribute, next(stated))
        for mention in self.document.mentions:
            for place, identifier in enumerate(mention.ids, 1):
                if not identifier or identifier != " ".join(identifier.split()):
                    raise self._refusal(mention.id, f"the database id {identifier!r}")
                name = self.ids[mention.id]
                yield f"N{name[1:]}.{place}\tReference {name} {identifier}\n"

    def _attribute(self, attribute: Attribute, identifier: str) -> str:
        name, value = self._name(attribute.type, attribute.id), attribute.value
        if value != " ".join(value.split()):
            raise self._refusal(attribute.id, "an attribute's value with line ends, tabs or runs of blanks")
        return f"{identifier}\t{name} {self.ids[attribute.target]}{' ' if value else ''}{value}\n"

    def _note(self, note: Attribute, identifier: str) -> str:
        if "\n" in note.value or note.value.endswith("\r"):
            raise self._refusal(note.id, "a note of several lines")
        return f"{identifier}\t{self._name(note.type, note.id)} {self.ids[note.target]}\t{note.value}\n"

    def _relation(self, relation: Relation) -> str:
        name = self._name(relation.type, relation.id)
        arguments = "".join(f" {self._name(a.role, relation.id)}:{self.ids[a.target]}" for a in relation.arguments)
        if relation.trigger is not None:
            return f"{self.ids[relation.id]}\t{name}:{self.ids[relation.trigger]}{arguments}\n"
        if len(relation.arguments) != 2:
            raise self._refusal(relation.id, f"a relation of {len(relation.arguments)} participants without a trigger")
        return f"{self.ids[relation.id]}\t{name}{arguments}\n"

    def _name(self, name: str, where: str) -> str:
        if not _NAME.fullmatch(name):
            raise self._refusal(where, f"the type or role {name!r} (blanks and colons have a meaning there)")
        return name

    def _refusal(self, where: str, what: str) -> CorpusError:
        return CorpusError(
            f"standoff cannot hold {what}",
            path=self.path,
            where=f"{self.document.id} {where}",
            remedy="write .jsonl, which holds everything",
        )


def _is_note(attribute: Attribute) -> bool:
    return attribute.id.startswith("#")


def _names(ids: list[str], letters: str) -> list[str]:
    """Ids to write: the same where all have the form of a standoff id already, else counted from 1."""
    if len(set(ids)) == len(ids) and all(re.fullmatch(rf"[{letters}][0-9]+", identifier) for identifier in ids):
        return ids
    return [f"{letters[0]}{number}" for number in range(1, len(ids) + 1)]
