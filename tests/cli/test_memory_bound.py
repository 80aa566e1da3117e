"""``--max-memory``: a command that needs more ends in one line and exit code 3, whatever fails first for want of memory."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from relhash.cli.process import bytes_of, limit_memory
from relhash.errors import ParameterError

pytestmark = pytest.mark.usefixtures("compiled_code")


def test_memory_has_a_bound():
    program = "from relhash.cli.process import limit_memory; limit_memory(['--max-memory=300M']); bytearray(1 << 30)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert b"MemoryError" in done.stderr


@pytest.mark.parametrize("megabytes", [20, 60, 100, 140])
def test_too_little_memory_for_the_libraries_is_said_and_not_waited_for(tmp_path, megabytes):
    """OpenBLAS asked for its memory for ever, in the middle of an import."""
    text = tmp_path / "text.jsonl"
    text.write_text('{"id": "d", "text": "α-Synuclein binds p53."}\n', encoding="utf-8")
    program = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (60, 60)); from relhash.cli.main import main; main()"
    command = [sys.executable, "-c", program, "predict", "ppi", str(text), f"--max-memory={megabytes}M"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    last = done.stderr.strip().splitlines()[-1]  # what is missing may have a name, and where it is depends on the libraries
    assert re.fullmatch(r"error: not enough memory( \(.+\))?; give less text at a time, or raise --max-memory", last)


@pytest.mark.parametrize(("limited", "code"), [(True, 3), (False, 1)])
def test_a_library_that_gets_no_memory_and_does_not_say_so(limited, code):
    """spaCy or numpy, cut short in an import, ended in "SystemError: error return without exception set"."""
    limit = "limit_memory(['--max-memory=2G']); " if limited else ""
    program = f"""
from relhash.cli.main import _exit_codes
from relhash.cli.process import limit_memory
{limit}
with _exit_codes():
    raise SystemError("error return without exception set")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert ("not enough memory" in done.stderr) == limited


FULL = """
import sys
from relhash.cli.main import _exit_codes
from relhash.cli.process import is_memory_short, limit_memory
from relhash.errors import RelHashError

limit_memory(["--max-memory=300M"])
assert not is_memory_short()
if sys.argv[1] == "short":
    taken = []
    try:
        while True:
            taken.append(bytearray(1 << 20))
    except MemoryError:
        del taken[-8:]
with _exit_codes():
    {raised}
"""


@pytest.mark.parametrize(
    ("raised", "otherwise"),
    [
        ("raise ImportError('a.so: failed to map segment from shared object')", 1),
        ("raise ValueError('field target is required for AnnAssign')", 1),
        ("raise OSError('Could not load shared object file')", 2),
        ("raise RelHashError('a part cannot be read ()') from MemoryError()", 2),
        ("raise OSError(12, 'Cannot allocate memory')", 3),
    ],
)
def test_whatever_fails_when_memory_is_short_fails_for_want_of_it(raised, otherwise):
    """With 105 of 300 megabytes a traceback of an import, with 111 a library "that cannot be found", with 147 a bad model."""
    program = FULL.format(raised=raised)
    for how, code in (("short", 3), ("plenty", otherwise)):
        done = subprocess.run([sys.executable, "-c", program, how], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert (done.stderr.strip().splitlines()[-1].startswith("error: not enough memory")) == (code == 3)


@pytest.mark.parametrize("size", ["", "much", "-1G", "0", "4X"])
def test_sizes_that_are_none(size):
    with pytest.raises(ParameterError, match="write for instance 4G"):
        bytes_of(size)


def test_the_bound_may_stand_anywhere(monkeypatch):
    asked = []
    monkeypatch.setattr("relhash.cli.process._limit", asked.append)
    after = ["--", "--max-memory", "x"]
    assert limit_memory(["predict", "--max-memory", "1G", "m", *after]) == ["predict", "m", *after]
    assert asked == [1 << 30]


@pytest.mark.slow
def test_memory_does_not_grow_with_a_text_without_punctuation(raw_model, tmp_path):
    """All rows of a document were held until it was whole: of this small model, 1.5 kB a pair."""
    names = [f"PRT{number}" for number in range(45)]
    (tmp_path / "names.tsv").write_text("".join(f"{name}\tX:{name}\n" for name in names))
    sentence = [word for name in names for word in (name, *["binding"] * 11)][:500]  # as many words as one is cut into
    # not ru_maxrss, which a child has from the process that started it
    peak = "import atexit; atexit.register(lambda: print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]))"

    def measured(n_sentences):
        text, rows = tmp_path / f"{n_sentences}.txt", tmp_path / "rows.tsv"
        text.write_text(" ".join(sentence * n_sentences))
        arguments = ["predict", raw_model, text, "-o", rows, "--lexicon", tmp_path / "names.tsv", "--no-cache"]
        code = f"{peak}; from relhash.cli.main import main; main()"
        done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        (n_pairs,) = re.findall(r"of ([\d,]+) candidates", done.stderr)
        return int(n_pairs.replace(",", "")), int(done.stdout.split()[-1]) / 1024

    measured(1)  # compiling takes memory, too
    few, small = measured(20)  # what a parser reads at once
    many, large = measured(80)
    print(few, small, many, large)
    assert many >= few + 30_000  # 500 of a sentence
    assert large < small + 45
