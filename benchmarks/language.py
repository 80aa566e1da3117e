"""How well and how fast does the pipeline that ships read raw text: trees, tags, sentences, names, proteins by kind of error?

    RELHASH_DATA=DIR OMP_NUM_THREADS=1 python benchmarks/language.py [--model embedded] [-o OUT]
    OMP_NUM_THREADS=1 python benchmarks/language.py --speed     # writes benchmarks/results/language_speed.json

Everything is compared by character offsets, so what the tokenizer gets wrong counts against the parser and the recogniser, as
it would for a user. Paths are compared with those of the parses that the interaction corpora carry, both in one scheme, with
and without a placeholder in the place of names, which break general parsers.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from relhash.bench.datasets.dataset import data_root
from relhash.bench.datasets.language_gold import entity_sentences, split_articles, tree_paragraphs
from relhash.bench.tables import Report, Table
from relhash.candidates import build_structures, candidates
from relhash.corpus.document import Document, Sentence, Span
from relhash.corpus.read_write import read
from relhash.corpus.unified_xml import read_unified_xml
from relhash.errors import DataMissingError
from relhash.language import Pipeline, entity_type
from relhash.language.schemes import collapse_document
from relhash.learn.metrics import rates
from relhash.show.provenance import provenance


@dataclass(frozen=True, slots=True)
class ParseScores:
    """Shares between 0 and 1; attachment without punctuation, as F1 over arcs (tokens may differ in number)."""

    unlabelled_attachment: float
    labelled_attachment: float
    tags: float
    lemmas: float
    sentences: float
    n_tokens: int


@dataclass(frozen=True, slots=True)
class EntityScore:
    """Exact spans of one type."""

    precision: float
    recall: float
    f1: float
    n_gold: int


def parse_scores(pipeline: Pipeline, gold: Sequence[Document]) -> ParseScores:
    """Parse the texts of ``gold`` (its sentences and tokens are not shown to the pipeline) and compare."""
    counts: Counter[str] = Counter()
    for reference, parsed in zip(gold, pipeline.annotate(_raw(gold)), strict=True):
        true, found = _arcs(reference.sentences), _arcs(parsed.sentences)
        counts["gold"] += len(true)
        counts["found"] += len(found)
        for span, (head, label) in found.items():
            if span in true and true[span][0] == head:
                counts["unlabelled"] += 1
                counts["labelled"] += true[span][1] == label
        true_tokens, found_tokens = _tokens(reference.sentences), _tokens(parsed.sentences)
        counts["tokens"] += len(true_tokens)
        for span, (tag, lemma) in found_tokens.items():
            if span in true_tokens:
                counts["tags"] += true_tokens[span][0] == tag
                counts["lemmas"] += true_tokens[span][1].lower() == lemma.lower()
        true_bounds, found_bounds = _bounds(reference.sentences), _bounds(parsed.sentences)
        counts["gold sentences"] += len(true_bounds)
        counts["found sentences"] += len(found_bounds)
        counts["sentences"] += len(true_bounds & found_bounds)
    return ParseScores(
        rates(counts["gold"], counts["found"], counts["unlabelled"])[2],
        rates(counts["gold"], counts["found"], counts["labelled"])[2],
        counts["tags"] / max(counts["tokens"], 1),
        counts["lemmas"] / max(counts["tokens"], 1),
        rates(counts["gold sentences"], counts["found sentences"], counts["sentences"])[2],
        counts["tokens"],
    )


def entity_scores(pipeline: Pipeline, gold: Sequence[Document]) -> dict[str, EntityScore]:
    """Scores of each type that ``gold`` annotates, and under ``"all"`` of these types together."""
    true: Counter[str] = Counter()
    found: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    types = {mention.type for document in gold for mention in document.mentions}
    for reference, annotated in zip(gold, pipeline.annotate(_raw(gold)), strict=True):
        expected = {(mention.spans, mention.type) for mention in reference.mentions}
        predicted = {(mention.spans, mention.type) for mention in annotated.mentions if mention.type in types}
        for counter, mentions in ((true, expected), (found, predicted), (correct, expected & predicted)):
            for _, kind in mentions:
                counter.update((kind, "all"))
    return {
        kind: EntityScore(*rates(true[kind], found[kind], correct[kind]), n_gold=true[kind]) for kind in (*sorted(types), "all")
    }


def sentences_per_second(pipeline: Pipeline, texts: Sequence[str], sentences: int) -> float:
    """Sentences per second of processor time over ``texts`` that hold ``sentences`` (one core: ``OMP_NUM_THREADS=1``)."""
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    list(pipeline.annotate(documents[:5]))
    started = time.process_time()
    for _ in pipeline.annotate(documents):
        pass
    return sentences / max(time.process_time() - started, 1e-9)


def _raw(gold: Iterable[Document]) -> list[Document]:
    return [Document(document.id, document.text) for document in gold]


def _arcs(sentences: Iterable[Sentence]) -> dict[Span, tuple[Span | None, str]]:
    """Span of a token → (span of its head or ``None``, label), punctuation left out."""
    arcs: dict[Span, tuple[Span | None, str]] = {}
    for sentence in sentences:
        spans = [(token.start, token.end) for token in sentence.tokens]
        heads = {arc.dependent: (spans[arc.head], arc.label) for arc in sentence.dependencies}
        for index, span in enumerate(spans):
            head = heads.get(index)
            if head is None:
                arcs[span] = (None, "ROOT")
            elif head[1] != "punct":
                arcs[span] = head
    return arcs


def _tokens(sentences: Iterable[Sentence]) -> dict[Span, tuple[str, str]]:
    return {(token.start, token.end): (token.pos, token.lemma) for sentence in sentences for token in sentence.tokens}


def _bounds(sentences: Iterable[Sentence]) -> set[Any]:
    return {(sentence.tokens[0].start, sentence.tokens[-1].end) for sentence in sentences if sentence.tokens}


@dataclass(frozen=True, slots=True)
class PathAgreement:
    """Shares of the candidates, between 0 and 1."""

    same_words: float
    """The same words on the path."""
    same_path: float
    """The same words and the same dependencies."""
    n_candidates: int


def reparsed(documents: Sequence[Document], pipeline: Pipeline) -> list[Document]:
    """The documents with the pipeline's parses, collapsed; ``pipeline`` must be made with ``reparse=True``."""
    return [collapse_document(document) for document in pipeline.annotate(documents)]


