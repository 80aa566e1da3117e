"""Which word of a sentence names an interaction whose type and participants are known, but not its trigger."""

from __future__ import annotations

from collections.abc import Sequence

from relhash.corpus.document import Mention
from relhash.language.stems import stem
from relhash.structures.graph import Connection
from relhash.structures.interactions.triggers import TriggerLexicon
from relhash.structures.stage import Stage


def trigger_of(stage: Stage, kind: str, members: Sequence[Mention], lexicon: TriggerLexicon) -> int | None:
    """The token that names an interaction of type ``kind`` between ``members``."""
    taken = {token for mention in members for token in stage.tokens_of(mention)}
    free = [n for n, token in enumerate(stage.tokens) if n not in taken and token.start < token.end]
    naming = [
        token
        for token in free
        if stem(stage.words[token]) == stem(kind) or any(name == kind for name, _ in lexicon.types_of(stage.words[token]))
    ]
    if not naming:
        naming = _joining(stage, members, set(free)) or free
    return min(naming, key=lambda token: (_distance(stage, token, members), token), default=None)


def _joining(stage: Stage, members: Sequence[Mention], free: set[int]) -> list[int]:
    """Words on the path between the first two participants."""
    if len(members) < 2 or not stage.is_parsed:
        return []
    path = stage.graph.shortest_path(stage.tokens_of(members[0]), stage.tokens_of(members[1]))
    return [token for token in path.tokens if token in free]


def _distance(stage: Stage, token: int, members: Sequence[Mention]) -> float:
    total = 0.0
    for mention in members:
        tokens = stage.tokens_of(mention)
        if stage.is_parsed:
            path = stage.graph.shortest_path((token,), tokens)
            total += len(stage.tokens) if path.connection is Connection.DISCONNECTED else len(path.edges)
        else:
            total += min(abs(token - other) for other in tokens)
    return total
