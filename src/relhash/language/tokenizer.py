"""The tokens of spaCy's tokenizer, from its rules alone: a text is read before spaCy would be imported.

A run of characters without white space loses what a rule takes off its ends, sign by sign, unless what remains is a special
case (*e.g.*); the rest is cut at signs inside. Special cases that have such signs themselves (*and/or*) are put together again
in a last pass over all tokens.

The rules are patterns of spaCy, and are tried again for each sign that is taken off; runs of more than a thousand characters
come in pieces (:func:`relhash.language.words.token_spans`), so that no text takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from relhash.corpus.document import Span

REMEMBERED = 50_000
"""Runs of characters whose tokens are kept before all are forgotten."""
_RUN = re.compile(r"\S+|\s+")


class Tokenizer:
    """Text → spans of its tokens (white space may be among them); ``cases`` are special cases with their tokens.

    >>> tokenizer = Tokenizer(r"^[(]", r"[).]$", r"/", {"e.g.": ["e.g."], "and/or": ["and", "/", "or"]})
    >>> text = "Ras and/or Raf/MEK (e.g. Rap1)."
    >>> [text[start:end] for start, end in tokenizer(text)]
    ['Ras', 'and', '/', 'or', 'Raf', '/', 'MEK', '(', 'e.g.', 'Rap1', ')', '.']
    """

    def __init__(self, prefix: str, suffix: str, infix: str, cases: Mapping[str, Sequence[str]]) -> None:
        self._prefix, self._suffix = re.compile(prefix).search, re.compile(suffix).search
        self._infixes = re.compile(infix).finditer
        self._kept: dict[str, list[str]] = {}
        self._cases: dict[str, list[str]] = {}
        self._apart: dict[str, list[tuple[str, ...]]] = {}
        """First token → the tokens of each special case that the rules cut."""
        for case in cases:
            if self._prefix(case) or self._suffix(case) or next(self._infixes(case), None):
                tokens = tuple(self._cut(case))
                self._apart.setdefault(tokens[0], []).append(tokens)
        self._cases = {case: list(tokens) for case, tokens in cases.items()}

    def __call__(self, text: str) -> list[Span]:
        kept, tokens, spans = self._kept, list[str](), list[Span]()
        start = 0
        for run in _RUN.finditer(text):
            found = run.group()
            if found[0].isspace():
                start = run.start() + (found[0] == " " and run.start() > 0)  # one blank belongs to the word before it
                if start < run.end():
                    tokens.append(found)
                    spans.append((start, run.end()))
                start = run.end()
                continue
            parts = kept.get(found)
            if parts is None:
                if len(kept) >= REMEMBERED:
                    kept.clear()
                parts = kept[found] = self._cases.get(found) or self._cut(found)
            tokens += parts
            for part in parts:
                end = start + len(part)
                spans.append((start, end))
                start = end
        return self._joined(text, tokens, spans) if not self._apart.keys().isdisjoint(tokens) else spans

    def _cut(self, run: str) -> list[str]:
        """Signs at the ends one by one, then what is between them."""
        before: list[str] = []
        after: list[str] = []
        while run and run not in self._cases:
            found = self._prefix(run)
            n_first = found.end() - found.start() if found else 0
            if n_first and run[n_first:] in self._cases:
                before.append(run[:n_first])
                run = run[n_first:]
                break
            found = self._suffix(run[n_first:])
            n_last = found.end() - found.start() if found else 0
            if n_last and run[:-n_last] in self._cases:
                after.append(run[-n_last:])
                run = run[:-n_last]
                break
            if not n_first and not n_last:
                break
            if n_first and n_first + n_last > len(run):
                n_last = 0
            if n_first:
                before.append(run[:n_first])
            if n_last:
                after.append(run[-n_last:])
            run = run[n_first : len(run) - n_last]
        return [*before, *(self._cases.get(run) or self._inside(run)), *reversed(after)]

    def _inside(self, run: str) -> Iterable[str]:
        start = 0
        for sign in self._infixes(run):
            if sign.start() == 0:
                continue
            if sign.start() > start:
                yield run[start : sign.start()]
            if sign.end() > sign.start():
                yield sign.group()
            start = sign.end()
        if start < len(run):
            yield run[start:]

    def _joined(self, text: str, tokens: Sequence[str], spans: Sequence[Span]) -> list[Span]:
        """The tokens with special cases put together again; of those that overlap, the longest, then the first."""
        found = [
            (len(case), -first)
            for first, token in enumerate(tokens)
            for case in self._apart.get(token, ())
            if tuple(tokens[first : first + len(case)]) == case
        ]
        taken: set[int] = set()
        chosen: dict[int, int] = {}
        for length, place in sorted(found, reverse=True):
            if -place not in taken and length - place - 1 not in taken:
                chosen[-place] = length
            taken.update(range(-place, length - place))
        joined: list[Span] = []
        index = 0
        while index < len(tokens):
            after = index + chosen.get(index, 1)
            start = spans[index][0]
            case = self._cases.get(text[start : spans[after - 1][1]]) if index in chosen else None
            if case is None:  # white space is between the tokens
                joined += spans[index:after]
            else:
                for part in case:
                    joined.append((start, start + len(part)))
                    start += len(part)
            index = after
        return joined
