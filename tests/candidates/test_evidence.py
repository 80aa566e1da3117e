"""Evidence of a candidate: the sentence cut into marked pieces, the path as stations, and both as one line."""

from __future__ import annotations

from relhash.candidates import Candidate, Evidence, PairPolicy, build_structures, candidates, scenes
from relhash.candidates.evidence import path_tokens, path_words
from relhash.corpus import Document, Mention, Sentence
from relhash.corpus.read_write import demo_corpora
from tests.candidates.drawn_sentences import draw

NAMES = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))


def test_pieces_make_the_sentence_again_and_mark_both_participants():
    for corpus in demo_corpora():
        pairs = list(candidates(corpus))
        for pair, found in zip(pairs, map(Evidence.of, scenes(pairs)), strict=True):
            sentence = pair.document.sentences[pair.sentence]
            assert found.text == pair.document.text[sentence.start : sentence.end]
            marked = [piece.text for piece in found.sentence if piece.kind == "participant"]
            assert tuple(marked) == found.participants == tuple(mention.text for mention in pair.mentions)


def test_path_runs_from_one_participant_to_the_other_through_words_of_the_sentence():
    for corpus in demo_corpora():
        for found in map(Evidence.of, scenes(candidates(corpus))):
            stations, edges = found.path[::2], found.path[1::2]
            assert (stations[0].text, stations[-1].text) == found.participants
            assert [station.kind for station in (stations[0], stations[-1])] == ["participant"] * 2
            assert all(station.kind in ("word", "entity") for station in stations[1:-1])
            assert all(station.kind in ("up", "down") for station in edges)
            on_path = {piece.text for piece in found.sentence if piece.kind == "path"}
            assert {station.text for station in stations if station.kind == "word"} == on_path


def test_without_a_parse_there_is_a_sentence_but_no_path():
    document = Document("d", "Ras binds Raf", (Sentence("s", 0, 13),), NAMES)
    (found,) = map(Evidence.of, scenes([Candidate(document, 0, NAMES, ("e1", "e2"))]))
    assert found.path == ()
    assert [piece.kind for piece in found.sentence] == ["participant", "text", "participant"]


def of(document, number=0):
    return [Evidence.of(scene) for scene in scenes(candidates([document]))][number]


def test_the_line_for_people_runs_in_the_order_of_the_sentence():
    binds = draw("RAF1 binds to MEK1 in cells", "binds nsubj RAF1, binds prep_to MEK1, binds prep_in cells", ["RAF1", "MEK1"])
    assert of(binds).words == "RAF1 — binds to — MEK1"
    noun = draw(
        "The interaction of STAT3 with JAK2 was abolished",
        "abolished nsubjpass interaction, interaction det The, interaction prep_of STAT3, interaction prep_with JAK2,"
        "abolished auxpass was",
        ["STAT3", "JAK2"],
    )
    assert of(noun).words == "interaction of STAT3 — with — JAK2"
    after = draw("Ras and Raf interact", "interact nsubj Ras, interact nsubj Raf", ["Ras", "Raf"])
    assert of(after).words == "Ras — Raf interact"
    arcs = "interacts nsubj Ras, interacts prep with, with pobj Raf"
    tree = draw("Ras interacts with Raf", arcs, ["Ras", "Raf"], scheme="craft")
    assert of(tree).words == "Ras — interacts with — Raf"


def test_a_preposition_stands_where_the_sentence_has_it():
    document = draw(
        "Ras is involved in the Raf pathway",
        "involved nsubjpass Ras, involved auxpass is, involved prep_in pathway, pathway det the, pathway nn Raf",
        ["Ras", "Raf"],
    )
    assert of(document).words == "Ras — is involved in — Raf pathway"


def test_what_governs_a_trigger_is_no_part_of_the_interaction():
    document = draw(
        "We show that Ras binds Raf", "show nsubj We, show ccomp binds, binds nsubj Ras, binds dobj Raf", ["Ras", "Raf"]
    )
    first, second = document.mentions
    word = Mention("B", "Binding", ((17, 22),), "binds", is_trigger=True)
    candidate = Candidate(document, 0, (first, word, second), ("theme", "trigger", "theme2"))
    (found,) = map(Evidence.of, scenes([candidate]))
    assert found.words == "Ras — binds — Raf"


def test_the_line_for_people_keeps_what_negates():
    document = draw(
        "Ras did not bind to the domain of Raf",
        "bind nsubj Ras, bind aux did, bind neg not, bind prep_to domain, domain det the, domain prep_of Raf",
        ["Ras", "Raf"],
    )
    found = of(document)
    assert found.words == "Ras — did not bind to domain of — Raf"
    assert [station.text for station in found.path] == ["Ras", "nsubj", "bind", "prep_to", "domain", "prep_of", "Raf"]


def test_the_line_for_people_names_another_entity_once():
    document = draw(
        "Ras binds protein kinase C of Raf",
        "binds nsubj Ras, binds dobj C, C nn kinase, kinase nn protein, protein prep_of Raf",
        ["Ras", "protein kinase C", "Raf"],
    )
    found = of(document, 1)
    assert found.words == "Ras — binds protein kinase C of — Raf"
    assert [(station.text, station.kind) for station in found.path][3:6] == [
        ("dobj", "down"), ("protein kinase C", "entity"), ("prep_of", "down"),
    ]  # fmt: skip


def test_without_a_path_the_line_has_the_words_between():
    document = Document("d", "Ras  really\nbinds Raf", (Sentence("s", 0, 21),), ())
    names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((18, 21),), "Raf"))
    (found,) = map(Evidence.of, scenes([Candidate(document, 0, names, ("e1", "e2"))]))
    assert found.words == "Ras — really binds — Raf"
    assert found.tokens == ("<E1>", "really", "binds", "<E2>")
    shared = draw("the Ras/Raf complex", "complex det the, complex nn Ras/Raf", ["Ras", "Raf"])
    assert of(shared).words == "Ras — / — Raf"
    assert of(shared).tokens == ("<E1>", "<SHARED>", "/", "<E2>")


def test_an_interaction_shows_each_participant_where_the_path_passes_it():
    """The path from one participant to the next used to name the next one where it passed a third."""
    document = draw("Ras of Raf binds MEK", "Ras prep_of Raf, binds nsubj Raf, binds dobj MEK", ["Ras", "Raf", "MEK"])
    first, second, third = document.mentions
    # in the order of the tuple, Ras comes before MEK: the path between them leads through Raf
    candidate = Candidate(document, 0, (first, third, second), ("cause", "theme", "theme2"))
    (found,) = map(Evidence.of, scenes([candidate]))
    assert [station.text for station in found.path[:7:2]] == ["Ras", "Raf", "binds", "MEK"]
    assert found.words == "Ras — of — Raf — binds — MEK"


def test_features_and_evidence_come_from_the_same_scenes():
    documents = demo_corpora()[0].documents[:5]
    prepared = list(scenes(candidates(documents, PairPolicy())))
    rows = build_structures(prepared, ["path+edges"])["path+edges"]
    assert [path_tokens(scene) for scene in prepared] == list(rows)
    assert [Evidence.of(scene).tokens for scene in prepared] == [tuple(row) for row in rows]
    assert [Evidence.of(scene).words for scene in prepared] == [path_words(scene) for scene in prepared]
