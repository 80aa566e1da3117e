"""A spaCy model behind the few operations that the pipeline needs (tokens, parses, entities), and lemmas by rules.

Threads may share a model: its components are called one after the other, and one thread at a time is inside spaCy, whose
vocabulary takes up every new word and forgets it at the end of a memory zone. Lemmas come from the tag, rules of English
inflection, and tables of a treebank that travel in the vocabulary; a model with a lemmatizer does not need them.
"""

from __future__ import annotations

import hashlib
import json
import sys
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from relhash.biomed import genes
from relhash.blas import one_blas_thread
from relhash.corpus.conllu import detect_scheme
from relhash.corpus.document import Span
from relhash.errors import LanguageError
from relhash.language.annotation import ParsedSentence, PredictedMention
from relhash.language.entities import KNOWN_TYPES, entity_type, resolved
from relhash.language.words import Words, token_spans
from relhash.resources import resource_path

if TYPE_CHECKING:
    from relhash.biomed.genes.tagger import Taggers


_RULES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "NNS": (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""), ("es", "")),
    "VBZ": (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")),
    "VBG": (("ing", "e"), ("ing", "")),
    "VBD": (("ied", "y"), ("ed", "e"), ("ed", "")),
    "JJR": (("ier", "y"), ("er", ""), ("er", "e")),
    "JJS": (("iest", "y"), ("est", ""), ("est", "e")),
}
_SAME = {"NNPS": "NNS", "VBN": "VBD", "RBR": "JJR", "RBS": "JJS"}
_KNOWN_TABLE, _EXCEPTIONS_TABLE = "relhash_known_lemmas", "relhash_lemma_exceptions"


