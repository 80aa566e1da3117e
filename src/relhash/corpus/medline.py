"""What PubMed's page saves (*Save → PubMed*, *Cite → .nbib*): fields with tags, one article after the other.

::

    PMID- 11780382
    TI  - Binding of TNF to
          p53.
    AB  - We show that TNF binds p53.

A line that begins with blanks continues the field before it. Title (``TI``, of a book ``BTI``) and abstract (``AB``) are read,
with the journal (``TA``) and the year (``DP``); the id is the PMID.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from relhash.corpus.document import Document
from relhash.corpus.parts import document_of_parts
from relhash.corpus.remarks import OnError, without_broken
from relhash.corpus.source import filled_lines
from relhash.errors import CorpusError

_FIELD = re.compile(r"([A-Z][A-Z0-9]{0,3}) *- ?(.*)", re.DOTALL)
_FIRST = "PMID"

Line = tuple[int, str]


def read_medline(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """The articles one at a time; one without title and abstract is a document without text."""
    return without_broken(_articles(path), lambda lines: _article(lines, path), on_error)


def _articles(path: Path) -> Iterator[list[Line]]:
    """The lines of each article: a PMID begins the next one."""
    lines: list[Line] = []
    for number, line in filled_lines(path):
        field = _FIELD.match(line)
        if field and field[1] == _FIRST and lines:
            yield lines
            lines = []
        lines.append((number, line))
    yield lines


def _article(lines: list[Line], path: Path) -> Document:
    fields: dict[str, list[str]] = {}
    tag = ""
    for number, line in lines:
        field = None if line[0].isspace() else _FIELD.match(line)
        if field is not None:
            tag = field[1]
            fields.setdefault(tag, []).append(field[2].strip())
        elif line[0].isspace() and tag:
            fields[tag][-1] = f"{fields[tag][-1]} {line.strip()}".strip()
        else:
            raise CorpusError("expected a field, such as 'TI  - The title'", path=path, where=number)
    identifier = _first(fields, _FIRST)
    if not identifier:
        raise CorpusError("article without a PMID", path=path, where=lines[0][0])
    parts = [("title", _first(fields, "TI") or _first(fields, "BTI")), ("abstract", _first(fields, "AB"))]
    metadata = {"journal": _first(fields, "TA"), "year": _first(fields, "DP")[:4]}
    known = {name: value for name, value in metadata.items() if value}
    return document_of_parts(identifier, parts, known).check(str(path))


def _first(fields: dict[str, list[str]], tag: str) -> str:
    return fields.get(tag, [""])[0]
