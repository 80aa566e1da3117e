"""Clauses about relations: each says, denies or leaves open that proteins interact, and records it."""

from __future__ import annotations

from demo_grammar.backgrounds import with_circumstance
from demo_grammar.draft import AFFIRM, DENY, HEDGE, OPEN, Draft, NounPhrase
from demo_grammar.lexicon import Verb
from demo_grammar.noun_phrases import coordination, group, names, participant
from demo_grammar.tree import Node, comma, tree
from demo_grammar.verb_phrases import be, finite, gerund, infinitive, passive, predicate


def fact(draft: Draft, mode: str = "", *, embedded: bool = False) -> Node:
    """A finite clause about a relation. Without a mode, most say it, some with reserve, some deny it."""
    denials = 12 if draft.style.name == "fulltext" else 30
    mode = mode or draft.rng.choices((AFFIRM, HEDGE, DENY), (60, 12, denials))[0]
    rules = {
        active: 22, passive_by: 10, role_of: 9, mutual: 13, noun_between: 10, noun_action: 10, able: 6, two_verbs: 6,
    }  # fmt: skip
    if mode in (AFFIRM, HEDGE):
        rules |= {complex_acts: 5, compete: 4, changes_interaction: 7, lets: 7}
    if draft.style.name == "fulltext":
        rules |= {respectively: 9, mediated: 5} if mode == AFFIRM else {}
        rules[passive_by] += 8
    else:
        rules |= {compound_pair: 6} if mode == AFFIRM else {}
        rules[active] += 8
    if not embedded:
        rules[detected] = 8 if draft.style.name == "abstracts" else 14
    return draft.one_of(rules)(draft, mode)


def active(draft: Draft, mode: str) -> Node:
    """*A binds B*"""
    subject, other = participant(draft), participant(draft)
    clause = finite(draft, draft.pick(draft.style.relating), subject, other.node, mode)
    draft.claim(subject, other, mode)
    return clause


def passive_by(draft: Draft, mode: str) -> Node:
    """*B is activated by A*"""
    verb = draft.pick([verb for verb in draft.style.relating if not verb.preposition])
    subject, other = participant(draft), participant(draft)
    clause = passive(draft, verb, subject, other.node, mode)
    draft.claim(subject, other, mode)
    return clause


def role_of(draft: Draft, mode: str) -> Node:
    """*A is a substrate of B*"""
    subject, other = participant(draft), participant(draft)
    role = draft.pick(draft.style.roles)
    if subject.plural:
        noun = tree(f"({role}s/NNS prep:(of/IN pobj:$other))", other=other.node)
    else:
        article = "an" if role[0] in "aei" else "a"
        noun = tree(f"({role}/NN det:{article}/DT * prep:(of/IN pobj:$other))", other=other.node)
    draft.claim(subject, other, mode)
    return be(draft, subject, "attr", noun, mode)


def mutual(draft: Draft, mode: str) -> Node:
    """*A and B interact*; *A, B and C form a complex*; *A binds to …* each other"""
    members = group(draft)
    draft.claim_among(members.members, mode)
    way = draft.rng.randrange(3)
    if way == 0:
        return predicate(draft, draft.pick(draft.style.joining), members, mode)
    if way == 1:
        return finite(draft, Verb("form"), members, tree(f"({draft.style.assembly}/NN det:a/DT *)"), mode)
    return finite(draft, Verb("bind", "to", "bound"), members, tree("(other/JJ det:each/DT *)"), mode)


def noun_between(draft: Draft, mode: str) -> Node:
    """*the interaction between A and B requires C*: A and B are related, C to neither"""
    pair = coordination(names(draft, 2))
    denied = mode == DENY
    article = "no/DT" if denied and draft.chance(0.5) else "the/DT"
    noun = tree(f"({draft.pick(draft.style.nominal_pairs)}/NN det:{article} * prep:(between/IN pobj:$pair))", pair=pair.node)
    draft.claim_among(pair.members, mode)
    subject = NounPhrase(noun)
    if denied:
        verb = draft.pick(draft.style.sightings)
        clause = passive(draft, verb, subject, None, AFFIRM if article == "no/DT" else DENY)
    elif draft.chance(0.5):
        clause = finite(draft, Verb(draft.pick(("require", "involve"))), subject, participant(draft, 1).node, mode)
    else:
        clause = passive(draft, draft.pick(draft.style.sightings), subject, None, mode)
    return clause.follow("prep", tree(draft.pick(draft.style.places)))


