"""What a candidate looks like in its sentence: tokens as it shows them, the tokens of its mentions, the paths between them.

Work that all candidates of a sentence share is done once, in a :class:`~relhash.structures.stage.Stage`; a :class:`Scene` is
one candidate on it. Views, descriptors and evidence read scenes and nothing else. A scene is light, whatever the length of its
sentence, so that all scenes of a batch of documents can be kept: prepare them once, and read features and evidence off them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from relhash.corpus.document import Mention
from relhash.structures.candidate import Candidate
from relhash.structures.graph import Connection, DependencyPath
from relhash.structures.stage import NOBODY, SortedEntities, Stage
from relhash.structures.symbols import normalise_word, role_symbol
from relhash.structures.windowing import HALF, LEFT_OUT, LONGEST_STRETCH, warn_of_window
from relhash.structures.word_split import split_words

LONGEST_KEPT = 100
"""Tokens between participants that a scene keeps; a longer list is made again when asked for, so that scenes stay light."""
_PARTICIPANT = -2
"""Owners down from here are participants: the first is -2, the second -3, …"""


class Scene:
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

    __slots__ = ("_between", "_own", "_paths", "candidate", "stage", "symbols", "tokens")

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

    def _uncover(self) -> None:
        """Show the words of entities that overlap a participant: of "IL-2 receptor" around "IL-2" the receptor remains."""
        stage = self.stage
        for mention in self.candidate.mentions:
            for number in stage.overlapping.get(mention.id, ()):
                for token in stage.tokens_of(stage.mentions[number]):
                    if stage.owners[token] == number:
                        self._own[token] = stage.words[token], NOBODY

    def _owner(self, token: int) -> int:
        own = self._own.get(token)
        return self.stage.owners[token] if own is None else own[1]

    def shown_as(self, token: int) -> str:
        """How this candidate shows a token of the sentence: a word, a participant's symbol, the type of another entity."""
        own = self._own.get(token)
        return self.stage.blinded[token] if own is None else own[0]

    def is_free(self, token: int) -> bool:
        """Whether a token shows as a word: it is part of no participant and of no other entity."""
        return self._owner(token) == NOBODY

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
        return owner != NOBODY and owner == self._owner(other)

    def shown(self, tokens: Iterable[int], at_most: int | None = None) -> list[str]:
        """How ``tokens`` show in a sequence, consecutive tokens of one mention as one."""
        own, blinded, owners = self._own, self.stage.blinded, self.stage.owners
        sequence: list[str] = []
        previous = NOBODY
        for token in tokens:
            shown, owner = own.get(token) or (blinded[token], owners[token])
            if owner == NOBODY or owner != previous:
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


def scenes(candidates: Iterable[Candidate | Scene], *, lemmas: bool = False) -> Iterator[Scene]:
    """Candidates in their sentences; neighbours in the same sentence share its preparation.

    What is a scene already stays as it is, so that whoever takes candidates can be given prepared scenes.

    Parameters
    ----------
    lemmas
        Show words by their lemma where the source gives one.

    Examples
    --------
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
            stage = Stage(document, first, last, lemmas=lemmas, entities=entities)
        yield Scene(stage, candidate)


def last_sentence(candidate: Candidate) -> int:
    """Number of the sentence in which the candidate ends."""
    sentences, number = candidate.document.sentences, candidate.sentence
    end = max(mention.end for mention in candidate.mentions)
    while number + 1 < len(sentences) and sentences[number].end < end and sentences[number + 1].start < end:
        number += 1
    return number
