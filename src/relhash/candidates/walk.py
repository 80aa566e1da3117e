"""The walk along a dependency path. Views, roles and evidence all take it; each tells of it in its own way."""

from __future__ import annotations

from typing import NamedTuple

from relhash.candidates.graph import Connection, DependencyPath
from relhash.candidates.scene import Scene
from relhash.candidates.symbols import DISCONNECTED, SHARED_TOKEN

_FLAGS = {Connection.SHARED_TOKEN: SHARED_TOKEN, Connection.DISCONNECTED: DISCONNECTED}


class Stop(NamedTuple):
    """A token that a path leads to.

    ``edge`` is the symbol of the dependency walked to it (see :mod:`relhash.candidates.symbols`); ``inside`` says that this
    step stays inside a name of several words, which shows once.
    """

    edge: str
    token: int
    inside: bool


def walk(scene: Scene, path: DependencyPath) -> list[Stop]:
    """The stops after the start of a path, the other end the last of them; none where there is no path.

    >>> from relhash.corpus import Dependency, Document, Mention, Sentence, Token
    >>> from relhash.candidates.candidate import Candidate
    >>> from relhash.candidates.scene import scenes
    >>> tokens = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
    >>> sentence = Sentence("s", 0, 13, tokens, (Dependency(1, 0, "nsubj"), Dependency(1, 2, "dobj")))
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> document = Document("d", "Ras binds Raf", (sentence,), names)
    >>> (scene,) = scenes([Candidate(document, 0, names, ("e1", "e2"))])
    >>> walk(scene, scene.paths[0])
    [Stop(edge='<nsubj', token=1, inside=False), Stop(edge='dobj>', token=2, inside=False)]
    """
    tokens = path.tokens
    last = len(tokens) - 1
    return [  # both ends show as what they are, the participants
        Stop(edge, tokens[position], 1 < position < last and scene.in_one_mention(tokens[position - 1], tokens[position]))
        for position, edge in enumerate(path.edges, 1)
    ]


def tokens_on(scene: Scene, path: DependencyPath) -> list[str]:
    """What shows between the two ends of a path; where there is none, the flag that says why."""
    if path.connection is not Connection.PATH:
        return [_FLAGS[path.connection]]
    return [scene.shown_as(stop.token) for stop in walk(scene, path) if not stop.inside][:-1]


def tokens_and_edges_on(scene: Scene, path: DependencyPath) -> list[str]:
    """The same with the dependencies walked: edge, word, edge, …, edge."""
    if path.connection is not Connection.PATH:
        return [_FLAGS[path.connection]]
    sequence: list[str] = []
    for stop in walk(scene, path):
        if not stop.inside:
            sequence += (stop.edge, scene.shown_as(stop.token))
    return sequence[:-1]
