"""The pairs that the encoder learns from: every source whose licence allows to give away what is learned from it.

A *reading* is one sentence with its entities and the pairs of them that somebody judged. Sources say different things
(BioInfer: any relation, BioNLP: events, NERO: statements, ExTRI: regulation of transcription), so every reading names its
source. Papers and sentences of everything that RelHash is measured on are left out.
"""

from __future__ import annotations

import csv
import itertools
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from relhash.bench.datasets.bionlp import training_documents
from relhash.bench.datasets.dataset import read_benchmark_corpus
from relhash.bench.systems.prior_votes import judged_pairs, without_leakage
from relhash.biomed.names.table import shipped_names
from relhash.candidates.shared_sentences import plain_text
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.candidates.symbols import entity_class
from relhash.corpus import Document, read
from relhash.corpus.document import Mention, Span, paper_ids
from relhash.language.sentences import split_sentences
from train_ppi_model import tested_text

SOURCES = ("bioinfer", "bionlp", "modifications", "nero", "nero-other", "extri", "bel")
"""What a head of the encoder can be asked as."""
MOST_ENTITIES = 14
"""Of one sentence, the first."""


@dataclass(frozen=True)
class Reading:
    """A sentence, its entities in the order of the text, and what is known of pairs of them."""

    text: str
    entities: tuple[tuple[Span, str], ...]
    pairs: tuple[tuple[int, int, str, bool], ...]
    """First entity, second entity, source, whether they are related."""
    paper: str

    @property
    def is_held_out(self) -> bool:
        return is_held_out(self.paper)


def is_held_out(paper: str) -> bool:
    """Every twelfth paper is kept aside, to choose and to calibrate with."""
    return zlib.crc32(paper.encode()) % 12 == 0


def all_readings(root: Path) -> Iterator[Reading]:
    """The readings of all sources, without anything that is tested."""
    papers, sentences = tested_text(root)
    papers |= papers_of_other_tests(root)
    for source, documents in _documents(root):
        documents = list(documents)
        kept, of_papers, of_sentences = without_leakage(documents, papers, sentences)
        found = list(itertools.chain.from_iterable(readings_of(document, source) for document in kept))
        pairs = [pair for reading in found for pair in reading.pairs]
        print(
            f"{source}: {len(found)} sentences, {len(pairs)} pairs, {sum(pair[3] for pair in pairs)} related; left out: "
            f"{of_papers} documents by paper, {of_sentences} by sentence",
            flush=True,
        )
        yield from found
        if source == "bioinfer":  # the encoder of the protocols has not seen it, and must not know its papers either
            papers |= {paper for document in documents for paper in paper_ids(document)}
            sentences |= {plain_text(one.text[s.start : s.end]) for one in documents for s in one.sentences}
    for source, rows in (("extri", _extri(root)), ("bel", _bel(root))):
        found = [row for row in rows if f"PMID{row.paper}" not in papers]
        print(f"{source}: {len(found)} sentences, {sum(row.pairs[0][3] for row in found)} related", flush=True)
        yield from found


def readings_of(document: Document, source: str) -> Iterator[Reading]:
    """The sentences of a document that have at least one judged pair."""
    if not document.sentences:
        document = split_sentences(document)
    related = {frozenset(relation.targets) for relation in document.relations}
    listed = None if document.candidates is None else {frozenset((one.first, one.second)) for one in document.candidates}
    paper = min(paper_ids(document), default=document.id)
    for sentence in document.sentences:
        inside = [m for m in document.entities if sentence.start <= m.spans[0][0] and m.spans[0][1] <= sentence.end]
        inside = sorted(inside, key=lambda m: (m.spans[0], m.id))[:MOST_ENTITIES]
        pairs = [
            (i, j, _source(source, inside[i], inside[j]), pair in related)
            for i, j in itertools.combinations(range(len(inside)), 2)
            if (pair := frozenset((inside[i].id, inside[j].id))) and (listed is None or pair in listed)
        ]
        if pairs:
            entities = tuple((_moved(m, sentence.start), entity_class(m.type)) for m in inside)
            if (
                source != "modifications"
                or any(pair[3] for pair in pairs)
                or zlib.crc32(f"{paper} {sentence.start}".encode()) % 4 == 0
            ):
                yield Reading(document.text[sentence.start : sentence.end], entities, tuple(pairs), paper)


