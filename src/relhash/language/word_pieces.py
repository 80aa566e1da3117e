"""Sentences as word pieces, with entities replaced by the word of their class: what the encoder reads.

*Ras binds Raf-1* becomes ``[CLS] protein binds protein [SEP]``, so that the encoder sees what is said and not of whom. A word
that is not in the vocabulary is cut from the left into the longest pieces that are (Wu et al. 2016).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property

from relhash.corpus.document import Span

START, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
OTHER = "thing"
CLASS_WORDS = {
    "protein": "protein", "chemical": "chemical", "disease": "disease", "medicalfinding": "disease", "cell": "cell",
    "cellcomponent": "cell", "cell_line": "cell", "organism": "organism", "species": "organism", "process": "process",
    "biologicalprocess": "process", "molecularprocess": "process", "aminoacid": "chemical", "smallmolecule": "chemical",
    "nonproteinornucleicacidchemical": "chemical", "nucleicacid": "dna", "nucleicacidsubstance": "dna", "chromosome": "dna",
    "regulon-operon": "protein", "two-component-system": "protein", "mutation": "mutation", "variant": "mutation",
}  # fmt: skip
"""The word that stands for an entity of a class (see ``entity_class``); :data:`OTHER` for all others."""
TRIGGER = "trigger"
"""The class of a word that may name an event: it is read as it is written."""
LONGEST_WORD = 60
_WORDS = re.compile(r"[^\W_]+|[^\w\s]|_")


class WordPieces:
    """A vocabulary of word pieces; continuations of a word start with ``##``.

    >>> pieces = WordPieces(["[CLS]", "[SEP]", "[UNK]", "protein", "bind", "##s", "thing"])
    >>> ids, places = pieces.read("Ras binds Raf-1", [((0, 3), "protein"), ((10, 15), "protein")])
    >>> [pieces.pieces[one] for one in ids], places
    (['[CLS]', 'protein', 'bind', '##s', 'protein', '[SEP]'], [1, 4])
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = list(pieces)
        self._known: dict[str, list[int]] = {}

    @cached_property
    def number(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(self.pieces)}

    def of_class(self, entity_class: str) -> int:
        """The piece that stands for an entity."""
        return self.number[CLASS_WORDS.get(entity_class, OTHER)]

    def read(self, text: str, entities: Sequence[tuple[Span, str]]) -> tuple[list[int], list[int]]:
        """The pieces of a sentence between the frame symbols, and at which of them each entity stands.

        Of entities that overlap the longest is replaced, then the leftmost; the others stand where it stands. A trigger is not
        replaced: it stands at the first piece of the word that it begins in, so that no trigger changes what is read.
        """
        number = self.number
        named = [one for one in range(len(entities)) if entities[one][1] != TRIGGER]
        longest = sorted(named, key=lambda one: (entities[one][0][0] - entities[one][0][1], entities[one][0]))
        replaced: list[int] = []
        inside: dict[int, int] = {}
        for one in longest:
            start, end = entities[one][0]
            over = next((o for o in replaced if entities[o][0][0] < end and start < entities[o][0][1]), None)
            if over is None:
                replaced.append(one)
            inside[one] = one if over is None else over
        triggers = [one for one in range(len(entities)) if entities[one][1] == TRIGGER]
        triggers.sort(key=lambda one: -entities[one][0][0])
        ids, at, place = [number[START]], 0, {}

        def add(start: int, end: int) -> None:
            """The pieces up to ``start``, and where triggers stand that begin before ``end``."""
            while triggers and entities[triggers[-1]][0][0] < end:
                own = triggers.pop()
                word = min(entities[own][0][0], start)
                while at < word < start and text[word - 1].isalnum():
                    word -= 1
                place[own] = len(ids) + len(self._pieces_of(text[at:word]))
            ids.extend(self._pieces_of(text[at:start]))

        for one in sorted(replaced, key=lambda one: entities[one][0]):
            (start, end), kind = entities[one]
            add(start, end)
            place[one] = len(ids)
            ids.append(self.of_class(kind))
            at = end
        add(len(text), len(text))
        ids.append(number[END])
        return ids, [place[inside.get(one, one)] for one in range(len(entities))]

    def _pieces_of(self, text: str) -> list[int]:
        found: list[int] = []
        plain = unicodedata.normalize("NFD", text.lower())
        for word in _WORDS.findall("".join(c for c in plain if unicodedata.category(c) != "Mn")):
            if (pieces := self._known.get(word)) is None:
                pieces = self._cut(word)
                if len(self._known) < 100_000:
                    self._known[word] = pieces
            found += pieces
        return found

    def _cut(self, word: str) -> list[int]:
        number, found, start = self.number, [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = number.get(("##" if start else "") + word[start:end])
                if piece is not None:
                    break
            else:
                return [number[UNKNOWN]]
            found.append(piece)
            start = end
        return found if len(word) <= LONGEST_WORD else [number[UNKNOWN]]
