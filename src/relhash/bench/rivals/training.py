"""The loop that trains every network here: Adam, early stopping, the best epoch kept, one line of progress per epoch.

PyTorch's random numbers and its number of threads belong to the whole process, so a fit takes them for itself (see
:func:`reproducibly`) and gives them back: the same seed gives the same network whatever else ran before, on any number of
cores. To train several networks at a time use processes, not threads.

Batches of sequences of about equal length, padded.

Weights of a network in a file (safetensors, never pickle), with what they were trained on as a fingerprint.

What a network is trained on: encoded candidates with labels, part of them held out, and the target's without labels.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.nn import functional

from relhash.bench.rivals.sequences import MAX_DISTANCE, NOWHERE, PADDING, EncodedSequences
from relhash.errors import ModelFileError, ParameterError
from relhash.files import replacing
from relhash.learn.classifier import document_folds


@dataclass(frozen=True, eq=False)
class Batch:
    """Candidates side by side, the first axis; the second axis is the token, padded at the end.

    Attributes
    ----------
    rows
        Which candidates these are.
    vectors, symbols
        The vector of each word (zeros for a symbol), and the number of each symbol (0 for a word).
    positions
        Distance to each participant, as a number from 1; 0 where that participant does not show.
    tags, edges, heads
        As in :class:`~relhash.bench.rivals.sequences.EncodedSequences`; without columns where syntax was not read.
    mask, lengths
        Which tokens are real, and how many.
    """

    rows: NDArray[np.int64]
    vectors: Tensor
    symbols: Tensor
    positions: Tensor
    tags: Tensor
    edges: Tensor
    heads: Tensor
    mask: Tensor
    lengths: Tensor


def make_batch(data: EncodedSequences, rows: NDArray[np.int64], dtype: torch.dtype = torch.float32) -> Batch:
    """The candidates ``rows`` as one batch."""
    starts, lengths = data.starts[rows], data.lengths[rows]
    longest = max(1, int(lengths.max(initial=0)))
    columns = np.arange(longest)
    real = columns < lengths[:, None]
    places = np.where(real, starts[:, None] + columns, 0)

    def padded(values: NDArray[np.int64], filler: int) -> Tensor:
        if not values.size:
            return torch.zeros((len(rows), 0), dtype=torch.long)
        return torch.from_numpy(np.where(real, values[places], filler))

    words = data.words[places]
    mask = torch.from_numpy(real)
    vectors = torch.from_numpy(data.vectors[words]).to(dtype) * mask[..., None]
    anchors = data.anchors[rows][:, None, :]
    distances = np.clip(columns[None, :, None] - anchors, -MAX_DISTANCE, MAX_DISTANCE) + MAX_DISTANCE + 1
    positions = np.where((anchors == NOWHERE) | ~real[..., None], PADDING, distances)
    return Batch(
        rows,
        vectors,
        torch.from_numpy(np.where(real, data.symbols[words], PADDING)),
        torch.from_numpy(positions),
        padded(data.tags, PADDING),
        padded(data.edges, PADDING),
        padded(data.heads, NOWHERE),
        mask,
        torch.from_numpy(np.maximum(lengths, 1)),
    )


def bucketed(
    data: EncodedSequences, rows: NDArray[np.int64], batch_size: int, rng: np.random.Generator | None = None
) -> Iterator[Batch]:
    """All of ``rows`` in batches of about equal length; in random composition and order where ``rng`` is given."""
    lengths = data.lengths[rows].astype(np.float64)
    if rng is not None:
        lengths += rng.uniform(0, 3, rows.size)  # not the same neighbours in every epoch
    order = rows[np.argsort(lengths, kind="stable")]
    parts = [order[start : start + batch_size] for start in range(0, rows.size, batch_size)]
    if rng is not None:
        parts = [parts[number] for number in rng.permutation(len(parts))]
    dtype: Any = torch.float32 if rng is not None else torch.float64
    for part in parts:
        yield make_batch(data, part, dtype)


def endless(data: EncodedSequences, rows: NDArray[np.int64], batch_size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Batches of ``rows`` without end, a new random order each time round."""
    while True:
        yield from bucketed(data, rows, batch_size, rng)


