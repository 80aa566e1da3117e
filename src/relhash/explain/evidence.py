"""What a person needs to see to believe a relation: the sentence with the participants marked, and the path between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from relhash.structures.candidates import Candidate
from relhash.structures.graph import Connection
from relhash.structures.scene import Scene, scenes

__all__ = ["Evidence", "Piece", "Step", "evidence"]

Kind = Literal["text", "participant", "entity", "path"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the sentence: plain text, a participant, another entity, or a word on the path."""

    text: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Step:
    """A station of the path (participant, word, other entity) or the dependency walked to the next one.

    Walking ``up`` goes from a word to what governs it, ``down`` to what it governs.
    """

    text: str
    kind: Literal["participant", "word", "entity", "up", "down"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentence and path of a candidate. ``path`` is empty where there is no parse, or none that joins the participants."""

    document: str
    participants: tuple[str, ...]
    sentence: tuple[Piece, ...]
    path: tuple[Step, ...] = ()

    @property
    def text(self) -> str:
        """The sentence as it stands in the document."""
        return "".join(piece.text for piece in self.sentence)


def evidence(candidates: Iterable[Candidate]) -> Iterator[Evidence]:
    """The evidence of each candidate, in order.

    >>> from relhash.corpus import Dependency, Document, Mention, Sentence, Token
    >>> tokens = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
    >>> sentence = Sentence("s", 0, 13, tokens, (Dependency(1, 0, "nsubj"), Dependency(1, 2, "dobj")))
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> document = Document("d", "Ras binds Raf", (sentence,), names)
    >>> (found,) = evidence([Candidate(document, 0, names, ("e1", "e2"))])
    >>> [piece.text for piece in found.sentence]
    ['Ras', ' ', 'binds', ' ', 'Raf']
    >>> [f"{step.kind}: {step.text}" for step in found.path]
    ['participant: Ras', 'up: nsubj', 'word: binds', 'down: dobj', 'participant: Raf']
    """
    for scene in scenes(candidates):
        yield Evidence(
            document=scene.candidate.document.id,
            participants=tuple(mention.text for mention in scene.candidate.mentions),
            sentence=tuple(_pieces(scene)),
            path=tuple(_steps(scene)) if _is_joined(scene) else (),
        )


def _is_joined(scene: Scene) -> bool:
    return scene.stage.is_parsed and all(path.connection is Connection.PATH for path in scene.paths)


def _pieces(scene: Scene) -> Iterator[Piece]:
    """The sentence cut where the marking changes; where markings overlap, the participant counts before the path."""
    stage = scene.stage
    kinds: list[Kind] = ["text"] * (stage.end - stage.start)

    def mark(spans: Iterable[tuple[int, int]], kind: Kind) -> None:
        for start, end in spans:
            kinds[start - stage.start : end - stage.start] = [kind] * (end - start)

    for mention in stage.mentions:
        mark(mention.spans, "entity")
    if _is_joined(scene):
        words = {token for path in scene.paths for token in path.tokens[1:-1] if scene.owners[token] == -1}
        mark(((stage.tokens[token].start, stage.tokens[token].end) for token in words), "path")
    for mention in scene.candidate.mentions:
        mark(mention.spans, "participant")
    text = stage.document.text[stage.start : stage.end]
    begin = 0
    for position in range(1, len(text) + 1):
        if position == len(text) or kinds[position] != kinds[begin]:
            yield Piece(text[begin:position], kinds[begin])
            begin = position


def _steps(scene: Scene) -> Iterator[Step]:
    mentions = scene.candidate.mentions
    yield Step(mentions[0].text, "participant")
    for number, path in enumerate(scene.paths):
        previous = scene.owners[path.tokens[0]]
        for token, edge in zip(path.tokens[1:], path.edges, strict=True):
            owner = scene.owners[token]
            if owner != -1 and owner == previous:  # a step inside a name of several words
                continue
            previous = owner
            yield Step(edge.strip("<>"), "up" if edge.startswith("<") else "down")
            if token == path.tokens[-1] or owner < -1:
                yield Step(mentions[number + 1].text, "participant")
            elif owner == -1:
                yield Step(scene.stage.tokens[token].text, "word")
            else:
                yield Step(scene.stage.mentions[owner].text, "entity")
