"""What a model is fitted on: both sides read the same way, their candidates, and what is to be remembered of that.

The text to adapt to may be of any size; of much text a sample of whole documents is held. A hash of id and text gives each
document its place in a lottery, so the sample is the same for any order of the files and any number of processes.

A sheet may name no types for its entities, and a model without types would pair everything that a pipeline finds later. So a
mention that overlaps a tagged entity gets its type; one that the tagger does not find, or calls something that hardly anything
else in its column is, gets the type that most of its column has.
"""

from __future__ import annotations

import heapq
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import blake2b
from itertools import chain, islice
from typing import TYPE_CHECKING

from relhash.candidates.candidate import Candidate, shared_characters
from relhash.candidates.pairs import candidates
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.symbols import entity_class
from relhash.corpus import Document, Mention
from relhash.corpus.read_write import CorpusLike, documents_of
from relhash.corpus.tables.reader import UNTYPED
from relhash.errors import ParameterError, RelHashNote, StructureError
from relhash.learn.end_to_end import Names
from relhash.model.fitted import PairTypes
from relhash.model.reading.found_names import names_of
from relhash.model.reading.reader import (
    NO_PARSE,
    REMEDY,
    ParseSettings,
    Reader,
    choose_parses,
    parse_source,
    parsed_views,
    types_of,
)

if TYPE_CHECKING:
    from relhash.model.fitted import FittedModel


MOST_CANDIDATES = 200_000
"""Candidates that are held of the text to adapt to; some hundred are enough for a good code (docs/results.md)."""
_ALL_LOTS = 1 << 64


def sampled_candidates(
    documents: Iterable[Document],
    read: Callable[[Iterable[Document]], Iterable[Document]],
    find: Callable[[list[Document]], Iterable[Candidate]],
    most: int = MOST_CANDIDATES,
) -> list[Candidate]:
    """The candidates of all documents in their order, or of a sample of at most ``most`` candidates, with a note.

    ``read`` parses documents, one after the other; ``find`` makes candidates of one.
    """
    held: list[tuple[int, int, list[Candidate]]] = []  # a heap: the highest lot is the first
    limit, n_held, n_met = _ALL_LOTS, 0, 0

    def drawn() -> Iterator[Document]:
        nonlocal n_met
        for document in documents:
            n_met += 1
            if _lot(document) < limit:
                yield document

    for number, document in enumerate(read(drawn())):
        lot, found = _lot(document), list(find([document]))
        if not found or lot >= limit:  # it may have become too high since the document was given to a process
            continue
        heapq.heappush(held, (-lot, number, found))
        n_held += len(found)
        while n_held > most and len(held) > 1:
            highest, _, dropped = heapq.heappop(held)
            limit, n_held = -highest, n_held - len(dropped)
    if limit < _ALL_LOTS:
        warnings.warn(
            f"of the text to adapt to {len(held):,} of {n_met:,} documents were drawn ({n_held:,} candidates; at most "
            f"{most:,} are held)",
            RelHashNote,
            stacklevel=3,
        )
    return [candidate for _, _, found in sorted(held, key=lambda one: one[1]) for candidate in found]


def _lot(document: Document) -> int:
    text = f"{document.id}\0{document.text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


SLIP = 0.15
"""Share of a column's recognised mentions below which a type counts as an error of the tagger. Of the gold proteins in 60
documents of AIMed it recognises 1,074 of 1,140 and calls 13 something else; a column that mixes types has more of either."""


def _note(types: Counter[str], recognised: int, untyped: int) -> str:
    """What was found of the types of a sheet, for the person who made it."""
    if not types:
        return (
            f"the {untyped:,} entities of the sheet have no types, and the tagger knows none of them: the model will "
            "take entities of any type (name the types: columns e1_type and e2_type, or headings such as gene1)"
        )
    found = ", ".join(f"{count:,} {name}" for name, count in types.most_common())
    return (
        f"the sheet names no entity types; found by the tagger: {found} ({recognised:,} of {untyped:,} mentions "
        "recognised, the others go with their column)"
    )


def has_untyped(documents: Iterable[Document]) -> bool:
    """Whether a sheet is among the documents whose entities have no type."""
    return any(_is_untyped_sheet(document) for document in documents)


def with_found_types(
    documents: Sequence[Document], tagged: Callable[[Iterable[Document]], Iterator[Document]]
) -> tuple[list[Document], str]:
    """The documents with types for untyped entities, and a note of what was found; ``tagged`` finds entities in bare text."""
    sheets = [document for document in documents if _is_untyped_sheet(document)]
    bare = (Document(document.id, document.text, passages=document.passages) for document in sheets)
    own: dict[tuple[int, str], str] = {}
    columns: dict[tuple[int, str], int] = {}
    for number, (sheet, found) in enumerate(zip(sheets, tagged(bare), strict=True)):
        for column, ids in enumerate(zip(*((pair.first, pair.second) for pair in sheet.candidates or ()))):
            for identifier in ids:
                columns.setdefault((number, identifier), column)
        for mention in sheet.mentions:
            kind = _type_at(mention, found.mentions) if mention.type == UNTYPED else ""
            if kind:
                own[number, mention.id] = kind
    most = _by_column(own, columns)
    counted: Counter[str] = Counter()
    untyped = 0
    typed: dict[int, Document] = {}
    for number, sheet in enumerate(sheets):
        mentions = []
        for mention in sheet.mentions:
            if mention.type == UNTYPED:
                untyped += 1
                votes, usual = most[columns.get((number, mention.id), 0)]
                kind = own.get((number, mention.id), "")
                if not kind or votes[kind] < SLIP * votes.total():
                    kind = usual
                if kind:
                    counted[kind] += 1
                    mention = replace(mention, type=kind)
            mentions.append(mention)
        typed[id(sheet)] = replace(sheet, mentions=tuple(mentions))
    return [typed.get(id(document), document) for document in documents], _note(counted, len(own), untyped)


