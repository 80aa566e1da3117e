"""What does a sentence of raw text cost, stage by stage, and what did it cost before?

    python benchmarks/raw_text_speed.py [--abstracts 100] [--before cea0eb6] [--repetitions 3]

`relhash predict ppi` on abstracts of BioNLP 2009 train (RELHASH_DATA), one thread, no cache of parses; milliseconds of the
processor per sentence. The code here and the code of a commit run in turn, each in processes of its own, and the fastest run of
each stage counts, so that ratios hold on a busy machine. `--before -` measures the code here alone. Needs the
repository's history. Writes benchmarks/results/raw-text/speed.json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from relhash.show.provenance import provenance, shipped_parses
from stage_clock import ROOT, Stopwatch, unpacked

BEFORE = "cea0eb6"
"""The last commit before the tagger, grounding and the model were changed for raw text."""

STAGES = {
    "tokens": ["relhash.language.spacy_model:LoadedModel.tokenize"],
    "entities": ["relhash.language.spacy_model:LoadedModel.entities"],
    "tagger and parser": ["relhash.language.spacy_model:LoadedModel.parses"],
    "grounding": ["relhash.biomed.grounding:Grounder.__call__"],
    "rest of reading": ["relhash.language.pipeline:Pipeline._annotated", "relhash.model.reading.reader:collapse_document"],
    "candidates": ["relhash.candidates.pairs:PairPolicy.candidates"],
    "structures": [f"relhash.model.{module}:build_structures" for module in ("fitted", "judging")],
    "features": ["relhash.learn.codes:FeatureMap.transform"],
    "decision": ["relhash.learn.decision:Decision.decide", "relhash.learn.relation_types:RelationTypes.predict"],
    "names and assertion": ["relhash.model.judging:judged_rows", "relhash.model.prediction:assertion_of_scene"],
    "rows": ["relhash.model.prediction:Prediction.as_row"],
}
"""Stage → the functions that do it."""


def measure(data: Path, abstracts: int) -> None:
    """Print the seconds of this process's version of the code as JSON."""
    import relhash
    from relhash.model.fitted import FittedModel

    folder = data / "bionlp" / "2009" / "train"
    documents = [relhash.Document(path.stem, path.read_text("utf-8")) for path in sorted(folder.glob("*.txt"))[:abstracts]]
    model = FittedModel.load("ppi", cache=False, n_jobs=1)
    for found in model.stream(documents[:3]):  # compiled code and vectors are loaded
        found.as_row()
    clock = Stopwatch(STAGES)
    stages = clock.watch()
    sentences = rows = 0
    for document, found_there in model.annotate(documents, all_candidates=False):
        sentences += len(document.sentences)
        rows += sum(bool(found.as_row()) for found in found_there)
    print(json.dumps({"seconds": clock.taken(), "sentences": sentences, "rows": rows, "watched": stages}))


def run(source: Path, data: Path, abstracts: int) -> dict[str, Any]:
    """Seconds per sentence with the package below ``source``."""
    environment = {**os.environ, "PYTHONPATH": str(source), "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--measure", str(data), "--abstracts", str(abstracts)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the measurement failed with the code in {source}:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    result["ms per sentence"] = {stage: 1000 * s / result["sentences"] for stage, s in result.pop("seconds").items()}
    return result


def fastest(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The fastest run of each stage."""
    stages = {stage: min(one["ms per sentence"][stage] for one in runs) for stage in runs[0]["ms per sentence"]}
    return {**runs[0], "ms per sentence": {**stages, "all": sum(stages.values())}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--abstracts", type=int, default=100)
    parser.add_argument("--before", default=BEFORE)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure is not None:
        measure(given.measure, given.abstracts)
        return
    data = Path(os.environ.get("RELHASH_DATA", ROOT.parent / "shared" / "data"))
    if not (data / "bionlp" / "2009" / "train").is_dir():
        parser.error(f"{data}: there is no bionlp/2009/train; set RELHASH_DATA")
    with tempfile.TemporaryDirectory() as folder:
        sources = {"now": ROOT / "src"}
        if given.before != "-":
            sources = {"before": unpacked(given.before, Path(folder)), **sources}
        runs: dict[str, list[dict[str, Any]]] = {name: [] for name in sources}
        for _ in range(given.repetitions):
            for name, source in sources.items():
                runs[name].append(run(source, data, given.abstracts))
    report: dict[str, Any] = {"abstracts": given.abstracts, **{name: fastest(own) for name, own in runs.items()}}
    now = report["now"]["ms per sentence"]
    before = report.get("before", {}).get("ms per sentence", {})
    report["ratio"] = {stage: now[stage] / before[stage] for stage in now if before.get(stage)}
    for stage, milliseconds in now.items():
        earlier = f"{before[stage]:9.3f}" if stage in before else " " * 9
        ratio = f"{report['ratio'][stage]:7.2f}" if stage in report["ratio"] else ""
        print(f"{stage:20} {earlier} {milliseconds:9.3f} {ratio}")
    target = ROOT / "benchmarks" / "results" / "raw-text" / "speed.json"
    target.write_text(json.dumps({**report, "made": provenance(shipped_parses())}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
