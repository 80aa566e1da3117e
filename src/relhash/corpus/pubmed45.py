"""PubMed45: interactions read off the sentences of 45 papers, each judged by experts (Garg et al. 2016).

The file is a JSON list. An entry has ``path`` (names paper and sentence, ``…a_pmid_1003_7796.11…``), ``sentence``,
``interaction_tuple`` (``[type, catalyst, affected]``, or ``[type, catalyst, entity, entity]`` when a complex forms) and
``label``: 0 invalid, 1 valid, 2 valid once the catalyst and another participant swap roles.

A paper becomes a document, because evaluation splits by paper. *Valid* interactions become relations; all judged ones,
with their labels, come from :func:`interactions`, since our records keep no negative relations. The pairs of participants are
the document's candidate pairs, so that the binary tools see the same examples.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from relhash.corpus.document import Argument, CandidatePair, Document, Mention, Relation, Sentence
from relhash.corpus.remarks import OnError, errors_at, json_of, without_broken
from relhash.corpus.source import read_text
from relhash.errors import CorpusError

INVALID, VALID, SWAPPED = 0, 1, 2
_METADATA_KEY = "interactions"
_ENTITY_TYPE = "entity"
_PLACE = re.compile(r"(?<![\w-])([\w-]+)\.(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Participant:
    """Who takes part and how; ``mention`` is the id of its mention, or ``None`` where the sentence does not spell the name."""

    role: str
    name: str
    mention: str | None = None


@dataclass(frozen=True, slots=True)
class Interaction:
    """A judged interaction: an example of the classification that the paper evaluates. ``label`` is 0, 1 or 2 as above."""

    id: str
    sentence: str
    type: str
    participants: tuple[Participant, ...]
    label: int


def read_pubmed45(path: Path, *, on_error: OnError = None) -> Iterator[Document]:
    """One document per paper, in the order in which the file first names them; in lenient mode a broken entry is left out."""
    papers: dict[str, _Paper] = {}

    def add(numbered: tuple[int, Any]) -> None:
        number, entry = numbered
        with errors_at(path, f"entry {number}"):
            _check_entry(entry)
            place = _PLACE.search(entry["path"])
            if place is None:
                raise CorpusError("'path' names no paper and sentence", remedy="expected something like a_pmid_1003_7796.11")
            papers.setdefault(place[1], _Paper(place[1])).add(place[0], entry)

    for _ in without_broken(enumerate(_load(path), 1), add, on_error):
        pass
    for paper in papers.values():
        yield paper.document().check(str(path))


def interactions(document: Document) -> tuple[Interaction, ...]:
    """All judged interactions of a document that :func:`read_pubmed45` made (also after a detour through JSON Lines)."""
    return tuple(
        Interaction(**{**record, "participants": tuple(Participant(*one) for one in record["participants"])})
        for record in json.loads(document.metadata.get(_METADATA_KEY, "[]"))
    )


def with_judged(document: Document, judged: Sequence[Interaction]) -> Document:
    """The document with judged interactions, as :func:`interactions` reads them."""
    records = [asdict(one) | {"participants": [[p.role, p.name, p.mention] for p in one.participants]} for one in judged]
    return replace(document, metadata={**document.metadata, _METADATA_KEY: json.dumps(records, ensure_ascii=False)})


def _load(path: Path) -> list[Any]:
    remedy = "expected a JSON list of objects with path, sentence, interaction_tuple and label"
    entries = json_of(read_text(path), path, remedy=remedy)
    if not isinstance(entries, list) or not entries:
        raise CorpusError("not a list of interactions", path, remedy=remedy)
    return entries


def _check_entry(entry: Any) -> None:
    if not isinstance(entry, dict):
        raise CorpusError("an entry must be a JSON object")
    for key in ("path", "sentence"):
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise CorpusError(f"{key!r} must be text")
    members = entry.get("interaction_tuple")
    if not isinstance(members, list) or len(members) not in (3, 4) or not members[0]:
        raise CorpusError("'interaction_tuple' must be [type, catalyst, affected] or [type, catalyst, entity, entity]")
    if not all(member is None or isinstance(member, str) for member in members):
        raise CorpusError("the members of 'interaction_tuple' must be text or null")
    if type(entry.get("label")) is not int or entry["label"] not in (INVALID, VALID, SWAPPED):
        raise CorpusError(f"'label' must be 0, 1 or 2, not {entry.get('label')!r}")


@dataclass(slots=True)
class _Paper:
    """A document that grows entry by entry."""

    id: str
    sentences: dict[tuple[str, str], Sentence] = field(default_factory=dict)
    mentions: dict[tuple[int, int], Mention] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    pairs: dict[tuple[str, str], CandidatePair] = field(default_factory=dict)
    judged: list[Interaction] = field(default_factory=list)
    length: int = 0

    def add(self, place: str, entry: dict[str, Any]) -> None:
        text = entry["sentence"]
        sentence = self._sentence(place, text)
        kind, *names = entry["interaction_tuple"]
        roles = ("catalyst", "affected") if len(names) == 2 else ("catalyst", "entity", "entity2")
        participants: list[Participant] = []
        taken: set[tuple[int, int]] = set()
        for role, name in zip(roles, names):
            if not name or not name.strip():
                continue
            span = _find(name.strip(), text, taken)
            mention = None
            if span is not None:
                taken.add(span)
                start, end = span[0] + sentence.start, span[1] + sentence.start
                made = Mention(f"T{len(self.mentions) + 1}", _ENTITY_TYPE, ((start, end),), text[span[0] : span[1]])
                mention = self.mentions.setdefault((start, end), made).id
            participants.append(Participant(role, name.strip(), mention))
        identifier = f"I{len(self.judged) + 1}"
        placed = [Argument(p.role, p.mention) for p in participants if p.mention is not None]
        for one, other in itertools.combinations((argument.target for argument in placed), 2):
            first, second = sorted((one, other), key=lambda name: int(name[1:]))
            self.pairs.setdefault((first, second), CandidatePair(f"P{len(self.pairs) + 1}", first, second))
        if entry["label"] == VALID and placed:
            self.relations.append(Relation(identifier, kind, tuple(placed)))
        self.judged.append(Interaction(identifier, sentence.id, kind, tuple(participants), entry["label"]))

    def _sentence(self, place: str, text: str) -> Sentence:
        known = self.sentences.get((place, text))
        if known is not None:
            return known
        start = self.length + bool(self.sentences)
        repeats = sum(name == place for name, _ in self.sentences)
        sentence = Sentence(f"{place}#{repeats + 1}" if repeats else place, start, start + len(text))
        self.length = sentence.end
        return self.sentences.setdefault((place, text), sentence)

    def document(self) -> Document:
        document = Document(
            self.id, "\n".join(text for _, text in self.sentences), tuple(self.sentences.values()),
            tuple(self.mentions.values()), tuple(self.relations), tuple(self.pairs.values()),
        )  # fmt: skip
        return with_judged(document, self.judged)


def _find(name: str, text: str, taken: set[tuple[int, int]]) -> tuple[int, int] | None:
    """The first place where the sentence spells the name that no other participant has: as a word, else in other case or
    with other blanks and hyphens."""
    loose = r"[\s-]*".join(re.escape(part) for part in re.split(r"[\s-]+", name) if part) or re.escape(name)
    for pattern, flags in ((re.escape(name), 0), (loose, re.IGNORECASE)):
        for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, flags):
            if match.span() not in taken:
                return match.span()
    return None