def noun_action(draft: Draft, mode: str) -> Node:
    """*phosphorylation of B by A was abolished in cells lacking C*"""
    noun, of, by = draft.pick(draft.style.nominal_actions)
    patient, agent = participant(draft, 1), participant(draft, 1)
    phrase = tree(f"({noun}/NN prep:({of}/IN pobj:$b) prep:({by}/IN pobj:$a))", b=patient.node, a=agent.node)
    draft.claim(agent, patient, mode)
    subject = NounPhrase(phrase)
    if mode == DENY:
        if draft.chance(0.5):
            phrase.lead("det", Node("no", "DT"))
            return passive(draft, draft.pick(draft.style.sightings), subject, None, AFFIRM)
        return passive(draft, draft.pick(draft.style.sightings), subject, None, DENY)
    way = draft.rng.randrange(3)
    if way == 0:
        clause = passive(draft, draft.pick((*draft.style.sightings, Verb("abolish"), Verb("reduce"))), subject, None, mode)
        return with_circumstance(draft, clause, 1.0)
    if way == 1:
        verb = Verb(draft.pick(("promote", "block", "trigger")))
        return finite(draft, verb, subject, tree(draft.pick(draft.style.processes)), mode)
    verb = Verb(draft.pick(("require", "precede")))
    return finite(
        draft,
        verb,
        subject,
        tree(f"({draft.pick(draft.style.aspects)}/NN prep:(of/IN pobj:$c))", c=participant(draft, 1).node),
        mode,
    )


def able(draft: Draft, mode: str) -> Node:
    """*A is able to bind B*; *A is unable to bind B*; *A appears to bind B*"""
    subject, other = participant(draft), participant(draft)
    verb = draft.pick(draft.style.relating)
    draft.claim(subject, other, mode)
    complement = infinitive(draft, verb, other.node)
    if mode == DENY:
        return be(draft, subject, "acomp", tree("(unable/JJ xcomp:$to)", to=complement))
    if draft.chance(0.5):
        return be(draft, subject, "acomp", tree("(able/JJ xcomp:$to)", to=complement))
    return predicate(draft, Verb(draft.pick(("appear", "seem"))), subject, AFFIRM).follow("xcomp", complement)


def two_verbs(draft: Draft, mode: str) -> Node:
    """*A binds B and inhibits C*; the second part may deny, or be about something else"""
    subject, first = participant(draft), participant(draft, 1)
    verb, second_verb = draft.rng.sample(draft.style.relating, 2)
    clause = finite(draft, verb, subject, first.node, mode)
    draft.claim(subject, first, mode)
    if mode == OPEN:
        return clause
    second_mode = DENY if mode != DENY and draft.chance(0.4) else AFFIRM
    bare = NounPhrase(Node("which", "WDT"), plural=subject.plural)
    if draft.chance(0.3):
        second = finite(draft, draft.pick(draft.style.relating[:3]), bare, tree(draft.pick(draft.style.partners)), second_mode)
    else:
        other = participant(draft, 1)
        second = finite(draft, second_verb, bare, other.node, second_mode)
        draft.claim(subject, other, second_mode)
    second.before = [(label, child) for label, child in second.before if child.tag != "WDT"]  # the subject is shared
    conjunction = "but" if (mode == DENY) != (second_mode == DENY) else "and"
    return clause.follow("cc", Node(conjunction, "CC")).follow("conj", second)


def detected(draft: Draft, mode: str) -> Node:
    """*we detected an interaction of A with B*; *we failed to detect …*; *we observed a complex of A, B and C*"""
    we = NounPhrase(Node("we", "PRP"), plural=True)
    verb = draft.pick(draft.style.sightings)
    if draft.chance(0.4):
        members = group(draft)
        draft.claim_among(members.members, mode)
        thing = tree(f"({draft.style.assembly}/NN det:a/DT * prep:(of/IN pobj:$members))", members=members.node)
    else:
        noun, of, by = draft.pick(draft.style.nominal_actions)
        patient, agent = participant(draft, 1), participant(draft, 1)
        draft.claim(agent, patient, mode)
        thing = tree(f"({noun}/NN prep:({of}/IN pobj:$b) prep:({by}/IN pobj:$a))", b=patient.node, a=agent.node)
    clause = finite(draft, verb, we, thing, mode if mode in (AFFIRM, DENY) else AFFIRM, tense="past")
    if draft.chance(0.4):
        how = draft.pick(("deficient/JJ", "null/JJ")) if draft.style.name == "abstracts" else "depleted/VBN/deplete"
        cells = tree(f"(in/IN pobj:(cells/NNS amod:({how} npadvmod:$c punct:-/HYPH *) *))", c=draft.protein())
        clause.follow("prep", cells)
    return clause


def complex_acts(draft: Draft, mode: str) -> Node:
    """*the complex of A and B activates C*: all three pairs are related"""
    pair = coordination(names(draft, 2))
    subject = NounPhrase(
        tree(f"({draft.style.assembly}/NN det:the/DT * prep:(of/IN pobj:$pair))", pair=pair.node), pair.members
    )
    other = participant(draft, 1)
    draft.claim_among(pair.members, AFFIRM)
    draft.claim(subject, other, mode)
    return finite(draft, draft.pick(draft.style.relating), subject, other.node, mode)


