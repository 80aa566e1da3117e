"""Clues: how likely the links of a candidate are, and what competes with them in its sentence.

A cause next to *induces* is worth little if another entity is the far likelier cause, or if the word rather names something
else. Each row is a matter of the sentence alone. A candidate of a policy that has learned no links has no clues: its row is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, log1p

from relhash.candidates.gold import CAUSE, THEME, THEME2
from relhash.candidates.scene import Scene, Stage
from relhash.candidates.statements.links import LEAST_SHARE, Link, LinkModel
from relhash.candidates.statements.triggers import REGULATIONS, Trigger
from relhash.candidates.view import TableView

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
        others = [entity for entity in theme if entity not in members.values()]
        others_of_type = [other for other in self._types[token] if other != kind]
        graph, tokens = self.stage.graph, self.stage.tokens_of
        first_tokens, second_tokens = (tokens(self.stage.mentions[entity]) for entity in (first, second))
        to_first, to_second = graph.shortest_path((token,), first_tokens), graph.shortest_path((token,), second_tokens)
        between = graph.shortest_path(first_tokens, second_tokens)
        names = {self.stage.mentions[entity].text.casefold() for entity in (first, second)}
        return (
            one, two, min(one, two), max(one, two), one + two, theme[first], cause[second], cause[first],
            max((self._theme[token, other][second] for other in others_of_type), default=UNLIKELY),
            max((self._cause[token, other][first] for other in others_of_type), default=UNLIKELY),
            max((theme[entity] for entity in others), default=UNLIKELY),
            max((cause[entity] for entity in others), default=UNLIKELY),
            float(sum(theme[entity] > two for entity in others)),
            float(sum(own[entity] > one for entity in others)),
            float(len(theme)),
            sum(1 / (1 + exp(-theme[entity])) for entity in others),
            float(len(to_first.edges)), float(len(to_second.edges)), float(len(between.edges)), float(token in between.tokens),
            float(first_tokens[0] - token), float(second_tokens[0] - token), float(abs(first_tokens[0] - second_tokens[0])),
            float(first_tokens[0] < second_tokens[0]), float((first_tokens[0] < token) != (second_tokens[0] < token)),
            self._event(first, to_first.tokens[1:-1]), self._event(second, to_second.tokens[1:-1]),
            self._event(second, self._events[second].keys() - {token}),
            self._event(first, self._events[first].keys() - {token}),
            log(max(trigger.share, LEAST_SHARE)), float(len(names) == 1 and not alone), float(len(self.stage.mentions)),
            float(len(self.stage.tokens)), float(alone), float(THEME2 in members),
            float(kind in REGULATIONS), float(kind.startswith("Positive")), float(kind.startswith("Negative")),
        )  # fmt: skip

    def _event(self, entity: int, tokens: Sequence[int] | set[int]) -> float:
        """How likely one of the words names something that the entity is the theme of."""
        events = self._events[entity]
        return max((events.get(token, UNLIKELY) for token in tokens), default=UNLIKELY)


def _doubts(log_odds: Mapping[int, float]) -> dict[int, float]:
    return {entity: log1p(exp(-own)) for entity, own in log_odds.items()}


def _row(scene: Scene) -> Sequence[float]:
    return scene.candidate.clues or [0.0] * len(CLUES)


CLUES_VIEW = TableView("clues", _row, CLUES)
