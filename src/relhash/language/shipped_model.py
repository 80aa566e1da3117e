"""The language model that ships, known by its files; loaded when the first text is parsed.

spaCy and the weights take longer to load than a cached parse takes to read. What a reader asks before it knows whether anything
has to be parsed (name, version, scheme, labels, fingerprint) stands in two small files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from relhash.biomed import genes
from relhash.corpus.document import Span
from relhash.errors import LanguageError
from relhash.language.annotation import ParsedSentence, PredictedMention
from relhash.language.entities import KNOWN_TYPES
from relhash.language.words import Words
from relhash.resources import resource_path

if TYPE_CHECKING:
    from relhash.language.spacy_model import LoadedModel

EMBEDDED = "biomed_en"
_PARSING = frozenset({"tok2vec", "tagger", "parser"})
"""Components that find no entities."""
_WHAT_ENTITIES_DEPEND_ON = (
    ("genes", "model.npz"), ("genes", "others.npz"), ("lexicon", "names.npz"), ("lexicon", "patterns.tsv"),
)  # fmt: skip


class ShippedModel:
    """Stands for the :class:`~relhash.language.spacy_model.LoadedModel` ``"embedded"``, and becomes it when it has to work.

    The recognizers of the file are not loaded: names are found by :mod:`relhash.biomed.genes`.
    """

    def __init__(self) -> None:
        folder = resource_path(EMBEDDED)
        try:
            self._files = [(folder / name).read_bytes() for name in ("meta.json", "config.cfg")]
            meta: dict[str, Any] = json.loads(self._files[0])
            self.name, self.version = str(meta["name"]), str(meta["version"])
            self.scheme = str(meta["dependency_scheme"])
            recognizers = [name for name in meta["labels"] if name not in _PARSING]
        except (OSError, ValueError, KeyError) as error:
            raise LanguageError(f"the embedded language model is missing or damaged ({error}); reinstall relhash") from error
        self.entity_labels: tuple[str, ...] = KNOWN_TYPES
        self._unneeded = tuple(recognizers)

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever the model, the gene tagger or its list of names does; part of every cache key."""
        digest = hashlib.sha256(genes.VERSION.encode())
        for content in self._files:
            digest.update(content)
        for parts in _WHAT_ENTITIES_DEPEND_ON:
            with resource_path(*parts).open("rb") as handle:
                digest.update(hashlib.file_digest(handle, "sha256").digest())
        return digest.hexdigest()

    def tokenize(self, text: str) -> Iterable[Span]:
        return self.loaded.tokenize(text)

    def parses(self, units: Sequence[Words]) -> list[list[ParsedSentence]]:
        return self.loaded.parses(units)

    def entities(self, units: Sequence[Words], types: frozenset[str] | None = None) -> list[list[PredictedMention]]:
        return self.loaded.entities(units, types)

    @cached_property
    def loaded(self) -> LoadedModel:
        """The model itself."""
        from relhash.language.spacy_model import load_model

        return load_model("embedded", without=self._unneeded)