def _is_untyped_sheet(document: Document) -> bool:
    return bool(document.candidates) and any(mention.type == UNTYPED for mention in document.mentions)


def _by_column(own: dict[tuple[int, str], str], columns: dict[tuple[int, str], int]) -> list[tuple[Counter[str], str]]:
    """Votes and the most common type of both columns."""
    votes: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for key, kind in own.items():
        votes[columns.get(key, 0)][kind] += 1
    return [(counted, counted.most_common(1)[0][0] if counted else "") for counted in votes]


def _type_at(mention: Mention, tagged: Sequence[Mention]) -> str:
    """The type of the tagged entity that shares most characters with the mention; none if none does."""
    best = max(tagged, key=partial(shared_characters, mention), default=None)
    return entity_class(best.type) if best is not None and shared_characters(mention, best) else ""


NOTHING_TO_ADAPT_TO = "the text to adapt to has no candidates: no sentence holds two entities that may relate"
LOOKED_AT = 10_000
"""Documents of the text to adapt to that decide whose parses are taken (``parses="auto"``); the rest is read once."""


@dataclass(frozen=True)
class TrainingText:
    """Candidates of the labelled side and of the text to adapt to (none without one), and how they were read.

    Documents whose ids cannot change their candidates have been given none; ``grounded`` does it.
    """

    train: list[Candidate]
    target: list[Candidate]
    parses: ParseSettings
    parse_source: str
    pair_types: PairTypes
    policy: CandidatePolicy
    grounded: Callable[[Document], Document] | None = None

    @property
    def learned_from(self) -> list[Candidate]:
        """The labelled side, or without one the text to adapt to."""
        return self.train or self.target

    @cached_property
    def target_names(self) -> Names:
        """What is known of the names in the text to adapt to."""
        return names_of(self.target)


def read_as(
    model: FittedModel,
    adapt_to: CorpusLike,
    *,
    policy: CandidatePolicy | None,
    make_reader: Callable[[ParseSettings], Reader],
    on_document: Callable[[Document], object] | None = None,
) -> TrainingText:
    """Text to adapt to without a labelled side, read as a model reads it that learned elsewhere."""
    policy = policy or model.policy
    found = sampled_candidates(
        documents_of(adapt_to),
        partial(make_reader(model.parses), on_document=on_document),
        partial(candidates, policy=policy, allow=model.pair_types.allow),
    )
    if not found:
        raise ParameterError(NOTHING_TO_ADAPT_TO)
    return TrainingText([], found, model.parses, model.parse_source, model.pair_types, policy)


def read_training_text(
    corpus: CorpusLike,
    adapt_to: CorpusLike | None,
    *,
    parses: str | ParseSettings,
    views: Sequence[str],
    policy: CandidatePolicy,
    make_reader: Callable[[ParseSettings], Reader],
    on_document: Callable[[Document], object] | None = None,
) -> TrainingText:
    """Choose the source of parses (see :func:`~relhash.model.reading.reader.choose_parses`) and read both sides with it.

    Entities that are not annotated have no labels either, so none are looked for in the labelled side. The entities of a
    sheet that names no types get those that the tagger finds (:mod:`relhash.model.training_text`), with a note.
    """
    labelled = list(documents_of(corpus))
    unlabelled = iter(()) if adapt_to is None else documents_of(adapt_to)
    first = list(islice(unlabelled, LOOKED_AT))
    walked = parsed_views(views)
    chosen = choose_parses(parses, labelled, first, needs_parse=bool(walked), needs_split=policy.needs_sentences)
    if chosen.uses_pipeline and has_untyped(labelled):
        labelled, note = with_found_types(labelled, make_reader(replace(chosen, types=None)))
        warnings.warn(note, RelHashNote, stacklevel=3)
        chosen = replace(chosen, types=types_of(labelled))
    reader = make_reader(chosen)
    labelled = list(reader(labelled, tag=False, on_document=on_document, asks_for_ids=policy.asks_for_ids))
    policy = policy.fitted(labelled)
    train = list(policy.training_candidates(labelled))
    if not train:
        raise ParameterError(_no_candidates(labelled, policy))
    pair_types = PairTypes.of(train, policy)
    target = sampled_candidates(
        chain(first, unlabelled),
        partial(reader, on_document=on_document, asks_for_ids=policy.asks_for_ids),
        partial(candidates, policy=policy, allow=pair_types.allow),
    )
    if adapt_to is not None and not target:
        raise ParameterError(NOTHING_TO_ADAPT_TO)
    source = parse_source([*train, *target])
    if source == NO_PARSE and walked:
        raise StructureError(
            f"the text has no parses, which the views {', '.join(walked)} need; {REMEDY}, or choose views without a parse: "
            "between, window(3,3), descriptors"
        )
    return TrainingText(train, target, chosen, source, pair_types, policy, reader.grounded)


def _no_candidates(documents: Sequence[Document], policy: CandidatePolicy) -> str:
    """Why nothing can be learned from this text, as far as its entities tell."""
    types = sorted({entity_class(mention.type) for document in documents for mention in document.entities})
    if not types:
        return "the training text has no annotated entities; raw text without labels is for adaptation (--adapt, adapt_to)"
    if policy.has_roles:
        return (
            "the training text states no interaction of two participants: events with a cause and a theme, or with two themes "
            "(--one-participant learns from events about one, too); for --open-types, statements with a verb as their type"
        )
    return (
        "the training text has no candidates: no sentence holds two annotated entities that may relate; its entity types are "
        f"{', '.join(types)} (--types, policy)"
    )
