"""A claim with what is to be said of it: verdict, probability, reason, and the statement that the sentence does support.

Verdicts to a file: the rows as they came, with columns added; INDRA's statements with an annotation in each evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from relhash.biomed.assertion import Assertion
from relhash.biomed.names.finding import How
from relhash.candidates.statements.statement import stated_type
from relhash.candidates.statements.triggers import REGULATIONS
from relhash.candidates.statements.types import StatementType, StatementTypes
from relhash.files import STANDARD_STREAM, replacing
from relhash.model.checking.features import features, words
from relhash.model.checking.judge import CANNOT_TELL, LOOK, SUPPORTED, UNSUPPORTED, Judge
from relhash.model.checking.rows import Claim, Rows
from relhash.model.checking.sighting import Examiner, Said, Sighting
from relhash.model.tables import row_format, write_rows

BATCH = 64
"""Claims that are looked at together; it changes the memory, never a verdict."""
LIKELY = -0.5
"""Log-odds from which on a reading of the sentence is worth suggesting."""
CONTRADICTED = frozenset({"denied", "hedged", "direction", "amount or activity", "type"})
"""Reasons that settle a doubtful claim: of judged rows with them 14 to 40 % were right, with *sign* about half."""


_SHOWN = ("verdict", "probability", "reason", "suggested", "sign", "perturbation", "assertion", "trigger")


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim with its verdict.

    Attributes
    ----------
    reason
        Why it is not simply supported: ``participant not found``, ``wrong id``, ``denied``, ``hedged``, ``direction``,
        ``sign``, ``amount or activity``, ``type``, ``no relation``; behind a colon what it is about.
    suggested
        The statement that the sentence does support, in words.
    """

    claim: Claim
    verdict: str
    probability: float
    reason: str
    suggested: str
    sign: str
    perturbation: str
    assertion: str
    trigger: str
    subject_span: tuple[int, int] | None
    object_span: tuple[int, int] | None

    def columns(self) -> dict[str, Any]:
        """What is added to the row of the claim."""
        own = {name: getattr(self, name) for name in _SHOWN}
        spans = {"subject": self.subject_span or ("", ""), "object": self.object_span or ("", "")}
        places = {f"{side}_{end}": at for side, span in spans.items() for end, at in zip(("start", "end"), span, strict=True)}
        return {**own, "probability": round(self.probability, 4), **places, "marked": self._marked()}

    def _marked(self) -> str:
        """The sentence with the participants marked, subject first whatever their order."""
        text = self.claim.sentence
        spans = [(span, number) for number, span in enumerate((self.subject_span, self.object_span), 1) if span is not None]
        for (start, end), number in sorted(spans, reverse=True):
            text = f"{text[:start]}[E{number}]{text[start:end]}[/E{number}]{text[end:]}"
        return text


ADDED = tuple(Checked(Claim("", "", "", ""), "", 0, "", "", "", "", "", "", None, None).columns())
"""The columns that a check adds, in order."""


def checked(claims: Iterable[Claim], examiner: Examiner, judge: Judge) -> Iterator[Checked]:
    """Each claim with its verdict, in order; a verdict never depends on other claims."""
    waiting = iter(claims)
    while batch := list(islice(waiting, BATCH)):
        sightings = examiner.examine(batch)
        numbers = [features(one, examiner.names) | (words(one) if judge.correction is not None else {}) for one in sightings]
        for sighting, own, probability in zip(sightings, numbers, judge.probabilities(numbers), strict=True):
            yield _verdict(sighting, own, probability, judge, examiner.types)


def _verdict(one: Sighting, numbers: dict[str, float], probability: float, judge: Judge, types: StatementTypes) -> Checked:
    """The verdict with its reason in words."""
    top = _reading(one)
    reason, suggested = _reason(one, numbers, top, types)
    if numbers["not found"] and not numbers["unnamed"]:
        verdict = CANNOT_TELL
    elif probability >= judge.accept:
        verdict = LOOK if reason else SUPPORTED  # what the likeliest reading contradicts is for a person to see
    else:
        verdict = UNSUPPORTED if probability <= judge.reject or reason in CONTRADICTED else LOOK
    if one.kind is None:
        verdict = LOOK if verdict == SUPPORTED else verdict
        reason = "; ".join(filter(None, [f"type not judged: {one.claim.type}", reason]))
    shown = one.path if top is None else top.composed
    return Checked(
        one.claim,
        verdict,
        probability,
        reason,
        suggested,
        sign="" if shown is None else shown.in_words,
        perturbation="" if shown is None else shown.perturbation,
        assertion=str(one.assertion) if one.pair is not None else "",
        trigger="" if top is None else top.trigger.text,
        subject_span=None if one.pair is None else (one.pair[0].start, one.pair[0].end),
        object_span=None if one.pair is None else (one.pair[1].start, one.pair[1].end),
    )


