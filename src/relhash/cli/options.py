"""Arguments and options that several commands have: each is declared here once and says the same everywhere.

A command takes them as types, ``seed: options.Seed = 0``, and those that belong together as one of the dataclasses below,
``using: options.Using``, which knows what to do with them: typer sees their fields (:func:`unfolded`). In the help they stand
under headings, after the options that belong to the command alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import partial, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from relhash.cli.console import note, progress
from relhash.cli.corpus_input import CorpusInput
from relhash.errors import DataMissingError

if TYPE_CHECKING:
    from relhash.model import FittedModel

PACKAGES = ("fastapi", "uvicorn", "sqlalchemy", "jinja2", "pebble", "prometheus_client")


def need_web(command: str) -> None:
    """An error with the remedy if a package is missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise DataMissingError(f"{command} needs {', '.join(missing)}, not installed; pip install 'relhash[web]'")


reading = partial(typer.Option, rich_help_panel="How the text is read")
trusting = partial(typer.Option, rich_help_panel="What is trusted")
running = partial(typer.Option, rich_help_panel="How it runs")
serving = partial(typer.Option, rich_help_panel="Server")
clustering = partial(typer.Option, rich_help_panel="Many machines")
table_output = partial(typer.Option, "--output", "-o", metavar="OUT", show_default=False)
"""A file whose suffix says the format, or a table on standard output."""


class EngineName(StrEnum):
    """Where the work is done."""

    LOCAL = "local"
    DASK = "dask"


Model = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file made by relhash fit, or a model that ships: ppi, events, related.")
]
Input = Annotated[
    Path, typer.Argument(metavar="INPUT", help="Raw text or a corpus: a file, a folder of files, or - for standard input.")
]
Inputs = Annotated[
    list[Path],
    typer.Argument(metavar="INPUT", help="Raw text or corpora: files, folders of files, or - for standard input."),
]
Expect = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Your guess of how many of all pairs are related, such as 0.2: labels picked for a sheet do not tell it.",
    ),
]
ToFormat = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help="Corpus format of OUT, if its suffix does not say.")
]

Format = Annotated[
    str | None, reading("--format", metavar="FORMAT", help="Format of the input; by default found by suffix and content.")
]
Encoding = Annotated[
    str | None,
    reading(
        "--encoding",
        metavar="NAME",
        help="Encoding of tables and plain text, such as windows-1252 or utf-16; by default guessed, and noted if not UTF-8.",
    ),
]
Lenient = Annotated[bool, reading("--lenient", help="Leave out broken documents, and say which, instead of stopping.")]
Types = Annotated[
    str | None, reading(metavar="TYPES", help="Entity types that may relate, such as protein,chemical or protein-chemical.")
]
OneType = Annotated[
    str | None,
    reading(metavar="NAME", help="Call all relations NAME, for corpora whose types are verbs or whose names differ."),
]
Without = Annotated[
    list[Path] | None,
    reading(
        "--without-documents-of",
        metavar="OTHER",
        help="Leave out papers that the corpus OTHER has too, by PubMed id: for text on which you will measure. Repeatable.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(metavar="P", min=0, max=1, help="Accept from this probability on, in place of the model's own threshold."),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        metavar="negated|questioned",
        help="Also accept relations that their sentence denies (A does not bind B) or only asks for (whether A binds B). "
        "Repeatable. The column 'assertion' says which is which.",
    ),
]
Lexicon = Annotated[
    Path | None,
    reading(
        metavar="FILE",
        help="Names to find in text without annotated entities, beside those that are recognised: a TSV of name, id, type.",
        dir_okay=False,
    ),
]
Ground = Annotated[
    bool, reading("--ground/--no-ground", help="Give ids to entities that have none, by the list of names that ships.")
]
Grounded = Annotated[bool, reading("--grounded", help="Only relations between entities that have an id.")]
Amr = Annotated[
    Path | None,
    reading(
        "--amr",
        metavar="PATH",
        help="Meaning graphs in the place of parses: a PENMAN file or a folder of them. A graph is found by its '# ::snt'.",
    ),
]
MaxPairs = Annotated[
    int | None,
    reading(
        metavar="N",
        min=1,
        help="Look at no more than N pairs per sentence, the closest ones, and warn of a sentence that has more. By default "
        "500, or what the model says. Of interactions, the N least doubtful candidates.",
    ),
]

TrustedParser = Annotated[
    str | None,
    trusting(
        "--parses",
        metavar="SPACY_MODEL",
        help="The spaCy model that MODEL was fitted with, if it is not one that ships: its code will run, and a model file may "
        "not name it by itself.",
    ),
]
Sha256 = Annotated[
    str | None,
    trusting("--require-sha256", metavar="HEX", help="Refuse MODEL if it is not the very file (sha256sum) that is meant."),
]

Seed = Annotated[int, running("--seed", metavar="N", min=0, max=2**32 - 1, help="The same seed gives the same result.")]


def _some(n_jobs: int | None) -> int | None:
    if n_jobs is not None and not (n_jobs == -1 or 1 <= n_jobs <= 1024):
        raise typer.BadParameter(f"{n_jobs} is neither -1 (all cores) nor a number from 1 to 1024")
    return n_jobs


Jobs = Annotated[
    int | None,
    running("--n-jobs", metavar="N", callback=_some, help="Processes that parse text, threads of the rest; -1 for all cores."),
]
Cache = Annotated[
    bool, running("--cache/--no-cache", help="Keep parses in the cache folder (relhash info), so that they are made once.")
]
Resume = Annotated[
    bool,
    running(
        "--resume/--no-resume",
        help="Go on where an earlier run of the same command was ended: what it had done is kept beside OUTPUT until the end.",
    ),
]
Json = Annotated[bool, running("--json", help="Print one JSON value on standard output and nothing else.")]
Quiet = Annotated[bool, running("--quiet", "-q", help="Say nothing on the way.")]

