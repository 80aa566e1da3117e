"""What a corpus is made of: plain frozen records, no behaviour beyond looking things up.

All offsets are character offsets into ``Document.text``, half-open, whatever the file format used. A mention has a *list* of
spans, because discontinuous mentions exist. Everything refers to everything else by id, as in the files.

Below the records: what can be asked of a document as a whole (what it holds, which pairs have no label, which paper it is of),
and documents made of others (without answers, with one type of relation, without papers of another corpus).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from relhash.errors import CorpusError

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a sentence: where it stands in the document, and what a tagger said of it (empty without one)."""

    start: int
    end: int
    text: str
    pos: str = ""
    lemma: str = ""


@dataclass(frozen=True, slots=True)
class Dependency:
    """A labelled arc between two tokens of one sentence, by their index in it. A root has no arc.

    ``scheme`` names the inventory of labels (see :mod:`relhash.language.schemes`): ``"stanford-collapsed"``,
    ``"stanford-basic"``, ``"craft"``, ``"ud"``. Collapsed schemes are graphs, not trees.
    """

    head: int
    dependent: int
    label: str
    scheme: str = "stanford-collapsed"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: a stretch of the document, with its tokens and parse when the source has them.

    ``parser`` says where the parse comes from (the name in the file, or ours), because a model must not mix sources.
    """

    id: str
    start: int
    end: int
    tokens: tuple[Token, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    parser: str = ""

    @property
    def is_parsed(self) -> bool:
        """Whether it has been parsed (a parsed one-word sentence has no arcs but a parser)."""
        return bool(self.dependencies) or (bool(self.parser) and bool(self.tokens))


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity, or the trigger word of an interaction (``is_trigger``), where the text mentions it."""

    id: str
    type: str
    spans: tuple[Span, ...]
    text: str
    ids: tuple[str, ...] = ()
    """Database ids, passed through as they stand in the file (``"NCBIGene:7157"``)."""
    is_trigger: bool = False
    certainty: float = 1.0
    """Probability that this span, as cut, names such an entity: 1 where people annotated it, less where a tagger did."""
    is_answer: bool = False
    """Whether it belongs to what is to be found (a site, an anaphor of a ``.a2`` file), not to what is given with the text."""
    name: str = ""
    """The whole name where the text leaves a part of it out: ``MMP-9`` for the "9" of "MMP-2 and -9". See :attr:`called`."""

    @property
    def called(self) -> str:
        """What it is called, for a reader and for a list of names."""
        return self.name or self.text

    @property
    def start(self) -> int:
        return self.spans[0][0]

    @property
    def end(self) -> int:
        return self.spans[-1][1]

    @property
    def is_discontinuous(self) -> bool:
        return len(self.spans) > 1


@dataclass(frozen=True, slots=True)
class Argument:
    """One participant of a relation; ``target`` is the id of a mention or, in nested interactions, of another relation."""

    role: str
    target: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed relation between participants in roles: undirected pairs, directed pairs and n-ary interactions are one thing.

    Undirected pairs use the roles ``"e1"`` and ``"e2"``, the order carrying no meaning.
    """

    id: str
    type: str
    arguments: tuple[Argument, ...]
    trigger: str | None = None
    """Id of the trigger mention, for interactions."""

    @property
    def roles(self) -> Mapping[str, str]:
        """Role → id of its target. (Roles are unique in all our sources: Theme, Theme2, …)"""
        return {argument.role: argument.target for argument in self.arguments}

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(argument.target for argument in self.arguments)


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something said of a mention or relation: negation, speculation, a confidence."""

    id: str
    type: str
    target: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """A pair of mentions that the corpus lists as a candidate. It is positive if a relation joins the two."""

    id: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of the document with a name, such as title and abstract."""

    type: str
    start: int
    end: int


@dataclass(frozen=True)
class Document:
    """A text and what is known about it.

    ``candidates`` is ``None`` when the source lists no candidate pairs (then every pair of mentions in a sentence is one), and
    a possibly empty tuple when it does.
    """

    id: str
    text: str
    sentences: tuple[Sentence, ...] = ()
    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    candidates: tuple[CandidatePair, ...] | None = None
    attributes: tuple[Attribute, ...] = ()
    equivalences: tuple[tuple[str, ...], ...] = ()
    """Groups of mention ids that name the same thing, so that either may stand in a relation."""
    passages: tuple[Passage, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    concept_relations: tuple[Relation, ...] = ()
    """Relations that the source states between database ids: the targets of their arguments are ids (``D001241``). What of them
    stands in one sentence is among ``relations`` too, between mentions (:mod:`relhash.corpus.concepts`)."""

    @cached_property
    def entities(self) -> tuple[Mention, ...]:
        """The mentions that are given with the text. Triggers, and what else only an answer names, are not among them:
        candidates and features are made of these alone, so that gold annotation beside a text changes neither."""
        return tuple(mention for mention in self.mentions if not mention.is_trigger and not mention.is_answer)

    @cached_property
    def mention_by_id(self) -> Mapping[str, Mention]:
        return {mention.id: mention for mention in self.mentions}

    @cached_property
    def relation_by_id(self) -> Mapping[str, Relation]:
        return {relation.id: relation for relation in self.relations}

    def check(self, path: str | None = None) -> Document:
        """Return the document if ids are unique, references resolve and offsets match the text; raise otherwise."""
        from relhash.corpus.remarks import check_document

        check_document(self, path=path)
        return self


@dataclass(frozen=True)
class Corpus:
    """Documents with a name. ``skipped`` holds what a lenient reader had to leave out."""

    name: str
    documents: tuple[Document, ...]
    skipped: tuple[CorpusError, ...] = ()

    @classmethod
    def of(cls, documents: Iterable[Document], name: str = "") -> Corpus:
        return cls(name, tuple(documents))

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)


def spanned_text(text: str, spans: Iterable[Span]) -> str:
    """What a mention covers, its fragments joined by a blank."""
    return " ".join(text[start:end] for start, end in spans)


def free_id(wanted: str, taken: set[str]) -> str:
    """An id like ``wanted`` that nothing in ``taken`` has; it is taken from then on."""
    while wanted in taken:
        wanted += "p"
    taken.add(wanted)
    return wanted


def contents(document: Document) -> frozenset[str]:
    """The parts beyond its text that ``document`` has."""
    related = {target for relation in document.relations for target in relation.targets}
    related |= {end for pair in document.candidates or () for end in (pair.first, pair.second)}
    present = {
        "sentences": bool(document.sentences),
        "parses": any(sentence.tokens for sentence in document.sentences),
        "unrelated mentions": any(mention.id not in related for mention in document.mentions),
        "candidate pairs": document.candidates is not None,
        "attributes": bool(document.attributes),
        "equivalences": bool(document.equivalences),
        "passages": bool(document.passages),
        "metadata": bool(document.metadata),
        "relations between ids": bool(document.concept_relations),
    }
    return frozenset(name for name, there in present.items() if there)


UNLABELLED = "unlabelled_pairs"
"""Key of ``Document.metadata``: ids of the candidate pairs without a label, separated by blanks."""


def unlabelled_pairs(document: Document) -> frozenset[frozenset[str]]:
    """The pairs without a label, each as the set of its mentions' ids."""
    names = set(document.metadata.get(UNLABELLED, "").split())
    return frozenset(frozenset((pair.first, pair.second)) for pair in document.candidates or () if pair.id in names)


