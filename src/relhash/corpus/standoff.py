"""Standoff annotation: a text file, and beside it files of numbered lines that point into it by character offsets.

Two dialects share one grammar. BioNLP shared tasks keep given entities in ``.a1`` and what is to be found in ``.a2``; brat
keeps all in ``.ann``. Mentions of an ``.a2`` are answers (``Mention.is_answer``, or triggers): no candidate and no feature sees
them.

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
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote

from relhash.corpus.answers import NO_ANSWERS
from relhash.corpus.document import Argument, Attribute, Document, Mention, Relation, spanned_text
from relhash.corpus.offset_repair import Repairs, agrees, with_mentions_in_place
from relhash.corpus.skipping import OnError, without_broken
from relhash.corpus.source import content_name, iterate_lines, read_text
from relhash.errors import CorpusError

ANSWERS = ".a2"
_ANNOTATION_SUFFIXES = (".a1", ANSWERS, ".ann")
_OFFSETS = re.compile(r"\d{1,9} \d{1,9}(?:;\d{1,9} \d{1,9})*")


def read_bionlp(path: Path, *, on_error: OnError = None, repairs: Repairs | None = None) -> Iterator[Document]:
    """The document of one ``.txt`` with its ``.a1`` and ``.a2``; either may be missing (test sets have no ``.a2``).

    ``repairs`` puts right offsets that miss their mention by a little.
    """
    return without_broken([path], lambda file: _read_document(file, (".a1", ANSWERS), repairs), on_error)


def read_brat(path: Path, *, on_error: OnError = None, repairs: Repairs | None = None) -> Iterator[Document]:
    """The document of one ``.txt`` with its ``.ann``; ``repairs`` as for :func:`read_bionlp`."""
    return without_broken([path], lambda file: _read_document(file, (".ann",), repairs), on_error)


@dataclass(slots=True)
class _Annotations:
    """The lines of a document's annotation files, sorted into kinds, each with the place it stands at."""

    mentions: dict[str, Mention] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    equivalences: list[tuple[str, ...]] = field(default_factory=list)
    normalisations: list[tuple[str, str, tuple[Path, int]]] = field(default_factory=list)
    places: dict[str, tuple[Path, int]] = field(default_factory=dict)


class _MalformedError(ValueError):
    """A line that does not follow the grammar; caught where file and line number are known."""


def _read_document(path: Path, suffixes: tuple[str, ...], repairs: Repairs | None) -> Document:
    stem = content_name(path)
    for suffix in (".txt", *_ANNOTATION_SUFFIXES):
        stem = stem.removesuffix(suffix)
    text_path = path if content_name(path).endswith(".txt") else _beside(path, stem + ".txt")
    if text_path is None:
        raise CorpusError(f"its text {stem}.txt is missing", path=path, remedy="put the text beside the annotations")
    annotations = _Annotations()
    metadata: dict[str, str] = {}
    answers: set[str] = set()
    for suffix in suffixes:
        annotation_path = _beside(path, stem + suffix)
        if annotation_path is not None:
            given = set(annotations.mentions)
            _read_lines(annotation_path, annotations)
            if suffix == ANSWERS:
                answers = annotations.mentions.keys() - given
        elif suffix == ANSWERS:
            metadata[NO_ANSWERS] = "true"
    _resolve(annotations)
    for identifier in answers:
        mention = annotations.mentions[identifier]
        annotations.mentions[identifier] = replace(mention, is_answer=not mention.is_trigger)
    text = _choose_layout(read_text(text_path, keep_layout=True), annotations)
    mentions = with_mentions_in_place(
        Document(stem, text, mentions=tuple(annotations.mentions.values())),
        repairs,
        lambda mention: annotations.places[mention.id],
        counted="offsets count characters (not bytes) from 0, the end is exclusive",
    ).mentions
    document = Document(
        id=unquote(stem),
        text=text,
        mentions=tuple(replace(mention, text=spanned_text(text, mention.spans)) for mention in mentions),
        relations=tuple(annotations.relations),
        attributes=tuple(annotations.attributes),
        equivalences=tuple(annotations.equivalences),
        metadata=metadata,
    )
    try:
        return document.check(str(text_path))
    except CorpusError as error:
        place, line = annotations.places.get(str(error.where), (text_path, error.where))
        raise CorpusError(error.message, path=place, where=line, remedy=error.remedy) from error


def _beside(path: Path, name: str) -> Path | None:
    for candidate in (path.with_name(name), path.with_name(name + ".gz")):
        if candidate.exists():
            return candidate
    return None


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
                raise _MalformedError(f"the id {identifier} is used twice")
            _read_line(identifier, columns, (path, number), annotations)
        except _MalformedError as error:
            raise CorpusError(
                f"not a standoff annotation: {error}",
                path=path,
                where=number,
                remedy="expected lines like T1<tab>Protein 0 3<tab>TNF",
            ) from error
        annotations.places[identifier] = (path, number)


def _read_line(identifier: str, columns: list[str], place: tuple[Path, int], annotations: _Annotations) -> None:
    kind, words = identifier[:1], columns[1].split()
    if not words:
        raise _MalformedError("nothing follows the id")
    if kind == "T":
        annotations.mentions[identifier] = _mention(identifier, columns)
    elif kind == "E":
        event, trigger = _role_and_target(words[0])
        arguments = tuple(Argument(*_role_and_target(word)) for word in words[1:])
        annotations.relations.append(Relation(identifier, event, arguments, trigger))
    elif kind == "R":
        arguments = tuple(Argument(*_role_and_target(word)) for word in words[1:])
        if len(arguments) < 2:
            raise _MalformedError("a relation needs two arguments")
        annotations.relations.append(Relation(identifier, words[0], arguments))
    elif kind == "*":
        if len(words) < 3:
            raise _MalformedError("an equivalence needs a name and two mentions")
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
    numbers = [[int(number) for number in part.split()] for part in offsets.split(";")]
    return Mention(identifier, name, tuple((start, end) for start, end in numbers), "\t".join(columns[2:]))


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
            raise CorpusError(f"normalisation refers to {target!r}, which does not exist", path=path, where=number)
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
