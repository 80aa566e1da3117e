"""Make the demo corpora that ship in ``src/relhash/resources/demo``.

    python tools/make_demo_corpora.py [FOLDER]

The same code and seed give the same bytes. Everything is invented: see ``demo_grammar``. The ``parsed`` files are the same
corpora with parses of the embedded pipeline in the place of the grammar's own (make them again when the pipeline changes).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from demo_grammar.abstract_style import ABSTRACT
from demo_grammar.documents import documents
from demo_grammar.fulltext_style import FULLTEXT
from relhash.corpus import Corpus, read, write
from relhash.language import ParseCache
from relhash.model.reading.parses import EMBEDDED, ParseSettings
from relhash.model.reading.reader import Reader

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


def parse(paths: list[Path]) -> list[Path]:
    """Write each corpus once more, with the parses of the embedded pipeline."""
    reader = Reader(ParseSettings(EMBEDDED), cache=ParseCache())
    parsed = []
    for path in paths:
        corpus = read(path)
        target = path.with_name(path.name.replace(".jsonl.gz", ".parsed.jsonl.gz"))
        write(Corpus.of(reader(corpus, tag=False), corpus.name), target)
        parsed.append(target)
    return parsed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    made = make(parser.parse_args().folder)
    for path in [*made, *parse(made)]:
        print(f"{path}: {path.stat().st_size:,} bytes")
