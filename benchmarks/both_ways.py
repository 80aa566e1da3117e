"""Which types of relations are stated in both directions of a pair, by gold?

    RELHASH_DATA=../shared/data python benchmarks/both_ways.py

Of the two directions of a pair a model accepts one, unless the type has no direction (candidates/pairs.py). Looks at
the training folders of BioNLP 2009 and 2013; no test set is read.
"""

from __future__ import annotations

from relhash.bench.datasets.dataset import data_root
from relhash.candidates.pairs import counts_by_type
from relhash.corpus import read


def main() -> None:
    root = data_root(None)
    for year in ("2009", "2013"):
        pairs, returned = counts_by_type(read(root / "bionlp" / year / "train"))
        for name, n in pairs.most_common():
            print(f"BioNLP {year} train, {name}: {n} pairs, {returned[name]} of them both ways")


if __name__ == "__main__":
    main()
