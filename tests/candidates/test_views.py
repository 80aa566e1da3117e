"""Views by name, our own and those of others, and what holds for all sentences."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings

from relhash.candidates import VIEWS, PairPolicy, SequenceView, TableView, build_structures, candidates, is_symbol, view
from relhash.candidates.views import sequence_view
from relhash.errors import ParameterError
from tests.candidates.any_sentences import documents
from tests.candidates.shown_views import BINDS

ALL = ("path", "path+edges", "path+context", "between", "window(2,3)")


def is_edge(token):
    return is_symbol(token) and not (token[0] == "<" and token[-1] == ">")


def test_unknown_views_are_named():
    for name in ("paths", "window", "window(3)", "window(-1,2)"):
        with pytest.raises(ParameterError, match=r"unknown view .*path\+edges"):
            view(name)


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


PAIRS_ONLY = """
import sys
from relhash.corpus import Document, Mention
from relhash.candidates import Evidence, PairPolicy, build_structures, candidates, scenes
from relhash.candidates.policies import CandidatePolicy

names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
policy = CandidatePolicy.from_dict(PairPolicy(unsplit="document").to_dict())
prepared = list(scenes(candidates([Document("d", "Ras binds Raf", mentions=names)], policy)))
build_structures(prepared, ["between", "window(3,3)", "descriptors"])
print(Evidence.of(prepared[0]).words, prepared[0].candidate.supposed_type)
print(*(name for name in sys.modules if name.startswith(("relhash.candidates.statements", "relhash.language.amr"))))
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
        assert [view(name).is_dense for name in ("names", "starts", "descriptors", "encoder", "path")] == [
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
