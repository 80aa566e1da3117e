"""Scores of a language pipeline, on a pipeline whose answers are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.corpus.document import Dependency, Document, Mention, Sentence, Token
from relhash.errors import CorpusError, DataMissingError
from relhash.evaluation.datasets.language_gold import entity_sentences, joined, split_articles, tree_paragraphs
from relhash.evaluation.language_scores import entity_scores, parse_scores
from relhash.evaluation.parse_comparison import path_agreement

CONLLU = """# newpar id = a-p0
# sent_id = 0
# text = Ras binds Raf.
1\tRas\tras\tNOUN\tNN\t_\t2\tnsubj\t_\t_
2\tbinds\tbind\tVERB\tVBZ\t_\t0\troot\t_\t_
3\tRaf\traf\tNOUN\tNN\t_\t2\tdobj\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = 1
# text = It works.
1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tworks\twork\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# newpar id = a-p1
# sent_id = 2
# text = Methods
1\tMethods\tmethod\tNOUN\tNNS\t_\t0\troot\t_\t_
"""


class Answers:
    """A pipeline that gives prepared documents, whatever is asked."""

    def __init__(self, documents):
        self.documents = documents

    def annotate(self, documents):
        assert all(not document.sentences and not document.mentions for document in documents)  # gold is not shown
        return iter(self.documents)


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    return list(tree_paragraphs(path))


def test_paragraphs_of_a_treebank(gold):
    first, second = (document.check() for document in gold)
    assert first.text == "Ras binds Raf. It works."
    assert second.text == "Methods"
    assert [[token.text for token in sentence.tokens] for sentence in first.sentences] == [
        ["Ras", "binds", "Raf", "."],
        ["It", "works", "."],
    ]
    assert first.sentences[1].dependencies == (Dependency(1, 0, "nsubj", "craft"), Dependency(1, 2, "punct", "craft"))
    assert first.sentences[0].tokens[1] == Token(4, 9, "binds", "VBZ", "bind")


def test_a_perfect_parse(gold):
    scores = parse_scores(Answers(gold), gold)
    assert (scores.unlabelled_attachment, scores.labelled_attachment, scores.tags, scores.sentences) == (1, 1, 1, 1)
    assert scores.n_tokens == 8


def test_each_kind_of_mistake_has_its_price(gold):
    first = gold[0].sentences[0]
    wrong_label = replace(first, dependencies=(Dependency(1, 0, "dobj"), *first.dependencies[1:]))
    parsed = [replace(gold[0], sentences=(wrong_label, gold[0].sentences[1])), gold[1]]
    scores = parse_scores(Answers(parsed), gold)
    assert scores.unlabelled_attachment == 1
    assert scores.labelled_attachment == pytest.approx(5 / 6)  # six words that are no punctuation
    wrong_head = replace(first, dependencies=(Dependency(2, 0, "nsubj"), *first.dependencies[1:]))
    parsed = [replace(gold[0], sentences=(wrong_head, gold[0].sentences[1])), gold[1]]
    assert parse_scores(Answers(parsed), gold).unlabelled_attachment == pytest.approx(5 / 6)
    assert parse_scores(Answers([replace(gold[0], sentences=()), gold[1]]), gold).sentences == pytest.approx(2 / 4)


def test_iob_sentences(tmp_path):
    path = tmp_path / "test.tsv"
    path.write_text(
        "-DOCSTART-\tO\n\nIL\tB-GENE\n-\tI-GENE\n4\tI-GENE\nbinds\tO\nIL\tB-GENE\nRas\tB-GENE\n.\tO\n\nAspirin\tB-Chemical\n",
        encoding="utf-8",
    )
    first, second = (document.check() for document in entity_sentences(path))
    assert first.text == "IL-4 binds IL Ras."
    assert [(mention.text, mention.type) for mention in first.mentions] == [
        ("IL-4", "protein"),
        ("IL", "protein"),
        ("Ras", "protein"),
    ]
    assert second.mentions[0].type == "chemical"
    path.write_text("IL B-GENE\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"test\.tsv:1: no tab"):
        list(entity_sentences(path))


def test_typography():
    assert joined(["a", "(", "b", ")", "/", "c", ":", "3", "%"])[0] == "a (b)/c: 3%"


def mention(start, end, kind="protein"):
    return Mention(f"T{start}", kind, ((start, end),), "x" * (end - start))


def test_entity_scores_are_exact_spans_of_annotated_types():
    gold = [Document("d", "x" * 20, mentions=(mention(0, 3), mention(5, 8)))]
    found = [Document("d", "x" * 20, mentions=(mention(0, 3), mention(5, 9), mention(12, 14, "disease")))]
    scores = entity_scores(Answers(found), gold)
    assert set(scores) == {"protein", "all"}
    assert (scores["protein"].precision, scores["protein"].recall, scores["protein"].f1) == (0.5, 0.5, 0.5)


def test_articles_are_split_the_same_way_everywhere(tmp_path):
    for number in range(30):
        (tmp_path / f"{number:02}.conllu").touch()
    parts = split_articles(tmp_path)
    assert [len(part) for part in parts] == [10, 5, 15]
    assert len(set().union(*parts)) == 30
    assert parts == split_articles(tmp_path)
    with pytest.raises(DataMissingError, match="RELHASH_DATA"):
        split_articles(tmp_path / "nowhere")


def test_agreement_of_two_parses():
    text = "Ras binds Raf"
    tokens = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
    names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))

    def document(label):
        arcs = (Dependency(1, 0, label), Dependency(1, 2, "dobj"))
        return Document("d", text, (Sentence("s", 0, 13, tokens, arcs, "p"),), names)

    same = path_agreement([document("nsubj")], [document("nsubj")])
    assert (same.same_words, same.same_path, same.n_candidates) == (1, 1, 1)
    other = path_agreement([document("nsubj")], [document("csubj")])
    assert (other.same_words, other.same_path) == (1, 0)
    with pytest.raises(ValueError, match="not two parses"):
        path_agreement([document("nsubj")], [])
