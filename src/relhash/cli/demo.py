"""``relhash demo``: the embedded corpora, nothing to download."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relhash.cli.console import JsonOption, QuietOption, console, print_json, print_table

if TYPE_CHECKING:
    from rich.text import Text

    from relhash.explain.demonstration import DemoCorpus
    from relhash.explain.evidence import Evidence

__all__ = ["demo"]

PIECES = {"participant": "bold cyan", "entity": "blue", "path": "bold", "text": ""}
STEPS = {"participant": "bold cyan", "entity": "blue", "word": "bold", "up": "dim", "down": "dim"}


def demo(as_json: JsonOption = False, quiet: QuietOption = False) -> None:
    """Look at two small corpora of protein interactions, written in different styles, and at the paths between proteins."""
    from relhash.explain.demonstration import survey

    surveyed = survey()
    if as_json:
        print_json({"corpora": [_as_json(found) for found in surveyed]})
        return
    _show_counts(surveyed)
    if not quiet:
        for found in surveyed:
            _show_paths(found)


def _as_json(found: DemoCorpus) -> dict[str, object]:
    return {
        "name": found.corpus.name,
        **found.counts.as_dict(),
        "examples": {"related": found.related, "unrelated": found.unrelated},
    }


def _show_counts(surveyed: tuple[DemoCorpus, DemoCorpus]) -> None:
    rows = []
    for found in surveyed:
        counts = found.counts
        pairs = counts.positive + counts.negative
        share = f"{counts.positive / pairs:.1%}"
        rows.append((found.corpus.name, counts.documents, counts.sentences, counts.mentions, pairs, counts.positive, share))
    columns = ("corpus", "documents", "sentences", "proteins", "candidate pairs", "related", "share")
    print_table(columns, rows, title="Embedded corpora (synthetic, with gold labels and gold parses)")


def _show_paths(found: DemoCorpus) -> None:
    from rich.text import Text

    out = console()
    out.print(Text(f"{found.corpus.name}: the dependency path between two proteins", style="bold"))
    for mark, style, examples in (("related", "green", found.related), ("not related", "red", found.unrelated)):
        for example in examples:
            out.print(Text.assemble("  ", sentence_text(example), "  ", (mark, style)), soft_wrap=True)
            out.print(Text.assemble("    ", path_text(example)), soft_wrap=True)
    out.print()


def sentence_text(shown: Evidence) -> Text:
    """The sentence, coloured."""
    from rich.text import Text

    return Text.assemble(*((piece.text, PIECES[piece.kind]) for piece in shown.sentence))


def path_text(shown: Evidence) -> Text:
    """The path on one line: ``Ras ←nsubj binds dobj→ Raf``."""
    from rich.text import Text

    arrows = {"up": "←{}", "down": "{}→"}
    return Text(" ").join(Text(arrows.get(step.kind, "{}").format(step.text), STEPS[step.kind]) for step in shown.path)
