"""Priors about protein interactions: what they are learned from, how they are fitted, and what one says of every candidate.

Each source is a corpus of protein pairs with relations of one type, whose licence allows models that ship. Definitions differ
(BioInfer annotates every kind of relation between proteins, BioNLP events, NERO statements), so a prior is a mixture over its
sources, chosen on the development side, each source tested by a model of the others (``benchmarks/prior_sources.py``). The
shipped ``ppi`` has learned from BioInfer, so a protocol that tests BioInfer makes its own prior from :data:`SOURCES`, without
papers and without sentences of any of its corpora, and says how many it left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.bench.cells import program_digest
from relhash.bench.datasets.bionlp import training_documents
from relhash.bench.datasets.curated import is_aside, judged_documents
from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.candidates.shared_sentences import plain_text, sentence_hashes, sentence_key
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.candidates.symbols import entity_class
from relhash.corpus import CandidatePair, Document, Sentence
from relhash.corpus.document import paper_ids, with_one_type, without_papers_of
from relhash.errors import ParameterError
from relhash.language.sentences import split_sentences
from relhash.learn import CommitteeClassifier, ForestClassifier, LinearClassifier, Member, MixtureClassifier, to_parts
from relhash.learn.correction import clipped_log_odds
from relhash.learn.ngrams import NgramPart
from relhash.model import FittedModel, RelationExtractor
from relhash.model.fitted import PairTypes
from relhash.model.fitting import SOURCE
from relhash.model.reading.reader import EMBEDDED

INTERACTION = "interaction"


@dataclass(frozen=True)
class PriorSource:
    """A source: how it is read, its licence, and how to cite it."""

    read: Callable[[Path], Iterable[Document]]
    licence: str
    cite: str
    votes_with: str = ""
    """The source whose definition of a relation it shares: one classifier learns from both."""


def read_prior_source(name: str, root: Path, *, without_papers: Iterable[Iterable[Document]] = ()) -> list[Document]:
    """The documents of a source, without papers of the corpora given (those that will be tested)."""
    return list(without_papers_of(PRIOR_SOURCES[name].read(root), *without_papers))


def protein_pairs(documents: Iterable[Document]) -> Iterator[Document]:
    """Of documents that list their candidates: sentences with a listed pair of proteins, such pairs, and proteins only.

    A table such as NERO has thousands of sentences that say nothing of proteins; parsing them would be a waste. Other
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


def _more_events(root: Path, types: Sequence[str] = ("protein",)) -> Iterator[Document]:
    """Sentences with a pair: these tasks are about modifications and infections, other sentences may state what they omit."""
    for folder in ("2011-id/train", "2011-epi/train", "exhaustive-ptm/visible"):
        events = read_benchmark_corpus(root, f"bionlp-more/{folder}")
        yield from judged_pairs(map(_listing_sentences, pairs_of_events(events, types=types, relation=INTERACTION)))


def _listing_sentences(document: Document) -> Document:
    """The document with all pairs of its sentences that have a relation as candidates."""
    split = split_sentences(document)
    within = [[m for m in split.mentions if one.start <= m.start < one.end] for one in split.sentences]
    related = {target for relation in split.relations for target in relation.targets}
    pairs = chain.from_iterable(combinations(own, 2) for own in within if any(m.id in related for m in own))
    return replace(split, candidates=tuple(CandidatePair(f"{one.id}-{two.id}", one.id, two.id) for one, two in pairs))


def _curators(root: Path) -> Iterator[Document]:
    for source in ("extri", "bel"):
        yield from (one for one in judged_documents(root, source) if not is_aside(one.metadata["pmid"]))


def related_pairs(root: Path) -> Iterator[Document]:
    """Pairs of any types that somebody judged: all of NERO, the further events, and what curators judged."""
    nero = judged_pairs(read_benchmark_corpus(root, "nero/annotation_results.txt.gz"))
    events = _more_events(root, ("protein", "chemical", "organism", "regulon-operon"))
    return with_one_type(chain(nero, events, _curators(root)), "related")


PRIOR_SOURCES: Mapping[str, PriorSource] = {
    "bioinfer": PriorSource(_bioinfer, "CC BY 2.0", "Pyysalo et al. 2007, BMC Bioinformatics 8:50"),
    "bionlp": PriorSource(_bionlp, "CC BY 3.0", "BioNLP shared tasks 2009 and 2013, GENIA events, training parts"),
    "nero": PriorSource(_nero, "MIT", "NERO, as carried by the package NERO-nlp 0.0.8"),
    "bionlp-more": PriorSource(
        _more_events, "CC BY 3.0", "BioNLP 2011 EPI and ID, training parts; exhaustive PTM (Pyysalo et al. 2011)", "bionlp"
    ),
    "curators": PriorSource(_curators, "MIT, CC BY 4.0", "ExTRI (Vazquez et al. 2022); BEL enrichment (Hoyt et al. 2019)"),
}
"""Sources whose licences allow to give away what is learned from them."""


# as the preset best, with fewer and smaller trees and fewer n-grams: five times the labels would make five times the file
PRIOR_PARTS = to_parts("coordinates", "raw-descriptors", "descriptors", NgramPart(min_count=20))
PRIOR_CLASSIFIER = MixtureClassifier(
    CommitteeClassifier(
        (
            Member(
                ForestClassifier(60, min_samples_leaf=10, balanced=True, random_cuts=True),
                ("coordinates", "raw-descriptors"),
                weight=2,
            ),
            Member(LinearClassifier(0.1), ("descriptors", "ngrams")),
        )
    ),
    weights=[("nero", 0.5), ("curators", 0.5)],
)

