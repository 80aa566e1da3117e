"""What a model says about a candidate, and which model: as a record and as annotations of documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, overload

from relhash.biomed.assertion import Assertion
from relhash.candidates.candidate import FIRST, SECOND, Candidate
from relhash.candidates.evidence import Evidence
from relhash.candidates.scene import Scene
from relhash.candidates.statement import assertion_of_scene
from relhash.corpus.document import Argument, Attribute, Document, Mention, Relation, free_id, without_answers
from relhash.errors import DataMissingError

if TYPE_CHECKING:
    from relhash.model.fitted import FittedModel


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """The name of a model, that of its file without the suffix, and its version: the day it was made, and eight digits of what
    it learned. Models with one version are equal; a model that was never saved has no digits.
    """

    name: str = ""
    version: str = ""


def identity_of_file(path: Path, manifest: Mapping[str, Any]) -> ModelIdentity:
    """The identity of the model that a file holds; the manifest has the checksums of all else.

    >>> identity_of_file(Path("models/mine.relhash"), {"card": {"made": "2026-11-17"}, "parts": {}})
    ModelIdentity(name='mine', version='2026-11-17-530a0db8')
    """
    content = json.dumps(manifest, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    made = manifest.get("card", {}).get("made", "")
    return ModelIdentity(path.stem, f"{made}-{hashlib.sha256(content).hexdigest()[:8]}".removeprefix("-"))


def identity_of(model: FittedModel) -> ModelIdentity:
    """The identity of a model; one that has not been saved is called after its preset."""
    return model.identity or ModelIdentity(model.preset, str(model.card.get("made", "")))


_EVENT_MARKS = {Assertion.NEGATED: "Negation", Assertion.SPECULATIVE: "Speculation", Assertion.QUESTIONED: "Speculation"}
"""Attributes of the event of an interaction, as in the shared tasks."""
_DIRECTED = {FIRST: "Cause", SECOND: "Theme"}
"""Roles of a directed pair in a file, so that its reader knows the direction."""


@dataclass(frozen=True, slots=True, repr=False)
class Prediction:
    """A candidate with its relation type, calibrated probability, raw score, and whether the model accepts it.

    A model accepts what is above its threshold, unless the sentence denies it (:attr:`assertion`, and
    :meth:`FittedModel.keeping <relhash.model.FittedModel.keeping>`). ``scene`` is the candidate in its sentence; everything
    that is shown is read off it. A relation ``is_directed`` if it runs from the first participant to the second. ``also`` has,
    for each mention of the candidate, its other names in the sentence under which the same is said.
    """

    scene: Scene
    relation: str
    probability: float
    score: float
    is_relation: bool
    is_directed: bool = False
    made_by: ModelIdentity = ModelIdentity()
    also: tuple[tuple[Mention, ...], ...] = ()
    type_probability: float = 1.0
    """That a relation of these is of this type; ``probability`` is that of being related at all."""

    @property
    def candidate(self) -> Candidate:
        return self.scene.candidate

    @property
    def assertion(self) -> Assertion:
        """Whether the sentence states the relation, denies it, or leaves it open."""
        return assertion_of_scene(self.scene)

    @property
    def evidence(self) -> Evidence:
        """The sentence in pieces, and what joins the participants in it."""
        return Evidence.of(self.scene, is_directed=self.is_directed)

    def __str__(self) -> str:
        """In words: who, what, how sure, and where it stands.

        >>> import relhash
        >>> print(relhash.load("ppi").predict("RAF1 binds to MEK1.")[0])
        RAF1 – interaction – MEK1 (0.9...), “RAF1 binds to MEK1.” [text]
        """
        row = self.as_row()
        arrow = "→" if self.is_directed else "–"
        said = f", {self.assertion.value}" if self.assertion is not Assertion.ASSERTED else ""
        refused = "" if self.is_relation else ", not accepted"
        names = f"{row['entity1']} – {self.relation} {arrow} {row['entity2']}"
        return f"{names} ({self.probability:.2f}{said}{refused}), “{row['sentence']}” [{row['document']}]"

    def __repr__(self) -> str:
        return f"<Prediction: {self}>"

    def as_row(self) -> dict[str, Any]:
        """One record of the output (see :data:`relhash.model.tables.columns.COLUMNS`)."""
        from relhash.model.tables.columns import prediction_row

        return prediction_row(self)


class Predictions(list[Prediction]):
    """What a model found, in the order of the text: a list that shows itself as a table and becomes a data frame.

    >>> import relhash
    >>> relhash.load("ppi").predict("RAF1 binds to MEK1.")
    <1 prediction>
    RAF1 – interaction – MEK1 (0.9...), “RAF1 binds to MEK1.” [text]
    """

    SHOWN: ClassVar[int] = 10

    @overload
    def __getitem__(self, place: SupportsIndex) -> Prediction: ...
    @overload
    def __getitem__(self, place: slice) -> Predictions: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Prediction | Predictions:
        found = super().__getitem__(place)
        return Predictions(found) if isinstance(found, list) else found

    def rows(self) -> list[dict[str, Any]]:
        """The records that a table file would hold (see :data:`relhash.model.tables.columns.COLUMNS`)."""
        return [prediction.as_row() for prediction in self]

    def to_frame(self) -> Any:
        """A pandas DataFrame, one row per prediction; needs pandas. For polars: ``polars.from_arrow(found.to_arrow())``."""
        from relhash.model.tables.columns import table_columns

        try:
            import pandas
        except ImportError as error:
            raise DataMissingError("to_frame() needs pandas, which is not installed; pip install pandas") from error
        columns = table_columns()
        return pandas.DataFrame([[row.get(name) for name in columns] for row in self.rows()], columns=columns)

    def to_arrow(self) -> Any:
        """A pyarrow Table with the types that a Parquet file of these rows has, for polars, DuckDB, others; needs pyarrow."""
        from relhash.model.tables.format import arrow_table

        return arrow_table(self.rows())

    def __repr__(self) -> str:
        shown = [str(prediction) for prediction in self[: self.SHOWN]]
        rest = [f"… and {len(self) - self.SHOWN:,} more"] if len(self) > self.SHOWN else []
        return "\n".join([f"<{len(self):,} prediction{'s' * (len(self) != 1)}>", *shown, *rest])

    def _repr_html_(self) -> str:
        """A table for notebooks: who, what, how sure, and the sentence with both marked."""
        from relhash.model.tables.looks import prediction_table

        return prediction_table(self)


def with_predictions(document: Document, predictions: Iterable[Prediction]) -> Document:
    """The document with the predicted relations in the place of its own; the probability is an attribute of each, and so is
    the assertion of those that are not simply stated.

    Interactions with a trigger become events; ``Negation`` and ``Speculation`` are attributes of these, as in the
    shared tasks.
    """
    found = [prediction for prediction in predictions if prediction.is_relation]
    if any(prediction.candidate.trigger is not None for prediction in found):
        from relhash.candidates.statements import with_interactions  # a wing that pairs do without

        return with_interactions(
            document,
            [prediction.candidate for prediction in found],
            {one.candidate.key: [(_EVENT_MARKS[one.assertion], "")] for one in found if one.assertion in _EVENT_MARKS},
        )
    return _with_relations(document, found)


def annotated(documents: Iterable[Document], predictions: Iterable[Prediction]) -> Iterator[Document]:
    """Several documents with their relations: :func:`with_predictions` for each."""
    by_document: dict[str, list[Prediction]] = {}
    for prediction in predictions:
        by_document.setdefault(prediction.candidate.document.id, []).append(prediction)
    return (with_predictions(document, by_document.get(document.id, [])) for document in documents)


def _with_relations(document: Document, predictions: list[Prediction]) -> Document:
    taken = {mention.id for mention in document.entities}
    relations, attributes = [], [a for a in document.attributes if a.target in taken]
    for number, prediction in enumerate(predictions, 1):
        candidate = prediction.candidate
        own_id = free_id(f"R{number}", taken)
        named = _DIRECTED if prediction.is_directed else {}
        arguments = tuple(
            Argument(named.get(role, role), mention.id)
            for role, mention in sorted(zip(candidate.roles, candidate.mentions, strict=True), key=lambda pair: pair[0])
        )
        relations.append(Relation(own_id, prediction.relation, arguments))
        attributes.append(Attribute(free_id(f"A{number}", taken), "Probability", own_id, f"{prediction.probability:.4f}"))
        if prediction.assertion is not Assertion.ASSERTED:
            further = free_id(f"A{len(predictions) + number}", taken)
            attributes.append(Attribute(further, "Assertion", own_id, str(prediction.assertion)))
    return replace(without_answers(document), relations=tuple(relations), attributes=tuple(attributes))
