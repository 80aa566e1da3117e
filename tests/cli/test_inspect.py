from __future__ import annotations

import json

import pytest

from relhash.cli.main import main
from relhash.corpus import Document, Mention, Sentence, write

ROWS = "text\tlabel\n<e1>Ras</e1> binds <e2>Raf</e2> .\t1\n<e1>Ras</e1> and <e2>MEK</e2> .\t0\n"


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "labels.tsv"
    file.write_text(ROWS)
    return file


def run(*arguments) -> int:
    with pytest.raises(SystemExit) as ending:
        main([str(argument) for argument in arguments])
    return ending.value.code or 0


def test_json_is_one_value_with_the_documented_keys(table, capsys):
    assert run("inspect", table, "--json") == 0
    out = capsys.readouterr()
    report = json.loads(out.out)
    assert out.err == ""
    assert (report["documents"], report["mentions"], report["positive"], report["negative"]) == (2, 4, 1, 1)
    assert report["coverage"] is None
    assert {"sentences", "discontinuous_mentions", "mentions_by_type", "relations_by_type", "skipped"} <= set(report)


def test_tables_for_people(table, capsys):
    assert run("inspect", table, "--against", table, "--quiet") == 0
    out = capsys.readouterr()
    assert "candidate pairs" in out.out
    assert "no parse" in out.out
    assert "shared sentences" in out.out
    assert out.err == ""


def test_against_in_json(table, capsys):
    assert run("inspect", table, "--against", table, "--json") == 0
    against = json.loads(capsys.readouterr().out)["against"]
    assert (against["shared_sentences"], against["common_pairs"], against["opposite_labels"]) == (2, 2, 0)


def test_the_first_corpus_is_read_once(table, capsys, monkeypatch):
    import relhash.corpus

    read = []
    stream = relhash.corpus.stream
    monkeypatch.setattr(
        relhash.corpus, "stream", lambda path, *args, **kwargs: read.append(path) or stream(path, *args, **kwargs)
    )
    assert run("inspect", table, "--against", table, "--json") == 0
    assert json.loads(capsys.readouterr().out)["against"]["common_pairs"] == 2
    assert len(read) == 2


def test_types(table, capsys):
    assert run("inspect", table, "--types", "protein-chemical", "--json") == 0
    assert json.loads(capsys.readouterr().out)["positive"] == 0
    assert run("inspect", table, "--types", "protein-") == 2
    assert "protein-" in capsys.readouterr().err


def test_lenient_counts_what_it_leaves_out(tmp_path, capsys):
    file = tmp_path / "c.jsonl"
    file.write_text('{"id": "d", "text": "Ras"}\nnot json\n')
    assert run("inspect", file) == 2
    assert "c.jsonl:2" in capsys.readouterr().err
    assert run("inspect", file, "--lenient") == 0
    assert "1 broken document" in capsys.readouterr().err
    assert run("inspect", file, "--lenient", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["skipped"]) == 1


def test_a_missing_file_is_bad_input(tmp_path, capsys):
    assert run("inspect", tmp_path / "nothing.xml") == 2
    assert "nothing.xml" in capsys.readouterr().err


def test_a_sentence_with_too_many_pairs_is_named_in_one_line_whatever_is_quiet(tmp_path, capsys):
    mentions = tuple(Mention(f"T{n}", "protein", ((3 * n, 3 * n + 2),), f"N{n}") for n in range(9))
    text = " ".join(mention.text for mention in mentions)
    file = tmp_path / "c.jsonl"
    write([Document("d", text, (Sentence("s7", 0, len(text)),), mentions)], file)
    assert run("inspect", file, "--against", file, "--max-pairs", 12, "--json", "--quiet") == 0
    out = capsys.readouterr()
    report = json.loads(out.out)
    assert report["negative"] == report["against"]["common_pairs"] == 12
    (line,) = out.err.splitlines()
    assert line.startswith("warning: document 'd', sentence 's7': 9 entities make more than 12 pairs")
    assert run("inspect", file, "--json") == 0
    assert capsys.readouterr().err == ""


def test_what_the_reader_left_out(tmp_path, capsys):
    from tests.corpus.test_nero import table as nero_table

    rows = [("Ras", "binds", "Raf", "Ras binds Raf.", "9000001"), ("ERK", "binds", "MEK", "ERK binds it.", "9000002")]
    (tmp_path / "nero.txt").write_text(nero_table(*rows))
    assert run("inspect", tmp_path / "nero.txt", "--json") == 0
    assert json.loads(capsys.readouterr().out)["left_out"]["strings not found in their sentence"] == 1
    assert run("inspect", tmp_path / "nero.txt") == 0
    assert "strings not found" in capsys.readouterr().out
