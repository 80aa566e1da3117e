"""Entries of the networks in the table of baselines; PyTorch is imported when one is made, not before."""

from __future__ import annotations

from collections.abc import Mapping

from relhash.baselines.entry import BaselineEntry, lazily

__all__ = ["NEURAL"]


def _entry(name: str, made: str, summary: str, paper_f1: Mapping[str, float], *, transductive: bool = False) -> BaselineEntry:
    return BaselineEntry(name, summary, lazily(made), needs="neural", paper_f1=paper_f1, transductive=transductive)


NEURAL: tuple[BaselineEntry, ...] = (
    _entry(
        "CNN-Nguyen2015", "supervised_networks:NguyenCNN", "CNN over the sentence with positions", {"A→B": 0.37, "B→A": 0.45}
    ),
    _entry(
        "BiLSTM-Kavuluru2017",
        "supervised_networks:KavuluruBiLSTM",
        "Bi-LSTM over the sentence with positions, max pooling",
        {"A→B": 0.30, "B→A": 0.47},
    ),
    _entry(
        "CNN-Peng2017",
        "supervised_networks:PengCNN",
        "multichannel CNN over words and their dependency heads",
        {"A→B": 0.48, "B→A": 0.50},
    ),
    _entry(
        "RNN-Hsieh2017", "supervised_networks:HsiehRNN", "Bi-LSTM over the words of the sentence", {"A→B": 0.49, "B→A": 0.51}
    ),
    _entry("LSTM-Rao2017", "supervised_networks:RaoLSTM", "LSTM along the path", {"train→devel13": 0.46}),
    _entry(
        "LSTM-Garg2019",
        "supervised_networks:GargLSTM",
        "two-layer LSTM along the path",
        {"train→devel13": 0.59, "subsets": 0.30},
    ),
    _entry(
        "BiLSTM-Garg2019",
        "supervised_networks:GargBiLSTM",
        "two-layer Bi-LSTM along the path",
        {"train→devel13": 0.55, "subsets": 0.46},
    ),
    _entry(
        "LSTM-CNN-Garg2019",
        "supervised_networks:GargLSTMCNN",
        "convolutions over an LSTM along the path",
        {"train→devel13": 0.60, "subsets": 0.50},
    ),
    _entry("CNN-Garg2019", "supervised_networks:GargCNN", "CNN along the path", {"train→devel13": 0.60, "subsets": 0.51}),
    _entry(
        "CNN-RevGrad",
        "adversarial:ReversalCNN",
        "CNN over the sentence with gradient reversal (Ganin 2016)",
        {"A→B": 0.43, "B→A": 0.47},
        transductive=True,
    ),
    _entry(
        "BiLSTM-RevGrad",
        "adversarial:ReversalBiLSTM",
        "Bi-LSTM over the sentence with gradient reversal (Ganin 2016)",
        {"A→B": 0.40, "B→A": 0.46},
        transductive=True,
    ),
    _entry(
        "Adv-CNN",
        "adversarial:AdversarialCNN",
        "CNN over the sentence, adapted by an adversary (Rios 2018)",
        {"A→B": 0.54, "B→A": 0.49},
        transductive=True,
    ),
    _entry(
        "Adv-BiLSTM",
        "adversarial:AdversarialBiLSTM",
        "Bi-LSTM over the sentence, adapted by an adversary (Rios 2018)",
        {"A→B": 0.57, "B→A": 0.49},
        transductive=True,
    ),
    _entry(
        "SSL-VAE",
        "variational:SemiSupervisedVAE",
        "CNN classifier of a semi-supervised variational autoencoder (Zhang 2019)",
        {"A→B": 0.50, "B→A": 0.46, "train→devel13": 0.48, "subsets": 0.40},
        transductive=True,
    ),
)
"""In the order of the paper's tables."""
