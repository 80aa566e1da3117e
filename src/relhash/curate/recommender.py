"""Suggestions for INCEpTION: its external-recommender protocol, a UIMA CAS in and the same with predicted relations out.

Needs the extra ``inception`` (dkpro-cassis). What is suggested are relations of the layer that INCEpTION asks for, between
spans that people have annotated already; spans themselves are not suggested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from relhash.corpus.document import Document, Mention
from relhash.curate.messages import PlainJSON, as_json
from relhash.curate.work import Work
from relhash.errors import StructureError
from relhash.model.fitted import FittedModel

SOURCE, TARGET = "Governor", "Dependent"
PREDICTED = "inception_internal_predicted"
"""The feature by which INCEpTION knows what was suggested."""
_DECLARED = re.compile(r"<!DOCTYPE|<!ENTITY", re.IGNORECASE)
_ENCODING = re.compile(r"""<\?xml[^>]{1,60}?encoding\s*=\s*["']([^"']*)""", re.IGNORECASE)


class _Metadata(BaseModel):
    layer: str = Field(max_length=500)
    feature: str = Field(max_length=200)


class _CasDocument(BaseModel):
    xmi: str


class SuggestBody(BaseModel):
    """What INCEpTION sends; fields that are not needed are not looked at."""

    metadata: _Metadata
    document: _CasDocument
    typeSystem: str  # noqa: N815 (INCEpTION's name)


def has_cassis() -> bool:
    """Whether the extra is installed."""
    return find_spec("cassis") is not None


def recommender_routes(work: Work) -> APIRouter:
    """POST /inception/predict and POST /inception/train."""
    router = APIRouter(prefix="/inception", tags=["INCEpTION"], default_response_class=PlainJSON)

    @router.post("/predict", summary="Suggest relations to INCEpTION")
    async def predict(body: SuggestBody, request: Request) -> Any:
        """The document with suggested relations. The entity type of a span is its feature ``value``, if it has one."""
        return await work(request, _suggested, body)

    @router.post("/train", status_code=204, summary="INCEpTION offers its annotations")
    def train() -> None:
        """They are not used: a model learns on the page of relhash curate, where people answer, or by relhash fit."""

    return router


def _suggested(model: FittedModel, body: SuggestBody) -> Iterator[bytes]:
    yield as_json({"document": with_suggestions(model, body)})


def with_suggestions(model: FittedModel, body: SuggestBody) -> str:
    """The XMI of the document with relations that the model accepts."""
    import cassis

    for xml in (body.typeSystem, body.document.xmi):
        encoding = _ENCODING.match(xml.lstrip("\ufeff \r\n\t"))
        if _DECLARED.search(xml) or (encoding and encoding[1].lower() != "utf-8"):
            raise StructureError("XML with a DOCTYPE, entities or another encoding than UTF-8 is not read")
    try:
        cas = cassis.load_cas_from_xmi(body.document.xmi, typesystem=cassis.load_typesystem(body.typeSystem), lenient=True)
        layer = cas.typesystem.get_type(body.metadata.layer)
        ends = layer.get_feature(SOURCE).rangeType.name
        spans = [one for one in cas.select(ends) if 0 <= one.begin < one.end <= len(cas.sofa_string)]
    except Exception as error:  # cassis raises whatever its parts raise
        raise StructureError(f"no CAS with a relation layer {body.metadata.layer!r}: {error}") from error
    for source, target, relation, probability in _related(model, cas.sofa_string, spans):
        known = {feature.name for feature in layer.all_features}
        given = {body.metadata.feature: relation, f"{body.metadata.feature}_score": probability, PREDICTED: True}
        values = {name: value for name, value in given.items() if name in known}
        cas.add(layer(begin=target.begin, end=target.end, **{SOURCE: source, TARGET: target}, **values))
    return str(cas.to_xmi())


def _related(model: FittedModel, text: str, spans: list[Any]) -> list[tuple[Any, Any, str, float]]:
    by_id = {f"T{number}": one for number, one in enumerate(spans)}
    mentions = tuple(
        Mention(name, str(getattr(one, "value", None) or "entity"), ((one.begin, one.end),), text[one.begin : one.end])
        for name, one in by_id.items()
    )
    if len(mentions) < 2:
        return []
    related = []
    for one in replace(model, cache=None).stream([Document("cas", text, mentions=mentions)]):
        ends = [mention for _, mention in sorted(zip(one.candidate.roles, one.candidate.mentions), key=lambda pair: pair[0])]
        ends = [by_id[mention.id] for mention in ends if mention.id in by_id]
        if len(ends) == 2:
            related.append((ends[0], ends[1], one.relation, one.probability))
    return related
