"""``relhash adapt MODEL TEXT… -o MODEL2``: move a model to other text, without labels and without its training text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from relhash.cli import options
from relhash.cli.console import console, note, print_json, progress
from relhash.cli.corpus_input import CorpusInput


def adapt(
    model: options.Model,
    text: Annotated[list[Path], typer.Argument(metavar="TEXT", help="Text like that to be read, raw or annotated.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL2", help="The model file to write.")],
    expect: options.Expect = None,
    types: options.Types = None,
    lexicon: options.Lexicon = None,
    ground: options.Ground = True,
    grounded: options.Grounded = False,
    amr: options.Amr = None,
    format: options.Format = None,
    cache: options.Cache = True,
    parses: options.TrustedParser = None,
    require_sha256: options.Sha256 = None,
    n_jobs: options.Jobs = None,
    lenient: options.Lenient = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Move a model's threshold and probabilities to other text, in seconds.

    No label is looked at and no training text is needed. Codes and scores stay as they are; to learn codes for the text as
    well, fit again (relhash fit TRAIN --adapt TEXT).
    """
    from relhash.files import check_place
    from relhash.model.card import card_text

    check_place(output)
    how: dict[str, Any] = {
        "lexicon": lexicon,
        "ground": ground,
        "cache": cache,
        "n_jobs": n_jobs,
        "parses": parses,
        "sha256": require_sha256,
    }
    fitted = options.loaded_model(model, types=types, grounded=grounded, **how)
    given = [CorpusInput(path, format, lenient=lenient, amr=amr) for path in text]
    with progress("documents", quiet=quiet or as_json) as step:
        moved = fitted.adapted_to([document for one in given for document in one.stream(step)], expect=expect)
    moved.save(output)
    for one in given:
        one.remark(quiet=quiet)
    before, after = (one.decision.threshold for one in (fitted, moved))
    if as_json:
        print_json({"model": output, "threshold_before": before.to_dict(), "card": moved.card})
        return
    if not quiet:
        from rich.markdown import Markdown

        console().print(Markdown(card_text(moved.card)))
    note(
        f"threshold moved from score {before.score:.3f} to {after.score:.3f}, probabilities with it; codes and scores stay",
        quiet=quiet,
    )
    note(f"written to {output}", quiet=quiet)
