"""What a parser is given: words with their places in the document, and where sentences start; and stems of words.

Documents come with nothing, with sentences, or with sentences and tokens; each becomes the same plain record. Entities can be
replaced by one noun before parsing, because protein names break parsers: a mention of several tokens becomes one word, whose
last token stands in its place afterwards, with the others on it as ``compound``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from relhash.corpus.document import Document, Mention, Passage, Sentence, Span
from relhash.corpus.text import LINE
from relhash.language.entities import entity_type

PLACEHOLDERS = {"protein": "PROT", "chemical": "CHEM", "disease": "DISEASE"}
"""Type of a mention → word that stands for it; other types use ``PROT``."""


def placeholder(mention_type: str) -> str:
    return PLACEHOLDERS.get(mention_type, "PROT")


def blinded_groups(spans: Sequence[Span], mentions: Sequence[Mention]) -> list[tuple[int, int, str]]:
    """Which runs of tokens become one word: (first token, token after the last, placeholder), in order, not overlapping.

    Discontinuous mentions, triggers of interactions, and mentions whose ends cut a token are left as they are; of nested
    mentions the longest is taken.

    >>> from relhash.corpus.document import Mention
    >>> pak1 = Mention("T1", "protein", ((4, 15),), "PAK1 kinase")
    >>> blinded_groups([(0, 3), (4, 8), (9, 15), (16, 21)], [pak1])
    [(1, 3, 'PROT')]
    """
    first_at = {start: index for index, (start, _) in enumerate(spans)}
    last_at = {end: index for index, (_, end) in enumerate(spans)}
    runs = [
        (first_at[mention.start], last_at[mention.end] + 1, placeholder(entity_type(mention.type)))
        for mention in mentions
        if not mention.is_trigger and not mention.is_discontinuous and mention.start in first_at and mention.end in last_at
    ]
    runs.sort(key=lambda run: (run[0] - run[1], run[0]))  # longest first, then leftmost
    taken = bytearray(len(spans))
    chosen = []
    for first, after, word in runs:
        if first < after and not any(taken[first:after]):
            taken[first:after] = b"\x01" * (after - first)
            chosen.append((first, after, word))
    return sorted(chosen)


Tokenize = Callable[[str], Iterable[Span]]
"""Text → spans of its tokens (whitespace may be among them)."""

LONGEST_UNIT = 10_000
"""Words that a parser reads at once: its memory grows with their number, and no paper has a paragraph of this length."""

LONGEST_RUN = 1000
"""Characters without white space that are tokenised at once."""

LONGEST_LINE = 400
"""Characters of a line without a full stop up to which it is one sentence."""

_CAPITAL_BEFORE_A_STOP = re.compile(r"(?<!\S)[^.\s]*[^\W_](?:[A-Z]\.(?=\s|$)|[-‐‑–][A-Z]\.(?=\s*$|\s+[^a-z\s]))")
"""A run of characters whose only full stop is its last sign, after a capital, with more of the name before it (*E2F.*,
*ICAM-I. We*; not *(J. Smith*, *U.S.*, *anti-E. coli*)."""
_STARTERS = (
    "A|After|All|Also|Although|An|As|At|Because|Both|By|Consistent|Finally|For|Further|Furthermore|Here|However|In|Indeed|"
    "Interestingly|It|Its|Like|Moreover|On|Our|Similarly|Since|Taken|That|The|Therefore|These|This|Those|Thus|To|Together|Two|"
    "Upon|Using|We|When|While|With"
)
_LETTER_OF_A_NAME = re.compile(
    rf"(?:(?<=kappa )B|(?<=κ )B|(?<=[-‐‑–])Jun)\.(?=\s*$|\s+[^a-z\s])|(?<=[a-z]{{3}} )[A-Z]\.(?=\s+(?:{_STARTERS})\b)"
)
"""A full stop after the last letter of a name: *NF-kappa B. Stimulation*, *kinase C. The*, *c-Jun. We* (for spaCy a month); not
*with E. coli*, *by J. Smith*."""
_LONG_RUN = re.compile(rf"\S{{{LONGEST_RUN + 1},}}")
_SENTENCE_ENDS = frozenset(".!?")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True)
class Words:
    """Words for one call of a parser; word ``i`` stands for the tokens ``groups[i]`` of ``spans``.

    ``starts`` says of each word whether a sentence starts there: ``True``, ``False``, or ``None`` when the parser may decide.
    """

    texts: tuple[str, ...]
    """What the parser reads: the token, or a placeholder."""
    spaces: tuple[bool, ...]
    spans: tuple[Span, ...]
    tokens: tuple[str, ...]
    """The tokens themselves, one per span."""
    groups: tuple[tuple[int, int], ...]
    starts: tuple[bool | None, ...]

    def blinded(self, mentions: Sequence[Mention]) -> Words:
        """The same with each of ``mentions`` as one placeholder word."""
        texts: list[str] = []
        spaces: list[bool] = []
        groups: list[tuple[int, int]] = []
        starts: list[bool | None] = []
        index = 0
        for first, after, word in (*blinded_groups(self.spans, mentions), (len(self.spans), None, "")):
            plain = slice(index, first)
            texts += self.texts[plain]
            spaces += self.spaces[plain]
            starts += self.starts[plain]
            groups += zip(range(index, first), range(index + 1, first + 1))
            if after is not None:
                texts.append(word)
                spaces.append(self.spaces[after - 1])
                groups.append((first, after))
                starts.append(self.starts[first])
                index = after
        return replace(self, texts=tuple(texts), spaces=tuple(spaces), groups=tuple(groups), starts=tuple(starts))

    def _part(self, first: int, after: int) -> Words:
        """Some of the words, which must be plain tokens, as a unit of their own."""
        if (first, after) == (0, len(self.texts)):
            return self
        here = slice(first, after)
        return Words(
            self.texts[here],
            self.spaces[here],
            self.spans[here],
            self.tokens[here],
            tuple((index, index + 1) for index in range(after - first)),
            (True, *self.starts[first + 1 : after]),
        )


def words_of_text(document: Document, tokenize: Tokenize) -> Words:
    """Words of a document without sentences.

    A blank line and the start of a passage (the abstract after its title) always start a sentence. Inside a line that is a
    passage and has no full stop none starts: where nothing ends, a parser guesses.
    """
    text = document.text
    spans = _visible(text, tokenize(text), 0)
    breaks = {passage.start for passage in document.passages} | {match.end() for match in _BLANK_LINE.finditer(text)}
    starts: list[bool | None] = []
    pending = sorted(breaks, reverse=True)
    one_sentence = _lines_of_one_sentence(document)
    for index, (start, _) in enumerate(spans):
        passed = index == 0
        while pending and pending[-1] <= start:
            pending.pop()
            passed = True
        while one_sentence and one_sentence[-1].end <= start:
            one_sentence.pop()
        is_inside = bool(one_sentence) and one_sentence[-1].start < start
        starts.append(True if passed else False if is_inside else None)
    return _words(text, spans, starts)


def _lines_of_one_sentence(document: Document) -> list[Passage]:
    """The last one first."""
    text = document.text
    lines = (one for one in document.passages if one.type == LINE and one.end - one.start <= LONGEST_LINE)
    found = [passage for passage in lines if _SENTENCE_ENDS.isdisjoint(text[passage.start : passage.end])]
    return sorted(found, key=lambda passage: -passage.start)


def spans_of(doc: Any) -> list[Span]:
    """Where the tokens of a document of spaCy stand."""
    return [(start, start + length) for start, length in doc.to_array(["IDX", "LENGTH"]).tolist()]


def token_spans(tokenizer: Tokenize, text: str) -> list[Span]:
    """Spans of tokens by spaCy's rules; a run of characters that is longer than any word is tokenised in pieces.

    spaCy looks at the rest of a run again after each sign that it takes off, so that long ones would cost their square. And it
    keeps the full stop of *E2F.* and *ICAM-I.*, as if a capital before it stood for a word (*J. Smith*): sentences would not
    end there, and names would have it. It is cut off here, unless the run has another full stop; after a capital that stands
    alone only where it is surely the end of a name (*NF-kappa B. We*).

    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> text = "Rb binds E2F. LFA-1 binds ICAM-I. J. Smith grew E. coli in the U.S."
    >>> tokens = [text[start:end] for start, end in token_spans(lambda run: spans_of(nlp.tokenizer(run)), text)]
    >>> tokens[:12]
    ['Rb', 'binds', 'E2F', '.', 'LFA-1', 'binds', 'ICAM', '-', 'I', '.', 'J.', 'Smith']
    >>> tokens[12:]
    ['grew', 'E.', 'coli', 'in', 'the', 'U.S.']
    """
    spans, stops = _spans(tokenizer, text), stops_after_capitals(text)
    return [span for start, end in spans for span in _without_stop(start, end, stops)] if stops else spans


def stops_after_capitals(text: str) -> set[int]:
    """Where a full stop is a word of its own though spaCy would leave it on the name before it.

    >>> sorted(stops_after_capitals("Rb binds E2F. J. Smith saw NF-kappa B. The"))
    [12, 37]
    """
    return {run.end() - 1 for rule in (_CAPITAL_BEFORE_A_STOP, _LETTER_OF_A_NAME) for run in rule.finditer(text)}


def _without_stop(start: int, end: int, stops: set[int]) -> list[Span]:
    """The span, cut before its last sign if this is a full stop that ends a sentence."""
    return [(start, end - 1), (end - 1, end)] if end - 1 in stops and end - 1 > start else [(start, end)]


def _spans(tokenizer: Tokenize, text: str) -> list[Span]:
    places = [0, *(cut for run in _LONG_RUN.finditer(text) for cut in range(run.start(), run.end(), LONGEST_RUN)), len(text)]
    return [
        (start + first, start + after)
        for start, end in pairwise(places)
        if start < end
        for first, after in tokenizer(text[start:end])
    ]


def words_of_sentence(document: Document, sentence: Sentence, tokenize: Tokenize, *, keep_tokens: bool) -> Words:
    """Words of one given sentence, by its own tokens when it has some and ``keep_tokens``, else tokenised."""
    if sentence.tokens and keep_tokens:
        spans = [(token.start, token.end) for token in sentence.tokens]
        words = _words(document.text, spans, [index == 0 for index in range(len(spans))])
        return replace(words, texts=tuple(token.text or " " for token in sentence.tokens))
    spans = _visible(document.text, tokenize(document.text[sentence.start : sentence.end]), sentence.start)
    return _words(document.text, spans, [index == 0 for index in range(len(spans))])


def divided(words: Words, at_most: int = LONGEST_UNIT) -> list[Words]:
    """``words`` in units of ``at_most`` words, cut where a paragraph or else a sentence ends, anywhere if none does.

    >>> tokenize = lambda text: [match.span() for match in re.finditer(r"\\w+|[.]", text)]
    >>> words = words_of_text(Document("d", "A b. C d e f"), tokenize)
    >>> [unit.texts for unit in divided(words, 4)]
    [('A', 'b', '.'), ('C', 'd', 'e', 'f')]
    """
    units = []
    first = 0
    while first < len(words.texts):
        after = min(first + at_most, len(words.texts))
        if after < len(words.texts):
            places = range(after, first + at_most // 2, -1)
            paragraph = (place for place in places if words.starts[place])
            sentence = (place for place in places if words.texts[place - 1] in _SENTENCE_ENDS)
            after = next(paragraph, None) or next(sentence, None) or after
        units.append(words._part(first, after))
        first = after
    return units or [words]


def _visible(text: str, spans: Iterable[Span], offset: int) -> list[Span]:
    shifted = [(start + offset, end + offset) for start, end in spans] if offset else spans
    return [span for span in shifted if not text[span[0] : span[1]].isspace()]


def _words(text: str, spans: Sequence[Span], starts: Sequence[bool | None]) -> Words:
    texts = tuple([text[start:end] for start, end in spans])
    return Words(
        texts=texts,
        spaces=tuple([text[end : end + 1].isspace() for _, end in spans]),
        spans=tuple(spans),
        tokens=texts,
        groups=tuple(zip(range(len(spans)), range(1, len(spans) + 1), strict=True)),
        starts=tuple(starts),
    )


_ENDINGS = (
    "abilities", "ability", "ations", "ation", "ators", "ator", "ating", "ated", "ates", "ative", "ate",
    "itions", "ition", "ments", "ment", "ingly", "ings", "ing", "ions", "ion", "ives", "ive", "able", "ible",
    "ers", "ors", "er", "or", "ed", "es", "s", "al", "e",
)  # fmt: skip
_SHORTEST = 4


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The part of ``word`` before its endings, in lower case.

    >>> {stem(word) for word in ["phosphorylate", "phosphorylates", "phosphorylated", "Phosphorylation"]}
    {'phosphoryl'}
    >>> [stem(word) for word in ["binds", "binding", "inhibitor", "regulated", "p53", "Ras"]]
    ['bind', 'bind', 'inhibit', 'regul', 'p53', 'ras']
    """
    word = word.lower()
    if not word.isalpha():
        return word
    shortened = True
    while shortened:
        shortened = False
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
                word = word[: -len(ending)]
                shortened = True
                break
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "aeious":
        word = word[:-1]  # controlled, control
    return word
