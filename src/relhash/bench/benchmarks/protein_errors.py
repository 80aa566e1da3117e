"""Which proteins a pipeline finds in raw text, which it misses and what it takes for one, by kind.

A found name is *exact*, a matter of *boundaries* (it overlaps an annotated one), or *spurious*. Of what kind a
spurious name is, its own words tell ("carboxyl-terminal SH2 domain"); where they do not it is ``name``, and often a protein
that the corpus leaves unannotated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from relhash.corpus.document import Document, Span
from relhash.language import Pipeline, entity_type

# kind, pattern, whether the whole name must match; the first that matches decides
_KINDS = (
    (
        "reagent or assay",
        r"\b(?:taqman|antibod(?:y|ies)|kit|assays?|elisa|pcr|probes?|primers?|plasmids?|vectors?|[sg]irna|shrna|inhibitors?|array|"
        r"chip|blot|e?gfp|luciferase|lacz)\b",
        False,
    ),
    (
        "DNA element",
        r"\b(?:promoters?|enhancers?|sites?|elements?|utr|exons?|introns?|haplotypes?|polymorphisms?|box|alleles?|sequences?|"
        r"loc(?:us|i)|mrnas?|cdnas?|transcripts?|dna|rna|genotypes?|chromosomes?)\b",
        False,
    ),
    (
        "domain",
        r"\b(?:domains?|motifs?|termin(?:us|al|i)|sh[23]|ph|repeats?|heli(?:x|ces)|fingers?|regions?|loops?|tails?|peptides?|"
        r"fragments?|epitopes?|subunits?)\b",
        False,
    ),
    (
        "cell",
        r"\b(?:cells?|lymphocytes?|leukocytes?|monocytes?|macrophages?|fibroblasts?|neurons?|platelets?|i?treg|th(?:1|2|17)|"
        r"jurkat|hela|hek|cos|cho|thp|hl60|k562|u937|lines?)\b",
        False,
    ),
    (
        "residue",
        r"[acdefghiklmnpqrstvwy][0-9]{1,4}[a-z]?|(?:ser|thr|tyr|lys|arg|cys|ala|asp|glu|gly|his|leu|pro|serine|threonine|tyrosine|"
        r"lysine|arginine|cysteine)(?:[ -]?\(?[0-9]+\)?)?",
        True,
    ),
    (
        "species",
        r"\W{0,9}(?:humans?|mouse|mice|murine|rats?|bovine|yeast|rabbits?|virus(?:es)?|viral|hiv(?:-[12])?|h?cmv|ebv|h[bc]v|"
        r"adenovirus|drosophila|e\. coli|escherichia coli)\W{0,9}",
        True,
    ),
    (
        "family",
        r"(?:famil(?:y|ies)|members?|isoforms?|complex(?:es)?|class(?:es)?|(?:ase|or|in|kine|gene|protein|factor|molecule|gpcr|"
        r"gef|gap)s|proteins?|genes?|kinase|receptor|cytokine|gtpase|gef)\Z",
        False,
    ),
)
_PATTERNS = [(kind, re.compile(pattern, re.IGNORECASE), whole) for kind, pattern, whole in _KINDS]

SPURIOUS = (*(kind for kind, *_ in _KINDS), "cut or stray sign", "name")
"""Kinds of spurious names."""


def spurious_kind(text: str) -> str:
    """What a name that is no annotated protein seems to be, from its words.

    >>> [spurious_kind(text) for text in ("TaqMan Gene", "S82", "human;", "iTreg", "SH2 domain", "GTPases", "Bcl3")]
    ['reagent or assay', 'residue', 'species', 'cell', 'domain', 'family', 'name']
    """
    for kind, pattern, whole in _PATTERNS:
        if pattern.fullmatch(text) if whole else pattern.search(text):
            return kind
    return "name" if text[0].isalnum() and (text[-1].isalnum() or text[-1] in ")]'′+*") else "cut or stray sign"


@dataclass(frozen=True, slots=True)
class ProteinErrors:
    """Counts over a corpus; shares are properties."""

    n_gold: int
    n_found: int
    n_exact: int
    n_found_overlapping: int
    """Found names that overlap an annotated one."""
    n_gold_overlapped: int
    too_long: int
    too_short: int
    shifted: int
    spurious: tuple[tuple[str, int], ...]
    """(kind, count), every kind of :data:`SPURIOUS`."""

    @property
    def precision(self) -> float:
        return self.n_exact / max(self.n_found, 1)

    @property
    def recall(self) -> float:
        return self.n_exact / max(self.n_gold, 1)

    @property
    def f1(self) -> float:
        return 2 * self.n_exact / max(self.n_found + self.n_gold, 1)

    @property
    def overlapping_precision(self) -> float:
        return self.n_found_overlapping / max(self.n_found, 1)

    @property
    def overlapping_recall(self) -> float:
        return self.n_gold_overlapped / max(self.n_gold, 1)

    @property
    def missed(self) -> int:
        """Annotated names that nothing overlaps."""
        return self.n_gold - self.n_gold_overlapped


def protein_errors(pipeline: Pipeline, gold: Sequence[Document]) -> ProteinErrors:
    """Read the texts of ``gold`` (its mentions are not shown to the pipeline) and compare their proteins by offsets."""
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for reference, read in zip(gold, pipeline.annotate([Document(one.id, one.text) for one in gold]), strict=True):
        true, found = _proteins(reference), _proteins(read)
        counts["gold"] += len(true)
        counts["found"] += len(found)
        counts["exact"] += len(true & found)
        counts["overlapped"] += sum(bool(_overlapping(span, found)) for span in true)
        for span in found - true:
            touched = _overlapping(span, true)
            if touched:
                counts[_boundary(span, touched)] += 1
            else:
                kinds[spurious_kind(reference.text[slice(*span)])] += 1
    return ProteinErrors(
        n_gold=counts["gold"],
        n_found=counts["found"],
        n_exact=counts["exact"],
        n_found_overlapping=counts["found"] - sum(kinds.values()),
        n_gold_overlapped=counts["overlapped"],
        too_long=counts["too long"],
        too_short=counts["too short"],
        shifted=counts["shifted"],
        spurious=tuple((kind, kinds[kind]) for kind in SPURIOUS),
    )


def _proteins(document: Document) -> set[Span]:
    marked = (mention for mention in document.entities if entity_type(mention.type) == "protein")
    return {(mention.start, mention.end) for mention in marked}


def _overlapping(span: Span, others: Iterable[Span]) -> list[Span]:
    return [(start, end) for start, end in others if start < span[1] and span[0] < end]


def _boundary(span: Span, touched: Sequence[Span]) -> str:
    if all(span[0] <= start and end <= span[1] for start, end in touched):
        return "too long"
    return "too short" if any(start <= span[0] and span[1] <= end for start, end in touched) else "shifted"
