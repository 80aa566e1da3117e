"""``relhash adapt MODEL TEXT… -o MODEL2``: move a model to other text, without labels and without its training text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from relhash.cli import options
from relhash.cli.console import console, print_json
from relhash.cli.options import argument, option


def adapt(
    using: options.Using,
    texts: options.Texts,
    said: options.Verbosity,
    model: options.Model,
    text: Annotated[list[Path], argument("TEXT", "Text like that to be read, raw or annotated.")],
    output: Annotated[Path, option("--output", "-o", "MODEL2", "The model file to write.")],
    expect: options.Expect = None,
) -> None:
    """Move a model's threshold and probabilities to other text, in seconds.

    No label is looked at and no training text is needed. Codes and scores stay as they are; to learn codes for the text as
    well, fit again (relhash fit TRAIN --adapt TEXT).
    """
    from relhash.files import check_place
    from relhash.model.card import card_text

    check_place(output)
    fitted = using.load(model, cache=texts.cache)
    given = [texts.open(path) for path in text]
    with said.progress("documents") as step:
        moved = fitted.adapted_to([document for one in given for document in one.stream(step)], expect=expect)
    moved.save(output)
    for one in given:
        one.remark(quiet=said.quiet)
    before, after = (one.decision.threshold for one in (fitted, moved))
    if said.as_json:
        print_json({"model": output, "threshold_before": before.to_dict(), "card": moved.card})
        return
    if not said.quiet:
        from rich.markdown import Markdown

        console().print(Markdown(card_text(moved.card)))
    said.note(
        f"threshold moved from score {before.score:.3f} to {after.score:.3f}, probabilities with it; codes and scores stay",
    )
    said.note(f"written to {output}")
