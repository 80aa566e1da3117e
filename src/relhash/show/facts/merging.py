"""The rows of ``relhash predict`` as statements, those about the same entities merged to facts with a belief.

Two mentions mean the same entity when their ids are the same; without ids, when their names are the same up to case, Greek
letters, hyphens and blanks, and they are of one type. A mention with an id is never the same as one without.

Belief is a noisy-or: each sentence is an independent chance that the relation holds, so *n* sentences of probability *p* make
1 − (1 − *p*)ⁿ. Sentences are not that independent: a document repeats itself, and one model makes the same mistake again and
again. So there are caps (compare the systematic error in the belief model of INDRA, Gyori et al. 2017):

=================  ==========  ========================================================================
of                 at most     because
=================  ==========  ========================================================================
one sentence       0.95        a tagger or parser may have misread it, however sure the classifier is
one document       0.97        its sentences are by one author about one experiment
all documents      0.99        the model may misread a turn of phrase wherever it occurs
=================  ==========  ========================================================================

A sentence that thinks the relation likely (*speculative*) counts half; one that only asks for it (*questioned*) not at all. A
sentence that denies it (*negated*) is evidence against: belief is what speaks for it times what does not speak against it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from relhash.candidates.symbols import entity_class
from relhash.errors import CorpusError
from relhash.model.tables import read_rows

MOST_OF_A_SENTENCE, MOST_OF_A_DOCUMENT, MOST = 0.95, 0.97, 0.99
WEIGHTS = {"asserted": 1.0, "speculative": 0.5, "questioned": 0.0}
"""What a sentence counts in favour of its relation."""


def noisy_or(chances: Iterable[float], *, at_most: float = 1.0) -> float:
    """The chance that at least one of independent causes works, capped.

    >>> noisy_or([0.5, 0.5]), noisy_or([0.9, 0.9, 0.9], at_most=0.95), noisy_or([])
    (0.75, 0.95, 0.0)
    """
    return min(at_most, 1.0 - math.prod(1.0 - chance for chance in chances))


def belief(documents: Iterable[Sequence[tuple[float, str]]]) -> float:
    """Belief from the sentences of each document: their probability, and what they say (``"asserted"``, ``"negated"``, …).

    >>> one = [(0.8, "asserted")]
    >>> round(belief([one]), 3), round(belief([one, one]), 3), round(belief([one, [(0.8, "negated")]]), 3)
    (0.8, 0.96, 0.16)
    """
    held, denied = [], []
    for sentences in documents:
        held.append(_of_document(p * WEIGHTS.get(kind, 0.0) for p, kind in sentences))
        denied.append(_of_document(p for p, kind in sentences if kind == "negated"))
    return noisy_or(held, at_most=MOST) * (1.0 - noisy_or(denied, at_most=MOST))


def _of_document(chances: Iterable[float]) -> float:
    return noisy_or((min(chance, MOST_OF_A_SENTENCE) for chance in chances), at_most=MOST_OF_A_DOCUMENT)


EntityKey = tuple[str, str]
"""Sorts, and is equal for the same entity: ``("id", ids)`` or ``("name of a TYPE", name)``."""


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity under the name that most sentences use, with its type, its ids, and all names in order of use."""

    key: EntityKey
    name: str
    type: str
    ids: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, name: str, kind: str, ids: Sequence[str]) -> Entity:
        """What a mention means. All its ids count: of two that share only some, it is not known whether they are the same.

        >>> Entity.of("RAF1", "protein", ["HGNC:9829"]).key == Entity.of("c-Raf", "gene", ["HGNC:9829"]).key
        True
        >>> Entity.of("NF-κB", "protein", []).key, Entity.of("NF-kappa B", "gene", []).key
        (('name of a protein', 'nfkappab'), ('name of a protein', 'nfkappab'))
        """
        key = ("id", ";".join(sorted(set(ids)))) if ids else (f"name of a {entity_class(kind)}", normalised(name))
        return cls(key, name, kind, tuple(ids), (name,))


