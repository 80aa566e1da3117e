"""Arguments and options that several commands have: each is declared here once and says the same everywhere."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Engine(StrEnum):
    """Where the work is done."""

    LOCAL = "local"
    DASK = "dask"


ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file made by relhash fit, or a model that ships: ppi, related.")
]
InputArgument = Annotated[
    Path, typer.Argument(metavar="INPUT", help="Raw text or a corpus: a file, a folder of files, or - for standard input.")
]
FormatOption = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help="Format of the input; by default found by suffix and content."),
]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of tables and plain text, such as windows-1252 or utf-16; by default guessed, and told if not UTF-8.",
    ),
]
ExpectOption = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Your guess of how many of all pairs are related, such as 0.2: labels picked for a sheet do not tell it.",
    ),
]
ToFormatOption = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help="Corpus format of OUT, if its suffix does not say.")
]
LenientOption = Annotated[
    bool, typer.Option("--lenient", help="Leave out broken documents, and say which, instead of stopping.")
]
TypesOption = Annotated[
    str | None,
    typer.Option(metavar="TYPES", help="Entity types that may relate, such as protein,chemical or protein-chemical."),
]
OneTypeOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Call all relations NAME, for corpora whose types are verbs or whose names differ."),
]
WithoutOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--without-documents-of",
        metavar="OTHER",
        help="Leave out papers that the corpus OTHER has too, by PubMed id: for text on which you will measure. Repeatable.",
    ),
]
LexiconOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Names to find in text without annotated entities, beside those that are recognised: a TSV of name, id, type.",
        dir_okay=False,
    ),
]
GroundOption = Annotated[
    bool,
    typer.Option("--ground/--no-ground", help="Give ids to entities that have none, by the list of names that ships."),
]
AmrOption = Annotated[
    Path | None,
    typer.Option(
        "--amr",
        metavar="PATH",
        help="Meaning graphs in the place of parses: a PENMAN file or a folder of them. A graph is found by its '# ::snt'.",
    ),
]
MaxPairsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Look at no more than N pairs per sentence, the closest ones, and warn of a sentence that has more. By default "
        "10,000, or what the model says.",
    ),
]
TrustedParserOption = Annotated[
    str | None,
    typer.Option(
        "--parses",
        metavar="SPACY_MODEL",
        help="The spaCy model that MODEL was fitted with, if it is not one that ships: its code will run, and a model file may "
        "not name it by itself.",
    ),
]
Sha256Option = Annotated[
    str | None,
    typer.Option("--require-sha256", metavar="HEX", help="Refuse MODEL if it is not the very file (sha256sum) that is meant."),
]
CacheOption = Annotated[
    bool, typer.Option("--cache/--no-cache", help="Keep parses in the cache folder (relhash info), so that they are made once.")
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume/--no-resume",
        help="Go on where an earlier run of the same command was ended: what it had done is kept beside OUTPUT until the end.",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="The same seed gives the same result.")]
JobsOption = Annotated[
    int | None, typer.Option("--n-jobs", metavar="N", help="Processes that parse text, threads of the rest; -1 for all cores.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON value on standard output and nothing else.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on the way.")]
PortOption = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port of the server; 0 takes any that is free.")
]
HostOption = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="Address of the server. By default only this machine reaches it; elsewhere a token is needed, which is made and "
        "printed, or taken from RELHASH_TOKEN.",
    ),
]
TokenOption = Annotated[bool, typer.Option("--token", help="Ask for a token on this machine too.")]
ThreadsOption = Annotated[
    int, typer.Option("--threads", metavar="N", min=1, max=256, help="Requests that are worked on at a time.")
]
EngineOption = Annotated[
    Engine,
    typer.Option("--engine", help="local: this process; dask: a Dask cluster (extra scale), with the same results."),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="A Dask cluster to work on, tcp://HOST:8786; by default this machine."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, help="Processes of --engine dask on this machine; by default one per core."),
]
PartitionSizeOption = Annotated[
    int,
    typer.Option("--partition-size", metavar="N", min=1, help="Documents per partition of --engine dask."),
]
