from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from relhash.candidates import PathSet, StructureSet, build_structures, candidates
from relhash.errors import ParameterError
from tests.candidates.drawn_sentences import draw

DOCUMENTS = [
    draw("Ras binds Raf and MEK", "binds nsubj Ras, binds dobj Raf, binds dobj MEK", ["Ras", "Raf", "MEK"], identifier="a"),
    draw("CD4 binds CD8", "binds nsubj CD4, binds dobj CD8", ["CD4", "CD8"], identifier="b"),
]


def test_views_are_rows_of_the_same_candidates():
    built = build_structures(candidates(DOCUMENTS), ["path+edges", "window(1,1)", "descriptors"])
    assert isinstance(built, StructureSet)
    assert built.names == ("path+edges", "window(1,1)", "descriptors")
    assert len(built) == 4
    paths = built["path+edges"]
    assert isinstance(paths, PathSet)
    assert paths[0] == paths[1] == paths[3] == ["<E1>", "<nsubj", "binds", "dobj>", "<E2>"]
    assert paths.n_unique == 2, "equal sequences are stored once"
    assert built["descriptors"].shape == (4, len(built.columns["descriptors"]))


def test_a_corpus_may_come_in_parts():
    views = ["path", "between", "descriptors"]
    whole = build_structures(candidates(DOCUMENTS), views)
    parts = StructureSet.concatenate([build_structures(candidates([document]), views) for document in DOCUMENTS])
    assert all(whole[name] == parts[name] for name in ("path", "between"))
    np.testing.assert_array_equal(whole["descriptors"], parts["descriptors"])


def test_no_candidates_give_an_empty_set():
    built = build_structures([], ["path", "descriptors"])
    assert len(built) == 0


def test_a_candidate_twice_is_two_rows():
    (pair,) = candidates(DOCUMENTS[1:])
    assert len(build_structures([pair, pair], "path")) == 2


@pytest.mark.parametrize("views", [[], ["path", "path"], ["nothing"]])
def test_bad_views(views):
    with pytest.raises(ParameterError, match="view"):
        build_structures([], views)


MILLION = """
import random, resource
from relhash.corpus import Document, Mention, Sentence, Token, Dependency
from relhash.candidates import build_structures, candidates

def documents(count, rng):
    for number in range(count):
        words = [f"word{n}" for n in rng.sample(range(20000), 24)]  # no name twice: it is not paired with itself
        tokens, position = [], 0
        for word in words:
            tokens.append(Token(position, position + len(word), word))
            position += len(word) + 1
        arcs = [Dependency(rng.randrange(max(i, 1)), i, "label") for i in range(1, 24)]
        mentions = [Mention(f"T{i}", "protein", ((tokens[i].start, tokens[i].end),), words[i]) for i in range(0, 24, 5)]
        text = " ".join(words)
        yield Document(str(number), text, (Sentence("s", 0, len(text), tuple(tokens), tuple(arcs), "p"),), tuple(mentions))

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
built = build_structures(candidates(documents(100_000, random.Random(0))), ["path+edges", "between", "descriptors"])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(len(built), (peak - before) / 1024)
"""


@pytest.mark.slow
def test_a_million_candidates_fit_in_well_under_a_gigabyte():
    """Random words, so hardly any sequence repeats: worse than any real text."""
    done = subprocess.run([sys.executable, "-c", MILLION], capture_output=True, text=True, check=True)
    rows, megabytes = done.stdout.split()
    assert int(rows) == 1_000_000
    assert float(megabytes) < 850
