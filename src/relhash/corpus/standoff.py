"""Standoff annotation: a text file, and beside it files of numbered lines that point into it by character offsets.

Two dialects share one grammar. BioNLP shared tasks keep given entities in ``.a1`` and what is to be found in ``.a2`` (or
``.rel``); brat keeps all in ``.ann``. Mentions of an ``.a2`` are answers (``Mention.is_answer``, or triggers): no candidate and
no feature sees them.

====  ==============================================  ==================================================================
line  example                                         becomes
====  ==============================================  ==================================================================
T     ``T1<tab>Protein 0 3;8 11<tab>TNF p53``         mention (a trigger, if an event says so)
E     ``E1<tab>Binding:T4 Theme:T1 Theme2:T2``        relation with a trigger
R     ``R1<tab>Interacts Arg1:T1 Arg2:T2``            relation
\\*    ``*<tab>Equiv T1 T2``                           equivalence
A, M  ``M1<tab>Negation E1``                          attribute
N     ``N1<tab>Reference T1 UniProt:P01375<tab>TNF``  database id of the mention
\\#    ``#1<tab>AnnotatorNotes T1<tab>sure?``          attribute with the note as its value; other ``#`` lines are comments
====  ==============================================  ==================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote, unquote

from relhash.corpus.document import NO_ANSWERS, Argument, Attribute, Document, Mention, Relation, free_id, spanned_text
from relhash.corpus.remarks import OnError, Remarks, agrees, refusal, settled, without_broken
from relhash.corpus.source import content_name, iterate_lines, read_text
from relhash.errors import CorpusError
from relhash.files import new_folder

ANSWERS = (".a2", ".rel")
BIONLP_SUFFIXES = (".a1", *ANSWERS)
_OFFSETS = re.compile(r"\d{1,9} \d{1,9}(?:;\d{1,9} \d{1,9})*")
_NAME = re.compile(r"[^\s:]+")
_LINE_END = re.compile(r"[\r\n\t]")
_FOUND_LATER = {"Entity", "Anaphora"}
"""Types of mentions that the shared tasks ask for (``.a2``) rather than give (``.a1``)."""


def read_bionlp(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """The document of one ``.txt`` with its ``.a1``, ``.a2`` and ``.rel``; each may be missing (test sets have no ``.a2``)."""
    return without_broken([path], lambda file: _read_document(file, BIONLP_SUFFIXES, remarks or Remarks()), on_error)


def read_brat(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """The document of one ``.txt`` with its ``.ann``."""
    return without_broken([path], lambda file: _read_document(file, (".ann",), remarks or Remarks()), on_error)


@dataclass(slots=True)
class _Annotations:
    """The lines of a document's annotation files, sorted into kinds, each with the place it stands at."""

    remarks: Remarks
    mentions: dict[str, Mention] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    equivalences: list[tuple[str, ...]] = field(default_factory=list)
    normalisations: list[tuple[str, str, tuple[Path, int]]] = field(default_factory=list)
    places: dict[str, tuple[Path, int]] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)


class _MalformedError(ValueError):
    """A line that does not follow the grammar; caught where file and line number are known."""


def _read_document(path: Path, suffixes: tuple[str, ...], remarks: Remarks) -> Document:
    stem = content_name(path)
    for suffix in (".txt", *BIONLP_SUFFIXES, ".ann"):
        stem = stem.removesuffix(suffix)
    text_path = path if content_name(path).endswith(".txt") else _beside(path, stem + ".txt")
    if text_path is None:
        raise CorpusError(f"its text {stem}.txt is missing", path, remedy="put the text beside the annotations")
    annotations = _Annotations(remarks)
    answers: set[str] = set()
    found = {suffix: file for suffix in suffixes if (file := _beside(path, stem + suffix)) is not None}
    for suffix, file in found.items():
        given = set(annotations.mentions)
        _read_lines(file, annotations)
        if suffix in ANSWERS:
            answers |= annotations.mentions.keys() - given
    _resolve(annotations)
    for identifier in answers:
        mention = annotations.mentions[identifier]
        annotations.mentions[identifier] = replace(mention, is_answer=not mention.is_trigger)
    text = _choose_layout(read_text(text_path, keep_layout=True), annotations)
    asks = set(ANSWERS) & set(suffixes)
    document = Document(
        unquote(stem), text, mentions=tuple(annotations.mentions.values()), relations=tuple(annotations.relations),
        attributes=tuple(annotations.attributes), equivalences=tuple(annotations.equivalences),
        metadata={NO_ANSWERS: "true"} if asks and not asks & found.keys() else {},
    )  # fmt: skip
    counted = "offsets count characters (not bytes) from 0, the end is exclusive"
    place = annotations.places
    document = settled(document, remarks, lambda name: place.get(name, (text_path, name)), counted=counted)
    return replace(document, mentions=tuple(replace(m, text=spanned_text(text, m.spans)) for m in document.mentions))


def _beside(path: Path, name: str) -> Path | None:
    return next((one for one in (path.with_name(name), path.with_name(name + ".gz")) if one.exists()), None)