Port = Annotated[int, serving("--port", metavar="N", min=0, max=65535, help="Port of the server; 0 takes any that is free.")]
Host = Annotated[
    str,
    serving(
        "--host",
        metavar="ADDRESS",
        help="Address of the server. By default only this machine reaches it; elsewhere a token is needed, which is made and "
        "printed, or taken from RELHASH_TOKEN.",
    ),
]
Token = Annotated[bool, serving("--token", help="Ask for a token on this machine too.")]
Threads = Annotated[int, serving("--threads", metavar="N", min=1, max=256, help="Requests that are worked on at a time.")]

Engine = Annotated[
    EngineName, clustering("--engine", help="local: this process; dask: a Dask cluster (extra scale), with the same results.")
]
Scheduler = Annotated[
    str | None,
    clustering("--scheduler", metavar="ADDRESS", help="A Dask cluster to work on, tcp://HOST:8786; by default this machine."),
]
Workers = Annotated[
    int | None,
    clustering("--workers", metavar="N", min=1, help="Processes of --engine dask on this machine; by default one per core."),
]
PartitionSize = Annotated[
    int, clustering("--partition-size", metavar="N", min=1, help="Documents per partition of --engine dask.")
]


@dataclass(frozen=True)
class Verbosity:
    """What a command says."""

    as_json: Json = False
    quiet: Quiet = False

    @property
    def silent(self) -> bool:
        """Whether nothing is said on the way."""
        return self.as_json or self.quiet

    def note(self, message: str) -> None:
        """One line of information on standard error."""
        note(message, quiet=self.quiet)

    def progress(self, task: str, total: int | None = None) -> AbstractContextManager[Callable[..., None]]:
        """Progress of long work, as of :func:`~relhash.cli.console.progress`."""
        return progress(task, total, quiet=self.silent)


@dataclass(frozen=True)
class Files:
    """How a file of text is read."""

    format: Format = None
    encoding: Encoding = None
    lenient: Lenient = False

    def open(self, path: Path, **more: Any) -> CorpusInput:
        """The corpus at ``path``; ``more`` is as of :class:`CorpusInput`."""
        return CorpusInput(path, self.format, lenient=self.lenient, encoding=self.encoding, **more)


@dataclass(frozen=True)
class Texts(Files):
    """The same for a model."""

    amr: Amr = None
    cache: Cache = True

    def open(self, path: Path, **more: Any) -> CorpusInput:
        return super().open(path, amr=self.amr, **more)

    def other(self, path: Path) -> CorpusInput:
        """A second text, whose format is its own."""
        return CorpusInput(path, lenient=self.lenient, amr=self.amr)


@dataclass(frozen=True)
class Using:
    """How a model is used."""

    types: Types = None
    lexicon: Lexicon = None
    ground: Ground = True
    grounded: Grounded = False
    max_pairs: MaxPairs = None
    parses: TrustedParser = None
    require_sha256: Sha256 = None
    n_jobs: Jobs = None

    def load(self, model: Path | str, *, cache: bool = True) -> FittedModel:
        """The model as these options want it."""
        from relhash.model import FittedModel

        how: dict[str, Any] = {"lexicon": self.lexicon, "ground": self.ground, "n_jobs": self.n_jobs, "parses": self.parses}
        fitted = FittedModel.load(model, cache=cache, sha256=self.require_sha256, **how)
        return fitted.adjusted(types=self.types, grounded=self.grounded, max_pairs=self.max_pairs)


@dataclass(frozen=True)
class Accepting(Using):
    """The same where rows are accepted."""

    threshold: Threshold = None
    keep: Keep = None

    def load(self, model: Path | str, *, cache: bool = True) -> FittedModel:
        return super().load(model, cache=cache).adjusted(threshold=self.threshold, keep=self.keep)


@dataclass(frozen=True)
class Cluster:
    """Where the work is done."""

    engine: Engine = EngineName.LOCAL
    scheduler: Scheduler = None
    workers: Workers = None
    partition_size: PartitionSize = 1000

    @property
    def place(self) -> dict[str, Any] | None:
        """As of :func:`~relhash.scale.cluster.cluster`; ``None`` for this process, where options of a cluster are an error."""
        if self.engine is EngineName.DASK:
            return {"scheduler": self.scheduler, "workers": self.workers}
        if given := [name for name in ("scheduler", "workers") if getattr(self, name) is not None]:
            from relhash.errors import ParameterError

            named = " and ".join(f"--{name}" for name in given)
            raise ParameterError(f"{named}: for --engine dask only; say --engine dask, or leave it out")
        return None


@dataclass(frozen=True)
class Server:
    """Where a server listens."""

    port: Port = 0
    host: Host = "127.0.0.1"
    token: Token = False


def unfolded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The command as typer takes it: in the place of a parameter that is a dataclass, at the end, each of its fields."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    taken: dict[str, inspect.Parameter] = {
        name: one.replace(annotation=hints[name], kind=one.KEYWORD_ONLY)
        for name, one in inspect.signature(function).parameters.items()
        if name not in groups
    }
    for kind in groups.values():
        types = get_type_hints(kind, include_extras=True)
        for one in fields(kind):
            how = {"default": one.default, "annotation": types[one.name]}
            taken[one.name] = inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, **how)

    @wraps(function)
    def command(**given: Any) -> Any:
        made = {name: kind(**{one.name: given.pop(one.name) for one in fields(kind)}) for name, kind in groups.items()}
        return function(**made, **given)

    command.__signature__ = inspect.Signature(list(taken.values()))  # type: ignore[attr-defined]
    command.__annotations__ = {name: one.annotation for name, one in taken.items()}
    return command
