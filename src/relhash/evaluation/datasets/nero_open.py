"""NERO in the form of the paper's third and fourth data set: interactions of any type, valid or invalid, by groups of papers.

A candidate is a verb that people used for some statement of the sentence, and two of the sentence's entities as its cause and
its theme. It is valid if they stated exactly this, else invalid: the right verb with the roles swapped, or with another pair of
the same sentence. So the type is part of what is judged, and no list of types is closed. The word that names the interaction is
the nearest one of the verb's stem, or what joins the two, as for PubMed45 (:mod:`relhash.evaluation.datasets.judged`).

Only papers whose statements join genes or proteins are read, and a fixed share of them: NERO is large.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from relhash.corpus import Document, read
from relhash.corpus.document import Mention
from relhash.errors import DataMissingError
from relhash.evaluation.datasets.interactions import InteractionDataset
from relhash.evaluation.datasets.judged import trigger_of
from relhash.models.reading import Reader, choose_parses
from relhash.structures.candidate import Candidate, overlap
from relhash.structures.direction import CAUSE, THEME, role_of
from relhash.structures.interactions import TriggerLexicon, interaction_candidate, trigger_mention
from relhash.structures.policies import POLICIES, Allow, CandidatePolicy
from relhash.structures.stage import Stage
from relhash.structures.symbols import entity_class

__all__ = ["OpenPolicy", "group_of", "nero_open_dataset"]

TABLE = "nero/annotation_results.txt.gz"
GROUPS = 11
SHARE = 6
"""One paper in so many is read."""
MOST_ENTITIES = 8
"""Sentences with more entities in statements are left out: their pairs outnumber what anybody read."""


@dataclass(frozen=True, slots=True)
class OpenPolicy(CandidatePolicy):
    """Every verb stated in a sentence with every two of its judged entities, in both directions."""

    most_entities: int = MOST_ENTITIES

    kind: ClassVar[str] = "open"
    has_roles: ClassVar[bool] = True

    def candidates(self, documents: Iterable[Document], allow: Allow | None = None) -> Iterator[Candidate]:
        for document in documents:
            for candidate in self._of_document(document):
                if allow is None or allow(candidate):
                    yield candidate

    def given_type(self, candidate: Candidate) -> str | None:
        return candidate.supposed_type

    def is_directed(self, candidate: Candidate) -> bool:
        return True

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **asdict(self)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        return cls(int(given["most_entities"]))

    def _of_document(self, document: Document) -> Iterator[Candidate]:
        stated: set[tuple[str, str, str]] = set()
        for relation in document.relations:
            roles = {role_of(argument.role): argument.target for argument in relation.arguments}
            if CAUSE in roles and THEME in roles:
                stated.add((relation.type, roles[CAUSE], roles[THEME]))
        judged = {end for pair in document.candidates or () for end in (pair.first, pair.second)}
        for number, sentence in enumerate(document.sentences):
            here = [m for m in document.entities if m.id in judged and sentence.start <= m.start < sentence.end]
            verbs = sorted({kind for kind, cause, _ in stated if any(cause == mention.id for mention in here)})
            if not 2 <= len(here) <= self.most_entities or not verbs:
                continue
            stage = Stage(document, number)
            for verb in verbs:
                for cause, theme in permutations(here, 2):
                    candidate = None if overlap(cause, theme) else _candidate(stage, number, verb, cause, theme)
                    if candidate is not None:
                        valid = (verb, cause.id, theme.id) in stated
                        yield replace(candidate, relations=(verb,)) if valid else candidate


def _candidate(stage: Stage, number: int, verb: str, cause: Mention, theme: Mention) -> Candidate | None:
    token = trigger_of(stage, verb, [cause, theme], TriggerLexicon())
    if token is None:
        return None
    start, end = stage.tokens[token].start, stage.tokens[token].end
    trigger = trigger_mention(verb, start, end, stage.document.text[start:end])
    return interaction_candidate(stage.document, number, trigger, {CAUSE: cause, THEME: theme})


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
            "another pair of the sentence; recall is over the candidates, which hold every statement of a sentence with at "
            f"most {MOST_ENTITIES} entities",
        ],
    )
    dataset.subsets = np.array([group_of(candidate.document.id) for candidate in dataset.candidates])
    return dataset


def _is_taken(document: Document, share: int) -> bool:
    digest = hashlib.sha256(f"share {document.id}".encode()).digest()
    if int.from_bytes(digest[:8], "big") % share:
        return False
    kinds = {mention.id: entity_class(mention.type) for mention in document.entities}
    return any(all(kinds.get(target) == "protein" for target in relation.targets) for relation in document.relations)


POLICIES.register(OpenPolicy.kind, OpenPolicy)
