"""The loop that trains every network here: Adam, early stopping, the best epoch kept, one line of progress per epoch.

PyTorch's random numbers and its number of threads belong to the whole process, so a fit takes them for itself (see
:func:`reproducibly`) and gives them back: the same seed gives the same network whatever else ran before, on any number of
cores. To train several networks at a time use processes, not threads.
"""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

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
    """PyTorch on one thread, nobody else on it, its number of threads restored afterwards."""
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
