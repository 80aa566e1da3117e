"""What a person needs to see to believe a relation: the sentence with the participants marked, and the path between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from relhash.candidates.candidate import SECOND
from relhash.candidates.scene import Scene
from relhash.candidates.symbols import edge_label, leads_up
from relhash.candidates.view import walk
from relhash.candidates.views import BETWEEN, PATH_WITH_EDGES, in_context

Kind = Literal["text", "participant", "entity", "path"]
_TARGETS = (SECOND, "theme")
"""Roles of what a directed relation leads to."""
_NEAR = 12
"""How many words before its noun a preposition is looked for: *in the LIM kinase dependent pathway*."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the sentence: plain text, a participant, another entity, or a word on the path."""

    text: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Station:
    """A station of the path (participant, word, other entity) or the dependency walked to the next one.

    Walking ``up`` goes from a word to what governs it, ``down`` to what it governs.
    """

    text: str
    kind: Literal["participant", "word", "entity", "up", "down"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentence of a candidate and what joins its participants there.

    Attributes
    ----------
    document
        Id of the document.
    participants
        Texts of the participants, in surface order.
    sentence
        The sentence in pieces, in order.
    path
        Stations and the dependencies between them, in turn; empty where there is no parse, or none that joins the participants.
    tokens
        The same as a model sees it: the view ``path+edges``, or ``between`` where there is no parse.
    words
        The same for people, on one line: the words on the path with what modifies them, in the order of the sentence; the words
        between the participants where there is no path.

    Examples
    --------
    >>> from relhash.corpus import Dependency, Document, Mention, Sentence, Token
    >>> from relhash.candidates import Candidate, scenes
    >>> tokens = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 12, "to"), Token(13, 16, "Raf"))
    >>> sentence = Sentence("s", 0, 16, tokens, (Dependency(1, 0, "nsubj"), Dependency(1, 3, "prep_to")))
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((13, 16),), "Raf"))
    >>> document = Document("d", "Ras binds to Raf", (sentence,), names)
    >>> (scene,) = scenes([Candidate(document, 0, names, ("e1", "e2"))])
    >>> Evidence.of(scene, is_directed=True).words
    'Ras — binds to → Raf'
    """

    document: str
    participants: tuple[str, ...]
    sentence: tuple[Piece, ...]
    path: tuple[Station, ...] = ()
    tokens: tuple[str, ...] = ()
    words: str = ""

    @classmethod
    def of(cls, scene: Scene, *, is_directed: bool = False) -> Evidence:
        """The evidence of a candidate, read off its scene; an arrow shows where a directed relation leads."""
        return cls(
            document=scene.candidate.document.id,
            participants=tuple(mention.text for mention in scene.candidate.mentions),
            sentence=tuple(_pieces(scene)),
            path=tuple(_stations(scene)) if scene.is_joined else (),
            tokens=tuple(path_tokens(scene)),
            words=path_words(scene, is_directed=is_directed),
        )

    @property
    def text(self) -> str:
        """The sentence as it stands in the document."""
        return "".join(piece.text for piece in self.sentence)


def path_tokens(scene: Scene) -> list[str]:
    """:attr:`Evidence.tokens` alone."""
    return (PATH_WITH_EDGES if scene.stage.is_parsed else BETWEEN).sequence(scene)


def path_words(scene: Scene, *, is_directed: bool = False) -> str:
    """:attr:`Evidence.words` alone; with ``is_directed`` an arrow leads to the second participant, or the theme."""
    shown = _words_in_context(scene) if scene.is_joined else _words_between(scene)
    return _line(shown, _target(scene) if is_directed else None)


def _pieces(scene: Scene) -> Iterator[Piece]:
    """The sentence cut where the marking changes; where markings overlap, the participant counts before the path."""
    stage = scene.stage
    kinds: list[Kind] = ["text"] * (stage.end - stage.start)

    def mark(spans: Iterable[tuple[int, int]], kind: Kind) -> None:
        for start, end in spans:
            kinds[start - stage.start : end - stage.start] = [kind] * (end - start)

    for mention in stage.mentions:
        mark(mention.spans, "entity")
    if scene.is_joined:
        words = {token for path in scene.paths for token in path.tokens[1:-1] if scene.is_free(token)}
        mark(((stage.tokens[token].start, stage.tokens[token].end) for token in words), "path")
    for mention in scene.candidate.mentions:
        mark(mention.spans, "participant")
    text = stage.document.text[stage.start : stage.end]
    begin = 0
    for position in range(1, len(text) + 1):
        if position == len(text) or kinds[position] != kinds[begin]:
            yield Piece(text[begin:position], kinds[begin])
            begin = position


def _stations(scene: Scene) -> Iterator[Station]:
    mentions = scene.candidate.mentions
    yield Station(mentions[0].text, "participant")
    for number, path in enumerate(scene.paths):
        for stop in walk(scene, path):
            if stop.inside:
                continue
            yield Station(edge_label(stop.edge), "up" if leads_up(stop.edge) else "down")
            participant = number + 1 if stop.token == path.tokens[-1] else scene.participant_of(stop.token)
            entity = scene.entity_of(stop.token)
            if participant is not None:
                yield Station(mentions[participant].text, "participant")
            elif entity is not None:
                yield Station(entity.text, "entity")
            else:
                yield Station(scene.stage.tokens[stop.token].text, "word")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word, name or participant of the line for people; ``place`` puts it in the order of the sentence."""

    text: str
    place: tuple[int, int]
    is_participant: bool = False


