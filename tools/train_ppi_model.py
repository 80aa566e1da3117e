"""Train the model that ships as ``ppi``: protein interactions, from every source whose licence allows it.

    RELHASH_DATA=../shared/data python tools/train_ppi_model.py

It is a mixture over BioInfer, the training parts of BioNLP 2009, 2013, EPI and ID, NERO, and three quarters of the papers of
ExTRI and BEL enrichment (see ``relhash.bench.systems.prior_votes``), without papers and sentences of AIMed, HPRD50, the
development set of BioNLP 2013 and INDRA's judged statements, on which it is measured. Denied pairs are negative. The threshold
accepts as many as gives the best F1 on held-out documents. One thread of an idle core needs about six minutes, twice that if
nothing is in the cache of parses yet. ``--evaluate`` then measures it once on these test sets, with the entities of the files:
the figures of its README.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from pathlib import Path

from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import data_root, read_benchmark_corpus
from relhash.bench.datasets.judged import judged_statements
from relhash.bench.systems.prior_votes import PRIOR_SOURCES, fit_prior, read_prior_source, without_leakage
from relhash.candidates.shared_sentences import plain_text
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.corpus import Document
from relhash.corpus.document import paper_ids
from relhash.language.sentences import split_sentences

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "models" / "ppi" / "ppi.relhash"
THRESHOLD = "fraction"
LARGEST = 8_000_000
"""Bytes that a model in the repository may have."""
TESTS = ("ppi/AIMed.xml", "ppi/HPRD50.xml")


def tested_text(root: Path) -> tuple[set[str], set[str]]:
    """Papers and sentences of everything that the model is measured on."""
    documents: list[Document] = [document for name in TESTS for document in read_benchmark_corpus(root, name)]
    documents += [split_sentences(document) for document in development_documents(root)]
    papers = {paper for document in documents for paper in paper_ids(document)}
    papers |= {f"PMID{one.paper}" for one in judged_statements(root, "indra")}
    return papers, {plain_text(one.text[s.start : s.end]) for one in documents for s in one.sentences}


def papers_of_other_tests(root: Path) -> set[str]:
    """Papers of what only tests use: judged statements, chemicals, diseases and genes, BioRED."""
    found = {json.loads(line)["pmid"] for line in (root / "judged" / "indra_dev.jsonl").open(encoding="utf-8")}
    for path in (*sorted((root / "biored").glob("*.PubTator")), *sorted((root / "bc5cdr").glob("*.PubTator"))):
        found |= {match[1] for match in re.finditer(r"^(\d+)\|t\|", path.read_text(encoding="utf-8"), re.MULTILINE)}
    found |= {path.stem for path in (root / "drugprot").glob("**/*.txt")}
    return {f"PMID{int(one)}" for one in found if one and str(one).isdigit()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None, help="folder with ppi/, bionlp/ and nero/ (RELHASH_DATA)")
    parser.add_argument("--output", type=Path, default=FILE)
    parser.add_argument("--sources", default=",".join(PRIOR_SOURCES), help="of " + ", ".join(PRIOR_SOURCES))
    parser.add_argument("--evaluate", action="store_true", help="measure it on the test sets")
    parser.add_argument("--n-jobs", type=int, default=None)
    given = parser.parse_args()
    started = time.perf_counter()
    root = data_root(given.data)
    papers, sentences = tested_text(root)
    sources = {}
    for name in given.sources.split(","):
        kept, of_papers, of_sentences = without_leakage(read_prior_source(name, root), papers, sentences)
        sources[name] = kept
        relations = sum(len(document.relations) for document in kept)
        print(
            f"{name} ({PRIOR_SOURCES[name].licence}): {len(kept)} documents, {relations} relations; left out, since they are "
            f"tested: {of_papers} documents by paper, {of_sentences} by sentence",
            flush=True,
        )
    model = fit_prior(sources, threshold=THRESHOLD, n_jobs=given.n_jobs)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    model.save(given.output)
    size = given.output.stat().st_size
    print(f"{given.output}: {size:,} bytes, {time.perf_counter() - started:.0f} s, {model.card['training_side']}")
    if given.evaluate:
        tests = {name: list(read_benchmark_corpus(root, name)) for name in TESTS}
        tests["bionlp/2013/devel, pairs"] = list(pairs_of_events(development_documents(root)))
        for name, documents in tests.items():
            found = model.evaluate(documents)
            print(f"{name}: P {found.precision:.3f} R {found.recall:.3f} F1 {found.f1:.3f} AUC {found.auc:.3f}", flush=True)
    if size > LARGEST:
        raise SystemExit(f"{size:,} bytes are more than the {LARGEST:,} that may be committed")


if __name__ == "__main__":
    main()
