"""What a reader has to say besides its documents: what was put right, what was left aside, and what was broken.

A reader turns the items of its file (lines, elements, graphs) into documents. What it understands although the file states it
wrongly goes to :class:`Remarks`, which are counted and printed once at the end. An item that is broken raises
:class:`CorpusError`; :func:`without_broken` ends the reading there or, with ``on_error``, leaves the item out.

Annotated files carry a copy of each mention's text. Where the offsets show something else, it is looked at twice. A copy that
differs only in case, blanks or punctuation (typographic quotes, ``ERK`` for ``Erk``) stays where its offsets say. Any other is
looked for around them: if it stands there **exactly once** within :data:`NEAR` characters, and no other mention has that very
place, the offsets are moved. Both are remarks. Anything else stays an error: a name that occurs twice nearby may be either, and
one farther away is likely another mention of the same thing.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from relhash.corpus.document import Document, Mention, Relation, Sentence, Span, free_id, spanned_text
from relhash.errors import CorpusError, RelHashWarning

OnError = Callable[[CorpusError], None] | None
"""Given the error of each broken document, which is then left out; ``None``: the first error is raised."""

Item = TypeVar("Item")
Result = TypeVar("Result")

_SHOWN = 3
_LEFT_OUT = "left out: "


class Remarks:
    """Remarks on one corpus, by what they say.

    >>> remarks = Remarks()
    >>> for line in range(1, 6):
    ...     remarks.add("relations without type", Path("a.ann"), line)
    >>> remarks.texts()
    ['relations without type: 5 (a.ann:1; a.ann:2; a.ann:3; …)']
    """

    def __init__(self) -> None:
        self.counts = Counter[str]()
        self._places: dict[str, dict[str, None]] = {}

    def add(self, what: str, path: Path | str, where: int | str | None = None, detail: str = "", count: int = 1) -> None:
        """Count ``what`` (in the plural: *offsets that were moved*); the first places are shown."""
        self.counts[what] += count
        shown = self._places.setdefault(what, {})
        if len(shown) <= _SHOWN:
            place = f"{path}:{where}" if isinstance(where, int) else f"{path} [{where}]" if where else str(path)
            shown[f"{place} {detail}".rstrip()] = None

    def texts(self) -> list[str]:
        """One line for each kind of remark."""
        return [
            f"{what}: {count:,} ({'; '.join([*self._places[what]][:_SHOWN])}{'; …' * (len(self._places[what]) > _SHOWN)})"
            for what, count in self.counts.items()
        ]

    def report(self) -> None:
        """Warn once per kind."""
        for text in self.texts():
            warnings.warn(text, RelHashWarning, stacklevel=2)


def without_broken(items: Iterable[Item], convert: Callable[[Item], Result], on_error: OnError) -> Iterator[Result]:
    """``convert(item)`` for each item, without those that are broken.

    When the items themselves cannot be read any further (a file that is cut off), what came before them stays.
    """
    if on_error is None:
        yield from map(convert, items)
        return
    remaining = iter(items)
    while True:
        try:
            item = next(remaining)
        except StopIteration:
            return
        except CorpusError as error:
            on_error(error)
            return
        try:
            result = convert(item)
        except CorpusError as error:
            on_error(error)
        else:
            yield result


def refusal(form: str, what: str, path: Path, where: str) -> CorpusError:
    """What a writer says of content for which its format has no place."""
    return CorpusError(f"{form} cannot hold {what}", path, where, remedy="write .jsonl, which holds everything")


def left_out(counts: Mapping[str, int]) -> dict[str, str]:
    """Counts of what a reader dropped, as metadata of the document; ``relhash inspect`` adds them up."""
    return {f"{_LEFT_OUT}{what}": str(count) for what, count in counts.items() if count}


def counts_left_out(document: Document) -> dict[str, int]:
    """The counts of a document."""
    return {
        name.removeprefix(_LEFT_OUT): int(value)
        for name, value in document.metadata.items()
        if name.startswith(_LEFT_OUT) and value.isdecimal()
    }


NEAR = 30
"""Characters that offsets may be off. What shifts them in practice (an inclusive end, a lost blank, ``&amp;`` counted as five,
an umlaut counted as two bytes, ``\\r\\n`` for a line end) adds up to a few; a sentence, where the next mention of the same name
may stand, is longer than a hundred."""

Named = TypeVar("Named", Mention, Relation, Sentence)
Place = Callable[[str], tuple[Path, int | str]]
"""File and line (or id) of the element with this id."""


def settled(document: Document, remarks: Remarks, place: Place, *, counted: str = "") -> Document:
    """The document with unique ids and with all mentions where their text stands, checked.

    ``counted`` says how this format counts, for the error about offsets that fit nowhere.
    """
    document = replace(
        document,
        mentions=_with_unique_ids(document.mentions, "mention", remarks, place),
        relations=_with_unique_ids(document.relations, "relation", remarks, place),
        sentences=_with_unique_ids(document.sentences, "sentence", remarks, place),
    )
    document = _with_mentions_in_place(document, remarks, place, counted)
    try:
        check_document(document)
    except CorpusError as error:
        path, where = place(str(error.where))
        raise CorpusError(error.message, path, where, remedy=error.remedy) from error
    return document


def json_of(
    text: str, path: Path, where: int | None = None, *, remedy: str = "is the file cut off?", check: bool = True
) -> Any:
    """The value of a JSON file, or of its line ``where``; unless ``check`` is false, all in it are characters."""
    place: dict[str, Any] = {"path": path, "where": where}
    try:
        value = json.loads(text)
        text.encode() if not check or "\\u" not in text else json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place["where"] = error.lineno if where is None else where
        raise CorpusError(f"not JSON: {error.msg} at column {error.colno}", **place, remedy=remedy) from error
    except UnicodeEncodeError as error:
        raise CorpusError(_HALF, **place) from error
    except (RecursionError, ValueError) as error:  # a thousand open brackets; a number with ten thousand digits
        raise CorpusError("JSON nested too deeply or with a number too long", **place) from error
    return value


def check_characters(texts: Iterable[str], path: Path | None = None, where: int | str | None = None) -> None:
    """An error if the texts hold what no file can hold: half of a surrogate pair, which JSON can write as ``\\ud800``."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        raise CorpusError(_HALF, path, where) from error


