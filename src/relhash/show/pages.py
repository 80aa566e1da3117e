"""Pages from templates: one file each that loads nothing, every text escaped and every invisible character shown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from relhash.model.tables.page import bar, chip, marked, marked_sentence
from relhash.show.sentence_drawing import draw_path
from relhash.visible import visible


def render(template: str, **context: Any) -> str:
    """A page as one string."""
    return "".join(rendered(template, **context))


def rendered(template: str, **context: Any) -> Iterator[str]:
    """The same piece by piece, for pages with very many rows."""
    return _environment().get_template(f"{template}.html").generate(**context)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("relhash.show"),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    makers = {"bar": bar, "chip": chip, "marked": marked, "marked_sentence": marked_sentence}
    made.filters |= {name: _marking(make) for name, make in makers.items()}
    made.filters["path"] = draw_path
    made.filters["short"] = lambda text, longest=160: text if len(text) <= longest else f"{text[: longest - 1]}…"
    made.globals["style"] = lambda name: Markup(_of_package(f"{name}.css"))
    made.globals["script"] = lambda name: Markup(_of_package(f"{name}.js"))
    return made


def _shown(value: Any) -> Any:
    """What stands in the page for a value: markup as it is, text with everything invisible in it shown."""
    return value if hasattr(value, "__html__") else "" if value is None else visible(str(value))


def _marking(make: Any) -> Any:
    """A function that escapes what it is given, as a filter whose result is not escaped again."""
    return lambda value: Markup(make(value))


@cache
def _of_package(name: str) -> str:
    package = "relhash.model.tables" if name.startswith("page.") else "relhash.show"
    return files(package).joinpath(name).read_text("utf-8")
