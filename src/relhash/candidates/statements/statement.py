"""A statement: who does what to whom, with its sign, in the words of the field.

The sign is composed of the words on the way between the two. *Loss of Smad4 enhances EGFR expression*: *loss* turns the sign,
*enhances* does not, *expression* says that the amount is meant. So Smad4 decreases the amount of EGFR, and what the experiment
did to it (``perturbation``) is the *loss of* it. Nested regulations multiply (*A prevents the inhibition of B*). Cues are rows
of ``resources/statements/cues.tsv``; a cue counts where it lies on the way from the subject over the trigger to the object in
the dependency graph, modifies a word there, or stands right at the subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from relhash.biomed.assertion import Assertion
from relhash.candidates.candidate import Candidate
from relhash.candidates.gold import CAUSE, THEME, THEME2
from relhash.candidates.graph import Connection
from relhash.candidates.scene import Scene, Stage
from relhash.candidates.statements.aspect import shipped_model
from relhash.candidates.statements.candidate import interaction_type, participants
from relhash.candidates.statements.triggers import (
    ACTIVITY,
    AMOUNT,
    CONTEXT,
    DOWN,
    FAILURE,
    FILLER,
    LOSS,
    UP,
    Cue,
    cue_of,
    word_of,
)  # fmt: skip
from relhash.candidates.statements.types import StatementType, StatementTypes, shipped_types
from relhash.corpus.document import Mention

TURNING = frozenset({LOSS, DOWN, UP, FAILURE})
_MODIFIED_BY = frozenset({"amod>", "advmod>"})
"""Steps from a word to what qualifies it: *reduced* of *reduced expression*, *negatively* of *negatively regulates*."""
_MEANS = ("by>", "via>", "through>", "advcl>", "partmod>", "conj_and>", "xcomp>", "dep>")
"""Steps from what a subject does to how it does it: *A inhibits growth by raising B* does not say that A lowers B."""
_FINITE = ("VBZ", "VBD", "VBP", "VBN", "VB", "MD")
_HYPHENS = frozenset("-‐‑–")
_JOINING = frozenset({"and", "or", ",", "/"})
_BEFORE, _BEHIND = 5, 3
"""Tokens before and behind a name in which a word may say what was done to it: *siRNA against the Smad4*, *Stat3 -/- mice*."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The sign of a statement and what it was composed of.

    Attributes
    ----------
    sign
        1 or -1 for the wild type: more of the subject is more, or less, of the object.
    observed
        The sign that the sentence itself reports, the perturbation left in: of *loss of A enhances B* it is 1.
    aspect
        ``"amount"``, ``"activity"`` or ``"localization"`` of the object; empty if no word says.
    perturbation
        What was done to the subject, as the sentence says it: ``"loss of"``.
    modification
        The type of a modification that is named on the way to the object: *phosphorylation* of *induces phosphorylation of B*.
    cues
        The words that counted, from the subject to the object.
    is_context
        Whether the subject is only that in response to which something was seen, not the subject of the trigger.
    """

    sign: int
    observed: int
    aspect: str = ""
    perturbation: str = ""
    cues: tuple[tuple[str, Cue], ...] = ()
    is_context: bool = False
    modification: str = ""

    @property
    def in_words(self) -> str:
        return "positive" if self.sign > 0 else "negative"

    @property
    def has_failed(self) -> bool:
        """Whether the loss of the subject made something fail: that denies nothing of the wild type."""
        return bool(self.perturbation) and any(cue.kind == FAILURE for _, cue in self.cues)


Found = list[tuple[int, Cue]]


def compose(stage: Stage, subject: Mention, object: Mention, trigger: int | None, sign: int = 1) -> Composed:
    """The sign of a statement about two mentions of a parsed sentence.

    Parameters
    ----------
    trigger
        The token that names the relation; ``None``: whatever lies on the shortest path.
    sign
        That of the trigger, where the table of cues does not know its word.
    """
    start, goal = stage.tokens_of(subject), stage.tokens_of(object)
    ways = _ways(stage, start, goal, trigger)
    before, after = _cues_of_sides(stage, start, goal, trigger, ways)
    own = None if trigger is None else cue_of(word_of(stage, trigger))
    perturbing = [(token, cue) for token, cue in before if cue.sign < 0 and not _acts(stage, token, cue)]
    # "siRNA-mediated knockdown of" is one loss, however many words say it; verbs multiply
    acting = [cue.sign for token, cue in before if cue.sign and _acts(stage, token, cue)]
    is_context = any(cue.kind == CONTEXT for _, cue in before)
    named = own.sign if own is not None and own.kind in TURNING and own.sign else sign
    observed = (1 if is_context else named) * _product(cue.sign for _, cue in after) * _product(acting)
    named_cue = [] if own is None or trigger is None else [(trigger, own)]
    return Composed(
        sign=-observed if perturbing else observed,
        observed=observed,
        aspect=_aspect(after, own),
        perturbation=_perturbation(stage, [token for token, _ in perturbing], start) if perturbing else "",
        cues=tuple((stage.tokens[token].text, cue) for token, cue in (*before, *named_cue, *after)),
        is_context=is_context,
        modification=next(_modifications(stage, ways[1]), ""),
    )


def _modifications(stage: Stage, tokens: Sequence[int]) -> Iterator[str]:
    """The modifications that words name, as types of the sign that the statement would have if nothing else turned it."""
    for token in tokens:
        named = shipped_types().named(stage.words[token])
        if named is not None and named.kind == "modification":
            cue = cue_of(word_of(stage, token))
            is_turned = named.sign < 0 and cue is not None and cue.sign < 0  # the cue has turned the sign already
            yield named.opposite if is_turned else named.name


def _cues_of_sides(
    stage: Stage,
    start: Sequence[int],
    goal: Sequence[int],
    trigger: int | None,
    ways: tuple[Sequence[int], Sequence[int]],
) -> tuple[Found, Found]:
    """The cues between the subject and the trigger, and those between the trigger and the object."""
    taken = {*start, *goal, *(() if trigger is None else (trigger,))}
    first, second = ways
    own = (*second, *goal, *(() if trigger is None else (trigger,)))
    after = {token: cue for place in own for token, cue in _around(stage, place, taken)}
    before = {token: cue for place in (*first, *start) for token, cue in _around(stage, place, taken)}
    before |= {token: cue for token, cue in _attached(stage, start) if token not in taken}
    before = {token: cue for token, cue in before.items() if token not in after}
    inside = cue_of(stage.words[goal[-1]]) if len(goal) > 1 else None
    if inside is not None and inside.kind == AMOUNT:
        after[goal[-1]] = inside  # the tagger takes "EGFR mRNA" for a name
    return sorted(before.items()), sorted(after.items())


def _ways(stage: Stage, start: Sequence[int], goal: Sequence[int], trigger: int | None) -> tuple[Sequence[int], Sequence[int]]:
    """The inner tokens from the subject to the trigger, and from there to the object."""
    if not stage.is_parsed:
        return (), ()
    if trigger is not None and trigger not in start and trigger not in goal:
        path, other = stage.graph.shortest_path(start, (trigger,)), stage.graph.shortest_path((trigger,), goal)
        return _without_ends_of_others(path.tokens, path.edges), other.tokens[1:-1]
    path = stage.graph.shortest_path(start, goal)
    if path.connection is not Connection.PATH:
        return (), ()
    inner = path.tokens[1:-1]
    top = inner.index(path.top) if path.top in inner else 0
    return (inner, ()) if trigger is not None else (inner[:top], inner[top:])


def _without_ends_of_others(tokens: Sequence[int], edges: Sequence[str]) -> list[int]:
    """The inner tokens of a path, without what the subject does besides: *inhibits* of *A inhibits growth by raising B*."""
    return [
        token
        for number, token in enumerate(tokens[1:-1], 1)
        if not (edges[number - 1] in ("<nsubj", "<xsubj") and edges[number].endswith(_MEANS))
    ]


def _around(stage: Stage, token: int, taken: set[int]) -> Iterator[tuple[int, Cue]]:
    """The cue that a token is, and those that modify it."""
    steps = stage.graph.steps[token].items() if stage.is_parsed else ()
    for other in (token, *(other for other, label in steps if label in _MODIFIED_BY)):
        cue = cue_of(word_of(stage, other)) if other not in taken else None
        if cue is not None and cue.kind != FILLER and (other == token or cue.kind in TURNING):
            yield other, cue


def _attached(stage: Stage, name: Sequence[int]) -> Iterator[tuple[int, Cue]]:
    """Words of loss at a name, whatever the parser made of them: *siRNA*, *-deficient*, *-/-*, *inhibition of the*."""
    words, last, first = stage.words, max(name), min(name)
    while last + 2 < len(words) and words[last + 1] in _JOINING and not stage.is_free(last + 2):
        last = next((n - 1 for n in range(last + 3, len(words)) if stage.is_free(n)), len(words) - 1)  # "A and B inhibitors"
    behind = range(last + 1, min(last + 1 + _BEHIND, len(words)))
    if len(behind) > 2 and words[behind[1]] == "/" and {words[behind[0]], words[behind[2]]} <= _HYPHENS:
        yield behind[0], Cue(-1, LOSS, "")
    following = next((place for place in behind if words[place] not in _HYPHENS), None)
    cue = None if following is None else cue_of(word_of(stage, following))
    if following is not None and cue is not None and cue.kind == LOSS:
        yield following, cue
    if last + 1 < len(words) and words[last + 1] in _HYPHENS and cue is not None and cue.kind == UP:
        return  # of "inhibition of A-induced B" not A is inhibited
    for place in range(first - 1, max(-1, first - 1 - _BEFORE), -1):
        cue = cue_of(word_of(stage, place))
        if cue is not None and cue.kind in (LOSS, DOWN) and not stage.tokens[place].pos.startswith(_FINITE):
            yield place, cue
        if words[place] not in _HYPHENS and not (cue is not None and cue.kind in (FILLER, LOSS, AMOUNT, ACTIVITY)):
            return


def _acts(stage: Stage, token: int, cue: Cue) -> bool:
    return cue.kind == FAILURE or (cue.kind != LOSS and stage.tokens[token].pos.startswith(_FINITE))


def _product(signs: Iterator[int] | Sequence[int]) -> int:
    product = 1
    for sign in signs:
        product *= sign or 1
    return product


def _aspect(after: Found, own: Cue | None) -> str:
    """What of the object is meant: the amount if a word on its side says so, else what such a word or the trigger says."""
    said = [cue.aspect for _, cue in after if cue.aspect] or ([own.aspect] if own is not None and own.aspect else [])
    return AMOUNT if AMOUNT in said else said[0] if said else ""


def _perturbation(stage: Stage, tokens: Sequence[int], name: Sequence[int]) -> str:
    """The words of a perturbation as the sentence writes them, with the *of* that follows."""
    first, last = min(tokens), max(tokens)
    if len(word_of(stage, first)) > len(stage.words[first]):
        first -= 2 if stage.words[first - 1] in _HYPHENS else 1  # "down regulation of", "down-regulation of"
    text, end = stage.document.text, stage.tokens[last].end
    if last < min(name) and min(name) - last <= _BEFORE:
        end = stage.tokens[min(name)].start
    return " ".join(text[stage.tokens[first].start : end].split()).strip(" -") if last - first < 6 else stage.tokens[first].text


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
    return Statement(
        stated_type(scene.stage, interaction_type(candidate), composed, subject, object), subject, object, composed
    )


def stated_type(
    stage: Stage, event: str, composed: Composed, subject: Mention, object: Mention, types: StatementTypes | None = None
) -> StatementType:
    """The type of statement that an event makes; where no cue says whether amount or activity is meant, words around do."""
    aspect = (composed.aspect != AMOUNT and composed.modification) or composed.aspect
    return (types or shipped_types()).stated(event, composed.sign, aspect or shipped_model().aspect(stage, subject, object))


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
