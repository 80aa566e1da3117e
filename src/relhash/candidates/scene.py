"""A candidate in its sentence: tokens as it shows them, the tokens of its mentions, the paths between them.

What all candidates of a sentence share is computed once, when it is needed, in a :class:`Stage`; a :class:`Scene` is one
candidate on it, and light, so that those of a batch are kept. Views, descriptors and evidence read scenes and nothing else.
Of a very long stretch between two participants only its ends are looked at: a kernel's cost grows with the square.
"""

from __future__ import annotations

import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self, TypeVar
from weakref import WeakValueDictionary

from relhash.biomed.cues import CueScope
from relhash.candidates.candidate import Candidate, overlap
from relhash.candidates.graph import Connection, DependencyGraph, DependencyPath
from relhash.candidates.symbols import normalise_word, only_marks_cells, role_symbol, split_words, type_symbol
from relhash.corpus.document import Dependency, Document, Mention, Sentence, Token
from relhash.errors import RelHashWarning, StructureError

Result = TypeVar("Result")

LONGEST_STRETCH = 500
"""Tokens between two neighbouring participants that are looked at."""
HALF = LONGEST_STRETCH // 2
LEFT_OUT = "<LEFT_OUT>"
"""The symbol that stands in a sequence where a part of it was left out."""


def windowed(stretch: Sequence[str], warn: Callable[[], None] = lambda: None) -> list[str]:
    """``stretch`` as it is, or its two ends with a symbol between them if it is longer than the limit.

    >>> windowed(["binds", "to"])
    ['binds', 'to']
    >>> len(windowed(["very"] * 1000)), windowed(["very"] * 1000)[250]
    (501, '<LEFT_OUT>')
    """
    if len(stretch) <= LONGEST_STRETCH:
        return list(stretch)
    warn()
    return [*stretch[:HALF], LEFT_OUT, *stretch[-HALF:]]


def warn_of_window(document: str) -> None:
    """Say, once for each document, that not all of it was looked at."""
    warnings.warn(
        f"document {document!r}: more than {LONGEST_STRETCH} tokens stand between two entities of a sentence; only "
        f"the {HALF} next to each are compared (is the text without punctuation, or a table?)",
        RelHashWarning,
        stacklevel=2,
    )


class _Once:
    """Keeps what is computed of it."""

    __slots__ = ()
    _known: dict[object, Any]

    def once(self, work: Callable[[Self], Result]) -> Result:
        """What ``work`` makes of this, computed when it is first asked for."""
        if work not in self._known:
            self._known[work] = work(self)
        found: Result = self._known[work]
        return found


NO_ENTITY = -1
"""The owner of a token that is part of no entity."""


