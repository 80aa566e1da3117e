"""What a corpus holds, counted in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from relhash.candidates.candidate import Candidate
from relhash.candidates.graph import Connection
from relhash.candidates.pairs import PairPolicy, candidates
from relhash.candidates.scene import scenes
from relhash.candidates.shared_sentences import plain_text
from relhash.corpus.document import Document, unlabelled_pairs
from relhash.corpus.remarks import counts_left_out

PERCENTILES = (5, 25, 50, 75, 95, 100)


@dataclass
class Inspection:
    """Counts of a corpus; the names are the keys of ``relhash inspect --json``.

    ``coverage`` says how the participants of candidates are joined in the parses (``None`` when no candidate's sentence is
    parsed); ``candidates_without_parse`` says how many candidates it leaves out; ``path_length`` gives percentiles of the
    number of dependencies on a path.
    """

    documents: int = 0
    sentences: int = 0
    sentences_from: str = "source"
    """Who split the text into sentences: the ``source``, ``rules`` of ours, or ``both``."""
    sentences_with_parses: int = 0
    duplicate_sentences: int = 0
    """Sentences whose letters and digits stood before in the same corpus."""
    mentions: int = 0
    mentions_by_type: dict[str, int] = field(default_factory=dict)
    discontinuous_mentions: int = 0
    mentions_with_ids: int = 0
    triggers: int = 0
    relations: int = 0
    relations_between_ids: int = 0
    """Stated of database ids, whatever sentences name them (:mod:`relhash.corpus.concepts`)."""
    relations_by_type: dict[str, int] = field(default_factory=dict)
    events: int = 0
    """Relations with a trigger word."""
    listed_pairs: int = 0
    """Candidate pairs that the source itself lists; where it lists none, all pairs in a sentence are candidates."""
    positive: int = 0
    negative: int = 0
    unlabelled: int = 0
    """Listed pairs without a label."""
    coverage: dict[str, int] | None = None
    candidates_without_parse: int = 0
    path_length: dict[str, int] | None = None
    parsers: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    """What the reader could not use, and why (see :mod:`relhash.corpus.remarks`)."""
    schemes: dict[str, int] = field(default_factory=dict)
    """Dependency schemes, by the number of sentences parsed in them."""

    def as_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def inspect_corpus(
    documents: Iterable[Document],
    policy: PairPolicy | None = None,
    *,
    on_document: Callable[[Document], object] | None = None,
) -> Inspection:
    """Count what is in ``documents``, which may be a generator.

    Text that its source has not split is split by rules, unless the source lists its pairs (then it counts as one sentence).
    ``on_document`` is called with each document as it is counted, for what else is to be done with a corpus in one reading.

    >>> from relhash.corpus import Document, Mention, Sentence
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> found = inspect_corpus([Document("d", "Ras binds Raf", (Sentence("s", 0, 13),), names)])
    >>> found.mentions, found.negative, found.coverage
    (2, 1, None)
    """
    counter = _Counter(on_document)
    # one pass: documents are counted as their candidates are drawn
    for candidate, connection, length in _connections(candidates(map(counter.count_document, documents), policy)):
        counter.count_candidate(candidate, connection, length)
    return counter.result()


def _connections(drawn: Iterable[Candidate]) -> Iterator[tuple[Candidate, Connection | None, int]]:
    """Each candidate with how its participants are joined (``None``: no parse) and the number of steps between them."""
    for scene in scenes(drawn):
        if not scene.stage.is_parsed:
            yield scene.candidate, None, 0
            continue
        found = {path.connection for path in scene.paths}
        worst = next(c for c in (Connection.DISCONNECTED, Connection.SHARED_TOKEN, Connection.PATH) if c in found)
        yield scene.candidate, worst, sum(len(path.edges) for path in scene.paths)


class _Counter:
    def __init__(self, on_document: Callable[[Document], object] | None) -> None:
        self.on_document = on_document
        self.found = Inspection()
        self.split_by: set[str] = set()
        self.mention_types: Counter[str] = Counter()
        self.relation_types: Counter[str] = Counter()
        self.parsers: Counter[str] = Counter()
        self.schemes: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self.connections: Counter[Connection] = Counter()
        self.lengths: list[int] = []
        self.last: Document | None = None
        self.unlabelled: frozenset[frozenset[str]] = frozenset()
        self.texts: set[int] = set()  # hashes: a large corpus has more text than memory

    def count_document(self, document: Document) -> Document:
        """Count the document; it comes back with sentences."""
        found = self.found
        if not document.sentences and document.candidates is None and document.text:
            from relhash.language.sentences import split_sentences  # loads spaCy, which most corpora do not need

            document = split_sentences(document)
            self.split_by.add("rules")
        elif document.sentences:
            self.split_by.add("source")
        found.documents += 1
        found.sentences += len(document.sentences)
        for sentence in document.sentences:
            key = hash(plain_text(document.text[sentence.start : sentence.end]))
            found.duplicate_sentences += key in self.texts
            self.texts.add(key)
            found.sentences_with_parses += sentence.is_parsed
            if sentence.is_parsed:
                self.parsers[sentence.parser] += 1
                self.schemes.update({arc.scheme for arc in sentence.dependencies})
        entities = document.entities
        found.mentions += len(entities)
        found.triggers += len(document.mentions) - len(entities)
        found.discontinuous_mentions += sum(mention.is_discontinuous for mention in entities)
        found.mentions_with_ids += sum(bool(mention.ids) for mention in entities)
        self.mention_types.update(mention.type for mention in entities)
        found.relations += len(document.relations)
        found.events += sum(relation.trigger is not None for relation in document.relations)
        self.relation_types.update(relation.type for relation in document.relations)
        found.listed_pairs += len(document.candidates or ())
        found.relations_between_ids += len(document.concept_relations)
        self.left_out.update(counts_left_out(document))
        if self.on_document is not None:
            self.on_document(document)
        return document

    def count_candidate(self, candidate: Candidate, connection: Connection | None, length: int) -> None:
        if candidate.document is not self.last:
            self.last, self.unlabelled = candidate.document, unlabelled_pairs(candidate.document)
        if self.unlabelled and frozenset(mention.id for mention in candidate.mentions) in self.unlabelled:
            self.found.unlabelled += 1
        elif candidate.is_positive:
            self.found.positive += 1
        else:
            self.found.negative += 1
        if connection is None:
            self.found.candidates_without_parse += 1
        else:
            self.connections[connection] += 1
            if connection is Connection.PATH:
                self.lengths.append(length)

    def result(self) -> Inspection:
        found = self.found
        found.sentences_from = "both" if len(self.split_by) > 1 else next(iter(self.split_by), "source")
        found.mentions_by_type = _by_frequency(self.mention_types)
        found.relations_by_type = _by_frequency(self.relation_types)
        found.parsers, found.schemes = _by_frequency(self.parsers), _by_frequency(self.schemes)
        found.left_out = _by_frequency(self.left_out)
        if self.connections:
            found.coverage = {connection.value: self.connections[connection] for connection in Connection}
        if self.lengths:
            values = np.percentile(self.lengths, PERCENTILES, method="inverted_cdf")
            found.path_length = {f"p{percent}": int(value) for percent, value in zip(PERCENTILES, values, strict=True)}
        return found


def _by_frequency(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
