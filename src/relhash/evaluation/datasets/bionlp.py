"""The data of the BioNLP protocol: GENIA events of three shared tasks, each text once.

Training text is that of the ``train`` folders only: the development set of 2011 shares papers with that of 2013, which is
tested. An abstract that several tasks give counts once, as the latest task annotated it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from relhash.corpus import Document, read
from relhash.errors import DataMissingError
from relhash.evaluation.any_word import any_word
from relhash.evaluation.datasets.coverage import interaction_coverage
from relhash.evaluation.datasets.interactions import InteractionDataset
from relhash.language.amr.collection import GraphCollection
from relhash.structures.interactions import InteractionPolicy
from relhash.structures.shared_sentences import plain_text

Parse = Callable[[Iterable[Document]], Iterator[Document]]

YEARS = ("2013", "2011", "2009")
MAX_DOUBT = 7.0
"""A narrower bound than a model's: thousands of hopeless candidates would only cost time."""


def bionlp_dataset(root: Path, parse: Parse | None = None, *, amr: Path | None = None) -> InteractionDataset:
    """Training folders of 2009, 2011 and 2013 against the development set of 2013.

    Parameters
    ----------
    parse
        What splits and parses documents; the language pipeline that ships with RelHash, its trees collapsed, if not given.
    amr
        Meaning graphs of the sentences (a PENMAN file, or a folder of them), to be used in the place of dependency graphs.
    """
    structures = "dependency graphs instead of AMR" if amr is None else "AMR as supplied"
    parse = parse or (_embedded if amr is None else GraphCollection.read(amr).on_all)
    test = list(parse(development_documents(root)))
    train = list(parse(training_documents(root)))
    policy = InteractionPolicy(max_doubt=MAX_DOUBT).fitted(train)
    counts = interaction_coverage(test, policy)
    dataset = InteractionDataset(
        [train, test],
        policy,
        [
            f"test set: {counts.interactions} interactions are stated, {counts.reached} of them "
            f"({counts.reached / max(counts.interactions, 1):.0%}) are among the {counts.candidates} candidates",
            "variant all: recall over the candidates; variant stated: over everything stated, what no candidate reaches counts "
            "as missed; variant any-word: the same of type and participants alone, whatever word says it, each once (another "
            "figure, not to be compared with the others)",
            f"unlike the paper: {structures}, and our own mapping of events to candidates (docs/interactions.md)",
            "variant pairs: whether two participants interact at all in a sentence, whatever the type and the roles",
        ],
        learned_from=[0],
    )
    dataset.unreached = {0: counts.interactions - counts.reached}
    dataset.any_word = any_word(dataset.candidates, test)
    return dataset


def training_documents(root: Path, years: Sequence[str] = YEARS, parts: Sequence[str] = ("train",)) -> list[Document]:
    """The training documents of ``years`` below ``root/bionlp``, without texts of the test set.

    ``parts`` are the folders to take; the development set of 2013, which is tested, is never among them, and that of 2011
    shares papers with it.
    """
    tested = {plain_text(document.text) for document in development_documents(root)}
    given = (
        replace(document, id=f"{year}/{document.id}")
        for part in parts
        for year in years
        if (year, part) not in {("2013", "devel"), ("2011", "devel")}
        for document in event_documents(root, year, part)
    )
    return [document for document in distinct_documents(given) if plain_text(document.text) not in tested]


def development_documents(root: Path) -> list[Document]:
    """The development set of 2013."""
    return list(distinct_documents(event_documents(root, "2013", "devel")))


def distinct_documents(documents: Iterable[Document]) -> Iterator[Document]:
    """Documents whose text no earlier one has; spacing, punctuation and case of the text do not matter.

    >>> [document.id for document in distinct_documents([Document("a", "Ras binds."), Document("b", "Ras  binds .")])]
    ['a']
    """
    seen: set[str] = set()
    for document in documents:
        text = plain_text(document.text)
        if text not in seen:
            seen.add(text)
            yield document


def event_documents(root: Path, year: str, part: str) -> Iterable[Document]:
    """The documents of one folder below ``root/bionlp``, with their events."""
    path = root / "bionlp" / year / part
    if not path.is_dir():
        raise DataMissingError(
            f"{path}: this benchmark needs the GENIA event corpora of the shared tasks of 2009, 2011 and 2013 (folders "
            "bionlp/<year>/train, and bionlp/2013/devel, with .txt, .a1 and .a2 files) below the data folder"
        )
    return read(path, "bionlp")


def _embedded(documents: Iterable[Document]) -> Iterator[Document]:
    from relhash.language import ParseCache, Pipeline
    from relhash.language.schemes import collapse_document

    return map(collapse_document, Pipeline(entities="none", cache=ParseCache()).annotate(documents))
