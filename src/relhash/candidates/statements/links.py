"""Links: a word that may name an interaction, with one entity near it; what interactions are put together of.

*A induces B* is a link from *induces* to B, its theme, and one to A, its cause. Text with annotated events has many more links
than interactions, so that more can be learned of them (:class:`LinkModel`): how likely each is, from facts hashed into a fixed
number of columns, each by itself and together with the type. Doubtful candidates are then those with an unlikely link, without
any rule of distance, and a classifier of candidates sees clues (:class:`SentenceLinks`): how likely their links are, and what
else competes for them. Words that the training text never had are known by their groups: k-means over the word vectors of the
embedded language model at three grains, which ship with the gene tagger.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import zipfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp, log, log1p
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from murmurhash import mrmr
from numpy.typing import NDArray
from scipy import sparse

from relhash.candidates.gold import CAUSE, SITE, THEME, THEME2
from relhash.candidates.graph import DependencyPath
from relhash.candidates.scene import Scene, SortedEntities, Stage
from relhash.candidates.statements.candidate import trigger_mention
from relhash.candidates.statements.gold import GoldInteractions, gold_interactions
from relhash.candidates.statements.triggers import REGULATIONS, Trigger
from relhash.candidates.view import TableView
from relhash.corpus.document import Document
from relhash.errors import LanguageError, ModelFileError
from relhash.resources import resource_path

if TYPE_CHECKING:
    from relhash.candidates.statements.policy import InteractionPolicy


@dataclass(frozen=True, eq=False)
class WordGroups:
    """Word in lower case → the numbers of its groups, from the coarsest; ``fingerprint`` tells sets of groups apart."""

    of: Mapping[str, tuple[int, ...]]
    fingerprint: str

    def __call__(self, word: str) -> tuple[int, ...]:
        """The groups of a word; none of one that is not known.

        >>> groups = WordGroups({"abolished": (1, 7), "abrogated": (1, 7)}, "")
        >>> groups("Abrogated"), groups("titillated")
        ((1, 7), ())
        """
        return self.of.get(word.lower(), ())


@cache
def shipped_word_groups() -> WordGroups:
    """The groups that ship, read once."""
    path = resource_path("genes", "model.npz")
    try:
        with np.load(path, allow_pickle=False) as archive:
            words, groups = archive["words"], archive["clusters"].astype("<i2")
        listed = dict(zip(words.tobytes().decode().split("\n"), map(tuple, groups.tolist()), strict=True))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise LanguageError(f"{path}: the groups of words are damaged ({error}); reinstall relhash") from error
    return WordGroups(listed, hashlib.sha256(words.tobytes() + groups.tobytes()).hexdigest()[:16])


LEAST_SHARE = 1e-6
NUMBERS = ("share", "steps", "words")
"""What is told of a link in numbers: how often such a word names the type (its logarithm), how many steps and how many words
(the logarithm) it is away from the entity."""
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


def nearest(stage: Stage, tokens: Iterable[int], policy: InteractionPolicy) -> dict[int, list[tuple[int, int]]]:
    """For each token the steps to, and the numbers of, the entities nearest to it: as many that may take part, and as many that
    may be sites."""
    able: list[tuple[int, Sequence[int], bool]] = []
    for number, mention in enumerate(stage.mentions):
        is_site = policy.may_be(mention, SITE)
        if is_site or policy.may_be(mention, THEME):
            able.append((number, stage.graph.distances(stage.tokens_of(mention)), is_site))
    near: dict[int, list[tuple[int, int]]] = {}
    for token in tokens:
        if token not in near:
            found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
            for number, steps, is_site in able:
                if 0 <= steps[token] <= policy.max_distance:
                    found[is_site].append((steps[token], number))
            near[token] = [entry for entries in found for entry in heapq.nsmallest(policy.max_participants, entries)]
    return near


def links(stage: Stage, triggers: Iterable[Trigger], policy: InteractionPolicy) -> Iterator[Link]:
    """The links of a sentence, trigger by trigger, the nearest entities first."""
    triggers = list(triggers)
    near = nearest(stage, [trigger.token for trigger in triggers], policy)
    ways: dict[int, list[tuple[int, int, DependencyPath]]] = {}
    for trigger in triggers:
        if trigger.token not in ways:
            taking_part = [number for _, number in near[trigger.token] if policy.may_be(stage.mentions[number], THEME)]
            ways[trigger.token] = [
                (rank, number, stage.graph.shortest_path((trigger.token,), stage.tokens_of(stage.mentions[number])))
                for rank, number in enumerate(taking_part)
            ]
        for rank, number, path in ways[trigger.token]:
            yield Link(trigger, number, rank, path)


def facts(stage: Stage, link: Link, groups: WordGroups | None = None) -> list[str]:
    """What can be said of a link without its type: its words, the way between them, what stands around.

    ``groups`` adds the groups of similar words that these words are in.
    """
    token, tokens = link.trigger.token, stage.tokens_of(stage.mentions[link.entity])
    return [*_word_facts(stage, token, groups), *_entity_facts(stage, tokens), *_way_facts(stage, link, tokens, groups)]


def _word_facts(stage: Stage, token: int, groups: WordGroups | None) -> list[str]:
    """Those of the word alone."""
    shown, word = stage.blinded, stage.words[token]
    before, after = _shown(shown, token - 1), _shown(shown, token + 1)
    found = [
        f"word {word}", f"tag {stage.tokens[token].pos}", f"before {before}", f"after {after}", f"word+after {word} {after}",
        f"before+word {before} {word}",
    ]  # fmt: skip
    for other, label in stage.graph.steps[token].items():
        found += (f"around {label}", f"around {label} {shown[other]}")
        if groups is not None:
            found += [f"around group {label} {number}" for number in groups(stage.words[other])[1:2]]
    if groups is not None:
        found += [f"group{grain} {number}" for grain, number in enumerate(groups(word))]
    return found


def _entity_facts(stage: Stage, tokens: Sequence[int]) -> list[str]:
    """Those of the entity alone."""
    shown = stage.blinded
    return [
        f"before entity {_shown(shown, tokens[0] - 1)}", f"after entity {_shown(shown, tokens[-1] + 1)}",
        f"two after entity {' '.join(shown[tokens[-1] + 1 : tokens[-1] + 3])}",
    ]  # fmt: skip


def _way_facts(stage: Stage, link: Link, tokens: Sequence[int], groups: WordGroups | None) -> list[str]:
    """Those of the way between both; of the trigger's groups at every grain, of other words at the finer ones."""
    token, shown, words = link.trigger.token, stage.blinded, stage.words
    word, tag, edges = words[token], stage.tokens[token].pos, link.path.edges
    way = _way(stage, link.path)
    labels, side = " ".join(edges), "<" if tokens[0] < token else ">"
    first, last = (edges[0], edges[-1]) if edges else ("", "")
    distance = sum([abs(tokens[0] - token) > most for most in _DISTANCES])
    inner = link.path.tokens[1:-1]
    found = [
        f"labels {labels}", f"steps {len(edges)}", f"word+labels {word} {labels}", f"word+way {word} {' '.join(way)}",
        f"side {side}{distance}", f"side+labels {side} {labels}", f"first {first}", f"last {last}",
        f"word+first {word} {first}", f"entities {min(sum([not stage.is_free(one) for one in inner]), 2)}",
        f"rank {min(link.rank, _RANKS)}", f"word+side {word} {side}", f"tag+labels {tag} {labels}",
    ]  # fmt: skip
    for size in (1, 2, 3):
        found += [f"way {' '.join(way[start : start + size])}" for start in range(len(way) - size + 1)]
    between = shown[tokens[-1] + 1 : token] if tokens[0] < token else shown[token + 1 : tokens[0]]
    if len(between) <= _WORDS_BETWEEN:
        found += [f"between {one}" for one in between]
        found.append(f"all between {side} {' '.join(between[:5])}")
    if groups is not None:
        for grain, number in enumerate(groups(word)):
            found += (f"group{grain}+labels {number} {labels}", f"group{grain}+side {number} {side}")
        found += [f"way group {number}" for one in inner for number in groups(words[one])[1:]]
    return found


