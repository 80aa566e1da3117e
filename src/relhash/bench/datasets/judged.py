"""Statements that curators have judged: their one reader, the candidates that say them, and the data of ``judged``.

A statement names its two participants by symbols of genes or families, not by strings of its sentence. A mention means a symbol
if it has its id, if it belongs to the family or is the family that it belongs to, or, without an id, if its name is one of its
names.

The protocol asks of them what the paper asked of PubMed45: is this tuple of type, subject and object what the sentence says?
Each of eleven groups of papers is tested once; rows of the others about a pair of entities that is tested do not train.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np

from relhash.bench.datasets.bionlp import InteractionDataset
from relhash.biomed.names.spelling import is_part, name_key
from relhash.biomed.names.table import shipped_names
from relhash.candidates.statements import TriggerLexicon
from relhash.candidates.statements.open_policy import JudgedPolicy
from relhash.candidates.statements.types import shipped_types
from relhash.corpus.document import Document, Mention
from relhash.corpus.pubmed45 import INVALID, VALID, Interaction, Participant, with_judged
from relhash.errors import DataMissingError, ParameterError
from relhash.model.checking import Checker, Claim
from relhash.model.checking.sighting import Sighting
from relhash.model.prediction import Prediction

RIGHT = frozenset({"correct", "a", "r", "v"})
"""Verdicts of statements that are right: correct (INDRA, BEL); activation, repression, valid without sign (ExTRI)."""
RELATED = RIGHT | {"act_vs_amt", "wrong_relation", "polarity", "mod_site", "agent_conditions"}
"""Verdicts of statements whose participants are related, if not in the way that is stated."""
_FAMILIES = {"NFKB": "NFkappaB"}
"""Families that ExTRI writes otherwise than FamPlex."""
_BEL_TYPES = {"increases": "Activation", "decreases": "Inhibition", "association": "Complex"}
GROUPS = 11


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """Two symbols that a system found related in a sentence, and what a curator says of it; ``belief`` is the system's own."""

    paper: str
    first: str
    second: str
    text: str
    verdict: str
    type: str = field(default="Regulation", compare=False)
    belief: float | None = field(default=None, compare=False)

    @property
    def is_right(self) -> bool:
        return self.verdict in RIGHT

    @property
    def pair(self) -> str:
        """The two, whatever their order."""
        return " ".join(sorted((self.first, self.second)))

    @property
    def claim(self) -> Claim:
        """The statement as ``relhash check`` takes it."""
        first, second = (_FAMILIES.get(name, name) for name in (self.first, self.second))
        return Claim(" ".join(self.text.split()), first, second, self.type)

    def is_said_by(self, found: Prediction) -> bool:
        """Whether a candidate relates the two."""
        mentions = found.candidate.mentions
        one, two = ((own, *also) for own, also in zip(mentions, found.also or ((),) * len(mentions), strict=True))

        def are(first: str, second: str) -> bool:
            return any(means(mention, first) for mention in one) and any(means(mention, second) for mention in two)

        return are(self.first, self.second) or are(self.second, self.first)


def judged_statements(root: Path, source: str) -> list[JudgedStatement]:
    """The statements of ``"indra"``, ``"extri"`` or ``"bel"`` below the data folder that name two participants."""
    name, read = SOURCES[source]
    path = root / "judged" / name
    if not path.exists():
        raise DataMissingError(f"{path}: this benchmark needs the judged statements below the data folder")
    with path.open(encoding="utf-8", newline="") as lines:
        return list(read(lines))


def _indra(lines: Iterable[str]) -> Iterator[JudgedStatement]:
    for row in map(json.loads, lines):
        if "?" not in (row["subject"], row["object"]) and row["text"]:
            own = str(row["pmid"]), row["subject"], row["object"], row["text"], row["verdict"]
            yield JudgedStatement(*own, row.get("type", "Regulation"), row.get("belief") or 0.0)


def _extri(lines: Iterable[str]) -> Iterator[JudgedStatement]:
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["evaluation"] in ("a", "r", "v", "n"):
            yield JudgedStatement(row["id"].split(":")[0], row["TF"], row["TG"], row["sentence"], row["evaluation"])


