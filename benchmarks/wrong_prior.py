"""What does a wrong prior cost? Priors with shuffled votes, with votes turned round, and about something else.

    RELHASH_DATA=../shared/data python benchmarks/wrong_prior.py [--draws 8] [--systems best,descriptors-forest] [--work DIR]

AIMed and BioInfer, each trained on draws of labels of one and tested on the other, as in ``relhash benchmark few-labels
--parses embedded``. "Shuffled" and "reversed" are made from the gold labels, so that nothing in them helps; "distance" votes
for pairs that stand close together, whatever is said of them; "what it is" is a real model of another relation: protein pairs
of NERO of which the text says that one is a kind, a part or another name of the other (linear, on descriptors and n-grams). The
loss is AUC without the prior minus AUC with it; at most .01 is allowed from 100 labels on. Finished cells stay in ``--work``.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

from relhash.bench.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.bench.protocols import PROTOCOLS, Protocol
from relhash.bench.runner import run_protocol
from relhash.bench.systems.listed import SYSTEMS
from relhash.bench.systems.prior_votes import PriorVotes, protein_pairs, without_leakage
from relhash.bench.systems.system import PresetSystem, WithPrior
from relhash.candidates.shared_sentences import plain_text, sentence_key
from relhash.corpus import Document
from relhash.corpus.document import Argument, Relation, paper_ids
from relhash.corpus.nero import says_what_it_is
from relhash.learn import LinearClassifier
from relhash.model import RelationExtractor
from relhash.model.reading.reader import EMBEDDED
from relhash.show.provenance import provenance, shipped_parses

COUNTS = (25, 50, 100, 200, 500, 1000)
NERO = "nero/annotation_results.txt.gz"


def wrong_votes(dataset: Dataset) -> dict[str, np.ndarray]:
    """Votes that say nothing, the contrary, or something else."""
    rng = np.random.default_rng(0)
    informed = 1.5 * dataset.y + rng.normal(size=len(dataset))
    gap = [max(1, abs(one.mentions[1].start - one.mentions[0].end)) for one in dataset.candidates]
    return {"shuffled": rng.permutation(informed), "reversed": -informed, "distance": -np.log(gap)}


def kinds_and_parts(root: Path) -> Iterator[Document]:
    """Protein pairs of NERO whose relation is that one is a kind, a part or another name of the other."""
    with gzip.open(root / NERO, "rt", encoding="utf-8", errors="replace", newline="\n") as handle:
        names = next(handle).rstrip("\n").split("\t")
        rows = [dict(zip(names, line.rstrip("\n").split("\t"), strict=True)) for line in handle]
    said = {
        (plain_text(row["sentenceText"]), frozenset((plain_text(row["entity1"]), plain_text(row["entity2"]))))
        for row in rows
        if says_what_it_is(row["actionType"].strip().lower())
    }
    for document in protein_pairs(read_benchmark_corpus(root, NERO)):
        relations = []
        for pair in document.candidates or ():
            ends = [document.mention_by_id[name] for name in (pair.first, pair.second)]
            (sentence,) = [one for one in document.sentences if one.start <= ends[0].start < one.end]
            text = plain_text(document.text[sentence.start : sentence.end])
            if (text, frozenset(plain_text(end.text) for end in ends)) in said:
                arguments = (Argument("e1", pair.first), Argument("e2", pair.second))
                relations.append(Relation(f"K{len(relations) + 1}", "is", arguments))
        yield replace(document, relations=tuple(relations))


def another_relation(dataset: Dataset, root: Path) -> PriorVotes:
    """The votes of a model of kinds, parts and names."""
    papers = {paper for candidate in dataset.candidates for paper in paper_ids(candidate.document)}
    sentences = {sentence_key(candidate) for candidate in dataset.candidates}
    documents, *_ = without_leakage(kinds_and_parts(root), papers, sentences)
    parts = ("descriptors", "ngrams")
    extractor = RelationExtractor(parts=parts, classifier=LinearClassifier(0.1), parses=EMBEDDED, prior=None, n_jobs=1)
    votes = PriorVotes.of(extractor.fit(documents).model_, dataset, "what it is")
    print(f"a model of kinds, parts and names from {sum(len(one.relations) for one in documents)} relations", flush=True)
    return votes


def measured(
    few: Protocol, dataset: Dataset, priors: Mapping[str, PriorVotes], systems: Sequence[str], draws: int, work: Path | None
) -> list[dict[str, Any]]:
    """What each prior costs each system, by number of labels."""
    figures = []
    for system in systems:
        plain = SYSTEMS[system]
        if not isinstance(plain, PresetSystem):
            raise SystemExit(f"{system} is no preset")
        SYSTEMS["voted"] = replace(WithPrior.of(plain), name="voted")
        how: dict[str, Any] = {"dataset": dataset, "seeds": draws, "n_jobs": 1, "out": work}
        dataset.prior = None
        alone = run_protocol(few, systems=[system], **how)
        base = {(cell.direction, cell.labels, cell.seed): cell.figures["all"]["auc"] for cell in alone.cells}
        for name, votes in priors.items():
            dataset.prior = votes
            run = run_protocol(few, systems=["voted"], **how)
            losses: dict[int, list[float]] = {}
            for cell in run.cells:
                if cell.labels is not None:
                    loss = base[cell.direction, cell.labels, cell.seed] - cell.figures["all"]["auc"]
                    losses.setdefault(cell.labels, []).append(loss)
            for labels, found in losses.items():
                row = {"system": system, "prior": name, "labels": labels, "loss": round(float(np.mean(found)), 4),
                       "largest": round(float(np.max(found)), 4), "draws": draws}  # fmt: skip
                figures.append(row)
                print(row, flush=True)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--labels", type=int, nargs="+", default=COUNTS)
    parser.add_argument("--systems", default="best,descriptors-forest")
    parser.add_argument("--work", type=Path, default=None, help="folder that keeps finished cells")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "wrong_prior.json")
    given = parser.parse_args()
    root = data_root(given.data)
    few = replace(PROTOCOLS["few-labels"], label_counts=tuple(given.labels))
    dataset = Dataset([read_benchmark_corpus(root, name) for _, name in few.corpora], parses=EMBEDDED)
    priors = {name: PriorVotes(special.expit(votes), name) for name, votes in wrong_votes(dataset).items()}
    priors["what it is"] = another_relation(dataset, root)
    figures = measured(few, dataset, priors, given.systems.split(","), given.draws, given.work)
    with given.output.open("w", encoding="utf-8") as handle:
        handle.write(json.dumps({"made": provenance(shipped_parses()), "rows": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
