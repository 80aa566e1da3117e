"""Sentences drawn by hand, whose right structure a person sees at once."""

from __future__ import annotations

from collections.abc import Iterable

from relhash.corpus import Dependency, Document, Mention, Relation, Sentence, Token
from relhash.corpus.document import Argument


def find_spans(text: str, name: str, occurrence: int = 0) -> tuple[int, int]:
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(name, start + 1)
    return start, start + len(name)


def mention(text: str, number: int, name: str, kind: str = "protein") -> Mention:
    """``name`` as it stands in ``text``; ``"Ras#1"`` is its second occurrence, ``"alpha … subunit"`` is discontinuous."""
    parts = [part.strip() for part in name.split("…")]
    spans = []
    for part in parts:
        word, _, occurrence = part.partition("#")
        spans.append(find_spans(text, word, int(occurrence or 0)))
    return Mention(f"T{number}", kind, tuple(spans), " ".join(text[a:b] for a, b in spans))


def draw(
    text: str,
    arcs: str | None = None,
    names: Iterable[str] = (),
    *,
    kinds: Iterable[str] = (),
    related: Iterable[tuple[int, int]] = (),
    scheme: str = "stanford-collapsed",
    identifier: str = "d",
    tags: str = "",
) -> Document:
    """A document of one sentence, tokens split at spaces.

    ``arcs`` lists ``head label dependent`` triples, separated by commas, a word with ``#1`` being its second occurrence;
    ``None`` is no parse. ``names`` are the mentions T1, T2, …; ``related`` says which of them interact.
    """
    tokens: list[Token] = []
    position = 0
    pos = tags.split()
    for number, word in enumerate(text.split(" ")):
        tokens.append(Token(position, position + len(word), word, pos[number] if pos else ""))
        position += len(word) + 1
    index: dict[str, int] = {}
    for number, token in enumerate(tokens):
        seen = sum(earlier.text == token.text for earlier in tokens[:number])
        index[f"{token.text}#{seen}" if seen else token.text] = number
    dependencies = []
    for triple in (arcs or "").split(","):
        if triple.strip():
            head, label, dependent = triple.split()
            dependencies.append(Dependency(index[head], index[dependent], label, scheme))
    names = list(names)
    kinds = list(kinds) or ["protein"] * len(names)
    mentions = tuple(mention(text, i, name, kind) for i, (name, kind) in enumerate(zip(names, kinds, strict=True), start=1))
    relations = tuple(
        Relation(f"R{i}", "interaction", (Argument("e1", f"T{a}"), Argument("e2", f"T{b}"))) for i, (a, b) in enumerate(related)
    )
    sentence = Sentence(
        f"{identifier}.s0", 0, len(text), tuple(tokens), tuple(dependencies), "" if arcs is None else "drawn by hand"
    )
    return Document(identifier, text, (sentence,), mentions, relations).check()
