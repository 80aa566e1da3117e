"""How every command speaks: results on standard output, progress and errors on standard error.

With ``--json`` standard output holds one JSON value and nothing else; with ``--quiet`` (or ``--json``) nothing but warnings
and errors is said on the way.

At a terminal, characters of the data that would command it are made visible.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from relhash.visible import visible, visible_lines

if TYPE_CHECKING:
    from rich.text import Text

    from relhash.candidates.evidence import Evidence
    from relhash.hashing.trace import Progress


PIECES = {"participant": "bold cyan", "entity": "blue", "path": "bold", "text": ""}
STATIONS = {"participant": "bold cyan", "entity": "blue", "word": "bold", "up": "dim", "down": "dim"}


def sentence_text(shown: Evidence) -> Text:
    """The sentence, coloured."""
    from rich.text import Text

    return Text.assemble(*((visible(piece.text.replace("\n", " ")), PIECES[piece.kind]) for piece in shown.sentence))


def marked_text(marked: str) -> Text:
    """A sentence with marks, which stay, its entities coloured."""
    from rich.text import Text

    from relhash.model.tables.looks import marked_pieces

    pieces = [
        (f"[E{piece.entity}]{visible(piece.text)}[/E{piece.entity}]", PIECES["participant"])
        if piece.entity
        else (visible(piece.text), "")
        for piece in marked_pieces(marked)
    ]
    return Text.assemble(*pieces)


def path_text(shown: Evidence) -> Text:
    """The path on one line: ``Ras ←nsubj binds dobj→ Raf``."""
    from rich.text import Text

    arrows = {"up": "←{}", "down": "{}→"}
    return Text(" ").join(
        Text(arrows.get(station.kind, "{}").format(visible(station.text)), STATIONS[station.kind]) for station in shown.path
    )


_PLAIN_WIDTH = 120
"""Width of tables that go into a file or a pipe, where there is no terminal to ask."""
_NARROWER_HEADINGS = (8, 5)
"""Letters per line of a heading over figures, where the whole of it has no room."""
_BETWEEN = 3
"""Blanks between two columns of a table, about."""


def console(*, stderr: bool = False) -> Console:
    """A rich console on the present standard output (or error); plain text when that is not a terminal.

    At a terminal whatever is printed has its control characters made visible: a model's card is text from elsewhere.
    """
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else _PLAIN_WIDTH
    made = Console(stderr=stderr, highlight=False, width=width)
    if stream.isatty():
        made.push_render_hook(VisibleRendering())
    return made


def error(message: str) -> None:
    """One line on standard error."""
    _line("error", "bold red", message)


def warning(message: str) -> None:
    """One line on standard error, also when all else is to be quiet: something is missing from the result."""
    _line("warning", "bold yellow", message)


def _line(kind: str, style: str, message: str) -> None:
    line = visible(" ".join(message.split()))
    if sys.stderr.isatty():
        from rich.text import Text

        console(stderr=True).print(Text.assemble((f"{kind}: ", style), line), soft_wrap=True)
    else:
        print(f"{kind}: {line}", file=sys.stderr, flush=True)


def note(message: str, *, quiet: bool = False) -> None:
    """One line of information on standard error, so that standard output stays the result."""
    if not quiet:
        print("\n".join(map(visible, message.split("\n"))), file=sys.stderr, flush=True)


def check_failed(message: str) -> NoReturn:
    """End the command with exit code 1: the input was fine, but what was to be checked does not hold."""
    error(message)
    raise typer.Exit(1)


def print_line(*pieces: Text | str | tuple[str, str], style: str = "") -> None:
    """One line on standard output, which the terminal wraps: pieces of text, each with a style or not; no markup is read."""
    from rich.text import Text

    console().print(Text.assemble(*pieces, style=style), soft_wrap=True)


def print_json(value: Any) -> None:
    """Print ``value`` as JSON. Dataclasses, numpy scalars and arrays, paths are understood; what is not a number is null."""
    from relhash.codec import plain

    ascii_only = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    text = json.dumps(plain(value), ensure_ascii=ascii_only, indent=2, allow_nan=False)
    print(visible_lines(text) if sys.stdout.isatty() else text)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "", left: Sequence[int] = (0,)) -> None:
    """Print a table; columns are right-aligned but those whose number is in ``left``."""
    from rich import box
    from rich.table import Table

    cells = [[value if hasattr(value, "__rich_console__") else _cell(value) for value in row] for row in rows]
    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", pad_edge=False)
    for number, column in enumerate(_headings(columns, cells, left)):
        is_text = number in left  # on a narrow terminal words are folded; a figure that is cut off is another figure
        table.add_column(column, justify="left" if is_text else "right", no_wrap=not is_text, overflow="fold")
    for row in cells:
        table.add_row(*row)
    console().print(table)


def _headings(columns: Sequence[str], cells: Sequence[Sequence[Any]], left: Sequence[int]) -> list[str]:
    """The headings; those of figures on several lines if the table would be wider than the terminal."""
    figures = [max((len(str(row[number])) for row in cells), default=0) for number in range(len(columns))]
    headings = list(columns)
    for narrowest in _NARROWER_HEADINGS:
        widths = [max(figure, *map(len, heading.split("\n"))) for figure, heading in zip(figures, headings, strict=True)]
        if sum(widths) + _BETWEEN * len(columns) <= console().width:
            break
        headings = [
            heading if number in left else _folded(heading, max(narrowest, figures[number]))
            for number, heading in enumerate(columns)
        ]
    return headings


def _folded(heading: str, width: int) -> str:
    """A heading on lines of ``width`` letters, a new one for each word that does not fit."""
    lines: list[str] = []
    for word in heading.replace("_", " ").split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines += [word[start : start + width] for start in range(0, len(word), width)]
    return "\n".join(lines)


@contextmanager
def progress(task: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Honest progress of long work: call what it yields with the number of steps done, and what there is to say of them.

    On a terminal a bar, elsewhere at most one line a second on standard error, with ``quiet`` nothing:

        with progress("learning bits", total=100, quiet=quiet or as_json) as step:
            for bit in learner:
                step(1, f"objective {bit.objective:.3f}")
    """
    if quiet:
        yield lambda steps=1, remark="": None
    elif sys.stderr.isatty():
        yield from _bar(task, total)
    else:
        yield from _lines(task, total)


