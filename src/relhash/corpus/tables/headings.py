"""What the columns of a table may be called, in English, German, French and Spanish, and which entity a heading is about.

Headings are compared without case, accents, blanks and punctuation: ``Entity 1`` is ``entity1``, ``Interaction?`` is
``interaction``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

COLUMNS: dict[str, tuple[str, ...]] = {
    "text": ("text", "sentence", "passage", "sentencetext", "satz", "phrase", "texte", "frase", "oracion", "texto"),
    "marked": ("marked", "markedsentence", "markedtext"),
    "title": ("title", "articletitle", "titel", "titre", "titulo"),
    "abstract": ("abstract", "abstracttext", "zusammenfassung", "resume", "resumen"),
    "label": (
        "label", "gold", "class", "interaction", "answer", "interacts", "interacting", "related", "isrelated", "relationship",
        "judgement", "judgment", "verdict", "annotation", "yesno", "ddi", "ppi", "interaktion", "wechselwirkung", "beziehung",
        "bewertung", "klasse", "antwort", "etiquette", "classe", "reponse", "etiqueta", "interaccion", "relacion", "clase",
        "respuesta", "isrelation",
    ),
    "relation": ("relation", "relationtype", "interactiontype", "predicate"),
    "id": (
        "document", "documentid", "docid", "doc", "pmid", "pubmedid", "pmcid", "doi", "articleid", "dokument", "id",
    ),
}  # fmt: skip
"""Our name of a column → the headings it may have, those first that count where a table has several."""

_KINDS = {
    "gene": "gene genes gen gens",
    "protein": "protein proteins proteine proteina proteinas eiweiss",
    "chemical": "chemical chemicals compound substance metabolite chemikalie substanz compose compuesto sustancia quimico",
    "drug": "drug drugs medication medikament wirkstoff medicament medicamento farmaco",
    "disease": "disease diseases disorder krankheit erkrankung maladie enfermedad",
    "mutation": "mutation variant mutacion variante",
}
_KIND_OF = {noun: kind for kind, nouns in _KINDS.items() for noun in nouns.split()}
_UNTYPED_NOUNS = "entity e ent mention arg argument partner interactor participant node molecule entitat entite entidad"
_UNTYPED = frozenset(_UNTYPED_NOUNS.split())
ORDERED = (("subject", "object"), ("source", "target"), ("agent", "target"), ("regulator", "target"), ("head", "tail"))
"""Headings without a number that name the two entities together; the second of them may also go with a type (drug, target)."""
_SINGLE = frozenset(word for pair in ORDERED for word in pair)
_NUMBERS = {
    "1": 1, "a": 1, "i": 1, "first": 1, "one": 1, "2": 2, "b": 2, "ii": 2, "second": 2, "two": 2, "erste": 1, "erster": 1,
    "erstes": 1, "zweite": 2, "zweiter": 2, "zweites": 2, "premier": 1, "premiere": 1, "deuxieme": 2, "primera": 1, "primer": 1,
    "segunda": 2, "segundo": 2,
}  # fmt: skip
_PARTS = {
    "start": "start", "begin": "start", "end": "end", "type": "type", "class": "type", "typ": "type", "tipo": "type",
    "id": "ids", "ids": "ids", "identifier": "ids", "mention": "mention", "role": "role", "text": "", "name": "",
}  # fmt: skip
_WITHOUT_NOUN = frozenset({"start", "begin", "end", "type", "typ", "id", "ids", "role", "name"})


@dataclass(frozen=True, slots=True)
class EntityHeading:
    """Of which entity a column is (1, 2, or 0 if the heading does not say), what of it (``""``: its text), its type if told."""

    number: int
    part: str
    noun: str

    @property
    def type(self) -> str:
        return _KIND_OF.get(self.noun, "")


@lru_cache(maxsize=1024)
def plain_heading(heading: str) -> str:
    """A heading without what people vary.

    >>> plain_heading("Entity 1"), plain_heading("Interaction?"), plain_heading("Relación")
    ('entity1', 'interaction', 'relacion')
    """
    return "".join(_words(heading))


@lru_cache(maxsize=1024)
def entity_heading(heading: str) -> EntityHeading | None:
    """What a heading says of an entity, if it is about one.

    >>> entity_heading("protein A"), entity_heading("e2_start")
    (EntityHeading(number=1, part='', noun='protein'), EntityHeading(number=2, part='start', noun='e'))
    >>> entity_heading("Krankheit").type, entity_heading("gene expression")
    ('disease', None)
    """
    number, part, noun = 0, None, ""
    seen: set[str] = set()
    for word in _words(heading):
        if word in _NUMBERS and not number:
            number = _NUMBERS[word]
        elif not noun and (word in _KIND_OF or word in _UNTYPED or word in _SINGLE) and (word != "mention" or not seen):
            noun = word
        elif part is None and word in _PARTS:
            part = _PARTS[word]
        else:
            return None
        seen.add(word)
    if noun:
        is_known = bool(number) or noun not in _UNTYPED
    else:
        is_known = bool(number) and bool(seen & _WITHOUT_NOUN)
    return EntityHeading(number, part or "", noun) if is_known else None


def _words(heading: str) -> list[str]:
    """Its words and numbers in small letters without accents; a capital inside a word begins a new one (``proteinA``)."""
    spread = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])", " ", heading)
    letters = unicodedata.normalize("NFKD", spread.lower().replace("ß", "ss"))
    return re.findall(r"[^\W_]+", "".join(letter for letter in letters if not unicodedata.combining(letter)))
