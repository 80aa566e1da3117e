"""A candidate as a statement of its sentence: the words that say it, so that :mod:`relhash.biomed.assertion` can judge it.

==================================  ============================================================
candidate                           what names the relation
==================================  ============================================================
with a trigger                      the trigger
joined by a path over words         the words on it, first its top: *binds* in *RAF1 binds to MEK1*
joined directly                     what governs them: *interaction* in *interaction of RAF1 and MEK1*
in one token, or not joined         nothing; cues beside the participants still count
==================================  ============================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from relhash.biomed.assertion import Assertion, shipped_model
from relhash.biomed.cues import Cue, Statement
from relhash.candidates.candidate import TRIGGER
from relhash.candidates.gold import CAUSE
from relhash.candidates.scene import Scene
from relhash.corpus.document import Token


def assertion_of_scene(scene: Scene) -> Assertion:
    """Whether the sentence states the relation of a candidate, denies it, or leaves it open."""
    # most sentences have no cue; the path is not even looked for
    return scene.once(_assertion) if scene.stage.cues.cues else Assertion.ASSERTED


def _assertion(scene: Scene) -> Assertion:
    cues = scene.stage.cues
    said = shipped_model().of(cues, statement_of(scene))
    return Assertion.NEGATED if said is not Assertion.NEGATED and _cause_is_denied(scene) else said


def _cause_is_denied(scene: Scene) -> bool:
    """Whether a *not* stands at the verb that joins the cause of an interaction to its trigger.

    Of *BMP-6 did not induce changes of Id2* the changes are not denied, but that BMP-6 is their cause. Of gold interactions
    with a cause (BioNLP 2013 train, 400 abstracts of 2009 train) 94 of 118 denied ones are found so, and 39 others; without
    this rule 81 and 29.
    """
    by_role = dict(zip(scene.candidate.roles, scene.tokens, strict=True))
    if not scene.stage.is_parsed or not {CAUSE, TRIGGER} <= by_role.keys():
        return False
    path = scene.stage.graph.shortest_path(by_role[CAUSE], by_role[TRIGGER])
    if not path.tokens or any(edge.strip("<>") in _OWN_CLAUSES for edge in path.edges):
        return False
    verb = path.top
    is_between = verb not in (*by_role[CAUSE], *by_role[TRIGGER])
    return is_between and any(cue.kind is Cue.NEGATION and len(cue.ways.get(verb, ())) == 1 for cue in scene.stage.cues.cues)


def statement_of(scene: Scene) -> Statement:
    """The tokens of a candidate by what they do in it."""
    head: list[int] = []
    names: list[int] = []
    for role, tokens in zip(scene.candidate.roles, scene.tokens, strict=True):
        (head if role == TRIGGER else names).extend(tokens)
    if not scene.stage.is_parsed:
        return Statement(tuple(head), tuple(names))
    is_given = not head and _is_given(scene.stage.cues.tokens, names)
    return Statement(tuple(head or _words(scene, set(names))), tuple(names), is_given)


def _is_given(tokens: Sequence[Token], names: Sequence[int]) -> bool:
    """Whether the second participant is listed as one of the first one's partners: *RAF1 interacting proteins: MEK1*."""
    for before, after in pairwise(sorted(names)):
        between = [token for token in tokens[before + 1 : after] if token.text not in _HYPHENS]
        if len(between) > 1 and between[0].text.lower() in _JOINED and between[1].text.lower().removesuffix("s") in _PARTNERS:
            return all(token.text.lower() in _LISTS or not token.pos.startswith(_SAYS_MORE) for token in between[2:])
    return False


_OWN_CLAUSES = frozenset({"advcl", "parataxis"})
"""What is denied of the verb above is not denied of these: "A did not induce B, though it restored C"."""
_HYPHENS = frozenset("-‐‑–")
_JOINED = frozenset({"interacting", "binding", "associated", "associating"})
_PARTNERS = frozenset({"protein", "partner", "factor", "molecule", "component", "ligand", "kinase", "receptor"})
_LISTS = frozenset({"as", "including", "named", "called", "termed"})
_SAYS_MORE = ("V", "MD", "IN")
"""Parts of speech of verbs and prepositions."""


def _words(scene: Scene, names: set[int]) -> dict[int, None]:
    """The top of the path, then its other words; where a participant is at the top, what governs it from outside."""
    found: dict[int, None] = {}
    for path in scene.paths:
        if path.tokens:
            above = [path.top] if path.top not in names else sorted(set(scene.stage.graph.governors[path.top]) - names)
            found.update(dict.fromkeys([*above, *(token for token in path.tokens if token not in names)]))
    return found
