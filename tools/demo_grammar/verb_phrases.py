"""Verb phrases: agreement, tense, voice, negation, modals, infinitives."""

from __future__ import annotations

from dataclasses import replace

from demo_grammar.draft import AFFIRM, DENY, HEDGE, Draft, NounPhrase
from demo_grammar.lexicon import Verb
from demo_grammar.tree import Node, tree

_BE = {("present", False): "is/VBZ", ("present", True): "are/VBP", ("past", False): "was/VBD", ("past", True): "were/VBD"}
_DO = {("present", False): "does/VBZ", ("present", True): "do/VBP", ("past", False): "did/VBD", ("past", True): "did/VBD"}


def relative(antecedent: NounPhrase) -> NounPhrase:
    """*which*, agreeing with its antecedent (CRAFT labels it ``dep``)."""
    return replace(antecedent, node=Node("which", "WDT"))


def finite(draft: Draft, verb: Verb, subject: NounPhrase, target: Node | None, mode: str, tense: str = "") -> Node:
    """*A binds B*, *A may bind B*, *A does not bind B*, *A fails to bind B*."""
    tense = tense or draft.style.tense
    if mode == DENY and draft.chance(0.25):
        fail = predicate(draft, Verb("fail"), subject, AFFIRM, tense)
        return fail.follow("xcomp", infinitive(draft, verb, target))
    node = predicate(draft, verb, subject, mode, tense)
    if mode == AFFIRM and verb in draft.style.relating and draft.chance(0.15):
        node.before.append(("advmod", tree(draft.pick(draft.style.manners))))
    return with_object(node, verb, target)


def predicate(draft: Draft, verb: Verb, subject: NounPhrase, mode: str, tense: str = "") -> Node:
    """Subject and verb, inflected for the mode; the object is still to come."""
    tense = tense or draft.style.tense
    label = "dep" if subject.node.tag == "WDT" else "nsubj"
    if mode == HEDGE:
        node = Node(verb.base, "VB").lead("aux", Node(draft.pick(draft.style.modals), "MD"))
    elif mode == DENY:
        node = Node(verb.base, "VB").lead("neg", Node("not", "RB")).lead("aux", tree(_DO[tense, subject.plural]))
    elif tense == "past":
        node = Node(verb.preterite, "VBD", verb.base)
    else:
        node = Node(verb.base, "VBP") if subject.plural else Node(verb.third, "VBZ", verb.base)
    return node.lead(label, subject.node)


def passive(draft: Draft, verb: Verb, subject: NounPhrase, agent: Node | None, mode: str, tense: str = "") -> Node:
    """*B is bound by A*, *B is not bound by A*, *B may be bound by A*."""
    tense = tense or draft.style.tense
    node = Node(verb.passive, "VBN", verb.base)
    if mode == HEDGE:
        node.before += [("aux", Node(draft.pick(draft.style.modals), "MD")), ("auxpass", Node("be", "VB"))]
    else:
        node.before.append(("auxpass", tree(_BE[tense, subject.plural])))
        if mode == DENY:
            node.before.append(("neg", Node("not", "RB")))
    node.lead("dep" if subject.node.tag == "WDT" else "nsubjpass", subject.node)
    return node if agent is None else node.follow("agent", tree("(by/IN pobj:$agent)", agent=agent))


def be(draft: Draft, subject: NounPhrase, label: str, complement: Node, mode: str = AFFIRM, tense: str = "") -> Node:
    """*A is …*: the copula is the head, as in CRAFT."""
    node = tree(_BE[tense or draft.style.tense, subject.plural])
    if mode == HEDGE:
        node = Node("be", "VB").lead("aux", Node(draft.pick(draft.style.modals), "MD"))
    elif mode == DENY:
        node.follow("neg", Node("not", "RB"))
    return node.lead("dep" if subject.node.tag == "WDT" else "nsubj", subject.node).follow(label, complement)


def infinitive(draft: Draft, verb: Verb, target: Node | None) -> Node:
    """*to bind B*"""
    return with_object(Node(verb.base, "VB").lead("aux", Node("to", "TO")), verb, target)


def gerund(draft: Draft, verb: Verb, target: Node | None) -> Node:
    """*binding B*"""
    return with_object(Node(verb.gerund, "VBG", verb.base), verb, target)


def with_object(node: Node, verb: Verb, target: Node | None) -> Node:
    """The object, direct or behind the verb's preposition."""
    if target is None:
        return node
    if verb.preposition:
        return node.follow("prep", tree(f"({verb.preposition}/IN pobj:$target)", target=target))
    return node.follow("dobj", target)
