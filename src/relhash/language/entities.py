"""Entities from a list of names, types of entities by any of their names, and the rule that merges several sources.

The rule, from strongest to weakest: mentions that the document already has; names of the user's lexicon (the user knows); what
the model predicts. A weaker mention is dropped where it overlaps a stronger one; within one source the longest wins, then the
leftmost, then the first given. A model's mention with the very span of a lexicon entry is thus replaced by it, ids and all.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from relhash.corpus.document import Span
from relhash.errors import CorpusError
from relhash.files import check_ends
from relhash.language.annotation import PredictedMention

# Corpora and models name the same kind of entity differently; one name for all lets them meet.
_TYPE_NAMES = {
    "protein": "protein gene gene/protein gene/protein/rna individual_protein protein_family_or_group protein_complex "
    "gene_or_gene_product geneorgeneproduct ggp geneproduct gene_protein protein/gene genes proteins protein_molecule "
    "dna_family_or_group rna_family_or_group gene-y gene-n complex gpro enzyme protein-family",
    "chemical": "chemical chemicals drug drugs brand group drug_n simple_chemical chemicalentity small_molecule compound "
    "metabolite small-molecule chebi",
    "disease": "disease diseases diseaseorphenotypicfeature disorder cancer specificdisease diseaseclass modifier "
    "compositemention medical-condition",
    "cell": "cell cells cell_line cellline cell_type celltype cell_lines",
    "species": "species organism organismtaxon taxon",
}
_TYPE_OF = {name: kind for kind, names in _TYPE_NAMES.items() for name in names.split()}
KNOWN_TYPES = tuple(_TYPE_NAMES)
"""The types that the pipeline finds in raw text."""


@lru_cache(maxsize=4096)
def entity_type(label: str) -> str:
    """Our name of an entity type, whatever a model or corpus calls it: genes and their products are all ``"protein"``.

    Unknown names are only lower-cased.

    >>> entity_type("GENE_OR_GENE_PRODUCT"), entity_type("Chemical"), entity_type("CELL LINE")
    ('protein', 'chemical', 'cell')
    """
    name = label.strip().lower().replace(" ", "_")
    return _TYPE_OF.get(name, name)


Recogniser = Callable[[str], Iterable[PredictedMention]]
"""Text → the names in it."""


def spacy_recogniser(nlp: Callable[[str], Any], certainty: float = 0.9) -> Recogniser:
    """The entities of a spaCy pipeline as a recogniser; ``certainty`` is how far they are trusted."""

    def found(text: str) -> list[PredictedMention]:
        return [
            PredictedMention(one.start_char, one.end_char, one.label_, (one.kb_id_,) if one.kb_id_ else (), certainty)
            for one in nlp(text).ents
        ]

    return found


def resolved(given: Iterable[Span], *sources: Iterable[PredictedMention]) -> list[PredictedMention]:
    """The mentions to add, in the order of the text, none overlapping another or a ``given`` span: those of a source are
    dropped where they overlap one of an earlier source (see the module's rule).

    >>> ras = PredictedMention(0, 3, "protein")
    >>> resolved([], [PredictedMention(0, 3, "protein", ("UniProt:P01112",))], [ras])
    [PredictedMention(start=0, end=3, type='protein', ids=('UniProt:P01112',), certainty=1.0, name='')]
    >>> resolved([(0, 3)], [], [ras])
    []
    """
    taken = _Occupied(given)
    chosen: list[PredictedMention] = []
    for source in sources:
        for mention in sorted(source, key=lambda m: (m.start - m.end, m.start)):
            if taken.claim(mention.start, mention.end):
                chosen.append(mention)  # noqa: PERF401  (claiming changes what the next may claim)
    return sorted(chosen, key=lambda m: (m.start, m.end))


class _Occupied:
    """Characters that belong to a mention already."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._characters = {position for start, end in spans for position in range(start, end)}

    def claim(self, start: int, end: int) -> bool:
        positions = range(start, end)
        if any(position in self._characters for position in positions):
            return False
        self._characters.update(positions)
        return True


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A name, the id it stands for, its type."""

    name: str
    id: str = ""
    type: str = "protein"

    def __post_init__(self) -> None:
        object.__setattr__(self, "type", entity_type(self.type))


@dataclass(frozen=True)
class Lexicon:
    """Names to find in text, by whole tokens.

    Case: a name of four letters or fewer, or one that holds a capital after its first letter or a digit ("Ras", "MAPK",
    "p53"), must be written as in the list; longer plain words match in any case ("Insulin", "insulin"). Runs of
    spaces and hyphens are alike ("NF kappa B" finds "NF-kappa B"). Several ids of one name are all kept.

    >>> lexicon = Lexicon((LexiconEntry("insulin", "UniProt:P01308"), LexiconEntry("MAPK")))
    >>> [(m.start, m.end, m.ids) for m in lexicon.matches("Insulin and mapk", [(0, 7), (8, 11), (12, 16)])]
    [(0, 7, ('UniProt:P01308',))]
    """

    entries: tuple[LexiconEntry, ...]
    _index: dict[tuple[str, ...], list[LexiconEntry]] = field(init=False, repr=False, compare=False)
    _longest: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index: dict[tuple[str, ...], list[LexiconEntry]] = {}
        for entry in self.entries:
            index.setdefault(_pieces(entry.name.lower()), []).append(entry)
        object.__setattr__(self, "_index", index)
        object.__setattr__(self, "_longest", max((len(pieces) for pieces in index), default=0))

    @classmethod
    def read(cls, path: str | Path) -> Lexicon:
        """A TSV file: name, then optionally id and type (``protein`` when absent); lines starting with ``#`` are skipped."""
        path = Path(path)
        entries = []
        check_ends(path)
        try:
            with path.open(encoding="utf-8-sig", newline="") as handle:
                for number, row in enumerate(csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE), start=1):
                    if not row or not "".join(row).strip() or row[0].startswith("#"):
                        continue
                    name, identifier, kind = ([cell.strip() for cell in row] + ["", ""])[:3]
                    if not _pieces(name):
                        raise CorpusError("no name in the first column", path=path, where=number, remedy="name<TAB>id<TAB>type")
                    entries.append(LexiconEntry(name, identifier, kind or "protein"))
        except UnicodeDecodeError as error:
            raise CorpusError(f"not UTF-8 text: {error.reason}", path=path, remedy="save the file as UTF-8") from error
        except OSError as error:
            raise CorpusError(f"cannot be read: {error.strerror}", path=path) from error
        return cls(tuple(entries))

    @property
    def fingerprint(self) -> str:
        """Changes with the entries; part of the key of cached results."""
        lines = "\n".join(f"{entry.name}\t{entry.id}\t{entry.type}" for entry in self.entries)
        return hashlib.sha256(lines.encode("utf-8")).hexdigest()

    def matches(self, text: str, tokens: Sequence[Span]) -> list[PredictedMention]:
        """Every occurrence of a name that starts and ends with a token; longest first at each place, none overlapping."""
        pieces = [(match.start(), match.end(), match.group().lower()) for match in _PIECE.finditer(text)]
        starts, ends = {start for start, _ in tokens}, {end for _, end in tokens}
        found: list[PredictedMention] = []
        position = 0
        while position < len(pieces):
            step = 1
            start = pieces[position][0]
            for length in range(min(self._longest, len(pieces) - position), 0, -1) if start in starts else ():
                end = pieces[position + length - 1][1]
                entries = self._index.get(tuple(piece for _, _, piece in pieces[position : position + length]), [])
                fitting = [entry for entry in entries if _same_case(entry.name, text[start:end])] if end in ends else []
                if fitting:
                    ids = tuple(dict.fromkeys(entry.id for entry in fitting if entry.id))
                    found.append(PredictedMention(start, end, fitting[0].type, ids))
                    step = length
                    break
            position += step
        return found


_PIECE = re.compile(r"[^\W_]+|[^\w\s-]|_")


def _pieces(name: str) -> tuple[str, ...]:
    return tuple(_PIECE.findall(name))


def _same_case(name: str, found: str) -> bool:
    plain = len(name) > 4 and name[1:] == name[1:].lower() and not any(character.isdigit() for character in name)
    return plain or _PIECE.findall(name) == _PIECE.findall(found)
