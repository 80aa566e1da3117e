"""Everything that was learned, frozen: one object that reads text, finds relations in it, and is written to a file."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.biomed.assertion import Assertion
from relhash.candidates import Candidate, CandidatePolicy, parse_types
from relhash.candidates.candidate import TRIGGER
from relhash.candidates.symbols import entity_class
from relhash.corpus import Document
from relhash.corpus.read_write import CorpusLike, documents_of
from relhash.errors import ParameterError
from relhash.hashing.trace import Progress, each_document
from relhash.kernels import WordVectors
from relhash.language.entities import Lexicon, Recogniser
from relhash.language.parse_cache import ParseCache
from relhash.learn import Code, FeatureMap
from relhash.learn.decision import Decision
from relhash.learn.end_to_end import EndToEnd
from relhash.learn.labels import has_label
from relhash.learn.metrics import Metrics, measure
from relhash.learn.relation_types import RelationTypes
from relhash.model.adaptation import Familiarity, Seen, adapted, unlike
from relhash.model.judging import Prepared, candidates_of, decisions, hashed_stream, portions, whole
from relhash.model.prediction import ModelIdentity, Prediction, Predictions
from relhash.model.reading.reader import ParseSettings, Reader, to_cache, to_lexicon
from relhash.model.recipe import Recipe

if TYPE_CHECKING:
    from relhash.model.checking import Checked
    from relhash.model.index import Found, Index


@dataclass(frozen=True)
class PairTypes:
    """The pairs of entity types that were candidates in the training text; ``None`` where the candidate policy decides alone.

    A pipeline finds proteins, chemicals and diseases; a model that learned interactions of proteins has no opinion on a
    protein and a disease, so pairs of known types that never were candidates are no candidates later.

    >>> PairTypes.named([("Gene", "chemical")]).as_list()
    [['chemical', 'protein']]
    """

    pairs: frozenset[tuple[str, ...]] | None = None

    @classmethod
    def of(cls, candidates: Iterable[Candidate], policy: CandidatePolicy) -> PairTypes:
        """The pairs among ``candidates``; a policy that names its types, or makes candidates of its own kind, needs none."""
        if policy.settles_types:
            return cls()
        return cls(frozenset(_classes(candidate) for candidate in candidates))

    def allow(self, candidate: Candidate) -> bool:
        """Whether the candidate is of a known pair, or of types that are new, or listed by its corpus."""
        if self.pairs is None or candidate.document.candidates is not None:
            return True
        classes = _classes(candidate)
        known = {name for pair in self.pairs for name in pair}
        return classes in self.pairs or not known.issuperset(classes)

    def knows(self, candidate: Candidate) -> bool:
        """Whether the training text had candidates of these types (always, where the policy decides alone)."""
        return self.pairs is None or _classes(candidate) in self.pairs

    @classmethod
    def named(cls, types: Iterable[tuple[str, str]]) -> PairTypes:
        """Pairs that a person names, in any order."""
        return cls(frozenset(tuple(sorted(map(entity_class, pair))) for pair in types))

    def has(self, candidate: Candidate) -> bool:
        """Whether any two participants of the candidate are of these pairs; a trigger is no participant."""
        named = zip(candidate.mentions, candidate.roles, strict=True)
        classes = sorted(entity_class(mention.type) for mention, role in named if role != TRIGGER)
        return self.pairs is None or self.pairs.issuperset(combinations(classes, 2))

    def as_list(self) -> list[list[str]] | None:
        return None if self.pairs is None else sorted(map(list, self.pairs))

    @classmethod
    def from_list(cls, given: Sequence[Sequence[str]] | None) -> PairTypes:
        return cls() if given is None else cls(frozenset(tuple(map(str, pair)) for pair in given))


def _classes(candidate: Candidate) -> tuple[str, ...]:
    return tuple(sorted(entity_class(mention.type) for mention in candidate.mentions))


Floats = NDArray[np.float64]
logger = logging.getLogger(__name__)

STATED = frozenset({Assertion.ASSERTED, Assertion.SPECULATIVE})
"""What a model accepts by default: relations that a sentence states or thinks likely, not those that it denies or asks for."""


@dataclass(frozen=True, eq=False, repr=False)
class FittedModel:
    """A model that reads text. It never changes, so threads may share it; what changes something gives a new model.

    :meth:`RelationExtractor.fit <relhash.model.RelationExtractor.fit>` makes one, :meth:`load` reads one from a file.

    Attributes
    ----------
    preset, settings
        The name it was set up with, and everything that the name stands for.
    features, decision, relation_types
        What it learned: the feature parts, classifier with calibration and threshold, the types of relations.
    policy, pair_types
        Which candidates it makes, and which types of entities its training text paired.
    parses, parse_source
        How it reads text, and where the parses of its training text came from.
    training_sentences
        Hashes of the labelled sentences, to tell leakage into a test set.
    end_to_end
        How the certainty of names that a tagger found enters the probability of a row, and which of these rows are accepted.
    card
        What it was made from and how.
    familiar, seen
        The bits of the text that it was adapted to, and the codes with labels of what it learned from, without text.
    lexicon, cache, ground, recogniser, n_jobs
        How this process reads text, see :meth:`load`; not learned.
    kept, wanted, grounded
        What it accepts, see :meth:`keeping`, :meth:`relating` and :meth:`only_grounded`; not learned either.
    identity
        Name and version, if it was read from a file.

    Examples
    --------
    >>> import relhash
    >>> model = relhash.load("ppi")
    >>> for found in model.predict("RAF1 binds to MEK1 in resting cells."):
    ...     print(found.relation, *(mention.text for mention in found.candidate.mentions))
    interaction RAF1 MEK1
    """

    preset: str
    settings: Recipe
    features: FeatureMap
    decision: Decision
    relation_types: RelationTypes
    policy: CandidatePolicy
    pair_types: PairTypes
    parses: ParseSettings
    parse_source: str
    training_sentences: NDArray[np.uint64]
    card: Mapping[str, Any]
    random_state: int
    end_to_end: EndToEnd = field(default_factory=EndToEnd)
    lexicon: Lexicon | None = None
    cache: ParseCache | None = None
    ground: bool = True
    recogniser: Recogniser | None = None
    n_jobs: int | None = None
    kept: frozenset[Assertion] = STATED
    familiar: Familiarity | None = None
    seen: Seen | None = None
    wanted: PairTypes | None = None
    grounded: bool = False
    identity: ModelIdentity | None = None

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        vectors: WordVectors | None = None,
        lexicon: Lexicon | str | os.PathLike[str] | None = None,
        cache: bool | ParseCache = True,
        ground: bool = True,
        recogniser: Recogniser | None = None,
        n_jobs: int | None = None,
        parses: str | None = None,
        sha256: str | None = None,
        encoder: bool | None = None,
    ) -> FittedModel:
        """Read a model file, or a model that ships with RelHash by its name (``"ppi"``).

        Parameters
        ----------
        vectors
            Your own, if the model was fitted with some and shall know words that it has not seen.
        lexicon
            Names → ids to find in text without entities: a :class:`~relhash.language.Lexicon`, or a file.
        cache
            Keep parses in the user's cache folder between runs; or a :class:`~relhash.language.ParseCache` of your own.
        ground
            Give ids to entities that have none, by the list of names that ships.
        recogniser
            A finder of names of your own, asked before the one that ships (:data:`relhash.language.entities.Recogniser`).
        n_jobs
            Processes that parse text (of more than a few dozen documents), threads of the kernels; -1 for all cores.
        parses
            The spaCy model that the file was fitted with, if that was not one that ships: its code will run, and a file may not
            name it by itself.
        sha256
            What the file must be: any other is refused before it is read.
        encoder
            Whether a shipped model reads with the encoder, too (see :mod:`relhash.model.model_file`): better, and slower;
            by default where the extra ``[encoder]`` is installed.
        """
        from relhash.model.model_file import find_model, load_model, second_reader_of

        file = find_model(path)
        model = load_model(file, vectors=vectors, n_jobs=n_jobs, parses=parses, sha256=sha256)
        if second := second_reader_of(file, encoder):
            model = second.beside(model)
        names = to_lexicon(lexicon)
        return replace(model, lexicon=names, cache=to_cache(cache), ground=ground, recogniser=recogniser, n_jobs=n_jobs)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file: plain arrays and JSON in a zip, no pickle."""
        from relhash.model.model_file import save_model

        save_model(self, Path(path))

    def accepting_from(self, probability: float) -> FittedModel:
        """A model that accepts from a calibrated probability on, in place of the threshold chosen at fit."""
        rule = replace(self.end_to_end, threshold=probability)
        return replace(self, decision=self.decision.accepting_from(probability), end_to_end=rule)

    def adapted_to(self, corpus: CorpusLike, *, expect: float | None = None) -> FittedModel:
        """A model whose threshold and probabilities are moved to other text; no labels are looked at, codes and scores stay.

        ``corpus`` is text like that to be read, some hundred sentences or more; ``expect`` is the share of its pairs that are
        related, by your guess. By default as many are accepted as before.
        """
        return adapted(self, corpus, expect)

    def unlike(self, candidates: Sequence[Candidate], scores: ArrayLike) -> str:
        """How candidates with these scores differ from what the model was adapted to, in words; empty if they do not."""
        return unlike(self, candidates, self.decision.threshold.labels(scores))

    def keeping(self, *assertions: str) -> FittedModel:
        """A model that also accepts relations that their sentence denies (``"negated"``) or only asks for (``"questioned"``).

        >>> import relhash
        >>> model = relhash.load("ppi")
        >>> text = "No interaction between RAF1 and MEK1 was observed."
        >>> len(model.predict(text))
        0
        >>> [found.assertion.value for found in model.keeping("negated").predict(text)]
        ['negated']
        """
        unknown = sorted(set(assertions).difference(Assertion))
        if unknown:
            raise ParameterError(f"keep: {unknown[0]!r} is none of {', '.join(Assertion)}")
        return replace(self, kept=self.kept.union(map(Assertion, assertions)))

    def with_max_pairs(self, at_most: int) -> FittedModel:
        """A model that looks at no more than so many pairs of a sentence."""
        return replace(self, policy=self.policy.with_max_pairs(at_most))

    def relating(self, types: Sequence[tuple[str, str]]) -> FittedModel:
        """A model that only relates entities of these pairs of types, such as ``[("protein", "chemical")]``."""
        return replace(self, wanted=PairTypes.named(types))

    def only_grounded(self) -> FittedModel:
        """A model that only relates entities that have an id, by annotation or by the list of names that ships."""
        return replace(self, grounded=True)

    def adjusted(
        self,
        *,
        threshold: float | None = None,
        keep: Sequence[str] | None = None,
        types: str | None = None,
        grounded: bool = False,
        max_pairs: int | None = None,
    ) -> FittedModel:
        """The model as the options of a command or of a request want it; what is not given stays as it is."""
        model = self if threshold is None else self.accepting_from(threshold)
        model = model.keeping(*keep) if keep else model
        model = model if types is None else model.relating(parse_types(types))
        model = model if max_pairs is None else model.with_max_pairs(max_pairs)
        return model.only_grounded() if grounded else model

    def check(self, rows: Iterable[Mapping[str, Any]]) -> list[Checked]:
        """Whether extracted statements are what their sentences say: a verdict, a probability and a reason each.

        ``rows`` are records with ``sentence``, ``subject``, ``object`` and ``type`` (INDRA's names, or words as *inhibits*).

        >>> import relhash
        >>> row = {"sentence": "RAF1 binds to MEK1.", "subject": "RAF1", "object": "MAP2K1", "type": "Complex"}
        >>> relhash.load("ppi").check([row])[0].verdict
        'supported'
        """
        from relhash.model.checking import Checker

        return Checker.shipped(model=self).check(rows)

    def read(self, corpus: CorpusLike) -> Iterator[Document]:
        """The documents as this model reads them: parsed and tagged, if it does so by itself, else as they are."""
        return self.reader(documents_of(corpus))

    @property
    def reader(self) -> Reader:
        """How it reads text."""
        how: dict[str, Any] = {"ground": self.ground, "n_jobs": self.n_jobs, "recogniser": self.recogniser}
        return Reader(self.parses, lexicon=self.lexicon, cache=self.cache, **how)

    def candidates(self, corpus: CorpusLike) -> list[Candidate]:
        """The candidates of a corpus, in order: what every other method gives a value for."""
        return list(candidates_of(self, self.read(corpus)))

    def predict(
        self,
        corpus: CorpusLike,
        *,
        all_candidates: bool = False,
        text: str | None = None,
        id: str | None = None,
        callback: Callable[[Progress], object] | None = None,
    ) -> Predictions:
        """The relations found; with ``all_candidates`` every candidate, related or not.

        ``corpus`` is a path, a corpus, documents, Docs of spaCy, a data frame, or a string that is no file: then it is the text
        itself. ``text`` and ``id`` name the columns of a data frame, where their names do not say it. ``callback`` is called
        with the progress, as that of ``fit``.
        """
        if text is not None or id is not None:
            from relhash.corpus.objects import frame_documents

            corpus = frame_documents(corpus, text, id)
        read = portions(self, documents_of(corpus))
        on_document = None if callback is None else each_document(callback)
        found = Predictions()
        for document, own in whole(read, all_candidates=all_candidates):
            found += own
            if on_document is not None:
                on_document(document)
        logger.info("%d of %d rows are accepted", sum(one.is_relation for one in found), len(found))
        return found

    def stream(self, documents: Iterable[Document], *, all_candidates: bool = False) -> Iterator[Prediction]:
        """The same for a stream of documents of any length."""
        for portion in portions(self, documents):
            yield from (one for one in portion.predictions if one.is_relation or all_candidates)

    def annotate(
        self, documents: Iterable[Document], *, all_candidates: bool = False
    ) -> Iterator[tuple[Document, list[Prediction]]]:
        """Each document of a stream as the model read it (with the entities it found in raw text), and its relations."""
        return whole(portions(self, documents), all_candidates=all_candidates)

    def predict_proba(self, corpus: CorpusLike) -> Floats:
        """Calibrated probability of a relation for each candidate of :meth:`candidates`; of names that a tagger found, that
        they are right, too. It holds for text in which relations are as frequent as in the training text."""
        return decisions(self, self.candidates(corpus))[1]

    def scores(self, corpus: CorpusLike) -> Floats:
        """The classifier's own scores, which the threshold refers to."""
        return decisions(self, self.candidates(corpus))[0]

    def evaluate(self, corpus: CorpusLike) -> Metrics:
        """Precision, recall, F1 of the positive class, AUC, … on the labelled candidates of a corpus.

        Whatever :meth:`keeping` says, denied relations count here like all others: corpora differ in how they label them.
        """
        found = self.candidates(corpus)
        found = [candidate for candidate, is_labelled in zip(found, has_label(found), strict=True) if is_labelled]
        if not found:
            raise ParameterError("the gold text has no labelled candidates: no sentence holds two entities that may relate")
        scores, _, labels = Prepared(self, found).judged()
        return measure([candidate.is_positive for candidate in found], scores, labels)

    @property
    def n_bits(self) -> int:
        """Length of the hashcodes."""
        return self._code.n_bits

    def hashcodes(self, corpus: CorpusLike) -> NDArray[np.uint64]:
        """Packed hashcodes of the candidates, 64 bits per column (see :mod:`relhash.hashing.hamming`)."""
        blocks = [codes for _, codes in self.hash_stream(documents_of(corpus))]
        return np.concatenate([np.empty((0, -(-self.n_bits // 64)), np.uint64), *blocks])

    def hash_stream(self, documents: Iterable[Document]) -> Iterator[tuple[list[Candidate], NDArray[np.uint64]]]:
        """The same for a stream of any length: batches of candidates with their codes."""
        return hashed_stream(self, self._code, documents)

    def similar(self, marked: str, index: Index | str | os.PathLike[str], *, n: int = 10, listed: int = 200) -> list[Found]:
        """The pairs of an index (:class:`~relhash.model.index.Index`, or its folder) most like a marked sentence.

        ``marked`` is ``"[E1]RAF1[/E1] binds [E2]MEK1[/E2]"``; ``listed`` near codes are compared exactly.
        """
        from relhash.model.index import Index

        opened = index if isinstance(index, Index) else Index.open(Path(index), parses=self.parses.source)
        return opened.similar(marked, n=n, listed=listed)

    @property
    def _code(self) -> Code:
        if self.features.code is None:
            raise ParameterError(f"preset {self.preset!r} has no hash functions")
        return self.features.code

    def __repr__(self) -> str:
        training = self.card.get("training", {})
        return (
            f"FittedModel({self.preset!r}, learned from {training.get('labelled', '?')} labelled candidates of "
            f"{training.get('documents', '?')} documents)"
        )
