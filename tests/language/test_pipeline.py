"""The pipeline through its public face, on a tiny model: what is added, what is kept, and where everything stands."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relhash.corpus.document import Argument, Dependency, Document, Mention, Passage, Relation, Sentence, Token
from relhash.corpus.text import plain_document
from relhash.errors import ParameterError
from relhash.language import Lexicon, LexiconEntry, ParseSource, Pipeline
from relhash.language.parsed_words import LONGEST_SENTENCE
from relhash.language.schemes import collapse_document

pytest_plugins = ["tests.language.tiny_model_fixture"]


NASTY = [
    "",
    " \n\t ",
    "Ras",
    "NF-κB/IκBα binds α-catenin; 5′-UTR, Fgf9+/− (p<0.05).",
    "Cafe\u0301 naïve \u200bzero\u200dwidth 👩‍🔬🧬 emoji binds Raf .",
    "1,2-bis(2-aminophenoxy)ethane-N,N,N′,N′-tetraacetic acid",
    "Ras binds Raf .\n\n\n  Raf   binds\tMEK .\r\nRas",
    "a" * 10_000,
    "Ras binds Raf and " * 560,
    "\u202eRTL\u202c עברית 中文 ﬁ ligature ½ ™",
    "... !!! --- ///",
]


nasty_text = st.one_of(
    st.sampled_from(NASTY[:-4]),
    st.text(alphabet=st.sampled_from("Ras binds-/+.,()αβκ′́\u200d🧬\n\t 0123%<"), max_size=60),
    st.text(max_size=40),
)


@pytest.fixture(scope="module")
def pipeline(tiny_model) -> Pipeline:
    return Pipeline(tiny_model)


@pytest.mark.parametrize("text", NASTY)
def test_parses_are_collapsed_where_they_are_made(tiny_model, pipeline, text):
    collapsing = Pipeline(tiny_model, collapse=True)
    assert collapsing(text) == collapse_document(pipeline(text))
    parsed = pipeline(text)  # its sentences, tokens and tags are kept
    again = Pipeline(tiny_model, reparse=True)(parsed)
    assert Pipeline(tiny_model, reparse=True, collapse=True)(parsed) == collapse_document(again)


def assert_consistent(document: Document) -> None:
    document.check()
    for mention in document.mentions:
        assert mention.text == "".join(document.text[start:end] for start, end in mention.spans)
        assert mention.text == mention.text.strip() != ""
    previous_end = 0
    # the pieces of a sentence that was cut for its length are trees with branches missing
    is_cut = any(len(sentence.tokens) >= LONGEST_SENTENCE for sentence in document.sentences)
    for sentence in document.sentences:
        assert previous_end <= sentence.start <= sentence.end
        previous_end = sentence.end
        last = sentence.start
        for token in sentence.tokens:
            assert document.text[token.start : token.end] == token.text
            assert last <= token.start < token.end
            last = token.end
        heads = {arc.dependent: arc.head for arc in sentence.dependencies}
        assert len(heads) == len(sentence.dependencies)  # a tree: one head a token
        if sentence.tokens and not is_cut:
            assert len(heads) == len(sentence.tokens) - 1
    characters = sum(not character.isspace() for character in document.text)
    covered = sum(len(token.text) for sentence in document.sentences for token in sentence.tokens)
    assert covered <= len(document.text)
    assert covered >= characters  # no visible character is lost


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("blind", [False, True])
def test_offsets_match_the_text(tiny_model, text, blind):
    document = Pipeline(tiny_model, blind=blind)(text)
    assert document.text == text
    assert_consistent(document)
    assert bool(document.sentences) == bool(text.strip())


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(nasty_text, min_size=1, max_size=5), st.integers(1, 4), st.booleans())
def test_any_text_in_any_batch(tiny_model, texts, batch_size, blind):
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    alone = [Pipeline(tiny_model, blind=blind)(document) for document in documents]
    together = list(Pipeline(tiny_model, blind=blind, batch_size=batch_size).annotate(documents))
    assert together == alone
    for document in together:
        assert_consistent(document)


def test_reads_what_it_was_taught(pipeline):
    text = "Ras interacts with Raf ."
    document = pipeline(Document("d", text, (Sentence("s", 0, len(text)),)))
    (sentence,) = document.sentences
    words = [token.text for token in sentence.tokens]
    assert {(words[arc.head], arc.label, words[arc.dependent]) for arc in sentence.dependencies} == {
        ("interacts", "nsubj", "Ras"),
        ("interacts", "prep", "with"),
        ("with", "pobj", "Raf"),
        ("interacts", "punct", "."),
    }
    assert [token.pos for token in sentence.tokens] == ["NNP", "VBZ", "IN", "NNP", "."]
    assert [(mention.text, mention.type) for mention in document.mentions] == [("Ras", "protein"), ("Raf", "protein")]
    assert {arc.scheme for arc in sentence.dependencies} == {"craft"}


def test_the_source_is_recorded(pipeline):
    document = pipeline("Ras binds Raf .")
    assert pipeline.source == ParseSource("tiny", "0.0.1", "craft")
    assert {sentence.parser for sentence in document.sentences} == {str(pipeline.source)}
    assert pipeline.entity_types == ("protein",)


def test_only_what_is_missing_is_added(pipeline):
    text = "Ras binds Raf . Raf binds MEK ."
    parsed = Sentence(
        "mine", 0, 15, (Token(0, 3, "Ras"), Token(4, 9, "binds")), (Dependency(1, 0, "subj", "mine"),), "somebody"
    )
    empty = Sentence("other", 16, 31)
    mention = Mention("T1", "gene", ((10, 13),), "Raf", ("NCBIGene:5894",))
    document = Document("d", text, (parsed, empty), (mention,), (Relation("R1", "x", (Argument("e1", "T1"),)),))
    result = pipeline(document)
    assert result.sentences[0] == parsed
    assert result.sentences[1].id == "other"
    assert [token.text for token in result.sentences[1].tokens] == ["Raf", "binds", "MEK", "."]
    assert result.sentences[1].is_parsed
    assert result.mentions == (mention,)
    assert result.relations == document.relations
    again = replace(pipeline.source, blinded=False)
    assert result.sentences[1].parser == str(again)


def test_given_tokens_are_parsed_as_they_are(pipeline):
    tokens = (Token(0, 3, "Ras", "XX"), Token(4, 13, "binds Raf"), Token(14, 15, "."))
    document = Document("d", "Ras binds Raf .", (Sentence("s", 0, 15, tokens),))
    (sentence,) = pipeline(document).sentences
    assert [token.text for token in sentence.tokens] == ["Ras", "binds Raf", "."]
    assert sentence.tokens[0].pos == "XX"  # what the file says stays
    assert sentence.tokens[2].pos != ""


def test_reparse_makes_new_tokens_inside_the_given_bounds(tiny_model):
    tokens = (
        Token(0, 9, "Ras binds"),
        Token(
            10,
            15,
            "Raf .",
        ),
    )
    document = Document("d", "Ras binds Raf .", (Sentence("s", 0, 15, tokens, (Dependency(0, 1, "x"),), "file"),))
    result = Pipeline(tiny_model, reparse=True)(document)
    assert [token.text for token in result.sentences[0].tokens] == ["Ras", "binds", "Raf", "."]
    assert result.sentences[0].parser.startswith("tiny")
    assert (result.sentences[0].start, result.sentences[0].end) == (0, 15)


def test_a_given_sentence_is_never_split(pipeline):
    text = "Ras binds Raf . Raf binds MEK ."
    document = pipeline(Document("d", text, (Sentence("s", 0, len(text)),)))
    assert len(document.sentences) == 1
    assert len(document.sentences[0].tokens) == 8


def test_blank_lines_and_passages_start_sentences(pipeline):
    text = "Ras binds\n\nRaf binds MEK Ras binds"
    document = pipeline(Document("d", text, passages=(Passage("title", 0, 9), Passage("abstract", 25, len(text)))))
    starts = {sentence.start for sentence in document.sentences}
    assert {0, 11, 25} <= starts


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("keep", ["binds"]), ("merge", ["binds", "Ras", "Raf"]), ("predict", ["Ras", "Raf"]), ("none", ["binds"])],
)
def test_entity_policies(tiny_model, policy, expected):
    given_mention = Mention("T1", "protein", ((4, 9),), "binds")
    document = Document(
        "d", "Ras binds Raf .", mentions=(given_mention,), relations=(Relation("R1", "x", (Argument("e1", "T1"),)),)
    )
    result = Pipeline(tiny_model, entities=policy)(document)
    assert [mention.text for mention in result.mentions] == expected
    assert bool(result.relations) == (policy != "predict")
    result.check()


def test_keep_does_not_add_to_a_corpus_that_lists_candidates(pipeline):
    assert pipeline(Document("d", "Ras binds Raf .", candidates=())).mentions == ()


def test_the_lexicon_is_stronger_than_the_model(tiny_model):
    lexicon = Lexicon((LexiconEntry("Ras", "UniProt:P01112", "protein"), LexiconEntry("binds Raf", "X:1", "chemical")))
    result = Pipeline(tiny_model, lexicon=lexicon)("Ras binds Raf .")
    assert [(m.text, m.type, m.ids) for m in result.mentions] == [
        ("Ras", "protein", ("UniProt:P01112",)),
        ("binds Raf", "chemical", ("X:1",)),
    ]


def test_blinding_joins_a_mention_and_maps_it_back(tiny_model):
    text = "MAP-kinase kinase 7 binds Raf ."
    mention = Mention("T1", "protein", ((0, 19),), text[:19])
    document = Document("d", text, (Sentence("s", 0, len(text)),), (mention,))
    result = Pipeline(tiny_model, blind=True)(document)
    (sentence,) = result.sentences
    assert [token.text for token in sentence.tokens] == ["MAP", "-", "kinase", "kinase", "7", "binds", "Raf", "."]
    arcs = {arc.dependent: (arc.head, arc.label) for arc in sentence.dependencies}
    assert arcs[4] == (5, "nsubj")  # the last token of the name is the subject of "binds"
    assert arcs[0] == (4, "compound")
    assert arcs[1] == (4, "punct")
    assert sentence.parser.endswith("blinded")
    assert sentence.tokens[4].lemma == "7"


def test_wrong_parameters(tiny_model):
    with pytest.raises(ParameterError, match="entities='all'"):
        Pipeline(tiny_model, entities="all")
    with pytest.raises(ParameterError, match="batch_size=0"):
        Pipeline(tiny_model, batch_size=0)


def test_annotate_is_a_stream(pipeline):
    def endless():
        number = 0
        while True:
            yield f"Ras binds Raf {number} ."
            number += 1

    first = next(pipeline.annotate(endless()))
    assert first.id == "text0"


def test_spacy_is_not_imported_with_the_package():
    code = "import sys, relhash.language; sys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_importing_does_not_change_a_document(pipeline):
    document = Document("d", "Ras binds Raf .")
    pipeline(document)
    assert document.sentences == ()


def test_no_sentence_crosses_a_line_of_a_list():
    titles = ["TNF binds TRAF2", "RAF1 binds MEK1", "Cloning of IL-2 receptor and JAK1"]
    document = Pipeline(blind=True)(plain_document("titles", "\n".join(titles) + "\n"))
    assert [document.text[sentence.start : sentence.end] for sentence in document.sentences] == titles
