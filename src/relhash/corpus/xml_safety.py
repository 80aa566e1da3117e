"""XML from anywhere, read element by element, with nothing that a hostile or damaged file could use against us.

No DTD is loaded, no entity resolved, no network used, and the limits of libxml2 on depth and length stay on. A file that
*declares* entities is refused before its first element: that is how "billion laughs" and quadratic blow-up work, and no corpus
format needs it. A plain ``<!DOCTYPE … PUBLIC …>``, as PubMed's files carry, is accepted and ignored.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import IO, BinaryIO, NoReturn, cast
from xml.parsers import expat

from lxml import etree

from relhash.corpus.source import open_bytes
from relhash.errors import CorpusError

_CHUNK = 1 << 16
_END = 200  # bytes kept to see how a file ends
_LONGEST_PROLOG = 256  # chunks
_ENCODING_ERRORS = ("not proper utf-8", "invalid bytes in character encoding", "input conversion failed")


def stream_elements(path: Path, tag: str | Sequence[str], *, root: str | Collection[str]) -> Iterator[etree._Element]:
    """The elements called ``tag`` of an XML file, one at a time, each complete.

    An element is emptied when the next one is asked for, so memory stays bounded by the largest element; copy what must live
    longer. The file may be gzipped.

    Wanted elements must not contain each other; ``root`` are the names that the outermost element may have, otherwise the file
    is of another format. Raises :class:`CorpusError`, with the line, for anything but well-formed XML without entities.
    """
    with open_bytes(path) as handle:
        start, found_root, has_doctype = _check_prolog(handle, path, (root,) if isinstance(root, str) else root)
        source = _Replay(start, handle, found_root)
        events = etree.iterparse(
            source,
            events=("end",),
            tag=tag,
            resolve_entities=False,
            load_dtd=False,
            dtd_validation=False,
            attribute_defaults=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
            collect_ids=False,  # a table of all xml:id attributes that is not needed, and a third of the time
        )
        try:
            for _, element in events:
                if has_doctype:
                    _refuse_undeclared_entities(events.error_log, path)
                yield element
                _forget(element)
        except etree.XMLSyntaxError as error:
            _refuse_undeclared_entities(events.error_log, path)
            _raise_syntax_error(error.msg or "", error.lineno or 1, path, is_cut_off=source.is_cut_off)


def root_name(path: Path) -> str:
    """Name of the outermost element, without a namespace prefix; reads no further, and refuses what is refused above."""
    with open_bytes(path) as handle:
        return _check_prolog(handle, path, ())[1].rpartition(":")[2]


def refuse_entities(handle: IO[bytes], path: Path) -> None:
    """Raise if the XML that ``handle`` gives declares entities (or is no XML); reads up to the outermost element."""
    _check_prolog(cast(BinaryIO, handle), path, ())


def place_of(element: etree._Element) -> int | str:
    """How to name an element in an error: by its id if it has one, else by its line."""
    return element.get("id") or cast(int, element.sourceline)


class _Replay:
    """A stream whose first bytes were already read, to look at them (standard input cannot be rewound)."""

    def __init__(self, start: bytes, rest: BinaryIO, root: str) -> None:
        self.start, self.rest = start, rest
        self.closing_tag = f"</{root}>".encode()
        self.end, self.is_exhausted = b"", False

    def read(self, size: int = -1) -> bytes:
        data = self.start or self.rest.read(max(size, _CHUNK))
        self.start = b""
        self.end, self.is_exhausted = (self.end + data[-_END:])[-_END:], not data
        return data

    @property
    def is_cut_off(self) -> bool:
        """Whether the input is over, and not with the end of the root element."""
        return self.is_exhausted and not self.end.rstrip().endswith(self.closing_tag)


class _RootReachedError(Exception):
    """Ends the look at the prolog."""


def _check_prolog(handle: BinaryIO, path: Path, roots: Collection[str]) -> tuple[bytes, str, bool]:
    """Read up to the root element with expat; return the bytes read, its name, and whether there is a document type.

    ``roots`` are the names it may have, if it matters.

    Expat reports declarations as they come and expands nothing, so the first one of an entity ends the reading.
    """
    parser = expat.ParserCreate()
    has_doctype = False

    def found_doctype(name: str, system_id: str | None, public_id: str | None, has_internal_subset: bool) -> None:
        nonlocal has_doctype
        has_doctype = True

    def refuse_entity(name: str, *_: object) -> NoReturn:
        problem = f"the file declares the entity {name!r}, which is refused: entities can make a small file fill all memory"
        remedy = "replace the entities by their text (xmllint --noent) if you trust the source"
        raise CorpusError(problem, path, parser.CurrentLineNumber, remedy=remedy)

    def found_root(name: str, attributes: dict[str, str]) -> NoReturn:
        if roots and name.rpartition(":")[2] not in roots:
            problem = f"the outermost element is <{name}>, expected <{'> or <'.join(roots)}>"
            remedy = "this is XML of another format: name the right one"
            raise CorpusError(problem, path, parser.CurrentLineNumber, remedy=remedy)
        raise _RootReachedError(name)

    parser.StartDoctypeDeclHandler = found_doctype
    parser.EntityDeclHandler = refuse_entity
    parser.StartElementHandler = found_root
    read: list[bytes] = []
    try:
        for chunk in itertools.chain(iter(lambda: handle.read(_CHUNK), b""), (b"",)):
            read.append(chunk)
            parser.Parse(chunk, not chunk)
            if len(read) > _LONGEST_PROLOG:  # a few kilobytes of gzip can be a gigabyte of blanks
                break
    except _RootReachedError as reached:
        return b"".join(read), str(reached), has_doctype
    except (ValueError, LookupError) as error:  # pyexpat's word for an encoding it cannot map byte by byte
        raise _unsupported_encoding(path, parser.CurrentLineNumber) from error
    except expat.ExpatError as error:
        if not any(part.strip() for part in read):
            raise CorpusError("the file is empty", path, remedy="check that it was written or downloaded completely") from error
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]:
            raise _unsupported_encoding(path, error.lineno) from error
        message = expat.ErrorString(error.code)
        cut_off = (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN)
        _raise_syntax_error(message, error.lineno, path, is_cut_off=message in cut_off)
    raise CorpusError("no XML element where the file begins", path, remedy="is it XML at all?")


def _forget(element: etree._Element) -> None:
    element.clear()
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def _refuse_undeclared_entities(log: etree._ListErrorLog, path: Path) -> None:
    """A DTD that is not loaded may declare entities; their text would be missing without a word."""
    for entry in log:
        if entry.type == etree.ErrorTypes.WAR_UNDECLARED_ENTITY or entry.type == etree.ErrorTypes.ERR_UNDECLARED_ENTITY:
            problem = f"the text uses an entity that the file does not declare ({entry.message.strip()})"
            remedy = "replace entities by their text; document type definitions are not loaded"
            raise CorpusError(problem, path, entry.line, remedy=remedy)


def _unsupported_encoding(path: Path, line: int) -> CorpusError:
    # other parsers may know it, but then the prolog was not checked
    return CorpusError("the encoding that the file declares is not supported", path, line, remedy="convert it to UTF-8 (iconv)")


def _raise_syntax_error(message: str, line: int, path: Path, *, is_cut_off: bool) -> NoReturn:
    message = message.partition(", line ")[0].strip()  # the place is given in our own way
    if any(sign in message.lower() for sign in _ENCODING_ERRORS):
        problem = "bytes that are not text in the encoding of the file (UTF-8 unless its first line says otherwise)"
        raise CorpusError(problem, path, line, remedy="convert it to UTF-8 (iconv), or declare its encoding in the first line")
    if is_cut_off:
        raise CorpusError(f"the XML ends too early ({message})", path, line, remedy="the file is cut off: copy it again")
    raise CorpusError(f"not well-formed XML ({message})", path, line, remedy="correct the file at this line")
