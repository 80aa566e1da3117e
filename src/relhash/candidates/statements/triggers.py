"""Words that name interactions, learned from annotated events, and words that turn a sign (``resources/statements/cues.tsv``).

A word that the training text never had is looked up by its stem, so that *phosphorylation* learned from text is found as the
concept ``phosphorylate-01`` of a meaning graph; one that it had is judged by itself, so that *promoter* spoils no *promotes*.
A verb, or a noun of a verb, of an unseen stem may still name what rare words of its kind did in the training text.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import NamedTuple, TypeVar

from relhash.candidates.graph import Connection
from relhash.candidates.scene import Stage
from relhash.candidates.statements.gold import covered_types, gold_interactions
from relhash.corpus.document import Document, Mention
from relhash.errors import ParameterError
from relhash.language.amr_format import AMR_SCHEME, FRAME_TAG
from relhash.language.words import stem
from relhash.resources import resource_path

LOSS, DOWN, UP, FAILURE, CONTEXT, FILLER = "loss", "down", "up", "failure", "context", "filler"
AMOUNT, ACTIVITY = "amount", "activity"


class Cue(NamedTuple):
    """What a word does to a sign: its own (-1 turns it), what kind of word it is, and what it says of the object."""

    sign: int
    kind: str
    aspect: str


@lru_cache(maxsize=16384)
def cue_of(word: str) -> Cue | None:
    """What the table says of a word: its own row, else the longest row with a star that it begins with."""
    exact, beginnings = _table()
    word = word.lower()
    found = exact.get(word)
    for length in range(len(word), 1, -1) if found is None else ():
        found = beginnings.get(word[:length])
        if found is not None:
            break
    return found


@cache
def _table() -> tuple[dict[str, Cue], dict[str, Cue]]:
    exact, beginnings = {}, {}
    with resource_path("statements", "cues.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            cue = Cue({"+": 1, "-": -1}.get(row["sign"], 0), row["kind"], row["aspect"])
            if row["word"].endswith("*"):
                beginnings[row["word"][:-1]] = cue
            else:
                exact[row["word"]] = cue
    return exact, beginnings


REGULATIONS = frozenset({"Regulation", "Positive_regulation", "Negative_regulation"})
"""Types that the same words name: what *affects* something may increase it."""

SURE = 8
"""How often a word must have been seen without naming anything to count as one that does not."""
RARE = 2
"""How many occurrences of a word its stem counts for."""
OTHER_REGULATION = 0.02
"""The share, at most, with which a word that names one type of regulation may name another."""
SELDOM = 2
"""Words seen so often, at most, tell what a word may name that was never seen."""
LEAST_OF_UNSEEN = 0.004
OF_CUE = 0.25
"""The share of a word that the training text never had and whose sign is known, about that of the words that it had."""
CONTRADICTED = 0.15
"""The share, at most, of a type whose sign is not that of the word: *inactivated* was once annotated for what it followed."""
_SIGNED = {1: "Positive_regulation", -1: "Negative_regulation"}
_PREFIXES = frozenset({"auto", "co", "cross", "de", "down", "hyper", "hypo", "over", "re", "trans", "under", "up"})
_OF_VERBS = ("ation", "ition", "ction", "ment", "ding", "ssion", "sion", "ance", "ence", "bility", "ing")
_ACTS_OF_LOSS = ("knock", "silenc", "deplet", "ablat", "delet")
_FUNCTION_TAGS = ("DT", "IN", "TO", "CC", "PRP", "WDT", "WP", "RP", "MD")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Trigger:
    """A token of a sentence that may name an interaction of ``type``; ``share`` of such words do in the training corpus."""

    token: int
    type: str
    share: float


@dataclass(frozen=True)
class TriggerLexicon:
    """Trigger words with the types of interaction that they name.

    Parameters
    ----------
    words
        Word → type → share of the word's occurrences that name an interaction of this type; no types for a word that is known
        to name none.
    stems
        The same for the stems of words, for words that are not known.
    unseen
        The same for kinds of words (``"verb"``, ``"noun"`` of a verb), for words of which not even the stem is known.

    Examples
    --------
    >>> lexicon = TriggerLexicon().extended({"Phosphorylation": ["phosphorylates"], "Binding": ["bind", "complex"]})
    >>> lexicon.types_of("phosphorylation")
    (('Phosphorylation', 1.0),)
    >>> lexicon.types_of("cell")
    ()
    """

    words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    stems: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    unseen: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def learn(cls, documents: Iterable[Document], *, min_count: int = 1, min_share: float = 0.01) -> TriggerLexicon:
        """The triggers of annotated events, also of those about one participant: *inhibiting* may have had no cause in
        the training text, and still does so elsewhere.

        Of a rare word the others of its stem tell more than itself, so that shares are smoothed towards those of the stem.

        Parameters
        ----------
        documents
            Documents with relations that have triggers. They need not be parsed, nor split into sentences.
        min_count
            How often a word (or the words of a stem) must trigger a type.
        min_share
            The least share of its occurrences that trigger the type.
        """
        if min_count < 1 or not 0 <= min_share <= 1:
            raise ParameterError(f"min_count={min_count}, min_share={min_share}: at least 1, and from 0 to 1")
        seen = _Seen()
        kinds: dict[str, str] = {}
        triggering: Counter[tuple[str, str]] = Counter()
        for document in documents:
            named: dict[str, dict[str, None]] = {}
            covered = covered_types(document)
            events = [(event.trigger, event.type) for event in document.relations]
            events += [(stated.trigger, stated.type) for stated in gold_interactions(document).stated]
            for identifier, kind in events:
                if identifier is not None:
                    named.setdefault(identifier, {}).update({kind: None} if covered is None or kind in covered else {})
            for stage in stages(document):
                spelled = [word_of(stage, number) for number in range(len(stage.tokens))]
                seen.add(spelled, covered)
                kinds.update((spelled[number], kind) for number in _free_tokens(stage) if (kind := _kind(stage, number)))
                for identifier, types in named.items():
                    mention = document.mention_by_id[identifier]
                    if stage.start <= mention.start < stage.end:
                        word = spelled[trigger_token(stage, mention)]
                        triggering.update((word, kind) for kind in types)
        stems = _shares(
            seen.by(stem),
            _sums(((stem(word), kind), count) for (word, kind), count in triggering.items()),
            min_count,
        )
        naming = {word for word, _ in triggering}
        regulations = REGULATIONS & {kind for _, kind in triggering}
        rare = {word: kind for word, kind in kinds.items() if seen.words[word] <= SELDOM}
        unseen = _shares(
            seen.by(rare.get),
            _sums(((rare[word], kind), count) for (word, kind), count in triggering.items() if word in rare),
            min_count,
        )
        words: dict[str, dict[str, float]] = {}
        for word in sorted(seen.words.keys() & naming | {word for word in seen.words if stem(word) in stems}):
            own = {}
            for kind, share in stems.get(stem(word), {}).items():
                times = seen.times(word, kind)
                if word in naming or times < SURE:  # one that is seen often and names nothing does not, whatever its stem
                    own[kind] = min((triggering[word, kind] + RARE * share) / (times + RARE), 1.0)
            words[word] = _likely(own, min_share, regulations)
        kept = {name: _likely(types, min_share, regulations) for name, types in stems.items()}
        return cls(
            words,
            {name: types for name, types in kept.items() if types},
            {kind: _likely(types, LEAST_OF_UNSEEN, regulations) for kind, types in unseen.items()},
        )

    def extended(self, words: Mapping[str, Iterable[str]]) -> TriggerLexicon:
        """This lexicon and more words, given by the type of interaction that they name."""
        own = {word: dict(types) for word, types in self.words.items()}
        stems = {word: dict(types) for word, types in self.stems.items()}
        for kind, named in words.items():
            for given in [named] if isinstance(named, str) else named:
                word = given.strip().lower()
                if not word:
                    raise ParameterError(f"an empty word cannot trigger {kind}")
                own.setdefault(word, dict(stems.get(stem(word), {})))[kind] = 1.0
                stems.setdefault(stem(word), {})[kind] = 1.0
        return TriggerLexicon(own, stems, self.unseen)

    @cached_property
    def types(self) -> tuple[str, ...]:
        """All types of interaction that some word names."""
        return tuple(sorted({kind for types in self.stems.values() for kind in types}))

    def __len__(self) -> int:
        return len(self.stems)

    def types_of(self, word: str) -> tuple[tuple[str, float], ...]:
        """Types that ``word`` names, the likeliest first, each with its share."""
        found = self.words.get(word.lower())
        if found is None:
            found = self.stems.get(stem(word))
        cue = cue_of(word)
        if cue is not None and cue.kind in (DOWN, UP, LOSS) and "Regulation" in self.types:
            if found is None and (cue.kind != LOSS or word.lower().startswith(_ACTS_OF_LOSS)):
                found = {_SIGNED[cue.sign]: OF_CUE}
            elif found is not None and cue.kind != LOSS:
                against = _SIGNED[-cue.sign]
                found = {kind: share for kind, share in found.items() if kind != against or share > CONTRADICTED}
        if found is None and "-" in word:  # down-regulating, if unseen, regulates
            return self.types_of(word.rpartition("-")[2])
        found = found or {}
        return tuple(sorted(found.items(), key=lambda entry: (-entry[1], entry[0])))

    def find(self, stage: Stage) -> Iterator[Trigger]:
        """Triggers in a sentence, from left to right; a word that is part of an entity is none."""
        if not self.stems:
            return
        for token in _free_tokens(stage):
            word = word_of(stage, token)
            types = self.types_of(word)
            if not types and word not in self.words:
                types = tuple(self.unseen.get(_kind(stage, token), {}).items())
            for kind, share in types:
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
    """The token that a trigger is known by: its head, or its last where the sentence is not parsed.

    Of *in the presence of* it is *presence*: where there is a choice, no preposition or article.
    """
    tokens = stage.tokens_of(mention)
    ordered = stage.graph.heads_first(tokens) if stage.is_parsed else tokens[::-1]
    return next((token for token in ordered if not stage.tokens[token].pos.startswith(_FUNCTION_TAGS)), ordered[0])


def word_of(stage: Stage, token: int) -> str:
    """The word of a token, with a prefix that a hyphen or blank parts from it: *down-regulates* is no *regulates*."""
    words, tokens = stage.words, stage.tokens
    if token and words[token - 1] in ("down", "up") and words[token].startswith(("regulat", "modulat")):
        return f"{words[token - 1]}-{words[token]}"
    if (
        token > 1
        and words[token - 1] == "-"
        and words[token - 2] in _PREFIXES
        and tokens[token - 2].end == tokens[token - 1].start
        and tokens[token - 1].end == tokens[token].start
    ):
        return f"{words[token - 2]}-{words[token]}"
    return words[token]


def _kind(stage: Stage, token: int) -> str:
    """``"verb"``, ``"noun"`` of a verb, or nothing, as far as a tagger and the ending tell."""
    tag, word = stage.tokens[token].pos, stage.words[token]
    if not word.isalpha():
        return ""
    if tag.startswith("VB"):
        return "verb"
    return "noun" if tag.startswith("NN") and word.removesuffix("s").endswith(_OF_VERBS) else ""


def _likely(types: Mapping[str, float], min_share: float, regulations: frozenset[str]) -> dict[str, float]:
    """The types of at least this share; of a word that names one regulation, the others as well."""
    kept = {kind: share for kind, share in types.items() if share >= min_share}
    regulating = sum(share for kind, share in kept.items() if kind in regulations)
    if regulating:
        for kind in sorted(regulations - kept.keys()):
            kept[kind] = min(OTHER_REGULATION, regulating / len(REGULATIONS))
    return kept


def _free_tokens(stage: Stage) -> Iterator[int]:
    return (number for number, token in enumerate(stage.tokens) if stage.is_free(number) and token.start < token.end)


def _sums(counts: Iterable[tuple[Key, int]]) -> Counter[Key]:
    total: Counter[Key] = Counter()
    for key, count in counts:
        total[key] += count
    return total


class _Seen:
    """How often words occur in text that would have annotated a type, had they named it."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        self._by_cover: dict[frozenset[str], Counter[str]] = {}

    def add(self, words: Sequence[str], covered: frozenset[str] | None) -> None:
        self.words.update(words)
        if covered is not None:
            self._by_cover.setdefault(covered, Counter()).update(words)

    def times(self, word: str, kind: str) -> int:
        return self.words[word] - sum(counts[word] for covered, counts in self._by_cover.items() if kind not in covered)

    def by(self, name: Callable[[str], str | None]) -> _Seen:
        """The same for names of words, such as their stems."""
        joined = _Seen()
        joined.words = _sums((own, count) for word, count in self.words.items() if (own := name(word)))
        for covered, counts in self._by_cover.items():
            joined._by_cover[covered] = _sums((own, count) for word, count in counts.items() if (own := name(word)))
        return joined


