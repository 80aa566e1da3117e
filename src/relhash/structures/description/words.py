"""What stands between two participants and right beside them: how much, and which function words and signs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log1p

from relhash.language.cues import NEGATIONS
from relhash.structures.description.triggers import NEAR, TriggerFacts, stem_groups
from relhash.structures.scene import Scene
from relhash.structures.stage import Stage
from relhash.structures.symbols import NUMBER, is_symbol

__all__ = ["COLUMNS", "WordFacts"]

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

    def __call__(self, scene: Scene) -> list[float]:
        first, last = scene.tokens[0][0], max(tokens[-1] for tokens in scene.tokens)
        inner = [shown for gap in scene.between for shown in gap]
        words = len(self.stage.tokens)
        opened = sum(shown in _OPENING for shown in inner)
        closed = sum(shown in _CLOSING for shown in inner)
        follower = inner[0] if inner else ""
        near = range(first - NEAR, last + NEAR + 1)
        end = scene.tokens[-1][-1] + 1
        return [
            log1p(sum(is_symbol(shown) and shown != NUMBER for shown in inner)),
            log1p(len(inner)),
            log1p(first),
            log1p(words - 1 - last),
            log1p(words),
            first / words,
            float(first == 0),
            float(not inner),
            float(opened + closed > 0),
            float(opened != closed),
            float(any(shown in NEGATIONS for shown in inner)),
            float(any(token in near for token in self.negations)),
            float(any(shown in _COORDINATIONS for shown in inner)),
            log1p(sum(shown in (",", ";") for shown in inner)),
            float(";" in inner or ":" in inner),
            *(float(follower in signs) for signs in _FOLLOWERS.values()),
            *self._kinds_between(scene),
            log1p(sum(bool(stem_groups(shown)) for shown in inner)),
            *self._just_before(scene, first),
            *_which(_BETWEEN, inner),
            *_which(_BEFORE, [scene.shown_as(first - 1)] if first else ()),
            *_which(_BEFORE, inner[-1:]),
            *_which(_AFTER, [scene.shown_as(end)] if end < words else ()),
        ]

    def _kinds_between(self, scene: Scene) -> tuple[float, float]:
        verbs = nouns = 0
        for token in range(scene.tokens[0][-1] + 1, scene.tokens[-1][0]):
            pos = self.stage.tokens[token].pos
            verbs += pos.startswith("V")
            nouns += pos.startswith(("N", "PROPN")) and scene.is_free(token)
        return log1p(verbs), log1p(nouns)

    def _just_before(self, scene: Scene, first: int) -> tuple[float, float]:
        tokens = range(max(0, first - _JUST_BEFORE), first)
        return (
            float(any(token in self._triggers.groups for token in tokens)),
            float(any(scene.shown_as(token) == "between" for token in tokens)),
        )


def _which(words: Sequence[str], present: Iterable[str]) -> list[float]:
    found = set(present)
    return [float(word in found) for word in words]
