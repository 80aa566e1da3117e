"""All baselines by name, in the order of the paper's tables: figures, what each needs, how it is made.

Nothing here imports what a baseline needs (PyTorch): ``BASELINES[name].made(seed)`` does.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from relhash.errors import DataMissingError
from relhash.registry import Registry

if TYPE_CHECKING:
    from relhash.bench.rivals.baseline import Baseline


_PACKAGES: dict[str, tuple[str, ...]] = {"neural": ("torch",)}
"""What must be importable for an extra."""


def is_installed(extra: str) -> bool:
    """Whether an extra is there (nothing is imported); ``""`` always is."""
    return all(importlib.util.find_spec(package) is not None for package in _PACKAGES.get(extra, ()))


def remedy(extra: str) -> str:
    """The command that installs an extra.

    >>> remedy("neural")
    "pip install 'relhash[neural]'"
    """
    return f"pip install 'relhash[{extra}]'"


def lazily(place: str) -> Callable[[int, int | None], Baseline]:
    """The ``make`` of an entry whose class stands at ``place`` (``module:Class`` of this room); imports it when called.

    >>> lazily("graph_machines:RichFeatureVector")(7, None)
    RichFeatureVector(random_state=7)
    """

    def make(seed: int, n_jobs: int | None) -> Baseline:
        module, _, name = place.partition(":")
        made: Baseline = getattr(import_module(f"relhash.bench.rivals.{module}"), name)(random_state=seed, n_jobs=n_jobs)
        return made

    return make


@dataclass(frozen=True)
class BaselineEntry:
    """A row of the literature's tables.

    Attributes
    ----------
    make
        ``make(seed, n_jobs)`` gives a new, unfitted estimator; it does the imports, so that a list of baselines loads nothing.
    needs
        Extra that must be installed; ``""`` for none.
    paper_f1
        F1 in the paper by direction: ``"A→B"``, ``"B→A"``, ``"train→devel13"`` (BioNLP), ``"subsets"`` (PubMed45).
    transductive
        Whether ``fit`` learns from the unlabelled candidates of the target.
    deterministic
        Whether a seed changes nothing, so that one run is enough.
    revision
        Part of the identity of a finished cell: raised when a change to the baseline changes its results.
    """

    name: str
    summary: str
    make: Callable[[int, int | None], Baseline]
    needs: str = ""
    paper_f1: Mapping[str, float] = field(default_factory=dict)
    transductive: bool = False
    deterministic: bool = False
    revision: int = 1

    @property
    def is_installed(self) -> bool:
        return is_installed(self.needs)

    def made(self, seed: int = 0, n_jobs: int | None = 1) -> Baseline:
        """A new estimator, or an error with the remedy if what it needs is not installed."""
        if not self.is_installed:
            raise DataMissingError(f"{self.name} needs what is not installed: {remedy(self.needs)}")
        return self.make(seed, n_jobs)


def _pairs(a_to_b: float, b_to_a: float) -> dict[str, float]:
    """F1 in the paper's first table: trained on AIMed and tested on BioInfer, and the other way."""
    return {"A→B": a_to_b, "B→A": b_to_a}


def _interactions(bionlp: float, pubmed45: float | None = None) -> dict[str, float]:
    """F1 in the paper's second table."""
    return {"train→devel13": bionlp} if pubmed45 is None else {"train→devel13": bionlp, "subsets": pubmed45}


def _row(name: str, made: str, summary: str, paper_f1: dict[str, float], *, transductive: bool = False) -> BaselineEntry:
    is_network = not name.startswith("SVM")
    return BaselineEntry(
        name, summary, lazily(made), "neural" if is_network else "", paper_f1, transductive, deterministic=not is_network
    )


_ROWS = (
    _row("SVM-Airola2008", "graph_machines:AllPathsGraphKernel",
         "all-paths graph kernel of dependencies and word order, regularised least squares", _pairs(0.47, 0.47)),
    _row("SVM-Miwa2009", "graph_machines:RichFeatureVector",
         "bag of words, shortest-path walks and all-paths graph features, each normalised, in one L2-SVM",
         _pairs(0.53, 0.50)),
    _row("SVM-Tikk2010", "path_svm:ShortestPathKernel",
         "subsequence kernel of the shortest dependency path with its neighbours, exact labels, SVM", _pairs(0.41, 0.42)),
    _row("SVM-Garg2016", "path_svm:SemanticPathKernel",
         "path kernel with word vectors on dependency or AMR role paths, SVM", _interactions(0.46, 0.45)),
    _row("CNN-Nguyen2015", "networks:NguyenCNN", "CNN over the sentence with positions", _pairs(0.37, 0.45)),
    _row("BiLSTM-Kavuluru2017", "networks:KavuluruBiLSTM",
         "Bi-LSTM over the sentence with positions, max pooling", _pairs(0.30, 0.47)),
    _row("CNN-Peng2017", "networks:PengCNN",
         "multichannel CNN over words and their dependency heads", _pairs(0.48, 0.50)),
    _row("RNN-Hsieh2017", "networks:HsiehRNN", "Bi-LSTM over the words of the sentence", _pairs(0.49, 0.51)),
    _row("LSTM-Rao2017", "networks:RaoLSTM", "LSTM along the path", _interactions(0.46)),
    _row("LSTM-Garg2019", "networks:GargLSTM", "two-layer LSTM along the path", _interactions(0.59, 0.30)),
    _row("BiLSTM-Garg2019", "networks:GargBiLSTM",
         "two-layer Bi-LSTM along the path", _interactions(0.55, 0.46)),
    _row("LSTM-CNN-Garg2019", "networks:GargLSTMCNN",
         "convolutions over an LSTM along the path", _interactions(0.60, 0.50)),
    _row("CNN-Garg2019", "networks:GargCNN", "CNN along the path", _interactions(0.60, 0.51)),
    _row("CNN-RevGrad", "adapting_networks:ReversalCNN",
         "CNN over the sentence with gradient reversal (Ganin 2016)", _pairs(0.43, 0.47), transductive=True),
    _row("BiLSTM-RevGrad", "adapting_networks:ReversalBiLSTM",
         "Bi-LSTM over the sentence with gradient reversal (Ganin 2016)", _pairs(0.40, 0.46), transductive=True),
    _row("Adv-CNN", "adapting_networks:AdversarialCNN",
         "CNN over the sentence, adapted by an adversary (Rios 2018)", _pairs(0.54, 0.49), transductive=True),
    _row("Adv-BiLSTM", "adapting_networks:AdversarialBiLSTM",
         "Bi-LSTM over the sentence, adapted by an adversary (Rios 2018)", _pairs(0.57, 0.49), transductive=True),
    _row("SSL-VAE", "adapting_networks:SemiSupervisedVAE",
         "CNN classifier of a semi-supervised variational autoencoder (Zhang 2019)",
         _pairs(0.50, 0.46) | _interactions(0.48, 0.40), transductive=True),
)  # fmt: skip

BASELINES: Registry[BaselineEntry] = Registry("baseline", "relhash.bench.rivals", {entry.name: entry for entry in _ROWS})
"""By the name that ``relhash benchmark --systems`` takes; another package offers one by an entry point of this group.

>>> BASELINES["SVM-Airola2008"].paper_f1["A→B"]
0.47
"""