def _reading(one: Sighting) -> Said | None:
    """The likeliest reading of the sentence about both; of a word that may name a regulation and more, the latter.

    Who phosphorylates something is not said to regulate it, too (:mod:`relhash.candidates.statements.consistency`).
    """
    both = [said for said in one.said if not said.alone]
    top = max(both, key=lambda said: said.score, default=None)
    if top is None or top.event not in REGULATIONS:
        return top
    same = [said for said in both if said.trigger.spans == top.trigger.spans and said.forward == top.forward]
    special = [said for said in same if said.event not in REGULATIONS and said.score >= LIKELY]
    return max(special, key=lambda said: said.score, default=top)


def _reason(one: Sighting, numbers: dict[str, float], top: Said | None, types: StatementTypes) -> tuple[str, str]:
    for side, (how, _), name in zip(("subject", "object"), one.how, (one.claim.subject, one.claim.object), strict=True):
        if how is How.NOWHERE and not numbers["unnamed"]:
            return f"participant not found: {name or side}", ""
    if one.pair is None:
        return "no relation: not in one sentence", ""
    suggested = "" if top is None or top.score < LIKELY else _in_words(one, top, types)
    for side in ("subject", "object"):
        if numbers.get(f"{side} conflicts") and numbers.get(f"{side} margin", 0) <= 0:
            mention = one.pair[side == "object"]
            return f"wrong id: “{mention.text}” is rather {', '.join(mention.ids)}", suggested
    is_denied = one.assertion is Assertion.NEGATED or (top is not None and top.assertion is Assertion.NEGATED)
    if one.assertion is Assertion.QUESTIONED or (is_denied and not (one.path is not None and one.path.has_failed)):
        return ("hedged" if one.assertion is Assertion.QUESTIONED else "denied"), ""
    if one.assertion is Assertion.SPECULATIVE:
        return "hedged", suggested
    kind = one.kind
    if top is None or top.score < LIKELY:
        return ("" if one.related > 0 else "no relation"), ""
    if kind is None:
        return "", suggested
    said = _stated(one, top, types)
    if kind.has_order and said.has_order and not top.forward:
        return "direction", suggested
    if kind.sign and said.sign and kind.sign != said.sign:
        return "sign", suggested
    if {kind.kind, said.kind} == {"amount", "activity"}:
        return "amount or activity", suggested
    # a complex may be said beside anything else; a modification is that one or none
    if kind.kind == "modification" and said.kind == kind.kind and said.name not in (kind.name, kind.opposite):
        return "type", suggested
    if said.kind != kind.kind and kind.kind != "complex" and numbers["typed"] < LIKELY:
        return "type", suggested
    return "", ""


def _in_words(one: Sighting, said: Said, types: StatementTypes) -> str:
    subject, object = one.claim.subject, one.claim.object
    if not said.forward:
        subject, object = object, subject
    return f"{_stated(one, said, types).name}({subject}, {object})"


def _stated(one: Sighting, said: Said, types: StatementTypes) -> StatementType:
    assert one.pair is not None
    assert one.scene is not None
    subject, object = one.pair if said.forward else one.pair[::-1]
    return stated_type(one.scene.stage, said.event, said.composed, subject, object, types)


ANNOTATION = "relhash"
"""Under this name the verdict stands among the annotations of an evidence."""


def columns_of(rows: Rows) -> list[str]:
    """The columns of a table of verdicts: the verdict first where people read, then what the row had."""
    given = ("subject", "object", "type", "sentence") if rows.statements is not None else rows.columns
    return [*(name for name in given if name not in ADDED), *ADDED]


def write_checked(rows: Rows, found: Iterable[Checked], path: Path, *, title: str) -> int:
    """Write what was found for the groups of ``rows``, one row each, and count them; nothing is left out."""
    if rows.statements is not None and path.name.lower().endswith(".json"):
        count = 0
        for one in found:
            one.claim.row["evidence"].setdefault("annotations", {})[ANNOTATION] = one.columns()
            count += 1
        with replacing(path, "wb") as handle:
            handle.write(json.dumps(rows.statements, indent=1, ensure_ascii=False).encode())
        return count
    records = (record_of(one, is_indra=rows.statements is not None) for one in found)
    kind = "jsonl" if path != STANDARD_STREAM and row_format(path) == "json" else row_format(path)
    return write_rows(records, path, kind, columns_of(rows), title=title)


def record_of(one: Checked, *, is_indra: bool = False) -> dict[str, Any]:
    """The row of a claim with the columns that were added."""
    claim = one.claim
    given = {"subject": claim.subject, "object": claim.object, "type": claim.type, "sentence": claim.sentence}
    return {**(given if is_indra else dict(claim.row)), **one.columns()}