def _way(stage: Stage, path: DependencyPath) -> list[str]:
    inner = [*(stage.blinded[token] for token in path.tokens[1:-1]), ""]
    return [symbol for step in zip(path.edges, inner) for symbol in step if symbol]


def _shown(words: list[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""


LINKED = (THEME, CAUSE)
COLUMNS = 1 << 17
STRENGTH = 0.1
GRID = 128
"""Weights are multiples of 1 / GRID."""
FEWEST = 20
"""With fewer positive links of a role nothing is learned."""
Weights = NDArray[np.float32]
Places = NDArray[np.int64]


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
                found = list(links(stage, [one for one in policy.triggers(stage) if gold.covers(one.type)], policy))
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
        of_facts, intercepts = self._table
        scores = np.asarray(_rows(stage, found, self.groups) @ of_facts + intercepts, np.float64)
        return dict(zip(self.weights, scores.T, strict=True))

    @cached_property
    def _table(self) -> tuple[Weights, Weights]:
        """The weights of facts and numbers, a column for each role, and the intercepts."""
        table = np.stack(list(self.weights.values()), axis=1)
        return table[:-1], table[-1]

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


def _hashed(stage: Stage, found: Sequence[Link], groups: WordGroups | None) -> tuple[NDArray[np.uint64], Places, Places]:
    """The facts of links: their hashes, where those of each word with each entity end, and which of these a link is of."""
    of_words: dict[int, array[int]] = {}
    of_entities: dict[int, array[int]] = {}
    places: dict[tuple[int, int], int] = {}
    hashed = array("Q")
    ends: list[int] = []
    for link in found:
        token, entity = link.trigger.token, link.entity
        if places.setdefault((token, entity), len(ends)) == len(ends):
            tokens = stage.tokens_of(stage.mentions[entity])
            if token not in of_words:
                of_words[token] = array("Q", map(_hash, _word_facts(stage, token, groups)))
            if entity not in of_entities:
                of_entities[entity] = array("Q", map(_hash, _entity_facts(stage, tokens)))
            hashed += of_words[token]
            hashed += of_entities[entity]
            hashed.extend(map(_hash, _way_facts(stage, link, tokens, groups)))
            ends.append(len(hashed))
    of_links = [places[link.trigger.token, link.entity] for link in found]
    return np.array(hashed), np.array(ends, np.int64), np.array(of_links, np.int64)


def _rows(stage: Stage, found: Sequence[Link], groups: WordGroups | None) -> sparse.csr_matrix:
    """One row per link: its facts, the same together with the type, and the numbers."""
    own, ends, place = _hashed(stage, found, groups)
    sizes = np.diff(ends, prepend=0)
    kinds = np.array([_hash(link.trigger.type) | 1 for link in found], np.uint64)
    row = np.repeat(np.arange(len(found)), sizes[place])
    # the facts of a link are those of its place, which lie together
    shift = (ends - sizes)[place] - (np.cumsum(sizes[place]) - sizes[place])
    own = own[np.arange(row.size) + shift[row]]
    width, many = COLUMNS + len(NUMBERS), np.uint64(COLUMNS)
    columns = np.concatenate([own % many, (own * kinds[row] >> np.uint64(7)) % many, kinds % many]).astype(np.int64)
    starts = width * np.arange(len(found) + 1)
    last = np.arange(-len(NUMBERS), 0) + starts[1:, None]
    at = np.sort(np.concatenate([columns + starts[np.r_[row, row, : len(found)]], last], axis=None))
    at = at[np.append(True, at[1:] != at[:-1])]
    values = np.ones(at.size, np.float32)
    rows = np.searchsorted(at, starts)
    first = {link.entity: stage.tokens_of(stage.mentions[link.entity])[0] for link in found}
    told = [
        (
            log(max(link.trigger.share, LEAST_SHARE)),
            len(link.path.edges) / 5,
            log1p(abs(first[link.entity] - link.trigger.token)),
        )
        for link in found
    ]
    values[rows[1:, None] + np.arange(-len(NUMBERS), 0)] = told
    return sparse.csr_matrix((values, at % width, rows), (len(found), width))


def _hash(fact: str) -> int:
    return mrmr.hash(fact, 0) & 0xFFFFFFFF  # MurmurHash3 as scikit-learn has it, which would take a second to load


def _roles(stage: Stage, link: Link, gold: GoldInteractions) -> tuple[bool, bool]:
    """Whether the annotation says that the entity is a theme, or a cause, of what the word names."""
    token, kind = stage.tokens[link.trigger.token], link.trigger.type
    trigger = trigger_mention(kind, token.start, token.end, stage.document.text[token.start : token.end])
    entity = stage.mentions[link.entity].id
    return gold.states(kind, {THEME: entity}, trigger), gold.has_cause(kind, entity, trigger)


CLUES: tuple[str, ...] = (
    "first", "second", "weaker", "stronger", "both", "first_as_theme", "second_as_cause", "first_as_cause",
    "second_of_other_type", "first_of_other_type", "other_theme", "other_cause", "likelier_themes", "likelier_causes",
    "linked", "other_themes", "steps_first", "steps_second", "steps_between", "trigger_on_path", "words_first",
    "words_second", "words_between", "first_before_second", "trigger_between", "event_to_first", "event_to_second",
    "event_of_second", "event_of_first", "share", "same_name", "entities", "words", "alone", "two_themes",
    "regulation", "positive", "negative",
)  # fmt: skip
"""Names of the clues, in order. Of a cause and a theme the cause is the first, of two themes the first in the text."""
UNLIKELY = -8.0
"""Log-odds of what is not there."""


class SentenceLinks:
    """The links of one sentence, scored; asked for the doubt and the clues of candidates put together of them."""

    def __init__(self, stage: Stage, found: Sequence[Link], model: LinkModel) -> None:
        self.stage = stage
        scores = model.log_odds(stage, found)
        self._theme: dict[tuple[int, str], dict[int, float]] = {}
        self._cause: dict[tuple[int, str], dict[int, float]] = {}
        self._types: dict[int, list[str]] = {}
        self._events: dict[int, dict[int, float]] = {}
        self._doubts: dict[tuple[int, str], tuple[dict[int, float], dict[int, float]]] = {}
        self._likely: dict[tuple[int, str], dict[int, float]] = {}
        self._known: dict[tuple[int, int], _Near] = {}
        self._pairs: dict[tuple[int, int], tuple[float, tuple[int, ...], bool]] = {}
        for link, theme, cause in zip(found, scores[THEME].tolist(), scores[CAUSE].tolist(), strict=True):
            trigger = link.trigger
            place = trigger.token, trigger.type
            if place not in self._theme:
                self._theme[place], self._cause[place] = {}, {}
                self._types.setdefault(trigger.token, []).append(trigger.type)
            self._theme[place][link.entity], self._cause[place][link.entity] = theme, cause
            events = self._events.setdefault(link.entity, {})
            events[trigger.token] = max(theme, events.get(trigger.token, UNLIKELY))

    def linked(self, trigger: Trigger) -> list[int]:
        """The entities that the trigger is linked to, in the order of the text."""
        return sorted(self._theme.get((trigger.token, trigger.type), ()))

    def doubt(self, trigger: Trigger, members: Mapping[str, int]) -> float:
        """Minus the logarithm of the probability that all links are right, as if they were independent.

        One link counts twice, so that one bound serves interactions and events about one participant.
        """
        of_theme, of_cause = self.doubts(trigger)
        doubts = [(of_cause if role == CAUSE else of_theme)[entity] for role, entity in members.items()]
        return 2 * doubts[0] if len(doubts) == 1 else sum(doubts)

    def doubts(self, trigger: Trigger) -> tuple[dict[int, float], dict[int, float]]:
        """The doubt of each linked entity as a theme, and as a cause."""
        place = trigger.token, trigger.type
        if place not in self._doubts:
            self._doubts[place] = (_doubts(self._theme.get(place, {})), _doubts(self._cause.get(place, {})))
        return self._doubts[place]

    def clues(self, trigger: Trigger, members: Mapping[str, int]) -> tuple[float, ...]:
        """The row of a candidate; see :data:`CLUES`. Of three participants the cause and the first theme count."""
        token, kind = trigger.token, trigger.type
        theme, cause = self._theme[token, kind], self._cause[token, kind]
        second = members[THEME2] if CAUSE not in members and THEME2 in members else members[THEME]
        first = members.get(CAUSE, members[THEME])
        alone = len(members) == 1
        own = cause if CAUSE in members else theme
        one, two = (UNLIKELY if alone else own[first]), theme[second]
        taken = members.values()
        others = [entity for entity in theme if entity not in taken]
        themes, causes = [theme[entity] for entity in others], [cause[entity] for entity in others]
        shares = self._shares(token, kind)
        to_first, to_second = self._near(token, first), self._near(token, second)
        between, on_path, same_name = self._two(first, second)
        return (
            one, two, min(one, two), max(one, two), one + two, theme[first], cause[second], cause[first],
            self._of_other_types(self._theme, token, kind, second), self._of_other_types(self._cause, token, kind, first),
            max(themes, default=UNLIKELY), max(causes, default=UNLIKELY),
            float(sum([score > two for score in themes])),
            float(sum([score > one for score in (causes if own is cause else themes)])),
            float(len(theme)),
            sum([shares[entity] for entity in others]),
            to_first.steps, to_second.steps, between, float(token in on_path),
            to_first.words, to_second.words, abs(to_first.words - to_second.words),
            float(to_first.words < to_second.words), float((to_first.words < 0) != (to_second.words < 0)),
            to_first.on_way, to_second.on_way, to_second.beside, to_first.beside,
            log(max(trigger.share, LEAST_SHARE)), float(same_name and not alone), float(len(self.stage.mentions)),
            float(len(self.stage.tokens)), float(alone), float(THEME2 in members),
            float(kind in REGULATIONS), float(kind.startswith("Positive")), float(kind.startswith("Negative")),
        )  # fmt: skip

    def _shares(self, token: int, kind: str) -> dict[int, float]:
        """For each linked entity how likely it is the theme."""
        if (token, kind) not in self._likely:
            theme = self._theme[token, kind]
            self._likely[token, kind] = {entity: 1 / (1 + exp(-score)) for entity, score in theme.items()}
        return self._likely[token, kind]

    def _of_other_types(self, scores: _Scores, token: int, kind: str, entity: int) -> float:
        """The highest score of an entity by another type that the word may name."""
        return max([scores[token, other][entity] for other in self._types[token] if other != kind], default=UNLIKELY)

    def _near(self, token: int, entity: int) -> _Near:
        """How a word stands to an entity, whatever it names."""
        found = self._known.get((token, entity))
        if found is None:
            tokens, events = self.stage.tokens_of(self.stage.mentions[entity]), self._events[entity]
            path = self.stage.graph.shortest_path((token,), tokens)
            on_way = max([events.get(one, UNLIKELY) for one in path.tokens[1:-1]], default=UNLIKELY)
            beside = max([score for one, score in events.items() if one != token], default=UNLIKELY)
            found = self._known[token, entity] = _Near(float(len(path.edges)), float(tokens[0] - token), on_way, beside)
        return found

    def _two(self, first: int, second: int) -> tuple[float, tuple[int, ...], bool]:
        """Steps between two entities, the tokens on the way, and whether both have the same name."""
        found = self._pairs.get((first, second))
        if found is None:
            one, two = self.stage.mentions[first], self.stage.mentions[second]
            path = self.stage.graph.shortest_path(self.stage.tokens_of(one), self.stage.tokens_of(two))
            is_same = one.text.casefold() == two.text.casefold()
            found = self._pairs[first, second] = float(len(path.edges)), path.tokens, is_same
        return found


class _Near(NamedTuple):
    """Steps and words from a word to an entity; how likely a word on the way, or any other, names something about it."""

    steps: float
    words: float
    on_way: float
    beside: float


_Scores = Mapping[tuple[int, str], Mapping[int, float]]


def _doubts(log_odds: Mapping[int, float]) -> dict[int, float]:
    return {entity: log1p(exp(-own)) for entity, own in log_odds.items()}


def _row(scene: Scene) -> Sequence[float]:
    return scene.candidate.clues or [0.0] * len(CLUES)


CLUES_VIEW = TableView("clues", _row, CLUES)
