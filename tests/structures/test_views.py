"""Each view of sentences whose right sequence a person sees at once, and what holds for all sentences."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.corpus import CandidatePair, Dependency, Document, Mention, Sentence, Token
from relhash.errors import ParameterError, StructureError
from relhash.structures import (
    VIEWS,
    Candidate,
    PairPolicy,
    SequenceView,
    TableView,
    build_structures,
    candidates,
    is_symbol,
    view,
)  # fmt: skip
from relhash.structures.views import sequence_view
from tests.structures.drawn_sentences import draw

ALL = ("path", "path+edges", "path+context", "between", "window(2,3)")


def is_edge(token):
    return is_symbol(token) and not (token[0] == "<" and token[-1] == ">")


def show(name, document, number=0, policy=None, **options):
    return " ".join(view(name)(list(candidates([document], policy))[number], **options))


BINDS = draw("Ras binds to Raf .", "binds nsubj Ras, binds prep_to Raf", ["Ras", "Raf"])
NEGATED = draw(
    "However Ras did not bind to the C-terminal domain of Raf in 12 cells .",
    "bind advmod However, bind nsubj Ras, bind aux did, bind neg not, bind prep_to domain, domain det the,"
    "domain amod C-terminal, domain prep_of Raf, bind prep_in cells, cells num 12",
    ["Ras", "Raf"],
)


def test_path():
    assert show("path", BINDS) == "<E1> binds <E2>"
    assert show("path", NEGATED) == "<E1> bind domain <E2>"


def test_path_with_edges_points_at_the_dependent():
    assert show("path+edges", BINDS) == "<E1> <nsubj binds prep_to> <E2>"
    assert show("path+edges", NEGATED) == "<E1> <nsubj bind prep_to> domain prep_of> <E2>"


def test_path_with_context_has_negation_auxiliaries_and_prepositions():
    assert show("path+context", NEGATED) == "<E1> did not bind to domain of <E2>"
    passive = draw(
        "Raf is not phosphorylated by Ras", "phosphorylated nsubjpass Raf, phosphorylated auxpass is, phosphorylated neg not, "
        "phosphorylated agent Ras", ["Raf", "Ras"],
    )  # fmt: skip
    assert show("path+context", passive) == "<E1> is not phosphorylated by <E2>"


def test_path_with_context_shows_what_governs_a_coordination():
    document = draw(
        "interaction between Ras and Raf",
        "interaction prep_between Ras, interaction prep_between Raf, Ras conj_and Raf",
        ["Ras", "Raf"],
    )
    assert show("path", document) == "<E1> <E2>"
    assert show("path+context", document) == "<E1> interaction between and <E2>"


def test_path_with_context_of_a_tree():
    tree = draw(
        "no Ras interacts with Raf or MEK",
        "Ras det no, interacts nsubj Ras, interacts prep with, with pobj Raf, Raf cc or, Raf conj MEK",
        ["Ras", "Raf", "MEK"],
        scheme="craft",
    )
    assert show("path+context", tree) == "<E1> no interacts with <E2>"  # a participant comes first


def test_between_and_window():
    assert show("between", NEGATED) == "<E1> did not bind to the c-terminal domain of <E2>"
    assert show("window(1,3)", NEGATED) == "however <E1> did not bind to the c-terminal domain of <E2> in <NUMBER> cells"
    assert show("window(0,0)", NEGATED) == show("between", NEGATED)
    assert show("window( 9, 99 )", BINDS) == "<E1> binds to <E2> ."


def test_other_entities_are_blinded_and_collapsed():
    document = draw(
        "Ras and protein kinase C bind Raf",
        "bind nsubj Ras, bind nsubj C, C nn kinase, C nn protein, bind dobj Raf, Ras conj_and C",
        ["Ras", "protein kinase C", "Raf"],
        kinds=["protein", "Gene", "protein"],
    )
    assert show("between", document, 1) == "<E1> and <PROTEIN> bind <E2>"
    assert show("path+edges", document, 2) == "<E1> <nsubj bind dobj> <E2>"
    chain = draw("Ras of the kinase C gene in Raf", "Ras prep_of C, C nn kinase, kinase dep Raf", ["Ras", "kinase C", "Raf"])
    assert show("path+edges", chain, 1) == "<E1> prep_of> <PROTEIN> dep> <E2>"
    assert show("path", chain, 1) == "<E1> <PROTEIN> <E2>"


def test_words_of_an_entity_around_a_participant_stay_visible():
    document = draw("IL-2 receptor binds Ras", names=["IL-2", "IL-2 receptor", "Ras"])
    assert show("between", document, 0) == "<E1> receptor binds <E2>"
    assert show("between", document, 1) == "<E1> binds <E2>"


def test_the_first_of_two_in_the_file_need_not_be_the_first_in_the_text():
    turned = replace(BINDS, candidates=(CandidatePair("p", "T2", "T1"),))
    assert show("path+edges", turned) == show("path+edges", BINDS)


def test_direction_is_in_the_symbols_not_in_the_order():
    directed = PairPolicy(directed=True)
    assert show("path+edges", BINDS, 0, directed) == "<E1> <nsubj binds prep_to> <E2>"
    assert show("path+edges", BINDS, 1, directed) == "<E2> <nsubj binds prep_to> <E1>"


def test_a_shared_token_is_flagged_and_shows_what_is_between():
    document = draw("the Ras/Raf complex", "complex det the, complex nn Ras/Raf", ["Ras", "Raf"])
    assert show("path+edges", document) == "<E1> <SHARED> / <E2>"
    assert show("window(1,1)", document) == "the <E1> / <E2> complex"
    nested = replace(
        draw("IL-2 receptor", "receptor nn IL-2", ["IL-2", "IL-2 receptor"]), candidates=(CandidatePair("p", "T1", "T2"),)
    )
    assert show("path", nested) == "<E1> <SHARED> <E2>"


def test_a_missing_path_is_flagged_and_shows_the_words_between():
    document = draw("Ras , though Raf", "Ras advmod though", ["Ras", "Raf"])
    assert show("path", document) == "<E1> <DISCONNECTED> , though <E2>"


def test_the_rest_of_a_token_that_is_half_a_mention():
    document = draw("Ras-dependent anti-Raf effect", names=["Ras", "Raf"])
    assert show("between", document) == "<E1> - dependent anti - <E2>"


def test_discontinuous_mentions():
    document = draw(
        "alpha and beta subunits bind Ras",
        "subunits amod alpha, subunits amod beta, bind nsubj subunits, bind dobj Ras",
        ["alpha … subunits", "beta", "Ras"],
    )
    assert show("between", document, 0) == "<E1> and <E2>"
    assert show("window(0,2)", document, 0) == "<E1> and <E2> bind <PROTEIN>"  # after the last word of both
    assert show("path+edges", document, 1) == "<E1> <nsubj bind dobj> <E2>"


def test_lemmas_are_optional():
    token = Token(4, 9, "binds", lemma="bind")
    sentence = replace(BINDS.sentences[0], tokens=(BINDS.sentences[0].tokens[0], token, *BINDS.sentences[0].tokens[2:]))
    document = replace(BINDS, sentences=(sentence,))
    assert show("path", document) == "<E1> binds <E2>"
    assert show("path", document, lemmas=True) == "<E1> bind <E2>"


def test_three_participants_run_from_each_to_the_next():
    document = draw("Ras binds Raf with MEK", "binds nsubj Ras, binds dobj Raf, binds prep_with MEK", ["Ras", "Raf", "MEK"])
    event = Candidate(document, 0, document.mentions, ("Cause", "Theme", "Theme2"))
    assert " ".join(view("path")(event)) == "<CAUSE> binds <THEME> binds <THEME2>"
    assert " ".join(view("between")(event)) == "<CAUSE> binds <THEME> with <THEME2>"
    assert event.key == "d|Cause=T1|Theme=T2|Theme2=T3"


def test_listed_pairs_may_lie_in_different_sentences():
    text = "Ras acts . It binds Raf ."
    first = Sentence("s0", 0, 10, (Token(0, 3, "Ras"), Token(4, 8, "acts"), Token(9, 10, ".")), (Dependency(1, 0, "nsubj"),))
    words = (Token(11, 13, "It"), Token(14, 19, "binds"), Token(20, 23, "Raf"), Token(24, 25, "."))
    second = Sentence("s1", 11, 25, words, (Dependency(1, 2, "dobj"),))
    mentions = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((20, 23),), "Raf"))
    document = Document("d", text, (first, second), mentions, candidates=(CandidatePair("p", "T1", "T2"),))
    assert show("between", document) == "<E1> acts . it binds <E2>"
    assert show("path", document) == "<E1> <DISCONNECTED> acts . it binds <E2>"


def test_text_without_tokens_or_parse():
    bare = replace(BINDS, sentences=(Sentence("s", 0, len(BINDS.text)),))
    assert show("window(1,1)", bare) == "<E1> binds to <E2> ."
    with pytest.raises(StructureError, match=r"'s' has no parse.*--parses embedded.*between"):
        show("path", bare)


def test_unknown_views_are_named():
    for name in ("paths", "window", "window(3)", "window(-1,2)"):
        with pytest.raises(ParameterError, match=r"unknown view .*path\+edges"):
            view(name)


@st.composite
def documents(draw_from):
    """Random words, arcs and (possibly nested, discontinuous, sub-token) mentions."""
    words = draw_from(st.lists(st.sampled_from(["a", "binding", "12", "Ras/Raf", "(", "not", "<x>"]), min_size=2, max_size=9))
    text = " ".join(words)
    tokens, position = [], 0
    for word in words:
        tokens.append(Token(position, position + len(word), word))
        position += len(word) + 1
    token = st.integers(0, len(words) - 1)
    label = st.sampled_from(["nsubj", "prep_of", "neg", "conj_and", "aux"])
    arcs = draw_from(st.lists(st.builds(Dependency, token, token, label), max_size=12))
    mentions = []
    for number in range(draw_from(st.integers(2, 4))):
        cuts = sorted(draw_from(st.sets(st.integers(0, len(text)), min_size=2, max_size=4)))
        spans = tuple(zip(cuts[::2], cuts[1::2]))
        mentions.append(Mention(f"T{number}", "protein", spans, "x"))
    return Document("d", text, (Sentence("s", 0, len(text), tuple(tokens), tuple(arcs), "p"),), tuple(mentions)).check()


@settings(max_examples=100)
@given(documents())
def test_every_view_shows_the_participants_in_order(document):
    for candidate in candidates([document], PairPolicy(self_pairs=True)):
        for name in ALL:
            sequence = view(name)(candidate)
            assert all(sequence), "tokens are not empty"
            assert sequence.index("<E1>") < len(sequence) - 1 - sequence[::-1].index("<E2>")
            if not name.startswith("window"):
                assert (sequence[0], sequence[-1]) == ("<E1>", "<E2>")
        assert view("window(0,0)")(candidate) == view("between")(candidate)
        edges = [token for token in view("path+edges")(candidate) if not is_edge(token)]
        assert edges == view("path")(candidate)


@given(documents())
def test_sequences_do_not_depend_on_neighbours(document):
    """What a stage keeps for all candidates of a sentence must not change any of them."""
    policy = PairPolicy(self_pairs=True)
    for name in ALL:
        together = build_structures(candidates([document], policy), [name])[name]
        alone = [view(name)(candidate) for candidate in candidates([document], policy)]
        assert list(together) == alone


PAIRS_ONLY = """
import sys
from relhash.corpus import Document, Mention
from relhash.structures import Evidence, PairPolicy, build_structures, candidates, scenes
from relhash.structures.policies import policy_from_dict

