"""What the descriptors say of a candidate: one class for each kind of fact, with the names of its columns.

Such a class is made once for a sentence and called for every candidate in it; :mod:`relhash.candidates.descriptors` puts the
columns together.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import log1p

from relhash.biomed.cues import NEGATIONS
from relhash.candidates.candidate import overlap
from relhash.candidates.scene import Scene, Stage
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
    """Words that name what happens between proteins; ``groups`` has the stem groups of each. Words in names are none."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.groups = {token: groups for token, word in enumerate(stage.blinded) if (groups := stem_groups(word))}

    def __call__(self, scene: Scene, on_path: set[int]) -> list[float]:
        participants = scene.tokens
        gap = _last_and_first(participants[0], participants[-1])
        first, last = participants[0][0], max(tokens[-1] for tokens in participants)
        columns = [0.0] * len(TRIGGER_COLUMNS)
        own_tokens = [own for tokens in participants for own in tokens]
        for token, groups in self.groups.items():
            distance = min([abs(token - own) for own in own_tokens])
            between = gap[0] < token < gap[1]
            near = first - NEAR <= token < first or last < token <= last + NEAR
            for group in groups:
                position = 4 * group
                if between:
                    columns[position] = 1.0
                if token in on_path:
                    columns[position + 1] = 1.0
                if near:
                    columns[position + 2] = 1.0
                columns[position + 3] = max(columns[position + 3], 1.0 / (1.0 + distance))
        return columns


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
        self._verbs = [token.pos.startswith("V") for token in stage.tokens]
        self._nouns = [token.pos.startswith(("N", "PROPN")) for token in stage.tokens]

    def __call__(self, scene: Scene) -> list[float]:
        first, last = scene.tokens[0][0], max(tokens[-1] for tokens in scene.tokens)
        gaps = scene.between
        inner = gaps[0] if len(gaps) == 1 else [shown for gap in gaps for shown in gap]
        present = set(inner)
        words = len(self.stage.tokens)
        opened = sum(map(_OPENING.__contains__, inner))
        closed = sum(map(_CLOSING.__contains__, inner))
        near = range(first - NEAR, last + NEAR + 1)
        end = scene.tokens[-1][-1] + 1
        return [
            log1p(sum(map(_is_entity, inner))),
            log1p(len(inner)),
            log1p(first),
            log1p(words - 1 - last),
            log1p(words),
            first / words,
            float(first == 0),
            float(not inner),
            float(opened + closed > 0),
            float(opened != closed),
            float(not NEGATIONS.isdisjoint(present)),
            float(any(token in near for token in self.negations)),
            float(not _COORDINATIONS.isdisjoint(present)),
            log1p(sum(map((",", ";").__contains__, inner))),
            float(";" in present or ":" in present),
            *_followed_by(inner[0] if inner else ""),
            *self._kinds_between(scene),
            log1p(sum(map(_is_trigger, inner))),
            *self._just_before(scene, first),
            *map(float, map(present.__contains__, _BETWEEN)),
            *_which(_BEFORE, scene.shown_as(first - 1) if first else None),
            *_which(_BEFORE, inner[-1] if inner else None),
            *_which(_AFTER, scene.shown_as(end) if end < words else None),
        ]

    def _kinds_between(self, scene: Scene) -> tuple[float, float]:
        start, stop = scene.tokens[0][-1] + 1, scene.tokens[-1][0]
        if start >= stop:
            return 0.0, 0.0
        nouns = sum(is_noun and scene.is_free(token) for token, is_noun in enumerate(self._nouns[start:stop], start))
        return log1p(sum(self._verbs[start:stop])), log1p(nouns)

    def _just_before(self, scene: Scene, first: int) -> tuple[float, float]:
        tokens = range(max(0, first - _JUST_BEFORE), first)
        return (
            float(any(token in self._triggers.groups for token in tokens)),
            float(any(scene.shown_as(token) == "between" for token in tokens)),
        )


@lru_cache(maxsize=4096)
def _which(words: tuple[str, ...], present: str | None) -> tuple[float, ...]:
    return tuple(float(word == present) for word in words)


