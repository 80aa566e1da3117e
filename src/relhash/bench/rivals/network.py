"""The estimator that all networks share: reads candidates, holds out documents, trains, scores.

PyTorch's random numbers and its number of threads belong to the whole process, so a fit takes them for itself
(:func:`reproducibly`) and gives them back: the same seed gives the same network whatever else ran before, on any number of
cores. To train several networks at a time use processes, not threads.
"""

from __future__ import annotations

import copy
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn
from torch.nn import functional

from relhash.bench.rivals.baseline import Baseline, checked_labels, document_ids, thinned
from relhash.bench.rivals.layers import Batch, Encoder, bucketed, endless
from relhash.bench.rivals.sequences import EncodedSequences, Encoding, TokenSequence, read_sequences
from relhash.candidates.candidate import Candidate
from relhash.errors import ParameterError
from relhash.kernels import WordVectors, bundled_vectors
from relhash.learn.classifier import document_folds
from relhash.learn.metrics import average_precision

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Part = TypeVar("Part", bound=nn.Module)


class Network(nn.Module):
    """An encoder and a logistic output, with dropout between them and a hidden layer where one is asked for."""

    def __init__(self, encoder: Encoder, *, dropout: float, hidden: int = 0) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.hidden = nn.Linear(encoder.width, hidden) if hidden else None
        self.output = nn.Linear(hidden or encoder.width, 1)

    def decide(self, features: Tensor) -> Tensor:
        """Log-odds of a relation from the encoder's features."""
        kept = self.dropout(features)
        if self.hidden is not None:
            kept = self.dropout(torch.tanh(self.hidden(kept)))
        return self.output(kept)[:, 0]

    def forward(self, batch: Batch) -> Tensor:
        return self.decide(self.encoder(batch))


class Progress(NamedTuple):
    """One epoch: its number from 1, mean loss, quality on the held-out documents, and whether it is the best so far."""

    epoch: int
    loss: float
    validation: float
    is_best: bool


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


