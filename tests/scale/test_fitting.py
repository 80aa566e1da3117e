"""``relhash fit --engine dask`` writes the model that one process writes, also if it loses a worker or is ended on the way."""

from __future__ import annotations

import os
import pickle
import signal
from dataclasses import replace

import pytest

from relhash.errors import ParameterError
from relhash.models import RelationExtractor, SharedCodes
from relhash.models.fitting.work import FitWork
from relhash.models.presets import PRESETS
from relhash.scale.fitting import ClusterEngine, check_settings
from tests.cli.running import exit_code, run

SMALL = {"preset": "KLSH-NU-RF", "learner": {"n_bits": 4, "hash_function": "nearest"}, "classifier": "linear", "cache": False}


def fit(texts, path, *options):
    given = ["fit", texts / "a.jsonl", "--adapt", texts / "b.jsonl", "-o", path, "--quiet", "--no-cache"]
    return exit_code(*given, *options)


def fitted(texts, path, *, engine=None, settings=SMALL, adapt=True, **how):
    made = RelationExtractor(**settings)
    made.fit(texts / "a.jsonl", adapt_to=texts / "b.jsonl" if adapt else None, engine=engine, **how)
    made.save(path)
    return path.read_bytes()


def test_the_same_file_as_one_process(texts, tmp_path, address, monkeypatch):
    """With two kinds of hash functions, of which held-out documents choose."""
    paper = PRESETS["KLSH-NU-RF"]
    monkeypatch.setitem(PRESETS, "short", replace(paper, learner={**paper.learner, "n_bits": 5}))
    options = ("--preset", "short", "--classifier", "linear")
    assert fit(texts, tmp_path / "one.relhash", *options) == 0
    where = ("--engine", "dask", "--scheduler", address, "--partition-size", "7")
    assert fit(texts, tmp_path / "two.relhash", *options, *where) == 0
    assert (tmp_path / "two.relhash").read_bytes() == (tmp_path / "one.relhash").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.relhash", "two.relhash"]


@pytest.mark.parametrize("size", [1000, 3])
def test_all_feature_parts_and_any_partitions(texts, tmp_path, client, size):
    settings = {"preset": "best", "learner": {"n_bits": 5}, "parts": ["bits", "nearest", "coordinates", "ngrams"]}
    settings |= {"classifier": "linear", "cache": False}
    alone = fitted(texts, tmp_path / "one", settings=settings)
    assert fitted(texts, tmp_path / "two", settings=settings, engine=ClusterEngine(client, partition_size=size)) == alone


def test_without_a_target(texts, tmp_path, client):
    alone = fitted(texts, tmp_path / "one", adapt=False)
    assert fitted(texts, tmp_path / "two", adapt=False, engine=ClusterEngine(client, partition_size=4)) == alone


def test_codes_that_were_learned_before(texts, tmp_path, client):
    """Nothing is learned on the cluster then; also functions that it could not learn are welcome."""
    learner = {"n_bits": 4, "redundancy": "correlation", "hash_function": "nearest"}
    codes = SharedCodes.fit(texts / "a.jsonl", preset="KLSH-NU-RF", learner=learner, cache=False)
    settings = {name: value for name, value in SMALL.items() if name != "learner"} | {"codes": codes}
    alone = fitted(texts, tmp_path / "one", settings=settings)
    assert fitted(texts, tmp_path / "two", settings=settings, engine=ClusterEngine(client)) == alone


def test_raw_text_is_parsed_on_the_workers(tmp_path, client, monkeypatch):
    """The driver never makes a parse, and structures are built where a document was read."""
    texts = tmp_path / "texts"
    texts.mkdir()
    sentences = ["RAF1 binds to MEK1 in cells.", "TNF does not bind TRAF2 here.", "JAK2 activates STAT5 at once."] * 8
    target = texts / "b.txt"
    target.write_text("\n\n".join(sentences[:9]))
    sheet = texts / "a.csv"
    marked = ["[E1]RAF1[/E1] binds [E2]MEK1[/E2].", "[E1]TNF[/E1] and [E2]TRAF2[/E2] were seen."] * 10
    rows = [f"{one},{1 - n % 2},protein,protein" for n, one in enumerate(marked)]
    sheet.write_text("\n".join(["text,label,type1,type2", *rows]))

    def made(path, engine=None):
        RelationExtractor(**SMALL, prior="none", threshold=0.5).fit(sheet, adapt_to=target, engine=engine).save(path)
        return path.read_bytes()

    alone = made(tmp_path / "one")
    engine = ClusterEngine(client, partition_size=2)

    def never(*arguments, **options):
        raise AssertionError("the driver parses")

    monkeypatch.setattr("relhash.models.reading.reader.Reader._batch_read", never)
    assert made(tmp_path / "two", engine) == alone


