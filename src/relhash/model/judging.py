"""What a model says of a stream of documents: read, paired, judged in blocks; and what is kept of it between runs.

A row depends on nothing but its sentence and its document, so blocks bound the memory and never change the result. There is one
row per statement: of the rows for both names of "tumor necrosis factor (TNF)" the most probable stays and has the other names
in :attr:`Prediction.also <relhash.model.prediction.Prediction.also>`. Names that people annotated keep their rows.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.biomed.assertion import Assertion
from relhash.candidates import Candidate, StructureSet, build_structures, candidates
from relhash.candidates.candidate import TRIGGER
from relhash.candidates.same_thing import Reason, SameThing
from relhash.candidates.scene import Scene, scenes
from relhash.candidates.statement import assertion_of_scene
from relhash.candidates.symbols import entity_class
from relhash.corpus import Document
from relhash.corpus.document import Mention
from relhash.corpus.jsonl import decode_document, encode_document
from relhash.errors import RelHashError, RelHashWarning
from relhash.learn.end_to_end import CERTAIN, EndToEnd, Names
from relhash.model.prediction import ModelIdentity, Prediction, identity_of
from relhash.model.reading.found_names import judged_names, names_of
from relhash.model.reading.reader import check_parse_source
from relhash.store import Store, installed_program

if TYPE_CHECKING:
    from relhash.learn import Code
    from relhash.model.fitted import FittedModel

Floats = NDArray[np.float64]
_SAID_THERE = frozenset({Reason.ABBREVIATION, Reason.PARENTHESES, Reason.CALLED, Reason.JOINED})
"""Two names at one place; the same name elsewhere in the sentence is another statement."""
SUSPICIOUS = 0.5
"""Share of candidates above which a model accepts more than text like ours ever states."""
CANDIDATES_AT_A_TIME = 4096
"""Candidates whose features are in memory at a time."""
BATCH = 256
"""Documents that are predicted at a time; it changes the memory, never the result."""
BATCH_OF_PARSED = 32
"""The same where documents are parsed first: that takes longer, and people want to see something."""
DOCUMENTS = BATCH_OF_PARSED
"""Documents of a partition that is kept: what a kill may cost."""

Judged = tuple[Floats, Floats, NDArray[np.bool_]]
"""Scores of the pairs; probabilities of the pairs or rows, and which are accepted."""
Taken = tuple[Document, list[Scene], bool]
"""A document, candidates of whole sentences of it, and whether these are its last."""


def one_row_per_statement(predictions: Sequence[Prediction], same: dict[int, SameThing] | None = None) -> list[Prediction]:
    """The predictions in their order; of accepted ones that differ in names of one thing only one stays accepted.

    ``same`` remembers what was found out about the names of a document.
    """
    rows, same = list(predictions), {} if same is None else same
    sentences: dict[tuple[int, int], list[int]] = {}
    for number, one in enumerate(rows):
        if one.is_relation:
            sentences.setdefault((id(one.candidate.document), one.candidate.sentence), []).append(number)
    for numbers in sentences.values():
        if len(numbers) > 1:
            document = rows[numbers[0]].candidate.document
            _merge_statements(rows, numbers, same.setdefault(id(document), SameThing(document)))
    return rows


def _merge_statements(rows: list[Prediction], numbers: Sequence[int], same_thing: SameThing) -> None:
    """Of the accepted rows of one sentence."""
    mentions = {mention.id: mention for number in numbers for mention in rows[number].candidate.mentions}
    first_name = _first_names(same_thing, sorted(mentions.values(), key=lambda mention: mention.start))
    if not first_name:
        return
    statements: dict[Any, list[int]] = {}
    for number in numbers:
        candidate = rows[number].candidate
        who = sorted((role, first_name.get(m.id, m.id)) for role, m in zip(candidate.roles, candidate.mentions, strict=True))
        statements.setdefault((rows[number].relation, tuple(who)), []).append(number)
    for same in statements.values():
        best = max(same, key=lambda number: rows[number].probability)
        others = [number for number in same if number != best and _differs_in_found_names(rows[best], rows[number])]
        if others:
            rows[best] = replace(rows[best], also=_also(rows[best], [rows[number] for number in others], first_name))
        for number in others:
            rows[number] = replace(rows[number], is_relation=False)


def _first_names(same: SameThing, mentions: Sequence[Mention]) -> dict[str, str]:
    """Id of a mention → id of the first of the names that stand there for the same thing; both of each pair are in it."""
    first: dict[str, str] = {}
    for number, mention in enumerate(mentions):
        for other in mentions[number + 1 :]:
            if mention.end <= other.start and same(mention, other) in _SAID_THERE:
                first.setdefault(mention.id, mention.id)
                first[other.id] = first[mention.id]
    return first


def _differs_in_found_names(one: Prediction, other: Prediction) -> bool:
    own = {mention.id for mention in one.candidate.mentions}
    return all(mention.certainty < CERTAIN for mention in other.candidate.mentions if mention.id not in own)


def _also(best: Prediction, others: Sequence[Prediction], first_name: dict[str, str]) -> tuple[tuple[Mention, ...], ...]:
    """For each participant of the row that stays its other names, in their order."""
    mentions = {mention.id: mention for one in others for mention in one.candidate.mentions}
    found = sorted(mentions.values(), key=lambda mention: mention.start)
    return tuple(
        tuple(m for m in found if m.id != own.id and first_name.get(m.id) == first_name.get(own.id, own.id))
        for own in best.candidate.mentions
    )


_WHY = {
    "fraction": "the threshold accepts the share of pairs that was best on the training text, however probable they are",
    "share": "the threshold accepts the share of pairs that was expected in this text, however probable they are",
    "prior": "the threshold accepts as large a share of pairs as was related in the training text",
    "top-k": "the threshold accepts a fixed number of pairs",
    "precision": "the threshold lies where the training text reached the precision that was asked for",
    "score": "the threshold was set on the score of the classifier, not on the probability",
    "fixed": "the threshold was set there",
}


@dataclass
class ReadCounts:
    """What became of documents: how many were read, what they hold, and which relations were accepted in them.

    ``below_half`` are those with a probability below 1/2, ``lowest`` is the lowest probability of all.
    """

    documents: int = 0
    sentences: int = 0
    entities: int = 0
    candidates: int = 0
    relations: int = 0
    below_half: int = 0
    lowest: float | None = None

    def read(self, document: Document) -> None:
        """One document more."""
        self.documents += 1
        self.sentences += len(document.sentences)
        self.entities += len(document.entities)

    def judged(self, predictions: Sequence[Prediction]) -> list[Prediction]:
        """More candidates; those of them that are accepted."""
        found = [prediction for prediction in predictions if prediction.is_relation]
        self.candidates += len(predictions)
        self.relations += len(found)
        self.below_half += sum(prediction.probability < 0.5 for prediction in found)
        met = [prediction.probability for prediction in found] + ([] if self.lowest is None else [self.lowest])
        self.lowest = min(met, default=None)
        return found

    @property
    def accepted_text(self) -> str:
        """What share is accepted, and from which probability on."""
        return accepted_text(self.relations, self.candidates, self.lowest)


def accepted_counts(accepted: NDArray[np.bool_], probabilities: Floats) -> dict[str, Any]:
    """How many rows of a text are accepted, of how many candidates, and the lowest probability among them.

    ``predict``, ``explain``, ``curate``, ``evaluate`` and the card of a fit all say this of a model and a text.
    """
    lowest = float(probabilities[accepted].min()) if accepted.any() else None
    return {"accepted": int(accepted.sum()), "candidates": len(accepted), "lowest": lowest}


def accepted_text(accepted: int, candidates: int, lowest: float | None) -> str:
    """What share is accepted, and from which probability on.

    >>> accepted_text(246, 1185, 0.3412)
    '246 relations (21% of 1,185 candidates, from probability 0.34 on)'
    >>> accepted_text(0, 0, None)
    '0 relations'
    """
    if not candidates:
        return f"{accepted:,} relations"
    begin = "" if lowest is None else f", from probability {lowest:.2f} on"
    return f"{accepted:,} relations ({accepted / candidates:.0%} of {candidates:,} candidates{begin})"


def why_below_half(below: int, strategy: str) -> str:
    """Why relations are accepted that are less likely than not, and what to do; empty if there are none.

    >>> print(why_below_half(12, "fraction"))
    12 of them have a probability below 0.5: the threshold accepts the share of pairs that was best on the training text,
    however probable they are (--threshold 0.5 leaves them out)
    """
    if not below:
        return ""
    why = _WHY.get(strategy.partition(":")[0], f"the threshold is {strategy}")
    verb = "has" if below == 1 else "have"
    return f"{below:,} of them {verb} a probability below 0.5: {why} (--threshold 0.5 leaves them out)"


def warn_of_many(accepted: float | None) -> None:
    """Say so if a fitted model accepts more than text ever states."""
    if accepted is not None and accepted > SUSPICIOUS:
        warnings.warn(
            f"the model accepts {accepted:.0%} of all candidates, which is suspiciously many; a sheet of picked rows does "
            "not tell how common relations are: say what you expect (--expect 0.2, RelationExtractor(expect=0.2)), or "
            "choose a threshold (precision:0.8, or a probability such as 0.5)",
            RelHashWarning,
            stacklevel=3,
        )


class Prepared:
    """Candidates as a model sees them; what follows from their sentences is made once, when it is needed.

    ``found`` are candidates or their scenes, which are quicker; ``X`` are their features, if they are known.
    """

    def __init__(self, model: FittedModel, found: Iterable[Candidate | Scene], X: Any = None) -> None:
        self.model, self.scenes = model, list(scenes(found))
        self.candidates = [scene.candidate for scene in self.scenes]
        if X is not None:
            self.features = X

    @cached_property
    def structures(self) -> StructureSet:
        """What the features are computed from; parses of another source than the model's are refused."""
        if not self.model.parses.uses_pipeline:
            check_parse_source(self.candidates, self.model.parse_source)
        return build_structures(self.scenes, self.model.settings.all_views)

    @cached_property
    def features(self) -> Any:
        return self.model.features.transform(self.structures)

    @cached_property
    def codes(self) -> NDArray[np.uint64] | None:
        """Packed; ``None`` if the model has no hash functions."""
        code = self.model.features.code
        return None if code is None else code.learner.codes(self.structures)

    @cached_property
    def names(self) -> Names:
        """What is known of their names."""
        return names_of(self.scenes)

    @cached_property
    def groups(self) -> Sequence[str] | None:
        """Those that have thresholds of their own."""
        return self.model.policy.groups(self.candidates)

    @cached_property
    def relations(self) -> tuple[list[str], Floats]:
        """The type of each candidate, if it is a relation, and how probable that type then is."""
        types, views = self.model.relation_types, self.model.settings.all_views
        paths = paths_and_kinds(self.scenes, views) if types.needs_paths else ([], [])
        learned, shares = types.predict(self.features, *paths)
        given = [self.model.policy.given_type(candidate) for candidate in self.candidates]
        names = [one or other for one, other in zip(given, learned, strict=True)]
        return names, np.where([one is not None for one in given], 1.0, shares)

    def decided(self) -> Judged:
        """Scores and probabilities of the pairs, and which of them the classifier's threshold accepts."""
        return self.model.decision.decide(self.features, self.groups)

    def judged(self, decided: Judged | None = None, rule: EndToEnd | None = None) -> Judged:
        """What follows for the rows; the candidates of a sentence are decided jointly, and what it denies counts like all else.

        ``decided`` and ``rule`` are those of a model that was taught since.
        """
        scores, pairs, labels = decided or self.decided()
        probabilities, labels = judged_names(rule or self.model.end_to_end, self.names, pairs, labels)
        accepted = self.model.policy.consistent(self.candidates, scores.tolist(), labels.tolist(), self.relations[0])
        return scores, probabilities, np.array(accepted, bool)

    def prediction(self, row: int, judged: Judged, made_by: ModelIdentity) -> Prediction:
        """What is shown of a candidate; what its sentence denies is still as it was judged."""
        (scores, probabilities, accepted), (names, shares), scene = judged, self.relations, self.scenes[row]
        return Prediction(
            scene,
            names[row],
            probability=float(probabilities[row]),
            score=float(scores[row]),
            is_relation=bool(accepted[row]),
            is_directed=self.model.policy.is_directed(scene.candidate),
            made_by=made_by,
            type_probability=float(shares[row]),
        )

    def predictions(self) -> list[Prediction]:
        """One prediction per candidate, related or not."""
        scores, probabilities, accepted = self.judged()
        # what a sentence denies is left out last: denied of two, it is not said of one of them instead
        stated = np.array([is_accepted and keeps(self.model, s) for is_accepted, s in zip(accepted, self.scenes, strict=True)])
        judged, made_by = (scores, probabilities, stated), identity_of(self.model)
        return one_row_per_statement([self.prediction(row, judged, made_by) for row in range(len(self.scenes))])


