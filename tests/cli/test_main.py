"""The frame of the command line: what --help costs, what the exit codes are, where errors go."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import typer

import relhash
from relhash.cli.main import COMMANDS, Command, main
from relhash.errors import CorpusError

HEAVY = ("numba", "sklearn", "spacy", "pandas", "matplotlib", "scipy", "numpy")


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exited:
        main(arguments)
    captured = capsys.readouterr()
    return int(exited.value.code or 0), captured.out, captured.err


@pytest.fixture
def command(monkeypatch):
    """Make ``relhash info`` run a function of the test instead."""

    def install(function):
        monkeypatch.setattr(Command, "load", lambda self: function)

    return install


def test_help_imports_nothing_heavy():
    code = f"""
        import sys
        from relhash.cli.main import main
        try:
            main(["--help"])
        except SystemExit as exited:
            assert not exited.code
        loaded = [name for name in {HEAVY!r} if name in sys.modules]
        assert not loaded, loaded
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, capture_output=True)


def test_blas_has_one_thread_from_the_start():
    """A library reads its variable when it is loaded: they must be there before numpy is."""
    code = """
        import os, sys

        class Watch:
            def find_spec(self, name, path=None, target=None):
                if name in ("numpy", "scipy", "torch"):
                    seen.append([os.environ.get(variable) for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")])

        seen = []
        sys.meta_path.insert(0, Watch())
        from relhash.cli.main import main
        assert "numpy" not in sys.modules
        try:
            main(["hash", "no-such-file"])
        except SystemExit:
            pass
        import numpy
        assert seen and all(values == ["1", "1"] for values in seen), seen
    """
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, env=environment)


def test_help_is_a_table_of_contents(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for entry in COMMANDS:
        assert f"│ {entry.name} " in out
    assert "Start here" in out


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_every_command_has_help(capsys, entry):
    code, out, err = run(capsys, entry.name, "--help")
    assert code == 0
    assert err == ""
    assert f"relhash {entry.name}" in out


def test_help_is_wrapped_by_the_terminal_and_not_by_the_source(capsys, monkeypatch, command):
    def info() -> None:
        """Do it.

        A paragraph that is written
        on two lines.

            an example
            on two lines
        """

    command(info)
    monkeypatch.setenv("COLUMNS", "100")
    out = run(capsys, "info", "--help")[1]
    assert "A paragraph that is written on two lines." in out
    assert "on two lines" not in out[: out.index("an example")].replace("written on two lines", "")


def test_version(capsys):
    assert run(capsys, "--version") == (0, f"relhash {relhash.__version__}\n", "")


def test_usage_errors_exit_2(capsys):
    code, out, err = run(capsys, "info", "--no-such-option")
    assert code == 2
    assert out == ""
    assert "--no-such-option" in err


def test_bad_input_is_one_line_and_exit_2(capsys, command):
    def broken() -> None:
        raise CorpusError("two\nlines", path="a.xml", where=3, remedy="mend it")

    command(broken)
    assert run(capsys, "info") == (2, "", "error: a.xml:3: two lines; mend it\n")


def test_missing_file_is_one_line_and_exit_2(capsys, command):
    command(lambda: Path("/no/such/file").read_text())
    assert run(capsys, "info") == (2, "", "error: /no/such/file: No such file or directory\n")


def test_interrupted_exits_130(capsys, command):
    def interrupted() -> None:
        raise KeyboardInterrupt

    command(interrupted)
    assert run(capsys, "info") == (130, "", "error: interrupted\n")


def test_failed_check_exits_1(capsys, command):
    from relhash.cli.console import check_failed

    command(lambda: check_failed("does not hold"))
    assert run(capsys, "info") == (1, "", "error: does not hold\n")


def test_own_bug_is_a_traceback(command):
    def buggy() -> None:
        raise ZeroDivisionError

    command(buggy)
    with pytest.raises(ZeroDivisionError):
        main(["info"])


def test_options_of_a_loaded_command_keep_their_types(capsys, command):
    def typed(number: int, flag: bool = typer.Option(False, "--flag")) -> None:
        print(number + 1, flag)

    command(typed)
    assert run(capsys, "info", "41", "--flag") == (0, "42 True\n", "")


@pytest.mark.parametrize("arguments", [["info"], ["--help"], ["inspect", "--help"], ["info", "--json"]])
def test_broken_pipe_is_silent(arguments):
    code = textwrap.dedent(f"""
        import sys
        from relhash.cli.main import main
        sys.stdin.read()
        main({arguments!r})
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    process.stdin.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 141  # of help it was 1


def test_every_command_can_be_quiet_and_print_json():
    servers = {"curate", "serve"}
    for command in COMMANDS:
        parameters = inspect.signature(command.load()).parameters
        assert "quiet" in parameters, command.name
        assert "as_json" in parameters or command.name in servers, command.name


def test_help_shows_what_people_use_and_help_all_the_rest(capsys):
    shown = {}
    for option in ("--help", "--help-all"):
        with pytest.raises(SystemExit) as ended:
            main(["fit", option])
        assert not ended.value.code
        shown[option] = capsys.readouterr().out
    assert "--adapt" in shown["--help"]
    assert "--amr" not in shown["--help"]
    assert "--help-all" in shown["--help"]
    assert "--amr" in shown["--help-all"]


@pytest.mark.parametrize(
    ("written", "said"),
    [("[predict]\nthreshold = 2\n", "--threshold"), ("[predict]\ntreshold = 1\n", "do you mean threshold?"),
     ("[gone]\n", "is no command"), ("[predict", "--config"), ("a = " + "[" * 3000, "--config")],
)  # fmt: skip
def test_a_config_that_is_wrong_is_one_line(tmp_path, capsys, written, said):
    (tmp_path / "my.toml").write_text(written)
    code, _, err = run(capsys, "--config", str(tmp_path / "my.toml"), "predict", "ppi", str(tmp_path / "a.txt"))
    assert (code, said in err) == (2, True), err


def test_options_come_from_a_file_the_environment_or_the_line_and_the_line_counts(tmp_path, capsys, monkeypatch):
    (tmp_path / "my.toml").write_text("[inspect]\njson = true\n")
    (tmp_path / "a.txt").write_text("RAF1 binds to MEK1.")
    monkeypatch.setenv("RELHASH_CONFIG", str(tmp_path / "my.toml"))
    assert run(capsys, "inspect", str(tmp_path / "a.txt"))[1].startswith("{")
    monkeypatch.setenv("RELHASH_INSPECT_FORMAT", "nonsense")
    assert run(capsys, "inspect", str(tmp_path / "a.txt"))[0] == 2
    assert run(capsys, "inspect", str(tmp_path / "a.txt"), "--format", "text")[1].startswith("{")
