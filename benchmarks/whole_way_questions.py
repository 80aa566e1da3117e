"""The questions of `whole_way.py`, each answered in a process of its own: processor time by stage as JSON."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np

from stage_clock import Stopwatch

TEXT_STAGES = {
    "tokens": [f"relhash.language.{model}.tokenize" for model in ("spacy_model:LoadedModel", "embedded:ShippedModel")],
    "genes": [f"relhash.language.{model}.entities" for model in ("spacy_model:LoadedModel", "embedded:ShippedModel")],
    "tagger and parser": ["relhash.language.spacy_model:LoadedModel._run", "relhash.language.embedded:ShippedModel.parses"],
    "conversion": [
        "relhash.language.spacy_model:LoadedModel._parsed",
        "relhash.language.parsed_words:ParsedWords.sentences",
        "relhash.language.pipeline:Pipeline._annotated",
        *(f"relhash.model.{module}:collapse_document" for module in ("reading", "reading.reader")),
    ],
    "grounding": ["relhash.biomed.grounding:Grounder.__call__"],
    "candidates and sequences": [
        "relhash.candidates.pairs:PairPolicy.candidates",
        *(f"relhash.model.{module}:{name}" for module in ("fitted", "judging") for name in ("scenes", "build_structures")),
    ],
    "descriptors": ["relhash.candidates.descriptors:Describer.__call__"],
    "features": ["relhash.learn.codes:FeatureMap.transform"],
    "n-grams": ["relhash.learn.ngrams:NgramPart.transform"],
    "kernel": ["relhash.learn.coordinates:_References.similarities"],
    "trees": ["relhash.learn.forest:Trees.scores"],
    "decision": ["relhash.learn.decision:Decision.decide", "relhash.learn.relation_types:RelationTypes.predict"],
    "assertion and rows": [
        *(f"relhash.model.{module}:assertion_of_scene" for module in ("fitted", "judging", "prediction")),
        "relhash.model.prediction:Prediction.as_row",
    ],
}
FIT_STAGES = {
    "reading files": [
        *(f"relhash.model.{module}training_text:documents_of" for module in ("", "fitting.")),
        "relhash.model.extractor:documents_of",
        "relhash.model.extractor:read_training_text",
    ],
    "candidates and structures": [
        "relhash.model.extractor:build_structures",
        *(f"relhash.model.{module}:build_structures" for module in ("fit_stages", "fitting.stages", "fitting")),
        *(f"relhash.model.{module}training_text:candidates" for module in ("", "fitting.")),
    ],
    "codes": [
        "relhash.model.extractor:fit_features",
        *(f"relhash.model.{module}:fit_features" for module in ("fit_stages", "fitting.stages", "fitting")),
        "relhash.learn.codes:FeatureMap.transform",
    ],
    "trees": ["relhash.learn.forest:ForestClassifier.fit"],
    "walk of trees": ["relhash.learn.forest:Trees.scores"],
    "linear": ["relhash.learn.linear:LinearClassifier.fit"],
    "rest of the decision": ["relhash.learn.decision:Decision.fit", "relhash.learn.decision:Decision.choose"],
    "model file": ["relhash.model.model_file:write_archive"],
}


def text(data: Path, abstracts: int) -> dict[str, float]:
    """Milliseconds per sentence of raw text."""
    import relhash
    from relhash.model.fitted import FittedModel

    folder = data / "bionlp" / "2009" / "train"
    documents = [relhash.Document(path.stem, path.read_text("utf-8")) for path in sorted(folder.glob("*.txt"))[:abstracts]]
    model = FittedModel.load("ppi", cache=False, n_jobs=1)
    with _all_compiled():
        for found in model.stream(documents[:3]):  # compiled code and vectors are loaded
            found.as_row()
    sentences = 0
    clock = Stopwatch(TEXT_STAGES)
    clock.watch()
    for document, judged in _settled(model.annotate(documents)):
        sentences += len(document.sentences)
        for found in judged:
            found.as_row()
    seconds = clock.taken()
    seconds["bare nlp.pipe"] = _bare_spacy([document.text for document in documents])
    return {stage: 1000 * taken / sentences for stage, taken in seconds.items()}


def _settled(stream: Iterable[Any]) -> Iterable[Any]:
    """As the command reads: what is loaded is left alone by the collector of cycles (earlier versions did less, or nothing)."""
    from relhash import processes
    from relhash.cli import process

    getattr(process, "collect_rarely", lambda: None)()
    return getattr(processes, "settled_after", iter)(stream)


def _all_compiled() -> AbstractContextManager[None]:
    """In it every function is compiled when it is called: those of a version in a new folder are nowhere kept."""
    try:
        from relhash.compilation import after
    except ImportError:
        return nullcontext()
    return after(0)


def _loading() -> AbstractContextManager[None]:
    """As the command reads corpora (earlier versions did nothing of the kind)."""
    try:
        from relhash.processes import loading
    except ImportError:
        return nullcontext()
    return loading()


def _bare_spacy(texts: list[str]) -> float:
    """Seconds of spaCy alone with the components of the embedded pipeline that a model for proteins needs."""
    from relhash.language.compact import load_compact
    from relhash.resources import resource_path

    nlp = load_compact(resource_path("biomed_en"))
    recognizers = [name for name in nlp.pipe_names if "doc.ents" in nlp.get_pipe_meta(name).assigns]
    list(nlp.pipe(texts[:3], disable=recognizers))
    since = time.process_time()
    for _ in nlp.pipe(texts, disable=recognizers, batch_size=64):
        pass
    return time.process_time() - since


def fit(data: Path, abstracts: int) -> dict[str, float]:
    """Seconds of a fit from AIMed to BioInfer."""
    from relhash.corpus.read_write import demo_corpora
    from relhash.model import RelationExtractor, extractor

    warnings.simplefilter("ignore")
    with _all_compiled():
        RelationExtractor("best").fit(*demo_corpora())  # compiled code and libraries are loaded
    clock = Stopwatch(FIT_STAGES)
    clock.watch()
    with _loading():
        corpora = [list(extractor.documents_of(data / "ppi" / name)) for name in ("AIMed.xml", "BioInfer.xml")]
    fitted = RelationExtractor("best", n_jobs=1).fit(*corpora)
    with tempfile.TemporaryDirectory() as folder:
        fitted.save(Path(folder) / "m.relhash")
    return clock.taken()


def models(data: Path, abstracts: int) -> dict[str, float]:
    """Long sentences per second by model; a sum of the rows of abstracts; what 40 names cost beside 20."""
    import relhash

    judged = [json.loads(line)["text"] for line in (data / "judged" / "indra_dev.jsonl").read_text("utf-8").splitlines()]
    long = [relhash.Document(f"e{n}", text) for n, text in enumerate(list(dict.fromkeys(judged))[:300])]
    folder = data / "bionlp" / "2009" / "train"
    texts = [relhash.Document(path.stem, path.read_text("utf-8")) for path in sorted(folder.glob("*.txt"))[:abstracts]]
    answer: dict[str, float] = {}
    for name in ("ppi", "events", "related"):
        model = relhash.load(name, cache=False, n_jobs=1)
        with _all_compiled():
            for found in model.stream([*texts[:8], *long[:20]]):  # compiled code and vectors are loaded
                found.as_row()
        since = time.process_time()
        sentences = 0
        for document, found in _settled(model.annotate(long)):
            sentences += len(document.sentences)
            for one in found:
                one.as_row()
        answer[f"long sentences per second, {name}"] = sentences / (time.process_time() - since)
        rows = "".join(json.dumps(one.as_row(), default=str, sort_keys=True) + "\n" for one in model.stream(texts))
        answer[f"only rows, {name}"] = rows.count("\n")
        answer[f"only sum of rows, {name}"] = int(hashlib.sha256(rows.encode()).hexdigest()[:12], 16)
        names = [f"Abc{chr(65 + n % 26)}{n}" for n in range(40)]
        crowded = [relhash.Document(f"c{n}", f"Binding of {', '.join(names[:n])} to Raf was found.") for n in (20, 40)]
        costs = [_least(partial(list, _Again(model, [one])), 3) for one in crowded]
        answer[f"40 names / 20 names, {name}"] = costs[1] / costs[0]
    return answer


@dataclass
class _Again:
    """The rows of documents, judged anew each time that they are walked through."""

    model: Any
    documents: list[Any]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (found.as_row() for found in self.model.stream(self.documents))


def length(data: Path, abstracts: int) -> dict[str, float]:
    """Milliseconds per KB of abstracts from 1 KB to 10 MB, their slope (log–log), and peak memory in MB."""
    import relhash

    folder = data / "bionlp" / "2009" / "train"
    texts = [path.read_text("utf-8") for path in sorted(folder.glob("*.txt"))]
    model = relhash.load("ppi", cache=False, n_jobs=1)
    others = [relhash.Document(f"w{n}", text) for n, text in enumerate(texts[-60:])]
    with _all_compiled():
        for found in model.stream(others):  # words are remembered
            found.as_row()
    sizes, costs, answer = [], [], {}
    for wanted in (1 << 10, 1 << 13, 1 << 16, 1 << 19, 10 << 20):
        chosen, size = [], 0
        while size < wanted:
            chosen.append(relhash.Document(f"d{len(chosen)}", texts[len(chosen) % len(texts)]))
            size += len(chosen[-1].text)
        costs.append(_least(partial(list, _Again(model, chosen)), 3 if size < 1 << 18 else 1, warm=False))
        sizes.append(size)
        answer[f"ms per KB, {wanted >> 10} KB"] = 1000 * costs[-1] / (size / 1024)
        answer[f"peak MB, {wanted >> 10} KB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**answer, "slope": float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])}


def refit(data: Path, abstracts: int) -> dict[str, float]:
    """Milliseconds of a refit after an answer, 10,000 candidates with features as large as those of the default preset."""
    from scipy import sparse

    from relhash.learn import LinearClassifier
    from relhash.learn.decision import Decision, DecisionSettings
    from relhash.learn.lesson import Lesson

    random, n = np.random.default_rng(0), 10_000
    columns = {"coordinates": slice(0, 120), "descriptors": slice(120, 400), "ngrams": slice(400, 5400)}
    blocks = [random.normal(size=(n, 120)), sparse.random(n, 280, 0.3, rng=random), sparse.random(n, 5000, 0.006, rng=random)]
    X = sparse.csr_matrix(sparse.hstack([sparse.csr_matrix(block) for block in blocks], format="csr"))
    y = np.asarray(X[:, :3].sum(axis=1)).ravel() + random.normal(size=n) > 1.5
    documents = np.arange(n) // 12
    before = Decision.fit(DecisionSettings((LinearClassifier(),)), X[:1000], y[:1000], documents[:1000], columns=columns)
    lesson, answer = Lesson(before, X, columns), {}
    for answers in (10, 100, 500):
        rows = random.choice(n, answers, replace=False)
        lesson.learn(rows[:-1], y[rows[:-1]])  # on the page all answers but the last were learned before
        answer[f"ms after {answers} answers"] = 1000 * _least(partial(lesson.learn, rows, y[rows]), 3, warm=False)
    return answer


def serve(data: Path, abstracts: int) -> dict[str, float]:
    """``relhash serve ppi``, four clients with texts of 1 KB for ten seconds: requests per second, and ms that each waits.

    The only figures by the clock: they mean something on an idle machine, and as ratios of one run.
    """
    texts = [path.read_text("utf-8")[:1024] for path in sorted((data / "bionlp" / "2009" / "train").glob("*.txt"))[:abstracts]]
    command = [sys.executable, "-c", "from relhash.cli.main import main; main()", "serve", "ppi", "--rate", "100000"]
    waited: list[float] = []
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://[\w.:]+", line)))

            def ask(number: int, until: float) -> None:
                for text in texts[number::4]:
                    if time.monotonic() > until:
                        return
                    since = time.monotonic()
                    body, headers = json.dumps({"text": text}).encode(), {"Content-Type": "application/json"}
                    urlopen(Request(f"{address}/api/predict", body, headers), timeout=60).read()
                    waited.append(time.monotonic() - since)

            with ThreadPoolExecutor(4) as clients:  # first the processes load their model
                list(clients.map(ask, range(4), [time.monotonic() + 5] * 4))
                waited.clear()
                since = time.monotonic()
                list(clients.map(ask, range(4), [since + 10] * 4))
            taken = time.monotonic() - since
        finally:
            server.terminate()
    p50, p95 = np.percentile(waited, (50, 95)) * 1000
    answer = {"requests per second": len(waited) / taken, "ms, p50": float(p50), "ms, p95": float(p95)}
    return {**answer, "only load": os.getloadavg()[0]}


def forest(data: Path, abstracts: int) -> dict[str, float]:
    """Microseconds per row of a forest as `best` grows it, its walk and scikit-learn's."""
    from sklearn.ensemble import ExtraTreesClassifier

    from relhash.learn.forest import Trees

    random = np.random.default_rng(0)
    X = random.normal(size=(6000, 637)).astype(np.float32)
    y = X[:, :40].sum(axis=1) + random.normal(scale=6, size=len(X)) > 5
    grown = ExtraTreesClassifier(150, min_samples_leaf=5, class_weight="balanced", random_state=0).fit(X, y)
    trees = Trees.from_sklearn(grown)
    ours, theirs = trees.scores(X), grown.predict_proba(X)[:, 1]
    if np.abs(ours - theirs).max() > 1e-9:
        raise SystemExit("forest: the walks differ")
    return {
        "microseconds per row": 1e6 * _least(lambda: trees.scores(X)) / len(X),
        "only scikit-learn": 1e6 * _least(lambda: grown.predict_proba(X)) / len(X),
    }


