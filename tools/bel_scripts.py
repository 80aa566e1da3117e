"""Statements of BEL scripts with the sentences that they were read from: rows to learn from.

    RELHASH_DATA=../shared/data python tools/bel_scripts.py [--all] > rows.jsonl

The scripts of ``bel/conib`` (Fraunhofer SCAI; CC BY 4.0 by the header of each file, one file without that licence is left
out) were written by curators: a sentence or two as ``Evidence``, below it what it states. Papers that RelHash is measured on
are left out, and so is evidence with a sentence of one of them. (The half of INDRA's judged papers that is not in the data
folder cannot be compared.)
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

from relhash.bench.datasets.dataset import data_root
from relhash.candidates.shared_sentences import plain_text
from relhash.candidates.statements.types import shipped_types
from train_ppi_model import papers_of_other_tests, tested_text

LICENCE = "CC BY 4.0"
SIGNS = {
    "->": 1, "=>": 1, "increases": 1, "directlyIncreases": 1, "-|": -1, "=|": -1, "decreases": -1, "directlyDecreases": -1,
    "reg": 0, "regulates": 0,
}  # fmt: skip
CORRELATIONS = {
    "--": 0, "association": 0, "pos": 1, "positiveCorrelation": 1, "neg": -1, "negativeCorrelation": -1,
}  # fmt: skip
NO_CHANGE = ("cnc", "causesNoChange")
KINDS = {
    "p": "protein", "proteinAbundance": "protein", "g": "gene", "geneAbundance": "gene", "r": "rna", "rnaAbundance": "rna",
    "m": "rna", "microRNAAbundance": "rna", "a": "abundance", "abundance": "abundance", "bp": "process",
    "biologicalProcess": "process", "path": "pathology", "pathology": "pathology", "complex": "complex",
    "complexAbundance": "complex", "pop": "population",
}  # fmt: skip
FORMS = {
    "act": "activity", "activity": "activity", "kin": "activity", "cat": "activity", "tscript": "activity", "gtp": "activity",
    "deg": "degradation", "degradation": "degradation", "tloc": "translocation", "translocation": "translocation",
    "sec": "translocation", "cellSecretion": "translocation", "surf": "translocation",
    "cellSurfaceExpression": "translocation", "rxn": "reaction", "reaction": "reaction",
}  # fmt: skip
GROUPS = ("complex", "complexAbundance", "composite", "compositeAbundance")
CHEMICALS = frozenset({"CHEBI", "PUBCHEM", "DRUGBANK", "INCHIKEY"})


@dataclass(frozen=True, slots=True)
class Entity:
    """``HGNC:AKT1``; its kind is protein, gene, rna, chemical, abundance (chemical or not), process, pathology, complex, …"""

    namespace: str
    name: str
    kind: str

    @property
    def is_gene(self) -> bool:
        return self.kind in ("protein", "gene", "rna")


@dataclass(frozen=True, slots=True)
class Side:
    """What stands on one side of a statement: the entities (several of a complex or composite), and what of them is meant."""

    entities: tuple[Entity, ...]
    form: str
    """``amount``, ``activity``, ``degradation``, ``translocation``, ``reaction``, ``complex``, a modification: ``pmod(Ph)``."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a curator states of a sentence, one row per pair of entities.

    Attributes
    ----------
    type, sign
        In the words of the table of statements, plus ``Association`` for a correlation, and ``NoChange`` for what is denied.
        Activation, amounts and modifications are about gene products and chemicals; of anything else only ``Regulation``
        with a sign is stated. The sign is that of the wild type, as in BEL.
    is_whole
        Whether each side is one entity; of complexes and composites every member makes a row.
    is_nested
        Whether it is a part of a statement, such as the complex in "A increases the complex of B and C".
    """

    text: str
    pmid: str
    subject: Entity
    type: str
    object: Entity
    sign: int
    relation: str
    subject_form: str
    object_form: str
    is_whole: bool
    is_nested: bool
    place: str


def bel_rows(root: Path, *, untested: bool = True) -> Iterator[Row]:
    """The rows of all scripts, in order; without what is tested."""
    papers, sentences = tested_text(root) if untested else (set(), set())
    papers |= papers_of_other_tests(root) if untested else set()
    tested = [sentence for sentence in sentences if len(sentence) > 60]
    seen: dict[str, bool] = {}
    for path in sorted((root / "bel" / "conib").glob("*.bel")):
        for row in rows_of_script(path):
            if row.text not in seen:
                plain = plain_text(row.text)
                seen[row.text] = f"PMID{row.pmid}" in papers or any(one in plain for one in tested)
            if not seen[row.text]:
                yield row


def rows_of_script(path: Path) -> Iterator[Row]:
    """The rows of one script; none if its header does not have the licence."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    header = next((line for line in lines if line.startswith("SET DOCUMENT Licenses")), "")
    if LICENCE.lower() not in header.lower():
        print(f"{path.name}: left out, {header or 'no licence'}", file=sys.stderr)
        return
    text = pmid = ""
    number = 0
    while number < len(lines):
        start, line = number, lines[number].strip()
        number += 1
        if re.match(r"SET\s+(Evidence|SupportingText)\s*=", line):
            own = [line.split("=", 1)[1].strip().removeprefix('"')]
            while not re.search(r'(?<!\\)"\s*$', own[-1]) and number < len(lines):
                own.append(lines[number].strip())
                number += 1
            text = _prose(own)
        elif re.match(r"SET\s+Citation\s*=", line):
            while "}" not in line and number < len(lines):
                line, number = line + lines[number], number + 1
            numbers = re.findall(r'"\s*(\d+)\s*"', line)
            pmid, text = (numbers[-1] if numbers and '"PubMed"' in line else ""), ""
        elif line and not re.match(r"(SET|UNSET|DEFINE)\b|#", line):
            while line.endswith("\\") and number < len(lines):
                line, number = line[:-1] + lines[number].strip(), number + 1
            if text:
                yield from _rows(line, text, pmid, f"{path.name}:{start + 1}")


