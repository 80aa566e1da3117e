"""Networks that learn from the target's candidates, too, which have no labels.

*Gradient reversal* trains encoder, classifier and a domain classifier together; the encoder climbs where the domain classifier
descends. *Adversarial adaptation* first trains on the labels, then moves a copy of the encoder on the target until a
discriminator takes its features for those of the training text. A *variational autoencoder* also has to say the sentence again.
No label of the target exists to say when to stop, so the held-out training documents do, or a fixed number of rounds does
(adversarial adaptation).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim import swa_utils

from relhash.bench.rivals.layers import Batch, PositionEmbedding, Recurrence, TokenEmbedding, bucketed, endless
from relhash.bench.rivals.network import LearningTask, Network, NetworkClassifier, Progress, part
from relhash.bench.rivals.networks import POSITION_SIZE, KavuluruBiLSTM, NguyenCNN
from relhash.bench.rivals.sequences import UNKNOWN, Encoding

DOMAIN_RATE = 10.0
"""How much faster the domain classifier learns than the rest: an adversary that lags behind is fooled too easily."""


class GradientReversal(torch.autograd.Function):
    """The identity, whose gradient is reversed and scaled (Ganin et al. 2016, Eq. 17 f.)."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, strength: float) -> Tensor:
        ctx.strength = strength
        return features.view_as(features)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return -ctx.strength * gradients[0], None


def reversed_gradient(features: Tensor, strength: float) -> Tensor:
    """``features``, towards which a loss pushes in the wrong direction."""
    passed: Tensor = GradientReversal.apply(features, strength)
    return passed


class DomainClassifier(nn.Sequential):
    """Tells features of the training text (1) from those of the target (0)."""

    def __init__(self, inputs: int, hidden: int = 64) -> None:
        super().__init__(nn.Linear(inputs, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, 1))

    def loss(self, features: Tensor, is_training_text: bool) -> Tensor:
        logits = self(features)[:, 0]
        return functional.binary_cross_entropy_with_logits(logits, torch.full_like(logits, float(is_training_text)))


