"""How many related and unrelated pairs do the rules touch that look at words around names, by gold entities?

    RELHASH_DATA=../shared/data python benchmarks/surroundings.py

Names that are part of something else (biomed/names/surroundings.py), and pairs that are only named together
(candidates/bystanders.py). Looks at AIMed and at the protein pairs of the training folders of BioNLP 2009 and 2013; no test set
is read.
"""

from __future__ import annotations

from collections import Counter

from relhash.bench.datasets.dataset import data_root
from relhash.biomed.names.surroundings import stands_for_something_else
from relhash.candidates import Candidate, PairPolicy, candidates
from relhash.candidates.bystanders import are_bystanders
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.corpus import read
from relhash.language.sentences import split_sentences


def main() -> None:
    root = data_root(None)
    sources = {f"BioNLP {year} train": pairs_of_events(read(root / "bionlp" / year / "train")) for year in ("2009", "2013")}
    sources["AIMed"] = iter(read(root / "ppi" / "AIMed.xml"))
    for name, documents in sources.items():
        counts: Counter[tuple[str, bool]] = Counter()
        for candidate in candidates(map(split_sentences, documents), PairPolicy()):
            counts.update((rule, candidate.is_positive) for rule in ("all pairs", *rules(candidate)))
        for rule in sorted({rule for rule, _ in counts}):
            print(f"{name}, {rule}: {counts[rule, False]} unrelated pairs, {counts[rule, True]} related ones")


def rules(candidate: Candidate) -> list[str]:
    text = candidate.document.text
    is_else = any(stands_for_something_else(text, mention.start, mention.end) for mention in candidate.mentions)
    return ["a name is part of something else"] * is_else + ["only named together"] * are_bystanders(candidate)


if __name__ == "__main__":
    main()
