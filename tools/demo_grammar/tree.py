"""Words, dependency trees over them, and a notation to write trees down.

A rule of the grammar is a string such as::

    (interaction/NN det:the/DT * prep:(between/IN pobj:$pair))

which reads: *interaction*, a singular noun, with the determiner *the* before it (``*`` is where the head itself stands; it
comes first when there is no ``*``) and a prepositional phrase after it, whose object is the phrase given as ``pair``. A leaf is
``form/TAG`` or ``form/TAG/lemma``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

_IRREGULAR = {
    "mice": "mouse", "data": "data", "is": "be", "are": "be", "was": "be", "were": "be", "does": "do", "did": "do",
    "shown": "show", "found": "find", "known": "know", "bound": "bind", "antibodies": "antibody", "intensities": "intensity",
    "lacking": "lack", "an": "a",
}  # fmt: skip


@dataclass(eq=False)
class Node:
    """A word with its dependents, in surface order, before and after it. ``name`` marks the words of one protein's name."""

    form: str
    tag: str
    lemma: str = ""
    before: list[tuple[str, Node]] = field(default_factory=list)
    after: list[tuple[str, Node]] = field(default_factory=list)
    name: object | None = None

    def __post_init__(self) -> None:
        self.lemma = self.lemma or _lemma(self.form, self.tag)

    def lead(self, label: str, child: Node) -> Node:
        """Put a dependent first of all."""
        self.before.insert(0, (label, child))
        return self

    def follow(self, label: str, child: Node) -> Node:
        """Put a dependent last of all."""
        self.after.append((label, child))
        return self

    def arcs(self, label: str = "root", head: Node | None = None) -> Iterator[tuple[Node, str, Node | None]]:
        """All words of the subtree in surface order, each with its label and head."""
        for child_label, child in self.before:
            yield from child.arcs(child_label, self)
        yield self, label, head
        for child_label, child in self.after:
            yield from child.arcs(child_label, self)


def parenthesis(host: Node, label: str, inner: Node) -> Node:
    """Hang ``inner`` on ``host`` in round brackets."""
    inner.lead("punct", Node("(", "-LRB-")).follow("punct", Node(")", "-RRB-"))
    return host.follow(label, inner)


def comma() -> Node:
    return Node(",", ",")


def tree(notation: str, **phrases: Node) -> Node:
    """Build the tree that ``notation`` describes, with ``$name`` replaced by the phrase of that name."""
    tokens = _scan(notation)
    node, position = _parse(tokens, 0, phrases)
    if position != len(tokens):
        raise ValueError(f"unbalanced notation: {notation}")
    return node


@cache
def _scan(notation: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[()*]|[a-z]+:(?=[($\S])|\$\w+|[^\s()]+", notation))


def _parse(tokens: tuple[str, ...], position: int, phrases: dict[str, Node]) -> tuple[Node, int]:
    token = tokens[position]
    if token.startswith("$"):
        return phrases[token[1:]], position + 1
    if token != "(":
        form, tag, lemma = (*token.split("/"), "")[:3]
        return Node(form, tag, lemma), position + 1
    head, position = _parse(tokens, position + 1, phrases)
    children: list[tuple[str, Node]] = []
    while tokens[position] != ")":
        if tokens[position] == "*":
            head.before[:0], children = children, []
            position += 1
        else:
            label = tokens[position].removesuffix(":")
            child, position = _parse(tokens, position + 1, phrases)
            children.append((label, child))
    head.after.extend(children)
    return head, position + 1


def _lemma(form: str, tag: str) -> str:
    lower = form.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if tag == "NNS" and lower.endswith("s"):
        return lower[:-1]
    return lower
