"""CoNLL-U treebanks → spaCy documents in the shipped tokenisation.

Gold tokens and ours differ in about 1% of cases. For training, the gold tree is laid over our tokens: the last piece of a gold
token that we split takes its head and label, the other pieces hang on it; a gold token that we do not split off passes its
head on; the few sentences where that is no tree any more are left out. For measuring, nothing is repaired:
`reference_document` keeps the gold tokens and spaCy's scorer aligns.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

__all__ = ["GoldSentence", "laid_over", "paragraphs", "reference_document", "split_articles"]

HYPHENS = frozenset("-‐‑‒–—−/")


@dataclass(frozen=True)
class GoldSentence:
    """One tree: text, and a row (start, end, form, lemma, tag, pos, head or -1, label) a token."""

    text: str
    rows: tuple[tuple[int, int, str, str, str, str, int, str], ...]


def split_articles(folder: Path, n_held_out: int = 20) -> tuple[list[Path], list[Path], list[Path]]:
    """The articles in three lists: for training, for choosing the checkpoint (5), held out (the rest of ``n_held_out``).

    The draw is by the article's id with a fixed seed, so every part of the project holds out the same ones.
    """
    articles = sorted(folder.glob("*.conllu"))
    random.Random(2019).shuffle(articles)
    held_out, rest = articles[: n_held_out - 5], articles[n_held_out - 5 :]
    return sorted(rest[5:]), sorted(rest[:5]), sorted(held_out)


def paragraphs(path: Path) -> Iterator[list[GoldSentence]]:
    """Paragraph by paragraph, the sentences of a CoNLL-U file with ``# text`` and ``# newpar`` comments."""
    paragraph: list[GoldSentence] = []
    text, fields = "", []
    for line in [*path.read_text(encoding="utf-8").split("\n"), ""]:
        if line.startswith("# newpar") and paragraph:
            yield paragraph
            paragraph = []
        elif line.startswith("# text = "):
            text = line[len("# text = ") :]
        elif line and not line.startswith("#"):
            columns = line.split("\t")
            if columns[0].isdigit():
                fields.append(columns)
        elif not line and fields:
            paragraph.append(_sentence(text, fields))
            fields = []
    if paragraph:
        yield paragraph


def _sentence(text: str, fields: list[list[str]]) -> GoldSentence:
    rows, position = [], 0
    for columns in fields:
        start = text.index(columns[1], position)
        position = start + len(columns[1])
        head = int(columns[6]) - 1
        rows.append((start, position, columns[1], columns[2], columns[4], columns[3], head, columns[7]))
    return GoldSentence(text, tuple(rows))


def laid_over(nlp: Language, paragraph: list[GoldSentence]) -> Doc:
    """The paragraph in our tokens with the gold trees laid over them, for training."""
    words: list[str] = []
    spaces: list[bool] = []
    heads: list[int] = []
    labels: list[str] = []
    tags: list[str] = []
    positions: list[str] = []
    lemmas: list[str] = []
    sent_starts: list[bool] = []
    for sentence in paragraph:
        tokens = [token for token in nlp.make_doc(sentence.text) if not token.is_space]
        offset = len(words)
        owner = _owners(sentence, [(token.idx, token.idx + len(token)) for token in tokens])
        piece_of_gold = _last_pieces(sentence, owner)
        for index, token in enumerate(tokens):
            gold = owner[index]
            _, _, form, lemma, tag, pos, head, label = sentence.rows[gold]
            if piece_of_gold[gold] != index:  # an earlier piece of a token that the gold keeps whole
                sign = token.text in HYPHENS
                head_index, label, tag, pos = (
                    piece_of_gold[gold],
                    ("punct" if sign else "compound"),
                    ("HYPH" if sign else tag),
                    pos,
                )
                lemma = token.text.lower()
            else:
                head_index = index
                while head >= 0 and head_index == index:  # a gold head inside this very token passes on
                    head_index = piece_of_gold[head]
                    if head_index == index:
                        _, _, _, _, _, _, head, label = sentence.rows[head]
                if head < 0:
                    label = "ROOT"
                if form != token.text:
                    lemma = token.text.lower()
            words.append(token.text)
            spaces.append(bool(token.whitespace_))
            heads.append(offset + head_index)
            labels.append(label if label != "root" else "ROOT")
            tags.append(tag)
            positions.append(pos)
            lemmas.append(lemma)
            sent_starts.append(index == 0)
        spaces[-1] = True
        if _has_cycle([head - offset for head in heads[offset:]]):  # two gold tokens merged that are not neighbours in the tree
            for column in (words, spaces, heads, labels, tags, positions, lemmas, sent_starts):
                del column[offset:]
    return Doc(
        nlp.vocab, words=words, spaces=spaces, heads=heads, deps=labels, tags=tags, pos=positions, lemmas=lemmas,
        sent_starts=sent_starts,
    )  # fmt: skip


def _has_cycle(heads: list[int]) -> bool:
    for start in range(len(heads)):
        seen, node = set(), start
        while heads[node] != node:
            if node in seen:
                return True
            seen.add(node)
            node = heads[node]
    return False


def _owners(sentence: GoldSentence, spans: list[tuple[int, int]]) -> list[int]:
    """For each of our tokens, the gold token that ends last inside it, or that holds its end."""
    owners, gold = [], 0
    for _, end in spans:
        while sentence.rows[gold][1] < end and gold + 1 < len(sentence.rows) and sentence.rows[gold + 1][0] < end:
            gold += 1
        owners.append(gold)
    return owners


def _last_pieces(sentence: GoldSentence, owner: list[int]) -> list[int]:
    """For each gold token, our token that stands for it: its last piece, or the token that swallowed it."""
    last = [-1] * len(sentence.rows)
    for index, gold in enumerate(owner):
        last[gold] = index
    following = len(owner) - 1
    for gold in range(len(last) - 1, -1, -1):
        following = last[gold] if last[gold] >= 0 else following
        last[gold] = following
    return last


def reference_document(nlp: Language, paragraph: list[GoldSentence]) -> Doc:
    """The paragraph exactly as annotated (gold tokens), for measuring."""
    words, spaces, heads, labels, tags, positions, lemmas, sent_starts = [], [], [], [], [], [], [], []
    for sentence in paragraph:
        offset = len(words)
        for index, (_, end, form, lemma, tag, pos, head, label) in enumerate(sentence.rows):
            words.append(form)
            following = sentence.rows[index + 1][0] if index + 1 < len(sentence.rows) else end + 1
            spaces.append(following > end)
            heads.append(offset + (head if head >= 0 else index))
            labels.append(label if head >= 0 else "ROOT")
            tags.append(tag)
            positions.append(pos)
            lemmas.append(lemma)
            sent_starts.append(index == 0)
    return Doc(
        nlp.vocab, words=words, spaces=spaces, heads=heads, deps=labels, tags=tags, pos=positions, lemmas=lemmas,
        sent_starts=sent_starts,
    )  # fmt: skip
