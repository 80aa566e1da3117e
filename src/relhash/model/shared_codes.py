"""Hash functions learned once over much text and reused by every later fit: only the classifier is then trained.

A code needs no labels, so it need not be learned again for each sheet of labels. One that was learned over many sources is kept
in a file (``relhash codes fit``) and given to each fit (``relhash fit --codes``). It fits a model that compares the same views
with the same kernel on parses of the same source; anything else is refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import relhash
from relhash.blas import one_blas_thread
from relhash.candidates import Candidate, CandidatePolicy, PairPolicy, build_structures, candidates
from relhash.corpus import Document
from relhash.corpus.read_write import CorpusLike, documents_of
from relhash.errors import DataMissingError, ModelFileError, ParameterError, RelHashError, StructureError
from relhash.hashing.trace import Progress
from relhash.kernels import WordVectors
from relhash.language.entities import Lexicon
from relhash.language.parse_cache import ParseCache
from relhash.learn.codes import Code, CodeSettings
from relhash.model.archive import ArchiveKind, read_archive, write_archive
from relhash.model.card import counts_of
from relhash.model.fitting.training_text import LOOKED_AT, sampled_candidates
from relhash.model.presets import name_of, to_recipe
from relhash.model.reading.reader import (
    AUTO,
    ParseSettings,
    Reader,
    choose_parses,
    parse_source,
    parsed_views,
    to_cache,
    to_lexicon,
)
from relhash.model.recipe import Recipe
from relhash.today import today

CODES = ArchiveKind("relhash-codes", 1, "codes", "relhash codes fit")


@dataclass(frozen=True, eq=False, repr=False)
class SharedCodes:
    """Learned hash functions with what they were learned for.

    Attributes
    ----------
    code, settings
        The functions; their views, learner and kernel as a preset says them.
    candidates
        The kind of candidates they compare: ``"pairs"``, ``"interactions"``, …
    parses, parse_source
        How the text was read, and where its parses came from.
    card
        What they were made from and how.

    Examples
    --------
    >>> from relhash.corpus.demo import demo_corpora
    >>> from relhash.model import RelationExtractor
    >>> abstracts, fulltexts = demo_corpora()
    >>> codes = SharedCodes.fit([abstracts, fulltexts], preset="KLSH-NU-RF", learner={"n_bits": 20})
    >>> model = RelationExtractor("KLSH-NU-RF", codes=codes).fit(abstracts, labels=100, adapt_to=fulltexts)
    >>> model.fitted.n_bits
    20
    """

    code: Code
    settings: CodeSettings
    candidates: str
    parses: ParseSettings
    parse_source: str
    card: Mapping[str, Any]

    @classmethod
    def fit(
        cls,
        corpus: CorpusLike,
        adapt_to: CorpusLike | None = None,
        *,
        preset: str | Recipe = "best",
        views: Sequence[str] | None = None,
        learner: Mapping[str, Any] | None = None,
        kernel: Mapping[str, Any] | None = None,
        vectors: WordVectors | None = None,
        policy: CandidatePolicy | None = None,
        parses: str | ParseSettings = AUTO,
        lexicon: Lexicon | str | os.PathLike[str] | None = None,
        cache: bool | ParseCache = True,
        random_state: int = 0,
        n_jobs: int | None = None,
        callback: Callable[[Progress], object] | None = None,
        on_document: Callable[[Document], object] | None = None,
    ) -> SharedCodes:
        """Learn the hash functions of a preset over text of any kind; labels, if there are any, are never looked at.

        Parameters
        ----------
        corpus
            Text: a corpus, documents, a path, or several of these. Entities are looked for where a document has none.
        adapt_to
            Text like that to be read later, if it is known by now. Without it a part of the text plays the target.
        preset, views, learner, kernel, vectors, policy, parses, lexicon, cache, random_state, n_jobs
            As for :class:`~relhash.model.RelationExtractor`. Of hash functions that a preset would choose from by labels
            the first is taken.
        callback, on_document
            As for :meth:`RelationExtractor.fit <relhash.model.RelationExtractor.fit>`.
        """
        policy = policy or PairPolicy()
        chosen = settled(to_recipe(preset, policy).adjusted(views=views, learner=learner, kernel=kernel), name_of(preset))
        settings = chosen.code
        settings.check()
        names, kept = to_lexicon(lexicon), to_cache(cache)
        reading, text, target = _read_both(
            corpus,
            adapt_to,
            settings.views,
            policy,
            parses,
            lambda chosen: Reader(chosen, lexicon=names, cache=kept, ground=True, n_jobs=n_jobs),
            on_document,
        )
        X = build_structures(text, settings.views)
        T = build_structures(target, settings.views) if target else None
        code = settings.make(vectors=vectors, random_state=random_state, n_jobs=n_jobs, callback=callback)
        with one_blas_thread():
            code.learn(X, T)
        source = parse_source([*text, *target])
        card = {
            "made": today(),
            "relhash": relhash.__version__,
            "preset": name_of(preset),
            "text": counts_of(text),
            "adapted_to": counts_of(target) if target else None,
            "parses": source,
            "views": list(settings.views),
            "n_bits": code.n_bits,
            "seed": random_state,
        }
        return cls(code, settings, policy.kind, reading, source, card)

    def applied_to(self, preset: Recipe, policy: CandidatePolicy) -> Recipe:
        """The preset with these hash functions in the place of its own; an error if it would compare something else."""
        if not preset.has_codes:
            raise ParameterError("codes: the system has no hash functions, so it has no use for codes")
        remedy = "learn codes for it (`relhash codes fit --preset …`), or choose a preset that fits"
        for name, own, wanted in (
            ("views", list(self.settings.views), list(preset.views)),
            ("kernel", dict(self.settings.kernel), dict(preset.kernel)),
            ("candidates", self.candidates, policy.kind),
        ):
            if own != wanted:
                raise ParameterError(f"codes: they have the {name} {_said(own)}, the model has {_said(wanted)}; {remedy}")
        return replace(preset, learner=dict(self.settings.learner), learner_choices=())

    def check_source(self, source: str) -> None:
        """Refuse text whose parses come from elsewhere: the paths of one parser are not those of another."""
        if source != self.parse_source:
            raise StructureError(
                f"codes: they were learned on parses of {self.parse_source}, this text has {source}; learn them again with the "
                "same --parses"
            )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a codes file: plain arrays and JSON in a zip, no pickle."""
        arrays, notes = self.code.to_arrays()
        manifest = {
            "views": list(self.settings.views),
            "learner": dict(self.settings.learner),
            "kernel": dict(self.settings.kernel),
            "candidates": self.candidates,
            "reading": self.parses.to_dict(),
            "parses": self.parse_source,
            "code": notes,
            "card": dict(self.card),
        }
        write_archive(Path(path), CODES, manifest, {"code.npz": arrays})

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        vectors: WordVectors | None = None,
        n_jobs: int | None = None,
        parses: str | None = None,
    ) -> SharedCodes:
        """Read a codes file; ``vectors`` are the user's own in full, if the codes were learned with some.

        ``parses`` is the spaCy model that the file may name beside what ships.
        """
        manifest, parts = read_archive(Path(path), CODES)
        try:
            return cls(
                Code.from_arrays(parts["code.npz"], manifest["code"], vectors, n_jobs),
                CodeSettings(tuple(manifest["views"]), dict(manifest["learner"]), dict(manifest["kernel"])),
                str(manifest["candidates"]),
                ParseSettings.from_dict(manifest["reading"]).trusting(parses),
                str(manifest["parses"]),
                dict(manifest["card"]),
            )
        except (ModelFileError, DataMissingError) as error:
            raise type(error)(f"{path}: {error}") from error
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, RelHashError) as error:
            raise ModelFileError(
                f"{path}: not codes that this version understands ({type(error).__name__}: {error})"
            ) from error

    def __repr__(self) -> str:
        return f"SharedCodes({self.code.n_bits} bits of {', '.join(self.settings.views)})"


