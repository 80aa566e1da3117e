"""The candidates of a corpus by a policy: what is labelled, learned from and predicted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from relhash.corpus.document import Document
from relhash.structures.candidate import Candidate
from relhash.structures.pairs import PairPolicy
from relhash.structures.policies import Allow, CandidatePolicy


def candidates(
    documents: Iterable[Document], policy: CandidatePolicy | None = None, *, allow: Allow | None = None
) -> Iterator[Candidate]:
    """The candidates of a corpus, document by document, sentence by sentence.

    Parameters
    ----------
    policy
        What makes them; all pairs of entities of a sentence (:class:`~relhash.structures.pairs.PairPolicy`) by default.
    allow
        Only candidates of which this is true; others do not count in ``max_pairs_per_sentence`` either.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention, Sentence
    >>> names = [Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf")]
    >>> document = Document("d", "Ras binds Raf .", (Sentence("s", 0, 15),), tuple(names))
    >>> [candidate.key for candidate in candidates([document])]
    ['d|T1|T2']
    """
    return (policy or PairPolicy()).candidates(documents, allow)