def _words_in_context(scene: Scene) -> list[_Word]:
    """Participants, and all that lies on their paths or modifies it, each once, in the order of the sentence."""
    stage = scene.stage
    shown = dict.fromkeys(_participants(scene))
    for path in scene.paths:
        for item in in_context(scene, path):
            if item.is_above and scene.candidate.trigger is not None:
                continue  # an interaction is named by its trigger, whatever governs that
            participant, entity = scene.participant_of(item.token), scene.entity_of(item.token)
            if participant is not None:
                start = scene.tokens[participant][0]
            else:
                start = item.token if entity is None else stage.tokens_of(entity)[0]
            if item.word:
                shown[_Word(item.word, _place_before(scene, item.word, start))] = None
            elif participant is None:
                shown[_Word(stage.tokens[start].text if entity is None else entity.text, (start, 1))] = None
    return sorted(shown, key=lambda one: one.place)


def _place_before(scene: Scene, word: str, token: int) -> tuple[int, int]:
    """Where a preposition or conjunction stands in the sentence; right before what it governs if it is not to be seen."""
    tokens = scene.stage.tokens
    near = range(token - 1, max(token - _NEAR, 0) - 1, -1)
    found = next((other for other in near if tokens[other].text.lower() == word), None)
    return (token, 0) if found is None else (found, 1)


def _words_between(scene: Scene) -> list[_Word]:
    """Participants, and the text between each and the next."""
    text, mentions = scene.stage.document.text, scene.candidate.mentions
    shown: list[_Word] = []
    for number, participant in enumerate(_participants(scene)):
        words = text[mentions[number - 1].end : mentions[number].start].split() if number else []
        shown += [_Word(" ".join(words), participant.place), participant] if words else [participant]
    return shown


def _participants(scene: Scene) -> list[_Word]:
    return [
        _Word(mention.text, (tokens[0], 1), not mention.is_trigger)
        for mention, tokens in zip(scene.candidate.mentions, scene.tokens, strict=True)
    ]


def _target(scene: Scene) -> tuple[int, int]:
    """The place of the participant that a directed relation leads to."""
    places = dict(zip(scene.candidate.roles, (shown.place for shown in _participants(scene))))
    return next((places[role] for role in _TARGETS if role in places), max(places.values()))


def _line(shown: list[_Word], target: tuple[int, int] | None = None) -> str:
    """The words one after the other; dashes set off the participants from what joins them, an arrow the ``target``."""
    numbers = [number for number, one in enumerate(shown) if one.is_participant]
    first, last = min(numbers, default=0), max(numbers, default=0)
    line = ""
    for number, one in enumerate(shown):
        is_joint = first < number <= last and (one.is_participant or shown[number - 1].is_participant)
        joint = " — "
        if is_joint and one.place == target and one.is_participant:
            joint = " → "
        elif is_joint and number == first + 1 and shown[first].place == target:
            joint = " ← "
        line += (joint if is_joint else " " if line else "") + one.text
    return line