def _bel(lines: Iterable[str]) -> Iterator[JudgedStatement]:
    for row in csv.DictReader(lines, delimiter="\t"):
        first, second = (sorted(set(re.findall(r'HGNC:"?([\w-]+)', row[side] or ""))) for side in ("subject", "object"))
        if len(first) == len(second) == 1 and first != second:
            verdict = "correct" if "x" in (row["correct"], row["changed"]) else "wrong"
            kind = _BEL_TYPES.get(row["predicate"].strip().lower().removeprefix("directly"), "Regulation")
            yield JudgedStatement(row["pmid"], first[0], second[0], row["evidence"], verdict, kind)


SOURCES: dict[str, tuple[str, Callable[[Iterable[str]], Iterator[JudgedStatement]]]] = {
    "indra": ("indra_dev.jsonl", _indra),
    "extri": ("extri_dev.tsv", _extri),
    "bel": ("bel_enrichment.tsv", _bel),
}


def group_of(paper: str) -> int:
    """The group in which a paper is tested: the same on every machine, whatever else is read.

    >>> sorted({group_of(str(number)) for number in range(200)}) == list(range(11))
    True
    """
    return int.from_bytes(hashlib.sha256(paper.encode("utf-8")).digest()[:8], "big") % GROUPS


def judged_dataset(root: Path, *, judged: str = "indra") -> InteractionDataset:
    """The statements of a source as candidates: the word that names the type, and the participants in their roles.

    Participants are looked for by all names of their symbols, on our own parses. A statement whose participants are not both
    found in one sentence is no candidate; if it is right, it counts as missed (variant *stated*).

    Parameters
    ----------
    judged
        ``"indra"``, ``"extri"`` or ``"bel"``.
    """
    if judged not in SOURCES:
        raise ParameterError(f"judged={judged!r}: choose one of {', '.join(SOURCES)}")
    statements = judged_statements(root, judged)
    examiner = Checker.shipped().examiner
    located = examiner.located([one.claim for one in statements])
    documents = [_document(str(row), *both) for row, both in enumerate(zip(located, statements, strict=True))]
    dataset = InteractionDataset([documents], JudgedPolicy(_by_statement(examiner.policy.lexicon)))
    rows = [int(candidate.document.id) for candidate in dataset.candidates]
    dataset.documents = np.array([statements[row].paper for row in rows])
    dataset.subsets = np.array([group_of(statements[row].paper) for row in rows])
    dataset.kept_apart = np.array([statements[row].pair for row in rows])
    dataset.pairs = None
    lost = [one for row, one in enumerate(statements) if row not in set(rows)]
    dataset.unreached = dict(Counter(group_of(one.paper) for one in lost if one.is_right))
    dataset.notes = [
        f"{len(statements):,} statements of {judged} that name both participants, {sum(one.is_right for one in statements):,} "
        f"of them right; {len(lost)} are no candidates, because no sentence names both",
        "eleven groups of papers; no paper and no pair of entities of the group that is tested trains",
    ]
    return dataset


def _document(name: str, sighting: Sighting, statement: JudgedStatement) -> Document:
    """A parsed sentence with the one statement that was judged."""
    document = replace(sighting.document, id=name)
    if sighting.pair is None or sighting.scene is None:
        return Document(name, document.text)
    is_complex = statement.type == "Complex"
    roles = ("entity", "entity2") if is_complex else ("catalyst", "affected")
    pair = sorted(sighting.pair, key=lambda one: one.spans) if is_complex else sighting.pair  # a complex has no order
    members = tuple(Participant(role, one.text, one.id) for role, one in zip(roles, pair, strict=True))
    sentence = document.sentences[sighting.scene.stage.first].id
    label = VALID if statement.is_right else INVALID
    return with_judged(document, [Interaction("I1", sentence, statement.type, members, label)])


def _by_statement(lexicon: TriggerLexicon | None) -> TriggerLexicon:
    """The words that name events, by the statements that these make."""
    types = shipped_types()
    of_event: dict[str, list[str]] = {}
    for one in types.values():
        for event in one.bionlp:
            of_event.setdefault(event, []).append(one.name)

    def named(entries: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        names = {event: of_event.get(event, ()) for own in entries.values() for event in own}
        return {word: {name: share for event, share in own.items() for name in names[event]} for word, own in entries.items()}

    known = lexicon or TriggerLexicon()
    return TriggerLexicon(named(known.words), named(known.stems))


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
