"""CoNLL-U: sentences with tokens, tags and dependency trees, read with the library ``conllu``.

``# newdoc id = …`` begins a document (a file without it is one document), ``# newpar`` a paragraph; ``# sent_id`` and
``# text`` name a sentence and give its text. Where that is missing it is put together from the tokens and ``SpaceAfter=No``.
Enhanced dependencies and the empty nodes that belong to them (``5.1``) are left out; the words of a multiword token
(``3-4 don't``) keep their own place in it when they are spelled there, else each gets the place of the whole.

:func:`detect_scheme` says which inventory of dependency labels a parse uses; :mod:`relhash.language.schemes` describes them.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from relhash.corpus.document import Dependency, Document, Sentence, Token
from relhash.corpus.remarks import OnError, without_broken
from relhash.corpus.source import content_name, iterate_lines
from relhash.errors import CorpusError

_COLUMNS = 10
_SENTENCES_TO_LOOK_AT = 200
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_FIELD_PARSERS: dict[str, Callable[[list[str], int], Any]] = {"feats": lambda columns, i: None, "deps": lambda columns, i: None}
"""Features and enhanced dependencies are not used, and parsing them is most of the library's time."""

COLLAPSED = "stanford-collapsed"

_COLLAPSED_BEGINNINGS = ("prep_", "prepc_", "conj_")
_TELLING = {
    "stanford-basic": frozenset({"nn", "num", "rcmod", "vmod", "partmod", "infmod", "complm", "possessive"}),
    "craft": frozenset({"compound", "nummod", "relcl", "acl", "attr", "meta", "oprd"}),
}


def detect_scheme(labels: Iterable[str]) -> str | None:
    """The scheme that the labels of some parses (or of a parser) belong to; ``None`` if they do not tell."""
    counts = Counter(labels)
    if any(label.startswith(_COLLAPSED_BEGINNINGS) for label in counts):
        return COLLAPSED
    if counts["prep"] or counts["pobj"]:
        votes = {scheme: sum(counts[label] for label in telling) for scheme, telling in _TELLING.items()}
        best = max(votes, key=lambda scheme: votes[scheme])
        return best if votes[best] else None
    if counts["case"] or any(":" in label for label in counts) or counts["obl"] or counts["obj"]:
        return "ud"
    return None


@dataclass(slots=True)
class _Block:
    """The lines between two blank lines."""

    first_line: int
    comments: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    line_numbers: list[int] = field(default_factory=list)


def read_conllu(
    path: Path, *, on_error: OnError = None, scheme: str | None = None, parser: str = "conllu"
) -> Iterator[Document]:
    """Documents of a CoNLL-U file, one at a time.

    In lenient mode a broken sentence costs its document. ``scheme`` names the labels that the trees use (``"ud"``,
    ``"craft"``, ``"stanford-basic"``, ``"stanford-collapsed"``), by default recognised from those of the first sentences;
    ``parser`` says where the trees come from, and is kept as ``Sentence.parser``.
    """
    blocks = _blocks(path)
    if scheme is None:
        first = list(itertools.islice(blocks, _SENTENCES_TO_LOOK_AT))
        rows = [line.split("\t") for block in first for line in block.lines]
        labels = Counter(columns[7] for columns in rows if len(columns) == _COLUMNS)
        # where they do not tell, the commonest scheme that has them
        scheme = detect_scheme(labels.elements()) or ("craft" if labels["prep"] or labels["pobj"] else "ud")
        blocks = itertools.chain(first, blocks)
    groups = _documents(blocks, path)
    yield from without_broken(groups, lambda group: _read_document(*group, path, scheme, parser), on_error)


def _blocks(path: Path) -> Iterator[_Block]:
    block: _Block | None = None
    found = False
    for number, line in iterate_lines(path):
        if not line.strip():
            if block is not None and block.lines:
                yield block
                block = None
            continue
        block = block or _Block(number)
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            block.comments.setdefault(key.strip(), value.strip())
        else:
            found = True
            block.lines.append(line)
            block.line_numbers.append(number)
    if block is not None and block.lines:
        yield block
    if not found:
        raise CorpusError("no sentences in it", path, remedy="CoNLL-U has a line of ten tab-separated columns for each token")


def _documents(blocks: Iterable[_Block], path: Path) -> Iterator[tuple[str, list[_Block]]]:
    name = content_name(path).partition(".conll")[0] or content_name(path)
    identifier, group, count = name, list[_Block](), 0
    for block in blocks:
        begins = "newdoc id" in block.comments or "newdoc" in block.comments
        if begins and group:
            yield identifier, group
            group = []
        if begins:
            count += 1
            identifier = block.comments.get("newdoc id") or f"{name}.d{count}"
        group.append(block)
    if group:
        yield identifier, group


