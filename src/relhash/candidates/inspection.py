"""What a corpus holds, counted in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
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
    mentions_by_type: Counter[str] = field(default_factory=Counter)
    discontinuous_mentions: int = 0
    mentions_with_ids: int = 0
    triggers: int = 0
    relations: int = 0
    relations_between_ids: int = 0
    """Stated of database ids, whatever sentences name them (:mod:`relhash.corpus.concepts`)."""
    relations_by_type: Counter[str] = field(default_factory=Counter)
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
    parsers: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    """What the reader could not use, and why (see :mod:`relhash.corpus.remarks`)."""
    schemes: Counter[str] = field(default_factory=Counter)
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
    found = Inspection()
    texts: set[int] = set()  # hashes: a large corpus has more text than memory
    split_by: set[str] = set()
    drawn = candidates(map(partial(_count_document, found, texts, split_by, on_document), documents), policy)
    connections: Counter[Connection] = Counter()
    lengths: list[int] = []
    # one pass: documents are counted as their candidates are drawn
    last, unlabelled = None, frozenset[frozenset[str]]()
    for candidate, connection, length in _connections(drawn):
        if candidate.document is not last:
            last, unlabelled = candidate.document, unlabelled_pairs(candidate.document)
        if unlabelled and frozenset(mention.id for mention in candidate.mentions) in unlabelled:
            found.unlabelled += 1
        elif candidate.is_positive:
            found.positive += 1
        else:
            found.negative += 1
        if connection is None:
            found.candidates_without_parse += 1
        else:
            connections[connection] += 1
            lengths += [length] * (connection is Connection.PATH)
    found.sentences_from = "both" if len(split_by) > 1 else next(iter(split_by), "source")
    for name, counted in vars(found).items():
        if isinstance(counted, Counter):
            setattr(found, name, dict(sorted(counted.items(), key=lambda item: (-item[1], item[0]))))
    if connections:
        found.coverage = {connection.value: connections[connection] for connection in Connection}
    if lengths:
        values = np.percentile(lengths, PERCENTILES, method="inverted_cdf")
        found.path_length = {f"p{percent}": int(value) for percent, value in zip(PERCENTILES, values, strict=True)}
    return found


def _connections(drawn: Iterable[Candidate]) -> Iterator[tuple[Candidate, Connection | None, int]]:
    """Each candidate with how its participants are joined (``None``: no parse) and the number of steps between them."""
    for scene in scenes(drawn):
        if not scene.stage.is_parsed:
            yield scene.candidate, None, 0
            continue
        found = {path.connection for path in scene.paths}
        worst = next(c for c in (Connection.DISCONNECTED, Connection.SHARED_TOKEN, Connection.PATH) if c in found)
        yield scene.candidate, worst, sum(len(path.edges) for path in scene.paths)


def _count_document(
    found: Inspection,
    texts: set[int],
    split_by: set[str],
    on_document: Callable[[Document], object] | None,
    document: Document,
) -> Document:
    """Count the document; it comes back with sentences."""
    if document.sentences:
        split_by.add("source")
    elif document.candidates is None and document.text:
        from relhash.language.sentences import split_sentences  # loads spaCy, which most corpora do not need

        document = split_sentences(document)
        split_by.add("rules")
    found.documents += 1
    found.sentences += len(document.sentences)
    for sentence in document.sentences:
        key = hash(plain_text(document.text[sentence.start : sentence.end]))
        found.duplicate_sentences += key in texts
        texts.add(key)
        found.sentences_with_parses += sentence.is_parsed
        if sentence.is_parsed:
            found.parsers[sentence.parser] += 1
            found.schemes.update({arc.scheme for arc in sentence.dependencies})
    entities = document.entities
    found.mentions += len(entities)
    found.triggers += len(document.mentions) - len(entities)
    found.discontinuous_mentions += sum(mention.is_discontinuous for mention in entities)
    found.mentions_with_ids += sum(bool(mention.ids) for mention in entities)
    found.mentions_by_type.update(mention.type for mention in entities)
    found.relations += len(document.relations)
    found.events += sum(relation.trigger is not None for relation in document.relations)
    found.relations_by_type.update(relation.type for relation in document.relations)
    found.listed_pairs += len(document.candidates or ())
    found.relations_between_ids += len(document.concept_relations)
    found.left_out.update(counts_left_out(document))
    if on_document is not None:
        on_document(document)
    return document
