"""Data sets of interactions with types and roles: BioNLP's events, and PubMed45's judged interactions.

What a candidate is, and when it is valid, is said in :mod:`relhash.structures.interactions_gold`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from relhash.corpus import Document, read
from relhash.errors import DataMissingError, ParameterError
from relhash.evaluation.bionlp_data import bionlp_test_documents, bionlp_training_documents
from relhash.evaluation.dataset import Dataset
from relhash.language.amr import with_amr
from relhash.language.amr_graphs import AmrGraph, read_graphs
from relhash.structures.candidates import Candidate, CandidateMaker
from relhash.structures.interactions import InteractionPolicy, participants
from relhash.structures.interactions_coverage import interaction_coverage
from relhash.structures.interactions_judged import JudgedPolicy, judged_candidates, read_subsets
from relhash.structures.triggers import TriggerLexicon

__all__ = ["PREPARED", "InteractionDataset", "bionlp_dataset", "pubmed45_dataset"]

Parse = Callable[[Iterable[Document]], Iterator[Document]]

PUBMED45 = "pubmed45/pubmed45.json"
SUBSETS = "pubmed45/subsets.json"
AMR_FOLDER = "pubmed45/amr"


class InteractionDataset(Dataset):
    """Interaction candidates, each with the pair of participants that it joins, whatever their roles and the type."""

    def __init__(self, corpora: Sequence[Iterable[Document]], policy: CandidateMaker, notes: Iterable[str] = ()) -> None:
        super().__init__(corpora, policy)
        self.notes = list(notes)
        numbers: dict[tuple[object, ...], int] = {}
        self.pairs = np.array(
            [
                numbers.setdefault((corpus, *_pair(candidate)), len(numbers))
                for corpus, candidate in zip(self.corpus, self.candidates, strict=True)
            ]
        )


def bionlp_dataset(root: Path, parse: Parse | None = None) -> InteractionDataset:
    """Training folders of 2009, 2011 and 2013 against the development set of 2013, on dependency graphs.

    Parameters
    ----------
    parse
        What splits and parses documents; the language pipeline that ships with RelHash, its trees collapsed, if not given.
    """
    parse = parse or _embedded
    test = list(parse(bionlp_test_documents(root)))
    train = list(parse(bionlp_training_documents(root)))
    policy = InteractionPolicy(TriggerLexicon.learn(train), max_distance=5, max_candidates=100)
    counts = interaction_coverage(test, policy)
    return InteractionDataset(
        [train, test],
        policy,
        [
            f"test set: {counts.interactions} interactions are stated, {counts.reached} of them are among the "
            f"{counts.candidates} candidates; recall here is over the candidates, over all that is stated it is "
            f"{counts.reached / max(counts.interactions, 1):.2f} of that",
            "unlike the paper: dependency graphs instead of AMR, and our own mapping of events to candidates (docs/events.md)",
            "variant pairs: whether two participants interact at all in a sentence, whatever the type and the roles",
        ],
    )


def pubmed45_dataset(root: Path) -> InteractionDataset:
    """PubMed45's judged interactions on AMR, with the test subset of each."""
    missing = [name for name in (PUBMED45, SUBSETS) if not (root / name).is_file()]
    if not (root / AMR_FOLDER).is_dir():
        missing.append(f"{AMR_FOLDER}/")
    if missing:
        raise DataMissingError(
            f"{root}: {', '.join(missing)} is not there. PubMed45 is not distributed with RelHash: obtain the labelled file (a "
            "JSON list with path, sentence, interaction_tuple and label) from the authors of Garg et al. (2016) and put it at "
            f"{PUBMED45}, its AMR graphs (PENMAN, '# ::id' as in path) into {AMR_FOLDER}/, and its 11 subsets at {SUBSETS}"
        )
    graphs = _graphs(root / AMR_FOLDER)
    documents = [with_amr(document, graphs) for document in read(root / PUBMED45, "pubmed45")]
    unparsed = sum(not sentence.is_parsed for document in documents for sentence in document.sentences)
    if unparsed:
        raise DataMissingError(
            f"{root / AMR_FOLDER}: {unparsed} sentences of {PUBMED45} have no graph there ('# ::id' must be as in path)"
        )
    judged = [candidate for document in documents for _, candidate in judged_candidates(document)]
    unplaced = sum(candidate is None for candidate in judged)
    dataset = InteractionDataset(
        [documents],
        JudgedPolicy(),
        [f"{len(judged)} judged interactions, {unplaced} left out because their sentence spells none of the participants"],
    )
    number_of = {paper: number for number, papers in enumerate(read_subsets(root / SUBSETS)) for paper in papers}
    dataset.subsets = np.array([number_of.get(candidate.document.id, -1) for candidate in dataset.candidates])
    if (dataset.subsets < 0).all():
        raise ParameterError(f"no paper of {root / PUBMED45} is in a subset of {root / SUBSETS}")
    return dataset


PREPARED: dict[str, Callable[[Path], Dataset]] = {"bionlp": bionlp_dataset, "pubmed45": pubmed45_dataset}
"""Data sets by the name that a protocol gives."""


def _embedded(documents: Iterable[Document]) -> Iterator[Document]:
    from relhash.language import ParseCache, Pipeline
    from relhash.language.schemes import collapse_document

    return map(collapse_document, Pipeline(entities="none", cache=ParseCache()).annotate(documents))


def _graphs(folder: Path) -> dict[str, AmrGraph]:
    return {graph.id: graph for path in sorted(folder.rglob("*")) if path.is_file() for graph in read_graphs(path)}


def _pair(candidate: Candidate) -> tuple[object, ...]:
    """Document, sentence and participants without order: a cause and a theme, or two themes."""
    members = sorted(mention.id for mention in participants(candidate).values())
    return candidate.document.id, candidate.sentence, *members