names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
policy = policy_from_dict(PairPolicy(unsplit="document").to_dict())
prepared = list(scenes(candidates([Document("d", "Ras binds Raf", mentions=names)], policy)))
build_structures(prepared, ["between", "window(3,3)", "descriptors"])
print(Evidence.of(prepared[0]).words, prepared[0].candidate.supposed_type)
print(*(name for name in sys.modules if name.startswith(("relhash.structures.interactions", "relhash.language.amr"))))
"""


def test_pairs_do_without_interactions_and_meaning_graphs():
    done = subprocess.run([sys.executable, "-c", PAIRS_ONLY], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["Ras — binds — Raf None", ""]


def test_the_views_of_interactions_are_known_by_name():
    assert view("role(theme)").needs_parse
    assert view("interaction").name == "interaction"
    for name in ("role", "role()", "role(a,b,c)", "interaction(2)", "between(3)"):
        with pytest.raises(ParameterError, match=r"unknown view .*path\+edges"):
            view(name)


class TestOwnViews:
    @pytest.fixture(autouse=True)
    def own_registry(self, monkeypatch):
        monkeypatch.setattr(VIEWS, "_parts", dict(VIEWS._parts))

    def test_sequences_and_tables_of_a_script(self):
        VIEWS.register("names", SequenceView("names", lambda scene: [m.text for m in scene.candidate.mentions]))
        VIEWS.register("starts", TableView("starts", lambda scene: [m.start for m in scene.candidate.mentions], ("a", "b")))
        built = build_structures(candidates([BINDS]), ["names", "starts", "between"])
        assert built["names"][0] == ["Ras", "Raf"]
        assert built["starts"].tolist() == [[0.0, 13.0]]
        assert built.columns == {"starts": ("a", "b")}
        assert [view(name).is_dense for name in ("names", "starts", "descriptors", "contextual", "path")] == [
            False, True, True, True, False,
        ]  # fmt: skip

    def test_a_maker_gets_the_arguments(self):
        def repeated(times):
            return SequenceView(f"repeated({times})", lambda scene: scene.symbols * int(times))

        VIEWS.register("repeated", repeated)
        assert build_structures(candidates([BINDS]), ["repeated(2)"])["repeated(2)"][0] == ["<E1>", "<E2>", "<E1>", "<E2>"]

    def test_a_name_that_is_taken_is_refused(self):
        with pytest.raises(ParameterError, match="view 'path' is there already"):
            VIEWS.register("path", SequenceView("path", lambda scene: []))


def test_only_sequences_have_sequences():
    assert sequence_view("between").name == "between"
    with pytest.raises(ParameterError, match="'descriptors' has no sequences"):
        sequence_view("descriptors")
