"""Make the demo corpora that ship in ``src/relhash/resources/demo``.

    python tools/make_demo_corpora.py [FOLDER]

The same code and seed give the same bytes. Everything is invented: see ``demo_grammar``.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from demo_grammar.abstract_style import ABSTRACT
from demo_grammar.documents import documents
from demo_grammar.fulltext_style import FULLTEXT
from relhash.corpus import Corpus, write

SEED = 2019
FOLDER = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "demo"
SIZES = {ABSTRACT: 145, FULLTEXT: 120}


def make(folder: Path) -> list[Path]:
    """Write both corpora into ``folder`` and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for style, count in SIZES.items():
        path = folder / f"{style.name}.jsonl.gz"
        write(Corpus.of(documents(style, count, SEED), style.name), path)
        paths.append(path)
    return paths


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER):
        print(f"{path}: {path.stat().st_size:,} bytes")
