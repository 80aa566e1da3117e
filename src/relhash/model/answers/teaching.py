"""Teaching a model on a text by answers: a fitted model and answers give a new fitted model, in a fraction of a second.

Codes and all other features stay as they are; classifier, calibration and threshold are made anew
(:mod:`relhash.learn.lesson`), starting from what the model knows. Answers come from files, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate
from relhash.candidates.same_thing import SameThing
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.corpus.document import Document
from relhash.corpus.read_write import CorpusLike
from relhash.errors import CorpusError, ParameterError
from relhash.files import today
from relhash.learn.correction import CHOSEN, DRAWN, FOLDS, FittedCorrection, clipped_log_odds, held_out_log_odds
from relhash.learn.end_to_end import EVEN
from relhash.learn.labels import example_of
from relhash.learn.lesson import Learned, Lesson
from relhash.model.answers.alike import Alike
from relhash.model.answers.answer import Answer, Answered, Corrections, check_names, corrected, corrections, read_answers
from relhash.model.answers.questions import DRAWN as SHARE_DRAWN
from relhash.model.answers.questions import MOST, Question, Queue, worth_asking
from relhash.model.card import counts_of
from relhash.model.estimates import Gain, JudgedRows, Warranty, rows_changed, warranty
from relhash.model.fitted import FittedModel
from relhash.model.judging import Prepared, accepted_counts, candidates_of, keeps, one_row_per_statement
from relhash.model.prediction import Prediction, identity_of

Floats = NDArray[np.float64]

ENOUGH = 20
"""Answers from which on it is said what they have gained."""


@dataclass(frozen=True, eq=False)
class Taught:
    """The model after some answers (the one that is taught, as long as there are none), and what it says of every candidate.

    ``evidence`` is how probable it is that the answers correct more than a line of the log-odds, from 0 to 1.
    """

    model: FittedModel
    scores: Floats
    probabilities: Floats
    accepted: NDArray[np.bool_]
    evidence: float

    @property
    def judged(self) -> JudgedRows:
        return self.probabilities, self.accepted

    @property
    def rows(self) -> dict[str, Any]:
        """How many rows are accepted, and from which probability on."""
        return accepted_counts(self.accepted, self.probabilities)


class Teaching:
    """A model on the candidates of one text: everything that answers do not change is computed once.

    ``is_sample`` says which candidates speak for the text, if it has more than these
    (:func:`~relhash.model.answers.questions.worth_asking`): only they are drawn at random, and only they count where a share of
    all rows is estimated.

    >>> import relhash
    >>> teaching = Teaching.of(relhash.load("ppi"), "RAF1 binds to MEK1. TNF and IL2 were measured.")
    >>> [question] = teaching.questions(teaching.taught({}), {})
    >>> after = teaching.taught({teaching.candidates[question.row].key: Answer.YES})
    >>> bool(after.probabilities[question.row] > teaching.untaught.probabilities[question.row])
    True
    """

    def __init__(
        self,
        model: FittedModel,
        candidates: Sequence[Candidate],
        *,
        random_state: int = 0,
        is_sample: NDArray[np.bool_] | None = None,
    ) -> None:
        check_candidates(candidates)
        self.model, self.text = model, Prepared(model, candidates)
        self.candidates, self.scenes, self.features, self.codes = (
            self.text.candidates, self.text.scenes, self.text.features, self.text.codes,
        )  # fmt: skip
        self.is_sample = np.ones(len(self.candidates), bool) if is_sample is None else is_sample
        self.total = len(self.candidates)
        self.row_of = {candidate.key: row for row, candidate in enumerate(self.candidates)}
        self._same: dict[int, SameThing] = {}
        self._gain: tuple[Any, list[str]] | None = None
        self._keeps = np.array([keeps(model, scene) for scene in self.scenes], bool)
        line, added = self._raw_line()
        self._lesson = Lesson(model.decision, self.features, model.features.columns, raw_line=line, added=added)
        self.queue = Queue(self.candidates, self.codes, seen=model.seen, is_sample=self.is_sample, random_state=random_state)

    @classmethod
    def of(cls, model: FittedModel, corpus: CorpusLike, *, random_state: int = 0) -> Teaching:
        """Read a text with the model, and teach it there."""
        return cls(model, model.candidates(corpus), random_state=random_state)

    @classmethod
    def answered(
        cls, model: FittedModel, corpus: CorpusLike, paths: Iterable[Path] = (), *, random_state: int = 0, most: int = MOST
    ) -> tuple[Teaching, list[Answered]]:
        """The same with the answers of files, whose corrections of names are made before anything else is done.

        Of a text with more than ``most`` candidates only those are kept that are worth asking about, or have an answer.
        """
        paths = list(paths)

        def judged(candidates: Sequence[Candidate]) -> tuple[Floats, NDArray[np.uint64] | None]:
            own = cls(model, candidates)
            return own.untaught.probabilities, own.codes

        wanted = {one.key for path in paths for one in read_answers(path)}
        read = model.read(corpus)
        kept = worth_asking(read, partial(candidates_of, model), judged, seen=model.seen, most=most, wanted=wanted)
        given = answers_on(kept.candidates, paths)
        documents = {candidate.document.id: candidate.document for candidate in kept.candidates}
        said = ((one.key, one.names) for one in given)
        found = corrected_candidates(model, documents.values(), kept.candidates, said)
        sample = {one.key: drawn for one, drawn in zip(kept.candidates, kept.is_sample.tolist(), strict=True)}
        if kept.total > len(kept.candidates):
            found = [one for one in found if one.key in sample]
        is_sample = np.array([sample.get(one.key, True) for one in found], bool)
        teaching = cls(model, found, random_state=random_state, is_sample=is_sample)
        teaching.total = max(kept.total, len(found))
        # names that were corrected may overlap others, which then are no pairs
        return teaching, [one for one in given if one.key in teaching.row_of]

    def _raw_line(self) -> tuple[tuple[float, float], Floats]:
        """How the log-odds of rows, which people judge, follow from those of the decision: a line, and what each row adds.

        On raw text it is the line that the model was calibrated with there, and what its hints say of the two names.
        """
        rule, names = self.model.end_to_end, self.text.names
        slope, offset = (rule.pair_slope, rule.pair_offset) if names.are_found.mean() > EVEN else (1.0, 0.0)
        _, pairs, _ = self.model.decision.decide(self.features)
        odds = clipped_log_odds(pairs)
        of_rows = np.where(names.are_found, clipped_log_odds(rule.pairs(pairs, names)), odds)
        return (slope, offset), of_rows - (slope * odds + offset)

    @cached_property
    def alike(self) -> Alike | None:
        """Which candidates say nearly the same; ``None`` if the model has no hash functions."""
        return None if self.codes is None else Alike.of(self.model, self.scenes, self.codes)

    @cached_property
    def untaught(self) -> Taught:
        """The model as it was."""
        return self._judged(self.model, Learned(self.model.decision, self._lesson.scores))

    def taught(self, answers: Mapping[str, Answer], drawn: Collection[str] | None = None) -> Taught:
        """The model after these answers, by the key of the candidate; what was skipped teaches nothing.

        ``drawn`` are the questions that were drawn at random (``None``: all of them); others were chosen.
        """
        labelled = [(key, answer.label) for key, answer in answers.items() if answer.label is not None]
        rows = [(self._row(key), label) for key, label in labelled]
        origins = [DRAWN if drawn is None or key in drawn else CHOSEN for key, _ in labelled]
        learned = self._lesson.learn([row for row, _ in rows], [label for _, label in rows], origins)
        if learned.decision is self.model.decision:
            return self.untaught
        rule = self.model.end_to_end
        if not rule.knows_pairs:  # a cut for a share of the rows before the answers says nothing about those after them
            rule = replace(rule, threshold=None)
        sentences = sentence_hashes([self.candidates[row] for row, _ in rows])
        examples = [example_of(self.candidates[row], bool(label)) for row, label in sorted(rows)]
        classifier = replace(learned.decision.classifier, examples=tuple(examples))  # type: ignore[type-var]
        model = replace(
            self.model,
            decision=replace(learned.decision, classifier=classifier),
            end_to_end=rule,
            training_sentences=np.unique(np.concatenate([sentences, self.model.training_sentences])),
            card=self._card(learned, answers),
            identity=None,
        )
        taught = self._judged(model, learned)
        return replace(taught, model=replace(model, card={**model.card, "rows": taught.rows}))

    def taught_by(self, answered: Collection[Answered]) -> Taught:
        """The same from answers that know how their questions came about."""
        drawn = {one.key for one in answered if one.draw is not None}
        taught = self.taught({one.key: one.answer for one in answered}, drawn or None)
        found = None if taught is self.untaught else self.warranty(taught, answered)
        if found is None:
            return taught
        return replace(taught, model=replace(taught.model, card={**taught.model.card, "warranty": asdict(found)}))

    def _judged(self, model: FittedModel, learned: Learned) -> Taught:
        labels = learned.decision.threshold.labels(learned.scores, self.text.groups)
        scores, probabilities, accepted = self.text.judged((learned.scores, learned.probabilities, labels), model.end_to_end)
        taught = Taught(model, scores, probabilities, accepted & self._keeps, learned.evidence)
        rows = np.flatnonzero(taught.accepted)
        merged = one_row_per_statement([self.prediction(row, taught) for row in rows.tolist()], self._same)
        taught.accepted[rows] = [one.is_relation for one in merged]
        return taught

    def _row(self, key: str) -> int:
        if key not in self.row_of:
            raise ParameterError(f"answers: there is no candidate {key!r} in this text")
        return self.row_of[key]

    def questions(
        self,
        taught: Taught,
        answers: Mapping[str, Answer],
        n: int = 1,
        *,
        order: str = "useful",
        taken: Collection[str] = (),
        drawn: float = SHARE_DRAWN,
    ) -> list[Question]:
        """The next questions (see :meth:`~relhash.model.answers.questions.Queue.next`), rows that have no answer yet."""
        known, others = sorted(map(self._row, answers)), [self._row(key) for key in taken]
        return self.queue.next(taught.probabilities, known, n, order=order, taken=others, drawn=drawn)

    def questions_in_groups(
        self, taught: Taught, answers: Mapping[str, Answer], n: int, *, order: str = "useful"
    ) -> list[tuple[Question, list[int]]]:
        """The next questions, each with the rows without an answer that say nearly the same, which are no questions then."""
        known, asked, groups = sorted(map(self._row, answers)), dict[int, Question](), dict[int, list[int]]()
        grouped: set[int] = set()
        while len(asked) < n:
            taken = grouped - asked.keys()
            found = self.queue.next(taught.probabilities, [*known, *asked], n - len(asked), order=order, taken=taken)
            if not found:
                break
            for question in found:
                if question.row in grouped and question.draw is None:
                    continue
                asked[question.row] = question
                alike = [] if self.alike is None else self.alike.group(question.row)
                groups[question.row] = [row for row, _ in alike if row not in grouped and row not in known]
                grouped.update(groups[question.row])
        return [(question, [one for one in groups[row] if one not in asked]) for row, question in asked.items()]

    def relation(self, row: int) -> str:
        """The type of the relation, if the candidate is one."""
        return self.text.relations[0][row]

    def prediction(self, row: int, taught: Taught) -> Prediction:
        """What is to be shown of a candidate."""
        return self.text.prediction(row, (taught.scores, taught.probabilities, taught.accepted), identity_of(taught.model))

    def warranty(self, taught: Taught, answered: Collection[Answered]) -> Warranty | None:
        """How many accepted rows are right and how many relations are among them, by the answers; ``None`` if none tells."""
        judged = [one for one in answered if one.is_right is not None and self.is_sample[self._row(one.key)]]
        place = np.cumsum(self.is_sample) - 1
        return warranty(
            taught.probabilities[self.is_sample],
            taught.accepted[self.is_sample],
            np.array([place[self._row(one.key)] for one in judged], np.int64),
            np.array([bool(one.is_right) for one in judged]),
            np.array([np.nan if one.draw is None else one.draw for one in judged]),
        )

    def changed(self, taught: Taught) -> list[str]:
        """Which rows the answers have gained and lost, in words; nothing if they have changed none."""
        changes = (self.untaught.accepted != taught.accepted).any()
        return rows_changed(self.candidates, self.untaught.judged, taught.judged) if changes else []

    def gain(self, answered: Sequence[Answered], taught: Taught) -> list[str]:
        """How the model with the answers compares with the one before on them, held out by document, in words; and what more
        of them may add.

        Nothing as long as there are fewer than :data:`ENOUGH`, or all are alike; it is computed anew after every fifth answer.
        """
        judged = [(self._row(one.key), one.answer.label, one.draw) for one in answered if one.answer.label is not None]
        judged = sorted(judged[: len(judged) - len(judged) % 5])
        if len(judged) < ENOUGH or len({label for _, label, _ in judged}) == 1:
            return []
        if self._gain is None or self._gain[0] != judged:
            rows = np.array([row for row, _, _ in judged])
            gold = np.array([bool(label) for _, label, _ in judged])
            origins = [CHOSEN if draw is None else DRAWN for _, _, draw in judged]
            fitted = self._lesson.learn(rows, gold, origins).decision.classifier
            assert isinstance(fitted, FittedCorrection)
            before = self._lesson.prior[rows] + self._lesson.added[rows]
            documents = [self.candidates[row].document.id for row in rows]
            after, with_half = (
                held_out_log_odds(fitted, before, self.features[rows], gold, documents, n_folds=n, origins=origins)
                for n in (FOLDS, 2)
            )
            cuts = self._cuts(self.untaught, rows), self._cuts(taught, rows)
            name = self.model.identity.name if self.model.identity else "the model before"
            gain = Gain.of(gold, before, after, documents, with_half, cuts)
            self._gain = judged, gain.lines(name, (self.untaught.judged, taught.judged))
        return self._gain[1]

    def _cuts(self, taught: Taught, rows: NDArray[np.int64]) -> Floats:
        """The probability of each pair, if its names are right, from which on its row is accepted."""
        rule, names, own = taught.model.end_to_end, self.text.names.rows(rows), taught.model.decision.cut
        if rule.threshold is None:
            return np.full(rows.size, own)
        return np.where(names.are_found, rule.threshold / np.maximum(rule.names(names).prod(axis=1), 1e-6), own)

    def _card(self, learned: Learned, answers: Mapping[str, Answer]) -> dict[str, Any]:
        decision = learned.decision
        counts = {str(kind): sum(answer is kind for answer in answers.values()) for kind in Answer}
        # what was measured before the answers is true no more
        kept = {name: value for name, value in self.model.card.items() if name not in ("raw_text", "adapted_later")}
        return {
            **kept,
            "adapted_to": counts_of(self.candidates),
            "classifier": decision.chosen,
            "threshold": decision.threshold.to_dict(),
            "calibration": decision.calibration.kind,
            "accepted": decision.accepted,
            "taught": {
                "made": today(),
                "answers": {kind: count for kind, count in counts.items() if count},
                "evidence": learned.evidence,
            },
        }


def check_candidates(candidates: Sequence[Candidate]) -> None:
    """Refuse a text in which nothing can be asked."""
    if not candidates:
        raise ParameterError("the text has no candidates: no sentence holds two entities that may relate")


def corrected_candidates(
    model: FittedModel, documents: Iterable[Document], candidates: list[Candidate], said: Iterable[tuple[str, Sequence[str]]]
) -> list[Candidate]:
    """The candidates of the text with its names as people said they should be, by the key of a candidate."""
    by_key = {candidate.key: candidate for candidate in candidates}
    right = corrections((by_key[key], names) for key, names in said if key in by_key)
    return list(candidates_of(model, (right.get(one.id, one) for one in documents))) if right else candidates


def answers_on(candidates: Iterable[Candidate], paths: Iterable[Path]) -> list[Answered]:
    """The answers of the files; of a question that several files answer, the last file counts.

    An answer about a candidate that the text does not have, or whose names are others there, is an error: the file belongs to
    another text, or to another model.
    """
    by_key = {candidate.key: candidate for candidate in candidates}
    read = [(path, one) for path in paths for one in read_answers(path)]
    remedy = "give the text and the model for which relhash review wrote it"
    for path, one in read:
        if one.key not in by_key:
            raise CorpusError(
                f"an answer about {one.key!r}, which the text does not have", path=path, where=one.where, remedy=remedy
            )
        try:
            check_names(by_key[one.key], one.names)
        except ParameterError as error:
            raise CorpusError(str(error), path=path, where=one.where) from None
    right = corrections((by_key[one.key], one.names) for _, one in read)
    for path, one in read:
        if not is_about(one, by_key[one.key], right):
            names = [mention.text for mention in by_key[one.key].mentions]
            raise CorpusError(
                f"an answer about {' and '.join(one.entities)}, where the text has {' and '.join(names)}",
                path=path,
                where=one.where,
                remedy=remedy,
            )
    return list({one.key: one for _, one in read}.values())


def is_about(one: Answered, candidate: Candidate, right: Corrections) -> bool:
    """Whether an answer names the names of the candidate, as they are or as they should be."""
    mentions = (*candidate.mentions, *corrected(candidate, right).mentions)
    known = {" ".join(name.split()) for mention in mentions for name in (mention.text, mention.called)}
    return all(" ".join(name.split()) in known for name in one.entities)
