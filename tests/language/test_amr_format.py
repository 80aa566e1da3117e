"""AMR in PENMAN notation as a corpus format, and graphs that come beside a corpus."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import relhash
from relhash.language.amr_format import is_penman
from tests.corpus.reader_contract import ReaderContract
from tests.language.amr_samples import GRAPHS

BROKEN = "# ::id b.1\n# ::snt Ras\n(b / bind-01 :ARG0 (p\n"


class TestAmrReader(ReaderContract):
    format = "amr"
    filename = "graphs.txt"
    sample = GRAPHS
    broken = {  # noqa: RUF012
        "not closed": (BROKEN, 3),
        "no graph": ("# ::id a\n# ::snt Ras binds Raf\n", None),
        "two in one": (GRAPHS.replace("\n\n# ::id a.2", "\n# ::id a.2"), 3),
    }
    one_of_two_is_broken = f"{BROKEN}\n{GRAPHS.partition('# ::id a.2')[0]}"


def test_a_graph_is_a_document_with_its_named_entities(tmp_path: Path) -> None:
    (tmp_path / "graphs.amr").write_text(GRAPHS, encoding="utf-8")
    first, second = relhash.read(tmp_path / "graphs.amr")
    assert (first.id, second.id) == ("a.1", "a.2")
    assert [mention.text for mention in second.mentions] == ["MEK", "ERK"]
    assert all(sentence.is_parsed for document in (first, second) for sentence in document.sentences)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("(b / bind-01 :ARG0 (p / protein))", True),
        ("# ::snt Ras binds Raf\n# ::id 1\n(b / bind-01\n      :ARG0 (p / protein))", True),
        ("(x / protein)", True),
        ("(x / protein)\n\n(y / enzyme)", True),
        ("# a remark", False),
        ("(TNF / p53) binding was seen.", False),
        ("(TNF / p53)\nbinding was seen.", False),
        ("(see above)", False),
        ("(and / or: both)", False),
    ],
)
def test_penman_is_recognised_by_its_shape(head: str, expected: bool) -> None:
    assert is_penman(head) == expected


def test_the_wing_is_loaded_when_graphs_are_read_and_not_before(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ras binds Raf.")
    (tmp_path / "b.txt").write_text(GRAPHS, encoding="utf-8")
    program = (
        "import sys, relhash, relhash.language\n"
        "for name in 'ab':\n"
        f"    relhash.read({str(tmp_path)!r} + f'/{{name}}.txt')\n"
        "    print('relhash.language.amr' in sys.modules)"
    )
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert made.stdout.split() == ["False", "True"]
