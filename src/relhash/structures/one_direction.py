"""One direction of a directed pair: who activates somebody is not said to be activated by them, too.

Both directions of a pair are candidates, and a model may think both likely enough. Of these the surer is accepted. Some types
have no direction: that A binds B says that B binds A, so training text states both. Which types do is counted there. In the
training folders of BioNLP 2009 and 2013 all 374 pairs of a binding run both ways, of 1,701 pairs of another type 14
(``benchmarks/both_ways.py``). The type is a guess, too, so both directions also have to look alike: *PTEN activates Cdc42* may
be called a binding, but one way is far more probable than the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from relhash.corpus.document import Document
from relhash.structures.candidate import Candidate
from relhash.structures.gold import gold_pairs

MOSTLY = 0.5
"""Share of its pairs that a type has to join both ways to count as one without direction."""
ALIKE = 1.6
"""How many times the odds of one direction those of the other may be, if neither is meant. Chosen on training documents of
BioNLP 2013, by a model of 40 others and one of 110 of 2009: mean F1 0.444, and 0.441 by the type alone, 0.424 if one direction
is always left out, 0.417 if never."""
_SOFTENING = 0.01  # a forest may vote 0 or 1, whose odds are infinite


def types_both_ways(documents: Iterable[Document]) -> tuple[str, ...] | None:
    """The types of relations that have no direction in annotated text, sorted; ``None`` if no relation is annotated.

    >>> from relhash.corpus import Argument, Mention, Relation
    >>> names = tuple(Mention(f"T{n}", "protein", ((4 * n, 4 * n + 3),), name) for n, name in enumerate(["Ras", "Raf"]))
    >>> there = Relation("E1", "Regulation", (Argument("Cause", "T0"), Argument("Theme", "T1")))
    >>> both = Relation("E2", "Binding", (Argument("Theme", "T0"), Argument("Theme2", "T1")))
    >>> types_both_ways([Document("d", "Ras Raf", mentions=names, relations=(there, both))])
    ('Binding',)
    """
    pairs, returned = counts_by_type(documents)
    return tuple(sorted(name for name in pairs if returned[name] >= MOSTLY * pairs[name])) if pairs else None


def counts_by_type(documents: Iterable[Document]) -> tuple[Counter[str], Counter[str]]:
    """How many pairs of entities each type joins, and how many of these both ways."""
    pairs: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    for document in documents:
        gold, names = gold_pairs(document), {mention.id for mention in document.entities}
        joined = {frozenset(pair) for pair in gold.pairs() if names.issuperset(pair)}
        for one, other in (pair for pair in joined if len(pair) == 2):
            there, back = set(gold.between(one, other, directed=True)), set(gold.between(other, one, directed=True))
            pairs.update(there | back)
            returned.update(there & back)
    return pairs, returned


def one_direction(
    found: Sequence[Candidate],
    scores: Sequence[float],
    accepted: Sequence[bool],
    relations: Sequence[str],
    both_ways: Collection[str],
) -> list[bool]:
    """Which of the ``accepted`` candidates stay: of two that only differ in direction, the surer.

    Both stay if they are of one type, that is among ``both_ways``, and their ``scores``, which lie between 0 and 1, are
    :data:`ALIKE`. Of two equal scores the first participant of the sentence acts.

    >>> from relhash.corpus import Mention
    >>> names = Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((14, 17),), "Raf")
    >>> document = Document("d", "Ras activates Raf", mentions=names)
    >>> there, back = (Candidate(document, 0, names, roles) for roles in (("e1", "e2"), ("e2", "e1")))
    >>> one_direction([there, back], [0.6, 0.3], [True, True], ["Regulation"] * 2, both_ways=["Binding"])
    [True, False]
    """
    best: dict[tuple[object, ...], int] = {}
    kept = list(accepted)
    # ties by roles, so that the order of the candidates does not matter
    for number in sorted((n for n in range(len(found)) if accepted[n]), key=lambda n: (-scores[n], found[n].roles)):
        one = found[number]
        surer = best.setdefault((id(one.document), *sorted(mention.id for mention in one.mentions)), number)
        has_no_direction = relations[number] == relations[surer] and relations[number] in both_ways
        kept[number] = one.roles == found[surer].roles or (
            has_no_direction and _odds(scores[surer]) <= ALIKE * _odds(scores[number])
        )
    return kept


def _odds(score: float) -> float:
    return (score + _SOFTENING) / (1 + _SOFTENING - score)
