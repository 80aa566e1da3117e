"""The command `relhash`: its table of contents, and what happens when something goes wrong.

A command is one module of this folder with one function of the same name, and one line in ``COMMANDS``. Only the module of
the command that was asked for is imported, so ``relhash --help`` costs nothing.

Exit codes: 0 all is well, 1 a check failed, 2 bad input, 3 no room (memory, disk, a closed stream), 130 interrupted, 141 the
reader of our output went away, 143 ended by SIGTERM (docs/guarantees.md).
"""

from __future__ import annotations

import difflib
import errno
import functools
import importlib
import inspect
import os
import sys
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup

import relhash
from relhash.blas import limit_from_the_start
from relhash.cli.console import error, note, warning
from relhash.cli.options import option, unfolded
from relhash.cli.process import (
    Terminated,
    asked_to_end,
    collect_rarely,
    drop_standard_output,
    end_like_an_interrupt,
    is_memory_limited,
    is_memory_short,
    limit_memory,
    prepare_streams,
    taken_out,
)
from relhash.errors import OutputError, ParameterError, RelHashError, RelHashNote, RelHashWarning
from relhash.files import NO_ROOM, exists, is_file

_HELP_ALL = "--help-all"
RARE = frozenset(
    {
        "views", "classifier", "negated_are_negative", "one_participant", "open_types",
        "one_type", "amr", "max_pairs", "encoding", "parses", "require_sha256", "scheduler", "workers", "partition_size",
        "resume", "host", "token", "cache", "n_jobs", "to_format", "expect",
    }
)  # fmt: skip
"""Options that few people set; ``--help`` leaves them out, ``--help-all`` and the command line know them."""


def _plain(params: list[Any]) -> list[Any]:
    """No type after a flag or an argument, and no names of variables (RELHASH_COMMAND_OPTION, for all of them)."""
    for param in params:
        param.show_envvar = False
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
        if param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: None
    return params


class PlainCommand(TyperCommand):
    """A command whose help writes ``--quiet``, not ``--quiet <bool>``, and leaves out what few people set.

    Help is plain text: what stands in brackets (``[serve]``, ``[E1]``) is no markup.
    """

    rare = RARE

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for described in (self, *self.params):
            if getattr(described, "help", None):
                described.help = escape(described.help)  # type: ignore[attr-defined]

    def get_params(self, ctx: Any) -> list[Any]:
        params = _plain(super().get_params(ctx))
        for param in params:
            if param.name in self.rare and hasattr(param, "hidden"):
                param.hidden = True
        return params

    def format_help(self, ctx: Any, formatter: Any) -> None:
        hidden = sum(getattr(param, "hidden", False) for param in self.get_params(ctx))
        if hidden:
            self.epilog = f"{ctx.command_path} {_HELP_ALL} shows {hidden} more option{'s' * (hidden != 1)}."
        super().format_help(ctx, formatter)


class FullCommand(PlainCommand):
    """The same with every option, for ``--help-all``."""

    rare = frozenset()


class PlainGroup(TyperGroup):
    """The same for ``relhash`` itself."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain(super().get_params(ctx))


_OUTPUTS = ("output", "plot", "picture")
"""What commands call the files that they write; every other path is read."""
_REPLACED = {("adapt", "model")}
"""A model that is moved to other text may take the place of the one it was made from."""


def refuse_own_input(command: str, arguments: Mapping[str, Any]) -> None:
    """Refuse a command whose output is one of the files that it reads: labels typed by hand would be gone."""
    read = [
        path
        for name, value in arguments.items()
        if name not in _OUTPUTS and (command, name) not in _REPLACED
        for path in (value if isinstance(value, list) else [value])
        if isinstance(path, Path) and exists(path)
    ]
    for output in filter(None, map(arguments.get, _OUTPUTS)):
        if is_file(output) and exists(output) and not output.is_dir() and any(path.samefile(output) for path in read):
            raise OutputError(f"{output}: this file is read by the same command and would be lost; choose another name")


BAD_INPUT, NO_MEANS, INTERRUPTED, BROKEN_PIPE, TERMINATED = 2, 3, 130, 141, 143


class Command(NamedTuple):
    """One line of the table of contents; ``function`` is given where the module's own name would hide something."""

    name: str
    panel: str
    summary: str
    function: str = ""

    @property
    def module(self) -> str:
        return f"relhash.cli.{self.name}"

    def load(self) -> Callable[..., Any]:
        return unfolded(getattr(importlib.import_module(self.module), self.function or self.name))


