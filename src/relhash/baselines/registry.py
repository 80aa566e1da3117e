"""All baselines by name, in the order of the paper's tables.

Nothing here imports what a baseline needs (PyTorch, an encoder, kindred): ``BASELINES[name].made(seed)`` does.
"""

from __future__ import annotations

from relhash.baselines.entry import BaselineEntry, lazily
from relhash.registry import Registry


def _pairs(a_to_b: float, b_to_a: float) -> dict[str, float]:
    """F1 in the paper's first table: trained on AIMed and tested on BioInfer, and the other way."""
    return {"A→B": a_to_b, "B→A": b_to_a}


def _interactions(bionlp: float, pubmed45: float | None = None) -> dict[str, float]:
    """F1 in the paper's second table."""
    return {"train→devel13": bionlp} if pubmed45 is None else {"train→devel13": bionlp, "subsets": pubmed45}


def _kernel(name: str, made: str, summary: str, paper_f1: dict[str, float]) -> BaselineEntry:
    return BaselineEntry(name, summary, lazily(made), paper_f1=paper_f1, deterministic=True)


def _network(name: str, made: str, summary: str, paper_f1: dict[str, float], *, transductive: bool = False) -> BaselineEntry:
    return BaselineEntry(name, summary, lazily(made), needs="neural", paper_f1=paper_f1, transductive=transductive)


def _today(name: str, made: str, summary: str, needs: str) -> BaselineEntry:
    return BaselineEntry(name, summary, lazily(made), needs=needs, deterministic=True)


_KERNELS = (
    _kernel("SVM-Airola2008", "all_paths:AllPathsGraphKernel",
            "all-paths graph kernel of dependencies and word order, regularised least squares", _pairs(0.47, 0.47)),
    _kernel("SVM-Miwa2009", "rich_features:RichFeatureVector",
            "bag of words, shortest-path walks and all-paths graph features, each normalised, in one L2-SVM",
            _pairs(0.53, 0.50)),
    _kernel("SVM-Tikk2010", "path_svm:ShortestPathKernel",
            "subsequence kernel of the shortest dependency path with its neighbours, exact labels, SVM", _pairs(0.41, 0.42)),
    _kernel("SVM-Garg2016", "path_svm:SemanticPathKernel",
            "path kernel with word vectors on dependency or AMR role paths, SVM", _interactions(0.46, 0.45)),
)  # fmt: skip
NETWORKS = (
    _network("CNN-Nguyen2015", "supervised_networks:NguyenCNN", "CNN over the sentence with positions", _pairs(0.37, 0.45)),
    _network("BiLSTM-Kavuluru2017", "supervised_networks:KavuluruBiLSTM",
             "Bi-LSTM over the sentence with positions, max pooling", _pairs(0.30, 0.47)),
    _network("CNN-Peng2017", "supervised_networks:PengCNN",
             "multichannel CNN over words and their dependency heads", _pairs(0.48, 0.50)),
    _network("RNN-Hsieh2017", "supervised_networks:HsiehRNN", "Bi-LSTM over the words of the sentence", _pairs(0.49, 0.51)),
    _network("LSTM-Rao2017", "supervised_networks:RaoLSTM", "LSTM along the path", _interactions(0.46)),
    _network("LSTM-Garg2019", "supervised_networks:GargLSTM", "two-layer LSTM along the path", _interactions(0.59, 0.30)),
    _network("BiLSTM-Garg2019", "supervised_networks:GargBiLSTM",
             "two-layer Bi-LSTM along the path", _interactions(0.55, 0.46)),
    _network("LSTM-CNN-Garg2019", "supervised_networks:GargLSTMCNN",
             "convolutions over an LSTM along the path", _interactions(0.60, 0.50)),
    _network("CNN-Garg2019", "supervised_networks:GargCNN", "CNN along the path", _interactions(0.60, 0.51)),
    _network("CNN-RevGrad", "adversarial:ReversalCNN",
             "CNN over the sentence with gradient reversal (Ganin 2016)", _pairs(0.43, 0.47), transductive=True),
    _network("BiLSTM-RevGrad", "adversarial:ReversalBiLSTM",
             "Bi-LSTM over the sentence with gradient reversal (Ganin 2016)", _pairs(0.40, 0.46), transductive=True),
    _network("Adv-CNN", "adversarial:AdversarialCNN",
             "CNN over the sentence, adapted by an adversary (Rios 2018)", _pairs(0.54, 0.49), transductive=True),
    _network("Adv-BiLSTM", "adversarial:AdversarialBiLSTM",
             "Bi-LSTM over the sentence, adapted by an adversary (Rios 2018)", _pairs(0.57, 0.49), transductive=True),
    _network("SSL-VAE", "variational:SemiSupervisedVAE",
             "CNN classifier of a semi-supervised variational autoencoder (Zhang 2019)",
             _pairs(0.50, 0.46) | _interactions(0.48, 0.40), transductive=True),
)  # fmt: skip
_TODAY = (
    _today("embedding-lr", "embedding:SentenceEmbedding",
           "logistic regression on the sentence embedding of a local model", "contextual"),
    _today("kindred", "kindred_adapter:Kindred", "kindred's own relation classifier", "kindred"),
)  # fmt: skip

BASELINES: Registry[BaselineEntry] = Registry(
    "baseline", "relhash.baselines", {entry.name: entry for entry in (*_KERNELS, *NETWORKS, *_TODAY)}
)
"""By the name that ``relhash benchmark --systems`` takes; another package offers one by an entry point of this group.

>>> BASELINES["SVM-Airola2008"].paper_f1["A→B"]
0.47
"""