def predictions(model: FittedModel, found: Sequence[Candidate] | Sequence[Scene], X: Any = None) -> list[Prediction]:
    """One prediction per candidate, related or not; ``X``: their features, if they are known."""
    rows: list[Prediction] = []
    for block in _blocks(found):
        rows += Prepared(model, block, None if X is None else X[len(rows) : len(rows) + len(block)]).predictions()
    return rows


def rows_accepted(model: FittedModel, found: Sequence[Candidate], X: Any) -> dict[str, Any]:
    """How many rows ``predict`` accepts of candidates whose features are known (:func:`accepted_counts`)."""
    rows = predictions(model, found, X)
    return accepted_counts(np.array([one.is_relation for one in rows], bool), np.array([one.probability for one in rows]))


def decisions(model: FittedModel, found: Sequence[Candidate]) -> Judged:
    """The same as arrays, without what is needed to show them."""
    if not found:
        return np.empty(0), np.empty(0), np.empty(0, bool)
    decided = [Prepared(model, block).judged() for block in _blocks(found)]
    scores, probabilities, labels = (np.concatenate(column) for column in zip(*decided, strict=True))
    return scores, probabilities, labels


def probabilities(model: FittedModel, prepared: Sequence[Scene]) -> Floats:
    """Of each candidate by itself that it is a relation; nothing is decided jointly."""
    rows = [np.empty(0)]
    for first in range(0, len(prepared), CANDIDATES_AT_A_TIME):
        block = Prepared(model, prepared[first : first + CANDIDATES_AT_A_TIME])
        _, pairs, labels = block.decided()
        rows.append(judged_names(model.end_to_end, block.names, pairs, labels)[0])
    return np.concatenate(rows)


