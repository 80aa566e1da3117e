"""Which interactions a document's annotation states, whatever form the events have there.

====================================================  =================================================================
annotated                                             interaction
====================================================  =================================================================
event with a Cause and a Theme                        its type, cause, theme
event with two Themes or more (Binding)               its type, each two of its themes; also with the cause, if it has one
Positive_regulation with a Cause, of an event         also the inner event with this cause, if it has none of its own: *Ras
                                                      induces the phosphorylation of Raf* states a phosphorylation by Ras
an event as Cause or Theme                            the proteins that it is about: its themes, and theirs
====================================================  =================================================================

Events about one protein (an expression, a regulation without cause) state no interaction; they are kept apart
(``GoldInteractions.alone``), for candidates with one participant. Members of an equivalence stand for
each other. Roles of other sources count as the role they mean: a catalyst is a cause, what is affected is a theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from relhash.candidates.candidate import overlap
from relhash.candidates.gold import CAUSE, SITE, THEME, role_of
from relhash.corpus.document import Document, Mention, Relation

_CATALYSED_BY = "Positive_regulation"
_SAME = "Coreference"
"""Relations of this type say that two mentions are one thing, with a Subject and an Object."""


Wordless = tuple[str, frozenset[tuple[str, str]]]
"""Type and participants in roles, without a trigger."""


@dataclass(frozen=True, slots=True)
class GoldInteraction:
    """A stated interaction.

    ``roles`` pairs roles (``cause``, ``theme``, ``site``; several themes are all ``theme``) with ids of mentions,
    ``relation`` is the id of the annotated relation it comes from, ``trigger`` that of the mention that names it, if any does.
    """

    type: str
    roles: frozenset[tuple[str, str]]
    trigger: str | None
    relation: str


COVERED = "annotated types"
"""Key of ``Document.metadata``: the types that an annotation covers, with ``|`` between them; of others it says nothing."""


def covered_types(document: Document) -> frozenset[str] | None:
    """The types that a document's annotation covers, if it says so; ``None``: all."""
    given = document.metadata.get(COVERED)
    return None if given is None else frozenset(given.split("|"))


