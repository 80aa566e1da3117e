"""The real excerpts that ``relhash demo`` reads, parsed; to be run again when the embedded pipeline changes.

    python tools/make_demo_corpora.py DATA

About 300 sentences each of BioInfer and of BioNLP 2013 devel (its events as pairs of proteins), below the folder DATA. Both
licences allow it (see NOTICE).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.corpus import Corpus, Document, read, write
from relhash.language import ParseCache
from relhash.model.reading.reader import EMBEDDED, ParseSettings, Reader

FOLDER = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "demo"
SENTENCES = 300
"""Of each excerpt."""


def excerpts(data: Path, folder: Path) -> None:
    """Write the excerpts, parsed by the embedded pipeline."""
    reader = Reader(ParseSettings(EMBEDDED), cache=ParseCache())
    sources = {
        "bioinfer": iter(read(data / "ppi" / "BioInfer.xml")),
        "bionlp2013": _dense_first(pairs_of_events(read(data / "bionlp" / "2013" / "devel"))),
    }
    for name, source in sources.items():
        write(Corpus.of(_first(reader(source, tag=False), SENTENCES), name), folder / f"{name}.jsonl.gz")


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
    parser.add_argument("data", type=Path)
    excerpts(parser.parse_args().data, FOLDER)
