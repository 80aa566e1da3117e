"""``relhash check ROWS -o OUT``: is that what the sentence says?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from relhash.cli import options
from relhash.cli.console import note, print_json, progress
from relhash.cli.options import argument, option
from relhash.files import STANDARD_STREAM

if TYPE_CHECKING:
    from relhash.model.checking import Checked


def check(
    said: options.Verbosity,
    rows: Annotated[
        Path,
        argument(
            "ROWS",
            "Statements with sentences: JSON Lines or a table with sentence, subject, object, type; INDRA JSON; BioC "
            "or PubTator with relations; a table of relhash predict.",
        ),
    ],
    output: Annotated[
        Path,
        options.table_output(
            "Its suffix says the format: .tsv, .csv, .xlsx, .html, .jsonl; .json puts the verdicts into INDRA's "
            "statements. By default a table on standard output.",
        ),
    ] = STANDARD_STREAM,
    map: Annotated[
        list[str] | None,
        option("--map", "PART=COLUMN", "Which column holds the subject, object, type, sentence. Repeatable."),
    ] = None,
    precision: Annotated[
        float | None,
        option("P", "Call supported only what was right in this share of judged rows.", min=0.5, max=0.99),
    ] = None,
    judge: Annotated[Path | None, option("FILE", "A judge of your own (relhash check --fit makes one).")] = None,
    fit: Annotated[
        bool,
        option("--fit", "ROWS have verdicts (a column verdict or correct): learn a judge of them, OUT is its file."),
    ] = False,
    vocabulary: Annotated[
        Path | None, option("FILE", "More types of statements, or words for them: a table like types.tsv.")
    ] = None,
    encoding: options.Encoding = None,
) -> None:
    """Judge extracted statements against the sentence that is said to state them.

    Every row comes back with a verdict (supported, look, unsupported, cannot tell), a probability, the reason, and the
    statement that the sentence does support. Participants are found by all names of the stated name or id.
    """
    from relhash.model.checking import Checker
    from relhash.model.checking.checked import record_of, write_checked
    from relhash.model.checking.rows import read_claims
    from relhash.model.tables import check_writable, row_format

    if fit:
        _fit(rows, output, _mapped(map), encoding, quiet=said.quiet)
        return
    if not said.as_json:
        check_writable(output, "jsonl" if row_format(output) == "json" else row_format(output))
    given = read_claims(rows, _mapped(map), encoding)
    checker = Checker.shipped(judge=judge, types=vocabulary, precision=precision)
    counts: Counter[str] = Counter()
    with progress("statements", quiet=said.silent or output == STANDARD_STREAM) as step:

        def counted() -> Iterator[Checked]:
            for one in checker.check_groups(given.groups):
                counts[one.verdict] += 1
                step()
                yield one

        if said.as_json:
            print_json([record_of(one, is_indra=given.statements is not None) for one in counted()])
            return
        write_checked(given, counted(), output, title=f"Statements of {rows.name}, checked")
    if output != STANDARD_STREAM:
        verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.most_common())
        judged = sum(counts.values())
        said.note(f"{judged:,} {'statement' if judged == 1 else 'statements'} ({verdicts}) written to {output}")


def _fit(rows: Path, output: Path, mapped: dict[str, str], encoding: str | None, *, quiet: bool) -> None:
    """Learn a judge of judged rows, and say how it compares with the one that ships."""
    from relhash.errors import ParameterError
    from relhash.files import check_place
    from relhash.model.checking import Checker
    from relhash.model.checking.rows import judged_rows, read_claims

    if output == STANDARD_STREAM:
        raise ParameterError("--fit writes a judge: say where with -o my.judge")
    check_place(output)
    given = read_claims(rows, mapped, encoding)
    claims, right, papers = judged_rows((claim for group in given.groups for claim in group), rows)
    checker = Checker.shipped()
    fitted = checker.fitted(claims, right, papers)
    fitted.save(output)
    note(f"{output}: {fitted.made_from}", quiet=quiet)


def _mapped(given: list[str] | None) -> dict[str, str]:
    from relhash.errors import ParameterError

    found = {}
    for one in given or ():
        part, mark, column = one.partition("=")
        if not mark or not column:
            raise ParameterError(f"--map {one}: write for instance --map subject=gene_a")
        found[part.strip()] = column.strip()
    return found
