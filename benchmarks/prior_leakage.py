"""What do the sources of a prior share with the test sets, and is it really left out?

    RELHASH_DATA=../shared/data python benchmarks/prior_leakage.py

For each source and each test set: documents of the source that are of a paper of the test set, others that have a sentence of
it (30 letters and digits or more), and how many are left once the rule of ``tools/train_ppi_model.py`` and of the protocols has
taken such documents out. Then, by another way: how many sentences with a candidate of each test set the models that ship
remember as training text. Ends with 1 if a source shares anything after it was cleaned, or if ``ppi`` remembers a sentence of
a set on which it is measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

import relhash
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import data_root, read_benchmark_corpus
from relhash.bench.protocols import AIMED, BIOINFER, HPRD50
from relhash.bench.systems.prior_votes import PRIOR_SOURCES, read_prior_source, without_leakage
from relhash.candidates import candidates
from relhash.candidates.shared_sentences import plain_text, sentence_hashes
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.corpus import Document
from relhash.corpus.document import paper_ids
from relhash.language.sentences import split_sentences
from relhash.show.provenance import provenance

MODELS = ("ppi", "related")
MEASURED_ON = ("AIMed", "HPRD50", "BioNLP 2013 devel")
"""What the card of ``ppi`` has figures of."""
OWN = {"bioinfer": "BioInfer"}
"""A source that is a test set elsewhere: no prior has it where it is tested."""


def test_sets(root: Path) -> dict[str, list[Document]]:
    files = {"AIMed": AIMED, "BioInfer": BIOINFER, "HPRD50": HPRD50}
    sets = {name: list(read_benchmark_corpus(root, file)) for name, file in files.items()}
    sets["BioNLP 2013 devel"] = [split_sentences(one) for one in pairs_of_events(development_documents(root))]
    return sets


def known_of(documents: list[Document]) -> tuple[set[str], set[str]]:
    """Papers, and sentences by their letters and digits."""
    papers = {paper for document in documents for paper in paper_ids(document)}
    return papers, {plain_text(one.text[s.start : s.end]) for one in documents for s in one.sentences}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "prior_leakage.json")
    given = parser.parse_args()
    root = data_root(given.data)
    tests = test_sets(root)
    known = {name: known_of(documents) for name, documents in tests.items()}
    rows = []
    for source in PRIOR_SOURCES:
        documents = read_prior_source(source, root)
        for test in tests:
            if OWN.get(source) == test:
                continue
            kept, by_paper, by_sentence = without_leakage(documents, *known[test])
            _, left_by_paper, left_by_sentence = without_leakage(kept, *known[test])
            rows.append({
                "source": source, "test": test, "documents": len(documents), "of_papers": by_paper,
                "with_sentences": by_sentence, "left": left_by_paper + left_by_sentence,
            })  # fmt: skip
            print(rows[-1], flush=True)
    remembered = []
    for name in MODELS:
        trained = relhash.load(name).training_sentences
        for test, documents in tests.items():
            hashes = np.unique(sentence_hashes(candidates(documents)))
            remembered.append({
                "model": name, "test": test, "sentences": int(hashes.size), "remembered": int(np.isin(hashes, trained).sum()),
            })  # fmt: skip
            print(remembered[-1], flush=True)
    stored = {"made": provenance(""), "rows": rows, "models": remembered}
    given.output.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    seen = [one for one in remembered if one["model"] == "ppi" and one["test"] in MEASURED_ON and one["remembered"]]
    sys.exit(bool(seen or any(row["left"] for row in rows)))


if __name__ == "__main__":
    main()
