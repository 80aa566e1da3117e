"""What a network reads of a candidate: the words of its sentence, or of its dependency path, with marks and positions.

Entities are blinded: a participant shows as its role (``<E1>``, ``<THEME>``), another entity as its type (``<PROTEIN>``),
several words of one entity as one. The trigger of an interaction keeps its word, and the sequence then begins with the type
that the candidate supposes, because the type is part of what is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from relhash.errors import ParameterError
from relhash.structures.candidate import TRIGGER, Candidate
from relhash.structures.path_views import PATH_WITH_EDGES
from relhash.structures.scene import Scene, scenes
from relhash.structures.symbols import type_symbol
from relhash.structures.views import sequence_view

NOWHERE = -1
"""Place of a participant or a head that the sequence does not show."""
MAX_ANCHORS = 3
"""To how many participants (the trigger among them) positions are counted."""


@dataclass(frozen=True, slots=True)
class TokenSequence:
    """One candidate as a network reads it.

    Attributes
    ----------
    labels
        Words and symbols.
    anchors
        Where the participants stand in ``labels``: of a pair in surface order, of an interaction the trigger first and then by
        role. At most :data:`MAX_ANCHORS`.
    tags, heads, edges
        Part of speech, place of the head, and the label of the dependency on it for each token; empty without syntax.
    """

    labels: list[str]
    anchors: tuple[int, ...]
    tags: list[str]
    heads: list[int]
    edges: list[str]


def read_sequences(
    candidates: Iterable[Candidate], reading: str, *, context: int | None = None, syntax: bool = False
) -> list[TokenSequence]:
    """The sequences of candidates.

    Parameters
    ----------
    reading
        ``"sentence"``: the words of the sentence. ``"path"``: words and edges of the shortest dependency path; of an
        interaction the paths from the trigger to its participants, one after the other.
    context
        Of a sentence, how many tokens before the first and after the last participant are kept (``None``: all).
    syntax
        Also give part of speech and dependency head of each word of a sentence.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((5, 8),), "Ras"), Mention("T2", "protein", ((15, 18),), "Raf"))
    >>> candidate = Candidate(Document("d", "Here Ras binds Raf .", mentions=names), 0, names, ("e1", "e2"))
    >>> (sequence,) = read_sequences([candidate], "sentence")
    >>> sequence.labels, sequence.anchors
    (['here', '<E1>', 'binds', '<E2>', '.'], (1, 3))
    """
    if reading not in ("sentence", "path"):
        raise ParameterError(f"reading={reading!r}: choose 'sentence' or 'path'")
    if reading == "path" and syntax:
        raise ParameterError("syntax=True belongs to the reading 'sentence'; a path shows its dependencies itself")
    read: Callable[[Scene], TokenSequence] = _path if reading == "path" else lambda scene: _sentence(scene, context, syntax)
    return [read(scene) for scene in scenes(candidates)]


def anchor_order(candidate: Candidate) -> list[int]:
    """Numbers of the participants to which positions are counted, the most telling first.

    >>> from relhash.corpus import Document, Mention
    >>> words = [Mention(f"T{n}", "x", ((n, n + 1),), "x") for n in range(3)]
    >>> anchor_order(Candidate(Document("d", "xxx"), 0, tuple(words), ("theme", "trigger", "cause")))
    [1, 2, 0]
    """
    numbers = range(len(candidate.roles))
    if TRIGGER not in candidate.roles:
        return list(numbers)[:MAX_ANCHORS]
    return sorted(numbers, key=lambda number: (candidate.roles[number] != TRIGGER, candidate.roles[number]))[:MAX_ANCHORS]


def _beginning(candidate: Candidate) -> list[str]:
    if TRIGGER not in candidate.roles:
        return []
    return [type_symbol(candidate.mentions[candidate.roles.index(TRIGGER)].type)]


def _sentence(scene: Scene, context: int | None, syntax: bool) -> TokenSequence:
    start, stop = 0, len(scene.stage.tokens)
    if context is not None:
        start = max(0, min(tokens[0] for tokens in scene.tokens) - context)
        stop = min(stop, max(tokens[-1] for tokens in scene.tokens) + 1 + context)
    labels = _beginning(scene.candidate)
    offset = len(labels)
    place = [NOWHERE] * len(scene.stage.tokens)
    members: list[list[int]] = []
    for token in range(start, stop):
        if token == start or not scene.in_one_mention(token - 1, token):
            labels.append(scene.shown_as(token))
            members.append([])
        members[-1].append(token)
        place[token] = len(labels) - 1
    anchors = tuple(place[scene.tokens[number][0]] for number in anchor_order(scene.candidate))
    if not syntax:
        return TokenSequence(labels, anchors, [], [], [])
    tags, heads, edges = [""] * offset, [NOWHERE] * offset, [""] * offset
    for own in members:
        tag, head, edge = _syntax_of(scene, own)
        tags.append(tag)
        heads.append(NOWHERE if head == NOWHERE else place[head])
        edges.append(edge)
    return TokenSequence(labels, anchors, tags, heads, edges)


def _syntax_of(scene: Scene, tokens: list[int]) -> tuple[str, int, str]:
    """Part of speech, head, and label of the dependency on it; of an entity of several words those of its head word."""
    graph = scene.stage.graph
    word = graph.heads_first(tokens)[0]
    outside = [head for head in graph.governors[word] if head not in tokens]
    tag = scene.stage.tokens[word].pos
    if not outside:
        return tag, NOWHERE, ""
    head = min(outside)  # a collapsed graph may give several
    return tag, head, graph.steps[word][head].strip("<>")


def _path(scene: Scene) -> TokenSequence:
    candidate = scene.candidate
    if TRIGGER in candidate.roles:
        # the views of roles all begin with the type and the trigger word: shown once
        labels: list[str] = []
        for role in sorted(role for role in candidate.roles if role != TRIGGER):
            along = sequence_view(f"role({role})").sequence(scene)
            labels += along if not labels else along[1:]
    else:
        labels = PATH_WITH_EDGES.sequence(scene)
    places = {symbol: labels.index(symbol) if symbol in labels else NOWHERE for symbol in scene.symbols}
    anchors = tuple(places[scene.symbols[number]] for number in anchor_order(candidate))
    return TokenSequence(labels, anchors, [], [], [])
