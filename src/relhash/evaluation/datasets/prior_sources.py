"""What a prior about protein interactions is learned from: public annotation that may be used for models that ship.

Each source is a corpus of protein pairs with relations of one type, read from below the data root. Definitions differ: BioInfer
annotates every kind of relation between proteins, BioNLP events, NERO statements (mostly binding).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from relhash.corpus import CandidatePair, Document, Sentence
from relhash.corpus.one_type import with_one_type
from relhash.corpus.papers import without_papers_of
from relhash.evaluation.datasets.bionlp import training_documents
from relhash.evaluation.datasets.dataset import read_benchmark_corpus
from relhash.structures.interactions.pairs_of_events import pairs_of_events
from relhash.structures.symbols import entity_class

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


def protein_pairs(documents: Iterable[Document]) -> Iterator[Document]:
    """Of documents that list their candidates: sentences with a listed pair of proteins, such pairs, and proteins only.

    A table such as NERO has thousands of sentences that say nothing of proteins; nobody should have to parse them. Other
    entities would be company that pairs do not have in corpora of proteins.
    """
    for document in documents:
        proteins = {mention.id for mention in document.mentions if entity_class(mention.type) == "protein"}
        pairs = [pair for pair in document.candidates or () if {pair.first, pair.second} <= proteins]
        starts = [document.mention_by_id[pair.first].start for pair in pairs]
        kept = [one for one in document.sentences if any(one.start <= start < one.end for start in starts)]
        if kept:
            named = tuple(mention for mention in document.mentions if mention.id in proteins)
            yield _cut(replace(document, mentions=named), pairs, kept)


def judged_pairs(documents: Iterable[Document]) -> Iterator[Document]:
    """The same for pairs of any types: sentences with a listed pair, and the entities that stand in one."""
    for document in documents:
        pairs = document.candidates or ()
        judged = {name for pair in pairs for name in (pair.first, pair.second)}
        named = tuple(mention for mention in document.mentions if mention.id in judged)
        kept = [one for one in document.sentences if any(one.start <= mention.start < one.end for mention in named)]
        if kept:
            yield _cut(replace(document, mentions=named), pairs, kept)


def _cut(document: Document, pairs: Sequence[CandidatePair], kept: Sequence[Sentence]) -> Document:
    """The document with these sentences, one per line, and these pairs."""
    pieces, sentences, mentions, position = [], [], [], 0
    for one in kept:
        shift = position - one.start
        pieces.append(document.text[one.start : one.end])
        sentences.append(replace(one, start=position, end=one.end + shift))
        mentions += [
            replace(mention, spans=tuple((start + shift, end + shift) for start, end in mention.spans))
            for mention in document.mentions
            if one.start <= mention.start < one.end
        ]
        position += len(pieces[-1]) + 1
    listed = {frozenset((pair.first, pair.second)) for pair in pairs}
    return replace(
        document,
        text="\n".join(pieces),
        sentences=tuple(sentences),
        mentions=tuple(mentions),
        relations=tuple(one for one in document.relations if frozenset(one.targets) in listed),
        candidates=tuple(pairs),
    )


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