def paths_and_kinds(
    found: Sequence[Candidate] | Sequence[Scene], views: Sequence[str]
) -> tuple[list[list[str]], list[tuple[str, ...]]]:
    """What tells the type of a relation: the words on its path (between the two, if no view has parses), and its entities."""
    view = "path" if any(name.startswith("path") for name in views) else "between"
    prepared = list(scenes(found))
    paths = build_structures(prepared, (view,))[view]
    kinds = [tuple(sorted(entity_class(mention.type) for mention in scene.candidate.mentions)) for scene in prepared]
    return [list(path) for path in paths], kinds


def keeps(model: FittedModel, scene: Scene) -> bool:
    """Whether the sentence says of the pair what the model may accept (see :meth:`FittedModel.keeping`)."""
    return len(model.kept) == len(Assertion) or assertion_of_scene(scene) in model.kept


def _blocks(found: Sequence[Candidate] | Sequence[Scene]) -> Iterator[Sequence[Candidate] | Sequence[Scene]]:
    """The candidates of one sentence stay together: they are decided jointly."""
    first = 0
    while first < len(found):
        end = min(first + CANDIDATES_AT_A_TIME, len(found))
        while end < len(found) and _are_together(*found[end - 1 : end + 1]):
            end += 1
        yield found[first:end]
        first = end


