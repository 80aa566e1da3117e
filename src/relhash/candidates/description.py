"""What the descriptors say of a candidate: one class for each kind of fact, with the names of its columns.

Such a class is made once for a sentence and called for every candidate in it; :mod:`relhash.candidates.descriptors` puts the
columns together.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, chain
from math import inf, log1p
from operator import and_, or_
from typing import NamedTuple

from relhash.biomed.cues import NEGATIONS
from relhash.candidates.candidate import overlap
from relhash.candidates.graph import DependencyPath
from relhash.candidates.scene import NO_ENTITY, Scene, Stage
from relhash.candidates.symbols import NUMBER, edge_label, is_symbol, leads_up
from relhash.corpus.document import Mention

STEM_GROUPS = {
    "binding": "bind bound interact associat coprecipitat co-precipitat immunoprecipitat coimmunoprecipit co-immunoprecipit "
    "dimer heterodimer homodimer oligomer attach recruit contact ligand complex coupl cross-link crosslink two-hybrid affinity",
    "activation": "activat stimulat induc enhanc promot upregulat up-regulat increas trigger potentiat transactivat elevat",
    "inhibition": "inhibit suppress repress block antagoni prevent reduc decreas downregulat down-regulat abolish inactivat "
    "attenuat impair neutraliz abrogat",
    "modification": "phosphorylat dephosphorylat autophosphorylat acetylat deacetylat methylat ubiquitin sumoyl cleav modif "
    "glycosylat hydroly degrad proteoly",
    "regulation": "regulat modulat mediat control affect influenc depend requir effect alter respons target",
    "part_of": "subunit component contain consist compris domain member compos constitut assembl include",
}
NEAR = 5
"""How many words before the first or after the last participant count as near."""

TRIGGER_COLUMNS = tuple(f"{group}_{place}" for group in STEM_GROUPS for place in ("between", "path", "near", "closeness"))


class TriggerFacts:
    """Words that name what happens between proteins; ``groups`` has the stem groups of each. Words in names are none.

    Sets of tokens are whole numbers with a bit for each: what they share is one operation.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.groups = {token: groups for token, word in enumerate(stage.blinded) if (groups := stem_groups(word))}
        self._tokens = [[token for token, own in self.groups.items() if group in own] for group in range(len(STEM_GROUPS))]
        self._bits = [bits_of(tokens) for tokens in self._tokens]
        self._near: dict[tuple[int, ...], list[float]] = {}

    def __call__(self, scene: Scene, on_path: int) -> list[float]:
        participants = scene.tokens
        left, right = _last_and_first(participants[0], participants[-1])
        first, last = participants[0][0], max([tokens[-1] for tokens in participants])
        between = _bits_from(left + 1, right)
        near = _bits_from(first - NEAR, first) | _bits_from(last + 1, last + NEAR + 1)
        columns: list[float] = []
        for bits, distance in zip(self._bits, map(min, *map(self._distances, participants)), strict=True):
            columns += (float(bits & between > 0), float(bits & on_path > 0), float(bits & near > 0), 1.0 / (1.0 + distance))
        return columns

    def _distances(self, participant: tuple[int, ...]) -> list[float]:
        """For each group how far its nearest word is from a participant."""
        found = self._near.get(participant)
        if found is None:
            found = self._near[participant] = [
                min([abs(token - own) for token in tokens for own in participant], default=inf) for tokens in self._tokens
            ]
        return found


def bits_of(tokens: Iterable[int]) -> int:
    """A set of tokens as a whole number."""
    return sum([1 << token for token in set(tokens)])


def _bits_from(first: int, after: int) -> int:
    """The tokens from ``first`` on and before ``after``."""
    first = max(first, 0)
    return (1 << after) - (1 << first) if after > first else 0


@lru_cache(maxsize=65536)
def stem_groups(word: str) -> tuple[int, ...]:
    """Numbers of the stem groups a word belongs to.

    >>> [list(STEM_GROUPS)[number] for number in stem_groups("phosphorylates")]
    ['modification']
    """
    if is_symbol(word):
        return ()
    return tuple(number for number, stems in enumerate(_STEMS) if word.startswith(stems))