_HALF = "half of a surrogate pair (\\ud800 … \\udfff) is not a character"


@contextmanager
def errors_at(path: Path | None, where: int | str) -> Iterator[None]:
    """Errors inside that do not know their place have this one."""
    try:
        yield
    except CorpusError as error:
        if error.path is not None:
            raise
        raise CorpusError(error.message, path, where, remedy=error.remedy) from None


@contextmanager
def formed_as(form: str, path: Path, where: int | str) -> Iterator[None]:
    """Whatever goes wrong inside, because a record is not as the format ``form`` prescribes, is an error with its place."""
    try:
        yield
    except KeyError as error:
        raise CorpusError(f"{form} prescribes {error.args[0]!r}, which is missing", path, where) from error
    except UnicodeEncodeError as error:
        raise CorpusError(_HALF, path, where) from error
    except (TypeError, ValueError, OverflowError, AttributeError, IndexError, SyntaxError) as error:  # XML has SyntaxErrors
        raise CorpusError(f"not of the form that {form} prescribes ({error})", path, where) from error


def check_document(document: Document, *, path: str | None = None) -> None:
    """Raise a :class:`CorpusError` naming the element if ``document`` contradicts itself."""
    length = len(document.text)

    def refuse(message: str, where: str, remedy: str | None = None) -> NoReturn:
        raise CorpusError(message, path, where, remedy=remedy)

    def unique(kind: str, items: Iterable[Mention | Relation | Sentence]) -> set[str]:
        seen: set[str] = set()
        for item in items:
            if item.id in seen:
                refuse(f"the {kind} id {item.id!r} is used twice", item.id, "ids must be unique in a document")
            seen.add(item.id)
        return seen

    def refuse_dangling(target: str, among: Collection[str], what: str, where: str) -> None:
        if target not in among:
            refuse(f"{what} refers to {target!r}, which does not exist", where)

    mention_ids = unique("mention", document.mentions)
    known = mention_ids | unique("relation", (*document.relations, *document.concept_relations))
    unique("sentence", document.sentences)
    for mention in document.mentions:
        if not mention.spans:
            refuse("mention without offsets", mention.id)
        previous = 0
        for start, end in mention.spans:
            if not 0 <= start < end <= length:
                refuse(f"offsets {start}-{end} lie outside the text of {length} characters", mention.id)
            if start < previous:
                refuse("spans of a mention must be in order and must not overlap", mention.id)
            previous = end
    for sentence in document.sentences:
        first, last, count = sentence.start, sentence.end, len(sentence.tokens)
        if not 0 <= first <= last <= length:
            refuse(f"offsets {first}-{last} lie outside the text of {length} characters", sentence.id)
        for token in sentence.tokens:
            if not first <= token.start <= token.end <= last:
                refuse(f"token {token.text!r} lies outside its sentence", sentence.id)
        for arc in sentence.dependencies:
            if not (0 <= arc.head < count and 0 <= arc.dependent < count):
                refuse(f"dependency {arc.label!r} refers to a token that does not exist", sentence.id)
    for relation in document.relations:
        for argument in relation.arguments:
            refuse_dangling(argument.target, known, f"argument {argument.role}", relation.id)
        if relation.trigger is not None and relation.trigger not in mention_ids:
            refuse(f"trigger {relation.trigger!r} does not exist", relation.id)
    for pair in document.candidates or ():
        for member in (pair.first, pair.second):
            refuse_dangling(member, mention_ids, "candidate pair", pair.id)
    for attribute in document.attributes:
        refuse_dangling(attribute.target, known, "attribute", attribute.id)
    for group in document.equivalences:
        for member in group:
            refuse_dangling(member, mention_ids, "equivalence", document.id)