def _bar(task: str, total: int | None) -> Iterator[Callable[..., None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    remarks = TextColumn("{task.fields[remark]}", markup=False)  # the id of a document may look like it
    with Progress(*columns, remarks, console=console(stderr=True), transient=True) as bar:
        number = bar.add_task(task, total=total, remark="")
        yield lambda steps=1, remark="": bar.update(number, advance=steps, remark=visible(remark))


def _lines(task: str, total: int | None) -> Iterator[Callable[..., None]]:
    start = said = time.monotonic()
    done = 0

    def step(steps: int = 1, remark: str = "") -> None:
        nonlocal said, done
        done += steps
        now = time.monotonic()
        if now - said >= 1:
            said = now
            of_total = f"/{total}" if total is not None else ""
            said_of_it = f", {visible(remark)}" if remark else ""
            print(f"{task}: {done}{of_total}, {now - start:.0f} s{said_of_it}", file=sys.stderr, flush=True)

    yield step


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    from rich.markup import escape

    return escape(visible(str(value)))


class FitPhases:
    """Progress of a fit: first the documents that are parsed, if any, then what the learner of hash functions reports."""

    def __init__(self, stack: ExitStack, n_documents: int | None, quiet: bool) -> None:
        self.stack, self.n_documents, self.quiet = stack, n_documents, quiet
        self.phase = ""
        self.step: Callable[..., None] = lambda steps=1, remark="": None
        self.done = 0

    def __call__(self, reached: Progress) -> None:
        self._enter(reached.phase, reached.wanted or self.n_documents)
        self.step(max(0, reached.done - self.done), reached.remark)
        self.done = max(self.done, reached.done)

    def _enter(self, phase: str, total: int | None) -> None:
        if phase != self.phase:
            self.stack.close()  # the bar of the phase before
            self.phase, self.done = phase, 0
            self.step = self.stack.enter_context(progress(phase, total=total, quiet=self.quiet))


class VisibleRendering(RenderHook):
    """A hook of a console: the colours and cursor movements of rich itself are kept, for they are not text."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Shown(renderable) for renderable in renderables]


@dataclasses.dataclass
class _Shown:
    renderable: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.renderable, options):
            yield segment if segment.control else Segment(visible_lines(segment.text), segment.style)
