"""Fitting many small networks at once; the only module of this room that imports torch.

All networks of a call read the same references and differ in how these are split. They are one model with one more axis: a
matrix product of the model is a batch of small products, so a hundred networks take hardly longer than one. They share nothing
but the call: each has its own loss, and the steps of the optimiser are taken number by number.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from relhash.hashing.neural.network import Architecture

Weights = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Training:
    """How networks are fitted: steps of AdamW on the whole of the references."""

    epochs: int
    learning_rate: float
    weight_decay: float


def fit_networks(
    architecture: Architecture,
    start: NDArray[np.float32],
    vectors: NDArray[np.float32],
    lengths: NDArray[np.int64],
    splits: NDArray[np.uint8],
    training: Training,
) -> NDArray[np.float32]:
    """Weights ``(splits, size)`` of networks that have learned on which side each reference lies.

    Parameters
    ----------
    start
        Weights ``(size,)`` from which all of them start.
    vectors, lengths
        The references: ``(references, steps, width)``, zeros behind their ends.
    splits
        ``(splits, references)`` of zeros and ones. Both sides of a split count the same, however many references they have.
    """
    with _one_thread():
        weights = torch.from_numpy(np.repeat(start[None], len(splits), axis=0)).requires_grad_()
        X, ends = torch.from_numpy(vectors), torch.from_numpy(lengths)
        sides, shares = torch.from_numpy(2 * splits.astype(np.float32) - 1), torch.from_numpy(_shares(splits))
        sizes = [int(np.prod(shape)) for shape in architecture.shapes.values()]
        optimiser = torch.optim.AdamW([weights], lr=training.learning_rate, weight_decay=training.weight_decay)
        for _ in range(training.epochs):
            parts = zip(architecture.shapes.items(), weights.split(sizes, dim=1), strict=True)
            named = {name: part.view(len(splits), *shape) for (name, shape), part in parts}
            losses = functional.softplus(-sides * _logits(named, X, ends))
            (shares * losses).sum().backward()
            optimiser.step()
            optimiser.zero_grad()
        return np.ascontiguousarray(weights.detach().numpy())


@contextmanager
def _one_thread() -> Iterator[None]:
    """Sums that are divided among threads round differently, and these matrices are too small to gain from threads."""
    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.enable_grad():
            yield
    finally:
        torch.set_num_threads(n_threads)


def _shares(splits: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The weight of each reference in its loss: both sides together 1, each side the same."""
    ones = splits.sum(axis=1, keepdims=True).astype(np.float64)
    zeros = splits.shape[1] - ones
    n_sides = (ones > 0).astype(np.float64) + (zeros > 0)
    return (1 / (n_sides * np.where(splits, np.maximum(ones, 1), np.maximum(zeros, 1)))).astype(np.float32)