def agrees(wanted: str, text: str, spans: Sequence[Span]) -> bool:
    """Whether the copy of a mention's text is what its offsets show; blanks do not count, and a copy may fill the gaps."""
    return _agrees(wanted, text, spans, lambda words: "".join(words.split()))


def occurrences(name: str, text: str) -> list[Span]:
    """Where ``name`` stands as words of its own; if nowhere, where it stands at all."""
    for pattern in (rf"(?<!\w){re.escape(name)}(?!\w)", re.escape(name)):
        places = [match.span() for match in re.finditer(pattern, text)]
        if places:
            return places
    return []


def placed(
    wanted: str, text: str, spans: Sequence[Span], remarks: Remarks, path: Path, where: int | str,
    *, taken: Collection[object] = (), counted: str = "",
) -> tuple[Span, ...]:  # fmt: skip
    """Where a mention stands whose copy of the text is ``wanted`` (see above); ``taken`` are the spans of other mentions."""
    tidy = _in_order(spans)
    is_inside = all(0 <= start < end <= len(text) for start, end in tidy)
    if is_inside and any(_agrees(wanted, text, way, _letters) for way in (tidy, spans)):
        if tidy != tuple(spans):
            remarks.add("mentions whose spans overlapped (joined)", path, where, repr(wanted[:40]))
        elif not agrees(wanted, text, tidy):
            shown = f"{wanted[:40]!r}, in the text {spanned_text(text, tidy)[:40]!r}"
            remarks.add("mentions written otherwise than in the text (case, punctuation)", path, where, shown)
        return tidy
    if len(spans) > 1:
        found = _shifted(text, spans, wanted)
    else:
        found = [(place,) for place in _nearby(text, spans[0][0], wanted)] if spans else []
    if len(found) == 1 and found[0] not in taken:
        detail = f"{wanted[:40]!r} {_written(spans)} → {_written(found[0])}"
        remarks.add(f"offsets that were moved to where the text stands, at most {NEAR} characters", path, where, detail)
        return found[0]
    outside = next((span for span in spans if not 0 <= span[0] < span[1] <= len(text)), None)
    if outside is not None:
        problem = f"offsets {outside[0]}-{outside[1]} lie outside the text of {len(text)} characters"
    else:
        problem = f"the mention should be {wanted!r} but its offsets give {spanned_text(text, spans)!r}"
    rule = counted or "offsets count characters from 0, the end is exclusive"
    raise CorpusError(
        problem, path, where, remedy=f"{rule}; correct them, or leave out what is broken (--lenient)"
    )  # fmt: skip


