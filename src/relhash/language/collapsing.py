"""A dependency tree as the graph that the Stanford converter makes of it ("collapsed, with propagation of conjuncts").

The steps, in order: labels get their basic Stanford names (:data:`BASIC_NAMES`), copulas step down under their complement,
prepositions become part of labels, conjuncts share their governors and subjects, relative clauses and infinitives get their
subjects. De Marneffe and Manning, *Stanford typed dependencies manual* (2008), section 4, describes the goal.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass


@dataclass
class Tree:
    """Words in lower case, parts of speech, and for each token its head (``None`` for a root) and the label of that arc."""

    words: list[str]
    pos: list[str]
    heads: list[int | None]
    labels: list[str]

    def __post_init__(self) -> None:
        self._children: list[list[int]] = [[] for _ in self.heads]
        for token, head in enumerate(self.heads):
            if head is not None:
                self._children[head].append(token)

    def children(self, token: int, *labels: str) -> list[int]:
        """Dependents of ``token`` from left to right, all or those with one of ``labels``."""
        return [child for child in self._children[token] if not labels or self.labels[child] in labels]

    def has(self, token: int, *labels: str) -> bool:
        return any(self.labels[child] in labels for child in self._children[token])

    def attach(self, token: int, head: int | None) -> None:
        """Give ``token`` another head."""
        old = self.heads[token]
        if old is not None:
            self._children[old].remove(token)
        if head is not None:
            insort(self._children[head], token)
        self.heads[token] = head

    def has_cycle(self) -> bool:
        seen_from = [-1] * len(self.heads)
        for token in range(len(self.heads)):
            at: int | None = token
            while at is not None and seen_from[at] < 0:
                seen_from[at] = token
                at = self.heads[at]
            if at is not None and seen_from[at] == token:
                return True
        return False


_COMMON: dict[str, str | None] = {
    "punct": None,
    "root": None,
    "possessive": None,
    "discourse": "dep",
    "intj": "dep",
    "list": "dep",
}

BASIC_NAMES: dict[str, dict[str, str | None]] = {
    "stanford-basic": _COMMON | {"npadvmod": "dep", "parataxis": "dep", "mwe": "dep", "tmod": "dep"},
    "craft": _COMMON
    | {
        "compound": "nn",
        "nummod": "num",
        "relcl": "rcmod",
        "oprd": "acomp",
        "attr": "dep",
        "npadvmod": "dep",
        "meta": "dep",
        "case": None,
        "dative": "iobj",
        "parataxis": "dep",
    },
    "ud": _COMMON
    | {
        "obj": "dobj",
        "nsubj:pass": "nsubjpass",
        "csubj:pass": "csubjpass",
        "aux:pass": "auxpass",
        "compound": "nn",
        "flat": "nn",
        "name": "nn",
        "nummod": "num",
        "acl:relcl": "rcmod",
        "compound:prt": "prt",
        "cc:preconj": "preconj",
        "det:predet": "predet",
        "nmod:poss": "poss",
        "nmod:npmod": "dep",
        "obl:npmod": "dep",
        "nmod:tmod": "dep",
        "obl:tmod": "dep",
        "fixed": "dep",
        "mwe": "dep",
        "parataxis": "dep",
        "advmod:emph": "advmod",
        "goeswith": "dep",
        "orphan": "dep",
        "dislocated": "dep",
        "vocative": "dep",
        "reparandum": "dep",
        "clf": "dep",
    },
}
"""Scheme → its label → the basic Stanford label."""

CONJUNCTIONS = {"as": "and", "well": "and", "plus": "and", "rather": "negcc", "instead": "negcc", "not": "negcc", "/": "and"}
"""Words that join conjuncts and go by another name in a collapsed label (``as well as`` joins like ``and``)."""

PREPOSITIONS_OF_CLAUSES = frozenset({
    "about", "after", "against", "at", "before", "besides", "between", "by", "despite", "during", "for", "from",
    "in", "into", "of", "on", "through", "toward", "upon", "via", "with", "within", "without",
})  # fmt: skip
"""Words that introduce a participle as a preposition would: *by binding Raf* (``prepc_by``)."""


Arc = tuple[int, int, str]
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
_CLAUSES = frozenset({"acl", "vmod", "partmod", "infmod"})
_RELATIVE_TAGS = ("WDT", "WP")
_WITH_CASE = frozenset({"nmod", "obl", "conj", "appos", "dep", "root", "advcl", "acl"})
"""Labels, before a colon, whose dependents may bring a preposition with them."""
_BE = frozenset({"be", "is", "are", "was", "were", "been", "being", "am", "'s", "'re"})
_PREMODIFIERS = frozenset({"nn", "amod", "advmod", "dep", "num"})


def collapsed_arcs(tree: Tree, scheme: str) -> set[Arc]:
    """The arcs (head, dependent, label) of the collapsed graph."""
    _promote_complements(tree)
    _flatten_conjuncts(tree)
    prepositions = _Prepositions(tree)
    names = BASIC_NAMES[scheme]
    arcs: set[Arc] = set(prepositions.arcs)
    conjuncts: list[tuple[int, int]] = []
    for token, head in enumerate(tree.heads):
        label = tree.labels[token]
        if head is None or token in prepositions.consumed or label == "cc":
            continue
        head = prepositions.moved.get(head, head)
        if head == token:
            continue
        if label == "conj":
            conjuncts.append((head, token))
            arcs.add((head, token, f"conj_{_conjunction(tree, head, token)}"))
        elif (name := _basic_name(tree, token, names)) is not None:
            arcs.add((head, token, name))
    _share_governors(arcs, conjuncts, prepositions.own_label)
    _share_subjects(tree, arcs, conjuncts)
    _fill_relative_clauses(tree, arcs)
    _fill_infinitives(tree, arcs)
    return {arc for arc in arcs if arc[0] != arc[1]}


def _promote_complements(tree: Tree) -> None:
    """*Ras is a kinase*: where the tree hangs everything on *is*, *kinase* takes its place and *is* becomes its copula."""
    for verb in range(len(tree.words)):
        complements = tree.children(verb, "attr", "acomp") if tree.words[verb] in _BE else []
        if not complements or tree.has(verb, "expl"):  # "there is evidence" keeps its verb
            continue
        complement = complements[0]
        for other in tree.children(verb):
            if other != complement:
                tree.attach(other, complement)
        tree.attach(complement, tree.heads[verb])
        tree.attach(verb, complement)
        tree.labels[complement], tree.labels[verb] = tree.labels[verb], "cop"


def _flatten_conjuncts(tree: Tree) -> None:
    """Every conjunct hangs on the first one, also where the tree chains them."""
    for token, label in enumerate(tree.labels):
        head = tree.heads[token]
        if label == "conj":
            while head is not None and tree.labels[head] == "conj":
                head = tree.heads[head]
            tree.attach(token, head)


class _Prepositions:
    """What collapsing the prepositions of a tree yields.

    ``arcs`` are the new ones; tokens in ``consumed`` have lost their own arc; a dependent of a preposition goes where ``moved``
    says; ``own_label`` keeps the label of a later conjunct that repeats the preposition (*in A and at B*).
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.arcs: set[Arc] = set()
        self.consumed: set[int] = set()
        self.moved: dict[int, int] = {}
        self.own_label: dict[int, str] = {}
        for token, label in enumerate(tree.labels):
            head = tree.heads[token]
            if head is None or token in self.consumed:
                continue
            if label in ("prep", "agent") or (label == "dative" and tree.has(token, "pobj")):
                self._collapse_preposition(token, head, "")
        for token, label in enumerate(tree.labels):
            if label.split(":")[0] in _WITH_CASE:
                self._collapse_case(token)

    def _collapse_preposition(self, token: int, governor: int, beginning: str) -> None:
        """``prep`` and ``pobj`` as one arc; several words (*due to*, *because of*) make one name."""
        tree = self.tree
        name = beginning + self._name(token)
        partners = [
            c for c in tree.children(token, "conj") if tree.has(c, "pobj", "pcomp") or tree.pos[c] in ("IN", "TO", "ADP")
        ]
        inner = [c for c in tree.children(token, "prep", "pcomp") if tree.labels[c] == "prep" or tree.has(c, "pobj")]
        objects = [c for c in tree.children(token, "pobj", "pcomp") if c not in inner and c not in self.consumed]
        if not objects:
            objects = next((found for p in partners if (found := tree.children(p, "pobj", "pcomp"))), [])
        if objects:
            for item in objects:
                self._add(governor, item, name, "prepc" if tree.labels[item] == "pcomp" else "prep")
            self.moved[token] = objects[0]
            self.consumed.update([token, *objects])
        elif inner:
            self._collapse_preposition(inner[0], governor, f"{name}_")
            self.moved[token] = self.moved.get(inner[0], governor)
            self.consumed.add(token)
        else:
            tree.labels[token] = "prep"
        for partner in partners:
            self.consumed.add(partner)
            self._collapse_preposition(partner, governor, "")

    def _collapse_case(self, token: int) -> None:
        """``nmod`` with ``case``, or a participle after a preposition, as one arc."""
        tree, head = self.tree, self.tree.heads[token]
        if head is None:
            return
        base = tree.labels[token].split(":")[0]
        if tree.labels[token] in ("nmod:poss", "nmod:npmod", "nmod:tmod", "obl:npmod", "obl:tmod"):
            self.consumed.update(tree.children(token, "case"))
            return
        if base in ("nmod", "obl", "conj", "appos", "dep", "root"):
            marks, kind = tree.children(token, "case"), "prep"
        elif base in ("advcl", "acl") and tree.pos[token] in ("VBG", "VERB"):
            marks, kind = (
                [c for c in tree.children(token, "mark") if tree.words[c] in PREPOSITIONS_OF_CLAUSES],
                "prepc",
            )
        else:
            return
        if not marks or all(tree.pos[mark] == "POS" for mark in marks):
            return
        name = "_".join(self._name(mark) for mark in marks)
        self.consumed.update(marks)
        if base == "conj":
            self.own_label[token] = f"prep_{name}"
        elif base in ("nmod", "obl", "advcl", "acl"):
            self._add(head, token, name, kind)
            self.consumed.add(token)

    def _add(self, governor: int, item: int, name: str, kind: str) -> None:
        # the converter speaks of an agent only where an auxiliary makes the passive certain
        is_agent = name == "by" and kind == "prep" and self.tree.has(governor, "auxpass", "aux:pass")
        self.arcs.add((governor, item, "agent" if is_agent else f"{kind}_{name}"))

    def _name(self, token: int) -> str:
        tree = self.tree
        bare = [
            c
            for c in tree.children(token, "pcomp")
            if c == token + 1 and tree.pos[c] in ("IN", "TO", "ADP") and not tree.children(c)
        ]
        parts = sorted([token, *bare, *tree.children(token, "mwe", "fixed")])
        self.consumed.update(part for part in parts if part != token)
        return "_".join(tree.words[part] for part in parts)


