"""The contract of hash families, on one that somebody else wrote."""

from __future__ import annotations

from tests.hashing.function_contract import HashFunctionContract
from tests.hashing.projection_family import ProjectionFamily


class TestProjection(HashFunctionContract):
    def make_family(self):
        return ProjectionFamily()
