"""A small standoff corpus."""

from __future__ import annotations

from pathlib import Path

TEXT = "é TNF binds p53.\nT and B cells induce it.\n"


ANN = """\
T1	Protein 2 5	TNF
T2	Protein 12 15	p53
T3	Binding 6 11	binds
T4	Cell 17 18;25 30	T cells
T5	Positive_regulation 31 37	induce
E1	Binding:T3 Theme:T1 Theme2:T2
E2	Positive_regulation:T5 Theme:E1 Cause:T4
R1	Part-of Arg1:T1 Arg2:T4
*	Equiv T1 T2
A1	Negation E1
M2	Confidence E2 very high
N1	Reference T2 NCBIGene:7157	p53
N2	Reference T2 UniProt:P04637
#1	AnnotatorNotes T1	is this	right?
#2	AnnotatorNotes N1	about a normalisation, which our records do not have
#3	a bare comment
# without a tab
"""


def write(folder: Path, text: str | bytes, ann: str) -> Path:
    (folder / "doc.txt").write_bytes(text.encode() if isinstance(text, str) else text)
    (folder / "doc.ann").write_text(ann, encoding="utf-8")
    return folder
