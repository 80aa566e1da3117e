"""Data sets of interactions with types and roles: BioNLP's events, and PubMed45's judged interactions.

What a candidate is, and when it is valid, is said in :mod:`relhash.structures.interactions.gold`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from relhash.corpus import Document, read
from relhash.errors import DataMissingError, ParameterError
from relhash.evaluation.datasets.bionlp import bionlp_test_documents, bionlp_training_documents
from relhash.evaluation.datasets.coverage import interaction_coverage
from relhash.evaluation.datasets.dataset import Dataset, data_root
from relhash.evaluation.datasets.judged import JudgedPolicy, judged_candidates, read_subsets
from relhash.language.amr.collection import GraphCollection
from relhash.language.amr.documents import with_amr
from relhash.language.amr.graphs import AmrGraph, read_graphs
from relhash.structures.candidates import Candidate, CandidatePolicy
from relhash.structures.interactions.candidates import InteractionPolicy, participants
from relhash.structures.interactions.triggers import TriggerLexicon

__all__ = ["PREPARED", "InteractionDataset", "bionlp_dataset", "interaction_dataset", "pubmed45_dataset"]

Parse = Callable[[Iterable[Document]], Iterator[Document]]

PUBMED45 = "pubmed45/pubmed45.json"
SUBSETS = "pubmed45/subsets.json"
AMR_FOLDER = "pubmed45/amr"
VALID, SWAPPED = "valid", "swapped"


class InteractionDataset(Dataset):
    """Interaction candidates, each with the pair of participants that it joins, whatever their roles and the type."""

    def __init__(self, corpora: Sequence[Iterable[Document]], policy: CandidatePolicy, notes: Iterable[str] = ()) -> None:
        super().__init__(corpora, policy)
        self.notes = list(notes)
        numbers: dict[tuple[object, ...], int] = {}
        self.pairs = np.array(
            [
                numbers.setdefault((corpus, *_pair(candidate)), len(numbers))
                for corpus, candidate in zip(self.corpus, self.candidates, strict=True)
            ]
        )


def bionlp_dataset(root: Path, parse: Parse | None = None, *, amr: Path | None = None) -> InteractionDataset:
    """Training folders of 2009, 2011 and 2013 against the development set of 2013.

    Parameters
    ----------
    parse
        What splits and parses documents; the language pipeline that ships with RelHash, its trees collapsed, if not given.
    amr
        Meaning graphs of the sentences (a PENMAN file, or a folder of them), to be used in the place of dependency graphs.
    """
    structures = "dependency graphs instead of AMR" if amr is None else "AMR as supplied"
    parse = parse or (_embedded if amr is None else GraphCollection.read(amr).on_all)
    test = list(parse(bionlp_test_documents(root)))
    train = list(parse(bionlp_training_documents(root)))
    policy = InteractionPolicy(TriggerLexicon.learn(train))
    counts = interaction_coverage(test, policy)
    return InteractionDataset(
        [train, test],
        policy,
        [
            f"test set: {counts.interactions} interactions are stated, {counts.reached} of them are among the "
            f"{counts.candidates} candidates; recall here is over the candidates, over all that is stated it is "
            f"{counts.reached / max(counts.interactions, 1):.2f} of that",
            f"unlike the paper: {structures}, and our own mapping of events to candidates (docs/events.md)",
            "variant pairs: whether two participants interact at all in a sentence, whatever the type and the roles",
        ],
    )


def pubmed45_dataset(
    root: Path, *, path: Path | None = None, amr: Path | None = None, judged: str = "valid"
) -> InteractionDataset:
    """PubMed45's judged interactions on AMR, with the test subset of each.

    Parameters
    ----------
    root
        The data folder, where what is not found otherwise is looked for.
    path
        The labelled file; ``amr/`` and ``subsets.json`` may stand beside it.
    amr
        Its graphs, a file or a folder.
    judged
        ``"valid"``: interactions are valid (label 1) or not. ``"swapped"``: they are valid once two roles swap (label 2) or
        not, the third class.
    """
    if judged not in (VALID, SWAPPED):
        raise ParameterError(f"judged={judged!r}: choose {VALID} or {SWAPPED}")

    def beside(name: str) -> Path:
        own = root / name if path is None else path.parent / Path(name).name
        return own if own.exists() else root / name

    files = {
        "the labelled file": path or root / PUBMED45,
        "its AMR graphs": amr or beside(AMR_FOLDER),
        "its 11 subsets": beside(SUBSETS),
    }
    missing = [f"{what} ({file})" for what, file in files.items() if not file.exists()]
    if missing:
        raise DataMissingError(
            f"PubMed45: {', '.join(missing)} not found. It is not distributed with RelHash: obtain the labelled file (a JSON "
            "list with path, sentence, interaction_tuple and label) and its AMR graphs (PENMAN, '# ::id' as in path) from the "
            f"authors of Garg et al. (2016), and give them with --path FILE --amr FOLDER, or put them at {PUBMED45}, "
            f"{AMR_FOLDER}/ and {SUBSETS} below the data folder"
        )
    labelled, folder, listed = files.values()
    graphs = _graphs(folder)
    documents = [with_amr(document, graphs) for document in read(labelled, "pubmed45")]
    unparsed = sum(not sentence.is_parsed for document in documents for sentence in document.sentences)
    if unparsed:
        raise DataMissingError(
            f"{folder}: {unparsed} sentences of {labelled} have no graph there ('# ::id' must be as in path)"
        )
    found = [candidate for document in documents for _, candidate in judged_candidates(document)]
    unplaced = sum(candidate is None for candidate in found)
    dataset = InteractionDataset(
        [documents],
        JudgedPolicy(swapped="class"),
        [
            f"{len(found)} judged interactions, {unplaced} left out because their sentence spells none of the participants",
            "label 2 (valid once two roles swap) counts as invalid" if judged == VALID else "label 2 is what is looked for",
        ],
    )
    dataset.y = np.array([judged in candidate.relations for candidate in dataset.candidates])
    number_of = {paper: number for number, papers in enumerate(read_subsets(listed)) for paper in papers}
    dataset.subsets = np.array([number_of.get(candidate.document.id, -1) for candidate in dataset.candidates])
    if (dataset.subsets < 0).all():
        raise ParameterError(f"no paper of {labelled} is in a subset of {listed}")
    return dataset


PREPARED: dict[str, Callable[..., Dataset]] = {"bionlp": bionlp_dataset, "pubmed45": pubmed45_dataset}
"""Data sets by the name that a protocol gives."""


def interaction_dataset(name: str, data: Path | None = None, **given: Path | str | None) -> Dataset:
    """The data set of the protocol ``name`` with files of the user's own, as :data:`PREPARED` takes them."""
    options = {option: value for option, value in given.items() if value is not None}
    prepare = PREPARED.get(name)
    unknown = [option for option in options if prepare is None or option not in inspect.signature(prepare).parameters]
    if prepare is None or unknown:
        raise ParameterError(f"the benchmark {name!r} has no option --{', --'.join(unknown or options)}")
    try:
        root = data_root(data)
    except DataMissingError:
        if data is not None or not isinstance(options.get("path"), Path):
            raise
        root = Path()  # a user with files of her own need not have a data folder
    return prepare(root, **options)


def _embedded(documents: Iterable[Document]) -> Iterator[Document]:
    from relhash.language import ParseCache, Pipeline
    from relhash.language.schemes import collapse_document

    return map(collapse_document, Pipeline(entities="none", cache=ParseCache()).annotate(documents))


def _graphs(path: Path) -> dict[str, AmrGraph]:
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return {graph.id: graph for file in files for graph in read_graphs(file)}


def _pair(candidate: Candidate) -> tuple[object, ...]:
    """Document, sentence and participants without order: a cause and a theme, or two themes."""
    members = sorted(mention.id for mention in participants(candidate).values())
    return candidate.document.id, candidate.sentence, *members
