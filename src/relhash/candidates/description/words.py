"""What stands between two participants and right beside them: how much, and which function words and signs."""

from __future__ import annotations

from functools import lru_cache
from math import log1p

from relhash.biomed.cues import NEGATIONS
from relhash.candidates.description.triggers import NEAR, TriggerFacts, stem_groups
from relhash.candidates.scene import Scene, Stage
from relhash.candidates.symbols import NUMBER, is_symbol

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

COLUMNS = (
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
    """Attributes: ``negations``, the tokens that negate."""

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
