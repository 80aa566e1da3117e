"""Networks that learn from labelled candidates only."""

from __future__ import annotations

from typing import ClassVar

from relhash.baselines.encoders import Convolution, TokenEmbedding
from relhash.baselines.encoding import Encoding
from relhash.baselines.network import Network, NetworkClassifier

__all__ = ["NguyenCNN"]


class NguyenCNN(NetworkClassifier):
    """CNN with position embeddings over the sentence.

    Follows Nguyen and Grishman (2015), *Relation extraction: perspective from convolutional neural networks*: word vectors with
    embeddings of the distance to both participants, windows of 2, 3, 4 and 5 words, max pooling, dropout, one output layer.
    Departs: 50 filters a window instead of 150, positions of 10 numbers instead of 50, word vectors frozen, entities blinded,
    ten words around the participants instead of the whole sentence, Adam.
    """

    windows: ClassVar[tuple[int, ...]] = (2, 3, 4, 5)

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, position_size=10)
        return Network(Convolution(embedding, self.windows, self.width or 50), dropout=self.dropout)
