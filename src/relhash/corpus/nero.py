"""NERO: a table of annotated statements, ``entity1 actionType entity2``, as strings without offsets.

One row is one annotation of one sentence. The strings are looked for in the sentence: longest first, so that *p53 protein* is
not taken for *p53*; no two overlap; whole words before pieces of words, the spelling as it stands before other case. Every
occurrence becomes a mention, and of two strings the two occurrences that stand closest together are the candidate pair.

``entity1`` is the cause of a statement and ``entity2`` its theme. Candidates are the pairs of strings of a sentence that take
part in any statement of it: what was not looked at is no negative. A statement becomes a relation unless it is denied (*does
not bind*, or the column ``negative``) or says what something is (*is a type of*, *contains*): then its pair stays a candidate,
without relation. A paper (``pmid``) is a document; a sentence without one is a document of its own. What could not be used is
counted (:mod:`relhash.corpus.remarks`).
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
    return (match.span() for match in re.finditer(re.escape(string), text))


def _is_word(text: str, span: Span) -> bool:
    """Whether neither side of the span continues a word."""
    return not any(re.fullmatch(r"\w\w", text[max(place - 1, 0) : place + 1]) for place in span)


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
"""Entity and action of rows that only tried the form."""
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
    """Whether the verb itself says that nothing happens."""
    return bool(_DENIED.search(action))


def says_what_it_is(action: str) -> bool:
    """Whether the verb names a kind, a part or another name, not something that the two do."""
    return bool(_WHAT_IT_IS.match(action))


def read_nero(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """Documents of the table, in the order of their first rows; in lenient mode a broken row is left out."""
    papers: dict[str, dict[str, _Draft]] = {}

    def add(row: _Row | CorpusError) -> None:
        if isinstance(row, CorpusError):
            raise row
        sentence, paper = row["sentenceText"], row["pmid"]
        if not sentence:
            raise CorpusError("the row has no sentence", path, row.line, remedy="fill it or remove the row")
        if paper.lower() in _NO_PAPER:
            paper = f"sentence-{row['sdocId'] or row.line}"
        papers.setdefault(paper, {}).setdefault(sentence, _Draft(sentence)).add(row)

    for _ in without_broken(_rows(path), add, on_error):
        pass
    for identifier, drafts in papers.items():
        yield _document(identifier, list(drafts.values())).check(str(path))


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: dict[str, str]
    is_repaired: bool

    def __getitem__(self, column: str) -> str:
        return self.cells[column]


def _rows(path: Path) -> Iterator[_Row | CorpusError]:
    """The rows, or what is wrong with them; characters that are not UTF-8 are replaced as long as they are rare."""
    places: dict[str, int] = {}
    number, width = 0, 0
    bad: list[int] = []
    with open_bytes(path) as handle:
        for number, raw in enumerate(handle, 1):
            line = raw.decode("utf-8", errors="replace").removesuffix("\n").removesuffix("\r")
            is_repaired = raw.decode("utf-8", errors="ignore").encode() != raw
            bad += [number] * is_repaired
            cells = line.split("\t")
            if number == 1:
                names = line.removeprefix("\ufeff").split("\t")
                missing = [name for name in COLUMNS if name not in names]
                if missing or is_repaired:
                    problem = f"not the table of NERO, its header has no column {missing[0] if missing else 'in UTF-8'}"
                    remedy = f"the first line must name {', '.join(COLUMNS)}, separated by tabs"
                    raise CorpusError(problem, path, 1, remedy=remedy)
                places, width = {name: names.index(name) for name in COLUMNS}, len(names)
            elif line.strip() and len(cells) != width:
                yield CorpusError(f"{len(cells)} columns where the header has {width}", path, number)
            elif line.strip():
                plain = {name: " ".join(_BLANKS.split(cells[place])).strip() for name, place in places.items()}
                yield _Row(number, plain, is_repaired)
    if number == 0:
        raise CorpusError("the file is empty", path, remedy="check that it was written or downloaded completely")
    if number == 1:
        raise CorpusError("a header but no rows", path)
    if len(bad) > MOST_BAD_LINES * number:
        problem = f"not UTF-8 text ({len(bad):,} of {number:,} lines)"
        raise CorpusError(problem, path, bad[0], remedy="convert it with iconv")


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
        first, action, second = row["entity1"], row["actionType"].lower(), row["entity2"]
        if (first, action) in _TESTS:
            self.counts["test rows"] += 1
            return
        for number, name in (("1", first), ("2", second)):
            if name and not _STATEMENT.match(name):
                self.classes.setdefault(name, Counter())[_class(row[f"semantic_class_entity{number}"])] += 1
        if action and first and second:
            self.statements.append((first, action, second, row["negative"] == "1"))


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
        kinds = {
            name: min(draft.classes[name].items(), key=lambda item: (item[0] == UNKNOWN, -item[1], item[0]))[0]
            for name in places
        }
        own: dict[str, list[Mention]] = {}
        for (first, last), name in sorted((span, name) for name, spans in places.items() for span in spans):
            span = (start + first, start + last)
            mentions.append(Mention(f"T{len(mentions) + 1}", kinds[name], (span,), text[slice(*span)]))
            own.setdefault(name, []).append(mentions[-1])
        stated, judged = _statements(draft, places, counts)
        for one, other in combinations(sorted(judged, key=lambda name: own[name][0].spans), 2):
            first_mention, second_mention = _closest(own[one], own[other])
            pair = CandidatePair(f"P{len(pairs) + 1}", first_mention.id, second_mention.id)
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
