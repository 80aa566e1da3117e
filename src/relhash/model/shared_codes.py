"""Hash functions learned once over much text and reused by every later fit: only the classifier is then trained.

A code needs no labels, so it need not be learned again for each sheet of labels. One that was learned over many sources is kept
in a file (``relhash codes fit``) and given to each fit (``relhash fit --codes``). It fits a model that compares the same views
with the same kernel on parses of the same source; anything else is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from relhash.candidates import CandidatePolicy
from relhash.errors import DataMissingError, ModelFileError, ParameterError, RelHashError, StructureError
from relhash.kernels import WordVectors
from relhash.learn.codes import Code, CodeSettings
from relhash.model.archive import ArchiveKind, read_archive, write_archive
from relhash.model.reading.reader import (
    ParseSettings,
)
from relhash.model.recipe import Recipe

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
    >>> codes = RelationExtractor("KLSH-NU-RF", learner={"n_bits": 20}).learn_codes([abstracts, fulltexts])
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