def _prose(lines: Sequence[str]) -> str:
    """Lines of a paper as running text: words that a line's end broke are whole again, and so are ligatures."""
    text = "\n".join(line.rstrip("\\").strip() for line in lines).strip().removesuffix('"').replace('\\"', '"')
    text = re.sub("[ﬀ-ﬆ]", lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = re.sub(r"(?<=[a-z]{2})-\n(?=[a-z]{2})", "", text)
    return " ".join(re.sub(r"(?<=\w)-\n(?=\w)", "-", text).replace("\xad", "").split())


Term = tuple[str, list["Term | tuple[str, str]"]]
"""Function and arguments; an argument is a term, or a namespace with a name."""
_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[(),]|:(?=\s*")|[^\s(),":]+(?::(?!\s*")[^\s(),"]*)?)')


class _UnreadError(Exception):
    pass


class _Reader:
    """Recursive descent over the tokens of one statement."""

    def __init__(self, line: str) -> None:
        self.tokens, place = [], 0
        while found := _TOKEN.match(line, place):
            self.tokens.append(found[1])
            place = found.end()
        self.place = 0

    def next(self) -> str:
        if self.place >= len(self.tokens):
            raise _UnreadError
        self.place += 1
        return self.tokens[self.place - 1]

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.place + ahead] if self.place + ahead < len(self.tokens) else ""

    def term(self) -> Term:
        function = self.next()
        if self.next() != "(" or not function.isalpha():
            raise _UnreadError
        arguments: list[Term | tuple[str, str]] = []
        while self.peek() != ")":
            arguments.append(self.term() if self.peek(1) == "(" else self._name())
            if self.peek() == ",":
                self.next()
        self.next()
        return function, arguments

    def _name(self) -> tuple[str, str]:
        first = self.next()
        if first in "(),":
            raise _UnreadError
        if self.peek() == ":":
            self.next()
            return first, _unquoted(self.next())
        namespace, colon, name = first.partition(":") if not first.startswith('"') else ("", "", first)
        return (namespace, name) if colon else ("", _unquoted(first))


def _unquoted(name: str) -> str:
    return name[1:-1].replace('\\"', '"') if name.startswith('"') else name


def _rows(line: str, text: str, pmid: str, place: str) -> Iterator[Row]:
    reader = _Reader(re.sub(r"(->|=>|-\||=\|)(?=[a-z]+\()", r"\1 ", line))
    try:
        yield from _statement(reader, text, pmid, place, is_nested=False)
    except _UnreadError:
        print(f"{place}: not read: {line}", file=sys.stderr)


