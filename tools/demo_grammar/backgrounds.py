"""Clauses that mention proteins without relating them, many of them with the very words of interaction."""

from __future__ import annotations

from demo_grammar.draft import AFFIRM, DENY, Draft, NounPhrase
from demo_grammar.lexicon import Verb
from demo_grammar.noun_phrases import coordination, names, participant
from demo_grammar.tree import Node, tree
from demo_grammar.verb_phrases import be, finite, passive, predicate


def background(draft: Draft, *, embedded: bool = False) -> Node:
    """A finite clause that relates nobody to anybody (noun phrases inside it may); ``embedded`` under *we show that*."""
    rules = {
        compared: 26, noun_compared: 8, kinship: 8, drift: 8, doing: 8, expressed: 6, binds_other: 12, modified_apart: 8,
        levels: 5, more_than: 3, similar: 4, loss_of: 7, process: 7,
    }  # fmt: skip
    if draft.style.name == "fulltext":
        rules |= {control: 6} if embedded else {antibodies: 10, transfected: 10, control: 6}
    else:
        rules |= {gene_maps: 8, markers: 8, patients: 4}
    return draft.one_of(rules)(draft)


def compared(draft: Draft) -> Node:
    """*A resembles B*"""
    mode = AFFIRM if draft.chance(0.8) else DENY
    return finite(draft, draft.pick(draft.style.comparing), participant(draft), participant(draft).node, mode)


def noun_compared(draft: Draft) -> Node:
    """*the correlation between A and B requires C*"""
    pair = coordination(names(draft, 2))
    article = draft.pick(("no/DT", "the/DT", "the/DT"))
    noun = tree(
        f"({draft.pick(draft.style.nominal_comparisons)}/NN det:{article} * prep:(between/IN pobj:$pair))", pair=pair.node
    )
    verb = draft.pick(draft.style.sightings)
    mode = DENY if article == "the/DT" and draft.chance(0.3) else AFFIRM
    clause = passive(draft, verb, NounPhrase(noun), None, mode)
    return clause.follow("prep", tree(draft.pick(draft.style.places)))


def kinship(draft: Draft) -> Node:
    """*A is a homologue of B*"""
    noun = draft.pick(draft.style.kinships)
    article = "an" if noun[0] in "aei" else "a"
    subject, other = participant(draft), participant(draft)
    if subject.plural:
        phrase = tree(f"({noun}s/NNS prep:(of/IN pobj:$other))", other=other.node)
    else:
        phrase = tree(f"({noun}/NN det:{article}/DT * prep:(of/IN pobj:$other))", other=other.node)
    return be(draft, subject, "attr", phrase, AFFIRM if draft.chance(0.8) else DENY)


def drift(draft: Draft) -> Node:
    """*A and B accumulate*"""
    subject = coordination(names(draft, draft.pick((2, 2, 3))))
    clause = predicate(draft, draft.pick(draft.style.drifting), subject, AFFIRM if draft.chance(0.8) else DENY)
    return clause.follow("prep", tree(draft.pick(draft.style.places))) if draft.chance(0.6) else clause


def doing(draft: Draft) -> Node:
    """*replacement of A by B abolished apoptosis*; *we observed coexpression of A with B*"""
    noun, of, by = draft.pick(draft.style.nominal_doings)
    a, b = participant(draft, 1), participant(draft, 1)
    phrase = tree(f"({noun}/NN prep:({of}/IN pobj:$a) prep:({by}/IN pobj:$b))", a=a.node, b=b.node)
    if draft.chance(0.6):
        verb = Verb(draft.pick(("promote", "block", "trigger")))
        return finite(draft, verb, NounPhrase(phrase), tree(draft.pick(draft.style.processes)), AFFIRM)
    verb = draft.pick((*draft.style.sightings, Verb("abolish"), Verb("reduce")))
    return with_circumstance(draft, passive(draft, verb, NounPhrase(phrase), None, AFFIRM), 0.4)


def expressed(draft: Draft) -> Node:
    """*A and B are expressed in tumor cells*"""
    subject = participant(draft) if draft.chance(0.3) else coordination(names(draft, draft.pick((2, 2, 2, 3))))
    verb = draft.pick((Verb("express"), Verb("purify", past="purified"), Verb("secrete"), Verb("detect"), Verb("coexpress")))
    clause = passive(draft, verb, subject, None, AFFIRM if draft.chance(0.85) else DENY)
    return clause.follow("prep", tree(draft.pick(draft.style.places)))


def binds_other(draft: Draft) -> Node:
    """*A binds DNA in the absence of B*: a word of interaction, but not with a protein"""
    subject = participant(draft)
    verb = draft.pick([verb for verb in draft.style.relating if verb.base in TOUCHING])
    clause = finite(draft, verb, subject, tree(draft.pick(draft.style.partners)), AFFIRM if draft.chance(0.8) else DENY)
    return with_circumstance(draft, clause, 0.8)


def modified_apart(draft: Draft) -> Node:
    """*phosphorylation of A and activation of B were increased*: two actions side by side"""
    nouns = sorted({noun for noun, _, _ in draft.style.nominal_actions})
    first, second = draft.rng.sample(nouns, 2)
    a, b = participant(draft, 1), participant(draft, 1)
    phrase = tree(f"({first}/NN prep:(of/IN pobj:$a) cc:and/CC conj:({second}/NN prep:(of/IN pobj:$b)))", a=a.node, b=b.node)
    verb = Verb(draft.pick(("increase", "measure", "analyze", "reduce")))
    clause = passive(draft, verb, NounPhrase(phrase, plural=True), None, AFFIRM if draft.chance(0.8) else DENY)
    return with_circumstance(draft, clause, 0.4)