def test_a_killed_worker_does_not_change_the_model(texts, tmp_path, client, replaced):
    """Its parts are made again from the documents that the driver has sent, and the fit goes on."""
    victims = []

    def kill_one(step):
        if step.trial == 2 and not victims:
            victims.append(next(iter(client.run(os.getpid).values())))
            os.kill(victims[0], signal.SIGKILL)

    alone = fitted(texts, tmp_path / "one")
    assert fitted(texts, tmp_path / "two", engine=ClusterEngine(client, partition_size=5), callback=kill_one) == alone
    replaced(victims[0])


@pytest.mark.parametrize("first_on_cluster", [True, False])
def test_a_fit_that_was_ended_goes_on_here_or_there(texts, tmp_path, client, first_on_cluster):
    """Trials that one engine has kept serve the other."""

    class EndedError(Exception):
        pass

    def end(step):
        if step.trial == 2:
            raise EndedError

    def engine(on_cluster):
        return ClusterEngine(client, partition_size=9) if on_cluster else None

    alone = fitted(texts, tmp_path / "one")
    with pytest.raises(EndedError):
        fitted(texts, tmp_path / "two", engine=engine(first_on_cluster), callback=end, work=FitWork(tmp_path / "work"))
    work, trials = FitWork(tmp_path / "work"), []
    again = fitted(
        texts, tmp_path / "two", engine=engine(not first_on_cluster), callback=lambda step: trials.append(step.trial), work=work
    )
    assert again == alone
    assert "3 trials of codes" in work.recalled
    assert min(trials) == 3


def test_a_model_does_not_hold_on_to_the_cluster(texts, tmp_path, client):
    made = RelationExtractor(**SMALL).fit(texts / "a.jsonl", adapt_to=texts / "b.jsonl", engine=ClusterEngine(client))
    assert b"relhash.scale" not in pickle.dumps(made.model_.features.code)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--preset", "KLSH-RF"), "learned with labels"),
        (("--preset", "NLSH-NU-RF"), "hash_function='neural' is learned in one process only"),
        (("--answers", "a.tsv"), "--engine dask: answers teach"),
    ],
)
def test_what_cannot_be_learned_there_is_refused_before_any_work(texts, tmp_path, capsys, monkeypatch, options, said):
    monkeypatch.setattr("relhash.scale.cluster.cluster", None)  # nobody starts one
    assert fit(texts, tmp_path / "m", "--engine", "dask", *options) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert "leave it out" in lines[0] or "leave out --engine dask" in lines[0]
    assert not list(tmp_path.iterdir())


def test_settings_that_one_process_must_learn():
    settings = RelationExtractor("KLSH-NU-RF").settings
    check_settings(settings)
    for learner in ({"redundancy": "correlation"}, {"supervised_weight": 0.5}):
        with pytest.raises(ParameterError, match="or leave out --engine dask"):
            check_settings(replace(settings, learner={**settings.learner, **learner}))


def test_a_wrong_scheduler_is_one_line(texts, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("relhash.scale.cluster.PATIENCE", 1)
    assert fit(texts, tmp_path / "m", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--scheduler tcp://127.0.0.1:9: no Dask scheduler answers there" in line
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["fit", "predict", "hash", "codes"])
def test_options_of_a_cluster_are_for_a_cluster(texts, model, tmp_path, capsys, command):
    given = {"fit": ["fit"], "predict": ["predict", model], "hash": ["hash", model], "codes": ["codes", "fit"]}[command]
    code, _, said = run(capsys, *given, texts / "a.jsonl", "-o", tmp_path / "out.tsv", "--workers", "2")
    assert (code, len(said.splitlines())) == (2, 1), said
    assert "--workers: for --engine dask only" in said
