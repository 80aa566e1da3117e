"""Tables from the labels of a tree scheme to those of basic Stanford dependencies.

A label that is missing keeps its name; ``None`` means that the arc has no counterpart and is dropped. Where the part of speech
or a neighbour decides, :mod:`relhash.language.collapsing` does.
"""

from __future__ import annotations

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
