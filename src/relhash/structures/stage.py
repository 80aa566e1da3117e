"""A sentence prepared for all candidates in it: tokens of mentions, blinded words, the dependency graph.

What the candidates of a sentence share is computed here, once and when somebody asks for it; a
:class:`~relhash.structures.scene.Scene` is one candidate on a stage. Nothing of a stage changes after it was computed, so
threads may share one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from relhash.corpus.document import Dependency, Document, Mention, Sentence, Token
from relhash.errors import StructureError
from relhash.language.cue_scope import CueScope
from relhash.structures.candidate import overlap
from relhash.structures.cell_markers import marks_cells
from relhash.structures.graph import DependencyGraph
from relhash.structures.symbols import normalise_word, type_symbol
from relhash.structures.word_split import split_words

NOBODY = -1
"""The owner of a token that is part of no entity."""


class Stage:
    """A sentence (or several, when the mentions of a candidate lie apart) prepared for the candidates in it.

    Parameters
    ----------
    document, first, last
        The document and the numbers of its first and last sentence to look at; a document without sentences is one.
    lemmas
        Show words by their lemma where the source gives one.
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
        return frozenset(mention.id for mention in self.mentions if marks_cells(self.document.text, mention))

    @cached_property
    def words(self) -> list[str]:
        """Each token as sequences show it, nothing blinded."""
        if self.lemmas:
            return [normalise_word(token.lemma or token.text) for token in self.tokens]
        return [normalise_word(token.text) for token in self.tokens]

    @cached_property
    def blinded(self) -> list[str]:
        """Each token as sequences show it, entities as type symbols."""
        return self._blinding[0]

    @cached_property
    def owners(self) -> list[int]:
        """For each token the number of the entity it belongs to, or :data:`NOBODY`."""
        return self._blinding[1]

    @cached_property
    def _blinding(self) -> tuple[list[str], list[int]]:
        shown, owners = self.words.copy(), [NOBODY] * len(self.tokens)
        for number, mention in enumerate(self.mentions):
            symbol = type_symbol(mention.type)
            for token in self.tokens_of(mention):
                if owners[token] == NOBODY:  # of nested mentions the outermost counts
                    shown[token], owners[token] = symbol, number
        return shown, owners

    def is_free(self, token: int) -> bool:
        """Whether a token is part of no entity."""
        return self.owners[token] == NOBODY

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
