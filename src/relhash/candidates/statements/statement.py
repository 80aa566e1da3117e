"""A statement: who does what to whom, with its sign, in the words of the field.

An interaction in words that a biologist would use: *IKKbeta — phosphorylates → RPS3*.
"""

from __future__ import annotations

from dataclasses import dataclass

from relhash.biomed.assertion import Assertion
from relhash.candidates.candidate import Candidate
from relhash.candidates.gold import CAUSE, THEME, THEME2
from relhash.candidates.scene import Scene, Stage
from relhash.candidates.statements.candidate import interaction_type, participants
from relhash.candidates.statements.sign import Composed, compose
from relhash.candidates.statements.types import StatementType, shipped_types
from relhash.corpus.document import Mention

NEGATIVE = frozenset({"Negative_regulation", "Protein_catabolism"})
"""Events that are negative whatever word names them, beside those whose name begins with *De*."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Type, participants, and the sign composed of the words between them.

    *Loss of Smad4 enhances EGFR expression* is a ``DecreaseAmount`` of EGFR by Smad4, its perturbation *Loss of*.
    """

    type: StatementType
    subject: Mention
    object: Mention
    composed: Composed

    @property
    def sign(self) -> str:
        """``positive`` or ``negative`` for the wild type; empty where the type has no sign."""
        return "" if not self.type.sign else self.composed.in_words


def composed_of(stage: Stage, candidate: Candidate) -> Composed:
    """The sign of an interaction candidate; of one about a single participant, of what is said of that one."""
    roles, kind, trigger = participants(candidate), interaction_type(candidate), candidate.trigger
    assert trigger is not None
    subject = roles.get(CAUSE, roles[THEME])
    object = roles[THEME2] if THEME2 in roles and CAUSE not in roles else roles[THEME]
    sign = -1 if kind in NEGATIVE or kind.startswith("De") else 1
    return compose(stage, subject, object, stage.tokens_of(trigger)[-1], sign)


def statement_of(scene: Scene) -> Statement | None:
    """The statement that an interaction of two participants makes; ``None`` for pairs and for events about one participant."""
    return scene.once(_statement)


def _statement(scene: Scene) -> Statement | None:
    candidate = scene.candidate
    if candidate.trigger is None or not scene.stage.is_parsed:
        return None
    roles = participants(candidate)
    second = roles.get(THEME2)
    subject = roles.get(CAUSE) or (roles.get(THEME) if second is not None else None)
    object = roles.get(THEME) if CAUSE in roles else second
    if subject is None or object is None:
        return None
    composed = composed_of(scene.stage, candidate)
    kind = shipped_types().stated(interaction_type(candidate), composed.sign, composed.aspect)
    return Statement(kind, subject, object, composed)


_VERBS = {
    "Phosphorylation": ("phosphorylates", "phosphorylate"),
    "Dephosphorylation": ("dephosphorylates", "dephosphorylate"),
    "Ubiquitination": ("ubiquitinates", "ubiquitinate"),
    "Acetylation": ("acetylates", "acetylate"),
    "Deacetylation": ("deacetylates", "deacetylate"),
    "Methylation": ("methylates", "methylate"),
    "Protein_modification": ("modifies", "modify"),
    "Protein_catabolism": ("induces degradation of", "induce degradation of"),
    "Positive_regulation": ("activates", "activate"),
    "Negative_regulation": ("inhibits", "inhibit"),
    "Regulation": ("regulates", "regulate"),
    "Activation": ("activates", "activate"),
    "Binding": ("binds", "bind"),
    "Gene_expression": ("induces expression of", "induce expression of"),
    "Transcription": ("induces transcription of", "induce transcription of"),
    "Localization": ("induces localization of", "induce localization of"),
}
"""Type → what a cause does, and the same after *not*. Other types are called by their name."""
_OPPOSITE = {"Positive_regulation": "Negative_regulation", "Negative_regulation": "Positive_regulation"}


_BEFORE_NAMES = frozenset(
    {"of", "against", "for", "to", "in", "the", "targeting", "anti", "negative", "inactive", "endogenous"}
)
"""Last words of what stands before a name: *loss of*; others, such as *siRNA*, stand behind it."""


