"""Names → ids: what the entities of a document stand for.

Every mention without an id is looked up in the list that ships (:mod:`relhash.biomed.names.table`). A name with several
meanings is settled by its own document: by the long form that the text gives for it, by other mentions that are unambiguous, by
the species that the text is about (man, unless only mice or rats are spoken of; a word right at the name counts more). What
stays ambiguous stays without an id: an "unknown" costs a curator less than a wrong id. A document never depends on another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import islice, pairwise

from relhash.biomed.names.abbreviations import abbreviations
from relhash.biomed.names.hints import pair_hints
from relhash.biomed.names.senses import GROUNDED_TYPES, Only, Sense, Senses, variants
from relhash.biomed.names.spelling import Case, case_of, name_key
from relhash.biomed.names.table import Concept, NameTable, shipped_names
from relhash.biomed.species import Species, SpeciesOf
from relhash.corpus.document import Document, Mention
from relhash.language.entities import entity_type

_VIRAL_NAMES = """
tat tax rev nef vpr vpu vif env gag pol e1a e1b e6 e7 lmp1 lmp2 lmp2a lmp2b ebna1 ebna2 ebnalp zta rta vp16 hbx ns3 ns5a bzlf1
"""
_VIRAL = frozenset(_VIRAL_NAMES.split())
"""Names of viral proteins that man's genes have too."""
_VIRUS = re.compile(r"HIV|HTLV|EBV|HPV|HBV|HCV|SV40|\bvir(us|al|ion)|virus\b", re.IGNORECASE)
_NAMESAKES = {
    "cat": re.compile(r"report|chloramphenicol|transfect|construct|promoter", re.IGNORECASE),
    "e2": re.compile(r"\b(o?estr(adi|og)|breast|ovar|uter|endometri)", re.IGNORECASE),
}
"""Names of enzymes that a reporter gene or a hormone (estradiol) has too, and the words that give these away."""
_WORD = re.compile(r"[a-z]{4,}")
_WORDS_OF_CLASSES = """
protein factor receptor kinase gene human mouse type alpha beta gamma delta cell cells domain associated binding related like
family member subunit chain growth with from nuclear
"""
_CLASS_WORDS = frozenset(_WORDS_OF_CLASSES.split())
"""Words that too many names share to tell them apart."""
_STEM = 6
"""Letters in which two forms of a word agree: "regulating", "regulatory"."""
_WORD_COUNTS, _KNOWN_WELL, _CLEARLY, _MOST_MEANINGS = 2.0, 6.0, 4.0, 6
"""Of an ambiguous name: what a word of the text adds that one meaning has in its names, how often (a power of two) texts must
speak of the best and by how much it has to lead, and how many meanings are too many to choose from."""
_SHORTEST_SERIES = 2
_FUSED = re.compile(r"[^-‐‑–/\s][^-‐‑–/]*[^-‐‑–/\s]")
_AND = re.compile(r"\s(?:and/or|and|or)\s|/")
_LONGEST_JOINED = 80
_OPENED, _CLOSED = re.compile(r"\s?[(\[]"), re.compile(r"[)\],;]")
_SURE, _ALIAS = 1, 2
"""Levels of symbols and curated names, and of aliases (see :class:`~relhash.biomed.names.senses.Sense`)."""


class Grounder:
    """Gives ids to mentions.

    Examples
    --------
    >>> grounder = Grounder()
    >>> grounder.ids_of("MEK1"), grounder.ids_of("NF-κB"), grounder.ids_of("water", "chemical"), grounder.ids_of("p999")
    (('HGNC:6840',), ('FPLX:NFkappaB',), ('CHEBI:15377', 'MESH:D014867'), ())
    >>> grounder.ids_of("GR"), grounder.ids_of("GR", text="The glucocorticoid receptor (GR) binds DNA.")
    ((), ('HGNC:7978',))
    >>> grounder.ids_of("Stat1", text="in Stat1-deficient mice")
    ('MGI:103063',)
    """

    def __init__(self, table: NameTable | None = None) -> None:
        self.senses = Senses(shipped_names() if table is None else table)

    def ids_of(self, name: str, type: str = "protein", *, text: str = "") -> tuple[str, ...]:
        """The id of one name in one text; empty when it is unknown or ambiguous."""
        start = text.find(name)
        text, start = (text, start) if start >= 0 else (f"{name}. {text}", 0)
        mention = Mention("m", type, ((start, start + len(name)),), name)
        return self(Document("d", text, mentions=(mention,))).mentions[0].ids

    def __call__(self, document: Document) -> Document:
        """The document with ids for the mentions that have none, as far as they are known."""
        asked = list(filter(_is_asked, document.entities))
        if not asked:
            return document
        context = _Context(document.text, self.senses, asked)
        ids = {mention.id: context.ids_of(mention) for mention in asked}
        mentions = tuple(
            replace(mention, ids=ids[mention.id]) if ids.get(mention.id) else mention for mention in document.mentions
        )
        return replace(document, mentions=mentions)