def _are_together(*found: Candidate | Scene) -> bool:
    one, other = (given.candidate if isinstance(given, Scene) else given for given in found)
    return one.sentence == other.sentence and one.document is other.document


@dataclass(frozen=True, slots=True)
class Portion:
    """A document as the model read it, and what the model says of the pairs in a run of its sentences: mostly of all.

    ``is_last`` tells that the document ends with it. Every document has a last portion, if only an empty one.
    """

    document: Document
    predictions: list[Prediction]
    is_last: bool = True


def candidates_of(model: FittedModel, documents: Iterable[Document]) -> Iterator[Candidate]:
    """The candidates of documents that are read already, in order."""
    wanted = model.wanted

    def allow(one: Candidate) -> bool:
        return (
            model.pair_types.allow(one)
            and (wanted is None or wanted.has(one))
            # all participants have an id; a trigger is none
            and (not model.grounded or all(m.ids or r == TRIGGER for m, r in zip(one.mentions, one.roles, strict=True)))
        )

    return candidates(documents, model.policy, allow=allow)


def portions(model: FittedModel, documents: Iterable[Document]) -> Iterator[Portion]:
    """What the model says of all candidates of a stream: nothing of it need be held longer than a portion."""
    for batch in _batches(model, documents):
        rows = iter(predictions(model, [scene for _, own, _ in batch for scene in own]))
        yield from [Portion(document, list(islice(rows, len(own))), is_last) for document, own, is_last in batch]


