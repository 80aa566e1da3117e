"""``relhash hash MODEL INPUT… -o OUT``: the hashcodes of the candidates."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from relhash.cli import options
from relhash.cli.console import note, print_json, progress
from relhash.cli.corpus_input import CorpusInput
from relhash.files import STANDARD_STREAM


def hash_command(
    model: options.Model,
    input: options.Inputs,
    output: Annotated[
        Path,
        options.table_output(
            help=".tsv, .csv, .jsonl, .parquet: one row per candidate, its code as hexadecimal digits. .npz: arrays for numpy. "
            "By default a table on standard output.",
        ),
    ] = STANDARD_STREAM,
    bits: Annotated[bool, typer.Option("--bits", help="Codes as 0 and 1 instead of hexadecimal digits.")] = False,
    lexicon: options.Lexicon = None,
    format: options.Format = None,
    encoding: options.Encoding = None,
    cache: options.Cache = True,
    parses: options.TrustedParser = None,
    require_sha256: options.Sha256 = None,
    n_jobs: options.Jobs = None,
    lenient: options.Lenient = False,
    engine: options.Engine = options.EngineName.LOCAL,
    scheduler: options.Scheduler = None,
    workers: options.Workers = None,
    partition_size: options.PartitionSize = 1000,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Hash every candidate of a text: the code that the model has learned for it, related or not.

    Relations alike in structure have codes that differ in few bits: [b]relhash similar[/b] searches a table of codes,
    [b]relhash inspect --codes[/b] compares two. In a table the first character is bit 0 (with --bits), or
    bits 0 to 3, bit 0 the highest (hexadecimal). An .npz holds [b]codes[/b] (uint64, 64 bits a column, as
    relhash.hashing.codes packs them), [b]n_bits[/b], and [b]keys[/b] (document and mentions of each candidate):

        numpy.load("codes.npz")["codes"]

    With [b]--engine dask[/b] text of any size is hashed on many cores or machines; OUT is then a folder of Parquet files, and
    the same command started again does what is missing.
    """
    from relhash.files import check_place
    from relhash.models import FittedModel
    from relhash.models.code_files import CODE_COLUMNS, code_rows, write_code_arrays
    from relhash.models.tables import check_writable, row_format, write_rows

    options.check_engine(engine, scheduler, workers)
    if engine is options.EngineName.DASK:
        from relhash.cli.hash_on_cluster import hash_on_cluster

        settings = {"bits": bits, "lexicon": lexicon, "parses": parses}
        reading = {"format": format, "encoding": encoding, "partition_size": partition_size}
        place = {"scheduler": scheduler, "workers": workers}
        hash_on_cluster(model, input, output, require_sha256, settings, reading, place, as_json=as_json, quiet=quiet)
        return
    kind = row_format(output)
    if kind == "npz":
        check_place(output)
    else:
        check_writable(output, kind)
    fitted = FittedModel.load(model, lexicon=lexicon, cache=cache, n_jobs=n_jobs, parses=parses, sha256=require_sha256)
    given = [CorpusInput(one, format, lenient=lenient, encoding=encoding) for one in input]
    count = 0
    with progress("documents", quiet=quiet or as_json) as step:
        hashed = fitted.hash_stream(chain.from_iterable(one.stream(step) for one in given))
        if as_json:
            print_json(list(code_rows(hashed, fitted.n_bits, bits=bits, made_by=fitted.identity)))
        elif kind == "npz":
            count = write_code_arrays(hashed, fitted.n_bits, output)
        else:
            count = write_rows(code_rows(hashed, fitted.n_bits, bits=bits, made_by=fitted.identity), output, kind, CODE_COLUMNS)
    if output != STANDARD_STREAM and not as_json:
        note(f"{count:,} codes of {fitted.n_bits} bits written to {output}", quiet=quiet)
    for one in given:
        one.remark(quiet=quiet)
