"""Where do users wait? The whole way by stage, now and before, next to the libraries that do the same work.

    python benchmarks/whole_way.py [--before b5bcbd1d] [--abstracts 200] [--repetitions 2] [--only start text …] [--docs]

Ten questions, each asked in processes of their own, the code here and the code of a commit in turn; processor time, the
fastest run of each stage, so that ratios hold on a busy machine. One BLAS thread.

- ``start``: `echo "Ras binds to Raf." | relhash predict ppi -` with the parse in the cache, and what Python, numpy and spaCy
  take of it alone.
- ``text``: abstracts of BioNLP 2009 train with `ppi`, no cache, by stage, next to spaCy's own `nlp.pipe` with the components
  that `ppi` needs (tagger and parser; entities are ours) over the same text.
- ``fit``: `relhash fit AIMed.xml --adapt BioInfer.xml`, by stage.
- ``refit``: what an answer on the page costs, 10,000 candidates.
- ``serve``: four clients with texts of 1 KB; by the clock, so only ratios count on a busy machine.
- ``forest``: the trees of `ppi`, next to scikit-learn's walk of trees of the same shape.
- ``first``: as a new user meets it: the first relation and the first fit with nothing compiled, with a cache that cannot be
  written, a new and a known sentence, peak memory of `ppi` and `events` over the abstracts.
- ``models``: long sentences with many names (evidence of judged statements) with each shipped model, sentences per second; the
  sum of all rows over the abstracts, which must not change; one sentence of 20 and of 40 names.
- ``length``: 1 KB to 10 MB of abstracts: the slope of cost against length (log–log), and peak memory.
- ``hamming``: codes of 128 bits, one query at a time over many, next to numpy, memory and (if installed) faiss.

Needs RELHASH_DATA and the repository's history (`--before -` measures the code here alone). Writes
benchmarks/results/whole_way.json and .png; with ``--docs`` also the table of docs/results.md, from the file alone if ``--only``
names nothing. About five minutes on an idle core.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from relhash.show.provenance import provenance
from stage_clock import ROOT, unpacked
from whole_way_questions import QUESTIONS
from whole_way_table import write_table

BEFORE = "5bb78c5d"
"""The last commit before this was looked at again."""
RESULTS = ROOT / "benchmarks" / "results"


def environment(source: Path) -> dict[str, str]:
    """One thread, the package below ``source``, and Python's own files of compiled modules, as after an installation."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "whole_way_modules")}
    return {**os.environ, **threads, **kept, "PYTHONPATH": str(source)}


