"""What ``relhash demo`` shows, computed: the two embedded corpora, relations in them with their paths, and raw text read."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from relhash.corpus.demo import demo_corpora
from relhash.corpus.document import Corpus, Document
from relhash.language import ParseCache
from relhash.models import Prediction, RelationExtractor
from relhash.models.reading.parse_settings import EMBEDDED, ParseSettings
from relhash.models.reading.reader import Reader
from relhash.structures.candidate import Candidate
from relhash.structures.candidates import candidates
from relhash.structures.evidence import Evidence
from relhash.structures.inspection import Inspection, inspect_corpus
from relhash.structures.scene import scenes

TITLE = "RelHash demo: from abstracts to full texts"
NOTES = (
    "Both corpora are synthetic, written by a small grammar: the figures show that the software works, not how well it does on "
    "real text. For that, see relhash benchmark.",
    "All rows have the same views (path with dependencies, path with modifiers, words between), 200 bits and a random forest; "
    "they differ in how the bits are found. Between seeds F1 and AUC move by about 0.03, which is more than most rows differ: "
    "run it with other seeds before ranking them.",
    "Views, bits and the size of the clusters were set after a look at a few settings on these very labels: do not take the "
    "level of the figures, or small differences between rows, for an estimate.",
    "No system looked at a label of the full texts, neither to learn nor to choose its threshold.",
    "Probabilities are calibrated on the abstracts; where relations are more or less frequent they are off by that shift.",
)

EXAMPLES_SEED = 17
RAW_TEXT = (
    "RAF1 binds to MEK1 in resting cells.",
    "Neither BRCA1 nor TP53 was found in the cytoplasm.",
    "The interaction of STAT3 with JAK2 was abolished by the mutation.",
)
"""Sentences that nobody has annotated, for the model to read at the end."""


@dataclass(frozen=True)
class DemoCorpus:
    """One embedded corpus: what is in it, and examples that say yes and no."""

    corpus: Corpus
    counts: Inspection
    related: tuple[Evidence, ...]
    unrelated: tuple[Evidence, ...]


def survey(examples: int = 2, *, on_document: Callable[[Document], object] | None = None) -> tuple[DemoCorpus, DemoCorpus]:
    """Read both corpora, count, and pick ``examples`` pairs of each kind whose paths are short and unlike each other.

    Raw text is to be read at the end, so the corpora come with parses as raw text gets them, of the embedded pipeline. Where
    this installation has another version of it, they are parsed now, and ``on_document`` is called with each document.

    >>> source, target = survey()
    >>> source.counts.documents, target.related[0].path[0].kind
    (145, 'participant')
    """
    reader = Reader(ParseSettings(EMBEDDED), cache=ParseCache())
    parsed = (Corpus.of(reader(one, tag=False, on_document=on_document), one.name) for one in demo_corpora("embedded"))
    first, second = (_look_at(corpus, examples) for corpus in parsed)
    return first, second


def read_raw_text(model: RelationExtractor, texts: Iterable[str] = RAW_TEXT) -> tuple[tuple[Prediction, Evidence], ...]:
    """Every pair of entities that ``model`` sees in the texts, related or not, with its evidence."""
    documents = [Document(f"raw text {number}", text) for number, text in enumerate(texts, 1)]
    predictions = model.predict(documents, all_candidates=True)
    return tuple((prediction, prediction.evidence) for prediction in predictions)


def _look_at(corpus: Corpus, examples: int) -> DemoCorpus:
    pairs = list(candidates(corpus))
    random.Random(EXAMPLES_SEED).shuffle(pairs)
    related = _telling((pair for pair in pairs if pair.is_positive), examples)
    unrelated = _telling((pair for pair in pairs if not pair.is_positive), examples)
    return DemoCorpus(corpus, inspect_corpus(corpus), related, unrelated)


def _telling(pairs: Iterable[Candidate], examples: int) -> tuple[Evidence, ...]:
    """The first pairs in short sentences whose path has two or three words, no word in two of them."""

    def tell() -> Iterator[Evidence]:
        seen: set[str] = set()
        for found in map(Evidence.of, scenes(pairs)):
            words = [station.text for station in found.path if station.kind == "word"]
            if 2 <= len(words) <= 3 and len(found.text) < 90 and seen.isdisjoint(words):
                seen.update(words)
                yield found

    return tuple(islice(tell(), examples))
