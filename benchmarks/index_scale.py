"""How fast is an index of a million and of ten million pairs, how much does it hold, what does it miss?

    python benchmarks/index_scale.py INDEX 1000000 [--folder DIR] [--queries 100]

INDEX is one of real text (relhash hash). It is made larger by variants of its rows, in each of which one word of each view is
another word of the text; codes are those of the variants. Rivals search the same rows: faiss and usearch by the same codes
(exact binary search, graph), TF-IDF of the words as sparse rows by scipy.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from relhash.candidates import PathSet, StructureSet
from relhash.files import replacing
from relhash.hashing.hamming import nearest_in_parts, similarities
from relhash.model.index import CODES, Index


def grow(index: Index, n: int, folder: Path) -> Index:
    """An index of ``n`` rows: those of ``index``, then variants of them, part by part; parts that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(index.folder / CODES, folder)
    done = made = number = 0
    sources = sorted(index.folder.glob("part-*.arrow"))
    seconds = 0.0
    while done < n:
        batch = pa.ipc.open_file(pa.py_buffer(sources[number % len(sources)].read_bytes())).get_batch(0)
        batch = batch.slice(0, min(batch.num_rows, n - done))
        target = folder / f"part-{number:06d}.arrow"
        done, number = done + batch.num_rows, number + 1
        if target.exists():
            continue
        if number > len(sources):
            rng = np.random.default_rng(number)
            columns = {name: batch.column(name) for name in batch.schema.names}
            views = {}
            for view in index.views:
                column = columns[view]
                offsets = column.offsets.to_numpy()
                tokens = column.values.indices.to_numpy().copy()[: offsets[-1]]
                lengths = np.diff(offsets)
                place = (offsets[:-1] + (rng.random(len(lengths)) * lengths).astype(np.int64))[lengths > 0]
                tokens[place] = rng.choice(tokens, len(place))
                values = pa.DictionaryArray.from_arrays(pa.array(tokens), column.values.dictionary)
                columns[view] = pa.ListArray.from_arrays(pa.array(offsets), values)
                views[view] = PathSet(
                    column.values.dictionary.to_pylist(),
                    tokens.astype(np.int32),
                    offsets.astype(np.int64),
                    np.arange(len(lengths)),
                )
            started = time.process_time()
            codes = index.hashed(StructureSet(views))
            seconds += time.process_time() - started
            columns |= {f"code{word}": pa.array(codes[:, word]) for word in range(codes.shape[1])}
            batch = pa.RecordBatch.from_pydict(columns)
            made += batch.num_rows
        with replacing(target, "wb") as handle, pa.ipc.new_file(handle, batch.schema) as writer:
            writer.write_batch(batch)
    if made:
        print(json.dumps({"hashed per s of processor": round(made / seconds)}), flush=True)
    return Index.open(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("rows", type=int)
    parser.add_argument("--folder", type=Path, default=Path("grown"))
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--rivals", action="store_true")
    parser.add_argument("--no-recall", action="store_true", help="leave out the exact scan of everything")
    given = parser.parse_args()
    small = Index.open(given.index)
    index = grow(small, given.rows, given.folder)
    size = sum(path.stat().st_size for path in given.folder.iterdir())
    print(json.dumps({"rows": len(index), "parts": len(index.parts), "bytes per row": round(size / len(index))}), flush=True)
    # queries are variants of real rows that are not in the index
    rng = np.random.default_rng(1)
    chosen = np.sort(rng.choice(len(small), given.queries, replace=False))
    queries = varied(small.structures(chosen.tolist()), rng)
    index.similar_to(queries[[0]])
    for listed in (200, 1000):
        wall, processor = [], []
        for query in range(given.queries):
            clock, own = time.perf_counter(), time.process_time()
            index.similar_to(queries[[query]], listed=listed)
            wall.append(time.perf_counter() - clock)
            processor.append(time.process_time() - own)
        told = {"list": listed, **_quantiles("ms", wall), **_quantiles("processor ms", processor)}
        print(json.dumps(told), flush=True)
    codes = index.hashed(queries)
    columns = [part.columns for part in index.parts]
    clock = time.process_time()
    near = nearest_in_parts(codes, columns, 1000)[1]
    print(
        json.dumps({"codes per s of processor": f"{len(index) * given.queries / (time.process_time() - clock):.2g}"}),
        flush=True,
    )
    if given.no_recall:
        return
    true = exact(index, queries)
    for listed in (200, 1000):
        recall = np.mean([np.isin(one, own[:listed]).mean() for one, own in zip(true, near, strict=True)])
        print(json.dumps({"list": listed, "recall of the exact ten": round(float(recall), 3)}), flush=True)
    if given.rivals:
        rivals(index, queries, codes, columns, near, true)


def varied(structures: StructureSet, rng: np.random.Generator) -> StructureSet:
    views = {}
    for name in structures.names:
        sequences = [list(one) for one in structures[name]]
        words = [word for one in sequences for word in one]
        for one in sequences:
            if one:
                one[rng.integers(len(one))] = words[rng.integers(len(words))]
        views[name] = PathSet.from_sequences(sequences)
    return StructureSet(views)


def exact(index: Index, queries: StructureSet) -> np.ndarray:
    """The ten most similar rows of each query, by comparing all."""
    best = np.full((len(queries), 10), -1.0)
    rows = np.zeros((len(queries), 10), np.int64)
    for part, start in zip(index.parts, index.starts[:-1], strict=True):
        values = similarities(index.kernels, index.structures(np.arange(start, start + part.columns.shape[1])), queries).T
        every = np.concatenate([best, values], axis=1)
        numbers = np.concatenate([rows, np.broadcast_to(np.arange(values.shape[1]) + start, values.shape)], axis=1)
        order = np.argsort(-every, axis=1, kind="stable")[:, :10]
        best, rows = np.take_along_axis(every, order, 1), np.take_along_axis(numbers, order, 1)
    return rows


def rivals(index, queries, codes, columns, near, true) -> None:
    rows = np.ascontiguousarray(np.concatenate([one.T for one in columns]))
    octets, asked = rows.view(np.uint8), np.ascontiguousarray(codes).view(np.uint8)
    bits = 8 * octets.shape[1]

    def told(name, found, seconds):
        recall = np.mean([np.isin(one, own).mean() for one, own in zip(true, found, strict=True)])
        print(
            json.dumps(
                {"rival": name, "ms per query": round(1000 * seconds / len(asked), 2), "recall in 200": round(float(recall), 3)}
            ),
            flush=True,
        )

    clock = time.process_time()
    told("ours, list of 200", nearest_in_parts(codes, columns, 200)[1], time.process_time() - clock)
    try:
        import faiss

        faiss.omp_set_num_threads(1)
        flat = faiss.IndexBinaryFlat(bits)
        flat.add(octets)
        clock = time.process_time()
        found = flat.search(asked, 200)[1]
        told("faiss binary flat", found, time.process_time() - clock)
    except ImportError:
        print("faiss is not installed")
    try:
        from usearch.index import Index as Graph

        graph = Graph(ndim=bits, metric="hamming", dtype="b1")
        clock = time.process_time()
        graph.add(np.arange(len(octets)), octets, threads=1)
        built = time.process_time() - clock
        clock = time.process_time()
        found = graph.search(asked, 200, threads=1).keys
        told(f"usearch graph (built in {built:.0f} s)", found, time.process_time() - clock)
    except ImportError:
        print("usearch is not installed")
    from sklearn.feature_extraction.text import TfidfVectorizer

    view = index.views[-1]
    words = [" ".join(one) for part in index.parts for one in part.sequences(view, np.arange(part.columns.shape[1]))]
    clock = time.process_time()
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2, token_pattern=r"\S+", dtype=np.float32)
    table = vectorizer.fit_transform(words)
    built = time.process_time() - clock
    question = vectorizer.transform([" ".join(one) for one in queries[view]])
    clock = time.process_time()
    found = [np.argpartition(-(table @ one.T).toarray()[:, 0], 200)[:200] for one in question]
    told(
        f"TF-IDF by scipy ({table.data.nbytes * 2 // len(words)} bytes per row, built in {built:.0f} s)",
        found,
        time.process_time() - clock,
    )


def _quantiles(name: str, seconds: list[float]) -> dict[str, float]:
    return {
        f"p50 {name}": round(1000 * float(np.median(seconds)), 1),
        f"p95 {name}": round(1000 * float(np.quantile(seconds, 0.95)), 1),
    }


if __name__ == "__main__":
    main()