def levels(draft: Draft) -> Node:
    """*levels of A correlate with those of B*"""
    a, b = participant(draft, 1), participant(draft, 1)
    noun = draft.pick(draft.style.quantities)
    subject = NounPhrase(tree(f"({noun} prep:(of/IN pobj:$a))", a=a.node), plural=True)
    those = tree("(those/DT prep:(of/IN pobj:$b))", b=b.node)
    return finite(draft, draft.pick(draft.style.comparing[:2]), subject, those, AFFIRM if draft.chance(0.8) else DENY)


def more_than(draft: Draft) -> Node:
    """*A is more abundant than B*"""
    quality = draft.pick(("abundant/JJ", "stable/JJ", "active/JJ"))
    than = tree(f"({quality} advmod:more/RBR * prep:(than/IN pobj:$b))", b=participant(draft, 1).node)
    return be(draft, participant(draft), "acomp", than)


def similar(draft: Draft) -> Node:
    """*A is similar to B in sequence*"""
    quality = draft.pick(("similar", "identical", "homologous", "unrelated"))
    to = tree(f"({quality}/JJ prep:(to/IN pobj:$b))", b=participant(draft).node)
    return be(draft, participant(draft, 1), "acomp", to)


def loss_of(draft: Draft) -> Node:
    """*loss of A does not alter the expression of B*"""
    noun = draft.pick(draft.style.removals)
    subject = NounPhrase(tree(f"({noun}/NN prep:(of/IN pobj:$a))", a=participant(draft, 1).node))
    aspect = draft.pick(draft.style.aspects)
    target = tree(f"({aspect}/NN det:the/DT * prep:(of/IN pobj:$b))", b=participant(draft, 1).node)
    return finite(draft, Verb(draft.pick(("alter", "change", "affect"))), subject, target, draft.pick((AFFIRM, DENY)))


def process(draft: Draft) -> Node:
    """*A inhibits apoptosis in cells lacking B*"""
    verb = Verb(draft.pick(("inhibit", "activate", "stimulate", "regulate", "promote")))
    clause = finite(draft, verb, participant(draft), tree(draft.pick(draft.style.processes)), AFFIRM)
    return with_circumstance(draft, clause, 0.8)


def antibodies(draft: Draft) -> Node:
    """*lysates were probed with antibodies against A, B and C*"""
    listed = coordination(names(draft, draft.pick((2, 3, 3))))
    what = draft.pick(("lysates/NNS", "membranes/NNS", "precipitates/NNS", "fractions/NNS"))
    clause = passive(draft, Verb(draft.pick(("probe", "analyze", "stain"))), NounPhrase(tree(what), plural=True), None, AFFIRM)
    return clause.follow("prep", tree("(with/IN pobj:(antibodies/NNS prep:(against/IN pobj:$listed)))", listed=listed.node))


def transfected(draft: Draft) -> Node:
    """*cells were transfected with A and treated with recombinant B*"""
    a, b = participant(draft, 1), participant(draft, 1)
    second = tree("(treated/VBN/treat prep:(with/IN pobj:$b))", b=b.node)
    clause = passive(draft, Verb("transfect"), NounPhrase(Node("cells", "NNS"), plural=True), None, AFFIRM)
    clause.follow("prep", tree("(with/IN pobj:$a)", a=a.node))
    return clause.follow("cc", Node("and", "CC")).follow("conj", second)


def control(draft: Draft) -> Node:
    """*binding of A to agarose beads served as a control for B*"""
    noun = tree(
        f"(binding/NN prep:(of/IN pobj:$a) prep:(to/IN pobj:{draft.pick(('beads/NNS', 'RNA/NN', 'membranes/NNS'))}))",
        a=participant(draft, 1).node,
    )
    purpose = tree("(control/NN det:a/DT * prep:(for/IN pobj:$b))", b=participant(draft, 1).node)
    return finite(draft, Verb("serve", "as"), NounPhrase(noun), purpose, AFFIRM)


def gene_maps(draft: Draft) -> Node:
    """*the gene encoding A maps near B*"""
    gene = tree("(gene/NN det:the/DT * acl:(encoding/VBG/encode dobj:$a))", a=draft.protein())
    near = participant(draft, 1)
    return finite(draft, Verb(draft.pick(("map", "lie")), draft.pick(("near", "beside"))), NounPhrase(gene), near.node, AFFIRM)


def markers(draft: Draft) -> Node:
    """*markers such as A and B predict survival*"""
    listed = coordination(names(draft, draft.pick((2, 2, 3))))
    kinds = draft.pick(("markers/NNS", "proteins/NNS", "cytokines/NNS", "kinases/NNS"))
    subject = NounPhrase(tree(f"({kinds} prep:(as/IN amod:such/JJ * pobj:$listed))", listed=listed.node), plural=True)
    return finite(draft, Verb(draft.pick(("predict", "reflect", "accompany"))), subject, Node("progression", "NN"), AFFIRM)


def patients(draft: Draft) -> Node:
    """*patients with high A have low B*"""
    subject = tree("(patients/NNS prep:(with/IN pobj:$a))", a=draft.protein().lead("amod", Node("high", "JJ")))
    low = draft.protein().lead("amod", Node("low", "JJ"))
    return finite(draft, Verb("show"), NounPhrase(subject, plural=True), low, AFFIRM)


def with_circumstance(draft: Draft, clause: Node, probability: float) -> Node:
    """Add *in cells lacking B*, *upon knockdown of B*, *regardless of B*: a protein that takes no part."""
    if not draft.chance(probability):
        return clause
    circumstance = tree(draft.pick(draft.style.circumstances), name=participant(draft, 1).node)
    return clause.follow("prep" if circumstance.tag == "IN" else "advmod", circumstance)


TOUCHING = {"bind", "interact", "recognize", "contact", "engage", "associate"}
