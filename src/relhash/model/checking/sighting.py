"""What a sentence has to say on a claim, as numbers: the names found, what the shipped models think of the pair, the sign.

Claims are looked at one by one; a claim never depends on other rows. Of a claim whose participants stand several times in the
text, the two mentions count that the model of pairs finds most likely related.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from relhash.biomed.assertion import Assertion
from relhash.biomed.names.finding import How, Names, Place, Wanted, best, shipped_finder
from relhash.candidates.candidate import Candidate, overlap
from relhash.candidates.gold import CAUSE, THEME2
from relhash.candidates.same_thing import SameThing
from relhash.candidates.scene import Scene, Stage, scenes
from relhash.candidates.statement import assertion_of_scene
from relhash.candidates.statements.candidate import interaction_type, participants
from relhash.candidates.statements.policy import InteractionPolicy, stated_candidates
from relhash.candidates.statements.statement import Composed, compose, composed_of
from relhash.candidates.statements.triggers import LOSS, cue_of
from relhash.candidates.statements.types import StatementType, StatementTypes
from relhash.candidates.symbols import only_marks_cells
from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError
from relhash.model.checking.rows import Claim
from relhash.model.fitted import FittedModel
from relhash.model.judging import probabilities

MISSING = -6.0
"""Log-odds of what is not there."""
MOST_PAIRS = 12
"""Pairs of mentions of one claim that are looked at, those nearest to each other."""


def log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return max(math.log(bounded / (1 - bounded)), MISSING)


@dataclass(frozen=True, slots=True)
class Said:
    """One reading of the sentence about the pair: an event that a word may name, its sign composed."""

    event: str
    forward: bool
    """Whether it runs from the claim's subject to its object; bindings run both ways."""
    score: float
    composed: Composed
    trigger: Mention
    assertion: Assertion
    alone: bool = False
    links: float = 0.0


@dataclass(slots=True)
class Sighting:
    """What was found for one claim."""

    claim: Claim
    kind: StatementType | None
    subject: tuple[Mention, ...] = ()
    object: tuple[Mention, ...] = ()
    how: tuple[tuple[How, int], tuple[How, int]] = ((How.NOWHERE, 9), (How.NOWHERE, 9))
    wanted: tuple[Wanted, ...] = ()
    document: Document = field(default_factory=lambda: Document("", ""))
    pair: tuple[Mention, Mention] | None = None
    """Subject and object that are most likely related."""
    scene: Scene | None = None
    related: float = MISSING
    """Log-odds that the pair is related, of whatever type."""
    assertion: Assertion = Assertion.ASSERTED
    path: Composed | None = None
    said: list[Said] = field(default_factory=list)
    tagged: tuple[Mention, ...] = ()


