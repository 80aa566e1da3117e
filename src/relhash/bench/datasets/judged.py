"""Statements that curators have judged, and the candidates of a sentence that say them.

A statement names its two participants by symbols of genes or families, not by strings of its sentence. A mention means a symbol
if it has its id, if it belongs to the family or is the family that it belongs to, or, without an id, if its name is one of its
names.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from relhash.biomed.names.families import is_part
from relhash.biomed.names.spelling import name_key
from relhash.biomed.names.table import shipped_names
from relhash.corpus.document import Mention
from relhash.model.prediction import Prediction

RIGHT = frozenset({"correct", "a", "r", "v"})
"""Verdicts of statements that are right: correct (INDRA, BEL); activation, repression, valid without sign (ExTRI)."""
RELATED = RIGHT | {"act_vs_amt", "wrong_relation", "polarity", "mod_site", "agent_conditions"}
"""Verdicts of statements whose participants are related, if not in the way that is stated."""
_FAMILIES = {"NFKB": "NFkappaB"}
"""Families that ExTRI writes otherwise than FamPlex."""


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """Two symbols that a system found related in a sentence, and what a curator says of it."""

    paper: str
    first: str
    second: str
    text: str
    verdict: str

    @property
    def is_right(self) -> bool:
        return self.verdict in RIGHT

    def is_said_by(self, found: Prediction) -> bool:
        """Whether a candidate relates the two."""
        mentions = found.candidate.mentions
        one, two = ((own, *also) for own, also in zip(mentions, found.also or ((),) * len(mentions), strict=True))

        def are(first: str, second: str) -> bool:
            return any(means(mention, first) for mention in one) and any(means(mention, second) for mention in two)

        return are(self.first, self.second) or are(self.second, self.first)


def judged_statements(root: Path, source: str) -> list[JudgedStatement]:
    """The statements of ``"indra"``, ``"extri"`` or ``"bel"`` below the data folder that name two participants."""
    return list(SOURCES[source](root / "judged"))


def _indra(folder: Path) -> Iterator[JudgedStatement]:
    with (folder / "indra_dev.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if "?" not in (row["subject"], row["object"]):
                yield JudgedStatement(row["pmid"], row["subject"], row["object"], row["text"], row["verdict"])


def _extri(folder: Path) -> Iterator[JudgedStatement]:
    with (folder / "extri_dev.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["evaluation"] in ("a", "r", "v", "n"):
                yield JudgedStatement(row["id"].split(":")[0], row["TF"], row["TG"], row["sentence"], row["evaluation"])


def _bel(folder: Path) -> Iterator[JudgedStatement]:
    with (folder / "bel_enrichment.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            first, second = (sorted(set(re.findall(r'HGNC:"?([\w-]+)', row[side] or ""))) for side in ("subject", "object"))
            if len(first) == len(second) == 1 and first != second:
                verdict = "correct" if "x" in (row["correct"], row["changed"]) else "wrong"
                yield JudgedStatement(row["pmid"], first[0], second[0], row["evidence"], verdict)


SOURCES: dict[str, Callable[[Path], Iterator[JudgedStatement]]] = {"indra": _indra, "extri": _extri, "bel": _bel}


@cache
def _meaning(symbol: str) -> tuple[frozenset[str], frozenset[str]]:
    """Ids of a symbol, those of mouse and rat included, and keys of all its names."""
    table = shipped_names()
    numbers = table.labelled(_FAMILIES.get(symbol, symbol)) or tuple(meaning.number for meaning in table.find(symbol))
    concepts = {number: table.concept(number) for number in numbers}
    own = {number: one for number, one in concepts.items() if one.kind.type == "protein"}
    ids = frozenset(filter(None, (name for one in own.values() for name in (one.id, one.mouse, one.rat))))
    return ids, frozenset([name_key(symbol), *(key for number in own for key in table.keys_of(number))])


def means(mention: Mention, symbol: str) -> bool:
    """Whether a mention means the gene or family of this symbol."""
    ids, keys = _meaning(symbol)
    if not mention.ids:
        return name_key(mention.called) in keys
    return not ids.isdisjoint(mention.ids) or is_part(mention.ids, ids) or is_part(ids, mention.ids)