def _shares(seen: _Seen, triggering: Counter[tuple[str, str]], min_count: int) -> dict[str, dict[str, float]]:
    shares: dict[str, dict[str, float]] = {}
    for (name, kind), count in sorted(triggering.items()):
        if count >= min_count:
            shares.setdefault(name, {})[kind] = min(count / max(seen.times(name, kind), 1), 1.0)
    return shares


def trigger_of(stage: Stage, kind: str, members: Sequence[Mention], lexicon: TriggerLexicon) -> int | None:
    """The token that names an interaction of type ``kind`` between ``members``."""
    taken = {token for mention in members for token in stage.tokens_of(mention)}
    free = [n for n, token in enumerate(stage.tokens) if n not in taken and token.start < token.end]
    naming = [
        token
        for token in free
        if stem(stage.words[token]) == stem(kind) or any(name == kind for name, _ in lexicon.types_of(stage.words[token]))
    ]
    if not naming:
        naming = _joining(stage, members, set(free)) or free
    return min(naming, key=lambda token: (_distance(stage, token, members), token), default=None)


def _joining(stage: Stage, members: Sequence[Mention], free: set[int]) -> list[int]:
    """Words on the path between the first two participants."""
    if len(members) < 2 or not stage.is_parsed:
        return []
    path = stage.graph.shortest_path(stage.tokens_of(members[0]), stage.tokens_of(members[1]))
    return [token for token in path.tokens if token in free]


def _distance(stage: Stage, token: int, members: Sequence[Mention]) -> float:
    total = 0.0
    for mention in members:
        tokens = stage.tokens_of(mention)
        if stage.is_parsed:
            path = stage.graph.shortest_path((token,), tokens)
            total += len(stage.tokens) if path.connection is Connection.DISCONNECTED else len(path.edges)
        else:
            total += min(abs(token - other) for other in tokens)
    return total
