"""Documents of a corpus: a cast of proteins, a handful of sentences about them that do not contradict each other."""

from __future__ import annotations

import random
from collections.abc import Iterator

from demo_grammar.draft import Draft, UnwritableError
from demo_grammar.lexicon import Style
from demo_grammar.names import Protein, Registry
from demo_grammar.sentences import sentence
from demo_grammar.tree import Node
from relhash.corpus.document import Argument, Dependency, Document, Mention, Relation, Sentence, Token

LONGEST = 45
"""Sentences of more words are drawn again."""


def documents(style: Style, count: int, seed: int) -> Iterator[Document]:
    """``count`` documents in a house style; the same seed gives the same documents."""
    rng = random.Random(f"{style.name}-{seed}")
    registry = Registry(rng, "DEMO")
    for number in range(count):
        cast = [registry.new() for _ in range(rng.randint(9, 11))]
        size = rng.randint(*((2, 4) if style.name == "abstracts" else (2, 5)))
        yield _Page(f"{style.name}-{number + 1:03d}", style, cast).written(rng, size)


class _Page:
    """A document being written."""

    def __init__(self, identifier: str, style: Style, cast: list[Protein]) -> None:
        self.id, self.style, self.cast = identifier, style, cast
        self.text = ""
        self.sentences: list[Sentence] = []
        self.mentions: list[Mention] = []
        self.relations: list[Relation] = []
        self.beliefs: dict[frozenset[Protein], bool] = {}
        """Whether two proteins interact, as far as the document has said."""

    def written(self, rng: random.Random, size: int) -> Document:
        while len(self.sentences) < size:
            draft = Draft(rng, self.style, self.cast)
            try:
                root = sentence(draft)
            except UnwritableError:
                continue
            if self._accepts(draft, root):
                self._append(draft, root)
        return Document(
            self.id, self.text, tuple(self.sentences), tuple(self.mentions), tuple(self.relations),
            metadata={"style": self.style.name, "origin": "synthetic"},
        ).check()  # fmt: skip

    def _accepts(self, draft: Draft, root: Node) -> bool:
        """Whether the sentence is of a readable length and does not contradict itself or earlier ones."""
        beliefs = dict(self.beliefs)
        for pairs, value in ((draft.related, True), (draft.denied, False)):
            for a, b in pairs:
                key = frozenset((_protein(a), _protein(b)))
                if beliefs.setdefault(key, value) != value:
                    return False
        if sum(1 for _ in root.arcs()) > LONGEST:
            return False
        self.beliefs = beliefs
        return True

    def _append(self, draft: Draft, root: Node) -> None:
        start = len(self.text) + 1 if self.text else 0
        words = _readable(list(root.arcs()))
        text, tokens = _set(words, start)
        index = {id(node): number for number, (node, _, _) in enumerate(words)}
        arcs = [
            Dependency(index[id(head)], index[id(node)], label, scheme="craft")
            for node, label, head in words
            if head is not None
        ]
        self.text += (" " if self.text else "") + text
        self.sentences.append(
            Sentence(f"{self.id}.s{len(self.sentences)}", start, start + len(text), tuple(tokens), tuple(arcs), "demo-grammar")
        )
        mention_ids: dict[Protein, str] = {}
        for number, (node, _, _) in enumerate(words):
            if isinstance(node.name, Protein) and node.name not in mention_ids:
                mention_ids[node.name] = self._mention(node.name, words, tokens, number)
        for a, b in draft.related:
            first, second = sorted((mention_ids[_protein(a)], mention_ids[_protein(b)]), key=lambda name: int(name[1:]))
            relation = (Argument("e1", first), Argument("e2", second))
            if not any(relation == known.arguments for known in self.relations):
                self.relations.append(Relation(f"R{len(self.relations) + 1}", "interaction", relation))

    def _mention(self, protein: Protein, words: list[tuple[Node, str, Node | None]], tokens: list[Token], first: int) -> str:
        last = max(number for number, (node, _, _) in enumerate(words) if node.name is protein)
        start, end = tokens[first].start, tokens[last].end
        identifier = f"T{len(self.mentions) + 1}"
        self.mentions.append(Mention(identifier, "protein", ((start, end),), self.text[start:end], protein.ids))
        return identifier


def _protein(node: Node) -> Protein:
    assert isinstance(node.name, Protein)
    return node.name


def _readable(words: list[tuple[Node, str, Node | None]]) -> list[tuple[Node, str, Node | None]]:
    """Without commas that another mark makes superfluous; the first word with a capital, unless it is a name."""
    marks = {",", ".", ")", "]", "(", "["}
    following = [word[0].form for word in words[1:]] + [""]
    kept = [word for word, after in zip(words, following, strict=True) if word[0].form != "," or after not in marks]
    first = kept[0][0]
    if first.name is None:
        first.form = first.form[0].upper() + first.form[1:]
    return kept


def _set(words: list[tuple[Node, str, Node | None]], start: int) -> tuple[str, list[Token]]:
    """The text with ordinary spacing, and the tokens in it."""
    text, tokens, glued = "", list[Token](), True
    for node, _, _ in words:
        if not glued and node.tag not in {",", ".", "-RRB-", "POS", "HYPH"}:
            text += " "
        begin = start + len(text)
        text += node.form
        tokens.append(Token(begin, start + len(text), node.form, node.tag, node.lemma))
        glued = node.tag in {"-LRB-", "HYPH"}
    return text, tokens
