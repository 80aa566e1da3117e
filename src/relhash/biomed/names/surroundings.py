"""Names that the words around them make something else: *IL-2* in "the IL-2 response element", *Fas* in "antibodies to Fas",
*c-Myc* in "c-Myc-tagged Raf".

A tagger often takes the gene out of such a phrase, so that the name itself (:mod:`relhash.biomed.names.heads`) does not show
it. Promoters and inhibitors are left alone: what binds the promoter of a gene mostly regulates it, and what an inhibitor of a
kinase stops needs the kinase. Of the gold pairs of AIMed and of the training folders of BioNLP 2009 and 2013 the rules doubt
530, of which 13 are related (``benchmarks/surroundings.py``).
"""

from __future__ import annotations

import re

_KINDS = r"(?:(?:DNA|consensus|binding|response|responsive|recognition|regulatory|target|like|specific|cis-acting)[-\s]+)*"
_STRETCH = (
    r"(?:sites?|elements?|motifs?|box(?:es)?|(?:consensus|recognition|binding|target)\s+sequences?|probes?|oligonucleotides?|"
    r"oligomers?|LTRs?)"
)
_ANTIBODIES = r"(?:antibod(?:y|ies)|antiser(?:um|a)|m?Abs?|MoAbs?)"
_MADE = r"(?:(?:monoclonal|polyclonal|specific|neutrali[sz]ing|blocking)[-\s]+)*"
_EXPLAINED = r"\s*+(?:[(\[][^()\[\]]{1,25}[)\]])?[-\s]*+"
"""An abbreviation may stand in between: "interleukin-2 (IL-2) response element"."""
_OTHERS = r"(?:(?:,|,?\s+(?:and|or))\s+(?!(?:an?|the)\b)(?=[\w-]*[A-Z0-9])\w++(?:-\w++)*+){1,9}"
"""More names before the word that is meant for all of them: "the LEF-1 and Ets-1 sites". What was matched is never given back:
of a long list of names there would be endless ways to do so."""
_SHARED = re.compile(rf"{_OTHERS}[-\s]+{_KINDS}(?:sites|elements|motifs|boxes|probes|oligonucleotides|antibodies)\b")
_AFTER = re.compile(rf"{_EXPLAINED}(?:{_KINDS}{_STRETCH}|{_MADE}{_ANTIBODIES}|(?:epitope[-\s]+)?(?:tagged|tags?|epitopes?))\b")
_TAG = re.compile(
    r"(?:FLAG|HA|GST|E?[GYCR]FP|(?:6x|hexa)?His(?:6|tidine)?|V5|T7|[Cc]-?[Mm]yc|[Mm]yc|G[Aa][Ll]4|LexA|"
    r"glutathione[- ]S[- ]transferase|green fluorescent protein|ha?emagglutinin)"
)
_FUSED = re.compile(
    r"[-\s]+(?:fused|fusions?|labell?ed|conjugated|chimeras?|(?:DNA[-\s]binding|activation)[-\s]domain|BD\b|DBD\b)"
)
_BEFORE_TAG = re.compile(
    r"\b(?:fused|fusions?|linked|joined|conjugated)(?:\s+in[-\s]frame)?\s+(?:to|with)\s+(?:an?\s+|the\s+)?$"
)
_ONLY_A_TAG = re.compile(r"(?:FLAG|HA|GST|E?[GYCR]FP|(?:6x|hexa)?His6?)-[A-Za-z]")
"""Right before a name, by a hyphen: *GST-Raf*. Others may bind it: *Myc-Max*."""
_SITE_ON_A_PROTEIN = re.compile(
    rf"{_EXPLAINED}(?:binding|interaction|docking)[-\s]+(?:sites?|motifs?)\s+(?:on|in|of|within)\b"
    r"(?!.{0,30}\b(?:promoter|enhancer|gene|LTR|intron)s?\b)"
)
"""The place at which one protein binds another is a relation of the two: "the dystrophin binding site on syntrophin"."""
_BEFORE = re.compile(
    r"(?:\banti[-\s]|\b(?:sites?|elements?|motifs?|sequences?) for (?:the )?(?:(?:[\w-]+ ){0,3}(?:factors?|proteins?),? )?|"
    rf"\b{_ANTIBODIES} (?:(?:directed |raised )?against|to|specific for|recogni[sz]ing) (?:the )?|"
    r"\btagged with (?:an? |the )?)$"
)
_ON = re.compile(r"\s+on\b")
"""The same said the other way round: "a binding site for transferrin on TfR"."""
_FAR = 60
"""Characters before a name that are looked at."""


def stands_for_something_else(text: str, start: int, end: int) -> bool:
    """Whether the name at ``text[start:end]`` is part of a phrase that names a stretch of DNA or an antibody, or is a tag.

    >>> text = "NF-kappa B binds the IL-2 response element, and sites for Oct-1; anti-Fas was used."
    >>> [name for name in ("NF-kappa B", "IL-2", "Oct-1", "Fas")
    ...  if stands_for_something_else(text, text.index(name), text.index(name) + len(name))]
    ['IL-2', 'Oct-1', 'Fas']
    >>> stands_for_something_else("c-Myc-tagged Raf", 0, 5), stands_for_something_else("c-Myc binds Raf", 0, 5)
    (True, False)
    """
    if _is_tag(text, start, end):
        return True
    if _SHARED.match(text, end):
        return True
    if _AFTER.match(text, end):
        return _SITE_ON_A_PROTEIN.match(text, end) is None
    found = _BEFORE.search(text[max(0, start - _FAR) : start])
    return found is not None and not (found.group().startswith(("site", "motif")) and _ON.match(text, end))


def _is_tag(text: str, start: int, end: int) -> bool:
    """Whether a protein is only there so that another is found: *GST* in "GST-fused Raf"."""
    if _TAG.fullmatch(text, start, end) is None:
        return False
    return (
        _FUSED.match(text, end) is not None
        or (_ONLY_A_TAG.match(text, start) is not None and text[end : end + 1] == "-")
        or _BEFORE_TAG.search(text[max(0, start - _FAR) : start]) is not None
    )
