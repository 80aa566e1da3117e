"""The data of the PubMed45 protocol: interactions that experts have judged, on AMR, in 11 subsets of papers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from relhash.corpus import read
from relhash.corpus.source import read_text
from relhash.errors import CorpusError, DataMissingError, ParameterError
from relhash.evaluation.datasets.interactions import InteractionDataset
from relhash.language.amr.documents import with_amr
from relhash.language.amr.graphs import AmrGraph, read_graphs
from relhash.structures.interactions.judged import JudgedPolicy, judged_candidates

LABELLED = "pubmed45/pubmed45.json"
SUBSETS = "pubmed45/subsets.json"
AMR_FOLDER = "pubmed45/amr"
VALID, SWAPPED = "valid", "swapped"
_KEY = "amr_sets_list_auto"
"""Where ``subsets.json`` lists them."""


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
        "the labelled file": path or root / LABELLED,
        "its AMR graphs": amr or beside(AMR_FOLDER),
        "its 11 subsets": beside(SUBSETS),
    }
    missing = [f"{what} ({file})" for what, file in files.items() if not file.exists()]
    if missing:
        raise DataMissingError(
            f"PubMed45: {', '.join(missing)} not found. It is not distributed with RelHash: obtain the labelled file (a JSON "
            "list with path, sentence, interaction_tuple and label) and its AMR graphs (PENMAN, '# ::id' as in path) from the "
            f"authors of Garg et al. (2016), and give them with --path FILE --amr FOLDER, or put them at {LABELLED}, "
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


def read_subsets(path: Path) -> tuple[tuple[str, ...], ...]:
    """The 11 test sets of PubMed45, each as ids of papers (documents), from ``subsets.json``."""
    try:
        listed = json.loads(read_text(path))[_KEY]
        subsets = tuple(tuple(name[name.index("a_pmid") :] for name in names) for names in listed)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(
            "not the subsets of PubMed45", path=path, remedy=f'expected {{"{_KEY}": [["…a_pmid_1003_7796", …], …]}}'
        ) from error
    if not subsets or not all(subsets):
        raise CorpusError("a subset names no paper", path=path)
    return subsets


def _graphs(path: Path) -> dict[str, AmrGraph]:
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return {graph.id: graph for file in files for graph in read_graphs(file)}