class GoldInteractions:
    """The interactions of a document, to ask whether a candidate is among them."""

    def __init__(
        self, document: Document, stated: tuple[GoldInteraction, ...], alone: tuple[GoldInteraction, ...] = ()
    ) -> None:
        self.stated, self.alone = stated, alone
        self._covered = covered_types(document)
        self._document = document
        self._group_of = {member: min(group) for group in document.equivalences for member in group}
        self._triggers: dict[tuple[str, frozenset[tuple[str, str]]], list[str | None]] = {}
        for one in (*stated, *alone):
            self._triggers.setdefault((one.type, self._canonical(one.roles)), []).append(one.trigger)
        self._caused: dict[tuple[str, str], list[str | None]] = {}
        for one in stated:
            for role, mention in one.roles:
                if role == CAUSE:
                    self._caused.setdefault((one.type, self._group_of.get(mention, mention)), []).append(one.trigger)

    @property
    def is_any(self) -> bool:
        """Whether the annotation states anything."""
        return bool(self._triggers)

    def covers(self, kind: str) -> bool:
        """Whether the annotation would state interactions of this type."""
        return self._covered is None or kind in self._covered

    def states(self, kind: str, roles: Mapping[str, str], trigger: Mention | None = None) -> bool:
        """Whether the annotation states an interaction of type ``kind`` between mentions in ``roles`` (role → mention id).

        If the annotation names the trigger, ``trigger`` must share text with it.
        """
        named = frozenset((role_of(role) or role, mention) for role, mention in roles.items())
        return self._are_named(self._triggers.get((kind, self._canonical(named)), ()), trigger)

    def has_cause(self, kind: str, mention: str, trigger: Mention | None = None) -> bool:
        """Whether the annotation states some interaction of type ``kind``, named by ``trigger``, with this cause."""
        return self._are_named(self._caused.get((kind, self._group_of.get(mention, mention)), ()), trigger)

    def _are_named(self, stated: Iterable[str | None], trigger: Mention | None) -> bool:
        """Whether one of the triggers shares text with ``trigger``."""
        if trigger is None:
            return any(True for _ in stated)
        return any(one is None or overlap(trigger, self._document.mention_by_id[one]) for one in stated)

    @cached_property
    def distinct(self) -> tuple[GoldInteraction, ...]:
        """The stated interactions to be counted: sites left aside, members of an equivalence taken for one."""
        found: dict[tuple[object, ...], GoldInteraction] = {}
        for one in self.stated:
            if all(role != SITE for role, _ in one.roles):
                found.setdefault((one.type, self._canonical(one.roles), one.trigger), one)
        return tuple(found.values())

    def met(self, kind: str, roles: Mapping[str, str], trigger: Mention | None = None) -> Iterator[int]:
        """Numbers of the :attr:`distinct` interactions that are of this type, with these participants and this trigger."""
        asked = self.without_word(kind, roles.items())
        for number, one in enumerate(self.distinct):
            if self.without_word(one.type, one.roles) != asked:
                continue
            if one.trigger is None or trigger is None or overlap(trigger, self._document.mention_by_id[one.trigger]):
                yield number

    def without_word(self, kind: str, roles: Iterable[tuple[str, str]]) -> Wordless:
        """Type and participants (pairs of role and mention id), whatever word says it: sites left aside, one name for members
        of an equivalence."""
        return kind, self._canonical(frozenset((role_of(role) or role, mention) for role, mention in roles if role != SITE))

    @cached_property
    def wordless(self) -> frozenset[Wordless]:
        """The stated interactions without the words that say them: two words for one thing are one."""
        return frozenset(self.without_word(one.type, one.roles) for one in self.distinct)

    def _canonical(self, roles: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        return frozenset((role, self._group_of.get(mention, mention)) for role, mention in roles)


def gold_interactions(document: Document) -> GoldInteractions:
    """All interactions that the relations of ``document`` state."""
    found: dict[GoldInteraction, None] = {}
    for relation in document.relations:
        for one in _stated(relation, document):
            found[one] = None
    alone = dict.fromkeys(one for relation in document.relations for one in _about_one(relation, document))
    return GoldInteractions(document, tuple(found), tuple(alone))


def _about_one(relation: Relation, document: Document) -> Iterator[GoldInteraction]:
    """What an event says of each of its themes by itself, whatever else takes part: leaving out is not misstating."""
    if relation.trigger is not None and relation.type != _SAME:
        for theme in _participants(relation, document)[1]:
            yield GoldInteraction(relation.type, frozenset({(THEME, theme)}), relation.trigger, relation.id)


def _stated(relation: Relation, document: Document) -> Iterator[GoldInteraction]:
    if relation.type == _SAME:
        return
    causes, themes, sites = _participants(relation, document)
    yield from _interactions(relation, causes, themes, sites)
    if relation.type != _CATALYSED_BY or not causes:
        return
    for argument in relation.arguments:
        inner = document.relation_by_id.get(argument.target)
        if inner is not None and inner is not relation and role_of(argument.role) == THEME:
            own_causes, inner_themes, inner_sites = _participants(inner, document)
            if not own_causes:
                yield from _interactions(inner, causes, inner_themes, inner_sites)


def _participants(relation: Relation, document: Document) -> tuple[list[str], list[str], list[str]]:
    by_role: dict[str, dict[str, None]] = {CAUSE: {}, THEME: {}, SITE: {}}
    for argument in relation.arguments:
        role = role_of(argument.role)
        if role is not None:
            by_role[role].update(dict.fromkeys(_about(argument.target, document, frozenset({relation.id}))))
    return list(by_role[CAUSE]), list(by_role[THEME]), list(by_role[SITE])


def _interactions(relation: Relation, causes: list[str], themes: list[str], sites: list[str]) -> Iterator[GoldInteraction]:
    """Interactions with and without their sites and, between themes, their cause: leaving out is not misstating."""
    several = sum(role_of(argument.role) == THEME for argument in relation.arguments) > 1
    affected: list[tuple[str, ...]] = list(combinations(themes, 2)) if several else [(theme,) for theme in themes]
    for members in affected:
        for cause in (*causes, None) if several else causes:
            if cause in members:
                continue
            for site in (None, *sites):
                roles = {(THEME, member) for member in members}
                if cause is not None:
                    roles.add((CAUSE, cause))
                if site is not None:
                    roles.add((SITE, site))
                yield GoldInteraction(relation.type, frozenset(roles), relation.trigger, relation.id)


def _about(target: str, document: Document, seen: frozenset[str]) -> Iterator[str]:
    """The mentions that ``target``, a mention or an event, is about."""
    if target in document.mention_by_id:
        yield target
        return
    event = document.relation_by_id.get(target)
    if event is None or target in seen:  # an event inside itself is about nothing
        return
    for argument in event.arguments:
        if role_of(argument.role) == THEME:
            yield from _about(argument.target, document, seen | {target})
