"""What a prior about protein interactions is learned from: public annotation that may be used for models that ship.

Each source is a corpus of protein pairs with relations of one type, read from below the data root. Definitions differ: BioInfer
annotates every kind of relation between proteins, BioNLP events, NERO statements (mostly binding).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from relhash.corpus import Document, Relation
from relhash.corpus.one_type import with_one_type
from relhash.corpus.papers import without_papers_of
from relhash.evaluation.datasets.bionlp import training_documents
from relhash.evaluation.datasets.dataset import read_benchmark_corpus
from relhash.structures.interactions.pairs_of_events import pairs_of_events
from relhash.structures.symbols import entity_class

__all__ = ["PRIOR_SOURCES", "PriorSource", "protein_pairs", "read_prior_source"]

INTERACTION = "interaction"


@dataclass(frozen=True)
class PriorSource:
    """A source: how it is read, its licence, and how to cite it."""

    read: Callable[[Path], Iterable[Document]]
    licence: str
    cite: str


def read_prior_source(name: str, root: Path, *, without_papers: Iterable[Iterable[Document]] = ()) -> list[Document]:
    """The documents of a source, without papers of the corpora given (those that will be tested)."""
    return list(without_papers_of(PRIOR_SOURCES[name].read(root), *without_papers))


def protein_pairs(documents: Iterable[Document], types: frozenset[str] = frozenset({"protein"})) -> Iterator[Document]:
    """Of documents that list their candidates: only sentences with a listed pair of these types, and only such pairs.

    A table such as NERO has thousands of sentences that say nothing of proteins; nobody should have to parse them.
    """
    for document in documents:
        of_type = {mention.id for mention in document.mentions if entity_class(mention.type) in types}
        pairs = [pair for pair in document.candidates or () if {pair.first, pair.second} <= of_type]
        by_id = document.mention_by_id
        wanted = {pair.first for pair in pairs} | {pair.second for pair in pairs}
        starts = [by_id[name].start for name in wanted]
        kept = [s for s in document.sentences if any(s.start <= start < s.end for start in starts)]
        if not kept:
            continue
        yield _cut(document, pairs, [(sentence.start, sentence.end) for sentence in kept])


def _cut(document: Document, pairs: list, spans: list[tuple[int, int]]) -> Document:  # type: ignore[type-arg]
    """The document with these stretches of its text, one after the other."""
    pieces, sentences, mentions, position = [], [], [], 0
    for number, (start, end) in enumerate(spans):
        shift = position - start
        pieces.append(document.text[start:end])
        sentences.append(replace(_at(document, start), start=position, end=position + end - start))
        mentions += [
            replace(mention, spans=tuple((a + shift, b + shift) for a, b in mention.spans))
            for mention in document.mentions
            if start <= mention.start < end
        ]
        position += end - start + 1
        del number
    listed = {frozenset((pair.first, pair.second)) for pair in pairs}
    relations: list[Relation] = [one for one in document.relations if frozenset(one.targets) in listed]
    return replace(
        document,
        text="\n".join(pieces),
        sentences=tuple(sentences),
        mentions=tuple(mentions),
        relations=tuple(relations),
        candidates=tuple(pairs),
    )


def _at(document: Document, start: int):  # type: ignore[no-untyped-def]
    return next(sentence for sentence in document.sentences if sentence.start == start)


def _nero(root: Path) -> Iterable[Document]:
    return with_one_type(protein_pairs(read_benchmark_corpus(root, "nero/annotation_results.txt.gz")), INTERACTION)


def _bionlp(root: Path) -> Iterable[Document]:
    return pairs_of_events(training_documents(root, ("2013", "2009")), relation=INTERACTION)


def _bioinfer(root: Path) -> Iterable[Document]:
    return with_one_type(read_benchmark_corpus(root, "ppi/BioInfer.xml"), INTERACTION)


PRIOR_SOURCES: Mapping[str, PriorSource] = {
    "bioinfer": PriorSource(_bioinfer, "CC BY 2.0", "Pyysalo et al. 2007, BMC Bioinformatics 8:50"),
    "bionlp": PriorSource(_bionlp, "CC BY 3.0", "BioNLP shared tasks 2009 and 2013, GENIA events, training parts"),
    "nero": PriorSource(_nero, "MIT", "NERO, as carried by the package NERO-nlp 0.0.8"),
}
"""Sources whose licences allow to give away what is learned from them."""