def _basic_name(tree: Tree, token: int, names: dict[str, str | None]) -> str | None:
    """The basic Stanford label of the arc to ``token``."""
    label, word, pos = tree.labels[token], tree.words[token], tree.pos[token]
    head = tree.heads[token]
    assert head is not None
    if label in ("nmod", "obl"):  # without a preposition: a noun before its noun
        name: str | None = "num" if pos == "CD" else "amod" if pos.startswith(("J", "ADJ")) else "nn"
    elif label in _CLAUSES:
        name = "infmod" if tree.has(token, "aux", "mark") and pos == "VB" else "partmod" if pos in ("VBG", "VBN") else "ccomp"
    elif label == "advcl" and pos in ("VBG", "VBN") and not tree.has(token, "mark", *_SUBJECTS):
        name = "partmod"
    elif label == "mark" and word == "that":
        name = "complm"
    elif label == "mark" and word == "to":
        name = "aux"
    elif label == "parataxis" and tree.words[token - 1] in ("(", "-lrb-") and pos.startswith("N") and token > head:
        name = "appos"
    else:
        name = names.get(label, label.split(":")[0] if ":" in label else label)
    between = tree.words[token + 1 : head]
    if name in _PREMODIFIERS and between == ["-"] and tree.pos[head].startswith(("V", "J", "ADJ")):
        return "hyphen"
    return name