COMMANDS = (
    Command("demo", "Start here", "Read, teach, compare, find, on excerpts of real corpora; nothing to download."),
    Command("info", "Start here", "Versions, resources, a model's card: something to paste into a bug report."),
    Command("predict", "Read", "Relations with probability and evidence, from annotated files or raw text."),
    Command("pairs", "Read", "Sentences merged to facts: one row per pair of entities, or a network."),
    Command("serve", "Read", "Predictions over HTTP: text in, relations with evidence out."),
    Command("fit", "Teach", "Learn a model from labelled text, adapted to the text that it will read."),
    Command("review", "Teach", "The questions whose answers teach a model most, as a sheet or a page."),
    Command("curate", "Teach", "A page on which people answer, and the model learns after each answer."),
    Command("adapt", "Teach", "Move a model's threshold to other text: no labels, no training text, seconds."),
    Command("check", "Check", "Judge extracted statements: is that what the sentence says?"),
    Command("evaluate", "Check", "Precision, recall and F1 of a model on a gold corpus, with intervals."),
    Command("explain", "Check", "Why a model says so: the evidence behind each row, on one page."),
    Command("hash", "Find", "An index of a text: codes, and what the exact comparison needs.", function="hash_command"),
    Command("similar", "Find", "Every sentence that says something like this one."),
    Command("inspect", "Corpora", "Count what a corpus holds; find leakage between two corpora."),
    Command("convert", "Corpora", "Turn one corpus format into another."),
    Command("cache", "Corpora", "What is kept between runs: show it, check it, clear it."),
    Command("benchmark", "Research", "The protocols of the literature: one table, the published figures beside ours."),
)


def build_app(
    arguments: Sequence[str], *, show_all: bool = False, config: Mapping[str, Mapping[str, Any]] | None = None
) -> typer.Typer:
    """The typer application for these arguments: the command they name is loaded, the others stand in by their summary."""
    app = typer.Typer(
        name="relhash",
        cls=PlainGroup,
        help="Find relations between entities in text, with few labels, on text that differs from what was labelled.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        # every option also by a variable, RELHASH_SERVE_PORT for --port of relhash serve
        context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "RELHASH", "default_map": config or {}},
    )
    app.callback()(_options)
    asked = next((argument for argument in [*arguments, *_words_to_complete()] if not argument.startswith("-")), None)
    for command in COMMANDS:
        function = _guarded(command.load()) if command.name == asked else _stand_in
        add = app.command(
            command.name,
            cls=FullCommand if show_all else PlainCommand,
            help=_paragraphs(function),
            short_help=command.summary,
            rich_help_panel=command.panel,
        )
        add(function)
    return app


def _words_to_complete() -> list[str]:
    """What a shell has on its line when it asks for completions: the command there is loaded for its options."""
    given = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    return given.split()[1:] if "_RELHASH_COMPLETE" in os.environ else []


def read_config(path: str) -> dict[str, dict[str, Any]]:
    """Options of commands from a file of TOML: a section per command, ``[serve]``, a line per option, ``port = 8000``."""
    try:
        given = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise ParameterError(f"--config {path}: {getattr(problem, 'strerror', None) or problem}") from None
    known = [command.name for command in COMMANDS]
    found: dict[str, dict[str, Any]] = {}
    for name, values in given.items():
        if name not in known or not isinstance(values, dict):
            raise ParameterError(f"--config {path}: [{name}] is no command; one of {', '.join(known)}")
        params = typer.main.get_command(build_app([name])).commands[name].params  # type: ignore[attr-defined]
        options = {option.lstrip("-"): param.name for param in params for option in (*param.opts, param.name)}
        if wrong := [option for option in values if option not in options]:
            near = difflib.get_close_matches(wrong[0], options, 1)
            remedy = f"do you mean {near[0]}?" if near else f"relhash {name} --help-all lists them"
            raise ParameterError(f"--config {path}: relhash {name} has no option {wrong[0]!r}; {remedy}")
        found[name] = {options[option]: value for option, value in values.items()}
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``relhash`` and exit."""
    limit_from_the_start()  # before a command is loaded, and numpy with it
    collect_rarely()
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    prepare_streams()
    end_like_an_interrupt()
    quiet = not {"-q", "--quiet", "--json"}.isdisjoint(arguments)
    with _exit_codes(), _warnings_in_one_line(quiet=quiet):
        arguments = limit_memory(arguments)
        config, arguments = taken_out("--config", arguments)
        config = os.environ.get("RELHASH_CONFIG") if config is None else config
        show_all = _HELP_ALL in arguments
        arguments = ["--help" if argument == _HELP_ALL else argument for argument in arguments]
        app = build_app(arguments, show_all=show_all, config=None if config is None else read_config(config))
        app(arguments, prog_name="relhash")


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"relhash {relhash.__version__}")
        raise typer.Exit


def _options(
    version: Annotated[bool, option("--version", "Show the version.", callback=_show_version, is_eager=True)] = False,
    max_memory: Annotated[str | None, option("SIZE", "End with a message instead of taking more memory, such as 4G.")] = None,
    config: Annotated[
        Path | None, option("FILE", escape("Options in TOML: [serve], port = 8000. Or RELHASH_SERVE_PORT=8000."))
    ] = None,
) -> None:
    pass


def _stand_in() -> None:
    """Stand in for a command in the table of contents; it never runs, because a command that is asked for is loaded."""


def _paragraphs(function: Callable[..., Any]) -> str:
    """The docstring with each paragraph on one line, to be wrapped at the width of the terminal; indented lines stay."""
    paragraphs = (inspect.getdoc(function) or "").split("\n\n")
    return "\n\n".join(part if part.startswith(" ") else part.replace("\n", " ") for part in paragraphs)


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same command, with errors translated before typer sees them (it has other ideas of exit codes)."""

    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        with _exit_codes():
            refuse_own_input(function.__name__, kwargs)
            return function(*args, **kwargs)

    return guarded


