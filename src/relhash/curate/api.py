"""The interface for teaching: questions out, answers in, and how far people are."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, HTTPException, Query

from relhash.curate.asking import DISAGREEMENTS, Asking, Filters
from relhash.curate.curation import Curation
from relhash.curate.messages import (
    AlikeBody,
    AnswerBody,
    AnsweredReply,
    CuratorName,
    Listed,
    PlainJSON,
    ProgressReply,
    QueueQuery,
    Saved,
    Undone,
    answer_of_word,
)
from relhash.curate.store import Given
from relhash.errors import ParameterError
from relhash.model.answers.answer import check_names

WINDOW = 300.0
"""Seconds over which answers per minute are counted."""


def progress_of(curation: Curation, curator: str | None = None) -> dict[str, Any]:
    """The figures that the page shows beside each question; ``per_minute`` is that of one person, or of all."""
    with curation.lock:
        moment = curation.moment
        answers = curation.answers
        times = [at for at, name in answers.times if curator in (None, name)]
        n, skipped, decided, agreed = len(answers), answers.skipped, answers.decided(), answers.agreement()
        is_learning = curation.is_learning
    taught = moment.taught
    estimate = curation.teaching.warranty(taught, decided)
    before = curation.teaching.untaught.accepted
    rows = taught.rows
    return {
        "answered": n - skipped,
        "skipped": skipped,
        "open": len(curation.teaching.candidates) - n,
        "total": len(curation.teaching.candidates),
        "per_minute": per_minute(times, time.time()),
        "precision": None if estimate is None else {**asdict(estimate.precision), "n": estimate.drawn},
        "recall": None if estimate is None else {**asdict(estimate.recall), "n": estimate.drawn},
        "gained": int((taught.accepted & ~before).sum()),
        "lost": int((before & ~taught.accepted).sum()),
        "compared": curation.teaching.gain(decided, taught),
        "changed": curation.teaching.changed(taught),
        "threshold": rows["lowest"],
        "accepted": rows["accepted"],
        "f1": None if moment.held_out is None else asdict(moment.held_out),
        "agreement": None if agreed is None else asdict(agreed),
        "has_learned": taught.model is not curation.teaching.model,
        "is_learning": is_learning,
        "problem": curation.problem,
    }


def per_minute(times: list[float], now: float) -> float:
    """Answers per minute over the last minutes, since the first of them.

    >>> per_minute([0, 30, 60, 90], now=120)
    2.0
    """
    recent = [at for at in times if now - at <= WINDOW]
    return 0.0 if not recent else round(len(recent) / max((now - min(recent)) / 60, 0.25), 2)


@dataclass(frozen=True)
class Desk:
    """What the routes share: the text with its answers, who is asked what, and the name of whoever started the server."""

    curation: Curation
    asking: Asking
    curator: str

    def row(self, key: str) -> int:
        """The row of a question, or a 404."""
        row = self.curation.row(key)
        if row is None:
            raise HTTPException(404, "there is no such question; keys come from GET /api/queue")
        return row

    def rows(self, keys: Iterable[str]) -> list[int]:
        """The rows of questions that the text has."""
        return [row for row in map(self.curation.row, keys) if row is not None]

    def check_type(self, name: str | None) -> None:
        """A 422 for a type that the model does not know."""
        if name is not None and name not in self.curation.teaching.model.relation_types.names:
            raise HTTPException(422, f"the model knows no type {name!r}")

    def check_names(self, row: int, names: list[str]) -> None:
        """A 422 for corrections that cannot be understood."""
        try:
            check_names(self.curation.teaching.candidates[row], names)
        except ParameterError as error:
            raise HTTPException(422, str(error)) from error


def curation_routes(desk: Desk) -> APIRouter:
    """Queue, answers, undo, progress."""
    router = APIRouter(prefix="/api", tags=["curation"], default_response_class=PlainJSON)
    curation, asking = desk.curation, desk.asking

    @router.get("/queue", summary="The next questions", responses={200: {"model": Listed}})
    def queue(asked: Annotated[QueueQuery, Query()]) -> Any:
        """Questions in the order that is asked for, leased to the curator for some minutes: no other curator is asked them."""
        curator = asked.curator or desk.curator
        filters = Filters(**asked.model_dump(include=set(Filters.model_fields)))
        leases = asking.ask(curator, asked.n, order=asked.order, filters=filters, holding=desk.rows(asked.holding))
        shown = [asking.show(lease, with_answers=asked.order == DISAGREEMENTS) for lease in leases]
        return PlainJSON({"questions": shown, "progress": progress_of(curation, curator)})

    @router.post("/answers", summary="Answer a question", responses={200: {"model": AnsweredReply}})
    def answer(body: AnswerBody) -> Any:
        """The answer is on the disk before this returns. The model learns it at once; where that takes long it goes on in the
        background, ``refitted`` is false and ``after`` null."""
        row = desk.row(body.key)
        desk.check_type(body.type)
        desk.check_names(row, body.names)
        before = curation.moment
        holding = desk.rows(body.holding)
        with curation.lock:
            lease = asking.lease(row, body.curator)
            draw, said = None if lease is None else lease.question.draw, answer_of_word(body.answer)
            given = Given(body.key, body.curator, said, body.type, draw, body.seconds, names=tuple(body.names))
            [written], version = curation.add([given])
            asking.release(row)
        after = curation.wait(version)
        is_refitted = after.version >= version
        leases = asking.ask(body.curator, order=body.order, filters=body.filters, holding=holding)
        return PlainJSON(
            {
                "id": written.id,
                "before": float(before.taught.probabilities[row]),
                "after": float(after.taught.probabilities[row]) if is_refitted else None,
                "changed": int(np.sum(before.taught.accepted != after.taught.accepted)),
                "refitted": is_refitted,
                "progress": progress_of(curation, body.curator),
                "next": asking.show(leases[0], with_answers=body.order == DISAGREEMENTS) if leases else None,
            }
        )

    @router.delete("/answers/last", summary="Take back the last answer", responses={200: {"model": Undone}})
    def undo(curator: CuratorName = desk.curator) -> Any:
        """Of this curator; answers that were given at once are taken back at once."""
        undone, version = curation.undo(curator)
        if not undone:
            raise HTTPException(404, f"{curator} has no answer to take back")
        moment = curation.wait(version)
        row = desk.row(undone[0].key)
        return PlainJSON(
            {
                "undone": undone[0].key,
                "count": len(undone),
                "question": asking.shown(row, "taken back", curator, moment=moment),
                "progress": progress_of(curation, curator),
            }
        )

    @router.post("/answers/alike", summary="One answer to several questions", responses={200: {"model": Saved}})
    def alike(body: AlikeBody) -> Any:
        """All are saved or none. Questions that this curator has answered before are left out."""
        rows = {key: desk.row(key) for key in body.keys}
        desk.check_type(body.type)
        with curation.lock:
            new = [key for key in rows if body.curator not in curation.answers.of(key)]
            answers = [Given(key, body.curator, answer_of_word(body.answer), body.type) for key in new]
            version = curation.add(answers)[1] if answers else 0
            for key in new:
                asking.release(rows[key])
        curation.wait(version)
        return PlainJSON({"saved": len(new), "progress": progress_of(curation, body.curator)})

    @router.get("/progress", summary="How far the work is", responses={200: {"model": ProgressReply}})
    def progress(curator: CuratorName | None = None) -> Any:
        """Answers, estimated precision with its 95 % interval, agreement, F1 on held-out gold."""
        return PlainJSON(progress_of(curation, curator))

    return router
