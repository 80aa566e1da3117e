"""What a row of output says: one function per column.

A column that is registered in :data:`COLUMNS` stands in every table and in every JSON record that ``relhash predict`` writes,
after the columns that were there before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from relhash.biomed.names.hints import modifier
from relhash.biomed.names.table import shipped_names
from relhash.candidates.candidate import FIRST, SECOND, TRIGGER, Candidate
from relhash.candidates.evidence import path_tokens, path_words
from relhash.candidates.gold import CAUSE, THEME
from relhash.candidates.pairs import PairPolicy
from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Mention
from relhash.model.prediction import Prediction
from relhash.registry import Registry

if TYPE_CHECKING:
    from relhash.model.fitted import FittedModel


@dataclass(frozen=True)
class Column:
    """One column of the output.

    Attributes
    ----------
    value
        What a prediction has in it: a string, a number, a truth value, or (in JSON only) a list.
    kind
        ``str``, ``int``, ``float`` or ``bool``: what a Parquet file declares.
    in_tables
        Whether it also stands in tables; lists are for JSON.
    only_of
        The kind of model that fills it, if not all do: ``"interactions"``, ``"directed"`` (these too), ``"typed"``. Tables of
        other models are written without it.
    """

    value: Callable[[Prediction], Any]
    kind: type = str
    in_tables: bool = True
    only_of: str = ""


def _of_participant(
    number: int, value: Callable[[Prediction, str, Mention], Any], missing: Any = ""
) -> Callable[[Prediction], Any]:
    """What a prediction says of a participant, by its role and mention; ``missing`` if it has no such participant."""

    def of(prediction: Prediction) -> Any:
        members = _participants_of(prediction.candidate)
        return value(prediction, *members[number]) if number < len(members) else missing

    return of


def _also(prediction: Prediction, role: str, mention: Mention) -> str:
    names = prediction.also[prediction.candidate.mentions.index(mention)] if prediction.also else ()
    return "; ".join(one.called for one in names)


def _modifier(prediction: Prediction, role: str, mention: Mention) -> str:
    if entity_class(mention.type) != "protein":
        return ""
    return modifier(prediction.candidate.document.text, mention.start, mention.end)


def _human(prediction: Prediction, role: str, mention: Mention) -> str:
    if not any(one.startswith(("MGI:", "RGD:")) for one in mention.ids):
        return ""
    return ";".join(filter(None, map(shipped_names().human_gene, mention.ids)))


def _role(prediction: Prediction, role: str, mention: Mention) -> str:
    return _ROLES_OF_PAIRS[prediction.is_directed].get(role, role)


def _participants(number: int, only_of: str = "") -> dict[str, Column]:
    """The columns of one of the participants that a table has."""
    values: dict[str, tuple[type, Callable[[Prediction, str, Mention], Any]]] = {
        "entity": (str, lambda found, role, mention: mention.called),
        "type": (str, lambda found, role, mention: mention.type),
        "start": (int, lambda found, role, mention: mention.start),
        "end": (int, lambda found, role, mention: mention.end),
        "ids": (str, lambda found, role, mention: ";".join(mention.ids)),
    }
    return {
        f"{name}{number + 1}": Column(_of_participant(number, value, None if kind is int else ""), kind, only_of=only_of)
        for name, (kind, value) in values.items()
    }


COLUMNS: Registry[Column] = Registry(
    "column",
    "relhash.columns",
    {
        "document": Column(lambda prediction: prediction.candidate.document.id),
        **_participants(0),
        **_participants(1),
        "relation": Column(lambda prediction: prediction.relation),
        "probability": Column(lambda prediction: round(prediction.probability, 6), float),
        "assertion": Column(lambda prediction: str(prediction.assertion)),
        "is_relation": Column(lambda prediction: prediction.is_relation, bool),
        "evidence": Column(lambda prediction: evidence_words(prediction)),
        "sentence": Column(lambda prediction: " ".join(prediction.candidate.document.text[slice(*_ends(prediction))].split())),
        "marked": Column(lambda prediction: marked_text(prediction.candidate, *_ends(prediction))),
        "directed": Column(lambda prediction: prediction.is_directed, bool, only_of="directed"),
        "role1": Column(_of_participant(0, _role), only_of="directed"),
        "role2": Column(_of_participant(1, _role), only_of="directed"),
        "trigger": Column(lambda prediction: _of_trigger(prediction, "text", ""), only_of="interactions"),
        "trigger_start": Column(lambda prediction: _of_trigger(prediction, "start", None), int, only_of="interactions"),
        "trigger_end": Column(lambda prediction: _of_trigger(prediction, "end", None), int, only_of="interactions"),
        **{name: one for name, one in _participants(2, "interactions").items() if name != "type3"},
        "role3": Column(_of_participant(2, _role), only_of="interactions"),
        "model": Column(lambda prediction: prediction.made_by.name),
        "model_version": Column(lambda prediction: prediction.made_by.version),
        "also1": Column(_of_participant(0, _also)),
        "also2": Column(_of_participant(1, _also)),
        "modifier1": Column(_of_participant(0, _modifier)),
        "modifier2": Column(_of_participant(1, _modifier)),
        "human1": Column(_of_participant(0, _human)),
        "human2": Column(_of_participant(1, _human)),
        "type_probability": Column(lambda prediction: round(prediction.type_probability, 6), float, only_of="typed"),
        "statement": Column(lambda prediction: _of_statement(prediction, "name"), only_of="interactions"),
        "sign": Column(lambda prediction: _of_statement(prediction, "sign"), only_of="interactions"),
        "perturbation": Column(lambda prediction: _of_statement(prediction, "perturbation"), only_of="interactions"),
        "path": Column(lambda prediction: " ".join(path_tokens(prediction.scene)), in_tables=False),
        "participants": Column(lambda prediction: [_record(*one) for one in _by_role(prediction.candidate)], in_tables=False),
    },
)
"""The columns of the output in their order. ``start`` and ``end`` are characters of the document, the end not included.
``sentence`` is one line, ``marked`` the same with the participants marked: ``[E1]RAF1[/E1] binds to [E2]MEK1[/E2]``. Where
``directed``, the relation runs from ``entity1`` to ``entity2``. Roles are ``cause`` and ``theme`` (``theme2``, ``site``), also
of directed pairs; pairs without direction have none. Interactions have the ``trigger`` that names them, and their evidence says
who does what to whom; an event about one participant has no ``entity2``. ``also1`` and ``also2`` are other names that the
sentence has for a participant, where it would else say the same twice: *TNF* of "tumor necrosis factor (TNF)". ``modifier1``
and ``modifier2`` say what of a protein is meant, where its words tell: *promoter* of "the IL-2 promoter", *absent* of
"Stat1-deficient" (:mod:`relhash.biomed.names.hints`). ``human1`` and ``human2`` are the human genes that correspond to genes
of mouse and rat. ``probability`` is that the two are related, ``type_probability`` that a relation is then of the type
``relation``. Of interactions, ``statement`` is the type in the words of INDRA, ``sign`` that for the wild type, composed of
the words between the two, and ``perturbation`` what was done to the first: *Loss of Smad4 enhances EGFR expression* is a
``DecreaseAmount``."""

_ROLES_OF_PAIRS = {False: {FIRST: "", SECOND: ""}, True: {FIRST: CAUSE, SECOND: THEME}}


def table_columns(model: FittedModel | None = None) -> list[str]:
    """Names of the columns that tables have, in order; of a ``model``, without those that it never fills."""
    kinds = {""}
    if model is not None:
        policy = model.policy
        if not isinstance(policy, PairPolicy):
            kinds |= {"directed", "interactions"}
        elif policy.directed:
            kinds.add("directed")
        kinds |= {"typed"} if len(model.relation_types.names) > 1 else set()
    known = ((name, COLUMNS[name]) for name in COLUMNS)
    return [name for name, column in known if column.in_tables and (model is None or column.only_of in kinds)]


def prediction_row(prediction: Prediction) -> dict[str, Any]:
    """One record of the output, with all columns."""
    return {name: COLUMNS[name].value(prediction) for name in COLUMNS}


def candidate_row(candidate: Candidate) -> dict[str, Any]:
    """What can be said of a candidate without a label: where it stands, and its participants."""
    row: dict[str, Any] = {"document": candidate.document.id}
    for number, (_, mention) in enumerate(_participants_of(candidate)[:2], 1):
        row |= {
            f"entity{number}": mention.text,
            f"type{number}": mention.type,
            f"start{number}": mention.start,
            f"end{number}": mention.end,
            f"ids{number}": ";".join(mention.ids),
        }
    return row


def _by_role(candidate: Candidate) -> list[tuple[str, Mention]]:
    return sorted(zip(candidate.roles, candidate.mentions, strict=True), key=lambda pair: pair[0])


def _participants_of(candidate: Candidate) -> list[tuple[str, Mention]]:
    """Roles and participants in the order of the roles: cause, site, theme, theme2; e1, e2. The trigger is none of them."""
    return [(role, mention) for role, mention in _by_role(candidate) if role != TRIGGER]


def _of_statement(prediction: Prediction, name: str) -> str:
    """What an interaction of two states: its type, the sign for the wild type, what was done to the first."""
    if prediction.candidate.trigger is None:
        return ""
    from relhash.candidates.statements.statement import statement_of  # a wing that pairs do without

    said = statement_of(prediction.scene)
    if said is None:
        return ""
    return {"name": said.type.name, "sign": said.sign, "perturbation": said.composed.perturbation}[name]


def _of_trigger(prediction: Prediction, name: str, missing: Any) -> Any:
    trigger = prediction.candidate.trigger
    return missing if trigger is None else getattr(trigger, name)


def evidence_words(prediction: Prediction) -> str:
    """What joins the participants, on one line: of an interaction who does what to whom."""
    if prediction.candidate.trigger is None:
        return path_words(prediction.scene, is_directed=prediction.is_directed)
    from relhash.candidates.statements.statement import in_words, statement_of  # a wing that pairs do without

    said = statement_of(prediction.scene)
    return in_words(prediction.candidate, prediction.assertion, None if said is None else said.composed)


def _record(role: str, mention: Mention) -> dict[str, Any]:
    spans = [list(span) for span in mention.spans]
    return {"role": role, "text": mention.text, "type": mention.type, "spans": spans, "ids": list(mention.ids)}


def _ends(prediction: Prediction) -> tuple[int, int]:
    return prediction.scene.stage.start, prediction.scene.stage.end


def marked_sentence_of(candidate: Candidate) -> str:
    """The sentence of a candidate on one line, its participants marked."""
    document = candidate.document
    sentence = document.sentences[candidate.sentence] if document.sentences else None
    return marked_text(candidate, *((0, len(document.text)) if sentence is None else (sentence.start, sentence.end)))


def marked_text(candidate: Candidate, start: int, end: int) -> str:
    """A stretch of the text on one line, the participants marked by their place among the roles."""
    text = candidate.document.text
    marks: list[tuple[int, int, int, str]] = []
    for number, (_, mention) in enumerate(_by_role(candidate), 1):
        for first, last in mention.spans:
            # of marks at one place, ends come before starts, and the longer mention encloses the shorter
            marks.append((first, 1, -last, f"[E{number}]"))
            marks.append((last, 0, -first, f"[/E{number}]"))
    pieces, position = [], start
    for place, _, _, mark in sorted(marks):
        pieces += [text[position:place], mark]
        position = place
    return " ".join("".join([*pieces, text[position : max(end, position)]]).split())