def whole(read: Iterable[Portion], *, all_candidates: bool = False) -> Iterator[tuple[Document, list[Prediction]]]:
    """Portions put together to documents with their relations, or with all their candidates."""
    gathered: list[Prediction] = []
    for portion in read:
        gathered += [one for one in portion.predictions if one.is_relation or all_candidates]
        if portion.is_last:
            yield portion.document, gathered
            gathered = []


def hashed_stream(
    model: FittedModel, code: Code, documents: Iterable[Document]
) -> Iterator[tuple[list[Candidate], NDArray[np.uint64]]]:
    """See :meth:`FittedModel.hash_stream <relhash.model.fitted.FittedModel.hash_stream>`."""
    for batch in _batches(model, documents):
        found = Prepared(model, [scene for _, own, _ in batch for scene in own])
        if found.candidates:
            yield found.candidates, code.learner.codes(found.structures)


def _batches(model: FittedModel, documents: Iterable[Document]) -> Iterator[list[Taken]]:
    """As many documents as are judged together; fewer, or a part of one, if they have very many candidates.

    The candidates of one sentence stay together: they are decided jointly.
    """
    n_documents = BATCH_OF_PARSED if model.parses.uses_pipeline else BATCH
    batch: list[Taken] = []
    room = CANDIDATES_AT_A_TIME
    for document in model.read(documents):
        found = scenes(candidates_of(model, [document]))  # while what makes them still has their sentence prepared
        waiting = next(found, None)
        is_last = False
        while not is_last:
            own: list[Scene] = []
            while waiting is not None and (room > 0 or (own and _are_together(waiting, own[-1]))):
                own.append(waiting)
                room -= 1
                waiting = next(found, None)
            is_last = waiting is None
            batch.append((document, own, is_last))
            if room <= 0 or len(batch) == n_documents:
                yield batch
                batch, room = [], CANDIDATES_AT_A_TIME
    if batch:
        yield batch


def kept_beside(output: Path) -> Path:
    """Where the partitions of an output are until it is complete.

    >>> kept_beside(Path("results/rows.tsv")).as_posix()
    'results/rows.tsv.kept'
    """
    return output.parent / f"{output.name}.kept"


_KEPT = ("relation", "probability", "score", "is_relation", "is_directed", "type_probability")


class _Partition(NamedTuple):
    key: str
    documents: list[Document]
    kept: list[Portion] | None


