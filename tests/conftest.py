"""Where the real corpora are, and what happens when they are not there; how hypothesis draws its examples."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

# the same examples in every run and on every machine, and no clock: a suite that is green stays green on a busy machine.
# New examples are looked for by RELHASH_EXPLORE=1 make test. Who only asks whether a test fails (tools/mutants.py) wants no
# smaller example
settings.register_profile(
    "same",
    derandomize=not os.environ.get("RELHASH_EXPLORE"),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.generate) if os.environ.get("RELHASH_MUTANT") else tuple(Phase),
)
settings.load_profile("same")


def _data_root() -> Path | None:
    given = os.environ.get("RELHASH_DATA")
    root = Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"
    return root if root.is_dir() else None


@pytest.fixture(scope="session")
def data_root() -> Path:
    """The folder with ``ppi/``, ``bionlp/`` …; the test is skipped when it is absent."""
    root = _data_root()
    if root is None:
        pytest.skip("RELHASH_DATA does not name a folder with the real corpora")
    return root
