"""``relhash review MODEL INPUT -o review.xlsx``: the questions whose answers teach most, as a sheet or a page."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from relhash.cli import options
from relhash.cli.console import print_json
from relhash.cli.options import option

if TYPE_CHECKING:
    from relhash.model.estimates import Warranty

TEACHING = ("useful", "new", "uncertain")
"""Orders in which a question is followed by the rows that say nearly the same."""


def review(
    using: options.Accepting,
    texts: options.Texts,
    said: options.Verbosity,
    model: options.Model,
    input: options.Input,
    output: Annotated[
        Path,
        option(
            "--output",
            "-o",
            "OUT",
            ".xlsx, .tsv, .csv: a sheet with an empty column 'answer'. .html: a page that takes answers and saves them.",
        ),
    ],
    n: Annotated[int, option("--n", "N", "How many questions.", min=1)] = 50,
    order: Annotated[
        str,
        option(
            "ORDER",
            "useful: what teaches most, every fifth drawn by chance. new: kinds of sentences that the training text never had "
            "first. uncertain, random. confident: the most probable first. entity, pair: all sentences about one together.",
        ),
    ] = "useful",
    answers: Annotated[
        list[Path] | None,
        option("FILE", "Answers given before: the model learns them first, and does not ask again."),
    ] = None,
    warrant: Annotated[
        float | None,
        option(
            "SHARE",
            "Ask rows drawn at random, until this share of the accepted is right with 95 % confidence; repeat with --answers.",
            min=0.5,
            max=0.99,
        ),
    ] = None,
    seed: options.Seed = 0,
) -> None:
    """Write the rows that are most worth a look, with room for a person's answers.

    Answers are yes, no, skip, entity wrong, or negated. relhash fit --answers takes them back.
    """
    from relhash.errors import ParameterError
    from relhash.model.answers.questions import DRAWN as SHARE_DRAWN
    from relhash.model.answers.questions import ORDERS
    from relhash.model.answers.teaching import Teaching
    from relhash.model.tables import check_writable, row_format
    from relhash.show.review import question_rows, write_review

    if order not in ORDERS:
        raise ParameterError(f"--order: {order!r} is none of {', '.join(ORDERS)}")
    check_writable(output, row_format(output))
    fitted = using.load(model, cache=texts.cache)
    given = texts.open(input)
    with said.progress("documents") as step:
        teaching, given_before = Teaching.answered(fitted, given.stream(step), answers or (), random_state=seed)
    known = {one.key: one.answer for one in given_before}
    taught = teaching.taught_by(given_before) if warrant is None else teaching.untaught  # a table is judged as it is
    if warrant is not None:
        found = teaching.warranty(taught, given_before)
        is_settled, verdict = _verdict(found, warrant)
        said.note(verdict)
        if is_settled:
            if said.as_json:
                print_json({"questions": 0, "warranty": None if found is None else asdict(found)})
            return
    if warrant is None and order in TEACHING:
        questions = teaching.questions_in_groups(taught, known, n, order=order)
    else:
        drawn = SHARE_DRAWN if warrant is None else 1.0
        questions = [(one, []) for one in teaching.questions(taught, known, n, order=order, drawn=drawn)]
    rows = list(question_rows(teaching, taught, questions))
    more = write_review(rows, output, title=f"Questions on {input.name}") - len(questions)
    given.remark(quiet=said.quiet)
    if said.as_json:
        counts = {"questions": len(questions), "in_groups": more, "candidates": teaching.total}
        print_json({**counts, "output": output})
        return
    groups = f", and {more} rows nearly the same as one of them (column group)" if more else ""
    said.note(f"{len(questions)} questions of {teaching.total:,} candidates written to {output}{groups}")
    if teaching.total > len(teaching.candidates):
        listed = f"of much text {len(teaching.candidates):,} candidates are looked at: half of them"
        said.note(f"{listed} what the model doubts most, one per kind of sentence, the others drawn from all")
    saved = "review.answers.jsonl" if output.suffix.lower() == ".html" else output  # as the page calls what it saves
    if warrant is not None:
        before = "".join(f" --answers {path}" for path in answers or ())
        again = f"relhash review {model} {input} --warrant {warrant:g}{before} --answers {saved} -o more{output.suffix}"
        said.note(f"answer them, then: {again}")
        return
    again = f"relhash fit --answers {saved} --prior {model} --adapt {input} -o taught.relhash"
    said.note(f"answer them, then: {again}")


def _verdict(found: Warranty | None, wanted: float) -> tuple[bool, str]:
    """Whether more questions are of no use, and why."""
    if found is None:
        return False, "no answer to a question drawn at random yet"
    shares = f"{found.precision} of the accepted rows are right, {found.recall} of all relations are among them"
    if found.precision.low >= wanted:
        return True, f"warranted: {shares}"
    if found.precision.high < wanted:
        return True, f"{wanted:.0%} cannot be reached: {shares}; accept fewer rows (--threshold), or teach the model first"
    needed = found.needed(wanted)
    more = "it may not be reached" if needed is None else f"about {needed} answers more on accepted rows"
    return False, f"not yet {wanted:.0%}: {shares}; {more}"