def path_agreement(first: Sequence[Document], second: Sequence[Document]) -> PathAgreement:
    """Agreement of two parses of the same documents, both in one scheme (see :func:`reparsed`)."""
    views = ("path", "path+edges")
    left = build_structures(candidates(first), views)
    right = build_structures(candidates(second), views)
    total = len(left)
    if len(right) != total:
        raise ValueError(f"{total} and {len(right)} candidates: not two parses of the same documents")
    words, paths = (
        sum(a == b for a, b in zip(left[view], right[view], strict=True)) / max(total, 1) for view in views
    )  # fmt: skip
    return PathAgreement(words, paths, total)


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
"""Kinds of spurious names: their own words tell; where they do not it is ``name``, and often a protein that the corpus leaves
unannotated."""


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
    for reference, answered in zip(gold, pipeline.annotate([Document(one.id, one.text) for one in gold]), strict=True):
        true, found = _proteins(reference), _proteins(answered)
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


@dataclass(frozen=True, slots=True)
class LanguageFigure:
    """One row: what was measured, on what, the value (a percentage or sentences per second) and the bar set for it, if any."""

    measure: str
    data: str
    value: float
    bar: float | None = None


ENTITY_TESTS = {"BC2GM-IOB": ("protein", 76.0), "BC5CDR-IOB": ("all", 80.0), "NCBI-disease-IOB": ("disease", None)}


def language_figures(data: Path, model: str | Path = "embedded") -> Iterator[LanguageFigure]:
    """Measure the model; ``data`` is the folder of ``RELHASH_DATA``. Rows come as they are ready."""
    for part in ("treebank/craft", "ner", "ppi"):
        if not (data / part).is_dir():
            raise DataMissingError(f"{data / part} does not exist; set RELHASH_DATA to the folder that holds it")
    yield from attachment_figures(data, model)
    yield from entity_figures(data, model)
    yield from protein_figures(data, model)
    yield from speed_figures(data, model)
    yield from agreement_figures(data, model)


def attachment_figures(data: Path, model: str | Path) -> Iterator[LanguageFigure]:
    """Trees, tags, lemmas and sentences of the held-out CRAFT articles."""
    gold = [paragraph for path in split_articles(data / "treebank" / "craft")[2] for paragraph in tree_paragraphs(path)]
    parses = parse_scores(Pipeline(model, entities="none"), gold)
    held_out = f"CRAFT, 15 held-out articles, {parses.n_tokens} tokens"
    yield LanguageFigure("UAS", held_out, 100 * parses.unlabelled_attachment, 88.0)
    yield LanguageFigure("LAS", held_out, 100 * parses.labelled_attachment, 86.0)
    yield LanguageFigure("tags", held_out, 100 * parses.tags)
    yield LanguageFigure("lemmas", held_out, 100 * parses.lemmas)
    yield LanguageFigure("sentence F1", held_out, 100 * parses.sentences)


def entity_figures(data: Path, model: str | Path) -> Iterator[LanguageFigure]:
    """Exact mentions in the test files of the NER corpora, on raw text."""
    pipeline = Pipeline(model)
    for folder, (kind, bar) in ENTITY_TESTS.items():
        scores = entity_scores(pipeline, list(entity_sentences(data / "ner" / folder / "test.tsv")))
        for name, score in scores.items():
            if len(scores) > 2 or name != "all":
                yield LanguageFigure(f"{name} F1", f"{folder} test, raw text", 100 * score.f1, bar if name == kind else None)