class Stage(_Once):
    """A sentence (or several, when the mentions of a candidate lie apart) prepared for the candidates in it.

    Parameters
    ----------
    document, first, last
        The document and the numbers of its first and last sentence to look at; a document without sentences is one.
    entities
        The entities of the document, if they are sorted already.
    """

    @classmethod
    def of(cls, document: Document, first: int, last: int | None = None, *, entities: SortedEntities | None = None) -> Stage:
        """The stage of these sentences: what makes candidates and what judges them look at the same one, while either does."""
        place = id(document), first, first if last is None else last
        found = _prepared.get(place)
        if found is None:
            found = _prepared[place] = cls(document, first, last, entities=entities)
        return found

    def __init__(
        self,
        document: Document,
        first: int = 0,
        last: int | None = None,
        *,
        entities: SortedEntities | None = None,
    ) -> None:
        self.document = document
        self._entities = entities
        self.first, self.last = first, first if last is None else last
        sentences = document.sentences[self.first : self.last + 1] or (Sentence(document.id, 0, len(document.text)),)
        self.start, self.end = sentences[0].start, sentences[-1].end
        self.is_parsed = all(sentence.is_parsed for sentence in sentences)
        self.tokens: Sequence[Token] = sentences[0].tokens
        self._arcs: Sequence[Dependency] = sentences[0].dependencies
        if len(sentences) > 1:
            self.tokens, self._arcs = _joined(sentences)
        if not self.tokens:
            self.tokens = list(split_words(document.text, self.start, self.end))
        self._token_starts = [token.start for token in self.tokens]
        self._token_ends = [token.end for token in self.tokens]
        self._tokens_of: dict[str, tuple[int, ...]] = {}
        self._known = {}

    @cached_property
    def graph(self) -> DependencyGraph:
        """The dependency graph; an error with the remedy if the sentence is not parsed."""
        if not self.is_parsed:
            place = self.document.sentences[self.first].id if self.document.sentences else self.document.id
            raise StructureError(
                f"sentence {place!r} has no parse, which views along the dependency path need; "
                "let the model parse by itself (relhash fit --parses embedded, RelationExtractor(parses='embedded')), or "
                "choose views without a parse: between, window(3,3), descriptors"
            )
        return DependencyGraph(len(self.tokens), self._arcs)

    @cached_property
    def cues(self) -> CueScope:
        """The words that deny or doubt, and how they lie to the others; without a parse, where they stand."""
        return CueScope(self.tokens, self._arcs if self.is_parsed else ())

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The entities that start here, longer ones first where they start together."""
        return (self._entities or SortedEntities(self.document)).starting_in(self.start, self.end)

    @cached_property
    def cell_markers(self) -> frozenset[str]:
        """The ids of those that only say which cells are meant, and so take part in nothing with others."""
        return frozenset(mention.id for mention in self.mentions if only_marks_cells(self.document.text, mention))

    @cached_property
    def words(self) -> list[str]:
        """Each token as sequences show it, nothing blinded."""
        return [normalise_word(token.text) for token in self.tokens]

    @cached_property
    def blinded(self) -> list[str]:
        """Each token as sequences show it, entities as type symbols."""
        return self._blinding[0]

    @cached_property
    def owners(self) -> list[int]:
        """For each token the number of the entity it belongs to, or :data:`NO_ENTITY`."""
        return self._blinding[1]

    @cached_property
    def _blinding(self) -> tuple[list[str], list[int]]:
        shown, owners = self.words.copy(), [NO_ENTITY] * len(self.tokens)
        for number, mention in enumerate(self.mentions):
            symbol = type_symbol(mention.type)
            for token in self.tokens_of(mention):
                if owners[token] == NO_ENTITY:  # of nested mentions the outermost counts
                    shown[token], owners[token] = symbol, number
        return shown, owners

    def is_free(self, token: int) -> bool:
        """Whether a token is part of no entity."""
        return self.owners[token] == NO_ENTITY

    @cached_property
    def overlapping(self) -> dict[str, list[int]]:
        """For each mention that shares characters with others: the numbers of those others."""
        found: dict[str, list[int]] = {}
        for number, mention in enumerate(self.mentions):
            for other_number in range(number + 1, len(self.mentions)):
                other = self.mentions[other_number]
                if other.start >= mention.end:
                    break
                if overlap(mention, other):
                    found.setdefault(mention.id, []).append(other_number)
                    found.setdefault(other.id, []).append(number)
        return found

    def tokens_of(self, mention: Mention) -> tuple[int, ...]:
        """Indices of the tokens that a mention touches, in order; the nearest token if it touches none."""
        found = self._tokens_of.get(mention.id)
        if found is None:
            indices: list[int] = []
            for start, end in mention.spans:
                index = bisect_right(self._token_ends, start)
                while index < len(self.tokens) and self._token_starts[index] < end:
                    indices.append(index)
                    index += 1
            if not indices:
                if not self.tokens:
                    raise StructureError(f"document {self.document.id!r}: no words around mention {mention.id!r}")
                indices.append(min(bisect_right(self._token_ends, mention.start), len(self.tokens) - 1))
            found = self._tokens_of[mention.id] = tuple(sorted(set(indices)))
        return found


_prepared: WeakValueDictionary[tuple[int, int, int], Stage] = WeakValueDictionary()
"""A stage keeps its document, so that no other has the identity of that."""


class SortedEntities:
    """The entities of a document by where they start: a full text has too many to search for each sentence."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._mentions = sorted(document.entities, key=lambda mention: (mention.start, -mention.end))
        self._starts = [mention.start for mention in self._mentions]

    def starting_in(self, start: int, end: int) -> tuple[Mention, ...]:
        return tuple(self._mentions[bisect_left(self._starts, start) : bisect_left(self._starts, end)])


