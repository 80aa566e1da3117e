"""Make the labelled sentences that ship (src/relhash/resources/examples).

    python tools/make_examples.py [--data DIR] [--n 1200]

Of BioInfer, BioNLP 2009 and 2013 and ExTRI, whose licences allow it: different pairs that ``ppi`` has learned from, as many
related as unrelated of each corpus. Make them again after training it.
"""

from __future__ import annotations

import argparse
import json
import lzma
from pathlib import Path

import numpy as np

import relhash
from relhash.bench.datasets.curated import is_aside, judged_documents
from relhash.bench.datasets.dataset import data_root
from relhash.bench.systems.prior_votes import PRIOR_SOURCES
from relhash.candidates import build_structures
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.files import replacing
from relhash.learn.labels import has_label
from relhash.model.index import VIEWS
from relhash.model.tables.columns import marked_sentence_of
from relhash.resources import resource_path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--n", type=int, default=1200, help="pairs of each corpus")
    given = parser.parse_args()
    root = data_root(given.data)
    extri = (one for one in judged_documents(root, "extri") if not is_aside(one.metadata["pmid"]))
    sources = {name: PRIOR_SOURCES[name.lower()].read(root) for name in ("BioInfer", "BioNLP")} | {"ExTRI": extri}
    model = relhash.load("ppi", encoder=False)
    rows = [row for name, documents in sources.items() for row in chosen(model, name, documents, given.n)]
    place = resource_path("examples") / "labelled.jsonl.xz"
    lines = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    with replacing(place, "wb") as handle:
        handle.write(lzma.compress(lines.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(rows):,} pairs, {place.stat().st_size / 1000:.0f} kB")


def chosen(model, source, documents, n):
    found = model.candidates(list(documents))
    found = [one for one, labelled in zip(found, has_label(found), strict=True) if labelled]
    hashes = sentence_hashes(found)
    structures = build_structures(found, VIEWS)
    views = [list(structures[view]) for view in VIEWS]
    left = {True: n // 2, False: n // 2}
    seen = set()
    for row in np.random.default_rng(0).permutation(np.flatnonzero(np.isin(hashes, model.training_sentences))).tolist():
        sequences = [list(own[row]) for own in views]
        is_related = bool(found[row].is_positive)
        if left[is_related] and (key := repr(sequences)) not in seen:
            seen.add(key)
            left[is_related] -= 1
            said = {"marked": marked_sentence_of(found[row]), "related": is_related, "source": source}
            yield {**said, "sentence": f"{hashes[row]:x}", "views": sequences}


if __name__ == "__main__":
    main()
