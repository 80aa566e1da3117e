"""Sentences with the names that people marked in them, from corpora of different guidelines, each of which marks some types.

Nothing that is measured on is trained on: sentences and papers of the test sets (BC2GM test, BioNLP 2013 devel, HPRD50, NCBI
disease test, BC5CDR devel and test, BioRED dev, the judged statements) are left out, whichever corpus repeats them.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from relhash.bench.datasets.language_gold import entity_sentences
from relhash.corpus.document import Document, Span
from relhash.corpus.unified_xml import read_unified_xml
from relhash.language.sentences import split_sentences

NERO_TYPES = {
    "protein": "GP Protein Gene GeneOrProtein GeneOrProteinGroup",
    "chemical": "Chemical Drug SmallMolecule NonProteinOrNucleicAcidChemical",
    "cell": "Cell",
    "species": "Organism",
    "disease": "Disease",
    "": "BodyPart MedicalFinding CellComponent Tissue ResearchActivity MedicalProcedure PartOfProtein AminoAcid",
}
_NERO_TYPE = {name: kind for kind, names in NERO_TYPES.items() for name in names.split()}
OPEN = "open"
"""A stretch that may be anything: marked as something that is no type of ours and may hold a name (a promoter, an operon)."""
_GIVEN = {
    "Protein": "protein", "Gene": "protein", "FamilyName": "protein", "protein": "protein", "Chemical": "chemical",
    "chemical": "chemical", "Disease": "disease", "disease": "disease", "Cell": "cell", "cell": "cell",
    "Organism": "species", "DomainMotif": "", "ChromosomeLocation": "",
}  # fmt: skip
Mark = tuple[int, int, str]
_NOT_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A sentence, the guideline that it follows, and the names in it."""

    guideline: str
    document: str
    text: str
    marks: tuple[Mark, ...]
    """(start, end, type); the type ``""`` is no name of ours, :data:`OPEN` may hold one."""
    whole: tuple[str, ...]
    """Types of which every name is marked."""

    @property
    def fingerprint(self) -> str:
        """What is left of the sentence that two tokenisations agree on."""
        return _NOT_LETTERS.sub("", self.text.lower())


def without(sentences: Iterable[MarkedText], forbidden: frozenset[str], papers: frozenset[str]) -> Iterator[MarkedText]:
    return (s for s in sentences if s.document not in papers and s.fingerprint not in forbidden)


def bc2gm(data: Path, part: str) -> Iterator[MarkedText]:
    yield from _iob(data, "BC2GM-IOB", part, "bc2gm", ("protein",))


def jnlpba(data: Path, part: str) -> Iterator[MarkedText]:
    yield from _iob(data, "JNLPBA", part, "jnlpba", ("protein", "cell"))


def ncbi(data: Path, part: str) -> Iterator[MarkedText]:
    yield from _iob(data, "NCBI-disease-IOB", part, "ncbi", ("disease",))


def _iob(data: Path, folder: str, part: str, guideline: str, whole: tuple[str, ...]) -> Iterator[MarkedText]:
    for number, document in enumerate(entity_sentences(data / "ner" / folder / f"{part}.tsv")):
        marks = tuple((m.start, m.end, _GIVEN.get(m.type, OPEN)) for m in document.mentions)
        yield MarkedText(guideline, f"{part}{number}", document.text, marks, whole)


def standoff(folder: Path, guideline: str, whole: tuple[str, ...] = ("protein",)) -> Iterator[MarkedText]:
    """The names (``.a1``) of a folder in the format of BioNLP."""
    for text in sorted(folder.glob("*.txt")):
        document = Document(text.stem, text.read_text(encoding="utf-8"))
        found = re.findall(r"^T\S+\t(\S+) (\d+) (\d+)\t", text.with_suffix(".a1").read_text(encoding="utf-8"), re.MULTILINE)
        marks = [(int(start), int(end), _GIVEN.get(kind, OPEN)) for kind, start, end in found]
        yield from _by_sentence(guideline, split_sentences(document), marks, whole)


def renamed(sentences: Iterable[MarkedText], guideline: str, whole: tuple[str, ...], seed: int) -> Iterator[MarkedText]:
    """The sentences about genes of bacteria once more, each gene under another name that was made up in their way.

    The corpus has some two hundred of these names, bacteria have thousands: so their form is learned, and not their letters.
    """
    rng = random.Random(seed)
    for sentence in sentences:
        names = {sentence.text[start:end]: "" for start, end, kind in sentence.marks if kind == "protein"}
        names = {name: _made_up(name, rng) for name in names if _BACTERIAL.fullmatch(name)}
        text, marks, last = "", [], 0
        for start, end, kind in sorted(sentence.marks):
            if start < last:
                break
            text += sentence.text[last:start]
            name = sentence.text[start:end]
            marks.append((len(text), len(text) + len(names.get(name, name)), kind))
            text, last = text + names.get(name, name), end
        else:
            if names:
                yield replace(sentence, guideline=guideline, whole=whole, text=text + sentence.text[last:], marks=tuple(marks))


