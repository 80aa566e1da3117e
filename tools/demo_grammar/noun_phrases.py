"""Noun phrases around proteins: names, appositions, parts, lists, and clauses that hang on them."""

from __future__ import annotations

from demo_grammar.draft import AFFIRM, DENY, HEDGE, Draft, NounPhrase
from demo_grammar.tree import Node, comma, parenthesis, tree

DESCRIBED = {"kinase", "receptor"}
"""Last words of names that already say what the protein is."""


def participant(draft: Draft, depth: int = 0) -> NounPhrase:
    """One or more proteins in one role of a clause; ``depth`` counts how deep the recursion is."""
    rules = {
        name: 38, described: 7, part: 7, several: 10, such_as: 2, with_relative: 14, with_participle: 8, excluding: 6, alias: 2,
        somebody_else: 11,
    }  # fmt: skip
    if depth > 0:
        rules = {name: 62, described: 10, part: 12, several: 8, somebody_else: 8}
    return draft.one_of(rules)(draft, depth)


def name(draft: Draft, depth: int) -> NounPhrase:
    """*TRK4*, *human TRK4*"""
    node = draft.protein()
    if draft.chance(0.2):
        node.lead("amod", Node(draft.pick(draft.style.qualities), "JJ"))
    return NounPhrase(node, (node,))


def described(draft: Draft, depth: int) -> NounPhrase:
    """*the kinase TRK4*; *TRK4, an oncoprotein,*"""
    kind = draft.pick(draft.style.classes)
    mention = draft.protein()
    if mention.form in DESCRIBED:
        return NounPhrase(mention, (mention,))
    if draft.chance(0.5):
        return NounPhrase(tree("($kind det:the/DT * appos:$name)", kind=Node(kind, "NN"), name=mention), (mention,))
    article = "an" if kind[0] in "aeio" else "a"
    aside = tree(f"({kind}/NN det:{article}/DT *)")
    mention.follow("punct", comma()).follow("appos", aside).follow("punct", comma())
    return NounPhrase(mention, (mention,))


def part(draft: Draft, depth: int) -> NounPhrase:
    """*the C-terminal domain of TRK4*; *the TRK4 protein*"""
    mention = draft.protein()
    if mention.form not in DESCRIBED and draft.chance(0.3):
        return NounPhrase(tree("(protein/NN det:the/DT compound:$name *)", name=mention), (mention,))
    region = Node(draft.pick(draft.style.regions), "NN")
    if draft.chance(0.4):
        end = Node(draft.pick("NC"), "NN")
        region.lead("amod", tree("(terminal/JJ npadvmod:$end punct:-/HYPH *)", end=end))
    return NounPhrase(tree("($region det:the/DT * prep:(of/IN pobj:$name))", region=region, name=mention), (mention,))


def several(draft: Draft, depth: int) -> NounPhrase:
    """*TRK4 and plostrin*; *both …*; *TRK4, plostrin and Brok2*"""
    mentions = names(draft, 2 if draft.chance(0.75) else 3)
    phrase = coordination(mentions)
    if len(mentions) == 2 and draft.chance(0.2):
        phrase.node.lead("preconj", Node("both", "CC"))
    return phrase


def such_as(draft: Draft, depth: int) -> NounPhrase:
    """*kinases such as TRK4 and plostrin*"""
    listed = coordination(names(draft, 2))
    kind = Node(draft.pick(draft.style.classes) + "s", "NNS")
    return NounPhrase(
        tree("($kind prep:(as/IN amod:such/JJ * pobj:$listed))", kind=kind, listed=listed.node), listed.members, True
    )


def excluding(draft: Draft, depth: int) -> NounPhrase:
    """*TRK4 but not plostrin*; *TRK4 rather than plostrin*"""
    first, second = names(draft, 2)
    instead = draft.pick(("(but/CC neg:not/RB)", "(than/IN advmod:rather/RB *)"))
    first.follow("cc", tree(instead)).follow("conj", second)
    return NounPhrase(first, (first,), excluded=(second,))


def alias(draft: Draft, depth: int) -> NounPhrase:
    """*TRK4 (also called plostrin)*: two names of one thing, which both take part"""
    mention, other = names(draft, 2)
    parenthesis(mention, "acl", tree("(called/VBN/call advmod:also/RB * oprd:$other)", other=other))
    draft.denied.append((mention, other))
    return NounPhrase(mention, (mention, other))


def somebody_else(draft: Draft, depth: int) -> NounPhrase:
    """*a homologue of TRK4*: TRK4 is mentioned but takes no part"""
    mention = draft.protein()
    return NounPhrase(tree(draft.pick(draft.style.others), name=mention))


def with_relative(draft: Draft, depth: int) -> NounPhrase:
    """*TRK4, which binds plostrin,*; the clause may also deny a relation or speak of something else"""
    from demo_grammar.verb_phrases import finite, relative

    mention = draft.protein()
    subject = NounPhrase(mention, (mention,))
    if draft.chance(0.5):
        mode = AFFIRM if draft.chance(0.75) else DENY
        verb = draft.pick(draft.style.relating)
        other = participant(draft, depth + 1)
        clause = finite(draft, verb, relative(subject), other.node, mode)
        draft.claim(subject, other, mode)
    elif draft.chance(0.6):
        other = participant(draft, depth + 1)
        clause = finite(draft, draft.pick(draft.style.comparing), relative(subject), other.node, AFFIRM)
    else:
        thing = tree(draft.pick(draft.style.partners))
        clause = finite(draft, draft.style.relating[0], relative(subject), thing, draft.pick((AFFIRM, DENY, HEDGE)))
    mention.follow("punct", comma()).follow("relcl", clause).follow("punct", comma())
    return subject


def with_participle(draft: Draft, depth: int) -> NounPhrase:
    """*TRK4 bound to plostrin*; *TRK4 expressed from the plostrin promoter*"""
    mention, other = names(draft, 2)
    subject, complement = NounPhrase(mention, (mention,)), NounPhrase(other, (other,))
    if draft.chance(0.5):
        participle = draft.pick(("(bound/VBN prep:(to/IN pobj:$other))", "(complexed/VBN/complex prep:(with/IN pobj:$other))"))
        draft.claim(subject, complement, AFFIRM)
    else:
        participle = draft.pick(
            (
                "(expressed/VBN/express prep:(from/IN pobj:(promoter/NN det:the/DT compound:$other *)))",
                "(purified/VBN/purify prep:(from/IN pobj:(cells/NNS acl:(lacking/VBG dobj:$other))))",
                "(related/VBN/relate prep:(to/IN pobj:$other))",
            )
        )
    mention.follow("acl", tree(participle, other=other))
    return subject


def names(draft: Draft, count: int) -> list[Node]:
    """Mentions of ``count`` different proteins."""
    return [draft.protein() for _ in range(count)]


def coordination(mentions: list[Node], conjunction: str = "and") -> NounPhrase:
    """*A, B and C*: later members hang on the first."""
    first, *rest = mentions
    for number, mention in enumerate(rest):
        if number < len(rest) - 1:
            first.follow("punct", comma())
        else:
            first.follow("cc", Node(conjunction, "CC"))
        first.follow("conj", mention)
    return NounPhrase(first, tuple(mentions), plural=True)


def group(draft: Draft) -> NounPhrase:
    """Two or, sometimes, three names, as one plural phrase."""
    return coordination(names(draft, 2 if draft.chance(0.7) else 3))
