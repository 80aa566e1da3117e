"""``relhash demo``: read, teach, compare, find, on excerpts of real corpora; nothing to download."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from relhash.cli import options
from relhash.cli.console import print_json, print_line, print_table, progress, sentence_text
from relhash.cli.options import option

if TYPE_CHECKING:
    from relhash.candidates.evidence import Evidence
    from relhash.hashing.trace import Progress
    from relhash.model import Prediction
    from relhash.show.demonstration import Comparison, LabelGain
    from relhash.show.significance import Difference

SHOWN = 6
"""Rows that are printed of what was read."""


def demo(
    said: options.Verbosity,
    output: Annotated[Path, option("--output", "-o", "DIR", "Folder for the report; made if needed.")] = Path("relhash-demo"),
    seed: options.Seed = 0,
    n_jobs: options.Jobs = None,
) -> None:
    """Read real text, learn from sixty labels, compare codes, find sentences by example, write a report.

    The text is about 300 sentences each of BioInfer (CC BY 2.0) and BioNLP 2013 (CC BY 3.0). Nothing is downloaded, and nothing
    is opened but the folder of the report.
    """
    import relhash
    from relhash.corpus.read_write import demo_excerpts
    from relhash.files import check_place, replacing
    from relhash.show import demonstration

    check_place(output, is_folder=True)
    labelled, target = demo_excerpts()
    with said.progress("reading"):
        found = demonstration.read_text(relhash.load("ppi"), target)
    if not said.silent:
        _show_found(found)
    with said.progress(f"learning from {demonstration.LABELS} labels"):
        taught = demonstration.teach(target, seed=seed, n_jobs=n_jobs)
    if not said.as_json:
        _show_taught(taught)
    compared = _compare(labelled, target, seed, n_jobs, said.silent)
    output.mkdir(parents=True, exist_ok=True)
    report = output / "report.html"
    with replacing(report) as handle:
        handle.write(demonstration.render_report(compared))
    demonstration.write_text(target, output)
    chosen, near = demonstration.alike(compared)
    if said.as_json:
        print_json(_as_json(found, taught, compared, (chosen, near), report))
        return
    _show_comparison(compared)
    _show_alike(chosen, near)
    print_line(f"report: {report}; text and labels to try: {output / 'text'}, {output / 'labels.csv'}")


def _compare(labelled: Any, target: Any, seed: int, n_jobs: int | None, silent: bool) -> Comparison:
    from relhash.show.demonstration import DEMO_MODELS, compare

    with progress("comparing", total=len(DEMO_MODELS), quiet=silent) as step:
        current = ""

        def on_model(name: str) -> None:
            nonlocal current
            step(1 if current else 0, name)
            current = name

        def on_step(reached: Progress) -> None:
            step(0, f"{current}: {reached.phase}, {reached.done} of {reached.wanted}")

        return compare(labelled, target, DEMO_MODELS, seed=seed, n_jobs=n_jobs, on_model=on_model, on_step=on_step)


def _as_json(
    found: list[Prediction],
    taught: LabelGain,
    compared: Comparison,
    alike: tuple[Evidence, list[tuple[float, Evidence]]],
    report: Path,
) -> dict[str, Any]:
    columns = ("name", "precision", "recall", "f1", "average_precision", "auc", "seconds")
    rows = [{column: getattr(result, column) for column in columns} for result in compared.results]
    chosen, near = alike
    return {
        "read": [prediction.as_row() for prediction in found],
        "taught": {
            "labels": taught.labels,
            "auc": [taught.before.auc, taught.after.auc],
            "f1": [taught.before.f1, taught.after.f1],
            "gained": len(taught.gained),
            "lost": len(taught.lost),
        },
        "results": rows,
        "relations": compared.relations,
        "alike": {"to": chosen, "found": [{"similarity": value, "evidence": shown} for value, shown in near]},
        "seed": compared.seed,
        "report": report,
    }


def _show_found(found: list[Prediction]) -> None:
    print_line("Read: what the shipped model ppi finds in raw text of three papers", style="bold")
    surest: dict[str, Prediction] = {}  # of each sentence one row
    for prediction in sorted(found, key=lambda one: -one.probability):
        surest.setdefault(prediction.evidence.text, prediction)
    shown = list(surest.values())[:SHOWN]
    for prediction in shown:
        row = prediction.as_row()
        ids = ", ".join(f"{row[f'entity{number}']} {row[f'ids{number}'] or 'no id'}" for number in (1, 2))
        print_line(f"  {prediction.probability:.2f}  ", sentence_text(prediction.evidence))
        print_line(f"        {row['evidence']}   ({ids})")
    if len(found) > len(shown):
        print_line(f"  … and {len(found) - len(shown)} more")
    print_line()


def _decided(difference: Difference) -> str:
    words = "" if difference.is_decided else ", undecided"
    return f"{difference.value:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]{words}"


def _show_taught(taught: LabelGain) -> None:
    print_line(f"Teach: {taught.labels} labels of some papers of BioNLP on top of ppi, tested on the others", style="bold")
    for name, figures in (("ppi alone", taught.before), ("with the labels", taught.after)):
        print_line(f"  {name:16} precision {figures.precision:.2f}, recall {figures.recall:.2f}, AUC {figures.auc:.3f}")
    print_line(f"  AUC with the labels − without: {_decided(taught.difference)}")
    print_line(f"  rows gained {len(taught.gained)}, lost {len(taught.lost)}")
    for sign, rows in (("+", taught.gained), ("−", taught.lost)):
        for prediction in list({one.evidence.text: one for one in rows}.values())[:2]:
            shown = f"  {sign} {prediction.as_row()['evidence']}   in: "
            print_line(shown, sentence_text(prediction.evidence))
    print_line()


def _show_comparison(compared: Comparison) -> None:
    columns = ("codes", "precision", "recall", "F1", "AUC", "AUC − random", "seconds")
    rows = [
        (r.name, r.precision, r.recall, r.f1, r.auc, "" if not number else _decided(one), f"{r.seconds or 0:.1f}")
        for number, (r, one) in enumerate(zip(compared.results, compared.differences, strict=True))
    ]
    print_table(columns, rows, title="Compare: 200 bits found in four ways; labels of BioInfer, tested on BioNLP", left=(0, 5))
    print_line("Brackets hold 95 % over documents; so little text decides little, docs/results.md has whole corpora.\n")


def _show_alike(chosen: Evidence, near: list[tuple[float, Evidence]]) -> None:
    print_line("Find: sentences of BioNLP that say something like this one", style="bold")
    print_line("        ", sentence_text(chosen))
    for value, shown in near:
        print_line(f"  {value:.2f}  ", sentence_text(shown))
    print_line()
