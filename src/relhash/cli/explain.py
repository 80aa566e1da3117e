"""``relhash explain MODEL INPUT -o report.html``: the evidence behind each row, and a look at the model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from relhash.cli import options
from relhash.cli.console import print_json
from relhash.cli.options import option


def explain(
    using: options.Accepting,
    texts: options.Texts,
    said: options.Verbosity,
    model: options.Model,
    input: options.Input,
    output: Annotated[Path, option("--output", "-o", "OUT", "The page to write, one .html file.")],
    top: Annotated[int, option("N", "Explain the N most probable rows, accepted ones first.", min=1)] = 50,
    labelled: Annotated[
        Path | None,
        option("CORPUS|INDEX", "A labelled corpus, or an index of one (relhash hash), to show the most similar sentences of."),
    ] = None,
) -> None:
    """Show why: what moved each decision, the hash functions, the nearest labelled candidates, and what the model is made of.

    The page needs no network and no script. If INPUT has labels, it also shows precision, recall and calibration.
    """
    from relhash.errors import ParameterError
    from relhash.files import check_place
    from relhash.model.index import Index
    from relhash.model.judging import accepted_text
    from relhash.show.explanation import explain as explanation_of
    from relhash.show.explanation import write_explanation

    if output.suffix.lower() not in (".html", ".htm"):
        raise ParameterError(f"{output}: the explanation is a page; name it .html")
    check_place(output)
    fitted = using.load(model, cache=texts.cache)
    given = texts.open(input)
    index = Index.open(labelled, parses=using.parses) if labelled is not None and Index.is_at(labelled) else None
    known = None if labelled is None or index is not None else texts.other(labelled)
    with said.progress("documents") as step:
        found = explanation_of(
            fitted,
            given.stream(step),
            top=top,
            labelled=index if known is None else known.stream(step),
            title=f"Why {model.stem} says so, on {input.name}",
        )
    write_explanation(output, found)
    for one in filter(None, (given, known)):
        one.remark(quiet=said.quiet)
    if said.as_json:
        print_json({"explained": len(found.rows), **found.accepted, "output": output})
        return
    said.note(
        f"{accepted_text(**found.accepted)}; {len(found.rows)} candidates explained in {output} "
        f"({output.stat().st_size / 1e6:.2f} MB)",
    )
    if fitted.seen is None and labelled is None:
        said.note("the model holds no codes of its training text: give --labelled CORPUS to see nearest sentences")