def processor_seconds(command: list[str], source: Path, given: str = "", surroundings: dict[str, str] | None = None) -> float:
    """What a program takes of the processor, with everything that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, env={**environment(source), **(surroundings or {})}, input=given, capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start(source: Path) -> dict[str, float]:
    """Seconds until the first relation, and what its largest libraries take alone."""
    command = [sys.executable, "-c", "from relhash.cli.main import main; main()", "predict", "ppi", "-", "--quiet"]
    processor_seconds(command, source, "Ras binds to Raf.\n")  # the parse is kept, code is compiled
    whole = processor_seconds(command, source, "Ras binds to Raf.\n")
    libraries = {
        f"only import {name}": processor_seconds([sys.executable, "-c", f"import {name}"], source)
        for name in ("numpy", "numba", "spacy")
    }
    return {"predict one sentence": whole, **libraries}


def first(source: Path, data: Path, abstracts: int) -> dict[str, float]:
    """Seconds as a new user meets it, and peak memory in MB."""
    command = [sys.executable, "-c", "from relhash.cli.main import main; main()"]
    predict = [*command, "predict", "ppi", "-", "--quiet"]
    folder = data / "bionlp" / "2009" / "train"
    with tempfile.TemporaryDirectory() as place:
        text = Path(place, "abstracts.txt")
        text.write_text("\n\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.txt"))[: min(abstracts, 40)]))
        sheet = Path(place, "sheet.csv")
        subprocess.run([sys.executable, "-c", SHEET, sheet], env=environment(source), check=True)

        def taken(given: list[str], cache: str, said: str = "") -> float:
            surroundings = {"XDG_CACHE_HOME": cache} if cache != "/proc/none" else {"XDG_CACHE_HOME": cache, "HOME": cache}
            return processor_seconds(given, source, said, surroundings)

        kept = str(Path(place, "kept"))
        fit = [*command, "fit", str(sheet), "--quiet", "-o"]
        answer = {
            "first relation, nothing compiled": taken(predict, str(Path(place, "a")), "Ras binds to Raf.\n"),
            "first fit, nothing compiled": taken([*fit, str(Path(place, "m1"))], str(Path(place, "b"))),
            "cache that cannot be written": taken(predict, "/proc/none", "Ras binds to Raf.\n"),
        }
        for model in ("ppi", "events"):  # compiles, too
            program = (
                f"import resource, sys; sys.argv = ['relhash', 'predict', '{model}', '{text}', '--quiet', '-o', '{text}.tsv']\n"
            )
            program += "from relhash.cli.main import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
            program += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
            surroundings = {**environment(source), "XDG_CACHE_HOME": kept}
            done = subprocess.run([sys.executable, "-c", program], env=surroundings, capture_output=True, text=True, check=True)
            answer[f"peak MB, {model}"] = float(done.stdout.split()[-1])
        answer["new sentence"] = taken(predict, kept, "Cdc42 binds to PAK1 in cells.\n")
        answer["known sentence"] = min(taken(predict, kept, "Cdc42 binds to PAK1 in cells.\n") for _ in range(3))
        answer["fit, compiled"] = taken([*fit, str(Path(place, "m2"))], kept)
    return answer


SHEET = """
import csv, sys
from relhash.candidates import candidates
from relhash.corpus.read_write import demo_corpora
pairs = list(candidates(demo_corpora()[0].documents))
chosen = [p for p in pairs if p.is_positive][:29] + [p for p in pairs if not p.is_positive][:29]
with open(sys.argv[1], "w", newline="") as file:
    sheet = csv.writer(file)
    sheet.writerow(["document", "text", "e1_start", "e1_end", "e2_start", "e2_end", "label"])
    for pair in chosen:
        spans = [mention.spans[0] for mention in pair.mentions]
        sheet.writerow([pair.document.id, pair.document.text, *spans[0], *spans[1], int(pair.is_positive)])
