"""How many related and unrelated pairs does the rule for cell markers remove, by gold entities?

    RELHASH_DATA=../shared/data python benchmarks/cell_markers.py

Looks at AIMed and at the protein pairs of the training folders of BioNLP 2009 and 2013; no test set is read.
"""

from __future__ import annotations

from collections import Counter

from relhash.corpus import read
from relhash.evaluation.datasets.dataset import data_root
from relhash.language.sentences import split_sentences
from relhash.structures import PairPolicy, candidates
from relhash.structures.cell_markers import marks_cells
from relhash.structures.interactions.pairs_of_events import pairs_of_events


def main() -> None:
    root = data_root(None)
    sources = {f"BioNLP {year} train": pairs_of_events(read(root / "bionlp" / year / "train")) for year in ("2009", "2013")}
    sources["AIMed"] = iter(read(root / "ppi" / "AIMed.xml"))
    policy = PairPolicy(synonym_pairs=True, cell_marker_pairs=True)
    for name, documents in sources.items():
        removed: Counter[bool] = Counter()
        for candidate in candidates(map(split_sentences, documents), policy):
            if any(marks_cells(candidate.document.text, mention) for mention in candidate.mentions):
                removed[bool(candidate.relations)] += 1
        print(f"{name}: {removed[False]} unrelated pairs removed, {removed[True]} related ones")


if __name__ == "__main__":
    main()