@lru_cache(maxsize=4096)
def _followed_by(shown: str) -> tuple[float, ...]:
    return tuple(float(shown in signs) for signs in _FOLLOWERS.values())


@lru_cache(maxsize=65536)
def _is_entity(shown: str) -> bool:
    return is_symbol(shown) and shown != NUMBER


@lru_cache(maxsize=65536)
def _is_trigger(shown: str) -> bool:
    return bool(stem_groups(shown))


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

    def _sorted_gaps(self, mention: Mention) -> list[int]:
        """Words between ``mention`` and every other entity."""
        found = self._gaps.get(mention.id)
        if found is None:
            own = self.stage.tokens_of(mention)
            others = (self.stage.tokens_of(other) for other in self.stage.mentions if other.id != mention.id)
            found = self._gaps[mention.id] = sorted(_gap(tokens, own) for tokens in others)
        return found

    def _sorted_steps(self, mention: Mention) -> list[int]:
        """Steps in the parse from ``mention`` to every other entity."""
        found = self._steps.get(mention.id)
        if found is None:
            distances = self.stage.graph.distances(self.stage.tokens_of(mention))
            others = (self.stage.tokens_of(other) for other in self.stage.mentions if other.id != mention.id)
            found = self._steps[mention.id] = sorted(_nearest(distances, tokens) for tokens in others)
        return found


def _gap(left: Sequence[int], right: Sequence[int]) -> int:
    return max(right[0] - left[-1], left[0] - right[-1], 0)


def _nearest(distances: Sequence[int], tokens: Sequence[int]) -> int:
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


class PathFacts:
    """What lies on the dependency path; all columns are 0 where there is none."""

    def __init__(self, stage: Stage, triggers: TriggerFacts, words: WordFacts) -> None:
        self.stage = stage
        self._triggers = triggers
        self._negations = words.negations

    def __call__(self, scene: Scene) -> tuple[set[int], list[float]]:
        """Tokens on the path, and the columns about it."""
        if not scene.is_joined:
            return set(), [0.0] * len(PATH_COLUMNS)
        found = scene.paths
        nodes = [token for path in found for token in path.tokens[1:-1]]
        edges = [edge for path in found for edge in path.edges]
        up = sum(map(leads_up, edges))
        of_edges = [_kinds_of(edge) for edge in edges]
        kinds = {kind for of_edge in of_edges for kind in of_edge}
        tops = [path.top for path in found]
        top_kinds = {_top_kind(scene, top) for top in tops}
        on_path = set(nodes)
        others = {entity.id for token in nodes if (entity := scene.entity_of(token)) is not None}
        return on_path, [
            1.0,
            log1p(len(nodes)),
            log1p(len(others)),
            log1p(up),
            log1p(len(edges) - up),
            log1p(sum(token in self._triggers.groups for token in nodes)),
            log1p(sum("coordination" in of_edge for of_edge in of_edges)),
            float(len(edges) == 1),
            float(len(nodes) > 1 and scene.shown_as(nodes[0]) != scene.shown_as(nodes[-1])),
            float(all("coordination" in of_edge or "apposition" in of_edge for of_edge in of_edges)),
            float(all("modifier" in of_edge for of_edge in of_edges)),
            float("modifier" in of_edges[0] or "modifier" in of_edges[-1]),
            *map(float, map(kinds.__contains__, _LABEL_KINDS)),
            *map(float, map(top_kinds.__contains__, _TOP_KINDS)),
            float(any(top in self._triggers.groups for top in tops)),
            float(any(not self.stage.graph.governors[top] for top in tops)),
            float(self._is_denied(on_path)),
        ]

    def _is_denied(self, on_path: set[int]) -> bool:
        """Whether a negation stands on the path, or right beside it in the parse."""
        steps = self.stage.graph.steps
        return any(token in on_path or not on_path.isdisjoint(steps[token]) for token in self._negations)


@lru_cache(maxsize=4096)
def _kinds_of(edge: str) -> tuple[str, ...]:
    return label_kinds(edge_label(edge))


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
