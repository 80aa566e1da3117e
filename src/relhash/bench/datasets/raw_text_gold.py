"""Gold for the way from raw text to relations: plain texts, and apart from them the entities and relations annotated there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from relhash.bench.datasets.bionlp import distinct_documents, event_documents
from relhash.bench.datasets.dataset import read_benchmark_corpus
from relhash.candidates.statements.pairs_of_events import negated_relations, pairs_of_events
from relhash.corpus.document import Argument, Document, Mention, Relation, Span
from relhash.language.sentences import split_sentences

Pair = tuple[int, int]
"""Numbers of two entities, the smaller first."""


@dataclass(frozen=True, slots=True)
class GoldText:
    """A text as a user has it, and what annotators found in it.

    Attributes
    ----------
    document
        The text without any annotation: this is what a model gets.
    entities
        The spans of each annotated entity.
    related
        Pairs of entities that the text says are related.
    negated
        Pairs of which it says that they are not; empty where a corpus does not mark them.
    within_sentence
        Those of ``related`` that stand in one sentence, so that they can be found.
    """

    document: Document
    entities: tuple[tuple[Span, ...], ...]
    related: frozenset[Pair]
    negated: frozenset[Pair] = frozenset()
    within_sentence: frozenset[Pair] = frozenset()


def gold_texts(root: Path, name: str) -> list[GoldText]:
    """The texts of one of :data:`CORPORA` below the data folder."""
    return list(gold_of_documents(CORPORA[name](root)))


def gold_of_documents(documents: Iterable[Document]) -> Iterator[GoldText]:
    """Annotated documents with binary relations, text and annotation taken apart.

    A document that comes as separate sentences becomes running text: a full stop where the last sign is missing, and a blank.
    One without sentences is split by rules, only to tell which related pairs stand in one.
    """
    for given in documents:
        document = _running_text(given) if given.sentences else split_sentences(given)
        entities = document.entities
        number = {mention.id: n for n, mention in enumerate(entities)}
        starts = [sentence.start for sentence in document.sentences]
        place = [bisect_right(starts, mention.start) for mention in entities]
        denied = negated_relations(document)
        pairs: dict[bool, set[Pair]] = {True: set(), False: set()}
        for relation in document.relations:
            first, second = sorted(number[target] for target in relation.targets)
            pairs[relation.id in denied].add((first, second))
        yield GoldText(
            Document(document.id, document.text),
            tuple(mention.spans for mention in entities),
            frozenset(pairs[False]),
            frozenset(pairs[True] - pairs[False]),
            frozenset((first, second) for first, second in pairs[False] if place[first] == place[second]),
        )


def _running_text(document: Document) -> Document:
    text = ""
    shifts: list[tuple[int, int]] = []
    sentences = []
    for sentence in sorted(document.sentences, key=lambda sentence: sentence.start):
        own = document.text[sentence.start : sentence.end]
        shifts.append((sentence.start, len(text) - sentence.start))
        sentences.append(replace(sentence, start=len(text), end=len(text) + len(own), tokens=(), dependencies=()))
        text += own + (" " if own.rstrip().endswith((".", "!", "?")) else ". ")
    starts = [start for start, _ in shifts]

    def moved(mention: Mention) -> Mention:
        shift = shifts[bisect_right(starts, mention.start) - 1][1]
        return replace(mention, spans=tuple((start + shift, end + shift) for start, end in mention.spans))

    mentions = tuple(map(moved, document.mentions))
    return replace(document, text=text.rstrip(), sentences=tuple(sentences), mentions=mentions)


def _ppi(name: str) -> Callable[[Path], Iterable[Document]]:
    return lambda root: read_benchmark_corpus(root, f"ppi/{name}.xml")


def _events(year: str, part: str) -> Callable[[Path], Iterable[Document]]:
    def read_pairs(root: Path) -> Iterable[Document]:
        return pairs_of_events(distinct_documents(event_documents(root, year, part)), negated="mark")

    return read_pairs


def _bacteria(root: Path) -> Iterable[Document]:
    return pairs_of_events(read_benchmark_corpus(root, "bionlp-more/2011-id/devel"), negated="mark")


def _drugprot(root: Path) -> Iterable[Document]:
    documents = list(read_benchmark_corpus(root, "drugprot/train"))
    return sorted(documents, key=lambda document: document.id)[::DRUGPROT_STEP]


def _cdr(root: Path) -> Iterator[Document]:
    """BC5CDR relates ids of a document: here any two mentions of them are related."""
    for document in read_benchmark_corpus(root, "bc5cdr/devel.PubTator"):
        ids = {mention.id: mention.ids for mention in document.mentions}
        related = {tuple(ids[target] for target in relation.targets) for relation in document.relations}
        relations = [
            Relation(f"R{one.id}-{two.id}", "CID", (Argument("e1", one.id), Argument("e2", two.id)))
            for one, two in product(document.mentions, repeat=2)
            if (one.ids, two.ids) in related
        ]
        yield replace(document, relations=tuple(relations))


DRUGPROT_STEP = 4
"""Of the abstracts of DrugProt every fourth is read."""
CORPORA: dict[str, Callable[[Path], Iterable[Document]]] = {
    "HPRD50": _ppi("HPRD50"),
    "AIMed": _ppi("AIMed"),
    "BioNLP 2013 devel": _events("2013", "devel"),
    "BioNLP 2011 ID devel": _bacteria,
    "BioNLP 2013 train": _events("2013", "train"),
    "BioNLP 2009 train": _events("2009", "train"),
    "BioNLP 2009 devel": _events("2009", "devel"),
    "DrugProt": _drugprot,
    "BC5CDR devel": _cdr,
}
"""What can be measured on; choose on train folders, 2009 devel and AIMed, report on the others."""
TYPES = {"DrugProt": ("chemical", "protein"), "BC5CDR devel": ("chemical", "disease")}
"""Types that are related, of corpora other than those of proteins."""
