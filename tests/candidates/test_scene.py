"""A candidate in its sentence."""

from __future__ import annotations

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given

from relhash.candidates import Evidence, PairPolicy, build_structures, candidates, scenes, view
from relhash.corpus.read_write import demo_corpora
from tests.candidates.any_sentences import documents
from tests.candidates.drawn_sentences import draw
from tests.candidates.shown_views import show


def test_words_of_an_entity_around_a_participant_stay_visible():
    document = draw("IL-2 receptor binds Ras", names=["IL-2", "IL-2 receptor", "Ras"])
    assert show("between", document, 0) == "<E1> receptor binds <E2>"
    assert show("between", document, 1) == "<E1> binds <E2>"


def test_discontinuous_mentions():
    document = draw(
        "alpha and beta subunits bind Ras",
        "subunits amod alpha, subunits amod beta, bind nsubj subunits, bind dobj Ras",
        ["alpha … subunits", "beta", "Ras"],
    )
    assert show("between", document, 0) == "<E1> and <E2>"
    assert show("window(0,2)", document, 0) == "<E1> and <E2> bind <PROTEIN>"  # after the last word of both
    assert show("path+edges", document, 1) == "<E1> <nsubj bind dobj> <E2>"


ALL = ("path", "path+edges", "path+context", "between", "window(2,3)")


@given(documents())
def test_sequences_do_not_depend_on_neighbours(document):
    """What a stage keeps for all candidates of a sentence must not change any of them."""
    policy = PairPolicy(self_pairs=True)
    for name in ALL:
        together = build_structures(candidates([document], policy), [name])[name]
        alone = [view(name)(candidate) for candidate in candidates([document], policy)]
        assert list(together) == alone


def test_whose_a_token_is():
    document = draw("Ras binds protein kinase C and Raf", names=["Ras", "protein kinase C", "Raf"])
    scene = next(s for s in scenes(candidates([document])) if s.candidate.key == "d|T1|T3")
    assert [scene.is_free(token) for token in range(7)] == [False, True, False, False, False, True, False]
    assert [scene.participant_of(token) for token in (0, 1, 2, 6)] == [0, None, None, 1]
    assert [scene.entity_of(token) for token in (0, 1, 3)] == [None, None, document.mentions[1]]
    assert scene.in_one_mention(2, 4)
    assert not scene.in_one_mention(1, 1)  # a word is nobody's
    assert not scene.in_one_mention(0, 6)
    assert scene.shown_as(3) == "<PROTEIN>"
    assert scene.shown(range(7)) == ["<E1>", "binds", "<PROTEIN>", "and", "<E2>"]
    assert scene.shown(range(7), 2) == ["<E1>", "binds"]


def test_of_two_participants_in_a_token_the_first_has_it():
    (scene,) = scenes(candidates([draw("the Ras/Raf complex", names=["Ras", "Raf"])]))
    assert scene.participant_of(1) == 0
    assert not scene.is_joined


def test_prepared_scenes_stay_what_they_are():
    documents = [draw("Ras binds Raf and MEK", names=["Ras", "Raf", "MEK"], identifier=name) for name in "ab"]
    prepared = list(scenes(candidates(documents)))
    assert len({id(scene.stage) for scene in prepared}) == 2, "one stage per sentence"
    assert all(one is other for one, other in zip(scenes(prepared), prepared, strict=True))
    mixed = [prepared[0], prepared[1].candidate, *prepared[2:]]
    assert [scene.candidate for scene in scenes(mixed)] == [scene.candidate for scene in prepared]


def test_structures_of_prepared_scenes_are_those_of_their_candidates():
    documents = demo_corpora()[0].documents[:10]
    prepared = list(scenes(candidates(documents)))
    views = ["path", "path+edges", "path+context", "between", "window(3,3)", "descriptors"]
    fresh, once, again = (build_structures(given, views) for given in (candidates(documents), prepared, prepared))
    for name in views:
        for built in (once, again):
            same = np.array_equal(fresh[name], built[name]) if name == "descriptors" else fresh[name] == built[name]
            assert same, name


def test_a_scene_is_light_in_a_long_sentence():
    """All scenes of a batch are kept until it is written: a list of 200 names has 19,900 pairs."""
    names = [f"P{number}x" for number in range(60)]
    document = draw(" and also the ".join(names), names=names)
    pairs = list(candidates([document], PairPolicy(max_pairs_per_sentence=10_000)))
    list(scenes(pairs))
    tracemalloc.start()
    kept = list(scenes(pairs))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(kept) == 1770
    assert size / len(kept) < 1000, "a copy of the sentence alone would be more"


def test_threads_may_share_scenes_and_views():
    documents = demo_corpora()[0].documents[:20]
    views = ["path", "path+edges", "path+context", "between", "window(3,3)", "descriptors"]
    expected = build_structures(candidates(documents), views)
    prepared = list(scenes(candidates(documents)))  # their stages are filled by whoever comes first

    def work(number):
        built = build_structures(prepared if number % 2 else candidates(documents), views)
        return built, [Evidence.of(scene) for scene in prepared]

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(work, range(8)))
    for built, evidence in done:
        for name in views[:-1]:
            np.testing.assert_array_equal(built[name].rows, expected[name].rows)
            assert built[name] == expected[name]
        np.testing.assert_array_equal(built["descriptors"], expected["descriptors"])
        assert evidence == done[0][1]
