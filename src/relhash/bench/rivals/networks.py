"""Networks that learn from labelled candidates only, after the papers of the tables.

Common to all, and therefore not repeated below: entities are blinded, word vectors are ours and stay frozen, the sizes are such
that a fit takes about a minute on one core, the loss weighs both classes alike, Adam, early stopping on held-out documents.
Those that read sentences read the participants, what lies between them and ten words on either side. Widths are ours
throughout, and smaller than is usual. We had the papers' abstracts at hand, not their programs: what is said of the layers is
the published design as the field describes it, and details may differ.
"""

from __future__ import annotations

from typing import ClassVar

from relhash.bench.rivals.layers import Convolution, Recurrence, RecurrentConvolution, TokenEmbedding
from relhash.bench.rivals.network import Network, NetworkClassifier
from relhash.bench.rivals.sequences import Encoding

POSITION_SIZE = 10


class NguyenCNN(NetworkClassifier):
    """CNN with position embeddings over the sentence.

    Follows Nguyen and Grishman (2015), *Relation extraction: perspective from convolutional neural networks*: word vectors with
    embeddings of the distance to both participants, windows of 2, 3, 4 and 5 words, max pooling, dropout, one output layer.
    Ours: 40 filters a window, positions of 10 numbers.
    """

    windows: ClassVar[tuple[int, ...]] = (2, 3, 4, 5)

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, position_size=POSITION_SIZE)
        return Network(Convolution(embedding, self.windows, self.width or 40, bounded=True), dropout=self.dropout)


class PengCNN(NetworkClassifier):
    """Multichannel dependency CNN over the sentence.

    Follows Peng and Lu (2017), *Deep learning for extracting protein-protein interactions from biomedical literature*: each
    word with its part of speech, dependency label, mark of the entities and distances to both participants is one channel, the
    same of its dependency head the other; windows of 3 and 5, max pooling, a hidden layer, dropout. Departs: no chunk tags
    (our parses have none); entity marks are the symbols in the place of the names. Ours: 40 filters a window.
    """

    syntax: ClassVar[bool] = True
    windows: ClassVar[tuple[int, ...]] = (3, 5)

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, position_size=POSITION_SIZE, syntax_size=10, with_heads=True)
        filters = self.width or 40
        return Network(Convolution(embedding, self.windows, filters), dropout=self.dropout, hidden=filters)


class KavuluruBiLSTM(NetworkClassifier):
    """Bi-LSTM with position embeddings over the sentence, the maximum of each unit.

    Follows Kavuluru, Rios and Tran (2017), *Extracting drug-drug interactions with word and character-level recurrent neural
    networks*: words and distances to both participants, max pooling over the states of both directions. Departs: the word-level
    network only, without its character-level sibling and without an ensemble. Ours: 48 units a direction.
    """

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, position_size=POSITION_SIZE, dropout=self.dropout / 2)
        return Network(Recurrence(embedding, self.width or 48, pooling="max"), dropout=self.dropout)


class HsiehRNN(NetworkClassifier):
    """Bi-LSTM over the words of the sentence, its last states.

    Follows Hsieh, Chang, Chang and Hsu (2017), *Identifying protein-protein interactions in biomedical literature using
    recurrent neural networks with long short-term memory*: words with the two proteins marked and all others blinded, no other
    feature; the last states of both directions go to a fully connected layer. Ours: 48 units a direction.
    """

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, dropout=self.dropout / 2)
        units = self.width or 48
        return Network(Recurrence(embedding, units, pooling="last"), dropout=self.dropout, hidden=units)


class RaoLSTM(NetworkClassifier):
    """LSTM along the path between trigger and participant.

    Follows Rao, Marcu, Knight and Daumé (2017), *Biomedical event extraction using abstract meaning representation*: an LSTM
    reads the path from the trigger to each participant and its last state decides. Departs: one network judges the whole
    candidate (its paths one after the other) instead of one edge at a time; paths are those of the candidate's graph, AMR or
    dependencies; for a pair without a trigger it is the path between the two.
    """

    reading: ClassVar[str] = "path"

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, dropout=self.dropout / 2)
        return Network(Recurrence(embedding, self.width or 64, bidirectional=False, pooling="last"), dropout=self.dropout)


class GargLSTM(NetworkClassifier):
    """Two-layer LSTM along the path.

    Follows the LSTM row of Garg et al. (2019, AAAI), *Kernelized hashcode representations for relation extraction*: words and
    edges of the path of the candidate's graph, word vectors. Sizes and pooling are not published; ours are 48 units a layer and
    the maximum of each unit.
    """

    reading: ClassVar[str] = "path"
    bidirectional: ClassVar[bool] = False

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, dropout=self.dropout / 2)
        units = self.width or 48
        encoder = Recurrence(embedding, units, bidirectional=self.bidirectional, pooling="max", layers=2)
        return Network(encoder, dropout=self.dropout)


class GargBiLSTM(GargLSTM):
    """Two-layer Bi-LSTM along the path: :class:`GargLSTM` in both directions."""

    bidirectional: ClassVar[bool] = True


class GargCNN(NetworkClassifier):
    """CNN along the path.

    Follows the CNN row of Garg et al. (2019, AAAI): convolutions over words and edges of the path, max pooling. Sizes are not
    published; ours are windows of 2, 3 and 4 with 64 filters each.
    """

    reading: ClassVar[str] = "path"
    windows: ClassVar[tuple[int, ...]] = (2, 3, 4)

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, dropout=self.dropout / 2)
        return Network(Convolution(embedding, self.windows, self.width or 64), dropout=self.dropout)


class GargLSTMCNN(NetworkClassifier):
    """LSTM along the path, convolutions over its states.

    Follows the LSTM-CNN row of Garg et al. (2019, AAAI). Sizes are not published; ours are 48 units, windows of 2 and 3 with 48
    filters each.
    """

    reading: ClassVar[str] = "path"
    windows: ClassVar[tuple[int, ...]] = (2, 3)

    def make_network(self, encoding: Encoding) -> Network:
        embedding = TokenEmbedding(encoding, dropout=self.dropout / 2)
        units = self.width or 48
        return Network(RecurrentConvolution(embedding, units, self.windows, units), dropout=self.dropout)
