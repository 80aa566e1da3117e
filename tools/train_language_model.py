"""Train the biomedical English pipeline that ships as ``src/relhash/resources/biomed_en``.

    python tools/train_language_model.py --data ../shared/data --work /tmp/biomed_en --output src/relhash/resources/biomed_en

Two trainings (trees; chemicals and diseases) over the same word vectors, each with a fixed seed, a fixed number of steps and a
falling learning rate at the end, put together into one folder; genes are found by another program (``tools/train_genes.py``).
Every step leaves its result in ``--work`` and is skipped when that is already there, so an interrupted run goes on where it
stopped; the trainings are independent and may be run side by side with ``--only``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import spacy
from spacy.tokens import DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config
from thinc.api import NumpyOps, set_current_ops

from language_model.assembly import assemble
from language_model.tokenization import use_biomedical_tokenizer  # noqa: F401  (registers the tokenizer for the configs)
from language_model.training_data import RECOGNIZERS, measured_sentences, prepare, tree_tokens
from language_model.vectors import sentences_without, spellings, train_vectors, vectors_pipeline
from relhash.language.lemmas import Lemmas

CONFIGS = Path(__file__).parent / "language_model"
TRAININGS = {"syntax": "syntax.cfg", **dict.fromkeys(RECOGNIZERS, "entities.cfg")}
SEED = 2019
ANNEALING_STEPS = 800


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with treebank/, ner/ and text/")
    parser.add_argument("--work", type=Path, required=True, help="folder for everything in between")
    parser.add_argument("--output", type=Path, help="folder of the finished model; without it nothing is assembled")
    parser.add_argument("--only", choices=sorted(TRAININGS), action="append", help="run this training only (repeatable)")
    parser.add_argument("--vector-size", type=int, default=100)
    parser.add_argument("--max-steps", type=int, help="instead of the configs' number of steps")
    arguments = parser.parse_args()
    for part in ("treebank/craft", "ner", "text/sentences.txt"):
        if not (arguments.data / part).exists():
            sys.exit(f"{arguments.data / part} does not exist; --data must name the folder that holds it")
    set_current_ops(NumpyOps(use_blis=False))  # numpy's own matrix product was three times as fast as BLIS where we trained
    arguments.work.mkdir(parents=True, exist_ok=True)
    vectors = _vectors(arguments.data, arguments.work, arguments.vector_size)
    if not (arguments.work / f"{list(TRAININGS)[-1]}_dev.spacy").exists():
        prepare(arguments.data, arguments.work)
    for name in arguments.only or TRAININGS:
        if not (arguments.work / f"{name}_final" / "model-last").exists():
            _train(name, arguments.work, vectors, arguments.max_steps)
            _anneal(arguments.work, name, f"{name}_annealed", f"{name}_train.spacy")
            _anneal(arguments.work, f"{name}_annealed", f"{name}_final", _with_development(name, arguments.work))
    if arguments.output is not None:
        last = {name: arguments.work / f"{name}_final" / "model-last" for name in TRAININGS}
        assemble(last.pop("syntax"), last, Lemmas.learned(tree_tokens(arguments.data)), arguments.output)


def _train(name: str, work: Path, vectors: Path, max_steps: int | None) -> None:
    overrides: dict[str, object] = {f"paths.{part}": str(work / f"{name}_{part}.spacy") for part in ("train", "dev")}
    overrides["paths.vectors"] = str(vectors)
    if max_steps is not None:
        overrides["training.max_steps"] = max_steps
    (work / name).mkdir(exist_ok=True)
    train(init_nlp(load_config(CONFIGS / TRAININGS[name], overrides, interpolate=False)), work / name)


def _anneal(work: Path, start: str, result: str, train_file: str) -> None:
    """Go on from the best checkpoint of ``start`` while the learning rate falls to zero."""
    nlp = spacy.load(work / start / "model-best")
    falling = {"@schedules": "warmup_linear.v1", "warmup_steps": 1, "total_steps": ANNEALING_STEPS, "initial_rate": 0.0007}
    nlp.config["paths"]["train"] = str(work / train_file)
    training = nlp.config["training"]
    training["max_steps"], training["eval_frequency"] = ANNEALING_STEPS, ANNEALING_STEPS // 2
    training["optimizer"]["learn_rate"], training["batcher"]["size"] = falling, 800
    (work / result).mkdir(exist_ok=True)
    train(nlp, work / result)


def _with_development(name: str, work: Path) -> str:
    """Name of a file with the training and the development part: for the last round, when nothing is chosen any more."""
    everything = DocBin().from_disk(work / f"{name}_train.spacy")
    everything.merge(DocBin().from_disk(work / f"{name}_dev.spacy"))
    everything.to_disk(work / f"{name}_all.spacy")
    return f"{name}_all.spacy"


def _vectors(data: Path, work: Path, size: int) -> Path:
    folder, text = work / "vectors", data / "text" / "sentences.txt"
    if not folder.exists():
        sentences = list(sentences_without(text, measured_sentences(data)))
        words, rows, scale = train_vectors(sentences, size, min_count=5, seed=SEED)
        np.savez_compressed(work / "vectors.npz", words=np.array(words), rows=rows, scale=scale)
        vectors_pipeline(spellings(words, text), rows, scale).to_disk(folder)
    return folder


if __name__ == "__main__":
    main()
