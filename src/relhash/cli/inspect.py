"""``relhash inspect``: what a corpus holds, and what it shares with another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from relhash.cli import options
from relhash.cli.console import print_json, print_line, print_table, progress
from relhash.cli.options import CorpusInput, argument, option

if TYPE_CHECKING:
    from relhash.candidates.inspection import Inspection
    from relhash.candidates.shared_sentences import SharedSentences
    from relhash.corpus import Document

SHOWN_TYPES = 12
SHOWN_OPPOSITE = 10
SHOWN_CLUSTERS = 8
_JOINED = {"path": "dependency path", "shared_token": "shared token", "disconnected": "no path"}


def inspect(
    files: options.Files,
    said: options.Verbosity,
    corpus: Annotated[
        Path,
        argument("CORPUS", "A file, also gzipped, or a folder of files of one format.", show_default=False),
    ],
    against: Annotated[
        Path | None,
        option(
            "OTHER",
            "A corpus: sentences that both have, pairs labelled otherwise. An index (relhash hash): what is new in CORPUS.",
        ),
    ] = None,
    picture: Annotated[Path | None, option("FILE", "With --against INDEX: the clusters of both, .svg, .png or .pdf.")] = None,
    types: options.Types = None,
    max_pairs: options.MaxPairs = None,
) -> None:
    """Count documents, sentences, mentions, relations, candidate pairs, and how many of these the parses join."""
    from relhash.model.index import Index

    given = files.open(corpus)
    if against is not None and Index.is_at(against):
        _show_new(given, against, picture, said)
        return
    if picture is not None:
        from relhash.errors import ParameterError

        raise ParameterError("--picture draws what is new against an index (relhash hash); add --against INDEX")
    from relhash.candidates.inspection import inspect_corpus
    from relhash.candidates.pairs import MAX_PAIRS, PairPolicy, parse_types
    from relhash.candidates.shared_sentences import SentenceIndex, shared_sentences

    policy = PairPolicy(parse_types(types) if types else None, max_pairs_per_sentence=max_pairs or MAX_PAIRS)
    index = SentenceIndex(policy)
    also = None if against is None else index.add
    found = inspect_corpus(_documents(given, said.silent), policy, on_document=also)
    report: dict[str, Any] = found.as_dict()
    shared = None
    if against is not None:
        other = CorpusInput(against, lenient=files.lenient)
        shared = shared_sentences(index, _documents(other, said.silent), policy)
        report["against"] = {"corpus": str(against), **shared.as_dict(), "skipped": [str(problem) for problem in other.skipped]}
        other.remark(quiet=said.quiet)
    report["skipped"] = [str(problem) for problem in given.skipped]
    if said.as_json:
        print_json(report)
    else:
        _show(corpus, found)
        if shared is not None and against is not None:
            _show_shared(corpus, against, shared)
    given.remark(quiet=said.quiet)


def _show_new(given: CorpusInput, against: Path, picture: Path | None, said: options.Verbosity) -> None:
    """What a text says that an indexed one never does."""
    from relhash.errors import ParameterError
    from relhash.files import check_place
    from relhash.model.index import Index
    from relhash.model.tables.columns import marked_sentence_of
    from relhash.show.novelty import draw_novelty, what_is_new

    if picture is not None:
        check_place(picture)
    index = Index.open(against)
    pairs = index.pairs(list(_documents(given, said.silent)))
    if not pairs or not len(index):
        raise ParameterError(f"{given.path if len(index) else against}: no pair of entities to compare")
    found = what_is_new(index, pairs)
    if picture is not None:
        draw_novelty(found, (against.name, given.path.name), picture)
    if said.as_json:
        print_json({"index": against, "pairs": len(pairs), **found.as_dict(lambda row: marked_sentence_of(pairs[row]))})
    else:
        unfilled = found.unfilled
        print_line(
            f"{given.path.name} has {len(pairs):,} pairs; {found.overlap:.0%} are like those of {against.name}, cluster by "
            f"cluster (two random halves of both: {found.by_chance:.0%}). {len(unfilled)} of its {int((found.new > 0).sum())} "
            f"clusters, with {found.is_new.mean():.0%} of its pairs, have none of {against.name}{':' if unfilled else '.'}",
        )
        rows = [
            (f"{found.new[one]:.1%}" if not place else "", marked_sentence_of(pairs[row]))
            for one in unfilled[:SHOWN_CLUSTERS]
            for place, row in enumerate(found.examples(one))
        ]
        if rows:
            print_table(("of its pairs", "new, such as"), rows, left=(1,))
    given.remark(quiet=said.quiet)


def _documents(given: CorpusInput, quiet: bool) -> Iterator[Document]:
    with progress(f"reading {given.path.name}", quiet=quiet) as step:
        yield from given.stream(step)


def _show(corpus: Path, found: Inspection) -> None:
    pairs = found.positive + found.negative + found.unlabelled
    by_rules = "" if found.sentences_from == "source" else " (split by rules)"
    rows: list[tuple[str, Any, str]] = [
        ("documents", found.documents, ""),
        ("sentences", found.sentences, f"{found.sentences_with_parses:,} with parses{by_rules}"),
        ("duplicate sentences", found.duplicate_sentences, ""),
        (
            "mentions",
            found.mentions,
            f"{found.discontinuous_mentions:,} discontinuous, {found.mentions_with_ids:,} with database ids",
        ),
        ("relations", found.relations, f"{found.events:,} events, {found.triggers:,} trigger words" if found.triggers else ""),
        *([("  stated between ids", found.relations_between_ids, "")] if found.relations_between_ids else []),
        ("candidate pairs", pairs, "listed by the corpus" if found.listed_pairs else "pairs of mentions in a sentence"),
        ("  positive", found.positive, _share(found.positive, pairs)),
        ("  negative", found.negative, _share(found.negative, pairs)),
        *([("  without label", found.unlabelled, _share(found.unlabelled, pairs))] if found.unlabelled else []),
    ]
    print_table(("", "count", ""), rows, title=str(corpus), left=(0, 2))
    if found.coverage is None and pairs:
        print_line("no parse, so no dependency paths; relhash fit will parse it by itself (--parses embedded)\n")
    elif found.coverage is not None:
        joined = sum(found.coverage.values())
        coverage = [(_JOINED[name], count, _share(count, joined)) for name, count in found.coverage.items()]
        if found.candidates_without_parse:
            coverage.append(("sentence without parse", found.candidates_without_parse, ""))
        print_table(("pairs joined by", "pairs", ""), coverage)
        print_line(f"parses: {', '.join(found.parsers) or '–'}; label scheme: {', '.join(found.schemes) or '–'}")
    if found.path_length is not None:
        percents = [f"{name[1:]} %" for name in found.path_length]
        print_table(["percentile", *percents], [("path length", *found.path_length.values())])
    _show_types("mention type", found.mentions_by_type)
    _show_types("relation type", found.relations_by_type)
    if found.left_out:
        print_table(("left out when reading", "count"), list(found.left_out.items()))


def _show_types(kind: str, counts: dict[str, int]) -> None:
    if not counts:
        return
    shown = list(counts.items())[:SHOWN_TYPES]
    rest = sum(counts.values()) - sum(count for _, count in shown)
    if rest:
        shown.append((f"{len(counts) - SHOWN_TYPES} more", rest))
    print_table((kind, "count"), shown)


def _show_shared(corpus: Path, against: Path, shared: SharedSentences) -> None:
    rows = [
        ("shared sentences", shared.shared_sentences),
        ("common pairs", shared.common_pairs),
        ("common pairs, spacing ignored", shared.common_pairs_by_name),
        ("common pairs with opposite labels", shared.opposite_labels),
    ]
    print_table(("", "count"), rows, title=f"{corpus} against {against}")
    if shared.opposite:
        signs = {True: "positive", False: "negative"}
        opposite = [
            (" – ".join(pair["mentions"]), signs[pair["positive"]], signs[pair["other_positive"]], text)
            for pair, text in zip(shared.opposite, _once(pair["text"] for pair in shared.opposite), strict=True)
        ]
        columns = ("opposite labels", corpus.name, against.name, "sentence")
        print_table(columns, opposite[:SHOWN_OPPOSITE], left=(0, 1, 2, 3))


def _once(texts: Iterable[str]) -> Iterator[str]:
    """Each text, but nothing where it repeats the one before."""
    previous = ""
    for text in texts:
        yield "" if text == previous else text
        previous = text


def _share(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else ""