def _statement(reader: _Reader, text: str, pmid: str, place: str, *, is_nested: bool) -> Iterator[Row]:
    term = reader.term()
    yield from _complexes(term, text, pmid, place, is_nested=is_nested or reader.peek() not in ("", ")"))
    relation = reader.peek()
    if relation in ("", ")"):
        return
    reader.next()
    if reader.peek() == "(":
        reader.next()
        yield from _statement(reader, text, pmid, place, is_nested=True)
        return
    other = reader.term()
    yield from _complexes(other, text, pmid, place, is_nested=True)
    subject, object = side(term), side(other)
    said = stated_by(relation, object)
    if said is not None:
        whole = len(subject.entities) == len(object.entities) == 1
        for one, two in product(subject.entities, object.entities):
            yield Row(
                text, pmid, one, said[0], two, said[1], relation, subject.form, object.form, whole, is_nested, place
            )  # fmt: skip


def _complexes(term: Term, text: str, pmid: str, place: str, *, is_nested: bool) -> Iterator[Row]:
    """Each pair of the members that a complex lists."""
    function, arguments = term
    parts = [one for one in arguments if isinstance(one[1], list)]
    if function in GROUPS[:2]:
        members = [entity for part in parts for entity in side(part).entities]
        for one, two in combinations(members, 2):
            yield Row(text, pmid, one, "Complex", two, 0, function, "amount", "amount", len(members) == 2, is_nested, place)
    for part in parts:
        yield from _complexes(part, text, pmid, place, is_nested=True)


def read_side(text: str) -> Side | None:
    """What a term means, if it is one: ``act(p(HGNC:AKT1))``."""
    try:
        return side(_Reader(text).term())
    except _UnreadError:
        return None


def side(term: Term) -> Side:
    """The entities of a term, and what of them is meant."""
    function, arguments = term
    parts = [one for one in arguments if isinstance(one[1], list)]
    names = [one for one in arguments if not isinstance(one[1], list)]
    if function in GROUPS and any(part[0] in KINDS or part[0] in GROUPS for part in parts):
        entities = tuple(entity for part in parts if part[0] in KINDS or part[0] in GROUPS for entity in side(part).entities)
        return Side(entities, "complex" if function in GROUPS[:2] else "amount")
    if function in KINDS:
        namespace, name = names[0] if names else ("", "")
        is_chemical = KINDS[function] == "abundance" and namespace in CHEMICALS
        changed = [part for part in parts if part[0] in ("pmod", "proteinModification") and part[1]]
        form = f"pmod({changed[0][1][0][1]})" if changed and isinstance(changed[0][1][0][1], str) else "amount"
        entity = Entity(namespace, str(name), "chemical" if is_chemical else KINDS[function])
        return Side((entity,) if name else (), form)
    inner = [side(part) for part in parts if part[0] in KINDS or part[0] in FORMS or part[0] in GROUPS]
    entities = tuple(entity for one in inner for entity in one.entities)
    return Side(entities, FORMS.get(function, function))


def stated_by(relation: str, object: Side) -> tuple[str, int] | None:
    """Type and sign of what a relation states of this object; nothing for one that states nothing of the kind."""
    types = shipped_types()
    if relation in NO_CHANGE or relation in CORRELATIONS:
        return ("NoChange", 0) if relation in NO_CHANGE else ("Association", CORRELATIONS[relation])
    if relation not in SIGNS:
        return None
    sign = SIGNS[relation]
    changed = next((one for one in types.values() if one.bel == object.form and one.sign == 1 and one.opposite), None)
    if sign and changed is not None:
        return (changed.name if sign > 0 else changed.opposite), sign
    if object.form == "translocation":
        return "Translocation", sign
    is_thing = all(one.is_gene or one.kind in ("chemical", "abundance") for one in object.entities)
    if not sign or not is_thing or object.form not in ("amount", "activity", "degradation"):
        return "Regulation", sign
    if object.form == "degradation":
        sign = -sign
    return types.with_sign("activity" if object.form == "activity" else "amount", sign).name, sign


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None, help="folder with bel/conib (RELHASH_DATA)")
    parser.add_argument("--all", action="store_true", help="tested papers, too")
    given = parser.parse_args()
    for row in bel_rows(data_root(given.data), untested=not given.all):
        print(json.dumps(dataclasses.asdict(row), ensure_ascii=False))


if __name__ == "__main__":
    main()
