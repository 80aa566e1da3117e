"""A cluster writes the rows of one process, in order, also if it loses a worker on the way or is started twice."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from distributed import Future, as_completed
from distributed.comm.core import CommClosedError

from relhash.errors import CorpusError, OutputError, ParameterError, RelHashError, RelHashWarning
from relhash.model.tables import read_rows
from relhash.scale import manifest as part_file
from relhash.scale.dataset import predict_partition, predict_to_dataset
from relhash.scale.job import PredictionJob
from relhash.scale.manifest import ERRORS, MANIFEST
from relhash.scale.partitions import InputChangedError, cut, find_files
from tests.cli.running import run
from tests.scale.poison import poisoned
from tests.scale.rows import local_rows, predict, rows_in


@pytest.mark.parametrize("size", [1000, 9])
def test_the_rows_are_those_of_one_process(model, texts, folder, address, size):
    inputs = [texts / "a.jsonl", texts / "b.jsonl"]
    assert predict(model, *inputs, "-o", folder, "--scheduler", address, "--partition-size", str(size)) == 0
    assert rows_in(folder) == local_rows(model, inputs)
    manifest = json.loads((folder / MANIFEST).read_text())
    assert manifest["complete"]
    assert manifest["counts"]["documents"] == 40
    assert len(manifest["partitions"]) == len(list(folder.glob("part-*.parquet"))) == -(-40 // size)
    assert pq.read_table(folder).num_rows == manifest["counts"]["rows"]  # as anybody reads a folder of Parquet files


def test_started_again_it_does_only_what_is_missing(model, texts, folder, client):
    job, inputs = PredictionJob.of_model(model), [texts / "*.jsonl"]
    whole = predict_to_dataset(job, inputs, folder, client, partition_size=10)
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    (folder / "part-000002.parquet").unlink()
    made = []
    again = predict_to_dataset(job, inputs, folder, client, partition_size=10, on_partition=lambda one, n: made.append(n))
    assert made == [1]
    after = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    assert {name for name in before if before[name] != after[name]} == {"part-000002.parquet"}
    assert (whole.documents, whole.rows) == (again.documents, again.rows) == (40, len(rows_in(folder)))


def test_a_part_that_was_cut_off_is_made_again(model, texts, folder, client):
    """It was a traceback of pyarrow's, on every later run."""
    job, inputs = PredictionJob.of_model(model), [texts / "*.jsonl"]
    predict_to_dataset(job, inputs, folder, client, partition_size=20)
    expected, part = rows_in(folder), folder / "part-000001.parquet"
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(CorpusError, match=r"part-000001\.parquet: not a Parquet file"):
        rows_in(folder)
    made = []
    with pytest.warns(RelHashWarning, match=r"damaged, so they are made again: part-000001\.parquet$"):
        predict_to_dataset(job, inputs, folder, client, partition_size=20, on_partition=lambda one, n: made.append(n))
    assert (made, rows_in(folder)) == ([1], expected)


def test_two_jobs_on_one_cluster_do_not_answer_for_each_other(model, texts, tmp_path, client, monkeypatch):
    monkeypatch.setattr(Future, "release", lambda self: None)  # the cluster still remembers the first job
    kept = []
    monkeypatch.setattr("distributed.as_completed", lambda futures: kept.extend(futures) or as_completed(futures))
    job = PredictionJob.of_model(model, all_candidates=True)
    first = predict_to_dataset(job, [texts / "a.jsonl"], tmp_path / "first", client)
    second = predict_to_dataset(job, [texts / "b.jsonl"], tmp_path / "second", client)
    assert len(kept) == len({future.key for future in kept}) == 2
    assert rows_in(tmp_path / "first") == local_rows(model, [texts / "a.jsonl"])
    assert rows_in(tmp_path / "second") == local_rows(model, [texts / "b.jsonl"])
    assert first.documents + second.documents == 40


def test_another_job_is_refused(model, texts, folder, client):
    job = PredictionJob.of_model(model)
    predict_to_dataset(job, [texts / "a.jsonl"], folder, client)
    given = {"job": job, "inputs": [texts / "a.jsonl"], "folder": folder, "client": client}
    for changed in (
        {"job": PredictionJob.of_model(model, threshold=0.9)},
        {"inputs": [texts / "b.jsonl"]},
        {"partition_size": 7},
    ):
        with pytest.raises(OutputError, match="another job"):
            predict_to_dataset(**(given | changed))
    (folder.parent / "mine").mkdir()
    (folder.parent / "mine/thesis.tex").write_text("x")
    with pytest.raises(OutputError, match="not empty"):
        predict_to_dataset(**(given | {"folder": folder.parent / "mine"}))