def _is_asked(mention: Mention) -> bool:
    return not mention.ids and entity_type(mention.type) in GROUNDED_TYPES


@dataclass(frozen=True, slots=True)
class _Resolved:
    """A concept by its number, or nothing."""

    concept: Concept | None = None
    number: int = -1


class _Context:
    """What one document says about the names in it."""

    def __init__(self, text: str, senses: Senses, asked: Sequence[Mention]) -> None:
        self.text, self.senses = text, senses
        genes = (mention for mention in asked if entity_type(mention.type) == "protein")
        self.species = SpeciesOf(text, [(gene.start, gene.called) for gene in genes])
        self.long_forms: dict[str, str] = {}
        self.short_forms: dict[str, str] = {}
        for found in abbreviations(text):
            self.long_forms.setdefault(name_key(found.short), found.long)
            self.short_forms.setdefault(name_key(found.long), found.short)
        self.beside = _side_by_side(text, asked)
        self._by_neighbours: dict[tuple[str, str], _Resolved] = {}
        self.is_viral = bool(_VIRUS.search(text))
        self._known: dict[tuple[str, str], _Resolved] = {}
        names = {(mention.called, entity_type(mention.type)) for mention in asked}
        self._surely_named = {
            sense.numbers[0]
            for name, kind in names
            if (sense := self.senses.of(name, kind)).is_one and not sense.is_short and sense.level <= _SURE
        }

    def ids_of(self, mention: Mention) -> tuple[str, ...]:
        kind = entity_type(mention.type)
        resolved = self._resolve(mention.called, kind)
        if resolved.concept is None:
            resolved = self._by_neighbour(mention.called, kind)
        if resolved.concept is None:
            return self._ids_of_fused(mention) if kind == "protein" else self._ids_of_joined(mention.called, kind)
        identifier = self._in_species(resolved.concept, mention)
        mesh = resolved.concept.mesh
        if kind == "chemical" and not mesh and not identifier.startswith("MESH:"):
            mesh = self.senses.mesh_of(mention.called) or self.senses.mesh_of(self.senses.table.label(resolved.number))
        return tuple(filter(None, (identifier, mesh)))

    def _ids_of_fused(self, mention: Mention) -> tuple[str, ...]:
        """Of BCR-ABL the ids of both genes, where the words, or the two names, say that it is a fusion."""
        parts = [(mention.start + found.start(), mention.start + found.end()) for found in _FUSED.finditer(mention.text)]
        if not any("fusion" in pair_hints(self.text, *two) for two in pairwise(parts)):
            return ()
        genes = [replace(mention, spans=(span,), text=self.text[slice(*span)], name="") for span in parts]
        return tuple(dict.fromkeys(identifier for gene in genes for identifier in self.ids_of(gene)))

    def _ids_of_joined(self, name: str, kind: str) -> tuple[str, ...]:
        """Of "renal and hepatic failure" the ids of renal failure and of hepatic failure, if both are known."""
        for names in _joined(name):
            found = [self._resolve(one, kind).concept for one in names]
            if all(found):
                return tuple(one for concept in found if concept for one in (concept.id, concept.mesh) if one)
        return ()

    def _resolve(self, name: str, kind: str) -> _Resolved:
        if (name, kind) not in self._known:
            self._known[name, kind] = self._resolved(name, kind)
        return self._known[name, kind]

    def _resolved(self, name: str, kind: str) -> _Resolved:
        key = name_key(name)
        if kind == "protein" and self._is_something_else(name):
            return _Resolved()
        sense = self.senses.of(name, kind)
        long = self._long_form(name, kind)
        if long is not None:
            explained = self.senses.of(long, kind)
            if kind != "protein" and explained.is_one:  # only genes are explained by words that stand for many
                return _Resolved(explained.concepts[0], explained.numbers[0])
            meant = self._by_long_form(sense, explained, long, any(map(str.isdigit, key)))
            if meant is not None:
                return meant
        if not sense.concepts:
            short = self.short_forms.get(key)
            own = self.senses.of(short, kind) if short is not None else Sense()
            # a long form that no list has: its short form may have it
            return self._compatible(own, name) if own.concepts else _Resolved()
        if sense.is_short:
            return _Resolved()
        if sense.is_one:
            return _Resolved(sense.concepts[0], sense.numbers[0])
        return self._by_company(sense)

    def _by_neighbour(self, name: str, kind: str) -> _Resolved:
        """The meaning of the name that the text puts beside an unknown one in parentheses: "bupropion (Zyban)"."""
        key = name_key(name), kind
        if key not in self._by_neighbours:
            others = {self._resolve(other, kind) for other in self.beside.get(key, ())} - {_Resolved()}
            self._by_neighbours[key] = others.pop() if len(others) == 1 else _Resolved()
        return self._by_neighbours[key]

    def _long_form(self, name: str, kind: str) -> str | None:
        """What the text says the name stands for, also of "PAFR gene" where it explains "PAFR"."""
        if not self.long_forms:
            return None
        for key, only in _keys(name, kind):
            long = self.long_forms.get(key) if only is Only.ANYTHING else None
            if long is not None and name_key(long.split()[0]) != key:  # "egr-1 encodes a transcription factor (EGR1)"
                return long
        return None

    def _by_long_form(self, short: Sense, long: Sense, words: str, has_number: bool) -> _Resolved | None:
        """The meaning that the text itself explains; ``None`` when the long form does not help."""
        if long.is_one and (not short.concepts or not short.is_one or long.level <= short.level or short.is_short):
            return _Resolved(long.concepts[0], long.numbers[0])
        common = [number for number in short.numbers if number in long.numbers]
        if len(common) == 1:
            return _Resolved(short.concepts[short.numbers.index(common[0])], common[0])
        is_of_protein = short.level <= _ALIAS and not _CLASS_WORDS.isdisjoint(_WORD.findall(words.lower()))
        if not short.concepts or (
            short.is_one and (short.level <= _SURE or is_of_protein) and has_number and not short.is_short
        ):
            return None  # "SLP-76" has hardly a second meaning, whatever its long form is called; "IP-10" if it is a protein
        return self._compatible(short, words)

    def _compatible(self, sense: Sense, words: str) -> _Resolved:
        """The one meaning with a name that shares a word with the long form; unknown if none or several do."""
        wanted = [name_key(word) for word in _WORD.findall(words.lower()) if word not in _CLASS_WORDS]
        fitting = [
            (concept, number)
            for concept, number in zip(sense.concepts, sense.numbers, strict=True)
            if any(word[:_STEM] in key for key in self.senses.table.keys_of(number) for word in wanted)
        ]
        if len(fitting) == 1:
            return _Resolved(*fitting[0])
        if not wanted and sense.is_one and not sense.is_short:
            return _Resolved(sense.concepts[0], sense.numbers[0])
        return _Resolved()

    def _by_company(self, sense: Sense) -> _Resolved:
        """Of several meanings the one that another, unambiguous name of the document has; else its gene's neighbour.

        Beside COX-2, which is PTGS2, COX-1 is PTGS1.
        """
        named = [index for index, number in enumerate(sense.numbers) if number in self._surely_named]
        if not named:
            stems = {_series(self.senses.table.label(number)) for number in self._surely_named} - {""}
            named = [i for i, number in enumerate(sense.numbers) if _series(self.senses.table.label(number)) in stems]
        if len(named) == 1:
            return _Resolved(sense.concepts[named[0]], sense.numbers[named[0]])
        return self._likeliest(sense)

    def _likeliest(self, sense: Sense) -> _Resolved:
        """Of several meanings the one that texts speak of by far most, if this one has words of its names, too."""
        table, words = self.senses.table, self.words
        scores = [
            table.popularity(number) + _WORD_COUNTS * bool(sum(word in key for key in table.keys_of(number) for word in words))
            for number in sense.numbers
        ]
        order = sorted(range(len(scores)), key=lambda index: -scores[index])
        if len(order) > _MOST_MEANINGS or scores[order[0]] < max(_KNOWN_WELL, scores[order[1]] + _CLEARLY):
            return _Resolved()
        return _Resolved(sense.concepts[order[0]], sense.numbers[order[0]])

    @cached_property
    def words(self) -> frozenset[str]:
        """Words of the text that can tell one gene from another."""
        return frozenset(word for word in re.findall(r"[a-z]{7,}", self.text.lower()) if word not in _CLASS_WORDS)

    def _is_something_else(self, name: str) -> bool:
        """Whether a name of a human gene stands here for a virus's protein, a reporter or a hormone."""
        keys = [key for key, _ in _keys(name, "protein")]
        if not _VIRAL.isdisjoint(keys):
            is_written_so = self.species.spoken is Species.HUMAN and case_of(name) is Case.CAPITALISED  # man's gene is TAT
            if self.is_viral or is_written_so or "e1a" in keys:
                return True
        return any(key in _NAMESAKES and _NAMESAKES[key].search(self.text) for key in keys)

    def _in_species(self, concept: Concept, mention: Mention) -> str:
        """The id in the species that is meant; nothing for a gene that this species has not."""
        database = concept.id.partition(":")[0]
        if database not in ("HGNC", "NCBIGene", "MGI", "RGD"):
            return concept.id
        species = self.species(mention.start, mention.called)
        if database == "HGNC":
            if species is Species.OTHER:
                return ""
            own = {Species.MOUSE: concept.mouse, Species.RAT: concept.rat}.get(species, "")
            return own or concept.id
        if database == "NCBIGene":
            return concept.id if species is Species.OTHER else ""
        return concept.id if species is {"MGI": Species.MOUSE, "RGD": Species.RAT}[database] else ""


