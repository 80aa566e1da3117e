"""AMR graphs as sentences: what a person reads in the graph is what later rooms find in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates import Candidate, view
from relhash.corpus import Document, Mention, Sentence
from relhash.language.amr.documents import amr_document, with_amr
from relhash.language.amr.graphs import parse_graph
from relhash.language.schemes import scheme_of

INHIBITOR = """
# ::id a_pmid_1.11
# ::tok the B @-@ Raf inhibitor dabrafenib did not induce death of RKO cells .
(i2 / induce-01~e.8 :polarity -~e.7
      :ARG0 (s / small-molecule~e.4 :wiki "Dabrafenib"
            :name (n3 / name :op1 "dabrafenib"~e.5)
            :ARG0-of~e.4 (i3 / inhibit-01~e.4
                  :ARG1 (e2 / enzyme
                        :name (n2 / name :op1 "B-Raf"~e.1,3))))
      :ARG2 (d / die-01~e.9
            :ARG1 (c / cell~e.12
                  :source (c2 / cell-line :name (n4 / name :op1 "RKO"~e.11)))))
"""


TWO_PARENTS = """# ::snt Ras activates Raf and binds it
(a / and :op1 (a2 / activate-01 :ARG0 (p / protein :name (n / name :op1 "Ras"))
                                :ARG1 (p2 / protein :name (n2 / name :op1 "Raf")))
         :op2 (b / bind-01 :ARG0 p :ARG1 p2))"""


def pair(document: Document, first: int = 0, second: int = 1) -> Candidate:
    return Candidate(document, 0, (document.mentions[first], document.mentions[second]), ("e1", "e2"))


def test_the_text_is_the_sentence_and_mentions_point_into_it() -> None:
    document = amr_document(INHIBITOR)
    assert document.id == "a_pmid_1.11"
    assert document.text == "the B-Raf inhibitor dabrafenib did not induce death of RKO cells ."
    assert [(m.type, m.text) for m in document.mentions] == [
        ("enzyme", "B-Raf"),
        ("small-molecule", "dabrafenib"),
        ("cell-line", "RKO"),
    ]
    assert all(document.text[m.start : m.end] == m.text for m in document.mentions)
    assert document.mentions[1].ids == ("Wikipedia:Dabrafenib",)


def test_paths_run_over_concepts_and_turned_roles() -> None:
    document = amr_document(INHIBITOR)
    assert view("path+edges")(pair(document)) == ["<E1>", "<ARG1", "inhibit", "ARG0>", "<E2>"]
    assert view("path")(pair(document, 1, 2)) == ["<E1>", "induce", "die", "cell", "<E2>"]


def test_negation_shows_as_in_a_dependency_parse() -> None:
    assert "not" in view("path+context")(pair(amr_document(INHIBITOR), 1, 2))


def test_a_reentrant_variable_is_one_node() -> None:
    document = amr_document(TWO_PARENTS, identifier="d")
    (sentence,) = document.sentences
    assert sorted(token.text for token in sentence.tokens) == ["activate", "and", "bind", "protein", "protein"]
    assert len([arc for arc in sentence.dependencies if arc.label.startswith("ARG")]) == 4
    assert {arc.label for arc in sentence.dependencies} == {"op", "ARG0", "ARG1"}
    assert scheme_of(sentence) == "amr"


def test_words_are_found_by_their_stem_without_alignments() -> None:
    (sentence,) = amr_document("# ::snt Phosphorylation of Raf\n(p / phosphorylate-01 :ARG1 (r / protein :name (n / name :op1 "
                               '"Raf")))').sentences  # fmt: skip
    assert [(token.text, token.start, token.end, token.pos) for token in sentence.tokens] == [
        ("phosphorylate", 0, 15, "VB"),
        ("protein", 19, 22, "NN"),
    ]


def test_a_concept_that_no_word_expresses_is_on_paths_but_in_no_mention() -> None:
    document = amr_document(
        "# ::snt Ras Raf\n"
        '(i / interact-01 :ARG0 (p / protein :name (n / name :op1 "Ras")) :ARG1 (q / protein :name (m / name :op1 "Raf")))'
    )
    assert view("path+edges")(pair(document)) == ["<E1>", "<ARG0", "interact", "ARG1>", "<E2>"]
    silent = next(token for token in document.sentences[0].tokens if token.text == "interact")
    assert silent.start == silent.end


def test_an_entity_that_the_text_does_not_spell_is_no_mention() -> None:
    document = amr_document('# ::snt it grows\n(g / grow-01 :ARG0 (d / disease :name (n / name :op1 "cancer")))')
    assert document.mentions == ()
    assert "disease" in {token.text for token in document.sentences[0].tokens}


def test_a_graph_without_a_sentence_has_its_concepts_as_text() -> None:
    document = amr_document('(b / bind-01 :ARG0 (p / protein :name (n / name :op1 "Ras")))')
    assert document.text == "bind Ras"
    assert [mention.text for mention in document.mentions] == ["Ras"]


def test_graphs_are_put_on_the_sentences_of_a_document() -> None:
    text = "We saw this. Ras activates Raf and binds it"
    ras, raf = Mention("T1", "entity", ((13, 16),), "Ras"), Mention("T2", "entity", ((27, 30),), "Raf")
    document = Document("p", text, (Sentence("p.1", 0, 12), Sentence("p.2", 13, len(text))), (ras, raf))
    (graph,) = [parse_graph(TWO_PARENTS, identifier="p.2")]
    analysed = with_amr(document, [graph])
    assert not analysed.sentences[0].is_parsed
    candidate = Candidate(analysed, 1, (ras, raf), ("e1", "e2"))
    assert view("path+edges")(candidate) == ["<E1>", "<ARG0", "activate", "ARG1>", "<E2>"]


WORDS = st.sampled_from(["bind-01", "protein", "cell", "activate-01", "and"])


@st.composite
def drawn_graphs(draw: st.DrawFn) -> str:
    """A random tree with re-entrancies, inverse roles, names, constants and alignments, over a sentence of eight words."""
    n_nodes = draw(st.integers(1, 7))
    align = draw(st.booleans())
    parents = [draw(st.integers(0, number - 1)) for number in range(1, n_nodes)]

    def mark() -> str:
        return f"~e.{draw(st.integers(0, 9))}" if align and draw(st.booleans()) else ""

    def node(number: int) -> str:
        text = f"(v{number} / {draw(WORDS)}{mark()}"
        if draw(st.booleans()):
            text += f' :name (n{number} / name :op1 "{draw(st.sampled_from(["Ras", "Raf", "MEK1"]))}"{mark()})'
        if draw(st.booleans()):
            text += f" :quant 5{mark()}"
        for child, parent in enumerate(parents, 1):
            if parent == number:
                text += f" {draw(st.sampled_from([':ARG0', ':ARG1-of', ':op2']))} {node(child)}"
        if number and draw(st.booleans()):
            text += " :mod v0"
        return text + ")"

    return f"# ::id g\n# ::tok {draw(st.sampled_from(['Ras binds Raf in the MEK1 @-@ positive cell', 'x']))}\n{node(0)}"


@given(drawn_graphs())
def test_any_graph_becomes_a_sound_document(penman: str) -> None:
    graph = parse_graph(penman)
    document = amr_document(graph)
    (sentence,) = document.sentences
    assert len(sentence.tokens) == len(graph.nodes)
    assert len(sentence.dependencies) == len(graph.arcs)
    starts, ends = [token.start for token in sentence.tokens], [token.end for token in sentence.tokens]
    assert starts == sorted(starts)
    assert ends == sorted(ends)
    for first in range(len(document.mentions)):
        for second in range(first + 1, len(document.mentions)):
            assert view("path+edges")(pair(document, first, second))