_STEMS = tuple(tuple(stems.split()) for stems in STEM_GROUPS.values())


def _last_and_first(left: Sequence[int], right: Sequence[int]) -> tuple[int, int]:
    """The last token of the first participant before the second begins, and where that is."""
    return max((token for token in left if token <= right[0]), default=right[0]), right[0]


_COORDINATIONS = frozenset({"and", "or", "nor", "&", "plus", "as"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_FOLLOWERS = {
    "hyphen": frozenset({"-", "–", "—", "/", "‐", ":", "·", "*", "."}),
    "parenthesis": _OPENING | _CLOSING,
    "and": frozenset({"and", "or", "&"}),
    "comma": frozenset({",", ";"}),
}
_JUST_BEFORE = 4
"""So many words before the first participant may announce the pair: "interaction between"."""
_BETWEEN = ("of", "with", "by", "to", "for", "from", "in", "on", "that", "which", "but", "as", "is", "was")
_BEFORE = ("of", "with", "by", "to", "and", "the", "(", ",", "-", "/", "that")
_AFTER = (".", ",", ")", "(", "and", "-", "/")

WORD_COLUMNS = (
    "log_entities_between", "log_words_between", "log_words_before", "log_words_after", "log_words", "share_of_words_before",
    "starts_sentence", "adjacent", "parenthesis_between", "unclosed_parenthesis_between", "negation_between", "negation_near",
    "coordination_between", "comma_between", "clause_sign_between",
    *(f"followed_by_{name}" for name in _FOLLOWERS),
    "log_verbs_between", "log_nouns_between", "log_triggers_between", "trigger_just_before", "between_just_before",
    *(f"between:{word}" for word in _BETWEEN),
    *(f"before_first:{word}" for word in _BEFORE),
    *(f"before_last:{word}" for word in _BEFORE),
    *(f"after_last:{word}" for word in _AFTER),
)  # fmt: skip


class WordFacts:
    """What stands between two participants and right beside them; ``negations`` are the tokens that negate."""

    def __init__(self, stage: Stage, triggers: TriggerFacts) -> None:
        self.stage = stage
        self._triggers = triggers
        self.negations = [token for token, shown in enumerate(stage.blinded) if shown in NEGATIONS]
        self._nouns = [token.pos.startswith(("N", "PROPN")) for token in stage.tokens]
        # how many there are before each token
        self._verbs_before = [0, *accumulate([token.pos.startswith("V") for token in stage.tokens])]
        is_free = [owner == NO_ENTITY for owner in stage.owners]
        self._nouns_before = [0, *accumulate(map(and_, self._nouns, is_free))]

    def __call__(self, scene: Scene) -> list[float]:
        first, last = scene.tokens[0][0], max([tokens[-1] for tokens in scene.tokens])
        gaps = scene.between
        inner = gaps[0] if len(gaps) == 1 else [shown for gap in gaps for shown in gap]
        words = len(self.stage.tokens)
        near = range(first - NEAR, last + NEAR + 1)
        end = scene.tokens[-1][-1] + 1
        entities, signs, negation, coordination, clauses, triggers, listed = _inside(sum(map(_said, inner)))
        return [
            entities,
            log1p(len(inner)),
            log1p(first),
            log1p(words - 1 - last),
            log1p(words),
            first / words,
            float(first == 0),
            float(not inner),
            *signs,
            negation,
            float(any(token in near for token in self.negations)),
            coordination,
            *clauses,
            *_followed_by(inner[0] if inner else ""),
            *self._kinds_between(scene),
            triggers,
            *self._just_before(scene, first),
            *listed,
            *_which(_BEFORE, scene.shown_as(first - 1) if first else None),
            *_which(_BEFORE, inner[-1] if inner else None),
            *_which(_AFTER, scene.shown_as(end) if end < words else None),
        ]

    def _kinds_between(self, scene: Scene) -> tuple[float, float]:
        start, stop = scene.tokens[0][-1] + 1, scene.tokens[-1][0]
        if start >= stop:
            return 0.0, 0.0
        nouns = self._nouns_before[stop] - self._nouns_before[start]
        for token in scene.own_tokens:  # where the candidate shows something else than the sentence
            if start <= token < stop and self._nouns[token]:
                nouns += scene.is_free(token) - self.stage.is_free(token)
        return log1p(self._verbs_before[stop] - self._verbs_before[start]), log1p(nouns)

    def _just_before(self, scene: Scene, first: int) -> tuple[float, float]:
        tokens = range(max(0, first - _JUST_BEFORE), first)
        return (
            float(any(token in self._triggers.groups for token in tokens)),
            float("between" in map(scene.shown_as, tokens)),
        )


_COUNT = 32
"""Bits of a number in which several counts stand side by side."""
_MOST = (1 << _COUNT) - 1


@lru_cache(maxsize=65536)
def _said(shown: str) -> int:
    """What a word counts for, a field each, so that the words of a stretch are counted by adding up."""
    facts = (
        is_symbol(shown) and shown != NUMBER, shown in _OPENING, shown in _CLOSING, shown in NEGATIONS,
        shown in _COORDINATIONS, shown in (",", ";"), shown in (";", ":"), bool(stem_groups(shown)),
        *(shown == word for word in _BETWEEN),
    )  # fmt: skip
    return sum([is_so << _COUNT * place for place, is_so in enumerate(facts)])


@lru_cache(maxsize=65536)
def _inside(
    counts: int,
) -> tuple[float, tuple[float, float], float, float, tuple[float, float], float, tuple[float, ...]]:
    """The columns that follow from what was counted between participants."""
    entities, opened, closed, negations, coordinations, commas, clauses, triggers, *listed = (
        counts >> _COUNT * place & _MOST for place in range(8 + len(_BETWEEN))
    )
    return (
        log1p(entities),
        (float(opened + closed > 0), float(opened != closed)),
        float(negations > 0),
        float(coordinations > 0),
        (log1p(commas), float(clauses > 0)),
        log1p(triggers),
        tuple([float(count > 0) for count in listed]),
    )


@lru_cache(maxsize=4096)
def _which(words: tuple[str, ...], present: str | None) -> tuple[float, ...]:
    return tuple(float(word == present) for word in words)


@lru_cache(maxsize=4096)
def _followed_by(shown: str) -> tuple[float, ...]:
    return tuple(float(shown in signs) for signs in _FOLLOWERS.values())


NAME_COLUMNS = ("same_name", "nested", "shared_token", "name_likeness", "name_shared_start", "name_abbreviation", "name_inside")

_SEPARATORS = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d")
_SHORTER_BY = 3
"""An abbreviation is so many characters shorter than what it stands for."""


def name_facts(scene: Scene) -> list[float]:
    """How alike the names are: "Interleukin-2 (IL-2)" is one thing named twice, "IL-2 and IL-4" are mostly listed."""
    first, last = scene.candidate.mentions[0], scene.candidate.mentions[-1]
    return [
        float(first.text.casefold() == last.text.casefold()),
        float(overlap(first, last)),
        float(not set(scene.tokens[0]).isdisjoint(scene.tokens[-1])),
        *likeness(first.text, last.text),
    ]


@lru_cache(maxsize=65536)
def likeness(first: str, second: str) -> tuple[float, float, float, float]:
    """Share of common trigrams; of the shorter name, the share that both begin with; abbreviation; one inside the other.

    >>> likeness("IL-2", "IL-4")[1:]
    (0.6666666666666666, 0.0, 0.0)
    """
    left, right = first.casefold(), second.casefold()
    left_grams, right_grams = _trigrams(left), _trigrams(right)
    alike = len(left_grams & right_grams) / len(left_grams | right_grams)
    left, right = _plain(left), _plain(right)
    shorter = min(len(left), len(right))
    if not shorter:
        return alike, 0.0, 0.0, 0.0
    start = next((i for i in range(shorter) if left[i] != right[i]), shorter) / shorter
    return alike, start, float(is_abbreviation(first, second)), float(left in right or right in left)


def is_abbreviation(first: str, second: str) -> bool:
    """Whether one of the names may stand for the other: by its initials, or by some of its letters in their order.

    >>> is_abbreviation("tumor necrosis factor", "TNF"), is_abbreviation("IL-2", "interleukin-2"), is_abbreviation("Ras", "Raf")
    (True, True, False)
    """
    long, short = sorted((first.casefold(), second.casefold()), key=lambda name: len(_plain(name)), reverse=True)
    letters, wanted = _plain(long), _plain(short)
    if not wanted or len(letters) < len(wanted) + _SHORTER_BY:
        return False
    words = [word for word in _SEPARATORS.split(long) if word]
    without_digits = _DIGITS.sub("", wanted)
    if without_digits and _DIGITS.sub("", "".join(word[0] for word in words)) == without_digits:
        return True
    remaining = iter(letters)
    return letters[0] == wanted[0] and len(words) > 1 and all(letter in remaining for letter in wanted)


@lru_cache(maxsize=16384)
def _trigrams(name: str) -> frozenset[str]:
    padded = f"#{name}#"
    return frozenset([padded[i : i + 3] for i in range(max(1, len(padded) - 2))])


@lru_cache(maxsize=16384)
def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name)


COMPANY_COLUMNS = (
    "log_entities", "log_names", "log_same_name_elsewhere", "same_name_closer", "log_distance", "log_closer_to_either",
    "log_closer_to_one", "log_path_distance", "log_path_closer_to_either", "log_path_closer_to_one",
)  # fmt: skip

_UNREACHABLE = 30
"""The distance, in steps of the parse, of entities that no path joins."""


class CompanyFacts:
    """How a pair stands among the other entities of its sentence; each distance is searched for once.

    That another entity is nearer, or that the same name stands nearer a second time, speaks against a pair.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._gaps: dict[str, list[int]] = {}
        self._steps: dict[str, list[int]] = {}

    def __call__(self, scene: Scene) -> list[float]:
        first, last = scene.candidate.mentions[0], scene.candidate.mentions[-1]
        left, right = scene.tokens[0], scene.tokens[-1]
        gap = _gap(left, right)
        closer = sorted(bisect_left(self._sorted_gaps(mention), gap) for mention in (first, last))
        elsewhere, nearer = self._same_names(first, last, right, gap)
        others, nearer_others = self._same_names(last, first, left, gap)
        return [
            log1p(len(self.stage.mentions)),
            log1p(len(self._by_name)),
            log1p(elsewhere + others),
            float(nearer or nearer_others),
            log1p(gap),
            log1p(closer[0]),
            log1p(closer[1]),
            *(self._in_parse(first, last, right) if self.stage.is_parsed else (0.0, 0.0, 0.0)),
        ]

    def _in_parse(self, first: Mention, last: Mention, right: Sequence[int]) -> tuple[float, float, float]:
        steps = _nearest(self.stage.graph.distances(self.stage.tokens_of(first)), right)
        closer = sorted(bisect_left(self._sorted_steps(mention), steps) for mention in (first, last))
        return log1p(steps), log1p(closer[0]), log1p(closer[1])

    def _same_names(self, mention: Mention, partner: Mention, tokens: Sequence[int], gap: int) -> tuple[int, bool]:
        """How many other mentions have the name of ``mention``, and whether one is nearer to its partner's ``tokens``."""
        same = [
            other
            for other in self._by_name.get(mention.text.casefold(), ())
            if other.id != mention.id and other.id != partner.id
        ]
        return len(same), any(_gap(self.stage.tokens_of(other), tokens) < gap for other in same)

    @cached_property
    def _by_name(self) -> dict[str, list[Mention]]:
        found: dict[str, list[Mention]] = {}
        for mention in self.stage.mentions:
            found.setdefault(mention.text.casefold(), []).append(mention)
        return found

    @cached_property
    def _tokens(self) -> list[tuple[str, Sequence[int]]]:
        return [(mention.id, self.stage.tokens_of(mention)) for mention in self.stage.mentions]

    def _sorted_gaps(self, mention: Mention) -> list[int]:
        """Words between ``mention`` and every other entity."""
        found = self._gaps.get(mention.id)
        if found is None:
            own = self.stage.tokens_of(mention)
            found = self._gaps[mention.id] = sorted(_gap(tokens, own) for name, tokens in self._tokens if name != mention.id)
        return found

    def _sorted_steps(self, mention: Mention) -> list[int]:
        """Steps in the parse from ``mention`` to every other entity."""
        found = self._steps.get(mention.id)
        if found is None:
            steps = self.stage.graph.distances(self.stage.tokens_of(mention))
            found = self._steps[mention.id] = sorted(
                _nearest(steps, tokens) for name, tokens in self._tokens if name != mention.id
            )
        return found


def _gap(left: Sequence[int], right: Sequence[int]) -> int:
    return max(right[0] - left[-1], left[0] - right[-1], 0)


def _nearest(distances: Sequence[int], tokens: Sequence[int]) -> int:
    if len(tokens) == 1:
        return distances[tokens[0]] if distances[tokens[0]] >= 0 else _UNREACHABLE
    return min((distances[token] for token in tokens if distances[token] >= 0), default=_UNREACHABLE)


_LABEL_KINDS = {
    "subject": ("nsubj", "csubj", "xsubj"),
    "passive_subject": ("nsubjpass", "csubjpass", "nsubj:pass", "csubj:pass"),
    "object": ("dobj", "obj", "iobj", "dative"),
    "agent": ("agent", "prep_by", "nmod:by", "nmod:agent", "obl:agent", "obl:by"),
    "preposition": ("prep", "pobj", "nmod", "obl", "pcomp"),
    "coordination": ("conj",),
    "apposition": ("appos", "abbrev", "parataxis"),
    "modifier": ("nn", "amod", "compound", "num", "hyphen", "npadvmod", "poss"),
    "clause": ("ccomp", "xcomp", "advcl", "rcmod", "relcl", "acl", "partmod", "vmod", "infmod", "purpcl"),
}
_TOP_KINDS = ("verb", "noun", "adjective", "participant", "entity")

PATH_COLUMNS = (
    "has_path", "log_path_nodes", "log_path_entities", "log_steps_up", "log_steps_down", "log_path_triggers",
    "log_path_coordinations", "path_one_step", "path_two_words", "path_only_lists", "path_only_modifiers",
    "path_ends_in_modifier",
    *(f"path_{name}" for name in _LABEL_KINDS),
    *(f"top_{name}" for name in _TOP_KINDS),
    "top_trigger", "top_root", "path_negation",
)  # fmt: skip


class _OnPath(NamedTuple):
    """What is said of one path, whoever takes part; sets of tokens as in :class:`TriggerFacts`, sets of kinds alike."""

    nodes: tuple[int, ...]
    bits: int
    triggers: int
    up: int
    edges: int
    coordinations: int
    kinds: int
    """Those of any edge."""
    common: int
    """Those of every edge: :data:`_LISTED` if it is a coordination or an apposition."""
    ends: tuple[int, int]
    """Those of the first and of the last edge."""
    top: int
    is_denied: bool


class PathFacts:
    """What lies on the dependency path; all columns are 0 where there is none."""

    def __init__(self, stage: Stage, triggers: TriggerFacts, words: WordFacts) -> None:
        self.stage = stage
        self._triggers = triggers
        self._negations = words.negations
        self._paths: dict[tuple[int, ...], _OnPath] = {}

    def __call__(self, scene: Scene) -> tuple[int, list[float]]:
        """Tokens on the path, and the columns about it."""
        if not scene.is_joined:
            return 0, [0.0] * len(PATH_COLUMNS)
        found = [self._paths.get(path.tokens) or self._on(path) for path in scene.paths]
        one = found[0] if len(found) == 1 else _joined(found)
        nodes = one.nodes
        tops = [path.top for path in found]
        top_kinds = {_top_kind(scene, top) for top in tops}
        others = {entity.id for token in nodes if (entity := scene.entity_of(token)) is not None}
        return one.bits, [
            1.0,
            log1p(len(nodes)),
            log1p(len(others)),
            log1p(one.up),
            log1p(one.edges - one.up),
            log1p(one.triggers),
            log1p(one.coordinations),
            float(one.edges == 1),
            float(len(nodes) > 1 and scene.shown_as(nodes[0]) != scene.shown_as(nodes[-1])),
            float(one.common & _LISTED > 0),
            float(one.common & _MODIFIER > 0),
            float((one.ends[0] | one.ends[1]) & _MODIFIER > 0),
            *_kind_columns(one.kinds),
            *map(float, map(top_kinds.__contains__, _TOP_KINDS)),
            float(any(top in self._triggers.groups for top in tops)),
            float(any(not self.stage.graph.governors[top] for top in tops)),
            float(one.is_denied),
        ]

    def _on(self, path: DependencyPath) -> _OnPath:
        nodes, steps = path.tokens[1:-1], self.stage.graph.steps
        kinds = [_kinds_of(edge) for edge in path.edges]
        on_path = set(nodes)
        found = self._paths[path.tokens] = _OnPath(
            nodes,
            bits_of(nodes),
            sum([token in self._triggers.groups for token in nodes]),
            sum(map(leads_up, path.edges)),
            len(kinds),
            sum([bool(own & _COORDINATION) for own in kinds]),
            reduce(or_, kinds),
            reduce(and_, kinds),
            (kinds[0], kinds[-1]),
            path.top,
            # a negation stands on the path, or right beside it in the parse
            any(token in on_path or not on_path.isdisjoint(steps[token]) for token in self._negations),
        )
        return found


def _joined(found: Sequence[_OnPath]) -> _OnPath:
    """Paths from each participant to the next as one."""
    nodes, bits, triggers, up, edges, coordinations, kinds, common, ends, tops, denied = zip(*found, strict=True)
    return _OnPath(
        tuple(chain.from_iterable(nodes)), reduce(or_, bits), sum(triggers), sum(up), sum(edges), sum(coordinations),
        reduce(or_, kinds), reduce(and_, common), (ends[0][0], ends[-1][-1]), tops[0], any(denied),
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _kinds_of(edge: str) -> int:
    """The kinds of an edge, a bit each, and whether they make a list."""
    kinds = label_kinds(edge_label(edge))
    is_listed = "coordination" in kinds or "apposition" in kinds
    return sum([1 << number for number, kind in enumerate(_LABEL_KINDS) if kind in kinds]) | _LISTED * is_listed


@lru_cache(maxsize=4096)
def _kind_columns(kinds: int) -> tuple[float, ...]:
    return tuple([float(kinds >> number & 1) for number in range(len(_LABEL_KINDS))])


_COORDINATION, _MODIFIER = (1 << list(_LABEL_KINDS).index(kind) for kind in ("coordination", "modifier"))
_LISTED = 1 << len(_LABEL_KINDS)


@lru_cache(maxsize=4096)
def label_kinds(label: str) -> tuple[str, ...]:
    """Kinds of a dependency label, in any scheme: ``prep_by`` is an agent and a preposition."""
    exact = {kind for kind, labels in _LABEL_KINDS.items() if label in labels}
    base = label.replace(":", "_").split("_")[0]
    if not exact or base in ("prep", "prepc", "nmod", "obl"):
        exact |= {kind for kind, labels in _LABEL_KINDS.items() if base in labels or base.removesuffix("c") in labels}
    return tuple(kind for kind in _LABEL_KINDS if kind in exact)


def _top_kind(scene: Scene, token: int) -> str:
    if scene.participant_of(token) is not None:
        return "participant"
    if not scene.is_free(token):
        return "entity"
    pos = scene.stage.tokens[token].pos
    for kind, tags in (("verb", ("V", "AUX")), ("noun", ("N", "PROPN")), ("adjective", ("J", "ADJ"))):
        if pos.startswith(tags):
            return kind
    return ""
