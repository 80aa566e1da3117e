"""Data sets of interactions with types and roles, and that of the BioNLP protocol: GENIA events of three tasks, each text once.

Training text is that of the ``train`` folders only: the development set of 2011 shares papers with that of 2013, which is
tested. An abstract that several tasks give counts once, as the latest task annotated it. What a candidate is, and when it is
valid, is said in :mod:`relhash.candidates.statements.gold`; how much of an annotation candidates can reach at all is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from relhash.bench.datasets.dataset import Dataset
from relhash.candidates.candidate import Candidate
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.shared_sentences import plain_text
from relhash.candidates.statements import (
    GoldInteraction,
    InteractionPolicy,
    TriggerLexicon,
    gold_interactions,
    interaction_candidates,
    interaction_type,
    participants,
)
from relhash.candidates.statements.gold import COVERED, GoldInteractions
from relhash.candidates.symbols import split_words
from relhash.corpus import read
from relhash.corpus.document import Document, Mention
from relhash.errors import DataMissingError
from relhash.language.amr.collection import GraphCollection
from relhash.show.stated import any_word


@dataclass(frozen=True, slots=True)
class InteractionCoverage:
    """Counts over a corpus.

    Of the ``events`` (annotated relations with a trigger) ``mapped_events`` state an interaction; the others are about one
    protein. Of the ``interactions`` (a type, participants in roles, the trigger; sites left aside) so many stand in one
    sentence, have a trigger word that the lexicon knows for the type, and are among the candidates.
    """

    events: int = 0
    mapped_events: int = 0
    interactions: int = 0
    in_one_sentence: int = 0
    known_trigger: int = 0
    reached: int = 0
    candidates: int = 0

    def __add__(self, other: InteractionCoverage) -> InteractionCoverage:
        return InteractionCoverage(*(a + b for a, b in zip(asdict(self).values(), asdict(other).values(), strict=True)))


def interaction_coverage(documents: Iterable[Document], policy: InteractionPolicy) -> InteractionCoverage:
    """Coverage of documents that are split into sentences; ``reached`` and ``candidates`` count only where they are parsed."""
    return sum((_of_document(document, policy) for document in documents), InteractionCoverage())


def _of_document(document: Document, policy: InteractionPolicy) -> InteractionCoverage:
    gold = gold_interactions(document)
    together = [one for one in gold.distinct if _in_one_sentence(document, one)]
    parsed = bool(document.sentences) and all(sentence.is_parsed for sentence in document.sentences)
    found = list(interaction_candidates([document], policy)) if parsed else []
    return InteractionCoverage(
        events=sum(relation.trigger is not None for relation in document.relations),
        mapped_events=len({one.relation for one in gold.stated}),
        interactions=len(gold.distinct),
        in_one_sentence=len(together),
        known_trigger=sum(_knows(policy.lexicon or TriggerLexicon(), document, one) for one in together),
        reached=len({number for one in found for number in _met(gold, one)}),
        candidates=len(found),
    )


def _in_one_sentence(document: Document, one: GoldInteraction) -> bool:
    members: list[Mention] = [document.mention_by_id[mention] for _, mention in one.roles]
    if one.trigger is not None:
        members.append(document.mention_by_id[one.trigger])
    return any(
        all(sentence.start <= mention.start and mention.end <= sentence.end for mention in members)
        for sentence in document.sentences
    )


def _met(gold: GoldInteractions, candidate: Candidate) -> Iterator[int]:
    roles = {role: mention.id for role, mention in participants(candidate).items()}
    return gold.met(interaction_type(candidate), roles, candidate.trigger)


def _knows(lexicon: TriggerLexicon, document: Document, one: GoldInteraction) -> bool:
    if one.trigger is None:
        return False
    word = list(split_words(text := document.mention_by_id[one.trigger].text, 0, len(text)))[-1].text
    return any(kind == one.type for kind, _ in lexicon.types_of(word))


class InteractionDataset(Dataset):
    """Interaction candidates, each with the pair of participants that it joins, whatever their roles and the type."""

    def __init__(
        self,
        corpora: Sequence[Iterable[Document]],
        policy: CandidatePolicy,
        notes: Iterable[str] = (),
        *,
        learned_from: Sequence[int] = (),
    ) -> None:
        super().__init__(corpora, policy, learned_from=learned_from)
        self.notes = list(notes)
        numbers: dict[tuple[object, ...], int] = {}
        self.pairs = np.array(
            [
                numbers.setdefault((corpus, *_pair(candidate)), len(numbers))
                for corpus, candidate in zip(self.corpus, self.candidates, strict=True)
            ]
        )


def _pair(candidate: Candidate) -> tuple[object, ...]:
    """Document, sentence and participants without order: a cause and a theme, or two themes."""
    members = sorted(mention.id for mention in participants(candidate).values())
    return candidate.document.id, candidate.sentence, *members


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
            f"unlike the paper: {structures}, and our own mapping of events to candidates (docs/howto/interactions.md)",
            "variant pairs: whether two participants interact at all in a sentence, whatever the type and the roles",
        ],
        learned_from=[0],
    )
    dataset.unreached = {0: counts.interactions - counts.reached}
    dataset.any_word = any_word(dataset.candidates, test)
    return dataset


def training_documents(
    root: Path, years: Sequence[str] = YEARS, parts: Sequence[str] = ("train",), *, covering: bool = False
) -> list[Document]:
    """The training documents of ``years`` below ``root/bionlp``, without texts of the test set.

    ``parts`` are the folders to take; the development set of 2013, which is tested, is never among them, and that of 2011
    shares papers with it. ``covering``: each says which types its task annotates, and those of other tasks are with them.
    """
    tested = {plain_text(document.text) for document in development_documents(root)}
    given = (
        document
        for part in parts
        for year in years
        if (year, part) not in {("2013", "devel"), ("2011", "devel")}
        for document in _of_year(root, year, part, covering)
    )
    more = documents_with_types(root) if covering else ()
    return [document for document in distinct_documents(chain(given, more)) if plain_text(document.text) not in tested]


def _of_year(root: Path, year: str, part: str, covering: bool) -> Iterable[Document]:
    documents = list(event_documents(root, year, part))
    if covering:
        return _covering(f"{year}/", documents, frozenset({"Coreference"}))
    return (replace(document, id=f"{year}/{document.id}") for document in documents)


MORE = {
    "2011-epi/train": "Catalysis Positive_regulation",
    "2011-id/train": "Process",
    "2011-id/devel": "Process",
    "exhaustive-ptm/visible": "Catalysis Positive_regulation Other_PTM",
}
"""Folders below ``bionlp-more`` that may train, and the types of which each annotates only some."""
_RENAMED = {"Catalysis": "Positive_regulation", "ADP-ribosylation": "Ribosylation", "ADP-deribosylation": "Deribosylation"}


def documents_with_types(root: Path, folders: Mapping[str, str] = MORE) -> Iterator[Document]:
    """Events of the other shared tasks, each document with the types that its corpus covers.

    A catalysis is what our mapping knows as a positive regulation of an event: the event then has that cause.
    """
    for folder, partial in folders.items():
        path = root / "bionlp-more" / folder
        if not path.is_dir():
            raise DataMissingError(f"{path}: the events model learns from this folder, too")
        yield from _covering(f"{folder}/", list(read(path, "bionlp")), frozenset(partial.split()))


def _covering(prefix: str, documents: Sequence[Document], partial: frozenset[str] = frozenset()) -> Iterator[Document]:
    """The documents, each with the types that occur in any of them."""
    renamed = [
        replace(document, relations=tuple(replace(one, type=_RENAMED.get(one.type, one.type)) for one in document.relations))
        for document in documents
    ]
    types = {one.type for document in renamed for one in document.relations if one.trigger is not None} - partial
    covered = {COVERED: "|".join(sorted(types))}
    for document in renamed:
        yield replace(document, id=prefix + document.id, metadata={**document.metadata, **covered})


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