def _read_lines(path: Path, annotations: _Annotations) -> None:
    for number, line in iterate_lines(path, may_be_empty=True):
        if not line.strip() or (line.startswith("#") and "\t" not in line):
            continue
        columns = line.split("\t")
        identifier = columns[0].strip()
        try:
            if len(columns) < 2:
                raise _MalformedError("there is no tab in it")
            if identifier in annotations.places and identifier != "*":
                is_same = annotations.lines[identifier] == line
                done = "left out, it says the same" if is_same else "the second got another id"
                annotations.remarks.add(f"ids used twice ({done})", path, number, identifier)
                if is_same:
                    continue
                identifier = free_id(identifier, set(annotations.places))
            _read_line(identifier, columns, (path, number), annotations)
        except _MalformedError as error:
            raise CorpusError(
                f"not a standoff annotation: {error}", path, number, remedy="expected lines like T1<tab>Protein 0 3<tab>TNF"
            ) from error
        annotations.places[identifier] = (path, number)
        annotations.lines[identifier] = line


def _read_line(identifier: str, columns: list[str], place: tuple[Path, int], annotations: _Annotations) -> None:
    kind, words = identifier[:1], columns[1].split()
    if not words:
        raise _MalformedError("nothing follows the id")
    if kind == "T":
        annotations.mentions[identifier] = _mention(identifier, columns)
    elif kind in "ER":
        arguments = tuple(Argument(*_role_and_target(word)) for word in words[1:])
        if kind == "R" and len(arguments) < 2:
            raise _MalformedError("a relation needs two arguments")
        name, trigger = _role_and_target(words[0]) if kind == "E" else (words[0], None)
        annotations.relations.append(Relation(identifier, name, arguments, trigger))
    elif kind == "*":
        if len(words) < 3:
            annotations.remarks.add("equivalences of one mention (left out)", *place)
        else:
            annotations.equivalences.append(tuple(words[1:]))
    elif kind in "AM":
        if len(words) < 2:
            raise _MalformedError("an attribute needs a name and a target")
        annotations.attributes.append(Attribute(identifier, words[0], words[1], " ".join(words[2:])))
    elif kind == "N":
        if len(words) < 3:
            raise _MalformedError("a normalisation needs a name, a mention and a database id")
        annotations.normalisations.append((words[1], " ".join(words[2:]), place))
    elif kind == "#":
        if len(words) >= 2:  # a bare comment is about nothing
            annotations.attributes.append(Attribute(identifier, words[0], words[1], "\t".join(columns[2:])))
    else:
        raise _MalformedError(f"lines begin with one of T E R * A M N #, not {identifier[:10]!r}")


def _mention(identifier: str, columns: list[str]) -> Mention:
    name, _, offsets = columns[1].strip().partition(" ")
    if not _OFFSETS.fullmatch(offsets.strip()):
        raise _MalformedError(f"expected 'type start end', found {columns[1][:40]!r}")
    spans = [tuple(map(int, part.split())) for part in offsets.split(";")]
    return Mention(identifier, name, tuple((start, end) for start, end in spans), "\t".join(columns[2:]))


def _role_and_target(word: str) -> tuple[str, str]:
    role, colon, target = word.rpartition(":")
    if not (role and colon and target):
        raise _MalformedError(f"expected 'role:id', found {word[:40]!r}")
    return role, target


def _resolve(annotations: _Annotations) -> None:
    """Carry what other lines say of a mention over to it; forget notes on what our records do not have (a normalisation)."""
    mentions = annotations.mentions
    for target, identifier, (path, number) in annotations.normalisations:
        if target not in mentions:
            annotations.remarks.add("database ids of what is no mention (left out)", path, number, target)
            continue
        mentions[target] = replace(mentions[target], ids=(*mentions[target].ids, identifier))
    for relation in annotations.relations:
        if relation.trigger in mentions:
            mentions[relation.trigger] = replace(mentions[relation.trigger], is_trigger=True)
    relation_ids = {relation.id for relation in annotations.relations}
    annotations.attributes = [
        attribute
        for attribute in annotations.attributes
        if not attribute.id.startswith("#") or attribute.target in mentions or attribute.target in relation_ids
    ]


def _choose_layout(text: str, annotations: _Annotations) -> str:
    """The text that the offsets count in.

    Offsets normally count the file as it stands. Tools that strip a byte-order mark or turn Windows line ends into ``\\n``
    before counting leave other offsets; the mention texts in the annotations tell which happened (most of them do).
    """
    stripped = text.removeprefix("\ufeff")
    mentions = annotations.mentions.values()
    if not mentions:
        return stripped
    variants = dict.fromkeys((text, stripped, text.replace("\r\n", "\n"), stripped.replace("\r\n", "\n")))
    if len(variants) == 1:
        return text
    return max(variants, key=lambda variant: sum(agrees(mention.text, variant, mention.spans) for mention in mentions))


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
            raise CorpusError("standoff cannot hold a document without text", path, document.id)
        name = quote(document.id, safe=" !#$&'()+,;=@[]{}^~", errors="strict")
        if name.startswith("."):
            name = "%2E" + name[1:]
        if not name or len(name) > 200:
            raise CorpusError("the document's id cannot be a file name (empty or too long)", path, document.id[:60])
        if name in seen:
            raise CorpusError("two documents have this id, so their files would have one name", path, document.id)
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
        return refusal("standoff", what, self.path, f"{self.document.id} {where}")


def _is_note(attribute: Attribute) -> bool:
    return attribute.id.startswith("#")


def _names(ids: list[str], letters: str) -> list[str]:
    """Ids to write: the same where all have the form of a standoff id already, else counted from 1."""
    if len(set(ids)) == len(ids) and all(re.fullmatch(rf"[{letters}][0-9]+", identifier) for identifier in ids):
        return ids
    return [f"{letters[0]}{number}" for number in range(1, len(ids) + 1)]
