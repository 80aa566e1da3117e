"""Semi-supervised variational autoencoder over sentences (SSL-VAE)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from relhash.bench.rivals.layers import Batch, PositionEmbedding, Recurrence, TokenEmbedding
from relhash.bench.rivals.network import LearningTask, Network, part
from relhash.bench.rivals.networks import POSITION_SIZE, NguyenCNN
from relhash.bench.rivals.sequences import UNKNOWN, Encoding


class Posterior(nn.Module):
    """q(z | x, y): a Bi-LSTM reads the sentence; its state and the label give mean and log-variance of z."""

    def __init__(self, encoding: Encoding, units: int, latent: int) -> None:
        super().__init__()
        self.reader = Recurrence(TokenEmbedding(encoding, position_size=POSITION_SIZE), units, pooling="max")
        self.output = nn.Linear(self.reader.width + 1, 2 * latent)

    def forward(self, read: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        mean, log_variance = self.output(torch.cat([read, y[:, None]], dim=1)).chunk(2, dim=1)
        return mean, log_variance.clamp(-8.0, 8.0)


class Decoder(nn.Module):
    """p(x | y, z): convolutions over the tokens of the sentence, each of which sees z, y and its distance to the participants.

    It predicts the direction of each token's vector. A symbol has none of its own and gets a random one that stays.
    """

    def __init__(self, encoding: Encoding, filters: int, latent: int) -> None:
        super().__init__()
        dimensions = encoding.vectors.dimensions
        fixed = functional.normalize(torch.randn(len(encoding.symbols) + UNKNOWN + 1, dimensions), dim=1)
        fixed[0] = 0.0
        self.fixed: Tensor
        self.register_buffer("fixed", fixed)
        self.places = PositionEmbedding(encoding.n_anchors, POSITION_SIZE)
        self.inner = nn.Conv1d(self.places.width + latent + 1, filters, 3, padding=1)
        self.outer = nn.Conv1d(filters, dimensions, 1)

    def forward(self, batch: Batch, z: Tensor, y: Tensor) -> Tensor:
        """Mean over the tokens of 1 − cos(prediction, token), one number per candidate."""
        known = torch.cat([z, y[:, None]], dim=1)[:, None].expand(-1, batch.mask.shape[1], -1)
        inputs = torch.cat([*self.places(batch), known], dim=2) * batch.mask[..., None]
        hidden = functional.relu(self.inner(inputs.transpose(1, 2)))
        predicted = self.outer(hidden).transpose(1, 2)
        truth = batch.vectors + self.fixed[batch.symbols]
        missed = (1 - functional.cosine_similarity(predicted, truth, dim=2)) * batch.mask
        return missed.sum(dim=1) / batch.lengths


class M2Objective:
    """The bounds of Kingma et al. (2014), *Semi-supervised learning with deep generative models*, Eq. 6 and 7.

    Parameters
    ----------
    prior
        p(y = 1), the share of positives among the labelled.
    concentration
        Weight of the reconstruction: κ of a von Mises-Fisher distribution of word vectors.
    divergence_weight
        Weight of the divergence, small because the reconstruction is a mean over tokens.
    """

    def __init__(self, parts: nn.ModuleDict, prior: float, concentration: float, divergence_weight: float) -> None:
        self.network = part(parts, "network", Network)
        self.posterior = part(parts, "posterior", Posterior)
        self.decoder = part(parts, "decoder", Decoder)
        self.log_prior = {0.0: math.log(1 - prior), 1.0: math.log(prior)}
        self.concentration, self.divergence_weight = concentration, divergence_weight

    def labelled(self, batch: Batch, y: Tensor) -> Tensor:
        """Bound on −log p(x | y), mean over the batch."""
        return self._bound(batch, y, self.posterior.reader(batch)).mean()

    def unlabelled(self, batch: Batch) -> Tensor:
        """Bound on −log p(x): in expectation over q(y | x), less the entropy of q(y | x)."""
        logits = self.network(batch)
        read = self.posterior.reader(batch)
        total = torch.zeros(())
        for value, log_prior in self.log_prior.items():
            log_q = functional.logsigmoid(logits if value else -logits)
            bound = self._bound(batch, torch.full_like(logits, value), read)
            total = total + (log_q.exp() * (bound - log_prior + log_q)).mean()
        return total

    def _bound(self, batch: Batch, y: Tensor, read: Tensor) -> Tensor:
        mean, log_variance = self.posterior(read, y)
        z = mean + torch.randn_like(mean) * torch.exp(log_variance / 2)
        divergence = (mean.square() + log_variance.exp() - 1 - log_variance).sum(dim=1) / 2
        return self.concentration * self.decoder(batch, z, y) + self.divergence_weight * divergence


class SemiSupervisedVAE(NguyenCNN):
    """SSL-VAE: a CNN classifier that is also the label part of a variational autoencoder, for labelled and unlabelled text.

    Follows Zhang and Lu (2019), *Exploring semi-supervised variational autoencoders for biomedical relation extraction*: a CNN
    classifies, q(y|x), a Bi-LSTM encodes, q(z|x,y), a CNN decodes, p(x|y,z), by the M2 objective of Kingma et al. (2014):
    labelled sentences contribute their evidence bound and the classification loss, unlabelled ones (the target's) the bound in
    expectation over q(y|x) and the entropy of q(y|x). Departs: the decoder predicts the direction of each word's vector (von
    Mises-Fisher likelihood with a fixed concentration, mean over tokens) instead of a softmax over the vocabulary, which would
    cost most of the time; the classifier is the one-layer CNN of the other rows; z has 16 dimensions.

    Without a target it learns from the labelled sentences alone. Its epochs are the dearest of all rows, so of BioNLP it is
    given 10,000 training candidates.
    """

    takes_target: ClassVar[bool] = True
    most: ClassVar[int | None] = 10_000
    latent: ClassVar[int] = 16
    concentration: ClassVar[float] = 20.0
    divergence_weight: ClassVar[float] = 0.1
    generative_weight: ClassVar[float] = 0.3

    def make_parts(self, encoding: Encoding) -> nn.ModuleDict:
        units = (self.width or 48) // 2
        return nn.ModuleDict(
            {
                "network": self.make_network(encoding),
                "posterior": Posterior(encoding, units, self.latent),
                "decoder": Decoder(encoding, 2 * units, self.latent),
            }
        )

    def _train(self, parts: nn.ModuleDict, task: LearningTask) -> None:
        network = part(parts, "network", Network)
        rng = np.random.default_rng(self.random_state)
        loss = task.loss()
        objective = M2Objective(parts, float(task.y[task.trained].mean()), self.concentration, self.divergence_weight)
        others = task.target_batches(self.batch_size, rng) if len(task.target) else None

        def losses(epoch: int) -> Iterator[Callable[[], Tensor]]:
            for batch in task.batches(self.batch_size, rng):

                def total(batch: Batch = batch) -> Tensor:
                    generative = objective.labelled(batch, loss.labels[batch.rows])
                    if others is not None:
                        generative = generative + objective.unlabelled(next(others))
                    return loss(network(batch), batch) + self.generative_weight * generative

                yield total

        self._run(parts, losses, lambda: self._quality(network, task))
