"""Whatever fits or does not fit the description of the interface: no error of ours, and replies as described."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from relhash.curate.application import ServerSettings, create_application
from relhash.curate.guard import Limits
from tests.curate.conftest import CHANGING

BOUNDED = {
    "deadline": None,
    "derandomize": True,
    "phases": [Phase.generate],
    "suppress_health_check": list(HealthCheck),
}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture
def described(teaching, open_curation):
    app = create_application(
        teaching.model,
        open_curation(patience=0.0),
        ServerSettings(names=("testserver",), limits=Limits(rate=1e6, burst=1_000_000)),
    )
    return schemathesis.openapi.from_asgi("/api/openapi.json", app)


ADDRESSES = [
    "GET /api/queue", "POST /api/answers", "DELETE /api/answers/last", "POST /api/answers/alike", "GET /api/progress",
    "POST /api/predict", "POST /api/check", "POST /api/import", "GET /api/documents", "GET /api/pairs",
    "GET /api/questions/{key}", "GET /health",
]  # fmt: skip


@pytest.mark.parametrize("examples", [10, pytest.param(300, marks=pytest.mark.slow)])
def test_the_interface_does_what_it_says(described, teaching, examples):
    key = teaching.candidates[0].key
    operations = {operation.label: operation for operation in (one.ok() for one in described.get_all_operations())}
    for address in ADDRESSES:

        @settings(**BOUNDED, max_examples=examples)
        @given(case=operations[address].as_strategy())
        def ask(case):
            # a key that was made up is never one of ours
            if isinstance(case.body, dict) and "key" in case.body:
                case.body["key"] = key
            if isinstance(case.body, dict) and isinstance(case.body.get("keys"), list):
                case.body["keys"] = [key]
            if "key" in (case.path_parameters or {}):
                case.path_parameters["key"] = key
            case.call_and_validate(headers=CHANGING, checks=CHECKS)

        ask()


def test_every_address_is_described(described):
    labels = {operation.label for operation in (one.ok() for one in described.get_all_operations())}
    assert labels.issuperset(ADDRESSES)
    paths = described.raw_schema["paths"]
    assert all(method.get("summary") and method.get("description") for path in paths.values() for method in path.values())