class Examiner:
    """Looks for what sentences have to say on claims.

    Parameters
    ----------
    pairs, statements
        The models that judge whether a pair is related, and which event a word names.
    types
        The table of statement types.
    """

    def __init__(self, pairs: FittedModel, statements: FittedModel, types: StatementTypes, names: Names | None = None) -> None:
        self.pairs, self.statements, self.types = pairs, statements, types
        self.names = names or shipped_finder()
        if not isinstance(statements.policy, InteractionPolicy):
            raise ParameterError("statements are judged with a model of interactions, such as events")
        self.policy = statements.policy

    def examine(self, claims: Sequence[Claim]) -> list[Sighting]:
        """One sighting per claim, in order."""
        sightings = self.located(claims)
        self._judge_events(sightings)
        return sightings

    def located(self, claims: Sequence[Claim]) -> list[Sighting]:
        """The same without the events: where the participants stand, which two of them are meant, and how they are related."""
        texts = list(dict.fromkeys(claim.sentence for claim in claims))
        found = self.pairs.reader.recognised([Document(f"t{number}", text) for number, text in enumerate(texts)])
        tagged = dict(zip(texts, found, strict=True))
        sightings = [self._located(claim, tagged[claim.sentence]) for claim in claims]
        self._parse(sightings)
        self._judge_pairs(sightings)
        return sightings

    def _located(self, claim: Claim, tagged: Document) -> Sighting:
        """The participants of a claim among the mentions of its text."""
        sighting = Sighting(claim, self.types.named(claim.type), tagged=tagged.mentions)
        asked = (
            (claim.has_subject, claim.subject, claim.subject_ids, claim.subject_span),
            (claim.has_object, claim.object, claim.object_ids, claim.object_span),
        )
        wanted = [self.names.wanted(name, ids) for _, name, ids, _ in asked]
        places = [
            self._places(tagged, one, span) if is_given else []
            for one, (is_given, _, _, span) in zip(wanted, asked, strict=True)
        ]
        sighting.wanted = tuple(wanted)
        sighting.how = best(places[0]), best(places[1])
        mentions, members = _mentions(tagged, places)
        sighting.subject, sighting.object = members
        sighting.document = replace(tagged, id=f"{tagged.id}", mentions=mentions)
        return sighting

    def _places(self, tagged: Document, wanted: Wanted, span: tuple[int, int] | None) -> list[Place]:
        if span is not None and 0 <= span[0] < span[1] <= len(tagged.text):
            return [Place(*span, How.NAME, 0)]
        ids, found = self.names.ids(wanted), self.names.places(tagged.text, wanted)
        own = []
        for mention in tagged.mentions:
            if not ids.isdisjoint(mention.ids):
                inside = [
                    (place.start, place.end) for place in found if mention.start <= place.start and place.end <= mention.end
                ]
                is_more = bool(inside) and _says_more(tagged.text, mention, inside)
                own += [Place(*span, How.NAME, 1) for span in (inside if is_more else [(mention.start, mention.end)])]
        others = [place for place in found if not (own and place.how > How.NAME)]
        return own + [place for place in others if not any(place.start < one.end and one.start < place.end for one in own)]

    def _parse(self, sightings: Sequence[Sighting]) -> None:
        """Texts whose mentions are the same are parsed once."""
        by_key: dict[object, list[Sighting]] = {}
        for one in sightings:
            if (one.subject or not one.claim.has_subject) and (one.object or not one.claim.has_object):
                by_key.setdefault((one.document.text, tuple(mention.spans for mention in one.document.mentions)), []).append(
                    one
                )
        documents = [replace(same[0].document, id=f"c{number}") for number, same in enumerate(by_key.values())]
        read = replace(self.pairs, ground=False, cache=None).read(documents)
        for document, same in zip(read, by_key.values(), strict=True):
            for one in same:
                one.document = document

    def _judge_pairs(self, sightings: Sequence[Sighting]) -> None:
        asked: list[tuple[Sighting, Candidate, Mention, Mention]] = []
        for one in sightings:
            same = SameThing(one.document)
            for subject, object in _nearest_pairs(one):
                candidate = _pair(one.document, subject, object)
                if candidate is not None and same(*candidate.mentions) is None:
                    asked.append((one, candidate, subject, object))
        prepared = list(scenes(candidate for _, candidate, _, _ in asked))
        likely = probabilities(self.pairs, prepared)
        for (one, _, subject, object), scene, probability in zip(asked, prepared, likely.tolist(), strict=True):
            if one.pair is None or log_odds(probability) > one.related:
                one.pair, one.scene, one.related = (subject, object), scene, log_odds(probability)
        for one in sightings:
            if one.scene is not None and one.pair is not None:
                one.assertion = assertion_of_scene(one.scene)
                one.path = compose(one.scene.stage, *one.pair, None)

    def _judge_events(self, sightings: Sequence[Sighting]) -> None:
        asked = [
            (one, Scene(stage, made))
            for one in sightings
            for stage, numbers in _stages(one)
            for made in stated_candidates(stage, self.policy, numbers)
        ]
        likely = probabilities(self.statements, [scene for _, scene in asked])
        for (one, scene), probability in zip(asked, likely.tolist(), strict=True):
            one.said.append(_said(one, scene, log_odds(probability)))


