"""All evidence for a pair of entities, merged to a belief (:mod:`relhash.facts`); answers count more than the model."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from relhash.corpus.document import Mention
from relhash.facts.entities import EntityKey, entity_key
from relhash.facts.merging import Fact, merge
from relhash.facts.statements import Participant, Statement
from relhash.models.answers.answer import Answer
from relhash.visible import visible
from relhash.web.curation import Curation

AT_MOST = 500


class PairViews:
    """The pairs of a text."""

    def __init__(self, curation: Curation) -> None:
        self.curation = curation

    @cached_property
    def _participants(self) -> list[tuple[Participant, Participant] | None]:
        """Of each candidate; ``None`` for an event about one entity."""
        return [_ends(candidate.mentions) for candidate in self.curation.teaching.candidates]

    @cached_property
    def _rows(self) -> dict[tuple[EntityKey, EntityKey], list[int]]:
        found: dict[tuple[EntityKey, EntityKey], list[int]] = {}
        for row, ends in enumerate(self._participants):
            if ends is not None:
                found.setdefault(_pair(ends[0].key, ends[1].key), []).append(row)
        return found

    def listed(self, search: str) -> list[dict[str, Any]]:
        """Pairs that some sentence states, by the model or by an answer; ``search`` is part of a name or an id."""
        wanted = search.casefold()
        with self.curation.lock:
            answers = self.curation.answers.decisions()
        facts = merge(self._statements(answers))
        chosen = [fact for fact in facts if any(wanted in name.casefold() for name in _names(fact))]
        return [self._shown(fact, answers) for fact in chosen[:AT_MOST]]

    def _statements(self, answers: dict[str, Answer]) -> list[Statement]:
        teaching, taught = self.curation.teaching, self.curation.moment.taught
        found = []
        for row, ends in enumerate(self._participants):
            candidate = teaching.candidates[row]
            answer = answers.get(candidate.key, Answer.SKIP)
            is_stated = taught.accepted[row] if answer.is_right is None else answer.is_right
            if ends is None or not (is_stated or answer is Answer.NEGATED):
                continue
            assertion = str(self.curation.assertions[row]) if answer.is_right is None else "asserted"
            found.append(
                Statement(
                    candidate.document.id,
                    ends,
                    teaching.relation(row),
                    float(taught.probabilities[row]) if answer.is_right is None else 1.0,
                    assertion="negated" if answer is Answer.NEGATED else assertion,
                    is_directed=False,  # one line for a pair, whichever way its relations run
                    sentence=str(candidate.sentence),
                )
            )
        return found

    def _shown(self, fact: Fact, answers: dict[str, Answer]) -> dict[str, Any]:
        teaching, taught = self.curation.teaching, self.curation.moment.taught
        rows = self._rows[_pair(fact.first.key, fact.second.key)]
        keys = [teaching.candidates[row].key for row in sorted(rows, key=lambda row: -taught.probabilities[row])]
        return {
            "a": visible(fact.first.name),
            "b": visible(fact.second.name),
            "type": visible(fact.relation),
            "belief": fact.belief,
            "sentences": len(fact.sources),
            "documents": fact.documents,
            "answered": sum(key in answers for key in keys),
            "keys": keys,
        }


def _ends(mentions: tuple[Mention, ...]) -> tuple[Participant, Participant] | None:
    named = [mention for mention in mentions if not mention.is_trigger]
    if len(named) < 2:
        return None
    one, two = (Participant(m.text, m.type, m.ids, entity_key(m.text, m.type, m.ids)) for m in (named[0], named[1]))
    return one, two


def _pair(one: EntityKey, two: EntityKey) -> tuple[EntityKey, EntityKey]:
    return (one, two) if one <= two else (two, one)


def _names(fact: Fact) -> list[str]:
    return [name for entity in (fact.first, fact.second) for name in (*entity.names, *entity.ids)]
