"""How a prior is fitted: a mixture over its sources, small enough to ship.

Chosen on the development side, each source tested by a model of the other two (``benchmarks/prior_sources.py``), on all their
documents: a mixture was ahead of pouring all labels together, and NERO at half weight better for BioNLP. On a quarter of them
the ways are level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from relhash.corpus import Document
from relhash.features import to_parts
from relhash.features.ngrams import NgramPart
from relhash.learning import CommitteeClassifier, ForestClassifier, LinearClassifier, Member, MixtureClassifier
from relhash.models import FittedModel, RelationExtractor
from relhash.models.fitting.training_labels import SOURCE
from relhash.models.pair_types import PairTypes
from relhash.models.reading.parse_settings import EMBEDDED

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
    weights=[("nero", 0.5)],
)

RELATED_CLASSIFIER = LinearClassifier(0.1)
"""For a prior about pairs of any types: nearly as good there as committees of trees, and smaller
(``benchmarks/related_pairs.py``)."""


def fit_prior(
    sources: Mapping[str, Iterable[Document]], *, threshold: str = "precision:0.8", n_jobs: int | None = None
) -> FittedModel:
    """A model of the labels of several sources, each under its own name; denied pairs count as negative."""
    extractor = RelationExtractor(
        parts=PRIOR_PARTS,
        classifier=PRIOR_CLASSIFIER,
        threshold=threshold,
        parses=EMBEDDED,
        prior=None,
        negated_are_negative=True,
        n_jobs=n_jobs,
    )
    return extractor.fit(_named(sources)).model_


def fit_untyped_prior(documents: Iterable[Document], *, threshold: str = "fraction", n_jobs: int | None = None) -> FittedModel:
    """A model of whether two entities of a sentence are related, whatever their types: it pairs every type with every type."""
    extractor = RelationExtractor(
        parts=PRIOR_PARTS,
        classifier=RELATED_CLASSIFIER,
        threshold=threshold,
        parses=EMBEDDED,
        prior=None,
        negated_are_negative=True,
        n_jobs=n_jobs,
    )
    model = extractor.fit(list(documents)).model_
    return replace(model, pair_types=PairTypes(), parses=replace(model.parses, types=None))


def _named(sources: Mapping[str, Iterable[Document]]) -> Iterator[Document]:
    for name, documents in sources.items():
        for document in documents:
            yield replace(document, id=f"{name}/{document.id}", metadata={**document.metadata, SOURCE: name})
