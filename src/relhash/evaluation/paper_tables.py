"""The rows of the paper's tables, in its order, and which of them can run on this machine."""

from __future__ import annotations

from collections.abc import Sequence

from relhash.baselines.registry import BASELINES, is_installed, remedy
from relhash.errors import DataMissingError, ParameterError
from relhash.evaluation.protocols import Protocol
from relhash.evaluation.systems import SYSTEMS, System

__all__ = ["ALL", "all_systems", "choose_systems", "extra_of"]

ALL = "all"
"""The name that stands for every system of the paper's table, ours, and what a user would pick today."""

_PAIRS = (
    "SVM-Airola2008", "SVM-Miwa2009", "SVM-Tikk2010", "CNN-Nguyen2015", "BiLSTM-Kavuluru2017", "CNN-Peng2017", "RNN-Hsieh2017",
    "CNN-RevGrad", "BiLSTM-RevGrad", "Adv-CNN", "Adv-BiLSTM", "KLSH-kNN", "KLSH-RF", "SSL-VAE", "KLSH-NU-RF",
)  # fmt: skip
_INTERACTIONS = (
    "SVM-Garg2016", "LSTM-Rao2017", "LSTM-Garg2019", "BiLSTM-Garg2019", "LSTM-CNN-Garg2019", "CNN-Garg2019", "KLSH-kNN",
    "KLSH-RF", "SSL-VAE", "KLSH-NU-RF",
)  # fmt: skip
_OURS = ("NLSH-NU-RF", "best", "best+contextual")
_TODAY = ("random", "ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "nystroem-lr", "embedding-lr", "kindred")
_PAIRS_ONLY = ("kindred", "embedding-lr")
"""Kindred cannot, and an encoder would read 80,000 sentences of BioNLP, one for each way to fill the roles; it can be named."""


def all_systems(protocol: Protocol) -> list[str]:
    """Names of all systems for a protocol: on interactions, hashing and rivals as they are aligned by role.

    >>> from relhash.evaluation.protocols import PROTOCOLS
    >>> "KLSH-NU-RF" in all_systems(PROTOCOLS["ppi-cross"]), "events/KLSH-NU-RF" in all_systems(PROTOCOLS["bionlp"])
    (True, True)
    """
    if not protocol.prepared:
        return [name for name in (*_PAIRS, *_OURS, *_TODAY) if name in SYSTEMS]
    rows = [name for name in (*_INTERACTIONS, *_OURS, *_TODAY) if name not in _PAIRS_ONLY]
    aligned = (name if name in BASELINES else f"events/{name}" for name in rows)
    return [name for name in aligned if name in SYSTEMS]


def extra_of(system: System) -> str:
    """The extra that a system needs; ``""`` for none."""
    if system.baseline:
        return BASELINES[system.baseline].needs
    if "contextual" in system.preset.parts:
        return "contextual"
    return "neural" if system.preset.learner.get("hash_function") == "neural" else ""


def choose_systems(names: Sequence[str] | None, protocol: Protocol) -> tuple[list[System], list[str]]:
    """Systems by name (the protocol's own if not given), and a note for each of :data:`ALL` that cannot run here.

    A system that is named and cannot run is an error; one that is only part of all is left out.
    """
    given = list(protocol.systems) if names is None else list(names)
    wanted = dict.fromkeys(one for name in given for one in (all_systems(protocol) if name == ALL else [name]))
    unknown = [name for name in wanted if name not in SYSTEMS]
    if unknown:
        raise ParameterError(f"systems: there is no {', '.join(unknown)}; there are {ALL}, {', '.join(SYSTEMS)}")
    missing = {name: extra_of(SYSTEMS[name]) for name in wanted if not is_installed(extra_of(SYSTEMS[name]))}
    for name in given:
        if name in missing:
            raise DataMissingError(f"systems: {name} needs what is not installed: {remedy(missing[name])}")
    notes = [f"{name} was left out, what it needs is not installed: {remedy(extra)}" for name, extra in missing.items()]
    chosen = [SYSTEMS[name] for name in wanted if name not in missing]
    if not chosen:
        raise ParameterError("systems: none is left to run")
    return chosen, notes
