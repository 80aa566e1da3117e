"""A dependency tree that can be rebuilt: heads and labels of tokens, and who depends on whom."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass


@dataclass
class Tree:
    """Words in lower case, parts of speech, and for each token its head (``None`` for a root) and the label of that arc."""

    words: list[str]
    pos: list[str]
    heads: list[int | None]
    labels: list[str]

    def __post_init__(self) -> None:
        self._children: list[list[int]] = [[] for _ in self.heads]
        for token, head in enumerate(self.heads):
            if head is not None:
                self._children[head].append(token)

    def children(self, token: int, *labels: str) -> list[int]:
        """Dependents of ``token`` from left to right, all or those with one of ``labels``."""
        return [child for child in self._children[token] if not labels or self.labels[child] in labels]

    def has(self, token: int, *labels: str) -> bool:
        return any(self.labels[child] in labels for child in self._children[token])

    def attach(self, token: int, head: int | None) -> None:
        """Give ``token`` another head."""
        old = self.heads[token]
        if old is not None:
            self._children[old].remove(token)
        if head is not None:
            insort(self._children[head], token)
        self.heads[token] = head

    def has_cycle(self) -> bool:
        seen_from = [-1] * len(self.heads)
        for token in range(len(self.heads)):
            at: int | None = token
            while at is not None and seen_from[at] < 0:
                seen_from[at] = token
                at = self.heads[at]
            if at is not None and seen_from[at] == token:
                return True
        return False
