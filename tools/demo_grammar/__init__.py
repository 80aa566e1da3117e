"""A small generative grammar of protein-interaction sentences, in two house styles, with gold trees and gold relations.

Read in this order: ``tree`` (dependency trees, and the notation that rules are written in), ``names`` (invented proteins),
``lexicon`` with ``abstract_style`` and ``fulltext_style`` (words), ``draft`` (a sentence in the making), ``noun_phrases``,
``verb_phrases``, ``facts`` (clauses that assert, deny or leave open a relation), ``backgrounds`` (clauses that mention proteins
without relating them), ``sentences`` (how clauses combine), ``documents``.

All of it is written by hand for RelHash; no text, name list or tree comes from elsewhere. The trees follow the conventions of
the CRAFT treebank's dependencies (``prep``/``pobj``, ``agent``, ``nsubjpass``, relative pronouns as ``dep``), the scheme of the
parser that ships.
"""
