"""What does it save to encode sentences of one length together?

    python benchmarks/encoder_speed.py [--sentences 300 1000] [--data DIR]

Milliseconds of one processor per sentence of AIMed, one thread: one sentence at a time against eight of about one length,
among few sentences and among many, and asked a second time (kept by content). Needs the extra ``[contextual]``.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import relhash
from relhash.bench.datasets.dataset import data_root
from relhash.language import encoder
from relhash.show.provenance import provenance


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--sentences", type=int, nargs="+", default=[300, 1000])
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "encoder_speed.json")
    given = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    documents = relhash.read(data_root(given.data) / "ppi" / "AIMed.xml")
    texts = list(dict.fromkeys(document.text[one.start : one.end] for document in documents for one in document.sentences))
    rows = []
    for number in given.sentences:
        items: list[encoder.Item] = [(text, [[(0, len(text))]]) for text in texts[:number]]
        figures: dict[str, float] = {"sentences": len(items)}
        for batch in given.batches:
            encoder.BATCH = batch
            one = encoder.SentenceEncoder()
            one.encode_all(items[:1])  # load, warm up
            for asked in ("", " again"):
                started = time.process_time()
                one.encode_all(items)
                figures[f"{batch} at a time{asked}"] = round(1000 * (time.process_time() - started) / len(items), 3)
        rows.append(figures)
        print(figures, flush=True)
    given.output.write_text(json.dumps({"made": provenance("none"), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
