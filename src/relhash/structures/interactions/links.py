"""Links: a word that may name an interaction, with one entity near it; what an interaction is put together of.

*A induces B* is a link from *induces* to B, its theme, and one to A, its cause. Text with annotated events has many more links
than interactions, so that more can be learned of them: see :mod:`relhash.structures.interactions.link_model`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log, log1p
from typing import TYPE_CHECKING

from relhash.language.word_groups import WordGroups
from relhash.structures.direction import SITE, THEME
from relhash.structures.graph import Connection, DependencyPath
from relhash.structures.interactions.triggers import Trigger
from relhash.structures.stage import Stage

if TYPE_CHECKING:
    from relhash.structures.interactions.policy import InteractionPolicy

LEAST_SHARE = 1e-6
NUMBERS = ("share", "steps", "words")
"""What :func:`numbers` tells of a link."""
_RANKS = 4
_WORDS_BETWEEN = 8
_DISTANCES = (1, 2, 3, 4, 8, 15)


@dataclass(frozen=True, slots=True)
class Link:
    """A trigger and one of the entities near it: ``entity`` is its number on the stage, ``rank`` how many are nearer."""

    trigger: Trigger
    entity: int
    rank: int
    path: DependencyPath


def nearest(stage: Stage, token: int, policy: InteractionPolicy) -> list[tuple[int, int]]:
    """Steps to, and numbers of, the entities nearest to a token: as many that may take part, and as many that may be sites."""
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
    for number, mention in enumerate(stage.mentions):
        path = stage.graph.shortest_path((token,), stage.tokens_of(mention))
        if path.connection is not Connection.DISCONNECTED and len(path.edges) <= policy.max_distance:
            is_site = policy.may_be(mention, SITE)
            if is_site or policy.may_be(mention, THEME):
                found[is_site].append((len(path.edges), number))
    return [entry for entries in found for entry in heapq.nsmallest(policy.max_participants, entries)]


def links(stage: Stage, triggers: Iterable[Trigger], policy: InteractionPolicy) -> Iterator[Link]:
    """The links of a sentence, trigger by trigger, the nearest entities first."""
    near: dict[int, list[tuple[int, int]]] = {}
    for trigger in triggers:
        if trigger.token not in near:
            near[trigger.token] = nearest(stage, trigger.token, policy)
        taking_part = (number for _, number in near[trigger.token] if policy.may_be(stage.mentions[number], THEME))
        for rank, number in enumerate(taking_part):
            path = stage.graph.shortest_path((trigger.token,), stage.tokens_of(stage.mentions[number]))
            yield Link(trigger, number, rank, path)


def numbers(stage: Stage, link: Link) -> tuple[float, float, float]:
    """How often such a word names the type, how many steps it is away from the entity, how many words."""
    words = abs(stage.tokens_of(stage.mentions[link.entity])[0] - link.trigger.token)
    return log(max(link.trigger.share, LEAST_SHARE)), len(link.path.edges) / 5, log1p(words)


def facts(stage: Stage, link: Link, groups: WordGroups | None = None) -> list[str]:
    """What can be said of a link without its type: its words, the way between them, what stands around.

    ``groups`` adds the groups of similar words that these words are in.
    """
    token, shown = link.trigger.token, stage.blinded
    tokens = stage.tokens_of(stage.mentions[link.entity])
    word, tag = stage.words[token], stage.tokens[token].pos
    edges = link.path.edges
    way = _way(stage, link.path)
    labels, side = " ".join(edges), "<" if tokens[0] < token else ">"
    first, last = (edges[0], edges[-1]) if edges else ("", "")
    distance = sum(abs(tokens[0] - token) > most for most in _DISTANCES)
    before, after = _shown(shown, token - 1), _shown(shown, token + 1)
    found = [
        f"word {word}", f"tag {tag}", f"labels {labels}", f"steps {len(edges)}", f"word+labels {word} {labels}",
        f"word+way {word} {' '.join(way)}", f"side {side}{distance}", f"side+labels {side} {labels}", f"first {first}",
        f"last {last}", f"word+first {word} {first}", f"before {before}", f"after {after}", f"word+after {word} {after}",
        f"before+word {before} {word}", f"before entity {_shown(shown, tokens[0] - 1)}",
        f"after entity {_shown(shown, tokens[-1] + 1)}", f"two after entity {' '.join(shown[tokens[-1] + 1 : tokens[-1] + 3])}",
        f"entities {min(sum(not stage.is_free(one) for one in link.path.tokens[1:-1]), 2)}", f"rank {min(link.rank, _RANKS)}",
        f"word+side {word} {side}", f"tag+labels {tag} {labels}",
    ]  # fmt: skip
    for size in (1, 2, 3):
        found += (f"way {' '.join(way[start : start + size])}" for start in range(len(way) - size + 1))
    between = shown[tokens[-1] + 1 : token] if tokens[0] < token else shown[token + 1 : tokens[0]]
    if len(between) <= _WORDS_BETWEEN:
        found += (f"between {one}" for one in between)
        found.append(f"all between {side} {' '.join(between[:5])}")
    for other, label in stage.graph.steps[token].items():
        found += (f"around {label}", f"around {label} {shown[other]}")
    return found if groups is None else [*found, *_group_facts(stage, link, groups, labels, side)]


def _group_facts(stage: Stage, link: Link, groups: WordGroups, labels: str, side: str) -> Iterator[str]:
    """The same by groups: of the trigger at every grain, of other words at the finer ones."""
    words, token = stage.words, link.trigger.token
    for grain, number in enumerate(groups(words[token])):
        yield from (f"group{grain} {number}", f"group{grain}+labels {number} {labels}", f"group{grain}+side {number} {side}")
    for one in link.path.tokens[1:-1]:
        yield from (f"way group {number}" for number in groups(words[one])[1:])
    for other, label in stage.graph.steps[token].items():
        yield from (f"around group {label} {number}" for number in groups(words[other])[1:2])


def _way(stage: Stage, path: DependencyPath) -> list[str]:
    inner = [*(stage.blinded[token] for token in path.tokens[1:-1]), ""]
    return [symbol for step in zip(path.edges, inner) for symbol in step if symbol]


def _shown(words: list[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""