RELATED_CLASSIFIER = LinearClassifier(0.1)
"""For a prior about pairs of any types: nearly as good there as committees of trees, and smaller
(``benchmarks/related_pairs.py``)."""


def fit_prior(
    sources: Mapping[str, Iterable[Document]], *, threshold: str = "precision:0.8", n_jobs: int | None = None
) -> FittedModel:
    """A model of the labels of several sources, each under its own name; denied pairs count as negative."""
    return _extractor(PRIOR_CLASSIFIER, threshold, n_jobs).fit(_named(sources)).model_


def fit_untyped_prior(documents: Iterable[Document], *, n_jobs: int | None = None) -> FittedModel:
    """A model of whether two entities of a sentence are related, whatever their types: it pairs every type with every type."""
    model = _extractor(RELATED_CLASSIFIER, "fraction", n_jobs).fit(list(documents)).model_
    return replace(model, pair_types=PairTypes(), parses=replace(model.parses, types=None))


def _extractor(classifier: Any, threshold: str, n_jobs: int | None) -> RelationExtractor:
    return RelationExtractor(
        parts=PRIOR_PARTS,
        classifier=classifier,
        threshold=threshold,
        parses=EMBEDDED,
        prior=None,
        negated_are_negative=True,
        n_jobs=n_jobs,
    )


def _named(sources: Mapping[str, Iterable[Document]]) -> Iterator[Document]:
    for name, documents in sources.items():
        group = PRIOR_SOURCES[name].votes_with if name in PRIOR_SOURCES else ""
        for document in documents:
            yield replace(document, id=f"{name}/{document.id}", metadata={**document.metadata, SOURCE: group or name})


SOURCES = ("nero", "bionlp")
"""What the prior of a protocol learns from: no test set of any protocol about protein interactions."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PriorVotes:
    """Calibrated probabilities of the prior for every candidate of a data set."""

    probabilities: Floats
    fingerprint: str
    """What the votes depend on."""
    notes: Sequence[str] = ()

    @classmethod
    def of(cls, model: FittedModel, dataset: Dataset, fingerprint: str, notes: Sequence[str] = ()) -> PriorVotes:
        """What ``model`` says of the candidates of a data set."""
        rows = model.features.transform(dataset.structures(model.settings.all_views))
        return cls(model.decision.decide(rows)[1], fingerprint, tuple(notes))

    @property
    def log_odds(self) -> Floats:
        """The same on the scale that labels correct."""
        return clipped_log_odds(self.probabilities)


def without_leakage(documents: Iterable[Document], papers: set[str], sentences: set[str]) -> tuple[list[Document], int, int]:
    """The documents without those of known papers and those with known sentences, and how many of each were left out.

    Documents that are not split yet count as wholes: any of their sentences may be known.

    >>> known = {plain_text("Ras was shown to bind to Raf in resting cells.")}
    >>> given = [Document("9000001", "x"), Document("a", f"Here: {' '.join(known)} Yes."), Document("b", "MEK binds ERK.")]
    >>> kept, of_papers, of_sentences = without_leakage(given, {"PMID9000001"}, known)
    >>> [document.id for document in kept], of_papers, of_sentences
    (['b'], 1, 1)
    """
    kept, of_papers, of_sentences = [], 0, 0
    long_enough = {sentence for sentence in sentences if len(sentence) >= _TELLING}
    for document in documents:
        if not papers.isdisjoint(paper_ids(document)):
            of_papers += 1
        elif _shares(document, long_enough):
            of_sentences += 1
        else:
            kept.append(document)
    return kept, of_papers, of_sentences


_TELLING = 30
"""Letters and digits from which a sentence says something of its own; headings such as *Results and discussion* do not."""


def _shares(document: Document, sentences: set[str]) -> bool:
    if document.sentences:
        return any(plain_text(document.text[one.start : one.end]) in sentences for one in document.sentences)
    whole = plain_text(document.text)
    return any(sentence in whole for sentence in sentences)


def protocol_prior(dataset: Dataset, root: Path, out: Path | None = None, *, n_jobs: int | None = None) -> PriorVotes:
    """Learn the prior of a data set, or read it from the output folder if that was done before."""
    if not dataset.parsed_by:
        raise ParameterError("systems with a prior read parses of the embedded pipeline: give --parses embedded")
    papers = {paper for candidate in dataset.candidates for paper in paper_ids(candidate.document)}
    sentences = {sentence_key(candidate) for candidate in dataset.candidates}
    sources: dict[str, list[Document]] = {}
    notes = []
    for name in SOURCES:
        kept, of_papers, of_sentences = without_leakage(read_prior_source(name, root), papers, sentences)
        sources[name] = kept
        notes.append(
            f"prior, source {name}: {len(kept)} documents; {of_papers} of papers and {of_sentences} with sentences of this "
            "protocol's corpora were left out"
        )
    digest = hashlib.sha256(f"{program_digest()} {dataset.parsed_by} {PRIOR_CLASSIFIER} {PRIOR_PARTS}".encode())
    for document in chain.from_iterable(sources.values()):
        digest.update(f"{document.id} {len(document.text)} {len(document.relations)}\n".encode())
    fingerprint = digest.hexdigest()[:16]
    file = None if out is None else out / f"prior-{fingerprint}.relhash"
    if file is not None and file.exists():
        model = relhash.load(file)
    else:
        model = fit_prior(sources, n_jobs=n_jobs)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            model.save(file)
    check = set(np.unique(sentence_hashes(dataset.candidates)).tolist()) & set(model.training_sentences.tolist())
    notes.append(f"prior: {len(check)} sentences of this protocol's corpora are among those that it was trained on")
    return PriorVotes.of(model, dataset, fingerprint, notes)