def _with_unique_ids(items: tuple[Named, ...], kind: str, remarks: Remarks, place: Place) -> tuple[Named, ...]:
    """A second element of the same id is left out if it says the same, else gets an id of its own."""
    taken = {item.id for item in items}
    if len(taken) == len(items):
        return items
    first: dict[str, Named] = {}
    kept: list[Named] = []
    for item in items:
        if first.setdefault(item.id, item) is item:
            kept.append(item)
            continue
        is_same = item == first[item.id]
        done = "left out, it says the same" if is_same else "the second got another id"
        remarks.add(f"{kind} ids used twice ({done})", *place(item.id), detail=repr(item.id))
        if not is_same:
            kept.append(replace(item, id=free_id(item.id, taken)))
    return tuple(kept)


def _with_mentions_in_place(document: Document, remarks: Remarks, place: Place, counted: str) -> Document:
    text = document.text
    mentions = list(document.mentions)
    wrong = [number for number, mention in enumerate(mentions) if not _fits(mention.text, text, mention.spans)]
    if not wrong:
        return document
    broken = set(wrong)
    taken: set[object] = {mention.spans for number, mention in enumerate(mentions) if number not in broken}
    for number in wrong:
        mention = mentions[number]
        if not mention.spans:
            continue  # the check says so
        path, where = place(mention.id)
        spans = placed(mention.text, text, mention.spans, remarks, path, where, taken=taken, counted=counted)
        taken.add(spans)
        given = mention.text if agrees(mention.text, text, spans) else spanned_text(text, spans)
        mentions[number] = replace(mention, spans=spans, text=given)
    return replace(document, mentions=tuple(mentions))


def _fits(wanted: str, text: str, spans: Sequence[Span]) -> bool:
    previous = 0
    for start, end in spans:
        if not previous <= start < end <= len(text):
            return False
        previous = end
    return bool(spans) and agrees(wanted, text, spans)


def _in_order(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans in the order of the text, those that overlap or hold one another joined."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def _agrees(wanted: str, text: str, spans: Sequence[Span], plain: Callable[[str], str]) -> bool:
    if not wanted or not spans:
        return True
    if spans[-1][1] > len(text):
        return False
    copy = plain(wanted)
    return copy == plain("".join(text[start:end] for start, end in spans)) or (
        len(spans) > 1 and copy == plain(text[spans[0][0] : spans[-1][1]])
    )


def _letters(words: str) -> str:
    """What is left of a name without case, blanks and punctuation; a name of nothing else stays as it is."""
    return re.sub(r"[\W_]", "", words).casefold() or words


def _nearby(text: str, start: int, wanted: str) -> list[Span]:
    """Occurrences that begin at most :data:`NEAR` characters from ``start``; blanks in ``wanted`` match any white space."""
    words = wanted.split()
    if not words or start > len(text) + NEAR:  # far beyond the text, perhaps farther than a position can be
        return []
    first, last = max(0, start - NEAR), max(0, start + NEAR)
    body = r"\s+".join(map(re.escape, words))
    for pattern in (rf"(?<!\w){body}(?!\w)", body):
        window = re.compile(pattern)
        places = []
        position = first
        while match := window.search(text, position, last + 2 * len(wanted) + 1):
            if match.start() > last:
                break
            places.append(match.span())
            position = match.start() + 1
        if places:
            return places
    return []


def _shifted(text: str, spans: Sequence[Span], wanted: str) -> list[tuple[Span, ...]]:
    """A mention in several pieces moves as a whole."""
    found = []
    for shift in range(-NEAR, NEAR + 1):
        moved = tuple((start + shift, end + shift) for start, end in spans)
        if _fits(wanted, text, moved):
            found.append(moved)
    return found


def _written(spans: Sequence[Span]) -> str:
    return ",".join(f"{start}-{end}" for start, end in spans)
