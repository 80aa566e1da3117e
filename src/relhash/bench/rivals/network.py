"""The estimator that all networks share: reads candidates, holds out documents, trains, scores."""

from __future__ import annotations

import copy
import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Self, TypeVar

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn

from relhash.bench.rivals.baseline import Baseline, checked_labels, document_ids, thinned
from relhash.bench.rivals.encoders import Encoder
from relhash.bench.rivals.sequences import EncodedSequences, Encoding, TokenSequence, read_sequences
from relhash.bench.rivals.training import (
    Batch,
    LearningTask,
    Progress,
    Rows,
    Schedule,
    bucketed,
    fingerprint,
    hold_out,
    load_checkpoint,
    one_thread,
    reproducibly,
    train,
    write_checkpoint,
)
from relhash.candidates.candidate import Candidate
from relhash.errors import ParameterError
from relhash.kernels import WordVectors, bundled_vectors
from relhash.learn.metrics import average_precision

Floats = NDArray[np.float64]
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


class NetworkClassifier(Baseline):
    """Base of the networks. A subclass says what it reads and which layers read it.

    A tenth of the training documents is held out: it says when to stop, and its scores are the held-out scores. The loss
    weighs both classes alike. Word vectors are frozen, entities blinded.

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
    n_jobs
        Not used: a network trains on one thread, so that its result never depends on the machine's load; run several at a
        time as processes.
    verbose
        Print one line per epoch.
    callback
        Called with a :class:`~relhash.bench.rivals.training.Progress` after each epoch.
    checkpoint
        File that holds the weights of the best epoch so far (safetensors). If it holds those of a finished fit with the same
        parameters on the same data, they are taken instead of training again.

    Attributes
    ----------
    parts_
        All that was trained; ``parts_["network"]`` is the network that predicts.
    history_
        All epochs.
    """

    reading: ClassVar[str] = "sentence"
    context: ClassVar[int | None] = 10
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
        verbose: bool = False,
        callback: Callable[[Progress], None] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
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
        self.verbose = verbose
        self.callback = callback
        self.checkpoint = checkpoint

    @abstractmethod
    def make_network(self, encoding: Encoding) -> Network:
        """The untrained network."""

    def make_parts(self, encoding: Encoding) -> nn.ModuleDict:
        """All that is to be trained, the network that predicts as ``"network"``."""
        return nn.ModuleDict({"network": self.make_network(encoding)})

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)
        self._check()
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
            self._trained_on = self._fingerprint(candidates, labels, unlabelled) if self.checkpoint is not None else ""
            if self.checkpoint is None or not load_checkpoint(self.checkpoint, self.parts_, self._trained_on):
                self._train(self.parts_, LearningTask(data, labels, trained, held_out, self.encoding_.encode(other)))
                self._keep(is_finished=True)
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
        """Train by the shared loop; the first epochs are never the best, however a small held-out set may flatter them."""
        warm_up = min(warm_up, self.max_epochs - 1)
        how = Schedule(self.max_epochs, self.patience, self.learning_rate, 1e-5, warm_up, faster or {})
        self.history_ += train(network, losses, validate, how, self._report)

    def _quality(self, network: nn.Module, task: LearningTask) -> float:
        """Average precision; among equals, of which small held-out sets give many, the likelihood of the labels decides."""
        positive, y = scores(network, task.data, task.held_out), task.y[task.held_out]
        right = np.where(y, positive, 1 - positive)
        return average_precision(y, positive) + 1e-4 * float(np.log(np.maximum(right, 1e-9)).mean())

    def _keep(self, *, is_finished: bool = False) -> None:
        if self.checkpoint is not None:
            write_checkpoint(self.checkpoint, self.parts_, self._trained_on, is_finished=is_finished)

    def _fingerprint(self, candidates: Sequence[Candidate], y: NDArray[np.bool_], target: Sequence[Candidate]) -> str:
        """What the weights depend on: parameters, candidates with their labels, the target, word vectors, PyTorch."""
        beside = ("n_jobs", "verbose", "callback", "checkpoint", "vectors")
        parameters = {name: value for name, value in self.get_params(deep=False).items() if name not in beside}
        vectors = self.encoding_.vectors
        return fingerprint(
            [
                type(self).__name__, sorted(parameters.items()), [candidate.key for candidate in candidates], y.tolist(),
                [candidate.key for candidate in target], len(vectors), float(vectors.scales.sum()), torch.__version__,
            ]
        )  # fmt: skip

    def _report(self, progress: Progress) -> None:
        if progress.is_best:
            self._keep()
        if self.verbose:
            print(f"{type(self).__name__}: {progress}", flush=True)
        if self.callback is not None:
            self.callback(progress)

    def _read(self, candidates: Iterable[Candidate]) -> list[TokenSequence]:
        return read_sequences(candidates, self.reading, context=self.context, syntax=self.syntax)

    def _check(self) -> None:
        for name in ("max_epochs", "patience", "batch_size"):
            if getattr(self, name) < 1:
                raise ParameterError(f"{name}={getattr(self, name)}: at least 1")
        if not 0.0 < self.validation_share <= 0.5:
            raise ParameterError(f"validation_share={self.validation_share}: above 0 and at most 0.5")
        if not 0.0 <= self.dropout < 1.0:
            raise ParameterError(f"dropout={self.dropout}: from 0 to less than 1")


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