def _moved(mention: Mention, start: int) -> Span:
    return mention.spans[0][0] - start, mention.spans[0][1] - start


def _source(source: str, first: Mention, second: Mention) -> str:
    is_other = source == "nero" and {entity_class(first.type), entity_class(second.type)} != {"protein"}
    return "nero-other" if is_other else source


def _documents(root: Path) -> Iterator[tuple[str, Iterable[Document]]]:
    yield "bioinfer", read_benchmark_corpus(root, "ppi/BioInfer.xml")
    yield "bionlp", pairs_of_events(training_documents(root, ("2013", "2009")))
    folders = [path for path in sorted((root / "bionlp-more").glob("**/")) if any(path.glob("*.a2"))]
    more = itertools.chain.from_iterable(read(path, "bionlp") for path in folders)
    yield "modifications", pairs_of_events(more, types=("protein", "chemical", "organism", "regulon-operon"))
    yield "nero", judged_pairs(read_benchmark_corpus(root, "nero/annotation_results.txt.gz"))


def papers_of_other_tests(root: Path) -> set[str]:
    """Papers of what only tests use: judged statements, chemicals, diseases and genes, BioRED."""
    found = {json.loads(line)["pmid"] for line in (root / "judged" / "indra_dev.jsonl").open(encoding="utf-8")}
    for path in (*sorted((root / "biored").glob("*.PubTator")), *sorted((root / "bc5cdr").glob("*.PubTator"))):
        found |= {match[1] for match in re.finditer(r"^(\d+)\|t\|", path.read_text(encoding="utf-8"), re.MULTILINE)}
    found |= {path.stem for path in (root / "drugprot").glob("**/*.txt")}
    return {f"PMID{int(one)}" for one in found if one and str(one).isdigit()}


_WORD = re.compile(r"[A-Za-z0-9α-ωΑ-Ω']+|[^\sA-Za-z0-9α-ωΑ-Ω]")


def _found(text: str, symbol: str) -> Span | None:
    """The longest place in the text that is some name of a gene or family."""
    names, words = shipped_names(), [match.span() for match in _WORD.finditer(text)]
    for length in range(6, 0, -1):
        for first in range(len(words) - length + 1):
            start, end = words[first][0], words[first + length - 1][1]
            is_name = text[start].isalnum() and text[end - 1].isalnum() and end - start > 1
            found = names.find(text[start:end]) if is_name else ()
            if any(names.label(one.number).upper() == symbol.upper() for one in found):
                return start, end
    return None


def _row(text: str, first: str, second: str, source: str, is_related: bool, paper: str) -> Reading | None:
    spans = (_found(text, first), _found(text, second))
    if spans[0] is None or spans[1] is None or (spans[0][0] < spans[1][1] and spans[1][0] < spans[0][1]):
        return None
    entities = tuple((span, "protein") for span in sorted((spans[0], spans[1])))
    return Reading(text, entities, ((0, 1, source, is_related),), paper)


def _extri(root: Path) -> Iterator[Reading]:
    with (root / "judged" / "extri_dev.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            is_related = row["evaluation"] in ("a", "r", "v") and not row["negation"].strip()
            made = _row(row["sentence"], row["TF"], row["TG"], "extri", is_related, row["id"].split(":")[0])
            if made is not None and row["evaluation"].strip():
                yield made


def _bel(root: Path) -> Iterator[Reading]:
    """Statements about two proteins; a row that is neither correct nor corrected says nothing of the two names in it."""
    with (root / "judged" / "bel_enrichment.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            names = [re.findall(r'HGNC:"?([A-Za-z0-9@-]+)', row[column]) for column in ("subject", "object")]
            if row["correct"] != "x" and row["changed"] != "x":
                names = [] if "evidence" not in (row["error_type"] or "").lower() and row["error_type"] else names
            if len(names) == 2 and names[0] and names[1] and names[0][0] != names[1][0]:
                is_related = "x" in (row["correct"], row["changed"])
                made = _row(row["evidence"], names[0][0], names[1][0], "bel", is_related, row["pmid"])
                if made is not None:
                    yield made