def _conjunction(tree: Tree, head: int, token: int) -> str:
    """The word that joins a conjunct: the last one before it, else the next of the list, else *and*."""
    group = [head, *tree.children(head, "conj")]
    words = sorted(c for member in group for c in tree.children(member, "cc"))
    before = [c for c in words if head < c < token]
    after = [c for c in words if c > token]
    if not before and not after:
        return "and"
    chosen = before[-1] if before else after[0]
    following = tree.words[chosen + 1 : chosen + 3]
    if tree.words[chosen] == "and" and following == ["/", "or"]:
        return "and/or"
    if tree.words[chosen] == "but" and following[:1] == ["not"]:
        return "negcc"
    return CONJUNCTIONS.get(tree.words[chosen], tree.words[chosen])


def _share_governors(arcs: set[Arc], conjuncts: list[tuple[int, int]], own_label: dict[int, str]) -> None:
    """What governs the first conjunct governs the others."""
    for first, other in conjuncts:
        for governor, dependent, label in list(arcs):
            if dependent == first and governor != other and not label.startswith("conj_"):
                shared = own_label.get(other, label) if label.startswith("prep_") else label
                arcs.add((governor, other, shared))


def _share_subjects(tree: Tree, arcs: set[Arc], conjuncts: list[tuple[int, int]]) -> None:
    """*Ras binds Raf and activates it*: the second verb has the subject of the first, unless it has one."""
    for first, other in conjuncts:
        predicate = tree.pos[other].startswith("V") or tree.has(other, "cop")
        if predicate and not any(head == other and label in _SUBJECTS for head, _, label in arcs):
            for head, dependent, label in list(arcs):
                if head == first and label in _SUBJECTS and dependent != other:
                    arcs.add((other, dependent, _subject(tree, other)))