def protein_tests(data: Path) -> dict[str, list[Document]]:
    """Texts that nothing of the gene tagger was fitted or chosen on, with their annotated proteins."""
    return {
        "BC2GM test": list(entity_sentences(data / "ner" / "BC2GM-IOB" / "test.tsv")),
        "BioNLP 2013 devel": list(read(data / "bionlp" / "2013" / "devel")),
        "HPRD50": list(read_unified_xml(data / "ppi" / "HPRD50.xml")),
    }


def protein_figures(data: Path, model: str | Path) -> Iterator[LanguageFigure]:
    """Proteins of three corpora of raw text: exact and overlapping spans, and errors by kind.

    Shares of spurious names and of wrong boundaries are of the names found, the share of missed ones of the annotated.
    """
    pipeline = Pipeline(model, types=["protein"])
    for name, gold in protein_tests(data).items():
        errors = protein_errors(pipeline, gold)
        where = f"{name}, raw text, {errors.n_gold} proteins"
        yield LanguageFigure("proteins: precision", where, 100 * errors.precision)
        yield LanguageFigure("proteins: recall", where, 100 * errors.recall)
        yield LanguageFigure("proteins: F1", where, 100 * errors.f1)
        yield LanguageFigure("proteins: precision, overlapping", where, 100 * errors.overlapping_precision)
        yield LanguageFigure("proteins: recall, overlapping", where, 100 * errors.overlapping_recall)
        yield LanguageFigure("proteins: missed", where, 100 * errors.missed / max(errors.n_gold, 1))
        boundaries = (("too long", errors.too_long), ("too short", errors.too_short), ("shifted", errors.shifted))
        for kind, count in (*((f"boundary {kind}", count) for kind, count in boundaries), *errors.spurious):
            how = kind if kind.startswith("boundary") else f"spurious {kind}"
            yield LanguageFigure(f"proteins: {how}", where, 100 * count / max(errors.n_found, 1))


def agreement_figures(data: Path, model: str | Path) -> Iterator[LanguageFigure]:
    """Our paths, from raw text and with blinded entities, against the parses that the interaction corpora carry."""
    for corpus in ("AIMed", "BioInfer"):
        given = list(read_unified_xml(data / "ppi" / f"{corpus}.xml"))
        for blind in (False, True):
            agreement = path_agreement(given, reparsed(given, Pipeline(model, reparse=True, blind=blind)))
            how = f"{corpus}, {'blinded' if blind else 'raw'} vs. Charniak-Lease, {agreement.n_candidates} pairs"
            yield LanguageFigure("same path words", how, 100 * agreement.same_words)
            yield LanguageFigure("same path", how, 100 * agreement.same_path)


def speed_figures(data: Path, model: str | Path = "embedded", n_abstracts: int = 150) -> Iterator[LanguageFigure]:
    """Sentences per second on one core: tokenizer alone, with the parser, with everything."""
    import spacy

    folder = data / "bionlp" / "2009" / "train"
    texts = [path.read_text(encoding="utf-8") for path in islice(sorted(folder.glob("*.txt")), n_abstracts)]
    if not texts:
        raise DataMissingError(f"no .txt files in {folder}; set RELHASH_DATA to the folder that holds bionlp/")
    parser = Pipeline(model, entities="none")
    sentences = sum(len(document.sentences) for document in parser.annotate(texts))
    blank = spacy.blank("en")
    started = time.process_time()
    for text in texts:
        blank(text)
    where = f"{len(texts)} abstracts, {sentences} sentences"
    yield LanguageFigure("sentences/s, blank tokenizer", where, sentences / (time.process_time() - started))
    yield LanguageFigure("sentences/s, tokens + tags + parser", where, sentences_per_second(parser, texts, sentences), 400.0)
    yield LanguageFigure("sentences/s, parser + entities", where, sentences_per_second(Pipeline(model), texts, sentences))


def report_of(figures: Sequence[LanguageFigure]) -> Report:
    """One row per figure."""
    rows = [[f.measure, f.data, f"{f.value:.2f}", "" if f.bar is None else f"{f.bar:g}"] for f in figures]
    table = Table(["measure", "data", "value", "bar"], rows, left=(0, 1))
    return Report("language", "The embedded language pipeline", figures, [table])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    data = data_root(given.data)
    figures = list(speed_figures(data, given.model) if given.speed else language_figures(data, given.model))
    report = report_of(figures)
    print(report.markdown())
    if given.output is not None:
        report.write(given.output)
    if given.speed:
        stored = {"made": provenance("none: text is parsed"), "rows": [asdict(one) for one in figures]}
        file = Path(__file__).parent / "results" / "language_speed.json"
        file.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