@contextmanager
def _warnings_in_one_line(*, quiet: bool) -> Iterator[None]:
    """Our own warnings look like errors do, each once; notes are no warnings; others stay as Python shows them."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", RelHashWarning)
        as_python_does = warnings.showwarning

        def show(message: Any, category: type[Warning], *place: Any) -> None:
            if issubclass(category, RelHashNote):
                note(f"note: {message}", quiet=quiet)
            elif issubclass(category, RelHashWarning):
                warning(str(message))
            else:
                as_python_does(message, category, *place)

        warnings.showwarning = show  # type: ignore[assignment]
        yield


def _end_without_memory(why: str = "") -> NoReturn:
    _end(NO_MEANS, f"not enough memory{f' ({why})' if why else ''}; give less text at a time, or raise --max-memory")


def _end(code: int, message: str) -> NoReturn:
    error(message)
    sys.exit(code)


def _end_as_asked(how: type[BaseException]) -> NoReturn:
    _end(*((TERMINATED, "ended by SIGTERM") if issubclass(how, Terminated) else (INTERRUPTED, "interrupted")))


@contextmanager
def _exit_codes() -> Iterator[None]:
    try:
        try:
            yield
        finally:
            asked = asked_to_end()
            sys.stdout.flush()  # a broken pipe shows here rather than in the interpreter's last breath
    except RelHashError as problem:
        if isinstance(problem.__cause__, MemoryError) and is_memory_short():  # a file that looks damaged because of it
            _end_without_memory()
        _end(BAD_INPUT, str(problem))
    except KeyboardInterrupt as asked_by:
        from relhash.processes import end_workers

        end_workers()
        _end_as_asked(type(asked_by))
    except BrokenPipeError:
        drop_standard_output()
        sys.exit(BROKEN_PIPE)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError) and end.code == 1:  # typer's own word for it, while it shows help
            drop_standard_output()
            sys.exit(BROKEN_PIPE)
        raise
    except OSError as problem:
        if problem.errno == errno.ENOMEM or (problem.errno is None and is_memory_short()):
            _end_without_memory()
        if problem.errno is None:  # a library's own, with a text
            _end(BAD_INPUT, str(problem))
        if problem.filename is None:
            drop_standard_output()
        name = "standard output" if problem.filename is None else os.fsdecode(problem.filename)
        is_bad_input = problem.filename is not None and problem.errno not in NO_ROOM
        _end(BAD_INPUT if is_bad_input else NO_MEANS, f"{name}: {problem.strerror or problem}")
    except MemoryError as problem:
        _end_without_memory(str(problem))
    except RecursionError:
        _end(BAD_INPUT, "the input is nested too deeply")
    except EOFError as problem:
        _end(BAD_INPUT, f"the input ended too early{f' ({problem})' if str(problem) else ''}")
    except UnicodeError as problem:
        _end(BAD_INPUT, f"text that is in no known encoding ({problem}); convert it to UTF-8")
    except Exception as problem:
        if asked is not None:
            _end_as_asked(asked)  # a compiler that lost it fails over it
        # a library that gets no memory, in the middle of its import, may fail without saying why, or with another reason
        if is_memory_short() or (isinstance(problem, SystemError) and is_memory_limited()):
            _end_without_memory()
        raise