def _joined(name: str) -> Iterator[tuple[str, str]]:
    """What two things a name with "and" or "or" may name.

    >>> list(_joined("renal and hepatic failure"))
    [('renal failure', 'hepatic failure'), ('renal', 'hepatic failure')]
    """
    first, *rest = _AND.split(name, maxsplit=1)
    if not rest or len(name) > _LONGEST_JOINED:
        return
    second = rest[0]
    before, after = first.split(), second.split()
    yield from ((f"{first} {' '.join(after[place:])}", second) for place in range(1, len(after)))
    yield from ((first, f"{' '.join(before[:place])} {second}") for place in range(1, len(before)))
    yield first, second


def _side_by_side(text: str, asked: Sequence[Mention]) -> dict[tuple[str, str], set[str]]:
    """Key and type of a name → the names of the same type that stand beside it, one of the two in parentheses."""
    found: dict[tuple[str, str], set[str]] = {}
    for first, second in pairwise(sorted(asked, key=lambda one: one.start)):
        kind = entity_type(first.type)
        is_beside = _OPENED.fullmatch(text, first.end, second.start) and _CLOSED.match(text, second.end)
        if is_beside and kind == entity_type(second.type):
            for one, other in ((first, second), (second, first)):
                found.setdefault((name_key(one.called), kind), set()).add(other.called)
    return found


def _series(symbol: str) -> str:
    """What symbols of a series share: PTGS of PTGS1 and PTGS2."""
    stem = symbol.rstrip("0123456789")
    return stem if len(stem) > _SHORTEST_SERIES and stem != symbol else ""


@lru_cache(maxsize=16384)
def _keys(name: str, kind: str) -> list[tuple[str, Only]]:
    """Keys of the name and of the first simpler ones; a text names the same things again and again, and so does the next."""
    return [(name_key(variant), only) for variant, only in islice(variants(name, kind), 6)]


@cache
def shipped_grounder() -> Grounder:
    """The grounder with the list that ships, made once per process."""
    return Grounder()
