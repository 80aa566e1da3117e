"""NERO: a table of annotated statements, ``entity1 actionType entity2``, as strings without offsets.

One row is one annotation of one sentence. The strings are looked for in the sentence: longest first, so that *p53 protein* is
not taken for *p53*; no two overlap; whole words before pieces of words, the spelling as it stands before other case. Every
occurrence becomes a mention, and of two strings the two occurrences that stand closest together are the candidate pair.

``entity1`` is the cause of a statement and ``entity2`` its theme. Candidates are the pairs of strings of a sentence that take
part in any statement of it: what was not looked at is no negative. A statement becomes a relation unless it is denied (*does
not bind*, or the column ``negative``) or says what something is (*is a type of*, *contains*): then its pair stays a candidate,
without relation. A paper (``pmid``) is a document; a sentence without one is a document of its own. What could not be used is
counted (:mod:`relhash.corpus.remarks`).

Where strings that were annotated without offsets stand in their text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from relhash.corpus.document import Argument, CandidatePair, Document, Mention, Relation, Sentence, Span
from relhash.corpus.remarks import OnError, left_out, without_broken
from relhash.corpus.source import open_bytes
from relhash.errors import CorpusError


def find_strings(text: str, strings: Iterable[str]) -> dict[str, list[Span]]:
    """All occurrences of each string: longest strings first, none over another; what does not occur is not in the result.

    Whole words come before pieces of words, the spelling as it stands before other case.

    >>> find_strings("The p53 protein binds MDM2, and p53 binds p300.", ["p53", "p53 protein", "MDM2", "p63"])
    {'p53 protein': [(4, 15)], 'MDM2': [(22, 26)], 'p53': [(32, 35)]}
    >>> find_strings("It was RAS.", ["as", "ras"])            # a whole word of other case before a piece of a word
    {'ras': [(7, 10)], 'as': [(4, 6)]}
    """
    lower = text.lower()
    can_ignore_case = len(lower) == len(text)  # some capitals have two small letters
    taken: list[Span] = []
    found: dict[str, list[Span]] = {}
    for string in sorted(dict.fromkeys(strings), key=lambda one: (-len(one), one)):
        small = string.lower()
        if not string.strip() or (can_ignore_case and small not in lower):
            continue
        as_written = list(_occurrences(text, string))
        tries = [[span for span in as_written if _is_word(text, span)], as_written]
        if can_ignore_case:
            tries.insert(1, [span for span in _occurrences(lower, small) if _is_word(text, span)])
        for spans in tries:
            free = [(a, b) for a, b in spans if all(b <= start or a >= end for start, end in taken)]
            if free:
                found[string] = free
                taken += free
                break
    return found


def _occurrences(text: str, string: str) -> Iterator[Span]:
    place = text.find(string)
    while place >= 0:
        yield place, place + len(string)
        place = text.find(string, place + len(string))


def _is_word(text: str, span: Span) -> bool:
    """Whether neither side of the span continues a word."""
    start, end = span
    joins_before = start > 0 and _in_word(text[start - 1]) and _in_word(text[start])
    joins_after = end < len(text) and _in_word(text[end]) and _in_word(text[end - 1])
    return not joins_before and not joins_after


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


COLUMNS = (
    "sdocId", "entity1", "semantic_class_entity1", "actionType", "entity2", "semantic_class_entity2", "negative", "pmid",
    "sentenceText",
)  # fmt: skip
"""Columns that are read; the table has more."""
PROTEIN, UNKNOWN = "protein", "unknown"
MOST_BAD_LINES = 0.01
"""Share of lines that may not be UTF-8: the published table has 20 of 217,564; a file in another encoding has many."""

_NO_PAPER = {"", "null"}
_NO_CLASS = {"", "null", "namedentity"}
_PROTEINS = {"gp", "protein", "gene", "geneorprotein", "geneorproteingroup"}
_STATEMENT = re.compile(r"statements?\s*\d", re.IGNORECASE)
_TESTS = {("asd", "asd"), ("testing", "action test")}
"""Entity and action of rows in which somebody tried the form."""
_DENIED = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|without|lacks?|lacking|fail(?:s|ed)?|unable|independent)\b|n't\b", re.IGNORECASE
)
_WHAT_IT_IS = re.compile(
    r"(?:(?:is|are|was|were|be|includes?|contains?|has|have|belongs? to|consists? of|comprises?)$"
    r"|(?:is|are|was|were) (?:an? |the |also )?(?:types? of|alternatives? to|synonyms? (?:of|for)|homolog\w*|orthologs? of|"
    r"members? of|components? of|parts? of|subunits? of|locus name of|known as|called|named|similar to|equivalent to|"
    r"identical to|different from|composed of|examples? of|forms? of|isoforms? of|higher than|lower than|greater than|"
    r"more than|less than|stronger than)\b)",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"[\s\x00]+")


def is_denied(action: str) -> bool:
    """Whether the verb itself says that nothing happens.

    >>> [is_denied(verb) for verb in ["does not bind", "lacks", "binds to", "is independent of", "doesn't affect"]]
    [True, True, False, True, True]
    """
    return bool(_DENIED.search(action))


def says_what_it_is(action: str) -> bool:
    """Whether the verb names a kind, a part or another name, not something that the two do.

    >>> [says_what_it_is(verb) for verb in ["is", "is a type of", "contains", "is required for", "is an inhibitor of"]]
    [True, True, True, False, False]
    """
    return bool(_WHAT_IT_IS.match(action))


def read_nero(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """Documents of the table, in the order of their first rows; in lenient mode a broken row is left out."""
    papers: dict[str, dict[str, _Draft]] = {}

    def add(row: _Row | CorpusError) -> None:
        if isinstance(row, CorpusError):
            raise row
        if not row.sentence:
            raise CorpusError("the row has no sentence", path=path, where=row.line, remedy="fill it or remove the row")
        paper = f"sentence-{row.number or row.line}" if row.paper.lower() in _NO_PAPER else row.paper
        papers.setdefault(paper, {}).setdefault(row.sentence, _Draft(row.sentence)).add(row)

    for _ in without_broken(_rows(path), add, on_error):
        pass
    for identifier, drafts in papers.items():
        yield _document(identifier, list(drafts.values())).check(str(path))


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    number: str
    paper: str
    sentence: str
    first: str
    second: str
    first_class: str
    second_class: str
    action: str
    is_negative: bool
    is_repaired: bool


def _rows(path: Path) -> Iterator[_Row | CorpusError]:
    """The rows, or what is wrong with them; characters that are not UTF-8 are replaced as long as they are rare."""
    places: dict[str, int] = {}
    number, width = 0, 0
    bad: list[int] = []
    with open_bytes(path) as handle:
        for number, raw in enumerate(handle, 1):
            line = raw.decode("utf-8", errors="replace").removesuffix("\n").removesuffix("\r")
            try:
                raw.decode("utf-8")
                is_repaired = False
            except UnicodeDecodeError:
                is_repaired = True
                bad.append(number)
            if number == 1:
                names = line.removeprefix("\ufeff").split("\t")
                missing = [name for name in COLUMNS if name not in names]
                if missing or is_repaired:
                    raise CorpusError(
                        f"not the table of NERO, its header has no column {missing[0] if missing else 'in UTF-8'}",
                        path=path,
                        where=1,
                        remedy=f"the first line must name {', '.join(COLUMNS)}, separated by tabs",
                    )
                places, width = {name: names.index(name) for name in COLUMNS}, len(names)
            elif line.strip():
                yield _row(line, number, places, width, is_repaired, path)
    if number == 0:
        raise CorpusError("the file is empty", path=path, remedy="check that it was written or downloaded completely")
    if number == 1:
        raise CorpusError("a header but no rows", path=path)
    if len(bad) > MOST_BAD_LINES * number:
        raise CorpusError(
            f"not UTF-8 text ({len(bad):,} of {number:,} lines)", path=path, where=bad[0], remedy="convert it with iconv"
        )


def _row(line: str, number: int, places: dict[str, int], width: int, is_repaired: bool, path: Path) -> _Row | CorpusError:
    cells = line.split("\t")
    if len(cells) != width:
        return CorpusError(f"{len(cells)} columns where the header has {width}", path=path, where=number)
    cell = {name: " ".join(_BLANKS.split(cells[place])).strip() for name, place in places.items()}
    return _Row(
        number,
        number=cell["sdocId"],
        paper=cell["pmid"],
        sentence=cell["sentenceText"],
        first=cell["entity1"],
        second=cell["entity2"],
        first_class=_class(cell["semantic_class_entity1"]),
        second_class=_class(cell["semantic_class_entity2"]),
        action=cell["actionType"].lower(),
        is_negative=cell["negative"] == "1",
        is_repaired=is_repaired,
    )


def _class(name: str) -> str:
    """The class as it is written, but genes and proteins under one name, and none as ``unknown``."""
    plain = name.replace("\\t", "").replace(" ", "").lower()
    return UNKNOWN if plain in _NO_CLASS else PROTEIN if plain in _PROTEINS else plain


@dataclass(slots=True)
class _Draft:
    """A sentence and what its rows say."""

    text: str
    classes: dict[str, Counter[str]] = field(default_factory=dict)
    """How often each string was put into each class."""
    statements: list[tuple[str, str, str, bool]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, row: _Row) -> None:
        self.counts["lines with broken characters (kept, characters replaced)"] += row.is_repaired
        if (row.first, row.action) in _TESTS:
            self.counts["test rows"] += 1
            return
        for name, kind in ((row.first, row.first_class), (row.second, row.second_class)):
            if name and not _STATEMENT.match(name):
                self.classes.setdefault(name, Counter())[kind] += 1
        if row.action and row.first and row.second:
            self.statements.append((row.first, row.action, row.second, row.is_negative))


def _document(identifier: str, drafts: Sequence[_Draft]) -> Document:
    text = "\n".join(draft.text for draft in drafts)
    sentences: list[Sentence] = []
    mentions: list[Mention] = []
    relations: list[Relation] = []
    pairs: list[CandidatePair] = []
    counts: Counter[str] = Counter()
    start = 0
    for draft in drafts:
        sentences.append(Sentence(f"s{len(sentences) + 1}", start, start + len(draft.text)))
        counts += draft.counts
        places = find_strings(draft.text, draft.classes)
        counts["strings not found in their sentence"] += len(draft.classes) - len(places)
        own: dict[str, list[Mention]] = {}
        for name, spans in places.items():
            kind = min(draft.classes[name].items(), key=lambda item: (item[0] == UNKNOWN, -item[1], item[0]))[0]
            for first, last in spans:
                span = (start + first, start + last)
                own.setdefault(name, []).append(Mention("", kind, (span,), text[slice(*span)]))
        numbered = sorted((mention.spans, name) for name, found in own.items() for mention in found)
        ids = {spans: f"T{len(mentions) + place}" for place, (spans, _) in enumerate(numbered, 1)}
        by_place = {mention.spans: mention for found in own.values() for mention in found}
        mentions += [Mention(ids[spans], by_place[spans].type, spans, by_place[spans].text) for spans, _ in numbered]
        stated, judged = _statements(draft, places, counts)
        for one, other in combinations(sorted(judged, key=lambda name: own[name][0].spans), 2):
            first_mention, second_mention = _closest(own[one], own[other])
            pair = CandidatePair(f"P{len(pairs) + 1}", ids[first_mention.spans], ids[second_mention.spans])
            pairs.append(pair)
            for agent, action in stated.get(frozenset((one, other)), ()):
                ends = (pair.first, pair.second) if agent == one else (pair.second, pair.first)
                arguments = (Argument("Cause", ends[0]), Argument("Theme", ends[1]))
                relations.append(Relation(f"R{len(relations) + 1}", action, arguments))
        start += len(draft.text) + 1
    return Document(
        identifier,
        text,
        tuple(sentences),
        tuple(mentions),
        tuple(relations),
        tuple(pairs),
        metadata={"source": "NERO", **({} if identifier.startswith("sentence-") else {"pmid": identifier}), **left_out(counts)},
    )


def _statements(
    draft: _Draft, places: dict[str, list[Span]], counts: Counter[str]
) -> tuple[dict[frozenset[str], dict[tuple[str, str], None]], set[str]]:
    """Agents and verbs of the relations by the two strings, and all strings that take part in a statement."""
    stated: dict[frozenset[str], dict[tuple[str, str], None]] = {}
    denied: set[frozenset[str]] = set()
    judged: set[str] = set()
    for first, action, second, is_negative in draft.statements:
        judged.update(name for name in (first, second) if name in places)
        ends = frozenset((first, second))
        if _STATEMENT.match(first) or _STATEMENT.match(second):
            counts["statements about other statements"] += 1
        elif first not in places or second not in places:
            counts["relations with a string not found"] += 1
        elif len(ends) == 1:
            counts["relations of a string with itself"] += 1
        elif is_negative or is_denied(action):
            counts["relations that are denied (their pairs are negative)"] += 1
            denied.add(ends)
        elif says_what_it_is(action):
            counts["statements of what something is (their pairs are negative)"] += 1
        else:
            stated.setdefault(ends, {})[first, action] = None
    return {ends: actions for ends, actions in stated.items() if ends not in denied}, judged


def _closest(one: Sequence[Mention], other: Sequence[Mention]) -> tuple[Mention, Mention]:
    """The two occurrences with the fewest characters between them, the earliest on a tie."""
    return min(
        ((a, b) for a in one for b in other),
        key=lambda pair: (max(pair[1].start - pair[0].end, pair[0].start - pair[1].end), pair[0].start, pair[1].start),
    )
