"""Graphs of small sentences."""

from __future__ import annotations

GRAPHS = """# a release of graphs

# ::id a.1 ::annotator x
# ::snt Ras binds Raf é.
(b / bind-01
   :ARG0 (p / protein :name (n / name :op1 "Ras"))
   :ARG1 (e / enzyme :name (m / name :op1 "Raf")))

# ::id a.2
# ::snt MEK phosphorylates ERK.
(p / phosphorylate-01
   :ARG0 (a / enzyme :name (n / name :op1 "MEK"))
   :ARG1 (b / enzyme :name (m / name :op1 "ERK")))
"""