def test_a_file_that_was_changed_is_refused(model, texts, tmp_path, folder, client):
    """Parts that are there would be about another text, and the others would begin in the middle of a document."""
    text = tmp_path / "text.jsonl"
    text.write_bytes((texts / "a.jsonl").read_bytes())
    job = PredictionJob.of_model(model)
    predict_to_dataset(job, [text], folder, client)
    os.utime(text, ns=(1, 1))  # as long as before, but not as old
    with pytest.raises(OutputError, match=r"text\.jsonl was changed since this dataset was begun"):
        predict_to_dataset(job, [text], folder, client)
    (file,) = find_files([text])
    (partition,) = cut([file], [25], 25)
    text.write_bytes((texts / "b.jsonl").read_bytes())
    with pytest.raises(InputChangedError, match=r"bytes when the work was planned.*begin anew"):
        predict_partition(job, partition, tmp_path / "part-000000.parquet")
    text.unlink()
    with pytest.raises(InputChangedError, match=r"does not see it; inputs must lie where all workers find them"):
        predict_partition(job, partition, tmp_path / "part-000000.parquet")


def test_one_run_at_a_time_works_on_a_dataset(model, texts, folder, client):
    """A second one would take temporary files of the first for leftovers."""
    job, met = PredictionJob.of_model(model), []

    def start_again(*told):
        with pytest.raises(OutputError, match="another run is at work on this dataset"):
            predict_to_dataset(job, [texts], folder, client)
        met.append(told)

    assert predict_to_dataset(job, [texts], folder, client, on_partition=start_again).documents == 40
    assert met


def test_the_folder_is_where_the_driver_stands(model, texts, tmp_path, client, monkeypatch):
    """Workers were started elsewhere."""
    monkeypatch.chdir(tmp_path)
    assert predict_to_dataset(PredictionJob.of_model(model), [texts], Path("here"), client).documents == 40
    assert rows_in(tmp_path / "here")


def test_a_worker_of_another_version_is_refused(model, texts, tmp_path):
    job = replace(PredictionJob.of_model(model), version="0.0.1")
    (partition,) = cut(find_files([texts / "a.jsonl"]), [25], 25)
    with pytest.raises(ParameterError, match=r"the work is that of 0\.0\.1; install the same everywhere"):
        predict_partition(job, partition, tmp_path / "part-000000.parquet")


def test_a_connection_that_closes_under_a_result_means_a_scheduler_that_is_gone(model, texts, folder, client, monkeypatch):
    """Whether the client has noticed it before or not: it was "in <TCP (closed) ConnectionPool.gather …>"."""

    def closed(future):
        raise CommClosedError("in <TCP (closed) ConnectionPool.gather>: Stream is closed")

    monkeypatch.setattr(Future, "result", closed)
    with pytest.raises(RelHashError, match="the Dask scheduler is gone"):
        predict_to_dataset(PredictionJob.of_model(model), [texts / "a.jsonl"], folder, client)


