"""``relhash pairs RELATIONS… -o OUT``: sentences merged to facts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from relhash.cli import options
from relhash.cli.console import print_json
from relhash.cli.options import argument, option
from relhash.files import STANDARD_STREAM


def pairs(
    said: options.Verbosity,
    relations: Annotated[
        list[Path],
        argument(
            "RELATIONS", "Tables of relhash predict (.tsv, .csv, .jsonl, .xlsx, .parquet); - for a TSV on standard input."
        ),
    ],
    output: Annotated[
        Path,
        options.table_output(
            "Its suffix says the format: .tsv, .csv, .xlsx, .jsonl, .parquet (one row per pair), .html (a page with a "
            "picture of the network), .svg (the picture alone), .graphml, .cyjs (Cytoscape), .sif, .kgx (Biolink), .zip (two "
            "CSV for Neo4j). By default a table on standard output.",
        ),
    ] = STANDARD_STREAM,
    min_belief: Annotated[float, option("B", "Leave out pairs that deserve less belief.", min=0, max=1)] = 0.0,
    human: Annotated[
        bool, option("--human", "Take genes of mouse and rat for the human genes that correspond to them.")
    ] = False,
) -> None:
    """Merge what sentences say into one row per pair of entities.

    Entities are the same if their ids are; without ids, if their names are the same up to case, Greek letters and hyphens.
    Belief grows with every sentence and document that states the relation (noisy-or, capped). Sentences that deny it, which
    predict --keep negated lets through, count against it; speculative ones count half.
    """
    from relhash.model.tables import row_format
    from relhash.show.facts import merge, read_statements, write_facts
    from relhash.show.facts.drawing import fact_row
    from relhash.show.facts.files import check_facts_writable

    if not said.as_json:
        check_facts_writable(output, row_format(output))
    merged = merge(read_statements(relations, by_human_genes=human))
    facts = [fact for fact in merged if fact.belief >= min_belief]
    if said.as_json:
        print_json([fact_row(fact) for fact in facts])
        return
    count = write_facts(facts, output, title=f"Pairs in {', '.join(path.name for path in relations)}")
    if output != STANDARD_STREAM:
        left_out = f" ({len(merged) - count:,} of less belief left out)" if count < len(merged) else ""
        said.note(f"{count:,} pairs{left_out} written to {output}")
