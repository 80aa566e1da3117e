"""What is on disk after a kill: whole records or none, of one run only."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash import journal as module
from relhash.errors import RelHashWarning
from relhash.journal import Journal, installed_program


@given(records=st.lists(st.binary(max_size=40), min_size=1, max_size=6), cut=st.integers(1, 400), byte=st.integers(0, 400))
def test_whatever_is_cut_off_or_damaged_leaves_the_records_before_it(tmp_path_factory, records, cut, byte):
    path = tmp_path_factory.mktemp("journal") / "j"
    with Journal(path, "key") as journal:
        for record in records:
            journal.append(record)
    whole = path.read_bytes()
    for damaged in (whole[:-cut], whole[: byte % len(whole)] + b"\x00\xff" + whole[byte % len(whole) + 2 :]):
        path.write_bytes(damaged)
        with Journal(path, "key") as journal:
            found = list(journal)
            assert found == records[: len(found)]
            journal.append(b"after")
        with Journal(path, "key") as journal:
            assert list(journal) == [*found, b"after"]


def test_another_key_begins_anew(tmp_path):
    with Journal(tmp_path / "j", "one") as journal:
        journal.append(b"old")
    with Journal(tmp_path / "j", "other") as journal:
        assert list(journal) == []


def test_records_that_fit_no_more_are_cut(tmp_path):
    with Journal(tmp_path / "j", "key") as journal:
        journal.append(b"a", b"b", b"c")
        journal.cut(1)
        journal.append(b"d")
    with Journal(tmp_path / "j", "key") as journal:
        assert list(journal) == [b"a", b"d"]


def test_a_complete_run_leaves_nothing(tmp_path):
    journal = Journal(tmp_path / "j", "key")
    journal.append(b"a")
    journal.remove()
    with Journal(tmp_path / "k", "key"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_records_are_on_the_disk_when_append_returns(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    with Journal(tmp_path / "j", "key") as journal:
        journal.append(b"first")
        assert synced[0] == (tmp_path / "j").stat().st_size


def test_a_signal_while_records_go_to_the_disk_loses_nothing(tmp_path, monkeypatch):
    """On a busy machine that takes long: a SIGTERM at that moment removed the first records, and the journal with them."""

    def interrupted(number):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, Journal(tmp_path / "j", "key") as journal:
        patched.setattr(module.os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            journal.append(b"one", b"two")
    assert list(Journal(tmp_path / "j", "key")) == [b"one", b"two"]


def test_a_killed_process_leaves_what_it_appended(tmp_path):
    program = (
        "import os, signal, sys\nfrom relhash.journal import Journal\n"
        "journal = Journal(sys.argv[1], 'key')\njournal.append(b'one')\njournal.append(b'two')\n"
        "os.write(journal._handle.fileno(), b'half a record'); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "j")], check=False)
    with Journal(tmp_path / "j", "key") as journal:
        assert list(journal) == [b"one", b"two"]


def test_one_process_at_a_time(tmp_path):
    pytest.importorskip("fcntl")
    with Journal(tmp_path / "j", "key") as first:
        first.append(b"a")
        with pytest.warns(RelHashWarning, match="another process is writing it"):
            second = Journal(tmp_path / "j", "key")
        second.append(b"b")
        assert not second.is_kept
        assert list(first) == [b"a"]


def test_a_disk_that_takes_nothing_means_that_nothing_is_kept(tmp_path, monkeypatch):
    journal = Journal(tmp_path / "j", "key")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_write_all", full)
    with pytest.warns(RelHashWarning, match="No space left on device; this run cannot be resumed"):
        journal.append(b"a")
    journal.append(b"b")
    assert (journal.is_kept, list(tmp_path.iterdir())) == (False, [])


def test_no_place_for_a_journal(tmp_path):
    with pytest.warns(RelHashWarning, match="cannot be resumed"):
        assert not Journal(tmp_path / "none" / "j", "key").is_kept


def test_the_program_has_one_name():
    assert len(installed_program()) == 64