def fingerprint(facts: Iterable[Any]) -> str:
    """A short hash of plain facts (numbers, strings, lists of them).

    >>> fingerprint(["CNN", 3]) == fingerprint(["CNN", 3]) != fingerprint(["CNN", 4])
    True
    """
    return hashlib.sha256(json.dumps(list(facts), default=str).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def write_checkpoint(path: str | os.PathLike[str], parts: nn.Module, trained_on: str, *, is_finished: bool) -> None:
    """Write all weights; the file is replaced as a whole."""
    weights = {name: value.contiguous().clone() for name, value in parts.state_dict().items()}
    with replacing(path, "wb") as handle:
        handle.write(save(weights, metadata={"trained_on": trained_on, "is_finished": str(is_finished)}))


def load_checkpoint(path: str | os.PathLike[str], parts: nn.Module, trained_on: str) -> bool:
    """Take the weights of a finished fit of the same thing; ``False`` if the file is absent, of another fit, or unfinished."""
    if not Path(path).exists():
        return False
    try:
        with safe_open(path, framework="pt") as stored:
            known = stored.metadata() or {}
            if known.get("trained_on") != trained_on or known.get("is_finished") != "True":
                return False
            parts.load_state_dict({name: stored.get_tensor(name) for name in stored.keys()})  # noqa: SIM118 (not a dict)
    except (SafetensorError, RuntimeError) as error:
        raise ModelFileError(f"{path}: not a readable checkpoint ({error}); delete it to train anew") from error
    return True


Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LearningTask:
    """The rows ``trained`` and ``held_out`` of ``data`` with labels ``y``; ``target`` is empty where none was given."""

    data: EncodedSequences
    y: NDArray[np.bool_]
    trained: Rows
    held_out: Rows
    target: EncodedSequences

    def loss(self) -> WeightedLoss:
        """The loss of the labels."""
        return WeightedLoss(self.y, self.trained)

    def batches(self, batch_size: int, rng: np.random.Generator) -> Iterator[Batch]:
        """The rows to train on, once."""
        return bucketed(self.data, self.trained, batch_size, rng)

    def target_batches(self, batch_size: int, rng: np.random.Generator) -> Iterator[Batch]:
        """The target without end, half a batch at a time: it stands beside a batch of the training text."""
        return endless(self.target, np.arange(len(self.target)), max(1, batch_size // 2), rng)


class WeightedLoss:
    """Logistic loss that weighs both classes alike."""

    def __init__(self, y: NDArray[np.bool_], trained: Rows) -> None:
        positive = max(1, int(y[trained].sum()))
        self.labels = torch.from_numpy(y.astype(np.float32))
        weights = np.where(y, trained.size / (2 * positive), trained.size / (2 * max(1, trained.size - positive)))
        self.weights = torch.from_numpy(weights.astype(np.float32))

    def __call__(self, logits: Tensor, batch: Batch) -> Tensor:
        return functional.binary_cross_entropy_with_logits(logits, self.labels[batch.rows], self.weights[batch.rows])


def hold_out(y: NDArray[np.bool_], documents: NDArray[Any], share: float, seed: int) -> tuple[Rows, Rows]:
    """Rows to train on and rows held out, by document; both hold both classes.

    >>> trained, held_out = hold_out(np.arange(40) % 4 == 0, np.repeat(np.arange(20), 2), 0.1, seed=0)
    >>> len(held_out), set(trained // 2).isdisjoint(held_out // 2)
    (4, True)
    """
    folds = document_folds(y, documents, round(1 / share), seed)
    usable = [(trained, held_out) for trained, held_out in folds if 0 < y[held_out].sum() < held_out.size]
    if not usable:
        raise ParameterError(
            f"{int(y.sum())} positive among {y.size} labelled candidates: too few to hold some out; at least 2 of each class"
        )
    return usable[0]


_ONE_AT_A_TIME = threading.RLock()


@dataclass(frozen=True)
class Progress:
    """One epoch: its number from 1, mean loss, quality on the held-out documents, and whether it is the best so far."""

    stage: str
    epoch: int
    loss: float
    validation: float
    seconds: float
    is_best: bool

    def __str__(self) -> str:
        mark = " *" if self.is_best else ""
        quality = f"loss {self.loss:.4f}, held-out AP {self.validation:.3f}"
        return f"{self.stage} epoch {self.epoch}: {quality}, {self.seconds:.1f} s{mark}"


@dataclass(frozen=True)
class Schedule:
    """How long and how fast.

    Attributes
    ----------
    max_epochs, patience
        Stop after so many epochs, or after so many without a better one.
    learning_rate, weight_decay
        Of Adam.
    warm_up
        Epochs that cannot be the best one, for losses that only take their final form after some time.
    faster
        Parts of the network that learn at a multiple of the rate.
    """

    max_epochs: int
    patience: int
    learning_rate: float
    weight_decay: float = 0.0
    warm_up: int = 0
    faster: Mapping[str, float] = field(default_factory=dict)


@contextmanager
def reproducibly(seed: int) -> Iterator[None]:
    """One thread and a seed of its own for PyTorch, restored afterwards."""
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch on one thread, used by one caller at a time; its number of threads restored afterwards."""
    with _ONE_AT_A_TIME:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


def train(
    network: nn.Module,
    losses: Callable[[int], Iterable[Callable[[], Tensor]]],
    validate: Callable[[], float],
    schedule: Schedule,
    report: Callable[[Progress], None],
    stage: str = "training",
) -> list[Progress]:
    """Train ``network`` and leave it with the weights of its best epoch.

    Parameters
    ----------
    losses
        ``losses(epoch)`` gives, for each batch of the epoch, a function that computes its loss.
    validate
        Quality on held-out data, higher is better.
    report
        Called after each epoch.
    """
    rates = {name: schedule.learning_rate * schedule.faster.get(name, 1.0) for name, _ in network.named_children()}
    groups = [{"params": list(child.parameters()), "lr": rates[name]} for name, child in network.named_children()]
    optimiser = torch.optim.Adam(groups, lr=schedule.learning_rate, weight_decay=schedule.weight_decay)
    parameters = list(network.parameters())
    best, best_state, since_best = -float("inf"), copy.deepcopy(network.state_dict()), 0
    history: list[Progress] = []
    for epoch in range(1, schedule.max_epochs + 1):
        start = time.perf_counter()
        network.train()
        total = 0.0
        n_batches = 0
        for loss_of_batch in losses(epoch):
            optimiser.zero_grad(set_to_none=True)
            loss = loss_of_batch()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 5.0)
            optimiser.step()
            total += float(loss.detach())
            n_batches += 1
        network.eval()
        quality = validate()
        is_best = epoch > schedule.warm_up and quality > best
        history.append(Progress(stage, epoch, total / max(1, n_batches), quality, time.perf_counter() - start, is_best))
        if is_best:
            best, best_state, since_best = quality, copy.deepcopy(network.state_dict()), 0
        elif epoch > schedule.warm_up:
            since_best += 1
        report(history[-1])
        if since_best >= schedule.patience:
            break
    network.load_state_dict(best_state)
    network.eval()
    return history
