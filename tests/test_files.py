"""Outputs complete or not at all, places checked before the work, and nothing left behind by a killed process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from relhash import files
from relhash.errors import OutputError
from relhash.files import check_empty, check_place, folder_beside, new_folder, replacing, same_content


def names(folder):
    return [path.name for path in folder.iterdir()]


def test_an_error_leaves_the_old_file(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")

    def fail():
        with replacing(target) as handle:
            handle.write("new")
            raise ValueError("half")

    with pytest.raises(ValueError, match="half"):
        fail()
    assert target.read_text() == "old"
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_outputs_have_the_permissions_of_any_other_file_and_no_thread_sees_another_umask(tmp_path, monkeypatch):
    """The umask can only be asked for by setting it, for all threads: two at once left it at 0."""
    for path, make in ((tmp_path / "mine", Path.touch), (tmp_path / "folder", Path.mkdir)):
        make(path)

    def changed(mask):
        raise AssertionError("the umask of the process is changed")

    monkeypatch.setattr(os, "umask", changed)
    with replacing(tmp_path / "out.txt") as handle:
        handle.write("new")
    with new_folder(tmp_path / "out"):
        pass
    assert (tmp_path / "out.txt").stat().st_mode == (tmp_path / "mine").stat().st_mode
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "folder").stat().st_mode


def test_errors_name_the_output_and_not_the_temporary_file(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "none" / "out.txt"):
        pass
    assert caught.value.filename == str(tmp_path / "none" / "out.txt")


def test_a_full_disk_names_the_output(tmp_path):
    with pytest.raises(OSError, match="No space left") as caught, replacing("/dev/full") as handle:
        handle.write("x" * 100_000)
    assert caught.value.filename == "/dev/full"


@pytest.mark.parametrize(
    ("place", "said"),
    [("none/out.txt", "does not exist; make it first: mkdir -p"), ("folder", "a folder"), ("file/out.txt", "is a file")],
)
def test_places_where_nothing_can_be_written(tmp_path, place, said):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=said):
        check_place(tmp_path / place)


def test_no_permission(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(OutputError, match="no permission"):
        check_place(tmp_path / "out.txt")


def test_a_full_disk_is_seen_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "SMALLEST_ROOM", 1 << 62)
    with pytest.raises(OutputError, match="disk is full"):
        check_place(tmp_path / "out.txt")


def test_good_places(tmp_path):
    for place in ("-", "/dev/null", tmp_path / "out.txt"):
        check_place(place)
    check_place(tmp_path / "a" / "b", is_folder=True)


def test_what_a_killed_process_has_left_is_removed(tmp_path):
    """`.NAME.*.tmp` stayed for ever."""
    program = (
        "import os, signal, sys\nfrom relhash.files import replacing\n"
        "with replacing(sys.argv[1]) as handle:\n"
        "    handle.write('half'); handle.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "out.txt")], check=False)
    (left,) = names(tmp_path)
    assert left.endswith(".tmp")
    others = tmp_path / ".own.tmp", tmp_path / f".out.txt.{files._process()}-abc.tmp", tmp_path / ".out.txt.00000000-1-abc.tmp"
    for path in others:
        path.touch()
    with replacing(tmp_path / "out.txt") as handle:
        handle.write("whole")
    assert set(names(tmp_path)) == {"out.txt", *(path.name for path in others)}  # files of running processes and of others stay
    assert Path(tmp_path / "out.txt").read_text() == "whole"


def test_a_folder_that_a_killed_process_has_left_is_removed(tmp_path):
    """`.NAME.*.tmp/` stayed for ever."""
    program = (
        "import os, pathlib, signal, sys\nfrom relhash.files import new_folder\n"
        "with new_folder(pathlib.Path(sys.argv[1])) as folder:\n"
        "    (folder / 'half').touch(); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "out")], check=False)
    assert [name[:5] for name in names(tmp_path)] == [".out."]
    with new_folder(tmp_path / "out") as folder:
        (folder / "whole").touch()
        assert not (tmp_path / "out").exists()
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == ["whole"]


def test_an_error_leaves_no_folder(tmp_path):
    def fail():
        with new_folder(tmp_path / "above" / "out") as folder:
            (folder / "one").touch()
            raise ValueError("half")

    with pytest.raises(ValueError, match="half"):
        fail()
    assert names(tmp_path / "above") == []


def test_a_full_disk_names_the_folder(tmp_path):
    with pytest.raises(OSError, match="No space left") as caught, new_folder(tmp_path / "out") as folder:
        raise OSError(28, "No space left on device", str(folder / "one.txt"))
    assert caught.value.filename == str(tmp_path / "out")


def test_errors_of_other_files_keep_their_name(tmp_path):
    for output in (tmp_path / "out.txt", Path("/dev/null")):
        with pytest.raises(FileNotFoundError) as caught, replacing(output):
            open(tmp_path / "input")  # noqa: SIM115
        assert caught.value.filename == str(tmp_path / "input")


def test_folders_with_the_same_content(tmp_path):
    for name in "ab":
        (tmp_path / name / "c").mkdir(parents=True)
        (tmp_path / name / "c" / "file").write_text("1")
    assert same_content(tmp_path / "a", tmp_path / "b")
    (tmp_path / "b" / "c" / "file").write_text("2")
    assert not same_content(tmp_path / "a", tmp_path / "b")
    (tmp_path / "b" / "c" / "file").unlink()
    assert not same_content(tmp_path / "a", tmp_path / "b")
    (tmp_path / "b" / "c" / "file").mkdir()
    assert not same_content(tmp_path / "a", tmp_path / "b")


def test_a_folder_with_something_in_it(tmp_path):
    with folder_beside(tmp_path / "out") as folder:
        check_empty(folder)
        (folder / "file").touch()
        check_empty(folder / "file")  # no folder: others say so
        with pytest.raises(OutputError, match="not empty"):
            check_empty(folder)
    assert names(tmp_path) == []
