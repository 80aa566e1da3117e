"""What raw text adds to a decision: how sure the tagger is of names, how they stand, and what the sentence says of them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.assertion import Assertion
from relhash.biomed.grounding import shipped_grounder
from relhash.biomed.names.abbreviations import abbreviations
from relhash.biomed.names.hints import chemical_hint, hints_at, hints_of_names, hints_of_pairs, pair_hints
from relhash.biomed.names.senses import GROUNDED_TYPES
from relhash.biomed.names.spelling import name_key
from relhash.biomed.names.table import shipped_names
from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.candidates.scene import Scene, Stage, scenes
from relhash.candidates.statement import assertion_of_scene
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Document, Mention, Span
from relhash.learn.end_to_end import CERTAIN, ID, EndToEnd, Names

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]
FEWEST = 50
"""Rows of raw text that a threshold can be chosen on."""
OTHER = "other thing"
"""The hint that the list of names knows a protein's name, but only as that of a chemical, a disease or a cell."""
EXPLAINED, EXPLAINED_OTHERWISE = "explained", "explained otherwise"
"""Hints that the text writes a short name out, as its type or as something else: "positive allosteric modulator (PAM)"."""
INSIDE = "inside name"
"""The hint that a name is a part of a longer one that the text abbreviates."""
_EDGE = 2
"""Characters by which a found name may differ from the whole one: an article's end, a plural."""
NEAR, ONE_BETWEEN, SEVERAL_BETWEEN, SERIES, TWIN = "near", "one between", "several between", "series", "twin"
"""Hints of a pair: hardly anything or other names between the two, names that differ in their number or in a short prefix."""
NAMES, WORDS = "names", "words"
"""How many names and words the sentence has, as logarithms: in corpora they mean something else than in raw text."""
_SHORTEST, _MOST_NAMES = 12, 8
"""Words that a sentence has at least, and names at most, as far as a rule sees: hardly any judged one has fewer, or more."""
_STEM = 6
"""Letters in which two forms of a word agree: "regulating", "regulatory"."""
_CLOSE = 12
_NUMBER = re.compile(r"[\s-]{0,3}(?:\d{1,4}[A-Za-z]?|alpha|beta|gamma|delta|[αβγδ]|[A-Z]|[IVX]{1,4})$")
UNSTATED = tuple(str(said) for said in Assertion if said is not Assertion.ASSERTED)
"""Hints of a pair: what its sentence does instead of stating it."""


def names_of(found: Sequence[Candidate] | Sequence[Scene]) -> Names:
    """Certainty and hints of each name, and of the two together; scenes are quicker than their candidates."""
    of_names = (ID, OTHER, EXPLAINED, EXPLAINED_OTHERWISE, INSIDE, *hints_of_names())
    of_pairs = (*hints_of_pairs(), NEAR, ONE_BETWEEN, SEVERAL_BETWEEN, SERIES, TWIN, *UNSTATED, NAMES, WORDS)
    prepared = list(scenes(found))
    width = max((len(scene.candidate.mentions) for scene in prepared), default=0)
    certainties, hints = np.ones((len(prepared), width)), np.zeros((len(prepared), width, len(of_names)), bool)
    together = np.zeros((len(prepared), len(of_pairs)))
    words: list[tuple[str, ...]] = [()] * len(prepared)
    known: dict[tuple[int, int, int], NDArray[np.bool_]] = {}
    explained: dict[int, _Explained] = {}
    for row, scene in enumerate(prepared):
        candidate = scene.candidate
        is_found = False
        for column, mention in enumerate(candidate.mentions):
            if mention.certainty >= CERTAIN:
                continue
            is_found = True
            key = id(candidate.document), mention.start, mention.end  # a name has many pairs
            if key not in known:
                if key[0] not in explained:
                    explained[key[0]] = _Explained(candidate.document)
                said = {*_hints(candidate.document.text, mention, explained[key[0]])}
                known[key] = np.array([hint in said for hint in of_names])
            certainties[row, column], hints[row, column] = mention.certainty, known[key]
        if is_found and len(candidate.mentions) == 2 and TRIGGER not in candidate.roles:
            first, second = candidate.mentions
            of_pair = pair_hints(candidate.document.text, (first.start, first.end), (second.start, second.end))
            said = {*of_pair, str(assertion_of_scene(scene)), *_place_hints(scene)}
            n_names, n_words = len({one.spans for one in scene.stage.mentions}), len(scene.stage.tokens)
            sizes = min(n_names, _MOST_NAMES), max(n_words, _SHORTEST)
            together[row] = [*(hint in said for hint in of_pairs[:-2]), *np.log(sizes)]
            words[row] = _path_words(scene)
    return Names(certainties, hints, together, words, of_names, of_pairs)


