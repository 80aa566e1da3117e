"""Whatever clients send to ``serve`` and ``curate``: an answer, or a refusal in one sentence; never an error of the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import relhash
from relhash.curate.application import ServerSettings, create_application
from relhash.curate.guard import Limits
from relhash.curate.imports import answers_from
from tests.curate.conftest import CHANGING, abstracts, curation, fulltext, open_curation, small_model, teaching
from tests.fuzz.mutations import ROUNDS, damaged_json, survived

__all__ = ["abstracts", "curation", "fulltext", "open_curation", "small_model", "teaching"]

CLAIM = {"sentence": "RAF1 binds to MEK1.", "subject": "RAF1", "object": "MEK1", "type": "binds"}
BODIES: dict[str, dict[str, Any]] = {
    "/api/answers": {
        "key": "",
        "answer": "yes",
        "curator": "ann",
        "type": None,
        "names": [" "],
        "seconds": 1.5,
        "holding": [""],
    },
    "/api/answers/alike": {"keys": [""], "answer": "no", "curator": "ann"},
    "/api/predict": {"text": "RAF1 binds to MEK1.", "evidence": True, "types": "protein", "threshold": 0.5, "keep": []},
    "/api/check": {"rows": [CLAIM]},
}


@pytest.mark.parametrize("path", BODIES)
def test_bodies_with_other_values(teaching, curation, path):
    """The text of the curation has no parses: predictions are those of the model that ships."""
    settings = ServerSettings(limits=Limits(rate=1e9, burst=10**9))
    served = (relhash.load("ppi"), None) if path == "/api/predict" else (teaching.model, curation)
    client = TestClient(create_application(*served, settings), base_url="http://localhost", headers=CHANGING)
    seed = json.loads(json.dumps(BODIES[path]).replace('""', json.dumps(teaching.candidates[0].key)))
    statuses = set()
    for number, data in enumerate(damaged_json([seed], ROUNDS or 60, seed=5)):
        try:
            reply = client.post(path, content=data, headers={"Content-Type": "application/json"})
        except Exception as error:
            raise AssertionError(f"body {number} for {path}: {data!r}") from error
        statuses.add(reply.status_code)
        assert isinstance(reply.json(), dict), data
    assert statuses <= {200, 400, 404, 422}
    assert {200, 422} <= statuses, statuses


def test_imports_with_other_values(tmp_path: Path, teaching, curation):
    """Files of three formats; whatever is taken from them is about the text."""
    candidate = teaching.candidates[0]
    spans = [(mention.start, mention.end) for mention in candidate.mentions]
    regions = [{"id": str(n), "type": "labels", "value": {"start": a, "end": b}} for n, (a, b) in enumerate(spans)]
    link = {"type": "relation", "from_id": "1", "to_id": "0", "labels": ["none"]}
    task = {
        "data": {"id": "1", "text": candidate.document.text},
        "annotations": [{"result": [*regions, link], "completed_by": 7}],
    }
    ends = [{"%ID": 10 + n, "%TYPE": "custom.Span", "begin": a, "end": b} for n, (a, b) in enumerate(spans)]
    joined = {"%ID": 20, "%TYPE": "custom.Relation", "@Governor": 11, "@Dependent": 10, "label": "binds"}
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": candidate.document.text}
    cas = {"%FEATURE_STRUCTURES": [sofa, *ends, joined]}
    said = {
        "key": candidate.key,
        "draw": 0.1,
        "answers": [{"curator": "ann", "answer": "yes", "names": ["a", ""], "type": "x"}],
    }
    path = tmp_path / "a"
    for format, seed in {"label-studio": [task], "inception": cas, "relhash": said}.items():
        assert answers_from(json.dumps(seed).encode(), format, curation, "cy").answers
        inputs = damaged_json([seed], ROUNDS or 100, seed=6)
        assert survived(path, inputs, lambda _, format=format: answers_from(path.read_bytes(), format, curation, "cy").answers)
