"""``relhash benchmark language``: every figure about the language pipeline, from the public corpora, as rows of one table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from relhash.corpus.document import Document
from relhash.corpus.read_write import read
from relhash.corpus.unified_xml import read_unified_xml
from relhash.errors import DataMissingError
from relhash.evaluation.benchmarks.language_scores import entity_scores, parse_scores, sentences_per_second
from relhash.evaluation.benchmarks.parse_comparison import path_agreement, reparsed
from relhash.evaluation.benchmarks.protein_errors import protein_errors
from relhash.evaluation.datasets.language_gold import entity_sentences, split_articles, tree_paragraphs
from relhash.language import Pipeline


@dataclass(frozen=True, slots=True)
class LanguageFigure:
    """One row: what was measured, on what, the value (a percentage or sentences per second) and the bar set for it, if any."""

    measure: str
    data: str
    value: float
    bar: float | None = None


ENTITY_TESTS = {"BC2GM-IOB": ("protein", 76.0), "BC5CDR-IOB": ("all", 80.0), "NCBI-disease-IOB": ("disease", None)}


Progress = Callable[[str], None]


def language_figures(
    data: Path, model: str | Path = "embedded", *, progress: Progress = lambda stage: None
) -> Iterator[LanguageFigure]:
    """Measure the model; ``data`` is the folder of ``RELHASH_DATA``. Rows come as they are ready."""
    for part in ("treebank/craft", "ner", "ppi"):
        if not (data / part).is_dir():
            raise DataMissingError(f"{data / part} does not exist; set RELHASH_DATA to the folder that holds it")
    progress("parsing held-out articles")
    yield from attachment_figures(data, model)
    yield from entity_figures(data, model, progress)
    yield from protein_figures(data, model, progress)
    progress("speed")
    yield from speed_figures(data, model)
    yield from agreement_figures(data, model, progress)


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


def entity_figures(data: Path, model: str | Path, progress: Progress = lambda stage: None) -> Iterator[LanguageFigure]:
    """Exact mentions in the test files of the NER corpora, on raw text."""
    pipeline = Pipeline(model)
    for folder, (kind, bar) in ENTITY_TESTS.items():
        progress(f"entities of {folder}")
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


def protein_figures(data: Path, model: str | Path, progress: Progress = lambda stage: None) -> Iterator[LanguageFigure]:
    """Proteins of three corpora of raw text: exact and overlapping spans, and errors by kind.

    Shares of spurious names and of wrong boundaries are of the names found, the share of missed ones of the annotated.
    """
    pipeline = Pipeline(model, types=["protein"])
    for name, gold in protein_tests(data).items():
        progress(f"proteins of {name}")
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


def agreement_figures(data: Path, model: str | Path, progress: Progress = lambda stage: None) -> Iterator[LanguageFigure]:
    """Our paths, from raw text and with blinded entities, against the parses that the interaction corpora carry."""
    for corpus in ("AIMed", "BioInfer"):
        given = list(read_unified_xml(data / "ppi" / f"{corpus}.xml"))
        for blind in (False, True):
            progress(f"paths of {corpus}{', blinded' if blind else ''}")
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
