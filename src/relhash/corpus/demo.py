"""The two corpora that ship with RelHash for ``relhash demo``, tutorials and tests: synthetic, see ``resources/demo``."""

from __future__ import annotations

from relhash.corpus.document import Corpus
from relhash.corpus.formats import read
from relhash.resources import resource_path

__all__ = ["DEMO_CORPORA", "demo_corpora"]

DEMO_CORPORA = ("abstracts", "fulltext")


def demo_corpora() -> tuple[Corpus, Corpus]:
    """Protein-interaction sentences in the style of abstracts and in the style of full texts, with gold relations and parses.

    >>> abstracts, fulltext = demo_corpora()
    >>> abstracts.name, len(abstracts), fulltext.name, len(fulltext)
    ('abstracts', 145, 'fulltext', 120)
    """
    abstracts, fulltext = (read(resource_path("demo", f"{name}.jsonl.gz")) for name in DEMO_CORPORA)
    return abstracts, fulltext
