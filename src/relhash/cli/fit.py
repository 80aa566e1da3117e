"""``relhash fit TRAIN… --adapt TARGET -o MODEL``: learn a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from relhash.cli.console import JsonOption, QuietOption, console, print_json, progress

__all__ = ["fit"]


def fit(
    train: Annotated[list[Path], typer.Argument(metavar="TRAIN...", help="Labelled corpora, in any format.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="The model file to write.")],
    adapt: Annotated[
        list[Path] | None,
        typer.Option(
            "--adapt", metavar="TARGET", help="Text like that to be read; its labels are never looked at. Repeatable."
        ),
    ] = None,
    preset: Annotated[str, typer.Option(help="A system by name: best, KLSH-NU-RF, KLSH-RF, KLSH-kNN, random, …")] = "best",
    labels: Annotated[
        int | None, typer.Option(metavar="N", min=4, help="Use only N labelled candidates, drawn at random.")
    ] = None,
    threshold: Annotated[
        str | None,
        typer.Option(help="fraction (default), fixed:0.5 (probability), precision:0.8, prior, top-k:100, score:0.5."),
    ] = None,
    views: Annotated[
        str | None, typer.Option(metavar="VIEW,…", help="What the hash functions compare, such as path+edges,between.")
    ] = None,
    classifier: Annotated[str | None, typer.Option(help="forest, linear, 'linear C=0.1', neighbours.")] = None,
    types: Annotated[
        str | None, typer.Option(metavar="TYPES", help="Entity types that may relate: protein,chemical or protein-chemical.")
    ] = None,
    directed: Annotated[bool, typer.Option("--directed", help="Tell the two directions of a pair apart.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same model.")] = 0,
    n_jobs: Annotated[int | None, typer.Option(help="Threads; -1 for all.")] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out broken documents instead of stopping.")] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Learn a model from labelled text, adapted to the text that it will read.

    Codes are learned from the unlabelled side of both texts, the classifier from the labels of TRAIN. Without --adapt a part of
    the training text plays the target.
    """
    import time

    from relhash.corpus import read
    from relhash.models import RelationExtractor
    from relhash.models.card import card_text
    from relhash.structures import CandidatePolicy, parse_types

    silent = quiet or as_json
    start = time.perf_counter()
    model = RelationExtractor(
        preset,
        views=None if views is None else _split_views(views),
        classifier=classifier,
        threshold=threshold,
        policy=CandidatePolicy(types=None if types is None else parse_types(types), directed=directed),
        random_state=seed,
        n_jobs=n_jobs,
    )
    n_bits = int(model.settings.learner.get("n_bits", 100))
    training = [read(path, lenient=lenient) for path in train]
    target = [read(path, lenient=lenient) for path in adapt] if adapt else None
    with progress("learning hash functions", total=n_bits, quiet=silent) as step:
        done = 0

        def on_step(event: Any) -> None:
            nonlocal done
            step(max(0, event.n_functions - done), f"objective {event.objective:.3f}")
            done = max(done, event.n_functions)

        model.fit(training, adapt_to=target, labels=labels, callback=on_step)
    model.save(output)
    if as_json:
        report = {"model": output, "bytes": output.stat().st_size, "seconds": round(time.perf_counter() - start, 3)}
        print_json({**report, "card": model.card_})
    elif not quiet:
        from rich.markdown import Markdown

        out = console()
        out.print(Markdown(card_text(model.card_)))
        size = output.stat().st_size / 1e6
        out.print(f"{output} ({size:.2f} MB), {time.perf_counter() - start:.1f} s", markup=False, soft_wrap=True)


def _split_views(text: str) -> list[str]:
    """Views are separated by commas, which also stand inside the parentheses of a window."""
    import re

    return [name.strip() for name in re.split(r",(?![^(]*\))", text) if name.strip()]