def _joined(sentences: Sequence[Sentence]) -> tuple[list[Token], list[Dependency]]:
    tokens: list[Token] = []
    arcs: list[Dependency] = []
    for sentence in sentences:
        arcs += [
            replace(arc, head=arc.head + len(tokens), dependent=arc.dependent + len(tokens)) for arc in sentence.dependencies
        ]
        tokens += sentence.tokens
    return tokens, arcs


LONGEST_KEPT = 100
"""Tokens between participants that a scene keeps; a longer list is made again when asked for, so that scenes stay light."""
_PARTICIPANT = -2
"""Owners down from here are participants: the first is -2, the second -3, …"""


class Scene(_Once):
    """One candidate in its sentence.

    Attributes
    ----------
    stage
        The sentence, shared by all candidates in it.
    tokens
        For each participant, in surface order, the indices of its tokens.
    symbols
        How each participant shows in a sequence: as its role, a trigger as its word.
    """

    __slots__ = ("_between", "_known", "_own", "_paths", "candidate", "stage", "symbols", "tokens")

    def __init__(self, stage: Stage, candidate: Candidate) -> None:
        self.stage = stage
        self.candidate = candidate
        self.tokens = [stage.tokens_of(mention) for mention in candidate.mentions]
        self.symbols = [
            stage.words[tokens[-1]] if mention.is_trigger else role_symbol(role)  # a trigger matters for its word
            for mention, role, tokens in zip(candidate.mentions, candidate.roles, self.tokens, strict=True)
        ]
        # only where this candidate differs from the stage: how the token shows, and whose it is
        self._own: dict[int, tuple[str, int]] = {}
        if stage.overlapping:
            self._uncover()
        for number, (tokens, symbol) in enumerate(zip(self.tokens, self.symbols, strict=True)):
            for token in tokens:
                if self._owner(token) > _PARTICIPANT:  # a token that two participants share shows the first
                    self._own[token] = symbol, _PARTICIPANT - number
        self._paths: list[DependencyPath] | None = None
        self._between: list[list[str]] | None = None
        self._known = {}

    def _uncover(self) -> None:
        """Show the words of entities that overlap a participant: of "IL-2 receptor" around "IL-2" the receptor remains."""
        stage = self.stage
        for mention in self.candidate.mentions:
            for number in stage.overlapping.get(mention.id, ()):
                for token in stage.tokens_of(stage.mentions[number]):
                    if stage.owners[token] == number:
                        self._own[token] = stage.words[token], NO_ENTITY

    def _owner(self, token: int) -> int:
        own = self._own.get(token)
        return self.stage.owners[token] if own is None else own[1]

    @property
    def own_tokens(self) -> Iterable[int]:
        """The tokens that this candidate may show otherwise than the sentence does: those of its participants, mostly."""
        return self._own

    def shown_as(self, token: int) -> str:
        """How this candidate shows a token of the sentence: a word, a participant's symbol, the type of another entity."""
        own = self._own.get(token)
        return self.stage.blinded[token] if own is None else own[0]

    def is_free(self, token: int) -> bool:
        """Whether a token shows as a word: it is part of no participant and of no other entity."""
        return self._owner(token) == NO_ENTITY

    def participant_of(self, token: int) -> int | None:
        """The number of the participant that a token belongs to."""
        owner = self._owner(token)
        return _PARTICIPANT - owner if owner <= _PARTICIPANT else None

    def entity_of(self, token: int) -> Mention | None:
        """The entity, not a participant, that a token belongs to."""
        owner = self._owner(token)
        return self.stage.mentions[owner] if owner >= 0 else None

    def in_one_mention(self, token: int, other: int) -> bool:
        """Whether two tokens belong to the same participant or entity, and so show as one."""
        owner = self._owner(token)
        return owner != NO_ENTITY and owner == self._owner(other)

    def shown(self, tokens: Iterable[int], at_most: int | None = None) -> list[str]:
        """How ``tokens`` show in a sequence, consecutive tokens of one mention as one."""
        own, blinded, owners = self._own, self.stage.blinded, self.stage.owners
        sequence: list[str] = []
        previous = NO_ENTITY
        for token in tokens:
            shown, owner = own.get(token) or (blinded[token], owners[token])
            if owner == NO_ENTITY or owner != previous:
                if len(sequence) == at_most:
                    break
                sequence.append(shown)
            previous = owner
        return sequence

    @property
    def paths(self) -> list[DependencyPath]:
        """Shortest dependency paths between neighbouring participants, in surface order (one path for a pair)."""
        if self._paths is None:
            graph = self.stage.graph
            self._paths = [graph.shortest_path(start, goal) for start, goal in zip(self.tokens, self.tokens[1:])]
        return self._paths

    @property
    def is_joined(self) -> bool:
        """Whether the sentence is parsed, and a path leads from each participant to the next."""
        return self.stage.is_parsed and {path.connection for path in self.paths} == {Connection.PATH}

    @property
    def between(self) -> list[list[str]]:
        """What shows between each participant and the next, both left out (one list for a pair).

        It starts where the first one was last seen before the second begins (mentions may be discontinuous), and keeps the rest
        of a token that is only in part a mention: in "Ras-dependent Raf" with the token "Ras-dependent"
        these are "-" and "dependent".
        """
        if self._between is not None:
            return self._between
        between = [self._gap(number) for number in range(len(self.tokens) - 1)]
        if sum(map(len, between)) <= LONGEST_KEPT:
            self._between = between
        return between

    def _gap(self, number: int) -> list[str]:
        first, second = self.candidate.mentions[number : number + 2]
        left, right = self.tokens[number], self.tokens[number + 1]
        if left[-1] < right[0] and first.end <= second.start:
            begin, last_left = first.end, left[-1]
        else:
            begin = max((end for _, end in first.spans if end <= second.start), default=second.start)
            last_left = max((token for token in left if token <= right[0]), default=right[0])
        if last_left >= right[0]:  # in one token, or overlapping
            return self._pieces(begin, second.start)
        stage_tokens = self.stage.tokens
        tail = self._pieces(begin, stage_tokens[last_left].end) if begin < stage_tokens[last_left].end else []
        inside = self._stretch(last_left + 1, right[0])
        head_start = stage_tokens[right[0]].start
        return tail + inside + (self._pieces(head_start, second.start) if head_start < second.start else [])

    def _stretch(self, first: int, after: int) -> list[str]:
        """How the tokens from ``first`` on show; of a very long stretch only the ends."""
        if after - first <= LONGEST_STRETCH:
            return self.shown(range(first, after))
        self.warn_of_window()
        return [*self.shown(range(first, after), HALF), LEFT_OUT, *self.shown(range(after - 1, first - 1, -1), HALF)[::-1]]

    def warn_of_window(self) -> None:
        """Say, once for each document, that not all of a sentence was looked at."""
        warn_of_window(self.stage.document.id)

    def _pieces(self, start: int, end: int) -> list[str]:
        return [normalise_word(token.text) for token in split_words(self.stage.document.text, start, end)]


def scenes(candidates: Iterable[Candidate | Scene]) -> Iterator[Scene]:
    """Candidates in their sentences; neighbours in the same sentence share its preparation.

    Prepared scenes among them stay as they are.

    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> (scene,) = scenes([Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"))])
    >>> scene.shown(range(3)), scene.is_free(1), scene.participant_of(2)
    (['<E1>', 'binds', '<E2>'], True, 1)
    """
    stage: Stage | None = None
    entities: SortedEntities | None = None
    for candidate in candidates:
        if isinstance(candidate, Scene):
            yield candidate
            continue
        document, first, last = candidate.document, candidate.sentence, last_sentence(candidate)
        if entities is None or entities.document is not document:
            entities, stage = SortedEntities(document), None
        if stage is None or (stage.first, stage.last) != (first, last):
            stage = Stage.of(document, first, last, entities=entities)
        yield Scene(stage, candidate)


def last_sentence(candidate: Candidate) -> int:
    """Number of the sentence in which the candidate ends."""
    sentences, number = candidate.document.sentences, candidate.sentence
    end = max(mention.end for mention in candidate.mentions)
    while number + 1 < len(sentences) and sentences[number].end < end and sentences[number + 1].start < end:
        number += 1
    return number
