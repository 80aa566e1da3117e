"""What does it save to encode sentences of one length together?

    python benchmarks/encoder_speed.py [--sentences 400] [--data DIR]

Milliseconds of one processor per sentence of AIMed, one thread: eight sentences of one length at a time (what ships) against
one at a time (what was before), and asked a second time (kept by content). Needs the extra ``[contextual]``.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import relhash
from relhash.evaluation.datasets.dataset import data_root
from relhash.evaluation.provenance import provenance
from relhash.language import encoder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "encoder_speed.json")
    given = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    documents = relhash.read(data_root(given.data) / "ppi" / "AIMed.xml")
    texts = [document.text[one.start : one.end] for document in documents for one in document.sentences][: given.sentences]
    items: list[encoder.Item] = [(text, [[(0, len(text))]]) for text in dict.fromkeys(texts)]
    encoder.SentenceEncoder().encode_all(items[:8])  # load, warm up
    figures: dict[str, float] = {"sentences": len(items)}
    shipped = encoder.BATCH
    for name, batch in (("together", shipped), ("one_at_a_time", 1)):
        encoder.BATCH = batch
        one = encoder.SentenceEncoder()
        one.encode_all(items[:1])
        for asked in ("", "_again"):
            started = time.process_time()
            one.encode_all(items)
            figures[f"{name}{asked}"] = round(1000 * (time.process_time() - started) / len(items), 3)
    print(figures)
    given.output.write_text(json.dumps({"made": provenance("none"), **figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
