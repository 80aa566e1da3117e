"""How many related and unrelated pairs does the rule for cell markers remove, by gold entities, and how many interactions?

    RELHASH_DATA=../shared/data python benchmarks/cell_markers.py

Looks at AIMed and at the training folders of BioNLP 2009 and 2013 (protein pairs) and the development folder of 2009
(interactions, and events about one participant, which keep such proteins); no test set is read.
"""

from __future__ import annotations

from collections import Counter

from relhash.bench.datasets.bionlp import training_documents
from relhash.bench.datasets.dataset import data_root
from relhash.candidates import PairPolicy, candidates
from relhash.candidates.statements import gold_interactions
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.candidates.symbols import only_marks_cells
from relhash.corpus import read
from relhash.language.sentences import split_sentences


def main() -> None:
    root = data_root(None)
    sources = {f"BioNLP {year} train": pairs_of_events(read(root / "bionlp" / year / "train")) for year in ("2009", "2013")}
    sources["AIMed"] = iter(read(root / "ppi" / "AIMed.xml"))
    policy = PairPolicy(synonym_pairs=True, cell_marker_pairs=True)
    for name, documents in sources.items():
        removed: Counter[bool] = Counter()
        for candidate in candidates(map(split_sentences, documents), policy):
            if any(only_marks_cells(candidate.document.text, mention) for mention in candidate.mentions):
                removed[bool(candidate.relations)] += 1
        print(f"{name}: {removed[False]} unrelated pairs removed, {removed[True]} related ones")
    markers: Counter[str] = Counter()
    for document in training_documents(root, ("2013", "2009"), ("train", "devel")):
        own = {mention.id for mention in document.entities if only_marks_cells(document.text, mention)}
        gold = gold_interactions(document)
        markers["mentions"] += len(own)
        for name, stated in (("interactions", gold.distinct), ("events about one", gold.alone)):
            markers[name] += sum(any(mention in own for _, mention in one.roles) for one in stated)
    print(
        f"BioNLP: {markers['mentions']} mentions that only name cells, in {markers['interactions']} stated interactions and "
        f"{markers['events about one']} events about one participant"
    )


if __name__ == "__main__":
    main()
