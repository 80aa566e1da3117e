"""How much to believe a relation that several sentences state or deny.

Noisy-or: each sentence is an independent chance that the relation holds, so *n* sentences of probability *p* make
1 − (1 − *p*)ⁿ. Sentences are not that independent: a document repeats itself, and one model makes the same mistake again and
again. So there are caps (compare the systematic error in the belief model of INDRA, Gyori et al. 2017):

=================  ==========  ========================================================================
of                 at most     because
=================  ==========  ========================================================================
one sentence       0.95        a tagger or parser may have misread it, however sure the classifier is
one document       0.97        its sentences are by one author about one experiment
all documents      0.99        the model may misread a turn of phrase wherever it occurs
=================  ==========  ========================================================================

A sentence that thinks the relation likely (*speculative*) counts half; one that only asks for it (*questioned*) not at all. A
sentence that denies it (*negated*) is evidence against: belief is what speaks for it times what does not speak against it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

MOST_OF_A_SENTENCE, MOST_OF_A_DOCUMENT, MOST = 0.95, 0.97, 0.99
WEIGHTS = {"asserted": 1.0, "speculative": 0.5, "questioned": 0.0}
"""What a sentence counts in favour of its relation."""


def noisy_or(chances: Iterable[float], *, at_most: float = 1.0) -> float:
    """The chance that at least one of independent causes works, capped.

    >>> noisy_or([0.5, 0.5]), noisy_or([0.9, 0.9, 0.9], at_most=0.95), noisy_or([])
    (0.75, 0.95, 0.0)
    """
    return min(at_most, 1.0 - math.prod(1.0 - chance for chance in chances))


def belief(documents: Iterable[Sequence[tuple[float, str]]]) -> float:
    """Belief from the sentences of each document: their probability, and what they say (``"asserted"``, ``"negated"``, …).

    >>> one = [(0.8, "asserted")]
    >>> round(belief([one]), 3), round(belief([one, one]), 3), round(belief([one, [(0.8, "negated")]]), 3)
    (0.8, 0.96, 0.16)
    """
    held, denied = [], []
    for sentences in documents:
        held.append(_of_document(p * WEIGHTS.get(kind, 0.0) for p, kind in sentences))
        denied.append(_of_document(p for p, kind in sentences if kind == "negated"))
    return noisy_or(held, at_most=MOST) * (1.0 - noisy_or(denied, at_most=MOST))


def _of_document(chances: Iterable[float]) -> float:
    return noisy_or((min(chance, MOST_OF_A_SENTENCE) for chance in chances), at_most=MOST_OF_A_DOCUMENT)