def to_codes(
    given: SharedCodes | str | os.PathLike[str] | None, n_jobs: int | None = None, parses: str | None = None
) -> SharedCodes | None:
    """The codes, read if a file was named."""
    return given if given is None or isinstance(given, SharedCodes) else SharedCodes.load(given, n_jobs=n_jobs, parses=parses)


def read_codes_card(path: Path) -> dict[str, Any]:
    """What a codes file says of itself."""
    return dict(read_archive(path, CODES)[0]["card"])


def codes_text(card: Mapping[str, Any]) -> str:
    """The card of codes for people, as Markdown."""
    text, target = card["text"], card["adapted_to"]
    lines = [
        f"# Hashcodes for `{card['preset']}`",
        "",
        f"{card['n_bits']} bits of {', '.join(card['views'])}, learned without labels. Made {card['made']} with RelHash "
        f"{card['relhash']}.",
        "",
        f"- learned from {text['documents']} documents, {text['candidates']} candidates",
        f"- adapted to {target['documents']} documents, {target['candidates']} candidates" if target else "- not adapted",
        f"- parses: {card['parses']}",
    ]
    return "\n".join(lines) + "\n"


def _read_both(
    corpus: CorpusLike,
    adapt_to: CorpusLike | None,
    views: Sequence[str],
    policy: CandidatePolicy,
    parses: str | ParseSettings,
    make_reader: Callable[[ParseSettings], Reader],
    on_document: Callable[[Document], object] | None,
) -> tuple[ParseSettings, list[Candidate], list[Candidate]]:
    """How the text is read, and the candidates of both sides; their entities are looked for where they have none."""
    sides = [documents_of(corpus), iter(()) if adapt_to is None else documents_of(adapt_to)]
    text, target = (list(islice(side, LOOKED_AT)) for side in sides)
    needs = {"needs_parse": bool(parsed_views(views)), "needs_split": policy.needs_sentences}
    chosen = choose_parses(parses, text, target, **needs)
    reader, policy = make_reader(chosen), policy.fitted(text)
    found, adapted = (
        sampled_candidates(chain(first, rest), partial(reader, on_document=on_document), partial(candidates, policy=policy))
        for first, rest in zip((text, target), sides, strict=True)
    )
    if not found or (adapt_to is not None and not adapted):
        raise ParameterError("the text has no candidates: no sentence holds two entities that may relate")
    return chosen, found, adapted


def settled(preset: Recipe, name: str) -> Recipe:
    """The preset without a choice that only labels could make."""
    if not preset.has_codes:
        raise ParameterError(f"preset {name!r} has no hash functions to learn")
    if preset.learner.get("supervised") or preset.learner.get("supervised_weight"):
        raise ParameterError(f"preset {name!r} learns its hash functions with labels; codes to share are learned without any")
    first = preset.learner_choices[0] if preset.learner_choices else {}
    return replace(preset, learner={**preset.learner, **first}, learner_choices=())


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value) or "–"
