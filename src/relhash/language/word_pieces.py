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

        Of entities that overlap the longest is replaced, then the leftmost; the others stand where it stands.
        """
        number = self.number
        longest = sorted(range(len(entities)), key=lambda one: (entities[one][0][0] - entities[one][0][1], entities[one][0]))
        replaced: list[int] = []
        inside: dict[int, int] = {}
        for one in longest:
            start, end = entities[one][0]
            over = next((o for o in replaced if entities[o][0][0] < end and start < entities[o][0][1]), None)
            if over is None:
                replaced.append(one)
            inside[one] = one if over is None else over
        ids, at, place = [number[START]], 0, {}
        for one in sorted(replaced, key=lambda one: entities[one][0]):
            (start, end), kind = entities[one]
            ids += self._pieces_of(text[at:start])
            place[one] = len(ids)
            ids.append(self.of_class(kind))
            at = end
        ids += self._pieces_of(text[at:])
        ids.append(number[END])
        return ids, [place[inside[one]] for one in range(len(entities))]

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
