"""Make the corpora that ship in ``src/relhash/resources/demo``.

    python tools/make_demo_corpora.py [FOLDER]               # the synthetic ones, for tests and tutorials
    python tools/make_demo_corpora.py --excerpts DATA        # the real excerpts that ``relhash demo`` reads

The same code and seed give the same bytes. The synthetic corpora are invented: see ``demo_grammar``. The ``parsed`` files are
the same corpora with parses of the embedded pipeline in the place of the grammar's own. The excerpts are about 300 sentences
each of BioInfer and of BioNLP 2013 devel (its events as pairs of proteins), with parses of the embedded pipeline. Make the
parsed ones again when the pipeline changes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from demo_grammar.abstract_style import ABSTRACT
from demo_grammar.documents import documents
from demo_grammar.fulltext_style import FULLTEXT
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.corpus import Corpus, Document, read, write
from relhash.language import ParseCache
from relhash.model.reading.reader import EMBEDDED, ParseSettings, Reader

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


SENTENCES = 300
"""Of each excerpt."""


def excerpts(data: Path, folder: Path) -> list[Path]:
    """Write the excerpts of real corpora, parsed by the embedded pipeline; both licences allow it (see NOTICE)."""
    reader = Reader(ParseSettings(EMBEDDED), cache=ParseCache())
    sources = {
        "bioinfer": iter(read(data / "ppi" / "BioInfer.xml")),
        "bionlp2013": _dense_first(pairs_of_events(read(data / "bionlp" / "2013" / "devel"))),
    }
    paths = []
    for name, source in sources.items():
        path = folder / f"{name}.jsonl.gz"
        write(Corpus.of(_first(reader(source, tag=False), SENTENCES), name), path)
        paths.append(path)
    return paths


def _dense_first(documents: Iterable[Document]) -> Iterator[Document]:
    """Papers name proteins in some sections only: those with many names come first, whatever is said of them."""
    yield from sorted(documents, key=lambda document: -len(document.mentions) / len(document.text))


def _first(documents: Iterable[Document], sentences: int) -> Iterator[Document]:
    for document in documents:
        if sentences <= 0:
            return
        sentences -= len(document.sentences)
        yield document


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--excerpts", type=Path, metavar="DATA", help="make the excerpts of the real corpora below DATA")
    given = parser.parse_args()
    made = make(given.folder) if given.excerpts is None else excerpts(given.excerpts, given.folder)
    for path in [*made, *(parse(made) if given.excerpts is None else [])]:
        print(f"{path}: {path.stat().st_size:,} bytes")
