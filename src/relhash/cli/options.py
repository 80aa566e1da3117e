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
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from relhash.cli.console import note, progress
from relhash.errors import DataMissingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from relhash.corpus import Corpus, Document
    from relhash.errors import CorpusError
    from relhash.model import FittedModel

_ERRORS_SHOWN = 5
_AHEAD = 10_000
PACKAGES = ("fastapi", "uvicorn", "sqlalchemy", "jinja2", "pebble", "prometheus_client")


def need_web(command: str) -> None:
    """An error with the remedy if a package is missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise DataMissingError(f"{command} needs {', '.join(missing)}, not installed; pip install 'relhash[web]'")


def option(*words: str, panel: str | None = None, **more: Any) -> Any:
    """An option for typer: its names if the parameter does not say them, what follows it (nothing after a flag), its help."""
    names = [word for word in words[:-1] if word.startswith("-")]
    metavar = next((word for word in words[:-1] if not word.startswith("-")), None)
    return typer.Option(*names, metavar=metavar, help=words[-1], rich_help_panel=panel, **more)


def argument(metavar: str, help: str, **more: Any) -> Any:
    """An argument for typer."""
    return typer.Argument(metavar=metavar, help=help, **more)


reading = partial(option, panel="How the text is read")
trusting = partial(option, panel="What is trusted")
running = partial(option, panel="How it runs")
serving = partial(option, panel="Server")
clustering = partial(option, panel="Many machines")
table_output = partial(option, "--output", "-o", "OUT", show_default=False)
"""A file whose suffix says the format, or a table on standard output."""
BY_DEFAULT = "By default a table on standard output."


class EngineName(StrEnum):
    """Where the work is done."""

    LOCAL = "local"
    DASK = "dask"


Model = Annotated[Path, argument("MODEL", "A model file made by relhash fit, or a model that ships: ppi, events, related.")]
Input = Annotated[Path, argument("INPUT", "Raw text or a corpus: a file, a folder of files, or - for standard input.")]
Inputs = Annotated[list[Path], argument("INPUT", "Raw text or corpora: files, folders of files, or - for standard input.")]
Expect = Annotated[float | None, option("SHARE", "Your guess of how many of all pairs are related, such as 0.2.")]
ToFormat = Annotated[str | None, option("--to", "FORMAT", "Corpus format of OUT, if its suffix does not say.")]
Format = Annotated[str | None, reading("FORMAT", "Format of the input; by default found by suffix and content.")]
Encoding = Annotated[
    str | None, reading("NAME", "Encoding of tables and plain text, such as windows-1252; by default guessed, and noted.")
]
Lenient = Annotated[bool, reading("--lenient", "Leave out broken documents, and say which, instead of stopping.")]
Types = Annotated[str | None, reading("TYPES", "Entity types that may relate, such as protein,chemical or protein-chemical.")]
OneType = Annotated[str | None, reading("NAME", "Call all relations NAME, for corpora whose types are verbs.")]
Threshold = Annotated[
    float | None, option("P", "Accept from this probability on, in place of the model's own threshold.", min=0, max=1)
]
Keep = Annotated[
    list[str] | None,
    option(
        "negated|questioned",
        "Also accept relations that their sentence denies (A does not bind B) or only asks for (whether A binds B). The "
        "column assertion says which is which. Repeatable.",
    ),
]
Lexicon = Annotated[
    Path | None,
    reading("FILE", "More names to find in text without annotated entities: a TSV of name, id, type.", dir_okay=False),
]
Ground = Annotated[bool, reading("--ground/--no-ground", "Give ids to entities that have none, by the names that ship.")]
Grounded = Annotated[bool, reading("--grounded", "Only relations between entities that have an id.")]
Amr = Annotated[
    Path | None, reading("PATH", "Meaning graphs in place of parses: PENMAN files, a graph is found by its '# ::snt'.")
]
MaxPairs = Annotated[
    int | None, reading("N", "Look at the N closest pairs per sentence, and warn of more; by default 500.", min=1)
]
TrustedParser = Annotated[
    str | None,
    trusting("--parses", "SPACY_MODEL", "The spaCy model that MODEL was fitted with, if it does not ship: its code will run."),
]
Sha256 = Annotated[str | None, trusting("HEX", "Refuse MODEL if it is not the very file (sha256sum) that is meant.")]
Seed = Annotated[int, running("N", "The same seed gives the same result.", min=0, max=2**32 - 1)]


def _some(n_jobs: int | None) -> int | None:
    if n_jobs is not None and not (n_jobs == -1 or 1 <= n_jobs <= 1024):
        raise typer.BadParameter(f"{n_jobs} is neither -1 (all cores) nor a number from 1 to 1024")
    return n_jobs


Jobs = Annotated[int | None, running("N", "Processes that parse text, threads of the rest; -1 for all cores.", callback=_some)]
Cache = Annotated[bool, running("--cache/--no-cache", "Keep parses in the cache folder (relhash info): they are made once.")]
Resume = Annotated[
    bool, running("--resume/--no-resume", "Go on where an earlier run of the same command was ended; it is kept beside OUT.")
]
Json = Annotated[bool, running("--json", "Print one JSON value on standard output and nothing else.")]
Quiet = Annotated[bool, running("--quiet", "-q", "Say nothing on the way.")]
Port = Annotated[int, serving("N", "Port of the server; 0 takes any that is free.", min=0, max=65535)]
Host = Annotated[
    str,
    serving(
        "ADDRESS",
        "Address of the server. By default only this machine reaches it; elsewhere a token is needed, which is made and "
        "printed, or taken from RELHASH_TOKEN.",
    ),
]
Token = Annotated[bool, serving("--token", "Ask for a token on this machine too.")]
Engine = Annotated[EngineName, clustering("local: this process; dask: a Dask cluster (extra scale), with the same results.")]
Scheduler = Annotated[str | None, clustering("ADDRESS", "A Dask cluster to work on, tcp://HOST:8786; by default this machine.")]
Workers = Annotated[int | None, clustering("N", "Processes of --engine dask on this machine; by default one per core.", min=1)]
PartitionSize = Annotated[int, clustering("N", "Documents per partition of --engine dask.", min=1)]


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


class CorpusInput:
    """What INPUT and ``--format --encoding --lenient --amr --one-type`` ask for.

    ``skipped`` fills while documents are read; ``count`` is how many came through.
    """

    def __init__(
        self, path: Path, format: str | None = None, *, lenient: bool = False, amr: Path | None = None,
        one_type: str | None = None, encoding: str | None = None,
    ) -> None:  # fmt: skip
        self.path, self.format, self.lenient, self.amr, self.one_type = path, format, lenient, amr, one_type
        self.options = {} if encoding is None else {"encoding": encoding}
        self.skipped: list[CorpusError] = []
        self.count = 0

    def stream(self, step: Callable[..., None] | None = None) -> Iterator[Document]:
        """The documents one at a time, with a step of progress after each."""
        from relhash.corpus import stream

        documents = stream(self.path, self.format, on_error=self.skipped.append if self.lenient else None, **self.options)
        if self.amr is not None:
            from relhash.language.amr import GraphCollection

            documents = GraphCollection.read(self.amr).on_all(documents)
        if self.one_type is not None:
            from relhash.corpus.document import with_one_type

            documents = with_one_type(documents, self.one_type)
        for document in counted(documents, step):
            self.count += 1
            yield document

    def read(self) -> Corpus:
        """All documents in memory."""
        from relhash.corpus import Corpus

        return Corpus.of(self.stream())

    def remark(self, *, quiet: bool = False) -> None:
        """Say what was skipped, if anything."""
        if not self.skipped:
            return
        note(f"{len(self.skipped):,} broken document{'s' * (len(self.skipped) != 1)} skipped in {self.path}:", quiet=quiet)
        for problem in self.skipped[:_ERRORS_SHOWN]:
            note(f"  {problem}", quiet=quiet)
        if len(self.skipped) > _ERRORS_SHOWN:
            note(f"  … and {len(self.skipped) - _ERRORS_SHOWN:,} more", quiet=quiet)


def begun(inputs: Sequence[CorpusInput]) -> tuple[Iterator[Document], int | None]:
    """All their documents one at a time, and how many there are; None if they are too many to know.

    The first ten thousand are read at once, so that errors in most inputs come before any work.
    """
    documents = chain.from_iterable(one.stream() for one in inputs)
    first = list(islice(documents, _AHEAD))
    return chain(first, documents), len(first) if len(first) < _AHEAD else None


def counted(documents: Iterable[Document], step: Callable[..., None] | None) -> Iterator[Document]:
    """The documents, with a step of progress after each."""
    for document in documents:
        yield document
        if step is not None:
            step(1)


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
