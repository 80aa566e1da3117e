"""Benchmarks that are no protocol of systems and splits: each module asks a question of its own, and answers it by ``run``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from relhash.bench.datasets.dataset import data_root

if TYPE_CHECKING:
    from relhash.bench.tables import Report


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of ``relhash benchmark`` that these take; ``say`` is called with what is done next."""

    data: Path | None
    output: Path | None = None
    model: str = "ppi"
    seeds: int | None = None
    say: Callable[[str], object] = lambda _: None

    @property
    def root(self) -> Path:
        """The data folder."""
        return data_root(self.data)


OWN = {
    "assertion": "how well negated and speculative statements are distinguished from others",
    "raw-text": "what a model finds in text without any annotation",
    "curate": "what answers on the target text are worth, by a simulated annotator",
    "similar": "whether learned hash functions make a better index, beside random ones, projections and ITQ",
    "teach": "what labels add to a shipped model, on text that it has not learned from",
    "judged": "how well statements are judged that readers extracted and curators looked at",
    "spread": "how many verdicts an answer gives that spreads to sentences nearly the same, and how many of these are wrong",
    "reproduction": "why the paper's F1 is out of reach on this data: every structure, every reading of its classifier",
    "paper": "the tables and figures of the paper, and what answers each; with -o its two figures",
}
"""By the name that ``relhash benchmark`` takes, what each asks."""
_PLACES = {"curate": "curation:run", "spread": "similar:run_spread"}


def run_own(name: str, asked: Asked) -> Report:
    """Run the benchmark called ``name``."""
    module, _, run = _PLACES.get(name, f"{name.replace('-', '_')}:run").partition(":")
    report: Report = getattr(import_module(f"relhash.bench.benchmarks.{module}"), run)(asked)
    return report