"""
"""58 labelled pairs of the demo as a sheet."""


def asked(question: str, source: Path, data: Path, abstracts: int) -> dict[str, Any]:
    """The answer of the package below ``source``."""
    if question == "start":
        return dict(start(source))
    if question == "first":
        return first(source, data, abstracts)
    command = [sys.executable, str(Path(__file__).with_name("whole_way_questions.py")), question, str(data), str(abstracts)]
    done = subprocess.run(command, env=environment(source), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{question}: the measurement failed with the code in {source}:\n{done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def fastest(runs: list[dict[str, Any]]) -> dict[str, float]:
    """The least of each stage that all runs have."""
    higher_is_better = "per second"
    return {
        stage: (max if higher_is_better in stage else min)(run[stage] for run in runs)
        for stage in runs[0]
        if all(stage in run for run in runs)
    }


def with_sums(question: str, answer: dict[str, float]) -> dict[str, float]:
    """The stages, and what they come to."""
    ours = [value for stage, value in answer.items() if not stage.startswith(("bare", "only"))]
    if question == "text":
        whole = sum(ours)
        bare = answer["bare nlp.pipe"]
        return {**answer, "all": whole, "sentences per second": 1000 / whole, "all / bare nlp.pipe": whole / bare}
    return {**answer, "all": sum(ours)} if question == "fit" else answer


def draw(report: dict[str, Any], path: Path) -> None:
    """Two pictures: a sentence of raw text and a fit, each a bar by stage, before and now."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    shown = [question for question in ("text", "fit") if question in report]
    figure, axes = pyplot.subplots(len(shown), 1, figsize=(9, 2.2 * len(shown) + 0.8), squeeze=False)
    units = {"text": "ms of the processor per sentence of raw text", "fit": "s of the processor, fit AIMed → BioInfer"}
    left_out = ("all", "sentences", "bare", "only")
    for axis, question in zip(axes[:, 0], shown, strict=True):
        versions = report[question]
        stages = list(dict.fromkeys(s for own in versions.values() for s in own if not s.startswith(left_out)))
        colours = dict(zip(stages, pyplot.get_cmap("tab20").colors, strict=False))
        for row, own in enumerate(versions.values()):
            at = 0.0
            for stage in stages:
                width = own.get(stage, 0.0)
                axis.barh(row, width, left=at, color=colours[stage], label=stage if not row else None)
                at += width
            axis.text(at, row, f" {at:.2f}", va="center")
        rows = list(versions)
        if question == "text":
            axis.barh(len(rows), next(reversed(versions.values()))["bare nlp.pipe"], color="lightgrey")
            rows.append("bare spaCy")
        axis.set_yticks(range(len(rows)), rows)
        axis.invert_yaxis()
        axis.margins(x=0.15)
        axis.set_xlabel(units[question])
        axis.legend(fontsize=6, ncol=2, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.tight_layout()
    figure.savefig(path, dpi=110, bbox_inches="tight", pad_inches=0.15)  # legends stand beside the axes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default=BEFORE)
    parser.add_argument("--abstracts", type=int, default=200)
    parser.add_argument("--repetitions", type=int, default=2)
    parser.add_argument("--only", nargs="*", choices=("start", "first", *QUESTIONS), default=["start", "first", *QUESTIONS])
    parser.add_argument("--output", type=Path, default=RESULTS / "whole_way.json")
    parser.add_argument("--docs", action="store_true", help="put the figures into docs/results.md")
    given = parser.parse_args()
    if not given.only:
        draw(report := json.loads(given.output.read_text("utf-8")), given.output.with_suffix(".png"))
        write_table(report)
        return
    data = Path(os.environ.get("RELHASH_DATA", ROOT.parent / "shared" / "data"))
    if not (data / "bionlp" / "2009" / "train").is_dir():
        parser.error(f"{data}: there is no bionlp/2009/train; set RELHASH_DATA")
    report: dict[str, Any] = {"before": given.before, "abstracts": given.abstracts, "made": provenance("")}
    kept = json.loads(given.output.read_text("utf-8")) if given.output.exists() else {}
    if kept and kept["before"] == given.before and kept["made"]["commit"] == report["made"]["commit"]:
        report = {**kept, **report}  # other questions to the same two versions
    with tempfile.TemporaryDirectory() as folder:
        sources = {"now": ROOT / "src"}
        if given.before != "-":
            sources = {"before": unpacked(given.before, Path(folder)), **sources}
        for question in given.only:
            runs: dict[str, list[dict[str, Any]]] = {name: [] for name in sources}
            for _ in range(given.repetitions):
                for name, source in sources.items():
                    runs[name].append(asked(question, source, data, given.abstracts))
            report[question] = {name: with_sums(question, fastest(own)) for name, own in runs.items()}
            print(f"\n{question:34}" + "".join(f"{name:>10}" for name in sources))
            for stage in dict.fromkeys(stage for own in report[question].values() for stage in own):
                row = "".join(f"{own[stage]:10.3f}" if stage in own else " " * 10 for own in report[question].values())
                print(f"{stage:34}{row}", flush=True)
            given.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if not {"text", "fit"}.isdisjoint(report):
        draw(report, given.output.with_suffix(".png"))
    if given.docs:
        write_table(report)


if __name__ == "__main__":
    main()