def _read_document(identifier: str, blocks: list[_Block], path: Path, scheme: str, parser: str) -> Document:
    pieces: list[str] = []
    sentences: list[Sentence] = []
    position = 0
    for index, block in enumerate(blocks):
        if pieces:
            new_paragraph = "newpar" in block.comments or "newpar id" in block.comments
            pieces.append("\n" if new_paragraph else " ")
            position += 1
        text, tokens, arcs = _read_sentence(block, path, scheme, position)
        name = block.comments.get("sent_id") or f"{identifier}.s{index}"
        sentences.append(Sentence(name, position, position + len(text), tokens, arcs, parser))
        pieces.append(text)
        position += len(text)
    return Document(identifier, "".join(pieces), tuple(sentences)).check(str(path))


def _read_sentence(block: _Block, path: Path, scheme: str, start: int) -> tuple[str, tuple[Token, ...], tuple[Dependency, ...]]:
    rows = _parse(block, path)
    words = [(row, number) for row, number in zip(rows, block.line_numbers) if isinstance(row["id"], int)]
    if not words:
        raise CorpusError("a sentence without words", path, block.first_line)
    given = block.comments.get("text")
    text, places = _locate(rows, given) if given else _assemble(rows)
    if len(places) < len(words):
        raise CorpusError(
            "the tokens are not those of '# text'", path, block.first_line, remedy="remove the comment or correct it"
        )
    tokens = []
    for (row, _), (begin, end) in zip(words, places):
        lemma = "" if row["lemma"] == "_" and row["form"] != "_" else row["lemma"]
        upos = "" if row["upos"] == "_" else row["upos"]
        tokens.append(Token(start + begin, start + end, text[begin:end], row["xpos"] or upos, lemma))
    arcs = []
    for expected, (row, number) in enumerate(words, 1):
        if row["id"] != expected:
            raise CorpusError(f"token {row['id']} where {expected} should follow", path, number)
        head = row["head"]
        if head is None or head == 0:
            continue
        if not 0 < head <= len(words):
            raise CorpusError(f"head {head} does not exist, the sentence has {len(words)} tokens", path, number)
        arcs.append(Dependency(head - 1, expected - 1, row["deprel"], scheme))
    return text, tuple(tokens), tuple(arcs)


def _parse(block: _Block, path: Path) -> list[dict[str, Any]]:
    import conllu

    for line, number in zip(block.lines, block.line_numbers):
        found = line.count("\t") + 1
        if found != _COLUMNS:
            problem = f"a token has {_COLUMNS} columns separated by tabs, this line has {found}"
            raise CorpusError(problem, path, number, remedy="is the file cut off, or separated by blanks?")
    try:
        return list(conllu.parse_token_and_metadata("\n".join(block.lines), field_parsers=_FIELD_PARSERS))
    except (conllu.exceptions.ParseException, ValueError) as error:
        number = next((n for n, line in zip(block.line_numbers, block.lines) if not _parses(line)), block.first_line)
        raise CorpusError(f"not CoNLL-U: {error}", path, number) from error


def _parses(line: str) -> bool:
    import conllu

    try:
        conllu.parse_token_and_metadata(line, field_parsers=_FIELD_PARSERS)
    except (conllu.exceptions.ParseException, ValueError):
        return False
    return True


def _surface(rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """What stands in the text (words, multiword tokens), each with the words it consists of."""
    last, members = 0, list[dict[str, Any]]()
    for row in rows:
        identifier = row["id"]
        if isinstance(identifier, int):
            if identifier <= last:
                members.append(row)
            else:
                yield row, [row]
        elif identifier is not None and identifier[1] == "-":
            last, members = identifier[2], []
            yield row, members


def _locate(rows: list[dict[str, Any]], text: str) -> tuple[str, list[tuple[int, int]]]:
    """Where the words stand in the sentence's text, in order; fewer places than words if they are not there."""
    places: list[tuple[int, int]] = []
    position = 0
    for row, members in list(_surface(rows)):
        begin = text.find(row["form"], position)
        if begin < 0 or text[position:begin].strip():
            return text, places
        position = begin + len(row["form"])
        places.extend(_inside(members, text, begin, position))
    return text, places


def _assemble(rows: list[dict[str, Any]]) -> tuple[str, list[tuple[int, int]]]:
    """The text of a sentence that only its tokens tell, and where they stand in it."""
    text = ""
    places: list[tuple[int, int]] = []
    space = ""
    for row, members in list(_surface(rows)):
        form = row["form"]
        for name, bracket in _BRACKETS.items():
            form = form.replace(name, bracket) if "B-" in form else form
        begin = len(text) + len(space)
        text += space + form
        space = "" if (row.get("misc") or {}).get("SpaceAfter") == "No" else " "
        places.extend(_inside(members, text, begin, len(text)))
    return text, places


def _inside(members: list[dict[str, Any]], text: str, begin: int, end: int) -> list[tuple[int, int]]:
    if len(members) == 1:
        return [(begin, end)]
    places, position = [], begin
    for member in members:
        found = text.find(member["form"], position, end)
        if found < 0:
            return [(begin, end)] * len(members)
        position = found + len(member["form"])
        places.append((found, position))
    return places
