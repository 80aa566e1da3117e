"""NERO in the form of the paper's third and fourth data set: interactions of any type, valid or invalid, by groups of papers.

A candidate is a verb that people used for some statement of the sentence, and two of the sentence's entities as its cause and
its theme. It is valid if they stated exactly this, else invalid: the right verb with the roles swapped, or with another pair of
the same sentence. So the type is part of what is judged, and no list of types is closed. The word that names the interaction is
the nearest one of the verb's stem, or what joins the two, as for PubMed45 (:mod:`relhash.structures.interactions.judged`).

Only papers whose statements join genes or proteins are read, and a fixed share of them: NERO is large.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import numpy as np

from relhash.corpus import Document, read
from relhash.errors import DataMissingError
from relhash.evaluation.datasets.interactions import InteractionDataset
from relhash.models.reading.reader import Reader, choose_parses
from relhash.structures.direction import CAUSE, THEME, role_of
from relhash.structures.interactions.open_policy import OpenPolicy
from relhash.structures.interactions.verbs import MOST_ENTITIES
from relhash.structures.symbols import entity_class

TABLE = "nero/annotation_results.txt.gz"
GROUPS = 11
SHARE = 8
"""One paper in so many is read: few enough for eleven groups, and seven systems, in an hour of one core."""


def group_of(paper: str) -> int:
    """The group in which a paper is tested: the same on every machine, whatever else is read.

    >>> sorted({group_of(str(number)) for number in range(200)}) == list(range(11))
    True
    """
    return int.from_bytes(hashlib.sha256(paper.encode("utf-8")).digest()[:8], "big") % GROUPS


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
