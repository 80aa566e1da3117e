"""Shortest paths in the dependency graph of one sentence.

The walk ignores the direction of an arc but remembers it, with its label, for the sequence. One breadth-first search per
mention serves all candidates of the sentence: it starts at the mention's tokens and leaves, at every token, the next step
towards them.

Which of several equally short paths is taken is fixed by the sentence alone, not by the order of arcs in a file:

- between two tokens joined by several arcs, the alphabetically first label counts;
- a search starts from the mention's head tokens (those not governed from inside the mention), the rightmost first, then from
  its other tokens, the rightmost first;
- it reaches out from left to right, and the first to arrive at a token stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from relhash.candidates.symbols import edge_down, edge_up, leads_up
from relhash.corpus.document import Dependency

KEPT_DISTANCES = 1 << 21
"""Distances that the searches of one sentence may keep: hundreds of thousands of mentions and words fit no memory."""
KEPT_PATHS = 10_000
"""Paths of one sentence that are kept."""


class Connection(StrEnum):
    """How two mentions are joined in a parse."""

    PATH = "path"
    SHARED_TOKEN = "shared_token"
    DISCONNECTED = "disconnected"


@dataclass(frozen=True, slots=True)
class DependencyPath:
    """The way from one mention to another: tokens, both ends included, and the steps between them as edge symbols."""

    connection: Connection
    tokens: tuple[int, ...] = ()
    edges: tuple[str, ...] = ()

    @property
    def top(self) -> int:
        """The token at which the path turns from climbing to descending: it governs, over some steps, both ends."""
        return self.tokens[next((number for number, edge in enumerate(self.edges) if not leads_up(edge)), len(self.edges))]


class DependencyGraph:
    """The arcs of a sentence with ``size`` tokens.

    Examples
    --------
    >>> arcs = [Dependency(1, 0, "nsubj"), Dependency(1, 3, "prep_to"), Dependency(3, 2, "det")]
    >>> graph = DependencyGraph(4, arcs)              # Ras binds the kinase
    >>> graph.shortest_path((0,), (2, 3))
    DependencyPath(connection=<Connection.PATH: 'path'>, tokens=(0, 1, 3), edges=('<nsubj', 'prep_to>'))
    """

    __slots__ = ("_paths", "_searches", "arcs", "governors", "size", "steps")

    def __init__(self, size: int, arcs: Iterable[Dependency]) -> None:
        self.size = size
        self.arcs = tuple(arcs)
        self.governors: list[list[int]] = [[] for _ in range(size)]
        neighbours: list[dict[int, tuple[str, int]]] = [{} for _ in range(size)]
        for arc in self.arcs:
            head, dependent = arc.head, arc.dependent
            if head == dependent:
                continue
            self.governors[dependent].append(head)
            known = neighbours[head].get(dependent)
            chosen = (arc.label, head)
            if known is None or chosen < known:
                neighbours[head][dependent] = neighbours[dependent][head] = chosen
        self.steps: list[dict[int, str]] = [
            {other: edge_down(arc[0]) if arc[1] == token else edge_up(arc[0]) for other, arc in sorted(reached.items())}
            for token, reached in enumerate(neighbours)
        ]
        """For each token its neighbours from left to right, each with the edge symbol of the step to it."""
        self._searches: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
        self._paths: dict[tuple[tuple[int, ...], tuple[int, ...]], DependencyPath] = {}

    def heads_first(self, tokens: Sequence[int]) -> list[int]:
        """The tokens of a mention in order of preference: heads before others, right before left."""
        if len(tokens) == 1:
            return list(tokens)
        inside = set(tokens)
        return sorted(inside, key=lambda token: (not inside.isdisjoint(self.governors[token]), -token))

    def shortest_path(self, start: Sequence[int], goal: Sequence[int]) -> DependencyPath:
        """The shortest path between any token of ``start`` and any token of ``goal``."""
        ends = tuple(start), tuple(goal)
        found = self._paths.get(ends)
        if found is None:
            if len(self._paths) > KEPT_PATHS:
                self._paths.clear()
            found = self._paths[ends] = self._path(*ends)
        return found

    def _path(self, start: tuple[int, ...], goal: tuple[int, ...]) -> DependencyPath:
        if not set(start).isdisjoint(goal):
            return DependencyPath(Connection.SHARED_TOKEN)
        distances, towards = self._search(goal)
        reachable = [token for token in self.heads_first(start) if distances[token] >= 0]
        if not reachable:
            return DependencyPath(Connection.DISCONNECTED)
        token = min(reachable, key=distances.__getitem__)  # min keeps the first of equals: the preferred one
        tokens, edges = [token], []
        while distances[token]:
            following = towards[token]
            edges.append(self.steps[token][following])
            tokens.append(following)
            token = following
        return DependencyPath(Connection.PATH, tuple(tokens), tuple(edges))

    def distances(self, goal: Sequence[int]) -> Sequence[int]:
        """Steps from every token to the nearest of ``goal``; -1 where no path leads there."""
        return self._search(tuple(goal))[0]

    def _search(self, goal: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """Distance of every token to ``goal`` (-1: unreachable) and the next token on the way."""
        found = self._searches.get(goal)
        if found is None:
            distances, towards = [-1] * self.size, [-1] * self.size
            queue = self.heads_first(goal)
            for token in queue:
                distances[token] = 0
            for token in queue:  # grows while it is walked
                further = distances[token] + 1
                for other in self.steps[token]:
                    if distances[other] < 0:
                        distances[other] = further
                        towards[other] = token
                        queue.append(other)
            if (len(self._searches) + 1) * self.size > KEPT_DISTANCES:
                self._searches.clear()
            found = self._searches[goal] = (distances, towards)
        return found