@lru_cache(maxsize=65_536)
def normalised(name: str) -> str:
    """The letters and digits of a name, in lower case, Greek ones spelled out; the name itself if it has none.

    >>> normalised("TNF-α"), normalised("tnf alpha"), normalised("β2"), normalised("+/-")
    ('tnfalpha', 'tnfalpha', 'beta2', '+/-')
    """
    plain = "".join(map(_spelled, unicodedata.normalize("NFKC", name).casefold()))
    return re.sub(r"[\W_]+", "", plain) or plain.strip()


def _spelled(letter: str) -> str:
    if "\u03b1" <= letter <= "\u03c9":
        return unicodedata.name(letter).removeprefix("GREEK SMALL LETTER ").removeprefix("FINAL ").split()[0].lower()
    return letter


NEEDED = ("document", "entity1", "entity2", "relation", "probability")
REMEDY = "give a table that relhash predict wrote"


@dataclass(frozen=True, slots=True)
class FactRow:
    """One row; ``sentence``, without marks, tells a sentence from the others of its document."""

    document: str
    participants: tuple[Entity, Entity]
    relation: str
    probability: float
    assertion: str = "asserted"
    is_directed: bool = False
    marked: str = ""
    evidence: str = ""
    is_accepted: bool = True
    sentence: str = ""


def read_statements(paths: Iterable[Path], *, by_human_genes: bool = False) -> Iterator[FactRow]:
    """The statements of several tables, those that the model did not accept among them (:attr:`FactRow.is_accepted`).

    With ``by_human_genes`` a gene of mouse or rat is the human gene that corresponds to it, where the table says so.
    """
    for path in paths:
        for number, row in read_rows(path):
            if row.get("trigger") and not row.get("entity2"):
                continue  # an event about one entity relates nothing
            try:
                yield _statement(_with_human_genes(row) if by_human_genes else row)
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                raise CorpusError(_problem(row, error), path=path, where=number, remedy=REMEDY) from error


def _with_human_genes(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, **{f"ids{number}": row.get(f"human{number}") or row.get(f"ids{number}") for number in (1, 2)}}


def _problem(row: Mapping[str, Any], error: Exception) -> str:
    missing = [name for name in NEEDED if name not in row]
    return f"no column {missing[0]!r}" if missing else f"a row that cannot be understood ({error})"


def _statement(row: Mapping[str, Any]) -> FactRow:
    probability = float(row["probability"])
    if not 0 <= probability <= 1:
        raise ValueError(f"probability {probability:g}")
    return FactRow(
        document=_named(row, "document"),
        participants=(_participant(row, 1), _participant(row, 2)),
        relation=_named(row, "relation"),
        probability=probability,
        assertion=str(row.get("assertion") or "asserted"),
        is_directed=_truth(row.get("directed"), otherwise=False),
        marked=str(row.get("marked") or row.get("sentence") or ""),
        evidence=str(row.get("evidence") or ""),
        is_accepted=_truth(row.get("is_relation"), otherwise=True),
        sentence=str(row.get("sentence") or ""),
    )


def _named(row: Mapping[str, Any], column: str) -> str:
    """What stands in a column that must name something: a cell without a value is not the name "None"."""
    value = row[column]
    if value is None or value == "" or isinstance(value, list | dict):
        raise ValueError(f"{column} is {'empty' if value in (None, '') else 'no name'}")
    return str(value)


def _participant(row: Mapping[str, Any], number: int) -> Entity:
    name, kind = _named(row, f"entity{number}"), str(row.get(f"type{number}") or "")
    ids = tuple(one.strip() for one in str(row.get(f"ids{number}") or "").split(";") if one.strip())
    return Entity.of(name, kind, ids)


def _truth(value: Any, *, otherwise: bool) -> bool:
    if value is None or value == "":
        return otherwise
    if str(value).lower() not in ("0", "1", "true", "false", "0.0", "1.0"):
        raise ValueError(f"{value!r} is neither 1 nor 0")
    return str(value).lower() in ("1", "true", "1.0")


COPIED, FEWEST_RUNS = 0.8, 4
"""Share of runs of three words that a sentence and its copy have in common, and how many make a sentence worth comparing."""