def in_words(candidate: Candidate, assertion: Assertion = Assertion.ASSERTED, composed: Composed | None = None) -> str:
    """Who does what to whom, as far as the candidate says; ``composed`` tells what was done to the cause, and what was seen.

    >>> from relhash.corpus import Document, Mention
    >>> from relhash.candidates.statements import interaction_candidate, trigger_mention
    >>> names = Mention("T1", "protein", ((0, 7),), "IKKbeta"), Mention("T2", "protein", ((23, 27),), "RPS3")
    >>> document = Document("d", "IKKbeta phosphorylates RPS3", mentions=names)
    >>> word = trigger_mention("Phosphorylation", 8, 22, "phosphorylates")
    >>> found = interaction_candidate(document, 0, word, {"cause": names[0], "theme": names[1]})
    >>> in_words(found), in_words(found, Assertion.NEGATED)
    ('IKKbeta — phosphorylates → RPS3', 'IKKbeta — does not phosphorylate → RPS3')
    >>> in_words(found, composed=Composed(-1, 1, perturbation="loss of"))
    'loss of IKKbeta — phosphorylates → RPS3'
    >>> word = trigger_mention("Negative_regulation", 8, 22, "phosphorylates")
    >>> against = interaction_candidate(document, 0, word, {"cause": names[0], "theme": names[1]})
    >>> in_words(against, composed=Composed(-1, -1)), in_words(against, composed=Composed(1, 1))
    ('IKKbeta — inhibits → RPS3', 'IKKbeta — activates → RPS3')
    >>> word = trigger_mention("phosphorylate", 8, 22, "phosphorylates")  # an open type: the verb itself
    >>> in_words(interaction_candidate(document, 0, word, {"cause": names[0], "theme": names[1]}))
    'IKKbeta — phosphorylates → RPS3'
    """
    kind, roles = interaction_type(candidate), {role: mention.text for role, mention in participants(candidate).items()}
    if composed is not None and kind in _OPPOSITE and (composed.observed < 0) != (kind in NEGATIVE):
        kind = _OPPOSITE[kind]  # "blocks what is downstream of A" does not say that A inhibits it
    perturbation = "" if composed is None else composed.perturbation
    name = kind.replace("_", " ").lower()
    says, after = _VERBS.get(kind) or (_third_person(kind) if _is_verb(candidate, kind) else name, name)
    verb = {
        Assertion.ASSERTED: says,
        Assertion.NEGATED: f"does not {after}",
        Assertion.SPECULATIVE: f"may {after}",
    }.get(assertion, f"{says}?")
    themes = [roles[role] for role in (THEME, THEME2) if role in roles]
    if CAUSE in roles and perturbation:
        is_before = perturbation.split()[-1].lower() in _BEFORE_NAMES
        roles[CAUSE] = f"{perturbation} {roles[CAUSE]}" if is_before else f"{roles[CAUSE]} {perturbation}"
    if CAUSE in roles and len(themes) > 1:
        return f"{roles[CAUSE]} — induces {name} of → {' and '.join(themes)}"
    if CAUSE in roles:
        return f"{roles[CAUSE]} — {verb} → {' and '.join(themes)}"
    if len(themes) > 1:
        return f"{themes[0]} — {verb} — {themes[1]}"
    marks = {Assertion.NEGATED: "no ", Assertion.SPECULATIVE: "perhaps "}
    return f"{marks.get(assertion, '')}{name} of {' and '.join(themes or roles.values())}"


def _is_verb(candidate: Candidate, kind: str) -> bool:
    """Whether the type is the verb of which the trigger is a form (*phosphorylate* of *phosphorylated*)."""
    stem = kind.removesuffix("e")
    forms = {kind, _third_person(kind), f"{stem}ed", f"{stem}ing", f"{stem[:-1]}ied"}
    return candidate.trigger is not None and candidate.trigger.text.lower() in forms


def _third_person(verb: str) -> str:
    """What one does.

    >>> [_third_person(verb) for verb in ("bind", "phosphorylate", "repress", "modify", "destroy")]
    ['binds', 'phosphorylates', 'represses', 'modifies', 'destroys']
    """
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"
