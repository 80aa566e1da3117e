"""Gold trees laid over the tokens of the shipped tokenizer, for training.

Gold tokens and ours differ in about 1% of cases. The last piece of a gold token that we split takes its head and label, the
other pieces hang on it; a gold token that we do not split off passes its head on; the few sentences where that is no tree any
more are left out. For measuring nothing is laid over: ``benchmarks/language.py`` compares by offsets.
"""

from __future__ import annotations

from spacy.language import Language
from spacy.tokens import Doc

from relhash.corpus.document import Document, Sentence, Span

HYPHENS = frozenset("-‐‑‒–—−/")


def laid_over(nlp: Language, paragraph: Document) -> Doc | None:
    """The paragraph in our tokens with the gold trees on them, or ``None`` when no sentence of it survives."""
    words: list[str] = []
    spaces: list[bool] = []
    heads: list[int] = []
    labels: list[str] = []
    tags: list[str] = []
    for sentence in paragraph.sentences:
        text = paragraph.text[sentence.start : sentence.end]
        tokens = [token for token in nlp.make_doc(text) if not token.is_space]
        spans = [(sentence.start + token.idx, sentence.start + token.idx + len(token)) for token in tokens]
        rows = _rows(sentence, spans)
        if _has_cycle([head for head, _, _ in rows]):
            continue
        offset = len(words)
        for token, (head, label, tag) in zip(tokens, rows, strict=True):
            words.append(token.text)
            spaces.append(bool(token.whitespace_))
            heads.append(offset + head)
            labels.append(label)
            tags.append(tag)
        spaces[-1] = True
    return Doc(nlp.vocab, words=words, spaces=spaces, heads=heads, deps=labels, tags=tags) if words else None


def _rows(sentence: Sentence, spans: list[Span]) -> list[tuple[int, str, str]]:
    """(head, label, tag) of each of our tokens; a root is its own head."""
    arc_of = {arc.dependent: arc for arc in sentence.dependencies}
    owners = _owners(sentence, spans)
    stands_for = _last_pieces(len(sentence.tokens), owners)
    rows = []
    for index, gold in enumerate(owners):
        tag = sentence.tokens[gold].pos
        if stands_for[gold] != index:  # an earlier piece of a token that the gold keeps whole
            piece = sentence.tokens[gold].text[spans[index][0] - sentence.tokens[gold].start :][
                : spans[index][1] - spans[index][0]
            ]
            is_sign = piece in HYPHENS
            rows.append((stands_for[gold], "punct" if is_sign else "compound", "HYPH" if is_sign else tag))
            continue
        arc = arc_of.get(gold)
        while arc is not None and stands_for[arc.head] == index:  # a gold head inside this very token passes on
            arc = arc_of.get(arc.head)
        rows.append((index, "ROOT", tag) if arc is None else (stands_for[arc.head], arc.label, tag))
    return rows


def _owners(sentence: Sentence, spans: list[Span]) -> list[int]:
    """For each of our tokens, the gold token that starts last before its end."""
    owners, gold = [], 0
    for _, end in spans:
        while gold + 1 < len(sentence.tokens) and sentence.tokens[gold + 1].start < end:
            gold += 1
        owners.append(gold)
    return owners


def _last_pieces(n_gold: int, owners: list[int]) -> list[int]:
    """For each gold token, our token that stands for it: its last piece, or the token that swallowed it."""
    last = [-1] * n_gold
    for index, gold in enumerate(owners):
        last[gold] = index
    following = len(owners) - 1
    for gold in range(n_gold - 1, -1, -1):
        following = last[gold] if last[gold] >= 0 else following
        last[gold] = following
    return last


def _has_cycle(heads: list[int]) -> bool:
    for start in range(len(heads)):
        seen, node = set(), start
        while heads[node] != node:
            if node in seen:
                return True
            seen.add(node)
            node = heads[node]
    return False