def _logits(weights: Weights, X: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    """What the logistic units say of the references: ``(networks, references)``."""
    n_references, n_steps, width = X.shape
    n_networks, n_layers, units, _ = weights["recurrent"].shape
    # steps before references, so that what one step of the layers below reads lies together
    states = X.transpose(0, 1).reshape(1, n_steps * n_references, width).expand(n_networks, -1, -1)
    for layer in range(n_layers):
        taken_in = weights["input"] if layer == 0 else weights["between"][:, layer - 1]
        given = torch.baddbmm(weights["bias"][:, layer, None], states, taken_in)
        steps = given.view(n_networks, n_steps, n_references, 4 * units)
        hidden: torch.Tensor = LstmLayer.apply(steps, weights["recurrent"][:, layer])
        states = hidden.reshape(n_networks, n_steps * n_references, units)
    last = (ends - 1).clamp(min=0).view(1, 1, -1, 1).expand(n_networks, 1, -1, units)
    read = hidden.gather(1, last)[:, 0] * (ends > 0).view(1, -1, 1)
    return torch.matmul(read, weights["output"][:, :, None])[:, :, 0] + weights["intercept"]


class LstmLayer(torch.autograd.Function):
    """One layer of long short-term memory: what flows into its gates ``(networks, steps, references, 4 · units)`` and its
    recurrent weights ``(networks, units, 4 · units)`` → its states ``(networks, steps, references, units)``.

    Its derivatives are written out because torch spends ten times as long on keeping account of so many tiny products.
    """

    @staticmethod
    def forward(context: Any, given: torch.Tensor, recurrent: torch.Tensor) -> torch.Tensor:
        n_networks, n_steps, n_references, n_gates = given.shape
        units = n_gates // 4
        gates = given.transpose(0, 1).clone(memory_format=torch.contiguous_format)
        shape = n_steps + 1, n_networks, n_references, units
        hidden, cells, shown = given.new_zeros(shape), given.new_zeros(shape), given.new_zeros(shape)
        # all views of single steps at once: made one by one they would take longer than what is computed with them
        whole, open_gates, candidates = gates.unbind(), gates[..., : 3 * units].unbind(), gates[..., 3 * units :].unbind()
        taken, kept, out = (gate.unbind() for gate in gates[..., : 3 * units].chunk(3, dim=3))
        states, memories, answers = hidden.unbind(), cells.unbind(), shown.unbind()
        for step in range(n_steps):
            whole[step].baddbmm_(states[step], recurrent)
            open_gates[step].sigmoid_()
            candidates[step].tanh_()
            torch.mul(kept[step], memories[step], out=memories[step + 1]).addcmul_(taken[step], candidates[step])
            torch.tanh(memories[step + 1], out=answers[step + 1])
            torch.mul(out[step], answers[step + 1], out=states[step + 1])
        context.save_for_backward(gates, hidden, cells, shown, recurrent)
        return hidden[1:].transpose(0, 1).clone(memory_format=torch.contiguous_format)

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        gates, hidden, cells, shown, recurrent = context.saved_tensors
        n_steps, n_networks, n_references, n_gates = gates.shape
        units = n_gates // 4
        taken, kept, out, candidate = gates.chunk(4, dim=3)
        to_cell = out * (1 - shown[1:] ** 2)
        # what a change of the cell (of the state, for the third gate) does to what flows into each gate
        to_gates = torch.stack(
            (
                candidate * taken * (1 - taken),
                cells[:-1] * kept * (1 - kept),
                shown[1:] * out * (1 - out),
                taken * (1 - candidate**2),
            ),
            dim=3,
        )
        of_gates = torch.empty_like(to_gates)
        backwards = recurrent.transpose(1, 2)
        of_states = gradient.transpose(0, 1).clone(memory_format=torch.contiguous_format)
        of_cell = gates.new_zeros(n_networks, n_references, units)
        for_all_gates = of_cell[:, :, None]
        for of_state, cell_factor, gate_factors, of_gate, of_gate_flat, kept_then, of_state_before in zip(
            *(
                reversed(views)
                for views in (
                    of_states.unbind(),
                    to_cell.unbind(),
                    to_gates.unbind(),
                    of_gates.unbind(),
                    of_gates.view(gates.shape).unbind(),
                    kept.unbind(),
                    (None, *of_states.unbind()[:-1]),
                )
            ),
            strict=True,
        ):
            of_cell.addcmul_(of_state, cell_factor)
            torch.mul(gate_factors, for_all_gates, out=of_gate)
            torch.mul(gate_factors[:, :, 2], of_state, out=of_gate[:, :, 2])
            if of_state_before is not None:
                of_state_before.baddbmm_(of_gate_flat, backwards)
                of_cell.mul_(kept_then)
        flowed = of_gates.view(n_steps, n_networks, n_references, n_gates).transpose(0, 1)
        before = hidden[:-1].transpose(0, 1).reshape(n_networks, n_steps * n_references, units)
        of_recurrent = before.transpose(1, 2) @ flowed.reshape(n_networks, n_steps * n_references, n_gates)
        return flowed, of_recurrent
