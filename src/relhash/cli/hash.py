"""``relhash hash MODEL INPUT… -o OUT``: an index to search, or the hashcodes of the candidates as features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.candidate import Candidate
from relhash.cli import options
from relhash.cli.console import print_json
from relhash.cli.options import option
from relhash.files import STANDARD_STREAM, replacing
from relhash.hashing.hamming import unpack
from relhash.model.prediction import ModelIdentity
from relhash.model.tables.columns import candidate_row, marked_text


def hash_command(
    using: options.Using,
    texts: options.Texts,
    cluster: options.Cluster,
    said: options.Verbosity,
    model: options.Model,
    input: options.Inputs,
    output: Annotated[
        Path,
        options.table_output(
            "A folder: an index for relhash similar. .tsv, .csv, .jsonl, .parquet: one row per candidate, its code as "
            "hexadecimal digits. .npz: arrays for numpy. By default a table on standard output.",
        ),
    ] = STANDARD_STREAM,
    bits: Annotated[bool, option("--bits", "In tables, codes as 0 and 1 instead of hexadecimal digits.")] = False,
    n_bits: Annotated[int, option("--length", "N", "Bits of the codes of an index.", min=64, max=256)] = 128,
    seed: options.Seed = 0,
) -> None:
    """Make an index of a text, in which relhash similar finds every sentence that says something like another.

    Hash functions are learned for the text, without labels, and every pair of entities gets its code. The same command
    with more text adds to the index; started again after a stop, it does what is missing. With --engine dask text of any
    size is read on many cores or machines; the files are the same.

    With a table or an .npz as OUT the codes are those of the model itself, as features for other programs. In a table the first
    character is bit 0 (with --bits), or bits 0 to 3, bit 0 the highest (hexadecimal). An .npz holds codes (uint64, 64
    bits a column, as relhash.hashing.hamming packs them), n_bits, and keys (document and mentions of each
    candidate):

        numpy.load("codes.npz")["codes"]
    """
    from relhash.errors import OutputError
    from relhash.files import check_place
    from relhash.model.tables import check_writable, row_format, write_rows

    place = cluster.place
    kind = row_format(output)
    if not kind or output.is_dir():
        settings = {"n_bits": n_bits, "seed": seed, "cache": texts.cache and place is None}
        _make_index(model, input, output, settings, using, texts, cluster, said)
        return
    if place is not None:
        raise OutputError(f"{output}: --engine dask makes an index, which is a folder; name one: -o index/")
    if kind == "npz":
        check_place(output)
    else:
        check_writable(output, kind)
    fitted = using.load(model, cache=texts.cache)
    given = [texts.open(one) for one in input]
    count = 0
    with said.progress("documents") as step:
        hashed = fitted.hash_stream(chain.from_iterable(one.stream(step) for one in given))
        if said.as_json:
            print_json(list(code_rows(hashed, fitted.n_bits, bits=bits, made_by=fitted.identity)))
        elif kind == "npz":
            count = write_code_arrays(hashed, fitted.n_bits, output)
        else:
            count = write_rows(code_rows(hashed, fitted.n_bits, bits=bits, made_by=fitted.identity), output, kind, CODE_COLUMNS)
    if output != STANDARD_STREAM and not said.as_json:
        said.note(f"{count:,} codes of {fitted.n_bits} bits written to {output}")
    for one in given:
        one.remark(quiet=said.quiet)


def _make_index(
    model: Path,
    inputs: list[Path],
    folder: Path,
    settings: dict[str, Any],
    using: options.Using,
    texts: options.Texts,
    cluster: options.Cluster,
    said: options.Verbosity,
) -> None:
    """Make or extend an index, on a cluster if one is asked for, and say how it went."""
    from relhash.cli.on_cluster import made_before, make_on_cluster, tell_errors
    from relhash.files import check_place
    from relhash.model.index import check_arrow
    from relhash.scale.dataset import make_index
    from relhash.scale.job import HashJob

    check_place(folder, is_folder=True)
    check_arrow(folder)
    job, total, found, seconds = make_on_cluster(
        make_index, HashJob, model, inputs, folder, using, texts, cluster, said,
        lambda counts: f"{counts.candidates:,} pairs", **settings,
    )  # fmt: skip
    if said.as_json:
        names = ("documents", "sentences", "entities", "candidates", "rows")
        counts = {name: getattr(total, name) for name in names} | {"errors": len(total.errors)}
        made = {"made_now": found.documents, "wall_seconds": round(seconds, 3)}
        print_json({"index": folder, "bits": job.n_bits, "counts": counts, **made})
    else:
        where = f"of {total.documents:,} documents{made_before(total, found)} in the index {folder}"
        said.note(f"{total.rows:,} pairs {where}, {seconds:.1f} s")
    tell_errors(total, folder, lenient=texts.lenient, quiet=said.quiet)


CODE_COLUMNS = (
    "document", "entity1", "type1", "start1", "end1", "ids1", "entity2", "type2", "start2", "end2", "ids2", "code",
    "marked", "model", "model_version",
)  # fmt: skip
"""Columns of a table of codes, in this order."""

Hashed = Iterable[tuple[Sequence[Candidate], NDArray[np.uint64]]]
"""Candidates with their packed codes, batch by batch."""


def code_rows(
    hashed: Hashed, n_bits: int, *, bits: bool = False, made_by: ModelIdentity | None = None
) -> Iterator[dict[str, Any]]:
    """One row per candidate, with its code as text: hexadecimal digits, or with ``bits`` 0 and 1; bit 0 comes first.

    Codes of two models cannot be compared, so every row names the model that ``made_by`` says.
    """
    model = made_by or ModelIdentity()
    for candidates, codes in hashed:
        for candidate, code in zip(candidates, unpack(codes, n_bits), strict=True):
            text = "".join(map(str, code)) if bits else np.packbits(code).tobytes().hex()
            sentence = candidate.document.sentences[candidate.sentence]
            yield {
                **candidate_row(candidate),
                "code": text,
                "marked": marked_text(candidate, sentence.start, sentence.end),
                "model": model.name,
                "model_version": model.version,
            }


def write_code_arrays(hashed: Hashed, n_bits: int, path: Path) -> int:
    """An ``.npz`` with ``codes``, ``n_bits`` and ``keys``, complete or not at all; how many codes it holds."""
    keys: list[str] = []
    blocks: list[NDArray[np.uint64]] = [np.empty((0, -(-n_bits // 64)), np.uint64)]
    for candidates, codes in hashed:
        keys += [candidate.key for candidate in candidates]
        blocks.append(codes)
    with replacing(path, "wb") as handle:
        np.savez_compressed(handle, codes=np.concatenate(blocks), n_bits=np.int64(n_bits), keys=np.array(keys, dtype=np.str_))
    return len(keys)
