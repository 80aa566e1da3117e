"""Where the parses of candidates come from: a model fitted on one parser's trees misreads another's.

Where the parses that a model reads come from: chosen once, when it is fitted, and kept in its file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from relhash.candidates.candidate import Candidate
from relhash.candidates.views import view
from relhash.codec import InJson
from relhash.errors import ModelFileError, StructureError

AUTO, FILE, EMBEDDED = "auto", "file", "embedded"


@dataclass(frozen=True, slots=True)
class ParseSettings(InJson):
    """Where parses come from, as plain data of a model file.

    Parameters
    ----------
    source
        ``"file"``: what the corpora carry. ``"embedded"``: the pipeline that ships with RelHash. Anything else is the folder or
        the installed package of a spaCy model with a parser.
    blind
        Replace entities by a placeholder noun before parsing.
    collapse
        Bring the parses into the scheme ``stanford-collapsed``.
    parser
        What the pipeline calls itself; filled in when a model is fitted, checked when it is used.
    types
        Types of entities to look for in text that has none; filled in from the training text. ``None``: all.
    """

    source: str = FILE
    blind: bool = True
    collapse: bool = True
    parser: str = ""
    types: tuple[str, ...] | None = None

    @property
    def uses_pipeline(self) -> bool:
        return self.source != FILE

    def trusting(self, trusted: str | None) -> ParseSettings:
        """These settings of a file. A spaCy model is code that would run, so a file may name only what ships.

        ``trusted`` is the one other source that the user, not the file, has named.
        """
        if self.source not in (FILE, EMBEDDED, trusted):
            raise ModelFileError(
                f"it reads text with the spaCy model {self.source!r}, which does not ship with RelHash, and loading that runs "
                f"its code; if you trust it, name it yourself: --parses {self.source} (in Python: parses={self.source!r})"
            )
        return self


NO_PARSE = "none"
REMEDY = "fit with --parses embedded (RelationExtractor(parses='embedded')), which parses whatever it is given"


def parse_source(candidates: Iterable[Candidate]) -> str:
    """Parser and label scheme of the candidates' sentences, as one string; ``"none"`` when nothing is parsed.

    Candidates with more than one source, or partly without a parse, are refused: such a corpus cannot be learned from.
    """
    return _only_source(candidates) or NO_PARSE


def parsed_views(names: Iterable[str]) -> list[str]:
    """Those of the views that walk dependencies.

    >>> parsed_views(["path+edges", "between", "descriptors"])
    ['path+edges']
    """
    return [name for name in names if view(name).needs_parse]


def check_parse_source(candidates: Sequence[Candidate], expected: str) -> None:
    """Refuse candidates whose parses do not come from the ``expected`` source."""
    given = _only_source(candidates)
    if given is None or given == expected:
        return
    where = _where(candidates[0])
    if given == NO_PARSE:
        raise StructureError(
            f"{where} has no parse, but the model was fitted on the parses of its files ({expected}); for raw text {REMEDY}"
        )
    raise StructureError(
        f"{where} was parsed by {given}, but the model was fitted on the parses of its files ({expected}); for text of any "
        f"source {REMEDY}"
    )


def _only_source(candidates: Iterable[Candidate]) -> str | None:
    """The one source of all candidates; nothing if no sentence says anything of its source."""
    found: dict[str, str] = {}
    last: tuple[int, int] | None = None
    for candidate in candidates:
        place = id(candidate.document), candidate.sentence
        if place == last:
            continue
        last = place
        source = _source(candidate)
        if source is not None:
            found.setdefault(source, _where(candidate))
    if len(found) > 1:
        listed = "; ".join(f"{source} ({where})" for source, where in sorted(found.items()))
        raise StructureError(
            f"parses come from different sources: {listed}. Use one source for everything: {REMEDY}, or leave the odd "
            "documents out"
        )
    return next(iter(found), None)


def _source(candidate: Candidate) -> str | None:
    """Source of one sentence; nothing for a parsed sentence without arcs, which says nothing of its scheme."""
    document = candidate.document
    if not document.sentences or not document.sentences[candidate.sentence].is_parsed:
        return NO_PARSE
    sentence = document.sentences[candidate.sentence]
    if not sentence.dependencies:
        return None
    parser, scheme = sentence.parser or "unnamed parser", sentence.dependencies[0].scheme
    if f"({scheme})" in parser:
        return parser
    return f"{parser}, as {scheme}" if parser.endswith((")", "blinded")) else f"{parser} ({scheme})"


def _where(candidate: Candidate) -> str:
    document = candidate.document
    if document.sentences:
        return f"sentence {document.sentences[candidate.sentence].id!r} of document {document.id!r}"
    return f"document {document.id!r}"
