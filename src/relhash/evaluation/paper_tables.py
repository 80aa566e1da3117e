"""The rows of the paper's tables, in its order, and which of them can run on this machine."""

from __future__ import annotations

from collections.abc import Sequence

from relhash.baselines import BASELINES
from relhash.baselines.entry import is_installed, remedy
from relhash.errors import DataMissingError, ParameterError
from relhash.evaluation.protocols import Protocol
from relhash.evaluation.systems.listed import SYSTEMS, is_system, system
from relhash.evaluation.systems.system import System

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
_TODAY = ("random", "random-balanced", "ngram-lr", "ngram+descriptors-lr", "descriptors-forest", "nystroem-lr")
"""And every baseline that the paper does not have."""
_WITH_INTERACTIONS = ("NLSH-NU-RF", "best", "random", "random-balanced", "ngram-lr")
"""Ours and what a user would pick today, on interactions. Kindred cannot, and an encoder would read 80,000 sentences of BioNLP,
one for each way to fill the roles; the others can be named."""


def all_systems(protocol: Protocol) -> list[str]:
    """Names of all systems for a protocol.

    >>> from relhash.evaluation.protocols import PROTOCOLS
    >>> "SVM-Tikk2010" in all_systems(PROTOCOLS["ppi-cross"]), "SVM-Tikk2010" in all_systems(PROTOCOLS["bionlp"])
    (True, False)
    """
    if protocol.has_roles:
        return [*_INTERACTIONS, *_WITH_INTERACTIONS]
    return [*_PAIRS, *_OURS, *_TODAY, *(name for name in BASELINES if not BASELINES[name].paper_f1)]


def choose_systems(names: Sequence[str] | None, protocol: Protocol) -> tuple[list[System], list[str]]:
    """Systems by name (the protocol's own if not given), and a note for each of :data:`ALL` that cannot run here.

    Each looks at candidates as the protocol has them: ``best`` is the same system whether it is named or part of the table. A
    system that is named and cannot run is an error; one that is only part of all is left out.
    """
    given = list(protocol.systems) if names is None else list(names)
    wanted = dict.fromkeys(one for name in given for one in (all_systems(protocol) if name == ALL else [name]))
    unknown = [name for name in wanted if not is_system(name)]
    if unknown:
        raise ParameterError(f"systems: there is no {', '.join(unknown)}; there are {ALL}, {', '.join(SYSTEMS)}")
    systems = {name: system(name, has_roles=protocol.has_roles) for name in wanted}
    missing = {name: one.needs for name, one in systems.items() if not is_installed(one.needs)}
    for name in given:
        if name in missing:
            raise DataMissingError(f"systems: {name} needs what is not installed: {remedy(missing[name])}")
    notes = [f"{name} was left out, what it needs is not installed: {remedy(extra)}" for name, extra in missing.items()]
    chosen = [one for name, one in systems.items() if name not in missing]
    if not chosen:
        raise ParameterError("systems: none is left to run")
    return chosen, notes