def _fill_relative_clauses(tree: Tree, arcs: set[Arc]) -> None:
    """*Raf, which binds Ras*: *Raf* is the subject of *binds*, *which* only its relative word."""
    for noun, verb, label in list(arcs):
        if label != "rcmod":
            continue
        relative = [
            (head, dependent, name)
            for head, dependent, name in arcs
            if head == verb and tree.pos[dependent] in _RELATIVE_TAGS and name in (*_SUBJECTS, "dobj", "dep", "pobj")
        ]
        for arc in relative:
            arcs.remove(arc)
            arcs.add((verb, arc[1], "rel"))
        if relative and not any(head == verb and name in _SUBJECTS for head, _, name in arcs):
            arcs.add((verb, noun, _subject(tree, verb)))


def _fill_infinitives(tree: Tree, arcs: set[Arc]) -> None:
    """*Ras was shown to bind Raf*: *Ras* is the subject of *bind* from outside (``xsubj``)."""
    for verb, complement, label in list(arcs):
        if label != "xcomp" or not any(tree.words[c] == "to" for c in tree.children(complement, "aux", "mark")):
            continue
        if any(head == complement and name in _SUBJECTS for head, _, name in arcs):
            continue
        for head, dependent, name in list(arcs):
            if head == verb and name in _SUBJECTS and dependent != complement:
                arcs.add((complement, dependent, "xsubj"))


def _subject(tree: Tree, verb: int) -> str:
    return "nsubjpass" if tree.has(verb, "auxpass", "aux:pass") else "nsubj"
