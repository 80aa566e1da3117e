"""Names whose own words say that they name no gene or protein: "IL-2 promoter", "anti-RAD51 antibody", "SH2 domain", "AZD6244".

A tagger that has learned from corpora that annotate some of these finds them with high certainty. What a name says of itself is
therefore looked at apart, wherever it matters whether a name stands for a gene or its product.
"""

from __future__ import annotations

import re

_STRETCHES = (
    "promoter enhancer silencer element site sequence motif box locus loci exon intron region domain terminus residue repeat "
    "fragment peptide epitope oligonucleotide oligomer primer probe chromosome"
)
_CONSTRUCTS = "construct reporter plasmid vector cassette transgene allele sirna shrna rnai morpholino antisense knockout"
_REAGENTS = "antibody antibodies mab ab antiserum antisera igg igy kit assay beads column buffer"
_LIVING = "cell line clone mouse mice embryo gonad transfectant transformant"
_HEADS = frozenset(" ".join([_STRETCHES, _CONSTRUCTS, _REAGENTS, _LIVING]).split())
_INSIDE = ("promoter", "reporter", "polyclonal", "monoclonal", "-/-", "−/−", "+/+", "+/−", "+/-")
_TAGS = frozenset(
    (
        "gfp egfp yfp eyfp rfp cfp ecfp dsred mcherry luciferase lacz klh bsa hrp gst ha flag neomycin "
        + "β-galactosidase beta-galactosidase β-gal beta-gal"
    ).split()
)
_REAGENT_STARTS = (
    "anti-",
    "gst-",
    "uas-",
    "chloramphenicol acetyl",
    "horseradish perox",
    "neomycin phospho",
    "green fluorescent",
)
_DOMAINS = frozenset(["sh2", "sh3", "ptb", "pdz", "bhlh", "bzip"])
_NUMBERED = re.compile(r"(?:complex|band|peak|fraction)(?:es|s)?\s+(?:[0-9]+|[A-D])", re.IGNORECASE)
"""What an assay shows: "complex 2". *Complex I* of the mitochondria has a number of its own kind."""
_COMPOUND = re.compile(r"(?!KIAA|FLJ|LOC|DKFZ)[A-Z]{1,4}[- ]?[0-9]{4,}[A-Za-z]?")
"""Drugs and accession numbers: AZD6244, LY294002, AF490577."""


def names_something_else(name: str) -> bool:
    """Whether a name says of itself that it is no gene and no protein.

    >>> list(filter(names_something_else, ["IL-2", "IL-2 promoter", "anti-CD3", "SH2 domain", "KIAA1199", "U0126"]))
    ['IL-2 promoter', 'anti-CD3', 'SH2 domain', 'U0126']
    """
    lower = name.lower()
    words = lower.split()
    if not words:
        return False
    head = words[-1].rpartition("-")[2] or words[-1]
    return (
        head in _HEADS
        or head.removesuffix("s") in _HEADS
        or lower in _TAGS
        or lower in _DOMAINS
        or _NUMBERED.fullmatch(name) is not None
        or lower.startswith(_REAGENT_STARTS)
        or any(inside in lower for inside in _INSIDE)
        or _COMPOUND.fullmatch(name) is not None
    )