def _said(one: Sighting, scene: Scene, score: float) -> Said:
    candidate = scene.candidate
    roles, kind, trigger = participants(candidate), interaction_type(candidate), candidate.trigger
    assert trigger is not None
    forward = THEME2 in roles or len(roles) == 1 or roles[CAUSE] in one.subject
    composed = composed_of(scene.stage, candidate)
    return Said(
        kind,
        forward,
        score,
        composed,
        trigger,
        assertion_of_scene(scene),
        alone=len(roles) == 1,
        links=candidate.clues[4] if candidate.clues else 0.0,
    )


def _mentions(
    tagged: Document, places: Sequence[Sequence[Place]]
) -> tuple[tuple[Mention, ...], tuple[tuple[Mention, ...], tuple[Mention, ...]]]:
    """The mentions of a text with the places among them, and which of them are the subject's and the object's.

    A place inside a longer name that the tagger found is that name, unless both participants are in it.
    """
    spans = {(place.start, place.end): side for side, own in enumerate(places) for place in own}
    kept: list[Mention] = []
    for mention in tagged.mentions:
        over = {span for span in spans if span[0] < mention.end and mention.start < span[1]}
        inside = all(mention.start <= start and end <= mention.end for start, end in over)
        if not over or (inside and len({spans[span] for span in over}) == 1 and not _says_more(tagged.text, mention, over)):
            kept.append(mention)
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        if not any(start < one.end and one.start < end for one in kept):
            kept.append(Mention("", "protein", ((start, end),), tagged.text[start:end]))
    ordered = tuple(replace(one, id=f"T{number}") for number, one in enumerate(sorted(kept, key=lambda one: one.spans), 1))
    members = [
        tuple(one for one in ordered if any(place.start < one.end and one.start < place.end for place in own)) for own in places
    ]
    return ordered, (members[0], members[1])


def _says_more(text: str, mention: Mention, places: Iterable[tuple[int, int]]) -> bool:
    """Whether a longer name has a word that turns the sign: *siRNA* of "Smad4 siRNA"."""
    first, last = min(start for start, _ in places), max(end for _, end in places)
    words = re.findall(r"[\w/]+", f"{text[mention.start : first]} {text[last : mention.end]}")
    return any((cue := cue_of(word)) is not None and cue.kind == LOSS for word in words)


def _nearest_pairs(one: Sighting) -> list[tuple[Mention, Mention]]:
    """Subject and object as mentions, the nearest first; never two that overlap."""
    text = one.document.text
    subjects, objects = ([m for m in side if not only_marks_cells(text, m)] for side in (one.subject, one.object))
    pairs = [pair for pair in product(subjects, objects) if not overlap(*pair)]
    return sorted(pairs, key=lambda pair: abs(pair[0].start - pair[1].start))[:MOST_PAIRS]


def _pair(document: Document, subject: Mention, object: Mention) -> Candidate | None:
    """The candidate of two mentions of one sentence."""
    for number, sentence in enumerate(document.sentences):
        if all(sentence.start <= one.start < sentence.end for one in (subject, object)):
            first, second = sorted((subject, object), key=lambda one: one.spans)
            return Candidate(document, number, (first, second), ("e1", "e2"))
    return None


def _stages(one: Sighting) -> Iterator[tuple[Stage, list[tuple[int, int]]]]:
    """The sentence of the chosen pair with the numbers of its mentions; of one participant, every sentence that names it."""
    if one.pair is not None and one.scene is not None:
        stage = one.scene.stage
        number = {mention.id: place for place, mention in enumerate(stage.mentions)}
        subject, object = (number[mention.id] for mention in one.pair)
        yield stage, [(subject, object), (object, object)]
    elif not (one.claim.has_subject and one.claim.has_object):
        for place in range(len(one.document.sentences)):
            stage = Stage.of(one.document, place)
            known = {mention.id for mention in (*one.subject, *one.object)}
            numbers = [(n, n) for n, mention in enumerate(stage.mentions) if mention.id in known]
            if numbers:
                yield stage, numbers
