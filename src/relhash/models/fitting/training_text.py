"""What a model is fitted on: both sides read the same way, their candidates, and what is to be remembered of that."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

from relhash.corpus import Document
from relhash.corpus.corpora import CorpusLike, documents_of
from relhash.errors import ParameterError, RelHashNote, StructureError
from relhash.models.fitting.target_sample import sampled_candidates
from relhash.models.pair_types import PairTypes
from relhash.models.reading.found_types import has_untyped, with_found_types
from relhash.models.reading.parse_settings import ParseSettings
from relhash.models.reading.parses import NO_PARSE, REMEDY, parse_source, parsed_views
from relhash.models.reading.reader import Reader, choose_parses, types_of
from relhash.structures.candidate import Candidate
from relhash.structures.candidates import candidates
from relhash.structures.policies import CandidatePolicy
from relhash.structures.symbols import entity_class

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
    """Choose the source of parses (see :func:`~relhash.models.reading.reader.choose_parses`) and read both sides with it.

    Entities that nobody has annotated have no labels either, so none are looked for in the labelled side. The entities of a
    sheet that names no types get those that the tagger finds (:mod:`relhash.models.reading.found_types`), with a note.
    """
    labelled = list(documents_of(corpus))
    unlabelled = iter(()) if adapt_to is None else documents_of(adapt_to)
    first = list(islice(unlabelled, LOOKED_AT))
    walked = parsed_views(views)
    chosen = choose_parses(parses, labelled, first, needs_parse=bool(walked), needs_split=policy.needs_sentences)
    if chosen.uses_pipeline and has_untyped(labelled):
        labelled, found = with_found_types(labelled, make_reader(replace(chosen, types=None)))
        warnings.warn(found.note, RelHashNote, stacklevel=3)
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
        raise ParameterError("the text to adapt to has no candidates: no sentence holds two entities that may relate")
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
