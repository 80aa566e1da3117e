"""Words that name interactions: learned from annotated events, extended by the user, found in sentences.

Words are compared by their stem, so that *phosphorylation* learned from text is found as the concept ``phosphorylate-01`` of a
meaning graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError
from relhash.language.amr import AMR_SCHEME, FRAME_TAG
from relhash.language.stems import stem
from relhash.structures.scene import Stage

__all__ = ["Trigger", "TriggerLexicon", "frame_triggers", "stages", "trigger_token"]


@dataclass(frozen=True, slots=True)
class Trigger:
    """A token of a sentence that may name an interaction of ``type``; ``share`` of such words do in the training corpus."""

    token: int
    type: str
    share: float


@dataclass(frozen=True, slots=True)
class TriggerLexicon:
    """Stems of trigger words with the types of interaction that they name.

    Parameters
    ----------
    shares
        Stem → type → share of the stem's occurrences that name an interaction of this type.

    Examples
    --------
    >>> lexicon = TriggerLexicon().extended({"Phosphorylation": ["phosphorylates"], "Binding": ["bind", "complex"]})
    >>> lexicon.types_of("phosphorylation")
    (('Phosphorylation', 1.0),)
    >>> lexicon.types_of("cell")
    ()
    """

    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def learn(cls, documents: Iterable[Document], *, min_count: int = 2, min_share: float = 0.1) -> TriggerLexicon:
        """The triggers of annotated events.

        Parameters
        ----------
        documents
            Documents with relations that have triggers. They need not be parsed, nor split into sentences.
        min_count
            How often a stem must trigger a type.
        min_share
            The least share of a stem's occurrences that trigger the type: *expression* does nearly always, *by* hardly ever.
        """
        if min_count < 1 or not 0 <= min_share <= 1:
            raise ParameterError(f"min_count={min_count}, min_share={min_share}: at least 1, and from 0 to 1")
        occurrences: Counter[str] = Counter()
        triggering: Counter[tuple[str, str]] = Counter()
        for document in documents:
            events: dict[str, dict[str, None]] = {}
            for relation in document.relations:
                if relation.trigger is not None:
                    events.setdefault(relation.trigger, {})[relation.type] = None
            for stage in stages(document):
                occurrences.update(stem(word) for word in stage.words)
                for identifier, types in events.items():
                    mention = document.mention_by_id[identifier]
                    if stage.start <= mention.start < stage.end:
                        word = stem(stage.words[trigger_token(stage, mention)])
                        triggering.update((word, kind) for kind in types)
        shares: dict[str, dict[str, float]] = {}
        for (word, kind), count in sorted(triggering.items()):
            share = min(count / occurrences[word], 1.0)
            if count >= min_count and share >= min_share:
                shares.setdefault(word, {})[kind] = share
        return cls(shares)

    def extended(self, words: Mapping[str, Iterable[str]]) -> TriggerLexicon:
        """This lexicon and more words, given by the type of interaction that they name."""
        shares = {word: dict(types) for word, types in self.shares.items()}
        for kind, named in words.items():
            for word in [named] if isinstance(named, str) else named:
                if not word.strip():
                    raise ParameterError(f"an empty word cannot trigger {kind}")
                shares.setdefault(stem(word.strip()), {})[kind] = 1.0
        return TriggerLexicon(shares)

    @property
    def types(self) -> tuple[str, ...]:
        """All types of interaction that some word names."""
        return tuple(sorted({kind for types in self.shares.values() for kind in types}))

    def __len__(self) -> int:
        return len(self.shares)

    def types_of(self, word: str) -> tuple[tuple[str, float], ...]:
        """Types that ``word`` names, the likeliest first, each with its share."""
        return tuple(sorted(self.shares.get(stem(word), {}).items(), key=lambda entry: (-entry[1], entry[0])))

    def find(self, stage: Stage) -> Iterator[Trigger]:
        """Triggers in a sentence, from left to right; a word that is part of an entity is none."""
        if not self.shares:
            return
        for token in _free_tokens(stage):
            for kind, share in self.types_of(stage.words[token]):
                yield Trigger(token, kind, share)


def frame_triggers(stage: Stage) -> Iterator[Trigger]:
    """The frames of a meaning graph that words express: each names the interaction of its own kind (``bind-01``: *bind*)."""
    if not any(arc.scheme == AMR_SCHEME for arc in stage.graph.arcs):
        return
    for token in _free_tokens(stage):
        if stage.tokens[token].pos == FRAME_TAG:
            yield Trigger(token, stage.words[token], 1.0)


def stages(document: Document) -> Iterator[Stage]:
    """The sentences of a document, or the whole as one where it is not split."""
    for number in range(max(len(document.sentences), 1)):
        stage = Stage(document, number)
        if stage.tokens:
            yield stage


def trigger_token(stage: Stage, mention: Mention) -> int:
    """The token that a trigger is known by: its head, or its last where nobody has parsed the sentence."""
    tokens = stage.tokens_of(mention)
    return stage.graph.heads_first(tokens)[0] if stage.is_parsed else tokens[-1]


def _free_tokens(stage: Stage) -> Iterator[int]:
    owners = stage.blinded[1]
    return (number for number, token in enumerate(stage.tokens) if owners[number] == -1 and token.start < token.end)
