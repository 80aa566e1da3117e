"""Interactions of any type in new text: every verb, or noun of a verb, with every two entities near it, in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from relhash.corpus.document import Document, Mention
from relhash.structures.candidate import Candidate, overlap
from relhash.structures.direction import CAUSE, THEME
from relhash.structures.graph import Connection
from relhash.structures.interactions.candidate import interaction_candidate, trigger_mention
from relhash.structures.stage import SortedEntities, Stage

MOST_ENTITIES = 8
"""Entities of a sentence that are combined; judged sentences with more are left out: nobody read all their pairs."""
MAX_DISTANCE = 4
_NO_TYPES = frozenset({"be", "have", "do", "is", "are", "was", "were", "show", "suggest", "indicate", "demonstrate", "use"})
_NOUNS = ("ation", "ition", "ction", "ment", "ding", "ssion")


def verb_candidates(
    document: Document, *, most_entities: int = MOST_ENTITIES, max_distance: int = MAX_DISTANCE
) -> Iterator[Candidate]:
    """The candidates of a parsed document; the type of each is the lemma of its verb."""
    entities = SortedEntities(document)
    for number, sentence in enumerate(document.sentences):
        if len(entities.starting_in(sentence.start, sentence.end)) < 2:
            continue
        stage = Stage(document, number, entities=entities)
        for token, kind in _verbs(stage):
            for cause, theme in permutations(_near(stage, token, most_entities, max_distance), 2):
                if not overlap(cause, theme):
                    yield stated_candidate(stage, token, kind, cause, theme)


def stated_candidate(stage: Stage, token: int, kind: str, cause: Mention, theme: Mention) -> Candidate:
    """The candidate of a token that names an interaction of two entities."""
    start, end = stage.tokens[token].start, stage.tokens[token].end
    trigger = trigger_mention(kind, start, end, stage.document.text[start:end])
    return interaction_candidate(stage.document, stage.first, trigger, {CAUSE: cause, THEME: theme})


def _near(stage: Stage, token: int, most_entities: int, max_distance: int) -> list[Mention]:
    found = []
    for mention in stage.mentions:
        if mention.id in stage.cell_markers:
            continue
        path = stage.graph.shortest_path((token,), stage.tokens_of(mention))
        if path.connection is not Connection.DISCONNECTED and len(path.edges) <= max_distance:
            found.append((len(path.edges), mention.spans, mention))
    return [mention for _, _, mention in sorted(found, key=lambda one: one[:2])[:most_entities]]


def _verbs(stage: Stage) -> Iterator[tuple[int, str]]:
    """Tokens that may name an interaction, and the type that they name: verbs, and nouns made of verbs."""
    for number, token in enumerate(stage.tokens):
        if not stage.is_free(number) or token.start >= token.end:
            continue
        kind = (token.lemma or token.text).lower()
        is_noun = token.pos.startswith("NN") and token.text.lower().rstrip("s").endswith(_NOUNS)
        if (token.pos.startswith("VB") or is_noun) and kind.isalpha() and kind not in _NO_TYPES:
            yield number, kind