class _Reversal(NetworkClassifier):
    """Gradient reversal (Ganin et al. 2016) on some encoder.

    ``strength`` λ grows from 0 to its full value over the first third of the epochs, by the schedule of the paper; the best
    epoch is one after that.
    """

    strength: ClassVar[float] = 0.3
    takes_target: ClassVar[bool] = True
    needs_target: ClassVar[bool] = True

    def make_parts(self, encoding: Encoding) -> nn.ModuleDict:
        network = self.make_network(encoding)
        return nn.ModuleDict({"network": network, "domain": DomainClassifier(network.encoder.width)})

    def _train(self, parts: nn.ModuleDict, task: LearningTask) -> None:
        network, domain = part(parts, "network", Network), part(parts, "domain", DomainClassifier)
        rng = np.random.default_rng(self.random_state)
        loss = task.loss()
        others = task.target_batches(self.batch_size, rng)
        warm_up = max(1, self.max_epochs // 3)
        n_batches = -(-task.trained.size // self.batch_size)

        def losses(epoch: int) -> Iterator[Callable[[], Tensor]]:
            for number, batch in enumerate(task.batches(self.batch_size, rng)):
                done = min(1.0, (epoch - 1 + number / n_batches) / warm_up)
                strength = self.strength * (2 / (1 + np.exp(-10 * done)) - 1)

                def total(batch: Batch = batch, strength: float = strength) -> Tensor:
                    own, other = network.encoder(batch), network.encoder(next(others))
                    of_domain = domain.loss(reversed_gradient(own, strength), True)
                    of_domain = of_domain + domain.loss(reversed_gradient(other, strength), False)
                    return loss(network.decide(own), batch) + of_domain / 2

                yield total

        self._run(
            parts, losses, lambda: self._quality(network, task),
            warm_up=warm_up, faster={"domain": DOMAIN_RATE},
        )  # fmt: skip


class ReversalCNN(_Reversal, NguyenCNN):
    """CNN-RevGrad: :class:`~relhash.bench.rivals.networks.NguyenCNN` with gradient reversal.

    Follows Ganin et al. (2016), *Domain-adversarial training of neural networks*, as Rios et al. (2018) applied it to
    relations. Departs: λ stops at 0.3 instead of 1 (set beforehand, not tuned) and is there after a third of the epochs; the
    domain classifier learns ten times as fast as the rest.
    """


class ReversalBiLSTM(_Reversal, KavuluruBiLSTM):
    """Bi-LSTM-RevGrad: :class:`~relhash.bench.rivals.networks.KavuluruBiLSTM` with gradient reversal; see
    :class:`ReversalCNN`."""


class _Adversarial(NetworkClassifier):
    """Adversarial adaptation in two stages (Rios et al. 2018).

    Attributes
    ----------
    parts_
        ``"source"``, the network of the first stage, gives the held-out scores; ``"network"``, the same classifier on the
        adapted encoder, predicts.
    """

    rounds: ClassVar[int] = 3
    adversarial_rate: ClassVar[float] = 2e-4
    takes_target: ClassVar[bool] = True
    needs_target: ClassVar[bool] = True
    held_out_part: ClassVar[str] = "source"

    def make_parts(self, encoding: Encoding) -> nn.ModuleDict:
        source = self.make_network(encoding)
        domain = DomainClassifier(source.encoder.width)
        return nn.ModuleDict({"source": source, "network": copy.deepcopy(source), "domain": domain})

    def _train(self, parts: nn.ModuleDict, task: LearningTask) -> None:
        source, network = part(parts, "source", Network), part(parts, "network", Network)
        domain = part(parts, "domain", DomainClassifier)
        self._train_supervised(source, task)
        network.load_state_dict(source.state_dict())
        rng = np.random.default_rng(self.random_state + 1)
        own = endless(task.data, task.trained, self.batch_size, rng)
        discriminator = torch.optim.Adam(domain.parameters(), lr=DOMAIN_RATE * self.learning_rate, betas=(0.5, 0.999))
        mover = torch.optim.Adam(network.encoder.parameters(), lr=self.adversarial_rate, betas=(0.5, 0.999))
        # the two sides of the game circle around its solution: the mean over the second half of the steps lies nearer to it
        mean = swa_utils.AveragedModel(network.encoder)
        for number in range(1, self.rounds + 1):
            seen = []
            for batch in bucketed(task.target, np.arange(len(task.target)), self.batch_size, rng):
                with torch.no_grad():
                    real = source.encoder(next(own))
                moved = network.encoder(batch)
                discriminator.zero_grad(set_to_none=True)
                loss = (domain.loss(real, True) + domain.loss(moved.detach(), False)) / 2
                loss.backward()
                discriminator.step()
                mover.zero_grad(set_to_none=True)
                domain.loss(moved, True).backward()
                mover.step()
                if 2 * number > self.rounds:
                    mean.update_parameters(network.encoder)
                seen.append(float(loss.detach()))
            self.history_.append(Progress(number, float(np.mean(seen)), self._quality(network, task), number == self.rounds))
        network.encoder.load_state_dict(mean.module.state_dict())


class AdversarialCNN(_Adversarial, NguyenCNN):
    """Adv-CNN: the CNN of Nguyen and Grishman, its encoder then adapted to the target by an adversary.

    After Rios, Kavuluru and Lu (2018), *Generalizing biomedical relation classification with neural adversarial domain
    adaptation*, in the form of adversarial discriminative adaptation (Tzeng et al. 2017), which we could not check against
    their program: a source network is trained on the labels; an encoder for the target starts from it and is trained against a
    discriminator, whose labels it inverts, while the classifier stays. Departs: windows and sizes of our CNN; three rounds over
    the target at a small fixed rate, because nothing without target labels says when to stop.
    """


class AdversarialBiLSTM(_Adversarial, KavuluruBiLSTM):
    """Adv-Bi-LSTM: the Bi-LSTM of Kavuluru et al., adapted in the same way; see :class:`AdversarialCNN`."""


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
