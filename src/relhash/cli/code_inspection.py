"""``relhash inspect --codes``: a table of codes instead of a corpus."""

from __future__ import annotations

from pathlib import Path

from relhash.cli.console import console, note, print_json, print_table

SHOWN = 100


def inspect_codes(path: Path, against: Path | None, picture: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Print repetitions in a table of codes, and how alike it is to another."""
    from relhash.errors import CorpusError
    from relhash.files import check_place
    from relhash.scale.cluster_drawing import draw_clusters
    from relhash.scale.code_overview import NEAR, compare_codes, overview
    from relhash.scale.code_table import read_code_table

    if picture is not None:
        check_place(picture)
    table = read_code_table(path)
    found = overview(table)
    other = alike = None
    if against is not None:
        other = read_code_table(against)
        if other.codes.shape[1] != table.codes.shape[1] or (
            other.versions and table.versions and other.versions != table.versions
        ):
            raise CorpusError(
                f"its codes were made by another model than those of {path}",
                path=against,
                remedy="hash both texts by one model",
            )
        alike = compare_codes(table.codes, other.codes)
        if picture is not None:
            draw_clusters(alike, (path.name, against.name), picture)
    if as_json:
        print_json({**found.as_dict(), "against": None if alike is None else {"codes": str(against), **alike.as_dict()}})
        return
    rows = [
        ("candidates", f"{found.candidates:,}"),
        ("distinct codes", f"{found.distinct:,}"),
        ("candidates whose code another has too", f"{found.repeated:,}"),
        ("bits to the nearest other code, median", f"{found.median_distance:g}"),
        (f"codes with another within {NEAR} bits", f"{found.near:,} of {found.looked_at:,} looked at"),
    ]
    print_table(("", str(path)), rows)
    if found.groups:
        examples = table.rows(row for _, row in found.groups)
        print_table(
            ("candidates", "of one code, such as"),
            [(f"{size:,}", str(examples[row].get("marked", ""))[:SHOWN]) for size, row in found.groups],
            left=(1,),
        )
    if alike is not None:
        console().print(
            f"{path.name} and {against and against.name} fill {alike.shared:.0%} of {len(alike.first)} clusters both, and have "
            f"{alike.overlap:.0%} of their candidates in common; by chance it would be {alike.by_chance:.0%}.",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
        if picture is not None:
            note(f"drawn in {picture}", quiet=quiet)
