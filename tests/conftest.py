"""Where the real corpora are, and what happens when they are not there; how hypothesis draws its examples; the surroundings."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import platformdirs
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers

from relhash.compilation import after

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
if not os.environ.get("RELHASH_EXPLORE") and hasattr(providers, "_get_local_constants"):
    # Hypothesis also tries the numbers and texts that stand in whatever of our modules is imported at that moment: other
    # examples after any change of any file, and after other tests (there is no setting; tests/test_same_examples.py notices)
    providers._get_local_constants = lambda: providers.Constants()
# what a terminal or a service says of itself: tests are about plain streams, and say so where they are not
for variable in (
    "COLUMNS", "LINES", "TERMINAL_WIDTH", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "RELHASH_TOKEN",
):  # fmt: skip
    os.environ.pop(variable, None)
# one table of fonts for all processes: with a cache of its own each would make one, for seconds, and say so on standard error
os.environ.setdefault("MPLCONFIGDIR", platformdirs.user_cache_dir("matplotlib", appauthor=False))
# a fit before midnight and one after it are to have the same bytes
os.environ["SOURCE_DATE_EPOCH"] = "1763337600"
# compiled from the first call on: else it would depend on the tests before, and on what is in the cache, which of the two
# versions of a function a test runs. Tests that are about both say so; RELHASH_COMPILE_AFTER=inf make test runs the other one
after(float(os.environ.get("RELHASH_COMPILE_AFTER", "0"))).__enter__()
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # so a shell without a person starts programs in the background; those that tests start and interrupt would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _no_line_of_progress_by_chance() -> Iterator[None]:
    """Commands in this process look at a clock that stands: else they say how far they are, once a second, if they are slow."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("relhash.cli.console.time", SimpleNamespace(monotonic=lambda: 0.0))
        yield


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
