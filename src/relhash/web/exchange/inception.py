"""Relations of a document that INCEpTION exported as "UIMA CAS JSON" (0.4): a list of feature structures that refer to each
other by number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from relhash.web.exchange.linked_spans import LinkedSpans


def inception_relations(cas: Any) -> Iterator[LinkedSpans]:
    """The relations of all relation layers: whatever has a ``Governor`` and a ``Dependent`` that are spans.

    The type is the first feature of the relation that is a text. The dependency layer is left out: it is grammar. Offsets of
    UIMA are UTF-16 units; they become characters.

    >>> text = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "RAF1 binds MEK1."}
    >>> spans = [{"%ID": n, "%TYPE": "custom.Span", "begin": b, "end": b + 4} for n, b in ((2, 0), (3, 11))]
    >>> link = {"%ID": 4, "%TYPE": "custom.Relation", "begin": 11, "end": 15, "@Governor": 2, "@Dependent": 3, "label": "binds"}
    >>> [(one.first, one.second, one.type) for one in inception_relations({"%FEATURE_STRUCTURES": [text, *spans, link]})]
    [((0, 4), (11, 15), 'binds')]
    """
    structures = cas["%FEATURE_STRUCTURES"]
    by_number = {one["%ID"]: one for one in structures} if isinstance(structures, list) else structures
    by_number = {int(number): one for number, one in by_number.items()}
    text = next(str(one["sofaString"]) for one in by_number.values() if one.get("%TYPE", "").endswith("Sofa"))
    places = _utf16_places(text)
    document = next((str(one["documentId"]) for one in by_number.values() if one.get("documentId")), "")
    title = next((str(one["documentTitle"]) for one in by_number.values() if one.get("documentTitle")), document)
    for one in by_number.values():
        ends = [by_number.get(one.get(name, -1)) for name in ("@Governor", "@Dependent")]
        if ".dependency." in one.get("%TYPE", "") or not all(end is not None and "begin" in end for end in ends):
            continue
        first, second = ((places[end["begin"]], places[end["end"]]) for end in ends if end is not None)
        yield LinkedSpans(text, first, second, _label(one), title)


def _label(structure: dict[str, Any]) -> str:
    texts = (value for name, value in structure.items() if isinstance(value, str) and not name.startswith("%"))
    return next(texts, "")


def _utf16_places(text: str) -> list[int]:
    """UTF-16 unit → character."""
    places: list[int] = []
    for number, character in enumerate(text):
        places += [number] * (2 if ord(character) > 0xFFFF else 1)
    return [*places, len(text)]
