"""Evaluation protocols as data: which corpora, how they are split, which systems run by default.

A protocol that only needs other files or systems is a new entry in :data:`PROTOCOLS`, not new code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relhash.bench.datasets.dataset import Dataset
from relhash.errors import ParameterError
from relhash.learn.classifier import document_folds

_N_DIRECTIONS = 30


def document_clusters(texts: Sequence[str], n_clusters: int = 4) -> NDArray[np.int64]:
    """The cluster of each text: k-means of its words' leading directions (tf-idf; words of many texts say nothing).

    A cluster held out differs from the rest of its corpus as another corpus would, and its labels were made by the same people.
    """
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    if not 2 <= n_clusters <= len(texts):
        raise ParameterError(f"clusters of documents: {len(texts)} documents cannot be put into {n_clusters}")
    rare = 3 if len(texts) > 50 else 1
    words = TfidfVectorizer(min_df=rare, max_df=0.3 if len(texts) > 50 else 0.9, sublinear_tf=True).fit_transform(texts)
    n_directions = min(_N_DIRECTIONS, min(words.shape) - 1)
    directions = normalize(TruncatedSVD(max(1, n_directions), random_state=0).fit_transform(words))
    return np.asarray(KMeans(n_clusters, n_init=10, random_state=0).fit_predict(directions), np.int64)


AIMED, BIOINFER, HPRD50 = "ppi/AIMed.xml", "ppi/BioInfer.xml", "ppi/HPRD50.xml"
LABEL_COUNTS = (25, 50, 100, 200, 500, 1000, 2000)


@dataclass(frozen=True)
class Protocol:
    """What is run.

    Attributes
    ----------
    corpora
        Files below the data root, each with the letter that directions use.
    split
        ``"cross"``: every ordered pair of corpora. ``"folds"``: each corpus by itself, by document. ``"clusters"``: each corpus
        by itself, documents about the same things held out together. ``"fixed"``: the last corpus is tested, the others train
        together.
        ``"each-to-last"``: the last corpus is tested, each of the others trains by itself. ``"subsets"``: each
        subset that the data set names is tested once, the rest trains.
    systems
        Names in :data:`relhash.bench.systems.listed.SYSTEMS`; ``"all"``: every row of the paper's table, ours, and plain
        rivals, as far as what they need is installed.
    prior_systems
        Further systems that run by default where the corpora have the parses that a prior reads (``--parses embedded``).
    label_counts
        Numbers of labels to draw (none: all labels are used).
    seeds
        Runs, or draws of labels.
    without_shared
        Also report figures without the test sentences that occur in the training text.
    """

    name: str
    summary: str
    corpora: Sequence[tuple[str, str]]
    split: str
    systems: Sequence[str]
    prior_systems: Sequence[str] = ()
    label_counts: Sequence[int] = ()
    seeds: int = 5
    without_shared: bool = True
    n_folds: int = 10
    prepared: str = ""
    """Name in :data:`relhash.bench.datasets.prepared.PREPARED` for data that is more than a list of files."""
    has_roles: bool = False
    """Whether candidates are interactions with a trigger and roles, which every system then looks at in its own way."""


@dataclass(frozen=True, eq=False)
class Task:
    """One training set and one test set: rows of a :class:`Dataset`."""

    direction: str
    fold: int
    train: NDArray[np.int64]
    test: NDArray[np.int64]


_HASHING = (
    "best", "best-unadapted", "KLSH-NU-RF", "KLSH-NU-RF-inductive", "KLSH-NU-RF-unadapted", "KLSH-NU-RF/literal", "KLSH-RF",
    "KLSH-kNN", "random", "random-balanced",
)  # fmt: skip
_RIVALS = ("ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "nystroem-lr", "kernel-svm")
_INTERACTIONS = ("all", "KLSH-NU-RF-inductive", "KLSH-NU-RF-unadapted", "KLSH-NU-RF/literal")
_PUBLISHED = tuple(
    f"published/{name}" for name in ("objective", "cluster", "first-global", "deletion", "margin", "hard-words", "pairs")
)
_PPI = (("A", AIMED), ("B", BIOINFER))
_PARTS_OF_BEST = (
    "best/random-references", "best/no-coordinates", "best/no-descriptors", "best/no-ngrams", "best/coordinates",
    "best/descriptors", "best/bits", "best/with-bits", "best/500-functions",
)  # fmt: skip

PROTOCOLS: dict[str, Protocol] = {
    one.name: one
    for one in (
        Protocol(
            "ppi-cross",
            "trained on one protein-interaction corpus, tested on the other",
            _PPI,
            "cross",
            (*_HASHING, *_RIVALS),
            prior_systems=("prior", "best+prior"),
        ),
        Protocol(
            "ppi-cv",
            "each protein-interaction corpus by itself, ten folds of documents",
            _PPI,
            "folds",
            ("best", "KLSH-NU-RF", "random", "random-balanced", "ngram-lr", "ngram+descriptors-lr"),
            seeds=1,
            without_shared=False,
        ),
        Protocol(
            "published-code",
            "the paper's system, and what the code that its authors published does otherwise",
            _PPI,
            "cross",
            ("function=nearest", *_PUBLISHED, "published", "NLSH-NU-RF", "NLSH-NU-RF/networks"),
            seeds=3,
        ),
        Protocol(
            "few-labels",
            "codes learned without labels, a classifier on few labels of the source, tested on the other corpus",
            _PPI,
            "cross",
            (
                "best", "NU+linear", "random+linear", "random-balanced+linear", "ngram-lr", "ngram+descriptors-lr",
                "descriptors-forest", "kernel-svm",
            ),
            prior_systems=(
                "prior", "best+prior", "descriptors-forest+prior", "ngram+descriptors-lr+prior", "NU+linear+prior",
                "random+linear+prior", "random-balanced+linear+prior",
            ),
            label_counts=LABEL_COUNTS,
            seeds=8,
            without_shared=False,
        ),
        Protocol(
            "ablation",
            "what each part of the hashcode learner gives",
            _PPI,
            "cross",
            (
                "function=nearest", "split=random", "sampling=global", "entropy=none", "redundancy=none", "deletion=none",
                "redundancy=correlation", "random", "random-balanced", "function=margin", "function=balanced-margin",
                "function=standard-nearest", "forest=balanced", "bits=50", "bits=300", "alpha=2", "alpha=8", "zeta=5",
                "zeta=7", "views=between", "views=words", "views=words+descriptors", "one-sequence", "best", *_PARTS_OF_BEST,
            ),
            seeds=3,
            without_shared=False,
        ),
        Protocol(
            "ppi-development",
            "what parameters are chosen on: trained on AIMed or on BioInfer, tested on HPRD50",
            (*_PPI, ("H", HPRD50)),
            "each-to-last",
            ("best", *_PARTS_OF_BEST, *_RIVALS),
            seeds=3,
            without_shared=False,
        ),
        Protocol(
            "ppi-clusters",
            "what parameters are chosen on: each corpus by itself, documents about the same things held out together",
            _PPI,
            "clusters",
            ("best", *_PARTS_OF_BEST, *_RIVALS),
            seeds=1,
            without_shared=False,
            n_folds=4,
        ),
        Protocol(
            "bionlp",
            "interactions with types and roles: events of BioNLP 2009, 2011 and 2013, tested on the development set of 2013",
            (("train", "bionlp"), ("devel13", "bionlp/2013/devel")),
            "fixed",
            _INTERACTIONS,
            seeds=3,
            prepared="bionlp",
            has_roles=True,
        ),
        Protocol(
            "nero-open",
            "interactions whose type is any verb, as people wrote it: NERO, each of 11 groups of papers tested once",
            (("N", "nero/annotation_results.txt.gz"),),
            "subsets",
            ("best", "KLSH-NU-RF", "KLSH-RF", "random", "random-balanced", "ngram-lr", "descriptors-forest"),
            seeds=1,
            without_shared=False,
            prepared="nero-open",
            has_roles=True,
        ),
        Protocol(
            "judged",
            "statements that readers extracted and curators judged: each of 11 groups of papers tested once",
            (("J", "judged"),),
            "subsets",
            ("best", "KLSH-NU-RF", "KLSH-RF", "KLSH-kNN", "random", "random-balanced", "ngram-lr", "SVM-Garg2016"),
            seeds=1,
            without_shared=False,
            prepared="judged",
            has_roles=True,
        ),
        Protocol(
            "pubmed45",
            "interactions judged by experts, on AMR: each of 11 subsets of papers tested once",
            (("P", "pubmed45/pubmed45.json"),),
            "subsets",
            _INTERACTIONS,
            seeds=1,
            without_shared=False,
            prepared="pubmed45",
            has_roles=True,
        ),
    )
}  # fmt: skip


def protocol(name: str) -> Protocol:
    """A protocol by its name."""
    if name not in PROTOCOLS:
        raise ParameterError(f"there is no benchmark {name!r} (relhash benchmark lists them); there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


def tasks(protocol: Protocol, dataset: Dataset) -> Iterator[Task]:
    """The training and test sets of a protocol."""
    letters = [letter for letter, _ in protocol.corpora]
    rows = [np.flatnonzero(dataset.corpus == number) for number in range(len(letters))]
    if protocol.split == "cross":
        for train in range(len(letters)):
            for test in range(len(letters)):
                if train != test:
                    yield Task(f"{letters[train]}→{letters[test]}", 0, rows[train], rows[test])
    elif protocol.split == "folds":
        for letter, own in zip(letters, rows, strict=True):
            for fold, (train_rows, test_rows) in enumerate(
                document_folds(dataset.y[own], dataset.documents[own], protocol.n_folds)
            ):
                yield Task(f"{letter}→{letter}", fold, own[train_rows], own[test_rows])
    elif protocol.split == "clusters":
        for letter, own in zip(letters, rows, strict=True):
            texts = {dataset.documents[row]: dataset.candidates[row].document.text for row in own}
            cluster_of = dict(zip(texts, document_clusters(list(texts.values()), protocol.n_folds), strict=True))
            clusters = np.array([cluster_of[document] for document in dataset.documents[own]])
            for number in np.unique(clusters):
                yield Task(f"{letter}→{letter}", int(number), own[clusters != number], own[clusters == number])
    elif protocol.split == "subsets" and dataset.subsets is not None:
        for number in np.unique(dataset.subsets[dataset.subsets >= 0]):
            is_tested = dataset.subsets == number
            trains, direction = ~is_tested, "subsets"
            if dataset.kept_apart is not None:  # no published figures are of this split
                trains, direction = trains & ~np.isin(dataset.kept_apart, dataset.kept_apart[is_tested]), "papers"
            yield Task(direction, int(number), np.flatnonzero(trains), np.flatnonzero(is_tested))
    elif protocol.split == "each-to-last":
        for train in range(len(letters) - 1):
            yield Task(f"{letters[train]}→{letters[-1]}", 0, rows[train], rows[-1])
    elif protocol.split == "fixed":
        yield Task(f"{'+'.join(letters[:-1])}→{letters[-1]}", 0, np.concatenate(rows[:-1]), rows[-1])
    else:
        raise ParameterError(f"protocol {protocol.name!r}: unknown split {protocol.split!r}")