def hamming(data: Path, abstracts: int) -> dict[str, float]:
    """Nanoseconds per pair of codes of 128 bits: the ten nearest of a million to each of 16 queries."""
    from relhash.hashing import hamming_distances, nearest_codes

    random = np.random.default_rng(0)
    codes = random.integers(0, 2**63, (1_000_000, 2), dtype=np.uint64)
    queries = codes[:16] ^ np.uint64(5)
    pairs = len(codes) * len(queries)
    found = nearest_codes(queries, codes, 10)
    answer = {
        "nearest, ns per pair": 1e9 * _least(lambda: nearest_codes(queries, codes, 10)) / pairs,
        "distances, ns per pair": 1e9 * _least(lambda: hamming_distances(queries, codes)) / pairs,
        "only numpy": 1e9 * _least(lambda: [np.bitwise_count(codes ^ one).sum(axis=1) for one in queries[:2]]) / (pairs / 8),
        "only reading memory": 1e9 * _least(lambda: [codes.sum() for _ in range(4)]) / (4 * len(codes)),
    }
    try:
        import faiss
    except ImportError:
        return answer
    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryFlat(128)
    index.add(codes.view(np.uint8))
    own = queries.view(np.uint8)
    if (index.search(own, 10)[0] != found[0]).any():
        raise SystemExit("hamming: faiss finds other distances")
    return {**answer, "only faiss": 1e9 * _least(lambda: index.search(own, 10)) / pairs}


def _least(work: Callable[[], Any], times: int = 5, warm: bool = True) -> float:
    """Processor seconds of the fastest of some runs."""
    if warm:
        work()
    taken = []
    for _ in range(times):
        since = time.process_time()
        work()
        taken.append(time.process_time() - since)
    return min(taken)


QUESTIONS: dict[str, Callable[[Path, int], dict[str, float]]] = {
    "text": text, "models": models, "length": length, "fit": fit, "refit": refit, "serve": serve,
    "forest": forest, "hamming": hamming,
}  # fmt: skip


if __name__ == "__main__":
    question, data, abstracts = sys.argv[1:]
    print(json.dumps(QUESTIONS[question](Path(data), int(abstracts))))
