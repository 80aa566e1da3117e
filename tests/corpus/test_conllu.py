"""CoNLL-U: offsets with and without the text, multiword tokens, empty nodes, schemes."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.corpus import Dependency
from relhash.errors import CorpusError, ParameterError
from tests.corpus.reader_contract import ReaderContract

SAMPLE = """\
# newdoc id = d1
# newpar id = p1
# sent_id = s1
# text = TNF (é) binds p53.
1\tTNF\ttnf\tNOUN\tNN\tNumber=Sing\t5\tnsubj\t_\t_
2\t(\t(\tPUNCT\t-LRB-\t_\t3\tpunct\t_\tSpaceAfter=No
3\té\té\tNOUN\tNN\t_\t1\tappos\t_\tSpaceAfter=No
4\t)\t)\tPUNCT\t-RRB-\t_\t3\tpunct\t_\t_
5\tbinds\tbind\tVERB\tVBZ\t_\t0\troot\t_\t_
6\tp53\tp53\tNOUN\tNN\t_\t5\tdobj\t_\tSpaceAfter=No
7\t.\t.\tPUNCT\t.\t_\t5\tpunct\t_\t_

# newpar id = p2
# sent_id = s2
1\tIt\tit\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\tdo\tAUX\tVBZ\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tneg\t_\t_
4\twork\twork\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
4.1\tghost\tghost\tX\tX\t_\t_\t_\t0:root\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# newdoc id = d2
# sent_id = s1
1\tEnd\t_\tX\t_\t_\t0\troot\t_\t_
"""


class TestConlluReader(ReaderContract):
    format = "conllu"
    filename = "trees.conllu"
    sample = SAMPLE
    broken = {  # noqa: RUF012
        "columns": ("1\tTNF\ttnf\n", 1),
        "head": ("\n1\tTNF\t_\t_\t_\t_\t7\tx\t_\t_\n", 2),
        "numbering": ("2\tTNF\t_\t_\t_\t_\t0\tx\t_\t_\n", 1),
        "id": ("# c\nx\tTNF\t_\t_\t_\t_\t0\tx\t_\t_\n", 2),
        "text of another sentence": ("# text = p53\n1\tTNF\t_\t_\t_\t_\t0\tx\t_\t_\n", 1),
        "only comments": ("# c\n\n# d\n", None),
    }
    one_of_two_is_broken = SAMPLE.replace("4\tneg", "9\tneg")


def test_a_comment_needs_no_blank(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(SAMPLE)
    expected = list(relhash.read(tmp_path / "a.conllu"))
    (tmp_path / "a.conllu").write_text(SAMPLE.replace("# ", "#").replace(" = ", "="))
    assert list(relhash.read(tmp_path / "a.conllu")) == expected


def test_documents_paragraphs_and_offsets(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(SAMPLE)
    first, second = relhash.read(tmp_path / "a.conllu")
    assert (first.id, first.text) == ("d1", "TNF (é) binds p53.\nIt doesn't work.")
    assert (second.id, second.text) == ("d2", "End")
    assert [sentence.id for sentence in first.sentences] == ["s1", "s2"]
    for sentence in first.sentences:
        for token in sentence.tokens:
            assert first.text[token.start : token.end] == token.text
    assert [token.text for token in first.sentences[1].tokens] == ["It", "does", "n't", "work", "."]
    assert first.sentences[0].tokens[4].lemma == "bind"
    assert first.sentences[0].tokens[4].pos == "VBZ"
    assert second.sentences[0].tokens[0].lemma == ""
    assert second.sentences[0].is_parsed
    assert Dependency(4, 0, "nsubj", "ud") in first.sentences[0].dependencies


def test_words_not_spelled_in_their_multiword_token_share_its_place(tmp_path: Path) -> None:
    rows = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\t_\t_\t_\t0\troot\t_\t_\n2\tle\t_\t_\t_\t_\t1\tx\t_\t_\n"
    (tmp_path / "a.conllu").write_text(rows)
    (document,) = relhash.read(tmp_path / "a.conllu")
    assert document.text == "du"
    assert [(token.start, token.end) for token in document.sentences[0].tokens] == [(0, 2), (0, 2)]


def test_a_file_without_newdoc_is_one_document_and_brackets_are_unescaped(tmp_path: Path) -> None:
    rows = "1\t-LSB-Ca2+-RSB-\t_\tNN\tNN\t_\t0\troot\t_\t_\n\n1\tIt\t_\tNN\tNN\t_\t0\troot\t_\t_\n"
    (tmp_path / "dev.conllu.stanford").write_text(rows)
    (document,) = relhash.read(tmp_path / "dev.conllu.stanford")
    assert (document.id, document.text) == ("dev", "[Ca2+] It")
    assert [sentence.id for sentence in document.sentences] == ["dev.s0", "dev.s1"]


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        ("case nmod", "ud"),
        ("case nmod:poss acl:relcl", "ud"),
        ("prep pobj nn", "stanford-basic"),
        ("prep pobj compound", "craft"),
        ("prep_of nn", "stanford-collapsed"),
    ],
)
def test_the_scheme_is_recognised_or_given(tmp_path: Path, labels: str, scheme: str) -> None:
    rows = "".join(f"{number}\tw\t_\t_\t_\t_\t1\t{label}\t_\t_\n" for number, label in enumerate(labels.split(), 1))
    (tmp_path / "a.conllu").write_text(rows)
    assert relhash.read(tmp_path / "a.conllu").documents[0].sentences[0].dependencies[0].scheme == scheme
    given = relhash.read(tmp_path / "a.conllu", scheme="craft", parser="gold").documents[0].sentences[0]
    assert (given.dependencies[0].scheme, given.parser) == ("craft", "gold")


def test_an_option_that_the_format_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(SAMPLE)
    with pytest.raises(ParameterError, match="no option 'shceme'"):
        relhash.read(tmp_path / "a.conllu", shceme="ud")


def test_two_sentences_of_one_id_in_a_document_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(SAMPLE.replace("sent_id = s2", "sent_id = s1"))
    with pytest.raises(CorpusError, match="'s1' is used twice"):
        relhash.read(tmp_path / "a.conllu")
