"""The corpora that ship with RelHash: two excerpts of real ones for ``relhash demo``, two synthetic ones for tests."""

from __future__ import annotations

from typing import Literal

from relhash.corpus.document import Corpus
from relhash.corpus.read_write import read
from relhash.resources import resource_path

DEMO_CORPORA = ("abstracts", "fulltext")


def demo_corpora(parses: Literal["gold", "embedded"] = "gold") -> tuple[Corpus, Corpus]:
    """Protein-interaction sentences in the style of abstracts and in the style of full texts, with gold relations and parses.

    With ``"embedded"`` the parses are those that the embedded pipeline makes of the text, as it would of any text.

    >>> abstracts, fulltext = demo_corpora()
    >>> abstracts.name, len(abstracts), fulltext.name, len(fulltext)
    ('abstracts', 145, 'fulltext', 120)
    """
    suffix = "jsonl.gz" if parses == "gold" else "parsed.jsonl.gz"
    abstracts, fulltext = (read(resource_path("demo", f"{name}.{suffix}")) for name in DEMO_CORPORA)
    return abstracts, fulltext


def demo_excerpts() -> tuple[Corpus, Corpus]:
    """About 300 sentences each of BioInfer and of BioNLP 2013 devel (events as pairs of proteins), parsed as raw text would be.

    >>> bioinfer, bionlp = demo_excerpts()
    >>> len(bioinfer), len(bionlp)
    (187, 29)
    """
    bioinfer, bionlp = (read(resource_path("demo", f"{name}.jsonl.gz")) for name in ("bioinfer", "bionlp2013"))
    return bioinfer, bionlp
