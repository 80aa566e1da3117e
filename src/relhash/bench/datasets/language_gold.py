"""Gold trees and gold entities as documents of raw text, for training and measuring the language pipeline.

A treebank gives one document a paragraph (that is what a parser meets: sentences in a row, headings alone). IOB files hold
tokens only ("IL - 4"), so the raw text is put together again by the rules of English typography, and entities are measured on
that text with our own tokenizer, as a user's text would be read.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from relhash.corpus.document import Dependency, Document, Mention, Sentence, Span, Token
from relhash.errors import CorpusError, DataMissingError
from relhash.language import entity_type

NO_SPACE_BEFORE = frozenset(".,;:?!)]}%'’°′″-–/\\")
NO_SPACE_AFTER = frozenset("([{-–/\\")


def split_articles(folder: Path) -> tuple[list[Path], list[Path], list[Path]]:
    """The articles of the CRAFT treebank: 77 for training, 5 for choosing the checkpoint, 15 held out.

    The draw has a fixed seed, so that training and measuring, on any machine, hold out the same articles.
    """
    articles = sorted(folder.glob("*.conllu"))
    if not articles:
        raise DataMissingError(f"no .conllu files in {folder}; RELHASH_DATA must name the folder that holds treebank/craft")
    random.Random(2019).shuffle(articles)
    held_out, rest = articles[:15], articles[15:]
    return sorted(rest[5:]), sorted(rest[:5]), sorted(held_out)


def tree_paragraphs(path: Path) -> Iterator[Document]:
    """Paragraph by paragraph, a CoNLL-U file with ``# newpar`` and ``# text`` comments; tags are the fifth column."""
    paragraph: list[tuple[str, list[list[str]]]] = []
    number = 0
    text, rows = "", list[list[str]]()
    for line in [*path.read_text(encoding="utf-8").split("\n"), "# newpar"]:
        if line.startswith("# newpar") and paragraph:
            yield _paragraph(f"{path.stem}.p{number}", paragraph)
            number += 1
            paragraph = []
        elif line.startswith("# text = "):
            text = line.removeprefix("# text = ")
        elif line and not line.startswith("#"):
            columns = line.split("\t")
            if columns[0].isdigit():
                rows.append(columns)
        elif not line and rows:
            paragraph.append((text, rows))
            rows = []


def _paragraph(identifier: str, sentences: Sequence[tuple[str, list[list[str]]]]) -> Document:
    parts: list[str] = []
    records = []
    offset = 0
    for number, (text, rows) in enumerate(sentences):
        tokens, position = [], 0
        for columns in rows:
            start = text.index(columns[1], position)
            position = start + len(columns[1])
            tokens.append(Token(offset + start, offset + position, columns[1], columns[4], columns[2]))
        arcs = tuple(
            Dependency(int(columns[6]) - 1, index, columns[7], "craft")
            for index, columns in enumerate(rows)
            if columns[6] != "0"
        )
        records.append(Sentence(f"{identifier}.s{number}", offset, offset + len(text), tuple(tokens), arcs, "gold"))
        parts.append(text)
        offset += len(text) + 1
    return Document(identifier, " ".join(parts), tuple(records))


def joined(tokens: Sequence[str]) -> tuple[str, list[Span]]:
    """Raw text of a list of tokens, and where each stands in it.

    >>> joined(["IL", "-", "4", "(", "type", "2", ")", "."])[0]
    'IL-4 (type 2).'
    """
    text, spans = "", []
    for index, token in enumerate(tokens):
        previous = tokens[index - 1] if index else ""
        if text and token not in NO_SPACE_BEFORE and previous not in NO_SPACE_AFTER:
            text += " "
        spans.append((len(text), len(text) + len(token)))
        text += token
    return text, spans


def entity_sentences(path: Path) -> Iterator[Document]:
    """Sentence by sentence, a two-column IOB file; types by our names (:func:`relhash.language.entity_type`)."""
    tokens: list[str] = []
    labels: list[str] = []
    number = 0
    for line_number, line in enumerate([*path.read_text(encoding="utf-8").split("\n"), ""], start=1):
        if line.strip():
            token, separator, label = line.partition("\t")
            if not separator:
                raise CorpusError("no tab between token and label", path=path, where=line_number)
            tokens.append(token)
            labels.append(label.strip())
        elif tokens:
            if tokens != ["-DOCSTART-"]:
                yield _entity_sentence(f"{path.parent.name}.{number}", tokens, labels)
                number += 1
            tokens, labels = [], []


def _entity_sentence(identifier: str, tokens: Sequence[str], labels: Sequence[str]) -> Document:
    text, spans = joined(tokens)
    entities: list[tuple[int, int, str]] = []
    inside = ""
    for (start, end), label in zip(spans, labels, strict=True):
        prefix, _, kind = label.partition("-")
        if prefix == "I" and kind == inside:
            entities[-1] = (entities[-1][0], end, entities[-1][2])
        elif kind:
            entities.append((start, end, entity_type(kind)))
        inside = kind
    mentions = tuple(
        Mention(f"T{number}", kind, ((start, end),), text[start:end]) for number, (start, end, kind) in enumerate(entities)
    )
    return Document(identifier, text, mentions=mentions)