@dataclass(frozen=True)
class Fact:
    """What all sentences together say of a relation between two entities.

    Of each sentence ``sources`` has the row that the model was surest of, the best first: those that state the relation before
    those that do not, then by probability.
    """

    first: Entity
    second: Entity
    relation: str
    is_directed: bool
    belief: float
    sources: tuple[FactRow, ...]

    @property
    def documents(self) -> int:
        return len({source.document for source in self.sources})

    def count(self, assertion: str) -> int:
        """How many sentences say it so."""
        return sum(source.assertion == assertion for source in self.sources)


def merge(statements: Iterable[FactRow]) -> list[Fact]:
    """The facts, those that deserve most belief first. Statements that the model did not accept are left out.

    Directed relations are distinguished by their direction, others are not.
    """
    participants: dict[EntityKey, list[Entity]] = {}
    groups: dict[tuple[EntityKey, EntityKey, str, bool], dict[tuple[str, str], FactRow]] = {}
    for statement in statements:
        if not statement.is_accepted:
            continue
        one, two = statement.participants
        swapped = not statement.is_directed and two.key < one.key
        for participant in (one, two):
            participants.setdefault(participant.key, []).append(participant)
        ends = (two.key, one.key) if swapped else (one.key, two.key)
        group = groups.setdefault((*ends, statement.relation, statement.is_directed), {})
        source = replace(statement, marked=_swapped(statement.marked)) if swapped else statement
        place = (statement.document, statement.sentence)  # one sentence is one piece of evidence, however often it says so
        group[place] = max(source, group.get(place, source), key=lambda one: one.probability)
    entities = {key: _entity(key, mentions) for key, mentions in participants.items()}
    facts = [
        Fact(entities[one], entities[two], relation, is_directed, _belief(sources), tuple(sorted(sources, key=_best_first)))
        for (one, two, relation, is_directed), found in groups.items()
        for sources in [list(found.values())]
    ]
    return sorted(facts, key=lambda fact: (-fact.belief, -len(fact.sources), fact.first.key, fact.second.key, fact.relation))


def _belief(sources: Sequence[FactRow]) -> float:
    by_document: dict[str, list[tuple[float, str]]] = {}
    for source in said_once(sources):
        by_document.setdefault(source.document, []).append((source.probability, source.assertion))
    return belief(by_document.values())


def said_once(sources: Iterable[FactRow]) -> list[FactRow]:
    """Of sentences that are nearly the same (a copied abstract, a template) only the surest: copies are no new evidence.

    >>> ends, text = (Entity.of("A", "", []), Entity.of("B", "", [])), "[E1]A[/E1] strongly binds {} times to [E2]B[/E2] here"
    >>> one, copy = (FactRow(document, ends, "binding", p, marked=text.format(n))
    ...              for document, n, p in (("d1", 3, 0.8), ("d2", 5, 0.9)))
    >>> [source.document for source in said_once([one, copy])]
    ['d2']
    """
    kept: list[tuple[frozenset[str], FactRow]] = []
    for source in sorted(sources, key=lambda one: -one.probability):
        words = re.findall(r"[^\W\d_]+", re.sub(r"\[/?E\d\]", " ", source.marked).lower())
        runs = frozenset(map(" ".join, zip(words, words[1:], words[2:], strict=False)))
        is_copy = any(
            len(runs) >= FEWEST_RUNS and source.assertion == other.assertion and len(runs & own) >= COPIED * len(runs | own)
            for own, other in kept
        )
        if not is_copy:
            kept.append((runs, source))
    return [source for _, source in kept]


_RANKS = {"asserted": 0, "speculative": 1, "questioned": 2, "negated": 3}


def _best_first(source: FactRow) -> tuple[int, float, str, str]:
    return _RANKS.get(source.assertion, 4), -source.probability, source.document, source.marked


def _entity(key: EntityKey, mentions: Sequence[Entity]) -> Entity:
    counts = Counter(mention.name for mention in mentions)
    names = sorted(counts, key=lambda name: (-counts[name], name))
    types = Counter(mention.type for mention in mentions)
    return Entity(key, names[0], min(types, key=lambda name: (-types[name], name)), mentions[0].ids, tuple(names))


def _swapped(marked: str) -> str:
    """The sentence with the numbers of its marks exchanged."""
    for one, two in (("[E1]", "[E2]"), ("[/E1]", "[/E2]")):
        marked = two.join(part.replace(two, one) for part in marked.split(one))
    return marked