def _path_words(scene: Scene) -> tuple[str, ...]:
    """The words on the path between the two names, each once, without their endings."""
    if not scene.is_joined:
        return ()
    return tuple(dict.fromkeys(scene.shown_as(token).lower()[:_STEM] for token in scene.paths[0].tokens[1:-1]))


def _hints(text: str, mention: Mention, explained: _Explained) -> Iterator[str]:
    if mention.ids:
        yield ID
    kind = entity_class(mention.type)
    types = explained.types.get(name_key(mention.called))
    if types is not None and kind in types:
        yield EXPLAINED
    elif types or (types is not None and not (kind == "protein" and mention.ids)):  # unknown words may still be a gene's
        yield EXPLAINED_OTHERWISE
    if explained.has_inside(mention):
        yield INSIDE
    if kind == "protein":
        if _is_other_thing(mention.text):
            yield OTHER
        yield from hints_at(text, mention.start, mention.end)
    elif kind == "chemical" and (hint := chemical_hint(text, mention.end)):
        yield hint


def _place_hints(scene: Scene) -> Iterator[str]:
    first, second = scene.candidate.mentions
    one, two = name_key(first.called), name_key(second.called)
    if second.start - first.end <= _CLOSE:
        yield NEAR
    starts, named = scene.stage.once(_named)
    inside = named[bisect_left(starts, first.end) : bisect_left(starts, second.start)]
    others = {key for end, key in inside if end <= second.start} - {one, two}
    if others:
        yield ONE_BETWEEN if len(others) == 1 else SEVERAL_BETWEEN
    stems = {_NUMBER.sub("", mention.called.strip()[-100:]).lower() for mention in (first, second)}
    if len(stems) == 1 and len(stems.pop()) > 1:
        yield SERIES
    if one != two and (one.endswith(two) or two.endswith(one)) and abs(len(one) - len(two)) <= 2:
        yield TWIN


def _named(stage: Stage) -> tuple[list[int], list[tuple[int, str]]]:
    """Where the entities of a sentence start; where each ends, and the key of its name."""
    found = stage.mentions
    return [mention.start for mention in found], [(mention.end, name_key(mention.called)) for mention in found]


class _Explained:
    """What a text says about its short forms: the types of entity that each long form is found or known as, and where it is."""

    def __init__(self, document: Document) -> None:
        senses = shipped_grounder().senses
        self.types: dict[str, set[str]] = {}
        self.spans: list[Span] = []
        ends = {mention.end: entity_class(mention.type) for mention in document.entities}
        for one in abbreviations(document.text):
            types = {ends[end] for end in range(one.long_span[1] - 1, one.long_span[1] + 2) if end in ends}
            types |= {kind for kind in GROUNDED_TYPES if senses.of(one.long, kind).concepts}
            self.spans.append(one.long_span)
            for short in {one.short, one.short.removesuffix("s")}:  # "positive allosteric modulators (PAMs)"
                self.types.setdefault(name_key(short), types)

    def has_inside(self, mention: Mention) -> bool:
        """Whether the name is a part of a longer one that is explained: "receptor activator of NF-kappaB ligand (RANKL)"."""
        return any(
            start <= mention.start and mention.end <= end and mention.end - mention.start + _EDGE < end - start
            for start, end in self.spans
        )


@lru_cache(maxsize=65536)
def _is_other_thing(name: str) -> bool:
    table = shipped_names()
    concepts = [table.concept(found.number) for found in table.find(name)]
    # a chemical of MeSH alone may be a protein: "Collagen Type II"
    return bool(concepts) and not any(one.kind.type == "protein" or one.id.startswith("MESH:D") for one in concepts)


def judged_names(rule: EndToEnd, names: Names, pairs: Floats, labels: Labels) -> tuple[Floats, Labels]:
    """Probability and label of each row, from those of its pair and what is known of the names (:func:`names_of`)."""
    probabilities = rule.probabilities(pairs, names)
    return probabilities, rule.accepted(labels, probabilities, names)


def with_one_cut(rule: EndToEnd, names: Names, pairs: Floats, labels: Labels) -> EndToEnd:
    """A rule without a threshold, given the one from which on it accepts as many rows of this text as it accepts of it now.

    Without one a row needs a pair that the classifier accepts and names that are more likely right than not. Then a row that
    is less probable than another can be accepted where the other is not, and its probability can be low. One cut of the
    probability of rows keeps their number; on raw text of AIMed, with sheets of 58 labels, it finds more and errs less
    (docs/results.md). Nothing changes where people annotated the names, or where the text accepts nothing or is short.
    """
    is_found = names.are_found
    if rule.threshold is not None or is_found.sum() < FEWEST:
        return rule
    probabilities, accepted = judged_names(rule, names, pairs, labels)
    n_accepted = int(accepted[is_found].sum())
    if not n_accepted:
        return rule
    return replace(rule, threshold=float(np.sort(probabilities[is_found])[::-1][n_accepted - 1]))