def document_of_parts(identifier: str, parts: Iterable[tuple[str, str]], metadata: Mapping[str, str] | None = None) -> Document:
    """The parts (kind and text) as one document; empty ones are left out."""
    lines: list[str] = []
    passages: list[Passage] = []
    start = 0
    for kind, text in parts:
        if text:
            lines.append(text)
            passages.append(Passage(kind, start, start + len(text)))
            start += len(text) + 1
    return Document(identifier, "\n".join(lines), passages=tuple(passages), metadata=dict(metadata or {}))


def with_one_type(documents: Iterable[Document], name: str) -> Iterator[Document]:
    """The documents with every relation of the type ``name``; relations that then say the same are one."""
    for document in documents:
        kept: dict[object, Relation] = {}
        used = {target for relation in document.relations for target in relation.targets}
        used |= {attribute.target for attribute in document.attributes}
        for relation in document.relations:
            # what others refer to by its id must stay
            key = relation.id if relation.id in used or relation.trigger else relation.arguments
            kept.setdefault(key, replace(relation, type=name))
        of_concepts = tuple(replace(relation, type=name) for relation in document.concept_relations)
        yield replace(document, relations=tuple(kept.values()), concept_relations=of_concepts)


NO_ANSWERS = "no_answers"
"""Key of ``Document.metadata``: the document has no file of answers, so that nothing is known of its relations."""


def without_answers(document: Document) -> Document:
    """The document without all that an answer says: relations, triggers, sites, equivalences, and attributes of them.

    Text, sentences, entities, attributes of entities, and listed candidate pairs stay: they are what a text without gold
    annotation would have.
    """
    given = {mention.id for mention in document.entities}
    return replace(
        document,
        mentions=document.entities,
        relations=(),
        concept_relations=(),
        attributes=tuple(attribute for attribute in document.attributes if attribute.target in given),
        equivalences=(),
        metadata={key: value for key, value in document.metadata.items() if key != NO_ANSWERS},
    )


_PUBMED = re.compile(r"(?:pmid[:\s_-]*)?(\d{4,8})(?:\D.*)?\Z", re.IGNORECASE)
_CENTRAL = re.compile(r"\A(?:pmcid[:\s_-]*)?PMC[\s_-]*(\d{3,9})", re.IGNORECASE)
_KEYS = ("pmid", "pmcid", "origid", "article-id_pmid", "article-id_pmc")
"""Names of metadata that hold ids, in small letters."""


def paper_ids(document: Document) -> frozenset[str]:
    """The ids of the document's paper, as ``PMID…`` and ``PMC…``; none if it does not say.

    >>> sorted(paper_ids(Document("AIMed.d3", "", metadata={"origId": "11781834"})))
    ['PMID11781834']
    >>> [sorted(paper_ids(Document(name, ""))) for name in ("10022882", "PMC-1310901-00-TIAB", "sentence-7", "text")]
    [['PMID10022882'], ['PMC1310901'], [], []]
    """
    given = [document.id.rpartition("/")[2], *(value for key, value in document.metadata.items() if key.lower() in _KEYS)]
    found = set()
    for text in given:
        if central := _CENTRAL.match(text.strip()):
            found.add(f"PMC{int(central[1])}")
        elif pubmed := _PUBMED.match(text.strip()):
            found.add(f"PMID{int(pubmed[1])}")
    return frozenset(found)


def without_papers_of(documents: Iterable[Document], *others: Iterable[Document]) -> Iterator[Document]:
    """The documents of papers that none of the other corpora has."""
    seen = {paper for other in others for document in other for paper in paper_ids(document)}
    return (document for document in documents if seen.isdisjoint(paper_ids(document)))