class Lemmas:
    """Form and Penn tag → lemma, in lower case.

    >>> lemmas = Lemmas({"bind", "phosphorylate"}, {"NNS data": "datum"})
    >>> lemmas("Binding", "VBG"), lemmas("phosphorylating", "VBG"), lemmas("data", "NNS"), lemmas("kinases", "NNS")
    ('bind', 'phosphorylate', 'datum', 'kinase')
    """

    def __init__(self, known: Set[str], exceptions: Mapping[str, str]) -> None:
        self._known, self._exceptions = known, exceptions
        self._remembered = lru_cache(maxsize=50_000)(self._lemma)

    def __call__(self, form: str, tag: str) -> str:
        return self._remembered(form.lower(), tag)

    def _lemma(self, form: str, tag: str) -> str:
        exception = self._exceptions.get(f"{tag} {form}")
        if exception is not None:
            return exception
        rules = _RULES.get(_SAME.get(tag, tag), ())
        candidates = [
            form[: -len(suffix)] + ending for suffix, ending in rules if form.endswith(suffix) and len(form) > len(suffix) + 1
        ]
        if not candidates:
            return form
        doubled = [stem[:-1] for stem in candidates if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiousl"]
        for candidate in (*candidates, *doubled):
            if candidate in self._known:
                return candidate
        return _unknown(form, candidates)

    @classmethod
    def learned(cls, seen: Iterable[tuple[str, str, str]]) -> Lemmas:
        """Tables from (form, tag, lemma): a lemma met twice is known; a pair that the rules then get wrong is an exception."""
        triples = Counter(
            (form.lower(), tag, lemma.lower())
            for form, tag, lemma in seen
            if not any(character.isdigit() for character in form)  # CRAFT writes every digit of a lemma as 0
        )
        totals: Counter[str] = Counter()
        best: dict[tuple[str, str], tuple[int, str]] = {}
        for (form, tag, lemma), count in triples.items():
            totals[lemma] += count
            best[form, tag] = max(best.get((form, tag), (0, "")), (count, lemma))
        by_rule = cls({lemma for lemma, count in totals.items() if count > 1}, {})
        wrong = {
            f"{tag} {form}": lemma for (form, tag), (count, lemma) in best.items() if count > 1 and by_rule(form, tag) != lemma
        }
        return cls(by_rule._known, wrong)

    @classmethod
    def of(cls, nlp: Any) -> Lemmas | None:
        """The tables in the vocabulary of a pipeline, if it has some."""
        lookups = nlp.vocab.lookups
        if not (lookups.has_table(_KNOWN_TABLE) and lookups.has_table(_EXCEPTIONS_TABLE)):
            return None
        exceptions = lookups.get_table(_EXCEPTIONS_TABLE)["all"]
        return cls(frozenset(lookups.get_table(_KNOWN_TABLE)["all"].split()), dict(exceptions))

    def store_in(self, nlp: Any) -> None:
        """Put the tables into the vocabulary of ``nlp``, to be saved with it."""
        nlp.vocab.lookups.add_table(_KNOWN_TABLE, {"all": " ".join(sorted(self._known))})
        nlp.vocab.lookups.add_table(_EXCEPTIONS_TABLE, {"all": dict(sorted(self._exceptions.items()))})


def _unknown(form: str, candidates: list[str]) -> str:
    """The likeliest lemma of an unseen form."""
    if form.endswith(("ss", "us", "is")) and not form.endswith(("ases", "ises")):
        return form
    return candidates[0]


EMBEDDED = "biomed_en"
_PARSING = frozenset({"tok2vec", "tagger", "parser"})
"""Components that find no entities."""
_WHAT_ENTITIES_DEPEND_ON = (
    ("genes", "model.npz"), ("genes", "others.npz"), ("lexicon", "names.npz"), ("lexicon", "patterns.tsv"),
)  # fmt: skip
LONGEST_SENTENCE = 500
"""Words of a sentence that a parser may find; the longest one in the corpora that we know has 398."""
SIGNS = frozenset("-‐‑‒–—−/")

Result = TypeVar("Result")

_loading = Lock()
_locks: weakref.WeakKeyDictionary[Any, Lock] = weakref.WeakKeyDictionary()
"""One lock for each spaCy pipeline, however many models are made of it."""


def load_model(model: str | Path, scheme: str | None = None, without: tuple[str, ...] = ()) -> LoadedModel:
    """The model with that name (``"embedded"``, an installed package) or in that folder; it must have a parser.

    Of the embedded one, components that are not needed can be left out (``without``).

    Raises
    ------
    LanguageError
        If there is no such model, if it has no parser, or if its label scheme is not recognised.
    """
    folder = resource_path(EMBEDDED) if model == "embedded" else Path(model)
    with _loading:  # the second thread to ask gets what the first one loads
        nlp = _loaded(str(folder) if folder.is_dir() else str(model), without)
    if model != "embedded":
        return LoadedModel(nlp, scheme)
    from relhash.biomed.genes.tagger import shipped_taggers  # compiled code: not for those who only read a file

    return LoadedModel(nlp, scheme, shipped_taggers())


@cache
def imported_spacy() -> Any:
    """spaCy without its commands, which import a client for downloads and take a fifth of the time; later imports find them."""
    stand_ins = {name: ModuleType(name) for name in ("spacy.cli", "spacy.cli.info") if "spacy" not in sys.modules}
    for module in stand_ins.values():
        module.info = None  # type: ignore[attr-defined]
    sys.modules.update(stand_ins)
    try:
        import spacy
    finally:
        for name in stand_ins:
            del sys.modules[name]
    if stand_ins:
        vars(spacy)["info"] = lambda *args, **options: import_module("spacy.cli.info").info(*args, **options)
    return spacy


@cache
def _loaded(model: str, without: tuple[str, ...]) -> Any:
    spacy = imported_spacy()
    from relhash.language.compact import is_compact, load_compact

    if model == "embedded":
        raise LanguageError("the embedded language model is not in this installation; reinstall relhash or name another model")
    if Path(model).is_dir() and is_compact(Path(model)):
        return load_compact(Path(model), without)
    try:
        return spacy.load(model)
    except (OSError, ValueError) as error:
        what = "folder with a spaCy model" if Path(model).exists() else "installed spaCy package or folder"
        raise LanguageError(
            f"{model!r} is no {what}; use 'embedded', give the folder that holds its config.cfg, or pip install the package"
        ) from error


class LoadedModel:
    """A spaCy pipeline with a parser, its identity, and its two jobs: parses and entities. Safe to share between threads.

    Names are found by ``taggers`` if they are given, else by the pipeline's own recognizers.
    """

    def __init__(self, nlp: Any, scheme: str | None = None, taggers: Taggers | None = None) -> None:
        self._nlp, self._taggers = nlp, taggers
        self._lock = _locks.setdefault(nlp, Lock())
        assigns = {name: set(nlp.get_pipe_meta(name).assigns) for name in nlp.pipe_names}
        parsers = [name for name, assigned in assigns.items() if "token.dep" in assigned]
        if not parsers:
            raise LanguageError(
                f"the model {nlp.meta.get('name')!r} has no dependency parser (only: {', '.join(nlp.pipe_names) or 'nothing'}) "
                "and paths are made of dependencies; use the embedded model or one with a parser"
            )
        self._compiled = _compiled(nlp)
        self._recognizers = [name for name, assigned in assigns.items() if "doc.ents" in assigned]
        self._parse_components = [name for name in nlp.pipe_names if name not in self._recognizers]
        self.name = str(nlp.meta.get("name") or "model")
        self._lemmas = Lemmas.of(nlp)
        self.version = str(nlp.meta.get("version", "0"))
        self.scheme = scheme or nlp.meta.get("dependency_scheme") or _detected_scheme(nlp, parsers)

    @property
    def entity_labels(self) -> tuple[str, ...]:
        if self._taggers is not None:
            return KNOWN_TYPES
        return tuple(label for name in self._recognizers for label in getattr(self._nlp.get_pipe(name), "labels", ()))

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever the configuration or training of the model or of the gene tagger does; part of every cache key."""
        meta = json.dumps(self._nlp.meta, sort_keys=True, default=str) + self._nlp.config.to_str()
        tagger = "" if self._taggers is None else self._taggers.fingerprint
        return hashlib.sha256((meta + tagger).encode("utf-8")).hexdigest()

    def tokenize(self, text: str) -> Iterable[Span]:
        """Spans of the tokens of ``text``."""
        with self._lock:
            return token_spans(self._nlp.tokenizer, text)

    def parses(self, units: Sequence[Words]) -> list[list[ParsedSentence]]:
        """For each unit its sentences; a unit without words has none."""

        def sentences(words: Words, doc: Any) -> list[ParsedSentence]:
            columns = _Columns(doc)
            return [self._parsed(words, columns, start, end) for start, end in _sentences(doc, words)]

        return self._run(units, self._parse_components, sentences)

    def entities(self, units: Sequence[Words], types: frozenset[str] | None = None) -> list[list[PredictedMention]]:
        """For each unit the mentions that are found; where those of two recognizers overlap, the earlier one is right.

        Recognizers after the last one that knows any of ``types`` do not run; what those before it find is all there.

        Each recognizer sees a fresh document: spaCy would let the first one's entities forbid the second's. What opens a
        bracket that it does not close ("NAD (P") is no name and is dropped.
        """

        def mentions(words: Words, doc: Any) -> list[PredictedMention]:
            return [_mention(words, entity) for entity in doc.ents if not _cuts_brackets(entity.text)]

        if self._taggers is not None and types != frozenset():
            # cells and species are found even where they are not asked for: they are what genes and chemicals are mistaken for
            return [self._taggers.mentions(words) for words in units]
        found: list[list[PredictedMention]] = [[] for _ in units]
        for name in self._recognizers_of(types):
            for number, fresh in enumerate(self._run(units, [*self._listened_to(name), name], mentions)):
                earlier = [(mention.start, mention.end) for mention in found[number]]
                found[number] = [*found[number], *resolved(earlier, fresh)]
        return found

    def _recognizers_of(self, types: frozenset[str] | None) -> list[str]:
        if types is None:
            return self._recognizers
        knowing = [
            number
            for number, name in enumerate(self._recognizers)
            if not types.isdisjoint(map(entity_type, getattr(self._nlp.get_pipe(name), "labels", ())))
        ]
        return self._recognizers[: knowing[-1] + 1] if knowing else []

    def _parsed(self, words: Words, doc: _Columns, start: int, end: int) -> ParsedSentence:
        groups, spans, own_tokens = words.groups, words.spans, words.tokens
        offset = groups[start][0]
        compound = "nn" if self.scheme == "stanford-basic" else "compound"
        tokens: list[tuple[int, int, str, str]] = []
        arcs: list[tuple[int, int, str]] = []
        for number in range(start, end):
            first, after = groups[number]
            anchor = after - 1  # the last token of a blinded mention stands where its placeholder stood
            text, tag = words.texts[number], doc.tags[number]
            shown = tag or doc.parts_of_speech[number]
            for index in range(first, after):
                own = own_tokens[index]
                lemma = self._lemma(text, tag, doc.lemmas[number]) if text == own else own.lower()  # or it is a placeholder
                span = spans[index]
                tokens.append((span[0], span[1], shown, lemma))
                if index < anchor:
                    arcs.append((anchor - offset, index - offset, "punct" if own in SIGNS else compound))
            head = doc.heads[number]
            if head != number and start <= head < end:
                arcs.append((groups[head][1] - 1 - offset, anchor - offset, doc.labels[number]))
        return ParsedSentence(tokens[0][0], tokens[-1][1], tuple(tokens), tuple(arcs))

    def _lemma(self, text: str, tag: str, given: str) -> str:
        return given or ("" if self._lemmas is None else self._lemmas(text, tag))

    def _listened_to(self, recognizer: str) -> list[str]:
        """The shared embedding components that ``recognizer`` reads from."""
        return [
            name for name in self._nlp.pipe_names if recognizer in getattr(self._nlp.get_pipe(name), "listening_components", ())
        ]

    def _run(
        self, units: Sequence[Words], components: Sequence[str], result: Callable[[Words, Any], list[Result]]
    ) -> list[list[Result]]:
        """For each unit what ``result`` takes from its processed document (nothing for a unit without words).

        Documents go through one at a time: in a larger batch the last digits of a score depend on the neighbours, and with
        them, once in a while, an attachment. No document outlives its memory zone.
        """
        from spacy.tokens import Doc

        stages = [self._compiled.get(name) or self._nlp.get_pipe(name) for name in components]
        taken: list[list[Result]] = []
        with one_blas_thread():
            self._remember(units, components)
            for words in units:
                if not words.texts:
                    taken.append([])
                    continue
                with self._lock, self._nlp.memory_zone():
                    doc = Doc(
                        self._nlp.vocab, words=list(words.texts), spaces=list(words.spaces), sent_starts=list(words.starts)
                    )
                    for stage in stages:
                        doc = stage(doc)
                    taken.append(result(words, doc))
                    del doc
        return taken

    def _remember(self, units: Sequence[Words], components: Sequence[str]) -> None:
        """Let a component that remembers words see those of all units at once."""
        remembering = [one for name in components if (one := getattr(self._compiled.get(name), "remember", None))]
        if remembering:
            texts = sorted({text for words in units for text in words.texts})
            with self._lock, self._nlp.memory_zone():
                for remember in remembering:
                    remember(self._nlp.vocab, [self._nlp.vocab.strings.add(text) for text in texts])


def _compiled(nlp: Any) -> dict[str, Callable[[Any], Any]]:
    """The components whose work is done here, in compiled code; the others are spaCy's own."""
    from relhash.language.arc_eager import ArcEagerParser  # compiled code: not for those who only read a file
    from relhash.language.remembered_words import RememberedWords

    found: dict[str, Callable[[Any], Any] | None] = {
        name: ArcEagerParser.of(component) or RememberedWords.of(component) for name, component in nlp.pipeline
    }
    return {name: component for name, component in found.items() if component is not None}


def _mention(words: Words, entity: Any) -> PredictedMention:
    first, last = words.groups[entity.start][0], words.groups[entity.end - 1][1] - 1
    return PredictedMention(words.spans[first][0], words.spans[last][1], entity_type(entity.label_))


def _cuts_brackets(text: str) -> bool:
    return any(text.count(opening) != text.count(closing) for opening, closing in ("()", "[]", "{}"))


def _detected_scheme(nlp: Any, parsers: Sequence[str]) -> str:
    """The label scheme of a foreign parser, from the labels it can give."""
    labels = [label for name in parsers for label in getattr(nlp.get_pipe(name), "labels", ())]
    found = detect_scheme(labels)
    if found is not None:
        return found
    raise LanguageError(
        f"the label scheme of the parser of {nlp.meta.get('name')!r} is not recognised; "
        "name it with scheme='craft', 'ud' or 'stanford-basic'"
    )


def _sentences(doc: Any, words: Words) -> Iterator[tuple[int, int]]:
    """(first word, word after the last) of each sentence."""
    if all(start is False for start in words.starts[1:]):
        yield 0, len(doc)  # one given sentence, whatever the parser would say
        return
    for sentence in doc.sents:
        # text without punctuation: what is longer than any sentence is cut
        for start in range(sentence.start, sentence.end, LONGEST_SENTENCE):
            yield start, min(start + LONGEST_SENTENCE, sentence.end)


class _Columns:
    """What the pipeline has written into a document, as lists: reading spaCy's tokens one by one takes three times as long."""

    def __init__(self, doc: Any) -> None:
        columns = doc.to_array(["HEAD", "TAG", "POS", "DEP", "LEMMA"])
        names = doc.vocab.strings
        import numpy as np  # not at the top: who only reads text does not wait for it

        heads = columns[:, 0].astype(np.int64) + np.arange(len(columns))
        self.heads: list[int] = heads.tolist()
        written = columns[:, 1:].T.tolist()
        called = {number: names[number] if number else "" for number in {one for column in written for one in column}}
        self.tags, self.parts_of_speech, self.labels, self.lemmas = ([called[one] for one in column] for column in written)


class ShippedModel:
    """Stands for the :class:`LoadedModel` ``"embedded"``, and becomes it when it has to work.

    What is asked before it is known whether anything has to be parsed (name, scheme, fingerprint) stands in two small files;
    spaCy and the weights take longer to load than a kept parse takes to read. The recognizers of the file are not loaded:
    names are found by :mod:`relhash.biomed.genes`.
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
        return load_model("embedded", without=self._unneeded)
