"""``relhash review MODEL INPUT -o review.xlsx``: the questions whose answers teach most, as a sheet or a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from relhash.cli import options
from relhash.cli.console import note, print_json, progress
from relhash.cli.corpus_input import CorpusInput


def review(
    model: options.Model,
    input: options.Input,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help=".xlsx, .tsv or .csv: a sheet with an empty column 'answer'. .html: a page that takes answers by key or "
            "button and saves them to a file.",
        ),
    ],
    n: Annotated[int, typer.Option("--n", metavar="N", min=1, help="How many questions.")] = 50,
    order: Annotated[
        str,
        typer.Option(
            metavar="useful|new|uncertain|confident|random|entity|pair",
            help="useful: what teaches the model most, and every fifth question by chance. confident: the most probable first, "
            "to check a table. entity, pair: all sentences about one together.",
        ),
    ] = "useful",
    new: Annotated[
        bool, typer.Option("--new", help="Ask first about kinds of sentences that the training text never had (--order new).")
    ] = False,
    answers: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Answers given before: the model learns them first, and does not ask again."),
    ] = None,
    threshold: options.Threshold = None,
    keep: options.Keep = None,
    types: options.Types = None,
    lexicon: options.Lexicon = None,
    ground: options.Ground = True,
    grounded: options.Grounded = False,
    format: options.Format = None,
    encoding: options.Encoding = None,
    cache: options.Cache = True,
    seed: options.Seed = 0,
    parses: options.TrustedParser = None,
    require_sha256: options.Sha256 = None,
    n_jobs: options.Jobs = None,
    lenient: options.Lenient = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Write the rows that are most worth a look, with room for a person's answers.

    Answers are yes, no, skip, entity wrong, or negated. relhash fit --answers takes them back.
    """
    from relhash.errors import ParameterError
    from relhash.model.answers.questions import ORDERS
    from relhash.model.answers.teaching import Teaching, answers_on
    from relhash.model.tables import check_writable, row_format
    from relhash.show.review import question_rows, write_review

    order = "new" if new else order
    if order not in ORDERS:
        raise ParameterError(f"--order: {order!r} is none of {', '.join(ORDERS)}")
    check_writable(output, row_format(output))
    how: dict[str, Any] = {
        "lexicon": lexicon,
        "ground": ground,
        "cache": cache,
        "n_jobs": n_jobs,
        "parses": parses,
        "sha256": require_sha256,
    }
    fitted = options.loaded_model(model, types=types, threshold=threshold, keep=keep, grounded=grounded, **how)
    given = CorpusInput(input, format, lenient=lenient, encoding=encoding)
    with progress("documents", quiet=quiet or as_json) as step:
        teaching = Teaching.of(fitted, given.stream(step), random_state=seed)
    given_before = answers_on(teaching, answers or ())
    known = {one.key: one.answer for one in given_before}
    taught = teaching.taught_by(given_before)
    rows = list(question_rows(teaching, taught, teaching.questions(taught, known, n, order=order)))
    count = write_review(rows, output, title=f"Questions on {input.name}")
    given.remark(quiet=quiet)
    if as_json:
        print_json({"questions": count, "candidates": len(teaching.candidates), "output": output})
        return
    note(f"{count} questions of {len(teaching.candidates):,} candidates written to {output}", quiet=quiet)
    saved = "review.answers.jsonl" if output.suffix.lower() == ".html" else output  # as the page calls what it saves
    note(
        f"answer them, then: relhash fit --answers {saved} --prior {model} --adapt {input} -o taught.relhash",
        quiet=quiet,
    )