class KeptPredictions:
    """What a model said of the documents of a run, in partitions that are whole or absent: a run that was killed goes on.

    A partition is a run of documents, each as the model read it with what the model said of its pairs. Its key is made of
    everything that its rows depend on: the documents themselves, the model, the settings and the program.

    Parameters
    ----------
    folder
        Where to keep it; what other runs have left there is removed.
    model
        The model, with everything that was changed of it (threshold, types, …).
    settings
        What else the predictions depend on, as JSON takes it: the sha256 of the model's file, a lexicon, ….
    """

    def __init__(self, folder: Path, model: FittedModel, settings: Any) -> None:
        self.folder, self.model = folder, model
        run = hashlib.sha256(json.dumps([installed_program(), settings], sort_keys=True, default=str).encode()).hexdigest()
        self.store = Store(folder / run[:16], "predictions")
        for other in folder.glob("*"):
            if other != self.store.folder and other.is_dir():
                shutil.rmtree(other, ignore_errors=True)

    @property
    def n_found(self) -> int:
        """Partitions that an earlier run has left, or this one has written."""
        return sum(1 for _ in self.store.files())

    def portions(self, documents: Iterable[Document]) -> Iterator[Portion]:
        """As :func:`relhash.model.judging.portions`."""
        for is_kept, run in groupby(self._partitions(iter(documents)), lambda one: one.kept is not None):
            if is_kept:
                for partition in run:
                    yield from partition.kept or ()
            else:
                yield from self._made(run)

    def _partitions(self, documents: Iterator[Document]) -> Iterator[_Partition]:
        while own := list(islice(documents, DOCUMENTS)):
            content = json.dumps([encode_document(document) for document in own], separators=(",", ":"))
            key = hashlib.sha256(content.encode("ascii")).hexdigest()
            yield _Partition(key, own, self._recalled(key, len(own)))

    def _made(self, partitions: Iterable[_Partition]) -> Iterator[Portion]:
        """All of them as one stream, so that processes that parse read ahead; each is kept when its last document is done."""
        waiting: deque[_Partition] = deque()

        def flow() -> Iterator[Document]:
            for partition in partitions:
                waiting.append(partition)
                yield from partition.documents

        records: list[str] = []
        n_done, begins = 0, True
        for portion in portions(self.model, flow()):
            records.append(_record(portion, begins))
            begins = portion.is_last
            n_done += begins
            if n_done == len(waiting[0].documents):
                self.store.put(waiting.popleft().key, f"[{','.join(records)}]".encode("ascii"))
                records, n_done = [], 0
            yield portion

    def _recalled(self, key: str, n_documents: int) -> list[Portion] | None:
        """What is kept of these documents; None if it is not all of it."""
        content = self.store.get(key)
        if content is None:
            return None
        try:
            found: list[Portion] = []
            for record in json.loads(content):
                if not found or found[-1].is_last:
                    document = decode_document(record["document"])
                    candidates = candidates_of(self.model, [document])
                rows = record["rows"]
                prepared, made_by = scenes(islice(candidates, len(rows))), identity_of(self.model)
                predictions = [
                    Prediction(
                        scene,
                        **own,
                        made_by=made_by,
                        also=tuple(tuple(map(document.mention_by_id.__getitem__, one)) for one in also),
                    )
                    for scene, (own, also) in zip(prepared, rows, strict=True)
                ]
                found.append(Portion(document, predictions, bool(record["last"])))
                if found[-1].is_last and next(candidates, None) is not None:
                    raise ValueError("a document has more candidates")
            if sum(portion.is_last for portion in found) != n_documents:
                raise ValueError("documents are missing")
        except (RelHashError, ValueError, TypeError, KeyError):  # as if it were not there
            self.store.drop(key)
            return None
        return found

    def remove(self) -> None:
        """The output is complete: the partitions are needed no more."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """The run ends before its output is complete; a folder without partitions is removed."""
        if not self.n_found:
            self.remove()


def _record(portion: Portion, begins: bool) -> str:
    """What is kept of a portion, as JSON, a quarter of the memory; the first of a document also has the document."""
    rows = [
        ({name: getattr(one, name) for name in _KEPT}, [[mention.id for mention in names] for names in one.also])
        for one in portion.predictions
    ]
    document = encode_document(portion.document) if begins else None
    return json.dumps({"document": document, "rows": rows, "last": portion.is_last}, separators=(",", ":"))
