"""The prior of a protocol: learned from sources that the protocol does not test, and what it says of every candidate.

The model that ships as ``ppi`` has learned from BioInfer, so it must not be the prior where BioInfer is tested. A protocol
makes its own from :data:`SOURCES`, without papers and without sentences of any of its corpora, and says how many it left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.corpus import Document
from relhash.corpus.papers import paper_ids
from relhash.errors import ParameterError
from relhash.evaluation.cell_keys import program_digest
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.datasets.prior_sources import read_prior_source
from relhash.evaluation.systems.prior_fitting import PRIOR_CLASSIFIER, PRIOR_PARTS, fit_prior
from relhash.models import FittedModel
from relhash.structures.sentence_keys import sentence_hashes, sentence_key
from relhash.structures.shared_sentences import plain_text

SOURCES = ("nero", "bionlp")
"""What the prior of a protocol learns from: no test set of any protocol about protein interactions."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PriorVotes:
    """Log-odds and calibrated probabilities of the prior for every candidate of a data set."""

    log_odds: Floats
    probabilities: Floats
    fingerprint: str
    """What the votes depend on."""
    notes: Sequence[str] = ()

    @classmethod
    def of(cls, model: FittedModel, dataset: Dataset, fingerprint: str, notes: Sequence[str] = ()) -> PriorVotes:
        """What ``model`` says of the candidates of a data set."""
        rows = model.features.transform(dataset.structures(model.settings.all_views))
        scores = model.decision.classifier.scores(rows)
        votes = model.decision.classifier.log_odds(rows)
        return cls(votes, model.decision.calibration.probabilities(scores), fingerprint, tuple(notes))

    def standardised(self, rows: NDArray[np.int64], like: NDArray[np.int64]) -> Floats:
        """Log-odds of some rows, centred and of unit spread on others (the text that is read)."""
        basis = self.log_odds[like]
        return np.asarray((self.log_odds[rows] - basis.mean()) / (basis.std() or 1.0))


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
