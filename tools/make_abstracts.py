"""Make ``src/relhash/resources/demo/raw_abstracts.txt``: a hundred abstracts as plain text, one per line, to try raw text on.

    python tools/make_abstracts.py [FILE]

The sentences come from the grammar of the demo corpora (another seed), three of its documents per abstract, with nothing said
of where the proteins stand. Everything is invented; the same code and seed give the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from demo_grammar.abstract_style import ABSTRACT
from demo_grammar.documents import documents
from relhash.files import replacing

SEED = 2026
ABSTRACTS, PARTS = 100, 3
FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "demo" / "raw_abstracts.txt"


def make(path: Path) -> None:
    """Write the file."""
    drawn = iter(documents(ABSTRACT, ABSTRACTS * PARTS, SEED))
    with replacing(path) as handle:
        while parts := list(islice(drawn, PARTS)):
            handle.write(" ".join(" ".join(part.text.split()) for part in parts) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    target = parser.parse_args().file
    make(target)
    print(f"{target}: {target.stat().st_size:,} bytes")
