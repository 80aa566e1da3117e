"""How likely an entity is a theme, or a cause, of the interaction that a word may name: two linear models of links.

They serve twice. Candidates are put together of likely links, so that far fewer hold far more of what is stated than with any
rule of distance. And a classifier of candidates is told how likely their links are, and what else competes for them
(:mod:`relhash.structures.interactions.clues`). Facts of links are hashed into a fixed number of columns, each by itself and
together with the type.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import murmurhash3_32

from relhash.corpus.document import Document
from relhash.errors import ModelFileError
from relhash.language.word_groups import WordGroups, shipped_word_groups
from relhash.structures.direction import CAUSE, THEME
from relhash.structures.interactions.candidate import trigger_mention
from relhash.structures.interactions.gold import GoldInteractions, gold_interactions
from relhash.structures.interactions.links import NUMBERS, Link, facts, links, numbers
from relhash.structures.stage import SortedEntities, Stage

if TYPE_CHECKING:
    from relhash.structures.interactions.policy import InteractionPolicy

LINKED = (THEME, CAUSE)
COLUMNS = 1 << 17
STRENGTH = 0.1
GRID = 128
"""Weights are multiples of 1 / GRID."""
FEWEST = 20
"""With fewer positive links of a role nothing is learned."""
Weights = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LinkModel:
    """Weights of the hashed facts, of the numbers, and an intercept, for themes and for causes.

    ``groups`` are the groups of similar words that facts name, too; models of version 0.2 know none.
    """

    weights: Mapping[str, Weights]
    groups: WordGroups | None = None

    @classmethod
    def learn(cls, documents: Iterable[Document], policy: InteractionPolicy) -> LinkModel | None:
        """The model of annotated, parsed documents; ``None`` if they have too few links to learn from."""
        from sklearn.linear_model import LogisticRegression

        groups = shipped_word_groups()
        rows: list[sparse.csr_matrix] = []
        labels: list[tuple[bool, bool]] = []
        for document in documents:
            entities, gold = SortedEntities(document), gold_interactions(document)
            for number, sentence in enumerate(document.sentences):
                if not sentence.is_parsed or not entities.starting_in(sentence.start, sentence.end):
                    continue
                stage = Stage(document, number, entities=entities)
                found = list(links(stage, policy.triggers(stage), policy))
                if found:
                    rows.append(_rows(stage, found, groups))
                    labels += [_roles(stage, link, gold) for link in found]
        y = np.array(labels, bool).reshape(-1, len(LINKED))
        if min(y.sum(axis=0), default=0) < FEWEST or min((~y).sum(axis=0)) < FEWEST:
            return None
        X = sparse.vstack(rows).tocsr()
        learned = {}
        for number, role in enumerate(LINKED):
            model = LogisticRegression(C=STRENGTH, solver="liblinear", tol=1e-2, random_state=0).fit(X, y[:, number])
            # what the last digits would tell is noise, and a file of half the size leaves them out
            rounded = np.round(np.append(model.coef_[0], model.intercept_) * GRID) / GRID
            learned[role] = rounded.astype(np.float16).astype(np.float32)
        return cls(learned, groups)

    def log_odds(self, stage: Stage, found: Sequence[Link]) -> dict[str, NDArray[np.float64]]:
        """For each role the log-odds that the entity of a link has it."""
        X = _rows(stage, found, self.groups)
        return {role: np.asarray(X @ own[:-1] + own[-1], np.float64) for role, own in self.weights.items()}

    def to_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        written = {
            role: base64.b64encode(own.astype("<f2").tobytes()).decode("ascii") for role, own in sorted(self.weights.items())
        }
        return written if self.groups is None else {**written, "groups": self.groups.fingerprint}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> LinkModel:
        """The inverse of :meth:`to_dict`."""
        try:
            weights = {role: np.frombuffer(base64.b64decode(given[role]), "<f2").astype(np.float32) for role in LINKED}
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFileError(f"links: weights are missing or of the wrong kind ({error})") from error
        if any(own.size != COLUMNS + len(NUMBERS) + 1 or not np.isfinite(own).all() for own in weights.values()):
            raise ModelFileError("links: weights are not as many as this version computes, or no numbers; fit the model again")
        groups = shipped_word_groups() if "groups" in given else None
        if groups is not None and groups.fingerprint != given["groups"]:
            raise ModelFileError("links: learned with other groups of words than this version has; fit the model again")
        return cls(weights, groups)


def _rows(stage: Stage, found: Sequence[Link], groups: WordGroups | None) -> sparse.csr_matrix:
    """One row per link: its facts, the same together with the type, and the numbers."""
    indices: list[NDArray[np.int64]] = []
    values: list[NDArray[np.float32]] = []
    own: dict[tuple[int, int], NDArray[np.uint64]] = {}
    for link in found:
        place = link.trigger.token, link.entity
        if place not in own:
            own[place] = np.array([_hash(fact) for fact in facts(stage, link, groups)], np.uint64)
        kind = np.uint64(_hash(link.trigger.type) | 1)
        hashed = np.unique(np.append(own[place], [*(own[place] * kind >> np.uint64(7)), kind]) % np.uint64(COLUMNS))
        indices += (hashed.astype(np.int64), np.arange(COLUMNS, COLUMNS + len(NUMBERS)))
        values += (np.ones(hashed.size, np.float32), np.array(numbers(stage, link), np.float32))
    lengths = [0, *(one.size + other.size for one, other in zip(indices[::2], indices[1::2], strict=True))]
    shape = (len(found), COLUMNS + len(NUMBERS))
    return sparse.csr_matrix((np.concatenate(values), np.concatenate(indices), np.cumsum(lengths)), shape)


def _hash(fact: str) -> int:
    return int(murmurhash3_32(fact, positive=True))


def _roles(stage: Stage, link: Link, gold: GoldInteractions) -> tuple[bool, bool]:
    """Whether the annotation says that the entity is a theme, or a cause, of what the word names."""
    token, kind = stage.tokens[link.trigger.token], link.trigger.type
    trigger = trigger_mention(kind, token.start, token.end, stage.document.text[token.start : token.end])
    entity = stage.mentions[link.entity].id
    return gold.states(kind, {THEME: entity}, trigger), gold.has_cause(kind, entity, trigger)