class NetworkClassifier(Baseline):
    """Base of the networks. A subclass says what it reads and which layers read it.

    A share of the training documents is held out: it says when to stop, and its scores are the held-out scores. The loss
    weighs both classes alike. Word vectors are frozen, entities blinded. A network trains on one thread, whatever ``n_jobs``.

    Parameters
    ----------
    width
        Filters a window, or units a direction; ``None`` takes the architecture's own.
    dropout
        Share of features that are dropped in training.
    max_epochs, patience, batch_size, learning_rate
        Training stops after ``max_epochs``, or after ``patience`` epochs without a better one.
    validation_share
        Share of the training documents held out.
    vectors
        Word vectors; ``None`` takes those that ship with RelHash.
    random_state
        Seed of weights, batches, dropout and of the documents held out.

    Attributes
    ----------
    parts_
        All that was trained; ``parts_["network"]`` is the network that predicts.
    history_
        All epochs.
    """

    reading: ClassVar[str] = "sentence"
    syntax: ClassVar[bool] = False
    takes_target: ClassVar[bool] = False
    needs_target: ClassVar[bool] = False
    held_out_part: ClassVar[str] = "network"
    most: ClassVar[int | None] = None
    """Training candidates that it is given at most; of more, the rarer class stays as far as it is half of them."""

    def __init__(
        self,
        *,
        width: int | None = None,
        dropout: float = 0.5,
        max_epochs: int = 12,
        patience: int = 4,
        batch_size: int = 64,
        learning_rate: float = 3e-3,
        validation_share: float = 0.1,
        vectors: WordVectors | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.width = width
        self.dropout = dropout
        self.max_epochs = max_epochs
        self.patience = patience
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.validation_share = validation_share
        self.vectors = vectors
        self.random_state = random_state
        self.n_jobs = n_jobs

    @abstractmethod
    def make_network(self, encoding: Encoding) -> Network:
        """The untrained network."""

    def make_parts(self, encoding: Encoding) -> nn.ModuleDict:
        """All that is to be trained, the network that predicts as ``"network"``."""
        return nn.ModuleDict({"network": self.make_network(encoding)})

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)
        unlabelled = list(target or ()) if self.takes_target else []
        if self.needs_target and not unlabelled:
            raise ParameterError(f"{type(self).__name__} adapts to a text: give its candidates, without labels, as target=")
        own, other = self._read(candidates), self._read(unlabelled)
        self.encoding_ = Encoding.learn([*own, *other], self.vectors or bundled_vectors())
        data = self.encoding_.encode(own)
        trained, held_out = hold_out(labels, document_ids(candidates), self.validation_share, self.random_state)
        if self.most is not None:
            trained = trained[thinned(labels[trained], self.most, self.random_state)]
        self.history_: list[Progress] = []
        with reproducibly(self.random_state):
            self.parts_ = self.make_parts(self.encoding_)
            self._train(self.parts_, LearningTask(data, labels, trained, held_out, self.encoding_.encode(other)))
        self.held_out_scores_ = scores(self.parts_[self.held_out_part], data, held_out)
        self.held_out_labels_ = labels[held_out]
        self.classes_ = np.array([False, True])
        return self

    def predict_proba(self, candidates: Sequence[Candidate]) -> Floats:
        data = self.encoding_.encode(self._read(candidates))
        positive = scores(self.parts_["network"], data, np.arange(len(data)))
        return np.column_stack([1 - positive, positive])

    def features(self, candidates: Sequence[Candidate]) -> Floats:
        """What the encoder makes of candidates, a row each: the layer before the classifier."""
        data = self.encoding_.encode(self._read(candidates))
        encoder = copy.deepcopy(part(self.parts_, "network", Network).encoder).double().eval()
        rows = np.zeros((len(data), encoder.width))
        with one_thread(), torch.inference_mode():
            for batch in bucketed(data, np.arange(len(data)), 256):
                rows[batch.rows] = encoder(batch).numpy()
        return rows

    def _read(self, candidates: Iterable[Candidate]) -> list[TokenSequence]:
        return read_sequences(candidates, self.reading, context=10, syntax=self.syntax)

    def _train(self, parts: nn.ModuleDict, task: LearningTask) -> None:
        """Train ``parts`` in place."""
        self._train_supervised(parts["network"], task)

    def _train_supervised(self, network: nn.Module, task: LearningTask) -> None:
        rng = np.random.default_rng(self.random_state)
        loss = task.loss()

        def losses(epoch: int) -> Iterator[Callable[[], Tensor]]:
            for batch in task.batches(self.batch_size, rng):
                yield lambda batch=batch: loss(network(batch), batch)  # type: ignore[misc]

        self._run(network, losses, lambda: self._quality(network, task))

    def _run(
        self,
        network: nn.Module,
        losses: Callable[[int], Iterable[Callable[[], Tensor]]],
        validate: Callable[[], float],
        *,
        warm_up: int = 2,
        faster: Mapping[str, float] | None = None,
    ) -> None:
        """Train by Adam, stop early, and leave the network with the weights of its best epoch.

        Parameters
        ----------
        losses
            ``losses(epoch)`` gives, for each batch of the epoch, a function that computes its loss.
        validate
            Quality on held-out data, higher is better.
        warm_up
            Epochs that are never the best, however a small held-out set may flatter them.
        faster
            Parts of the network that learn at a multiple of the rate.
        """
        warm_up = min(warm_up, self.max_epochs - 1)
        groups = [
            {"params": list(child.parameters()), "lr": self.learning_rate * (faster or {}).get(name, 1.0)}
            for name, child in network.named_children()
        ]
        optimiser = torch.optim.Adam(groups, lr=self.learning_rate, weight_decay=1e-5)
        best, best_state, since_best = -float("inf"), copy.deepcopy(network.state_dict()), 0
        for epoch in range(1, self.max_epochs + 1):
            network.train()
            seen = []
            for loss_of_batch in losses(epoch):
                optimiser.zero_grad(set_to_none=True)
                loss = loss_of_batch()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 5.0)
                optimiser.step()
                seen.append(float(loss.detach()))
            network.eval()
            quality = validate()
            is_best = epoch > warm_up and quality > best
            self.history_.append(Progress(epoch, float(np.mean(seen)), quality, is_best))
            if is_best:
                best, best_state, since_best = quality, copy.deepcopy(network.state_dict()), 0
            elif epoch > warm_up:
                since_best += 1
            if since_best >= self.patience:
                break
        network.load_state_dict(best_state)
        network.eval()

    def _quality(self, network: nn.Module, task: LearningTask) -> float:
        """Average precision; among equals, of which small held-out sets give many, the likelihood of the labels decides."""
        positive, y = scores(network, task.data, task.held_out), task.y[task.held_out]
        right = np.where(y, positive, 1 - positive)
        return average_precision(y, positive) + 1e-4 * float(np.log(np.maximum(right, 1e-9)).mean())


def part(parts: nn.ModuleDict, name: str, kind: type[Part]) -> Part:
    """A part by its name, known to be of its kind."""
    found = parts[name]
    if not isinstance(found, kind):
        raise TypeError(f"part {name!r} is a {type(found).__name__}, not a {kind.__name__}")
    return found


def scores(network: nn.Module, data: EncodedSequences, rows: Rows) -> Floats:
    """Probability of a relation for each of ``rows``, the same whatever they are scored together with.

    Computed in double precision and rounded, because the last digits of a matrix product depend on its shape.
    """
    exact = copy.deepcopy(network).double().eval()
    result = np.empty(len(data))
    with one_thread(), torch.inference_mode():
        for batch in bucketed(data, rows, 256):
            result[batch.rows] = torch.sigmoid(exact(batch)).numpy()
    return np.round(result[rows], 9)