@pytest.mark.slow  # a client tries to reach it again for a while
def test_a_scheduler_that_goes_away_is_one_line(model, texts, folder):
    """What was written before stays. In a process of its own, where threads of Dask wrote a long traceback before the line."""
    scheduler = start("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1")
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at" in line)
    worker = start("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    try:
        ended = threading.Thread(target=end_at_the_first_part, args=(scheduler, folder), daemon=True)
        ended.start()
        given = [texts, texts, texts, texts, "-o", folder, "--scheduler", address, "--partition-size", "1", "--quiet"]
        command = ["-c", "from relhash.cli.main import main; main()", "predict", model, "--engine", "dask", *given]
        done = subprocess.run([sys.executable, *map(str, command)], stderr=subprocess.PIPE, text=True, check=False)
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.communicate()
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert "the Dask scheduler is gone" in done.stderr
    assert list(folder.glob("part-*.parquet"))


def start(module: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", module, *arguments], stderr=subprocess.PIPE, text=True)


def end_at_the_first_part(process: subprocess.Popen[str], folder: Path) -> None:
    while not list(folder.glob("part-*.parquet")):
        time.sleep(0.005)
    process.kill()


def test_a_broken_document_goes_to_a_side_file(model, texts, folder, address, capsys):
    lines = (texts / "a.jsonl").read_text().splitlines()
    folder.parent.joinpath("poisoned.jsonl").write_text("\n".join([*lines[:3], "{broken", *lines[3:]]) + "\n")
    poisoned = folder.parent / "poisoned.jsonl"
    given = (model, poisoned, "-o", folder, "--scheduler", address, "--partition-size", "4")
    assert predict(*given) == 2  # as on one machine
    assert "poisoned.jsonl:4: not JSON" in (said := capsys.readouterr().err)
    assert "--lenient takes the others, which are there already" in said
    assert predict(*given, "--lenient") == 0
    assert rows_in(folder) == local_rows(model, [texts / "a.jsonl"])
    (told,) = map(json.loads, (folder / ERRORS).read_text().splitlines())
    assert told["error"].startswith(f"{poisoned}:4: ")
    assert json.loads((folder / MANIFEST).read_text())["counts"]["errors"] == 1
    assert "1 document could not be read" in capsys.readouterr().err


def test_nothing_that_can_be_read_is_an_error_also_leniently(model, folder, address, capsys):
    folder.parent.joinpath("none.jsonl").write_text('{"pmid": "1", "sentence": "TNF binds p53."}\n' * 3)
    assert predict(model, folder.parent / "none.jsonl", "-o", folder, "--scheduler", address, "--lenient") == 2
    assert "3 documents could not be read" in capsys.readouterr().err


def test_a_document_that_breaks_the_model_costs_itself(model, texts, tmp_path, monkeypatch):
    """Any error of one document, not of those before and after it in its batch."""
    job = PredictionJob.of_model(model, all_candidates=True)
    poison, partition = poisoned(texts / "a.jsonl", job, "annotate", monkeypatch)
    counts = predict_partition(job, partition, tmp_path / "part-000000.parquet")
    monkeypatch.undo()
    assert counts.documents == 24
    assert counts.errors == [{"file": str(texts / "a.jsonl"), "document": poison, "error": "ZeroDivisionError: too much"}]
    expected = [row for row in local_rows(model, [texts / "a.jsonl"]) if row["document"] != poison]
    assert [row for _, row in read_rows(tmp_path / "part-000000.parquet")] == expected
    assert vars(part_file.read_counts(tmp_path / "part-000000.parquet")) == vars(counts)


def test_a_killed_worker_costs_its_partition_once_more(model, texts, folder, client, replaced):
    """The worker dies as soon as a part is there; Dask starts it anew, and its work is done again."""
    victim = next(iter(client.run(os.getpid).values()))

    def kill_one():
        while not list(folder.glob("part-*.parquet")):
            time.sleep(0.005)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    job = PredictionJob.of_model(model, all_candidates=True)
    counts = predict_to_dataset(job, [texts / "*.jsonl"], folder, client, partition_size=1)
    killer.join(timeout=60)
    assert counts.documents == 40
    assert rows_in(folder) == local_rows(model, [texts / "a.jsonl", texts / "b.jsonl"])
    assert not list(folder.glob(".*.tmp"))
    replaced(victim)  # also for the tests that follow


def test_a_full_disk_is_told_and_leaves_no_half_partition(model, texts, tmp_path, monkeypatch):
    """The part that meets it is not there afterwards; what was written before stays, to go on from."""
    job = PredictionJob.of_model(model, all_candidates=True)
    (file,) = find_files([texts / "a.jsonl"])
    first, second = cut([file], [25], 13)
    predict_partition(job, first, tmp_path / "part-000000.parquet")

    def full(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pq.ParquetWriter, "write_table", full)
    with pytest.raises(OSError, match="No space left") as met:
        predict_partition(job, second, tmp_path / "part-000001.parquet")
    assert Path(met.value.filename).name == "part-000001.parquet"
    assert [path.name for path in tmp_path.iterdir()] == ["part-000000.parquet"]


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_disk_that_is_really_full(model, texts, tmp_path, address, capsys):
    disk = tmp_path / "disk"
    disk.mkdir()
    given = [texts, texts, texts, "-o", disk / "out", "--scheduler", address, "--partition-size", "1"]
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        (disk / "ballast").write_bytes(bytes((4 << 20) - (1 << 20) - 50_000))
        code = predict(model, *given)
        said = capsys.readouterr().err
        assert code != 0
        assert "No space left on device" in said
        assert len(said.splitlines()) == 1
        for part in (disk / "out").glob("part-*.parquet"):
            assert part_file.read_counts(part).documents == 1
        (disk / "ballast").unlink()
        assert predict(model, *given) == 0
        assert rows_in(disk / "out") == local_rows(model, [texts, texts, texts])
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.parametrize("given", ["tcp://127.0.0.1:9", "nonsense", "tcp://no.such.host.invalid:8786"])
def test_a_wrong_scheduler_is_one_line(model, texts, folder, capsys, monkeypatch, given):
    monkeypatch.setattr("relhash.scale.cluster.PATIENCE", 1)
    code = predict(model, texts, "-o", folder, "--scheduler", given)
    said = capsys.readouterr().err
    assert (code, len(said.splitlines())) == (2, 1), said
    assert f"--scheduler {given}: no Dask scheduler answers there" in said
    assert not folder.exists()


def test_output_is_a_folder(model, texts, tmp_path, capsys):
    assert predict(model, texts, "-o", tmp_path / "out.tsv") == 2
    assert "folder of Parquet files" in capsys.readouterr().err


def test_pairs_reads_the_dataset(model, texts, folder, client, capsys):
    predict_to_dataset(PredictionJob.of_model(model), [texts], folder, client, partition_size=15)
    local = folder.parent / "local.jsonl"
    assert run(capsys, "predict", model, texts, "-o", local, "--quiet", "--no-cache")[0] == 0
    _, of_dataset, _ = run(capsys, "pairs", folder)
    _, of_file, _ = run(capsys, "pairs", local)
    assert of_dataset == of_file
    assert of_dataset.count("\n") > 1
