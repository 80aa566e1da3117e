"""All baselines by name, in the order of the paper's tables.

Nothing here imports what a baseline needs: ``BASELINES[name].make(seed, n_jobs)`` does.
"""

from __future__ import annotations

from relhash.baselines.entry import BaselineEntry, is_installed, lazily, remedy
from relhash.baselines.neural_registry import NEURAL
from relhash.errors import ParameterError

__all__ = ["BASELINES", "BaselineEntry", "baseline", "is_installed", "remedy"]


_KERNELS = (
    BaselineEntry(
        "SVM-Airola2008",
        "all-paths graph kernel of dependencies and word order, regularised least squares",
        lazily("all_paths:AllPathsGraphKernel"),
        paper_f1={"A→B": 0.47, "B→A": 0.47},
        deterministic=True,
    ),
    BaselineEntry(
        "SVM-Miwa2009",
        "bag of words, shortest-path walks and all-paths graph features, each normalised, in one L2-SVM",
        lazily("rich_features:RichFeatureVector"),
        paper_f1={"A→B": 0.53, "B→A": 0.50},
        deterministic=True,
    ),
    BaselineEntry(
        "SVM-Tikk2010",
        "subsequence kernel of the shortest dependency path with its neighbours, exact labels, SVM",
        lazily("path_svm:ShortestPathKernel"),
        paper_f1={"A→B": 0.41, "B→A": 0.42},
        deterministic=True,
    ),
    BaselineEntry(
        "SVM-Garg2016",
        "path kernel with word vectors on dependency or AMR role paths, SVM",
        lazily("path_svm:SemanticPathKernel"),
        paper_f1={"train→devel13": 0.46, "subsets": 0.45},
        deterministic=True,
    ),
)
_TODAY = (
    BaselineEntry(
        "embedding-lr",
        "logistic regression on the sentence embedding of a local model",
        lazily("embedding:SentenceEmbedding"),
        needs="contextual",
        deterministic=True,
    ),
    BaselineEntry(
        "kindred",
        "kindred's own relation classifier",
        lazily("kindred_adapter:Kindred"),
        needs="kindred",
        deterministic=True,
    ),
)

BASELINES: dict[str, BaselineEntry] = {entry.name: entry for entry in (*_KERNELS, *NEURAL, *_TODAY)}


def baseline(name: str) -> BaselineEntry:
    """A baseline by its name.

    >>> baseline("SVM-Airola2008").paper_f1["A→B"]
    0.47
    """
    if name not in BASELINES:
        raise ParameterError(f"there is no baseline {name!r}; there are {', '.join(BASELINES)}")
    return BASELINES[name]