_BACTERIAL = re.compile(r"[A-Za-z][a-z]{2}[A-Z]\d?")
_SIGMA = ("sigma({})", "sigma({})", "sigma({})", "sigma {}", "sigma-{}", "sigma{}", "sigma {} factor", "Sig{}", "\u03c3{}")


def _made_up(name: str, rng: random.Random) -> str:
    """A name in the way of *cotD*, *SpoIIID* or *sigma(K)*, small as the one it stands for."""
    last = rng.choice("ABCDEFGHIJKLMNPQRSTUVWXYZ")
    if rng.random() < 0.2:
        return rng.choice(_SIGMA).format(last)
    stem = "".join(rng.choices(_LETTERS, k=3))
    stem = stem if name[0].islower() else stem.capitalize()
    return stem + rng.choices(("", "0", "II", "III", "IV", "V"), (40, 1, 2, 2, 1, 1))[0] + last


_LETTERS = "aaabbccccddeeeeffgghhiiijkllllmmmnnnooooppprrrrsssstttuuvvwxyyyy"


def bionlp(data: Path, year: str, part: str) -> Iterator[MarkedText]:
    return standoff(data / "bionlp" / year / part, "bionlp")


def pubtator(path: Path, guideline: str, whole: tuple[str, ...]) -> Iterator[MarkedText]:
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        texts = re.findall(r"^(\d+)\|[ta]\|(.*)$", block, re.MULTILINE)
        if texts:
            document = Document(texts[0][0], "\n".join(text for _, text in texts))
            found = re.findall(r"^\d+\t(\d+)\t(\d+)\t[^\t\n]*\t(\w+)", block, re.MULTILINE)
            marks = [(int(start), int(end), _GIVEN.get(kind, OPEN)) for start, end, kind in found]
            yield from _by_sentence(guideline, split_sentences(document), marks, whole)


def bioinfer(data: Path) -> Iterator[MarkedText]:
    for document in read_unified_xml(data / "ppi" / "BioInfer.xml"):
        marks = [(m.start, m.end, "protein") for m in document.mentions if not m.is_trigger and not m.is_discontinuous]
        yield from _by_sentence("bioinfer", document, marks, ("protein",))


def _by_sentence(guideline: str, document: Document, marked: Sequence[Mark], whole: tuple[str, ...]) -> Iterator[MarkedText]:
    for sentence in document.sentences:
        start, end = sentence.start, sentence.end
        marks = tuple((a - start, b - start, kind) for a, b, kind in marked if start <= a and b <= end)
        yield MarkedText(guideline, document.id, document.text[start:end], marks, whole)


def nero(data: Path) -> Iterator[MarkedText]:
    """Sentences of NERO with two names of ours or more; its strings have no offsets, so each is taken wherever it stands."""
    marked: dict[str, tuple[str, dict[str, str]]] = {}
    with gzip.open(data / "nero" / "annotation_results.txt.gz", "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            columns = line.rstrip("\r\n").split("\t")
            if len(columns) < 31:
                continue
            _, names = marked.setdefault(columns[29].strip(), (columns[28], {}))
            for name, label in ((columns[8], columns[9]), (columns[16], columns[17])):
                if len(name.strip()) > 1 and label in _NERO_TYPE:
                    names[name.strip()] = names.get(name.strip(), "") or _NERO_TYPE[label]
    for text, (paper, names) in marked.items():
        own = [(a, b, kind) for name, kind in names.items() if kind for a, b in _places(text, [name])]
        others = [(a, b, "") for name, kind in names.items() if not kind for a, b in _places(text, [name])]
        if len({text[a:b] for a, b, _ in own}) > 1:
            apart = [mark for mark in others if not any(mark[0] < end and start < mark[1] for start, end, _ in own)]
            yield MarkedText("nero", paper, text, (*own, *apart), ())


def _places(text: str, names: Iterable[str]) -> tuple[Span, ...]:
    return tuple(match.span() for name in names for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def measured(data: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Fingerprints of the sentences and numbers of the papers of the test sets."""
    hprd50 = data / "ppi" / "HPRD50.xml"
    sentences = [
        *bc2gm(data, "test"),
        *bionlp(data, "2013", "devel"),
        *ncbi(data, "test"),
        *_iob(data, "BC5CDR-IOB", "test", "cdr", ()),
        *pubtator(data / "bc5cdr" / "devel.PubTator", "cdr", ()),
        *(one for document in read_unified_xml(hprd50) for one in _by_sentence("", document, [], ())),
    ]
    papers = {
        *re.findall(r'<document[^>]*origId="([0-9]+)"', hprd50.read_text(encoding="utf-8")),
        *re.findall(r"^(\d+)\|t", (data / "biored" / "Dev.PubTator").read_text(encoding="utf-8"), re.MULTILINE),
        *(json.loads(line)["pmid"] for line in (data / "judged" / "indra_dev.jsonl").open(encoding="utf-8")),
    }
    return frozenset(one.fingerprint for one in sentences), frozenset(papers)