def compete(draft: Draft, mode: str) -> Node:
    """*A competes with B for binding to C*: A and B are rivals, not partners"""
    a, b, c = names(draft, 3)
    subject, rival, site = NounPhrase(a, (a,)), NounPhrase(b, (b,)), NounPhrase(c, (c,))
    draft.claim(subject, site, mode)
    draft.claim(rival, site, mode)
    clause = finite(draft, Verb("compete", "with"), subject, b, mode)
    return clause.follow("prep", tree("(for/IN pobj:(binding/NN prep:(to/IN pobj:$c)))", c=c))


def changes_interaction(draft: Draft, mode: str) -> Node:
    """*A disrupts the interaction between B and C*: only B and C are related"""
    changer = participant(draft, 1)
    pair = coordination(names(draft, 2))
    draft.claim_among(pair.members, AFFIRM)
    noun = tree(f"({draft.pick(draft.style.nominal_pairs)}/NN det:the/DT * prep:(between/IN pobj:$pair))", pair=pair.node)
    verb = draft.pick(draft.style.changes)
    return finite(draft, verb, changer, noun, draft.pick((mode, mode, DENY)))


def lets(draft: Draft, mode: str) -> Node:
    """*A allows B to bind C*: B and C are related; *A prevents B from binding C*: nobody is"""
    helper, binder, site = names(draft, 3)
    subject, pair = NounPhrase(helper, (helper,)), (NounPhrase(binder, (binder,)), NounPhrase(site, (site,)))
    verb = draft.pick(draft.style.relating)
    if draft.chance(0.5):
        draft.claim(*pair, AFFIRM)
        clause = predicate(draft, Verb(draft.pick(("allow", "enable"))), subject, mode)
        return clause.follow("ccomp", infinitive(draft, verb, site).lead("nsubj", binder))
    draft.claim(*pair, DENY)
    clause = predicate(draft, draft.pick((Verb("prevent"), Verb("stop", past="stopped"))), subject, mode).follow("dobj", binder)
    return clause.follow("prep", tree("(from/IN pcomp:$act)", act=gerund(draft, verb, site)))


def respectively(draft: Draft, mode: str) -> Node:
    """*A and B bound C and D, respectively*: only the pairs in order are related"""
    left, right = names(draft, 2), names(draft, 2)
    for a, b in zip(left, right, strict=True):
        draft.claim(NounPhrase(a, (a,)), NounPhrase(b, (b,)), mode)
    draft.denied += [(left[0], right[1]), (left[1], right[0])]
    verb = draft.pick(draft.style.relating)
    clause = finite(draft, verb, coordination(left), coordination(right).node, mode)
    return clause.follow("punct", comma()).follow("advmod", Node("respectively", "RB"))


def mediated(draft: Draft, mode: str) -> Node:
    """*A-mediated recruitment of B was unaffected by loss of C*"""
    agent, patient = draft.protein(), participant(draft, 1)
    nouns = [noun for noun, of, by in draft.style.nominal_actions if by == "by"]
    how = draft.pick(("mediated/VBN/mediate", "dependent/JJ"))
    phrase = tree(
        f"({draft.pick(nouns)}/NN amod:({how} npadvmod:$a punct:-/HYPH *) * prep:(of/IN pobj:$b))", a=agent, b=patient.node
    )
    draft.claim(NounPhrase(agent, (agent,)), patient, mode)
    loss = tree("(loss/NN prep:(of/IN pobj:$c))", c=participant(draft, 1).node)
    return passive(draft, Verb(draft.pick(("abolish", "reduce", "delay"))), NounPhrase(phrase), loss, AFFIRM)


def compound_pair(draft: Draft, mode: str) -> Node:
    """*the A/B complex regulates apoptosis*; *the A-binding protein B …*"""
    a, b = names(draft, 2)
    draft.claim_among((a, b), mode)
    if draft.chance(0.5):
        b.lead("punct", Node("/", "HYPH")).lead("compound", a)
        subject = NounPhrase(tree("(complex/NN det:the/DT compound:$pair *)", pair=b))
    else:
        binding = tree("(binding/VBG/bind npadvmod:$a punct:-/HYPH *)", a=a)
        subject = NounPhrase(tree("(protein/NN det:the/DT amod:$binding * appos:$b)", binding=binding, b=b))
    if draft.chance(0.5):
        return finite(
            draft, Verb(draft.pick(("regulate", "promote", "block"))), subject, tree(draft.pick(draft.style.processes)), mode
        )
    other = participant(draft, 1)
    return finite(draft, draft.pick(draft.style.comparing), subject, other.node, mode)
