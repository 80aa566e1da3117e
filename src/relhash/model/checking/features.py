"""A sighting as named numbers and words: what a judge of claims sees, all of it about one claim and its sentence.

Words are names that begin with :data:`WORD`, such as ``=between activate``; only a judge that learned from verdicts reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from relhash.biomed.names.finding import How, Names
from relhash.biomed.names.spelling import name_key
from relhash.candidates.statements.aspect import lemmas, shipped_model, stretch, words_at
from relhash.candidates.statements.triggers import ACTIVITY, AMOUNT, cue_of
from relhash.candidates.view import tokens_and_edges_on
from relhash.corpus.document import Mention
from relhash.model.checking.sighting import MISSING, Said, Sighting

WORD = "="
_PARTS = frozenset(
    {"receptor", "receptors", "promoter", "gene", "inhibitor", "antibody", "site", "sites", "family", "kinase", "domain"}
)
EVENTS = (
    "Positive_regulation", "Negative_regulation", "Regulation", "Phosphorylation", "Gene_expression", "Transcription",
    "Protein_catabolism", "Localization", "Binding",
)  # fmt: skip


def features(one: Sighting, names: Names) -> dict[str, float]:
    """The numbers of a sighting; what is not named is 0."""
    found: dict[str, float] = {}
    for side, (how, level) in zip(("subject", "object"), one.how, strict=True):
        found[f"{side} {how.name.lower()}"] = 1.0
        found[f"{side} level"] = float(min(level, 4))
    found["not found"] = float(max(how for how, _ in one.how) == How.NOWHERE)
    found["mentions"] = math.log1p(len(one.subject)) + math.log1p(len(one.object))
    found["no pair"] = float(one.pair is None)
    found["one thing"] = float(bool(one.wanted) and bool(one.wanted[0].concepts) and one.wanted[0] == one.wanted[-1])
    found["unnamed"] = float(not one.claim.has_subject or not one.claim.has_object)
    found["related"] = one.related
    if one.kind is not None:
        found[f"kind {one.kind.kind}"] = 1.0
        found[f"type {one.kind.name}"] = 1.0
        found["positive"], found["negative"] = float(one.kind.sign > 0), float(one.kind.sign < 0)
    if one.pair is not None:
        found[f"pair {one.assertion}"] = 1.0
    found |= _of_events(one)
    if one.pair is not None and one.scene is not None:
        found |= _of_place(one)
        if one.kind is not None and one.kind.kind in (AMOUNT, ACTIVITY):
            amount = shipped_model().log_odds(words_at(one.scene.stage, *one.pair))
            found["words aspect"] = -math.log1p(math.exp(-amount if one.kind.kind == AMOUNT else amount))
        for side, mention, wanted in zip(("subject", "object"), one.pair, one.wanted, strict=True):
            found |= {
                f"{side} {name}": value for name, value in _of_name(one, mention, wanted.name, names.ids(wanted), names).items()
            }
    # what binds a promoter is in no complex with the protein of that gene
    of_part = max(found.get(f"{side} part behind", 0.0) for side in ("subject", "object"))
    found["part in complex"] = of_part * found.get("kind complex", 0.0)
    return found


def _best(said: Iterable[Said]) -> float:
    return max((one.score for one in said), default=MISSING)


def _of_events(one: Sighting) -> dict[str, float]:
    both = [said for said in one.said if not said.alone]
    forward = [said for said in both if said.forward]
    backward = [said for said in both if not said.forward]
    alone = [said for said in one.said if said.alone]
    found = {"any": _best(forward), "any back": _best(backward)}
    for event in EVENTS:
        found[f"event {event}"] = _best(said for said in forward if said.event == event)
        found[f"alone {event}"] = _best(said for said in alone if said.event == event)
    if one.kind is None:
        return found
    typed = [said for said in forward if said.event in one.kind.bionlp]
    found["typed"] = _best(typed)
    found["typed links"] = max((said.links for said in typed), default=-16.0)
    found["any links"] = max((said.links for said in forward), default=-16.0)
    found["typed back"] = found["typed"] if not one.kind.has_order else _best(s for s in backward if s.event in one.kind.bionlp)
    found["typed alone"] = _best(said for said in alone if said.event in one.kind.bionlp)
    found["other type"] = _best(said for said in forward if said.event not in one.kind.bionlp)
    found["direction"] = found["typed"] - found["typed back"]
    found["type margin"] = found["typed"] - found["other type"]
    if typed:
        top = max(typed, key=lambda said: said.score)
        found[f"typed {top.assertion}"] = 1.0
        found["typed perturbed"], found["typed context"] = (
            float(bool(top.composed.perturbation)),
            float(top.composed.is_context),
        )
    sign = one.kind.sign
    if sign:
        found["same sign"] = _best(said for said in forward if said.composed.sign == sign)
        found["other sign"] = _best(said for said in forward if said.composed.sign == -sign)
        found["sign margin"] = max(min(found["same sign"] - found["other sign"], 3.0), -3.0)
        if one.path is not None:
            found["path sign"] = float(sign * one.path.sign)
            found["path observed"] = float(sign * one.path.observed)
    aspects = {
        aspect: _best(said for said in forward if said.composed.aspect == aspect) for aspect in ("amount", "activity", "")
    }
    if one.kind.kind in ("amount", "activity"):
        other = "amount" if one.kind.kind == "activity" else "activity"
        found["aspect margin"] = max(min(aspects[one.kind.kind] - aspects[other], 3.0), -3.0)
        if one.path is not None:
            found["path aspect"] = float(one.path.aspect == one.kind.kind) - float(one.path.aspect == other)
            found["path no aspect"] = float(not one.path.aspect)
    elif one.path is not None:
        found["path amount"], found["path activity"] = float(one.path.aspect == "amount"), float(one.path.aspect == "activity")
    if one.path is not None:
        kinds = [cue.kind for _, cue in one.path.cues]
        for kind in ("loss", "down", "up", "context"):
            found[f"path {kind}"] = float(kinds.count(kind))
        found["perturbed"] = float(bool(one.path.perturbation))
    return found


def _of_place(one: Sighting) -> dict[str, float]:
    """Where the two stand in the sentence."""
    assert one.pair is not None
    assert one.scene is not None
    stage = one.scene.stage
    subject, object = one.pair
    first, second = sorted(one.pair, key=lambda mention: mention.start)
    path = one.scene.paths[0]
    between = stage.document.text[first.end : second.start]
    inside = [m for m in stage.mentions if first.end <= m.start and m.end <= second.start]
    words = [word.strip("-").lower() for word in between.split()]
    cues = [cue.kind for word in words if (cue := cue_of(word.strip(",.;()"))) is not None]
    return {
        "subject first": float(subject.start < object.start),
        "steps": math.log1p(len(path.edges)),
        "words between": math.log1p(len(words)),
        "entities between": float(len(inside)),
        "entities": math.log1p(len(stage.mentions)),
        "tokens": math.log1p(len(stage.tokens)),
        "commas": float(min(between.count(","), 4)),
        "parentheses": float(min(between.count("("), 3)),
        "clauses": float(between.count(";") + between.count(". ")),
        "adjacent": float(len(between) <= 1),
        "between down": float(cues.count("down") + cues.count("loss")),
        "between up": float(cues.count("up")),
        "between amount": float(cues.count("amount")),
        "between activity": float(cues.count("activity")),
        "sentences": float(len(stage.document.sentences)),
    }


def _of_name(one: Sighting, mention: Mention, name: str, ids: frozenset[str], names: Names) -> dict[str, float]:
    """How well a mention fits the name that the claim gives it."""
    text, near = one.claim.sentence, one.claim.sentence[mention.end : mention.end + 30]
    known = set(mention.ids)
    meanings = names.meanings(mention.text)
    own = min((level for identifier, level in meanings.items() if identifier in ids), default=5)
    other = min(
        (level for identifier, level in meanings.items() if identifier not in ids and identifier[:4] in ("HGNC", "FPLX")),
        default=6,
    )
    tagged = next((m for m in one.tagged if m.start < mention.end and mention.start < m.end), None)
    following = (near.replace("-", " ").split() or [""])[0].lower().strip(",.;()")
    cue = cue_of(following)
    return {
        "agrees": float(bool(known & ids)),
        "conflicts": float(bool(known) and not known & ids),
        "own": float(own),
        "other": float(other),
        "margin": float(other - own),
        "meanings": math.log1p(len(meanings)),
        "length": math.log1p(len(mention.text)),
        "tagged": 0.0 if tagged is None else tagged.certainty,
        "cut": 0.0 if tagged is None else math.log1p(abs(tagged.end - tagged.start - (mention.end - mention.start))),
        "same name": float(name_key(mention.text) == name_key(name)),
        "hyphen": float(text[mention.end : mention.end + 1] == "-"),
        "hyphen before": float(text[max(0, mention.start - 1) : mention.start] == "-"),
        "slash": float("/" in (text[mention.end : mention.end + 1], text[max(0, mention.start - 1) : mention.start])),
        "upper": float(mention.text.isupper()),
        "amount behind": float(cue is not None and cue.kind == "amount"),
        "activity behind": float(cue is not None and cue.kind == "activity"),
        "loss behind": float(cue is not None and cue.kind == "loss"),
        "part behind": float(following in _PARTS),
    }


def words(one: Sighting) -> dict[str, float]:
    """Words between and around the two, n-grams of the path and the triggers: as they are, by kind of type, and by sign."""
    if one.pair is None or one.scene is None:
        return {}
    stage, (subject, object) = one.scene.stage, (one.scene.stage.tokens_of(mention) for mention in one.pair)
    left, right = sorted((subject, object))
    shown = lemmas(stage)
    between = stretch(shown, left[-1] + 1, right[0])
    order = ("subject", "object") if subject < object else ("object", "subject")
    path = [order[0], *tokens_and_edges_on(one.scene, one.scene.paths[0]), order[1]]
    both = [said for said in one.said if not said.alone and said.forward]
    typed = [said for said in both if one.kind is not None and said.event in one.kind.bionlp]
    found = {f"first {order[0]}", *_grams("between", ["", *between, ""], 2)}
    for size in (1, 2, 3):
        found |= _grams("path", path, size)
    for place, own in (
        ("between", between),
        ("before", stretch(shown, left[0] - 4, left[0])), ("behind", stretch(shown, right[-1] + 1, right[-1] + 5)),
        ("before subject", stretch(shown, subject[0] - 2, subject[0])),
        ("behind subject", stretch(shown, subject[-1] + 1, subject[-1] + 3)),
        ("before object", stretch(shown, object[0] - 2, object[0])),
        ("behind object", stretch(shown, object[-1] + 1, object[-1] + 3)),
        ("trigger", _likeliest_word(both)), ("typed trigger", _likeliest_word(typed)),
        ("cue", [] if one.path is None else [text.lower() for text, _ in one.path.cues]),
    ):  # fmt: skip
        found |= _grams(place, own, 1)
    kind, sign = ("", 0) if one.kind is None else (one.kind.kind, one.kind.sign)
    kind = "regulation" if kind in ("activity", "amount", "localization") else kind
    return {f"{WORD}{to}{word}": 1.0 for word in sorted(found) for to in ("", f"{kind}: ", f"{sign:+d}: ")}


def _likeliest_word(said: Sequence[Said]) -> list[str]:
    return [max(said, key=lambda one: one.score).trigger.text.lower()] if said else []


def _grams(name: str, sequence: Sequence[str], size: int) -> set[str]:
    return {f"{name} {' '.join(sequence[start : start + size])}" for start in range(len(sequence) - size + 1)}
