"""How clauses become sentences: reports, questions, contrasts, circumstances, comparisons."""

from __future__ import annotations

from demo_grammar.backgrounds import background, with_circumstance
from demo_grammar.draft import AFFIRM, DENY, OPEN, Draft, NounPhrase
from demo_grammar.facts import fact
from demo_grammar.noun_phrases import participant
from demo_grammar.tree import Node, comma, parenthesis, tree
from demo_grammar.verb_phrases import finite


def sentence(draft: Draft) -> Node:
    """The tree of a whole sentence, final stop included."""
    rules = {
        plain_fact: 42, plain_background: 26, reported: 16, questioned: 7, contrasted: 6, joined: 3, conceded: 3,
        in_circumstance: 9, likened: 4, unlike: 4,
    }  # fmt: skip
    if draft.style.name == "fulltext":
        rules |= {plain_fact: 76, plain_background: 12, questioned: 4}
    root = draft.one_of(rules)(draft)
    has_opener = bool(root.before) and root.before[0][0] in ("advmod", "prep", "advcl")
    if not has_opener and draft.chance(0.15):
        label, notation = draft.pick(draft.style.openers)
        root.lead("punct", comma()).lead(label, tree(notation))
    if draft.style.name == "fulltext" and draft.chance(0.3):
        _cite(draft, root)
    return root.follow("punct", Node(".", "."))


def plain_fact(draft: Draft) -> Node:
    return fact(draft)


def plain_background(draft: Draft) -> Node:
    return background(draft)


def reported(draft: Draft) -> Node:
    """*We show that …*"""
    clause = fact(draft, embedded=True) if draft.chance(0.8) else background(draft, embedded=True)
    return tree(draft.pick(draft.style.reports), clause=clause.lead("mark", Node("that", "IN")))


def questioned(draft: Draft) -> Node:
    """*We asked whether …*, *There is no evidence that …*: what is asked is not said"""
    marker, notation = draft.pick(draft.style.questions)
    return tree(notation, clause=fact(draft, OPEN, embedded=True).lead("mark", Node(marker, "IN")))


def contrasted(draft: Draft) -> Node:
    """*A binds B, whereas C is expressed in brain*"""
    first = fact(draft) if draft.chance(0.6) else background(draft)
    second = fact(draft) if draft.chance(0.7) else background(draft)
    second.lead("mark", Node(draft.pick(draft.style.conjunctions), "IN"))
    return first.follow("punct", comma()).follow("advcl", second)


def joined(draft: Draft) -> Node:
    """*A binds B, and C resembles D*"""
    first, second = (fact(draft), background(draft)) if draft.chance(0.5) else (background(draft), fact(draft))
    return first.follow("punct", comma()).follow("cc", Node("and", "CC")).follow("conj", second)


def conceded(draft: Draft) -> Node:
    """*Although A resembles B, C binds D*"""
    aside, main = background(draft), fact(draft)
    return main.lead("punct", comma()).lead("advcl", aside.lead("mark", Node("although", "IN")))


def in_circumstance(draft: Draft) -> Node:
    """*A binds B in cells lacking C*"""
    return with_circumstance(draft, fact(draft), 1.0)


def likened(draft: Draft) -> Node:
    """*Like A, B binds C*: said of A too"""
    return _compared(draft, "like")


def unlike(draft: Draft) -> Node:
    """*Unlike A, B binds C*: denied of A"""
    return _compared(draft, "unlike")


def _compared(draft: Draft, word: str) -> Node:
    other, subject, target = draft.protein(), participant(draft, 1), participant(draft, 1)
    clause = finite(draft, draft.pick(draft.style.relating), subject, target.node, AFFIRM)
    draft.claim(subject, target, AFFIRM)
    compared = NounPhrase(other, (other,))
    draft.claim(compared, target, AFFIRM if word == "like" else DENY)
    return clause.lead("punct", comma()).lead("prep", tree(f"({word}/IN pobj:$other)", other=other))


def _cite(draft: Draft, root: Node) -> None:
    """A reference or a figure in brackets, as full texts have them."""
    if draft.chance(0.5):
        figure = f"{draft.rng.randint(1, 8)}{draft.pick('ABCDEF')}"
        parenthesis(root, "parataxis", tree(f"({figure}/NN compound:Figure/NN *)"))
    else:
        number = Node(str(draft.rng.randint(1, 60)), "CD")
        number.lead("punct", Node("[", "-LRB-")).follow("punct", Node("]", "-RRB-"))
        root.follow("parataxis", number)
