"""Data sets that are more than a list of files, by the name that a protocol gives.

*NERO* is in the form of the paper's third and fourth data set. A candidate is a verb that people used for some statement of the
sentence, and two of the sentence's entities as its cause and its theme; it is valid if they stated exactly this. So the type is
part of what is judged, and no list of types is closed (:mod:`relhash.candidates.statements.open_policy`). Only papers whose
statements join genes or proteins are read, and a fixed share of them. *PubMed45*: interactions that experts have judged, on
AMR, in 11 subsets of papers.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from relhash.bench.datasets.bionlp import InteractionDataset, bionlp_dataset
from relhash.bench.datasets.dataset import Dataset, data_root
from relhash.bench.datasets.judged import group_of, judged_dataset
from relhash.candidates.gold import CAUSE, THEME, role_of
from relhash.candidates.statements.open_policy import MOST_ENTITIES, JudgedPolicy, OpenPolicy, judged_candidates
from relhash.candidates.symbols import entity_class
from relhash.corpus import Document, read
from relhash.corpus.source import read_text
from relhash.errors import CorpusError, DataMissingError, ParameterError
from relhash.language.amr.documents import with_amr
from relhash.language.amr.graphs import AmrGraph, read_graphs
from relhash.model.reading.reader import Reader, choose_parses

TABLE = "nero/annotation_results.txt.gz"
SHARE = 8
"""One paper in so many is read: few enough for eleven groups, and seven systems, in an hour of one core."""


def nero_open_dataset(root: Path, *, path: Path | None = None, share: int = SHARE) -> InteractionDataset:
    """Judged statements of NERO, parsed by the pipeline that ships, with the test group of each paper.

    Parameters
    ----------
    path
        The table, if it is not at ``nero/annotation_results.txt.gz`` below the data folder.
    share
        One paper in so many is read.
    """
    table = path or root / TABLE
    if not table.exists():
        raise DataMissingError(f"{table}: this benchmark needs the table of NERO (as the package NERO-nlp carries it)")
    papers = [document for document in read(table, "nero") if document.metadata.get("pmid") and _is_taken(document, share)]
    settings = choose_parses("embedded", papers, [], needs_parse=True, needs_split=True)
    dataset = InteractionDataset(
        [Reader(settings)(papers, tag=False)],
        OpenPolicy(),
        [
            f"one paper of NERO in {share} whose statements join genes or proteins: {len(papers):,} papers, 11 groups of them",
            "a candidate is valid if its verb was stated of its cause and theme; else it is the verb with other roles or "
            "another pair of the sentence; candidates hold every statement of a sentence with at "
            f"most {MOST_ENTITIES} entities",
        ],
    )
    dataset.subsets = np.array([group_of(candidate.document.id) for candidate in dataset.candidates])
    stated: Counter[int] = Counter()
    for document in papers:
        stated[group_of(document.id)] += _statements(document)
    reached = Counter(int(group) for group in dataset.subsets[dataset.y])
    dataset.unreached = {group: stated[group] - reached[group] for group in stated}
    dataset.notes.append(
        f"{stated.total():,} statements with a cause and a theme, {reached.total():,} of them "
        f"({reached.total() / max(stated.total(), 1):.0%}) among the candidates; variant all: recall over the candidates; "
        "variant stated: over everything stated, what no candidate reaches counts as missed"
    )
    return dataset


def _statements(document: Document) -> int:
    """Different statements with a verb, a cause and a theme."""
    found = set()
    for one in document.relations:
        roles = {role_of(argument.role): argument.target for argument in one.arguments}
        if CAUSE in roles and THEME in roles:
            found.add((one.type.lower(), roles[CAUSE], roles[THEME]))
    return len(found)


def _is_taken(document: Document, share: int) -> bool:
    digest = hashlib.sha256(f"share {document.id}".encode()).digest()
    if int.from_bytes(digest[:8], "big") % share:
        return False
    kinds = {mention.id: entity_class(mention.type) for mention in document.entities}
    return any(all(kinds.get(target) == "protein" for target in relation.targets) for relation in document.relations)


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


PREPARED: dict[str, Callable[..., Dataset]] = {
    "bionlp": bionlp_dataset,
    "judged": judged_dataset,
    "nero-open": nero_open_dataset,
    "pubmed45": pubmed45_dataset,
}
"""Data sets by the name that a protocol gives."""


def prepared_dataset(name: str, data: Path | None = None, **given: Path | str | None) -> Dataset:
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
