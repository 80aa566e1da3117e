"""Sentences with the genes and proteins that people marked in them, from corpora of different guidelines.

Nothing that is measured on is trained on: sentences and papers of the test sets (BC2GM test, BioNLP 2013 devel, HPRD50) are
left out, whichever corpus repeats them.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import relhash
from relhash.bench.datasets.language_gold import entity_sentences
from relhash.corpus.document import Document, Span
from relhash.corpus.unified_xml import read_unified_xml
from relhash.language.sentences import split_sentences

NERO_GENES = frozenset(("GP", "Protein", "Gene", "GeneOrProtein", "GeneOrProteinGroup"))
NERO_OTHERS = frozenset((
    "Chemical", "Cell", "Organism", "BodyPart", "Disease", "MedicalFinding", "CellComponent", "Drug", "SmallMolecule", "Tissue",
    "NonProteinOrNucleicAcidChemical", "ResearchActivity", "MedicalProcedure", "PartOfProtein", "AminoAcid",
))  # fmt: skip
_NOT_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A sentence, the guideline that it follows, and its genes and proteins."""

    guideline: str
    document: str
    text: str
    spans: tuple[Span, ...]
    other: tuple[Span, ...] | None = None
    """What was marked as something else, where only a part of the sentence was annotated; ``None`` where all of it was."""

    @property
    def fingerprint(self) -> str:
        """What is left of the sentence that two tokenisations agree on."""
        return _NOT_LETTERS.sub("", self.text.lower())


def without(sentences: Iterable[MarkedText], forbidden: frozenset[str], papers: frozenset[str]) -> Iterator[MarkedText]:
    return (s for s in sentences if s.document not in papers and s.fingerprint not in forbidden)


def bc2gm(data: Path, part: str) -> Iterator[MarkedText]:
    for number, document in enumerate(entity_sentences(data / "ner" / "BC2GM-IOB" / f"{part}.tsv")):
        yield _whole("bc2gm", document, f"{part}{number}")


def jnlpba(data: Path, part: str) -> Iterator[MarkedText]:
    for number, document in enumerate(entity_sentences(data / "ner" / "JNLPBA" / f"{part}.tsv")):
        yield _whole("jnlpba", document, f"{part}{number}")


def _whole(guideline: str, document: Document, name: str) -> MarkedText:
    spans = tuple((m.start, m.end) for m in document.mentions if m.type == "protein")
    return MarkedText(guideline, name, document.text, spans)


def bionlp(data: Path, year: str, part: str) -> Iterator[MarkedText]:
    for document in relhash.read(data / "bionlp" / year / part):
        yield from _by_sentence("bionlp", split_sentences(document), "protein")


def bioinfer(data: Path) -> Iterator[MarkedText]:
    for document in read_unified_xml(data / "ppi" / "BioInfer.xml"):
        yield from _by_sentence("bioinfer", document, None)


def _by_sentence(guideline: str, document: Document, kind: str | None) -> Iterator[MarkedText]:
    marked = [m for m in document.mentions if not m.is_trigger and (kind is None or m.type.lower() == kind)]
    for sentence in document.sentences:
        spans = tuple(
            (m.start - sentence.start, m.end - sentence.start)
            for m in marked
            if sentence.start <= m.start and m.end <= sentence.end and not m.is_discontinuous
        )
        yield MarkedText(guideline, document.id, document.text[sentence.start : sentence.end], spans)


def nero(data: Path) -> Iterator[MarkedText]:
    """Sentences of NERO with two names of genes or more; its strings have no offsets, so each is taken wherever it stands."""
    marked: dict[str, tuple[str, dict[str, bool]]] = {}
    with gzip.open(data / "nero" / "annotation_results.txt.gz", "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            columns = line.rstrip("\r\n").split("\t")
            if len(columns) < 31:
                continue
            _, names = marked.setdefault(columns[29].strip(), (columns[28], {}))
            for name, kind in ((columns[8], columns[9]), (columns[16], columns[17])):
                if len(name.strip()) > 1 and kind in NERO_GENES | NERO_OTHERS:
                    names[name.strip()] = names.get(name.strip(), False) or kind in NERO_GENES
    for text, (paper, names) in marked.items():
        genes = _places(text, [name for name, is_gene in names.items() if is_gene])
        others = _places(text, [name for name, is_gene in names.items() if not is_gene])
        if len({text[slice(*span)] for span in genes}) > 1:
            apart = tuple((a, b) for a, b in others if not any(a < end and start < b for start, end in genes))
            yield MarkedText("nero", paper, text, genes, apart)


def _places(text: str, names: Iterable[str]) -> tuple[Span, ...]:
    return tuple(match.span() for name in names for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def measured(data: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Fingerprints of the sentences and numbers of the papers of the test sets."""
    hprd50 = data / "ppi" / "HPRD50.xml"
    sentences = [
        *bc2gm(data, "test"),
        *bionlp(data, "2013", "devel"),
        *(one for document in read_unified_xml(hprd50) for one in _by_sentence("", document, None)),
    ]
    papers = re.findall(r'<document[^>]*origId="([0-9]+)"', hprd50.read_text(encoding="utf-8"))
    return frozenset(one.fingerprint for one in sentences), frozenset(papers)
