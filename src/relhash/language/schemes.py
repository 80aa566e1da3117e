"""Inventories of dependency labels, recognised and made comparable.

=====================  ==============================================================================  ==================
scheme                 where it comes from                                                             shape
=====================  ==============================================================================  ==================
``stanford-collapsed``  Stanford typed dependencies, prepositions collapsed, conjuncts propagated (the    graph
                        parses inside the protein-interaction corpora)
``stanford-basic``      the same before collapsing: ``prep`` and ``pobj``                               tree
``craft``               the CRAFT treebank and the parser we ship: ``prep``, ``pobj``, ``compound``      tree
``ud``                  Universal Dependencies, versions 1 and 2: ``case`` and ``nmod`` or ``obl``       tree
``amr``                 roles of meaning graphs (:mod:`relhash.language.amr`), comparable to none of the others        graph
=====================  ==============================================================================  ==================

Structures from different schemes match only where their labels and shapes agree, so trees are brought into the first scheme:
:func:`collapse`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from relhash.corpus.conllu import COLLAPSED
from relhash.corpus.document import Dependency, Document, Sentence, Token
from relhash.errors import LanguageError
from relhash.language.collapsing import BASIC_NAMES, Arc, Tree, collapsed_arcs


def scheme_of(sentence: Sentence) -> str | None:
    """The scheme that a sentence's dependencies say they are in; ``None`` without dependencies."""
    schemes = {arc.scheme for arc in sentence.dependencies}
    if len(schemes) > 1:
        raise LanguageError(f"sentence {sentence.id!r} mixes the dependency schemes {', '.join(sorted(schemes))}")
    return next(iter(schemes), None)


def collapse(sentence: Sentence) -> Sentence:
    """The sentence with its tree as a graph in the scheme ``stanford-collapsed``; unchanged if it is that already, or unparsed.

    Prepositions become part of the label (``prep_with``), conjuncts share what governs the first one, passive agents, copulas
    and relative clauses look as the Stanford converter leaves them.

    Examples
    --------
    >>> from relhash.corpus import Token
    >>> tokens = [Token(0, 3, "Ras"), Token(4, 13, "interacts"), Token(14, 18, "with"), Token(19, 22, "Raf")]
    >>> arcs = [(1, 0, "nsubj"), (1, 2, "prep"), (2, 3, "pobj")]
    >>> tree = Sentence("s", 0, 22, tuple(tokens), tuple(Dependency(*arc, scheme="craft") for arc in arcs))
    >>> [(arc.head, arc.dependent, arc.label) for arc in collapse(tree).dependencies]
    [(1, 0, 'nsubj'), (1, 3, 'prep_with')]
    """
    scheme = scheme_of(sentence)
    if scheme is None or scheme == COLLAPSED:
        return sentence
    arcs = [(arc.head, arc.dependent, arc.label) for arc in sentence.dependencies]
    return replace(sentence, dependencies=collapsed(sentence.tokens, arcs, scheme, sentence.id))


def collapsed(tokens: Sequence[Token], arcs: Sequence[Arc], scheme: str, sentence: str) -> tuple[Dependency, ...]:
    """The tree that these arcs (head, dependent, label) make of the tokens of the sentence with that id, as such a graph."""
    if scheme not in BASIC_NAMES:
        raise LanguageError(
            f"sentence {sentence!r}: dependencies of scheme {scheme!r} cannot be collapsed; "
            f"known trees are {', '.join(BASIC_NAMES)}"
        )
    heads: list[int | None] = [None] * len(tokens)
    labels = ["root"] * len(tokens)
    for head, dependent, label in arcs:
        if heads[dependent] is not None:
            raise LanguageError(f"sentence {sentence!r}: token {dependent + 1} has two heads, which is no {scheme} tree")
        heads[dependent], labels[dependent] = head, label
    tree = Tree([token.text.lower() for token in tokens], [token.pos for token in tokens], heads, labels)
    if tree.has_cycle():
        raise LanguageError(f"sentence {sentence!r}: its dependencies run in a circle, which is no {scheme} tree")
    return tuple([Dependency(*arc, COLLAPSED) for arc in sorted(collapsed_arcs(tree, scheme))])


def collapse_document(document: Document) -> Document:
    """A document with all its parses collapsed."""
    return replace(document, sentences=tuple(collapse(sentence) for sentence in document.sentences))
