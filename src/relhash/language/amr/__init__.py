"""Meaning graphs (AMR) in the place of parses: read, aligned with their sentences, and put into documents.

A wing of :mod:`relhash.language`, loaded only where graphs are read. Its ways in:

- a file of graphs is a corpus: ``relhash.read("graphs.amr")`` (the format ``amr``), :func:`read_amr`;
- graphs beside a corpus: :class:`GraphCollection` finds the sentences that they are about, :func:`with_amr` goes by the ids of
  sentences;
- a single graph: :func:`parse_graph`, :func:`amr_document`.

>>> document = amr_document('(b / bind-01 :ARG0 (p / protein :name (n / name :op1 "Ras")))', identifier="d")
>>> [token.text for token in document.sentences[0].tokens]
['bind', 'protein']
"""

from relhash.language.amr.collection import GraphCollection
from relhash.language.amr.documents import amr_document, read_amr, with_amr
from relhash.language.amr.graphs import AmrGraph, parse_graph, read_graphs

__all__ = ["AmrGraph", "GraphCollection", "amr_document", "parse_graph", "read_amr", "read_graphs", "with_amr"]
