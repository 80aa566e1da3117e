"""A text that people answer questions about, and the model that learns from each answer while they read the next.

An answer is written to the database first. Then one thread makes the model anew from all answers and puts the result in the
place of the one before at one stroke (:class:`Moment`), so no curator waits for another's refit or sees half of one. An answer
waits for its refit only if that can be expected to be quick. With gold text that is never asked about, F1 follows each refit.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.candidates.statement import assertion_of_scene
from relhash.corpus import Document
from relhash.corpus.read_write import CorpusLike
from relhash.curate.standing import StandingAnswers
from relhash.curate.store import AnswerStore, Given
from relhash.errors import ParameterError
from relhash.learn.labels import has_label
from relhash.learn.metrics import measure
from relhash.model.answers.answer import Answer, Answered, Corrections, corrections
from relhash.model.answers.questions import Question
from relhash.model.answers.teaching import Taught, Teaching
from relhash.model.fitted import FittedModel
from relhash.model.judging import Prepared


@dataclass(frozen=True, slots=True)
class HeldOutScore:
    """F1, precision and recall on the held-out candidates, and how many these are."""

    value: float
    precision: float
    recall: float
    n: int


class HeldOut:
    """Gold text, read once; a model that was taught elsewhere has the same features."""

    def __init__(self, model: FittedModel, corpus: CorpusLike) -> None:
        found = model.candidates(corpus)
        self.candidates = [one for one, is_labelled in zip(found, has_label(found), strict=True) if is_labelled]
        if not self.candidates:
            raise ParameterError("--gold: no labelled candidates; give annotated text with relations")
        self._labels = [candidate.is_positive for candidate in self.candidates]
        self._text = Prepared(model, self.candidates)

    def score(self, model: FittedModel) -> HeldOutScore:
        """The figures of a model."""
        decided = model.decision.decide(self._text.features, self._text.groups)
        scores, _, labels = self._text.judged(decided, model.end_to_end)
        found = measure(self._labels, scores, labels)
        return HeldOutScore(float(found.f1), float(found.precision), float(found.recall), len(self.candidates))

    def shared_with(self, candidates: list[Candidate]) -> int:
        """How many held-out candidates stand in sentences of the text that people answer on: the figures flatter by these."""
        return int(np.isin(sentence_hashes(self.candidates), sentence_hashes(candidates)).sum())


logger = logging.getLogger(__name__)

PATIENCE = 0.08
"""Seconds that an answer waits for its refit."""
AHEAD = 24
"""Useful questions that are chosen with each refit, so that several people can be asked at once."""


@dataclass(frozen=True, eq=False)
class Moment:
    """The model after some answers, with what follows from it."""

    version: int
    """How many changes of answers it has seen."""
    taught: Taught
    answers: Mapping[str, Answer]
    """What people together say, by key: the answers that it learned."""
    ahead: tuple[Question, ...]
    """The next useful questions."""
    seconds: float = 0.0
    """How long it took."""
    held_out: HeldOutScore | None = None


class Curation:
    """Answers on one text, from the database (``store``) to the model.

    ``teaching`` holds the text and the model before any answer, ``documents`` the whole text, by default the documents that
    have candidates; ``held_out`` is gold text, ``patience`` the seconds that an answer may wait for its refit.
    """

    def __init__(
        self,
        teaching: Teaching,
        store: AnswerStore,
        *,
        documents: Sequence[Document] | None = None,
        held_out: HeldOut | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.teaching, self.store, self.held_out, self.patience = teaching, store, held_out, patience
        known = {candidate.document.id: candidate.document for candidate in teaching.candidates}
        self.documents: tuple[Document, ...] = tuple(known.values() if documents is None else documents)
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        self._version = self._measured = 0
        self._corrections: tuple[int, Corrections] = (-1, {})
        self._closed = False
        self.problem = ""
        self._warm_up()
        self.answers = StandingAnswers(one for one in store.standing() if one.key in teaching.row_of)
        self.moment = self._refitted(0, self.answers.decided())
        if held_out is not None:
            self.moment = replace(self.moment, held_out=held_out.score(self.moment.taught.model))
        self._thread = threading.Thread(target=self._refit_forever, name="refit", daemon=True)
        self._thread.start()

    def _warm_up(self) -> None:
        """Load what a refit and a question need: else the first answers would wait for seconds, all of them."""
        keys = [candidate.key for candidate in self.teaching.candidates[:4]]
        if len(keys) == 4:  # two of each kind, which are forgotten at once
            self.teaching.taught(dict(zip(keys, [Answer.YES, Answer.NO] * 2)))
        _ = self.teaching.prediction(0, self.teaching.untaught).as_row(), self.assertions

    @cached_property
    def assertions(self) -> NDArray[np.str_]:
        """What each sentence says of its candidate."""
        return np.array([str(assertion_of_scene(scene)) for scene in self.teaching.scenes])

    @property
    def is_learning(self) -> bool:
        """Whether there are answers that the present model has not learned."""
        return self.moment.version < self._version

    def add(self, answers: Sequence[Given]) -> tuple[list[Given], int]:
        """Write answers; they are on the disk when this returns. Also gives the version of the moment that knows them.

        An answer that stands already (sent again because no reply came) is not written twice. Who changes his mind
        about a question that was drawn at random still answers a question that was drawn.
        """
        with self.lock:
            known = [self.answers.of(one.key).get(one.curator) for one in answers]
            same = [old for old, new in zip(known, answers) if old and _said(old) == _said(new)]
            if len(same) == len(answers):
                return same, self._version
            drawn = [new if new.draw or not old else replace(new, draw=old.draw) for old, new in zip(known, answers)]
            written = self.store.add(drawn)
            for one in written:
                self.answers.add(one)
            return written, self._change()

    def undo(self, curator: str) -> tuple[list[Given], int]:
        """Take back what a person answered last; empty if there is nothing."""
        with self.lock:
            undone = self.store.undo_last(curator)
            if undone:
                for one in undone:
                    self.answers.remove(one)
                return undone, self._change()
            return [], self._version

    @property
    def corrections(self) -> Corrections:
        """The documents whose names people corrected."""
        with self.lock:
            if self._corrections[0] != self._version:
                named = (one for one in self.answers.all() if any(one.names))
                said = ((self.teaching.candidates[self.teaching.row_of[one.key]], one.names) for one in named)
                self._corrections = self._version, corrections(said)
            return self._corrections[1]

    def answers_of(self, key: str) -> dict[str, Given]:
        """Who says what of a question."""
        with self.lock:
            return dict(self.answers.of(key))

    def said(self, key: str) -> Answered | None:
        """What people together say of a question."""
        with self.lock:
            return self.answers.said.get(key)

    def standing(self) -> list[Given]:
        """The answers that count: of each person the last to each question, in their order."""
        with self.lock:
            return self.answers.all()

    def wait(self, version: int) -> Moment:
        """The present moment: of this version or a later one if that can be had within the patience."""
        deadline = time.monotonic() + self.patience
        with self._changed:
            while self.moment.version < version and not self._closed:
                left = deadline - time.monotonic()
                if left <= 0 or self.moment.seconds > self.patience:
                    break
                self._changed.wait(left)
            return self.moment

    def settled(self, seconds: float = 60.0) -> Moment:
        """The moment that knows all answers given so far, and how good it is; the present one if that takes longer."""
        with self._changed:
            version = self._version
            self._changed.wait_for(lambda: min(self.moment.version, self._measured) >= version or self._closed, seconds)
            return self.moment

    def close(self) -> None:
        """End the thread, and let go of the database."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(30)
        self.store.close()

    def row(self, key: str) -> int | None:
        """The row of a question; ``None`` if the text has no such candidate."""
        return self.teaching.row_of.get(key)

    def _change(self) -> int:
        self._version += 1
        self._changed.notify_all()
        return self._version

    def _refit_forever(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self.is_learning or self._closed)
                if self._closed:
                    return
                version, decided = self._version, self.answers.decided()
            try:
                self._refit(version, decided)
            except Exception as error:  # answers are safe in the database; the page goes on with the model of before
                logger.exception("the model could not be made anew from %d answers", len(decided))
                with self._changed:
                    self.problem = f"the model could not learn the last answers: {error}"
                    self.moment, self._measured = replace(self.moment, version=version), version
                    self._changed.notify_all()

    def _refit(self, version: int, decided: Sequence[Answered]) -> None:
        moment = self._refitted(version, decided)
        with self._changed:  # who sees this moment sees that there is no problem any more
            self.moment, self.problem = replace(moment, held_out=self.moment.held_out), ""
            self._changed.notify_all()
        score = None if self.held_out is None else self.held_out.score(moment.taught.model)
        with self._changed:
            self.moment, self._measured = replace(self.moment, held_out=score), version
            self._changed.notify_all()

    def _refitted(self, version: int, decided: Sequence[Answered]) -> Moment:
        start = time.monotonic()
        answers = {one.key: one.answer for one in decided}
        taught = self.teaching.taught_by(decided)
        ahead = self.teaching.questions(taught, answers, AHEAD)
        return Moment(version, taught, answers, tuple(ahead), time.monotonic() - start)


def _said(one: Given) -> tuple[Answer, str | None, tuple[str, ...]]:
    return one.answer, one.relation, one.names
