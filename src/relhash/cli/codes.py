"""``relhash codes fit TEXT… -o CODES``: hash functions learned once, for every later ``relhash fit --codes``."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from relhash.cli import options
from relhash.cli.console import console, print_json
from relhash.cli.corpus_input import begun


class Action(StrEnum):
    FIT = "fit"


def codes(
    texts: options.Texts,
    said: options.Verbosity,
    action: Annotated[Action, typer.Argument(metavar="fit", help="What to do: learn codes.")],
    text: Annotated[list[Path], typer.Argument(metavar="TEXT", help="Text of any kind and format, labelled or not.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="CODES", help="The file to write.")],
    adapt: Annotated[
        list[Path] | None,
        typer.Option("--adapt", metavar="TARGET", help="Text like that to be read later, if it is known. Repeatable."),
    ] = None,
    preset: Annotated[str, typer.Option(help="The system that will use them: best, KLSH-NU-RF, one-sequence, …")] = "best",
    bits: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=65536, help="Hash functions, if not as many as the preset has.")
    ] = None,
    types: options.Types = None,
    parses: Annotated[
        str,
        options.reading(metavar="file|embedded", help="Whose parses the text gets, as in fit. Later fits must have the same."),
    ] = "auto",
    lexicon: options.Lexicon = None,
    seed: options.Seed = 0,
    n_jobs: options.Jobs = None,
) -> None:
    """Learn the hash functions of a system once, over as much text as there is. No label is looked at.

    Every later [b]relhash fit --codes CODES[/b] with the same preset and parses reuses them and trains only the classifier. Raw
    text is parsed, and its entities are recognised.
    """
    import time

    from relhash.candidates import PairPolicy, parse_types
    from relhash.cli.console import FitPhases
    from relhash.files import check_place
    from relhash.model import RelationExtractor
    from relhash.model.shared_codes import codes_text

    check_place(output)
    start = time.perf_counter()
    settings: dict[str, Any] = {
        "preset": preset,
        "learner": None if bits is None else {"n_bits": bits},
        "policy": PairPolicy(types=None if types is None else parse_types(types)),
        "parses": parses,
        "lexicon": lexicon,
        "cache": texts.cache,
        "random_state": seed,
    }
    given = [texts.open(path) for path in text]
    target = [texts.other(path) for path in adapt or ()]
    (sources, n_sources), (targets, n_targets) = begun(given), begun(target)
    total = None if n_sources is None or n_targets is None else n_sources + n_targets
    with ExitStack() as stack:
        phases = FitPhases(stack, total, said.silent)
        learned = RelationExtractor(n_jobs=n_jobs, **settings).learn_codes(
            sources, targets if target else None, callback=phases.on_step, on_document=phases.on_document
        )
    learned.save(output)
    for one in (*given, *target):
        one.remark(quiet=said.quiet)
    seconds = time.perf_counter() - start
    if said.as_json:
        report = {"codes": output, "bytes": output.stat().st_size, "seconds": round(seconds, 3)}
        print_json({**report, "card": learned.card})
    elif not said.quiet:
        from rich.markdown import Markdown

        out = console()
        out.print(Markdown(codes_text(learned.card)))
        out.print(f"{output} ({output.stat().st_size / 1e6:.2f} MB), {seconds:.1f} s", markup=False, soft_wrap=True)
