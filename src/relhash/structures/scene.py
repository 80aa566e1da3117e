"""What a candidate looks like in its sentence: labelled tokens, the tokens of its mentions, the paths between them.

Work that all candidates of a sentence share (tokens of mentions, labels, searches in the graph) is done once, in a
:class:`Stage`; a :class:`Scene` is one candidate on it. Views and descriptors read scenes and nothing else.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from relhash.corpus.document import Dependency, Document, Mention, Sentence, Token
from relhash.errors import StructureError
from relhash.structures.candidates import Candidate, overlap
from relhash.structures.graph import DependencyGraph, DependencyPath
from relhash.structures.symbols import normalise_word, role_symbol, type_symbol
from relhash.structures.word_split import split_words

__all__ = ["Scene", "SortedEntities", "Stage", "scenes"]

_NOBODY = -1


class Stage:
    """A sentence (or several, when the mentions of a candidate lie apart) prepared for the candidates in it.

    Parameters
    ----------
    document, first, last
        The document and the numbers of its first and last sentence to look at; a document without sentences is one.
    lemmas
        Label words by their lemma where the source gives one.
    entities
        The entities of the document, if somebody has sorted them already.
    """

    def __init__(
        self,
        document: Document,
        first: int = 0,
        last: int | None = None,
        *,
        lemmas: bool = False,
        entities: SortedEntities | None = None,
    ) -> None:
        self.document = document
        self._entities = entities
        self.first, self.last = first, first if last is None else last
        self.lemmas = lemmas
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

    @cached_property
    def graph(self) -> DependencyGraph:
        """The dependency graph; an error with the remedy if nobody has parsed the sentence."""
        if not self.is_parsed:
            place = self.document.sentences[self.first].id if self.document.sentences else self.document.id
            raise StructureError(
                f"sentence {place!r} has no parse, which views along the dependency path need; "
                "let the model parse by itself (relhash fit --parses embedded, RelationExtractor(parses='embedded')), or "
                "choose views without a parse: between, window(3,3), descriptors"
            )
        return DependencyGraph(len(self.tokens), self._arcs)

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The entities that start here, longer ones first where they start together."""
        return (self._entities or SortedEntities(self.document)).starting_in(self.start, self.end)

    @cached_property
    def words(self) -> list[str]:
        """A label for each token, nothing blinded."""
        if self.lemmas:
            return [normalise_word(token.lemma or token.text) for token in self.tokens]
        return [normalise_word(token.text) for token in self.tokens]

    @cached_property
    def blinded(self) -> tuple[list[str], list[int]]:
        """A label for each token, entities as type symbols, and whose token it is (number of the mention, or -1)."""
        labels, owners = self.words.copy(), [_NOBODY] * len(self.tokens)
        for number, mention in enumerate(self.mentions):
            symbol = type_symbol(mention.type)
            for token in self.tokens_of(mention):
                if owners[token] == _NOBODY:  # of nested mentions the outermost counts
                    labels[token], owners[token] = symbol, number
        return labels, owners

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


class SortedEntities:
    """The entities (not triggers) of a document by where they start: a full text has too many to search for each sentence."""

    def __init__(self, document: Document) -> None:
        entities = [mention for mention in document.mentions if not mention.is_trigger]
        self.document = document
        self._mentions = sorted(entities, key=lambda mention: (mention.start, -mention.end))
        self._starts = [mention.start for mention in self._mentions]

    def starting_in(self, start: int, end: int) -> tuple[Mention, ...]:
        return tuple(self._mentions[bisect_left(self._starts, start) : bisect_left(self._starts, end)])


class Scene:
    """One candidate in its sentence.

    Attributes
    ----------
    tokens
        For each participant, in surface order, the indices of its tokens.
    labels, owners
        For each token of the sentence its label as this candidate sees it, and the number of the mention it belongs to:
        -1 nobody's, at least 0 another entity's, at most -2 a participant's.
    """

    __slots__ = ("__dict__", "candidate", "labels", "owners", "stage", "symbols", "tokens")

    def __init__(self, stage: Stage, candidate: Candidate) -> None:
        self.stage = stage
        self.candidate = candidate
        self.tokens = [stage.tokens_of(mention) for mention in candidate.mentions]
        self.symbols = [
            stage.words[tokens[-1]] if mention.is_trigger else role_symbol(role)  # a trigger matters for its word
            for mention, role, tokens in zip(candidate.mentions, candidate.roles, self.tokens, strict=True)
        ]
        labels, owners = stage.blinded
        self.labels, self.owners = labels.copy(), owners.copy()
        if stage.overlapping:
            self._uncover()
        for number, (tokens, symbol) in enumerate(zip(self.tokens, self.symbols, strict=True)):
            for token in tokens:
                if self.owners[token] > -2:  # a token that two participants share shows the first
                    self.labels[token], self.owners[token] = symbol, -2 - number

    def _uncover(self) -> None:
        """Show the words of entities that overlap a participant: of "IL-2 receptor" around "IL-2" the receptor remains."""
        for mention in self.candidate.mentions:
            for number in self.stage.overlapping.get(mention.id, ()):
                for token in self.stage.tokens_of(self.stage.mentions[number]):
                    if self.owners[token] == number:
                        self.labels[token], self.owners[token] = self.stage.words[token], _NOBODY

    @cached_property
    def paths(self) -> list[DependencyPath]:
        """Shortest dependency paths between neighbouring participants, in surface order (one path for a pair)."""
        graph = self.stage.graph
        return [graph.shortest_path(start, goal) for start, goal in zip(self.tokens, self.tokens[1:])]

    def shown(self, tokens: Iterable[int], at_most: int | None = None) -> list[str]:
        """Labels of ``tokens``, consecutive tokens of one mention as one label."""
        labels, owners = self.labels, self.owners
        sequence: list[str] = []
        previous = _NOBODY
        for token in tokens:
            owner = owners[token]
            if owner == _NOBODY or owner != previous:
                if len(sequence) == at_most:
                    break
                sequence.append(labels[token])
            previous = owner
        return sequence

    @cached_property
    def between(self) -> list[list[str]]:
        """Labels of the words between each participant and the next, both left out (one list for a pair).

        It starts where the first one was last seen before the second begins (mentions may be discontinuous), and keeps the rest
        of a token that is only in part a mention: in "Ras-dependent Raf" with the token "Ras-dependent"
        these are "-" and "dependent".
        """
        return [self._between(number) for number in range(len(self.tokens) - 1)]

    def _between(self, number: int) -> list[str]:
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
        inside = self.shown(range(last_left + 1, right[0]))
        head_start = stage_tokens[right[0]].start
        return tail + inside + (self._pieces(head_start, second.start) if head_start < second.start else [])

    def _pieces(self, start: int, end: int) -> list[str]:
        return [normalise_word(token.text) for token in split_words(self.stage.document.text, start, end)]


def scenes(candidates: Iterable[Candidate], *, lemmas: bool = False) -> Iterator[Scene]:
    """Candidates in their sentences; neighbours in the same sentence share its preparation."""
    stage: Stage | None = None
    entities: SortedEntities | None = None
    for candidate in candidates:
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


def _joined(sentences: Sequence[Sentence]) -> tuple[list[Token], list[Dependency]]:
    tokens: list[Token] = []
    arcs: list[Dependency] = []
    for sentence in sentences:
        arcs += [
            replace(arc, head=arc.head + len(tokens), dependent=arc.dependent + len(tokens)) for arc in sentence.dependencies
        ]
        tokens += sentence.tokens
    return tokens, arcs
