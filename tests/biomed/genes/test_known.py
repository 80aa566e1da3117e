"""Names of the list in rows of tokens, against a search that tries everything."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.biomed.genes.known import KnownNames, longest_names
from relhash.biomed.names.spelling import name_key
from relhash.biomed.names.table import shipped_names

PIECES = ["a", "b", "ab", "ii", "1", "2", "-", "c1"]


def row(keys):
    return np.frombuffer("".join(keys).encode(), np.uint8), np.cumsum([len(key) for key in keys], dtype=np.int64)


def joined(pieces):
    """The key of a name of several tokens, as the compiled search puts it together."""
    key = ""
    for number, piece in enumerate(pieces):
        piece = "" if piece == "-" else "2" if number and piece == "ii" else piece
        key += f"-{piece}" if key[-1:].isdigit() and piece[:1].isdigit() else piece
    return key


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4), max_size=6),
    st.lists(st.sampled_from(PIECES), max_size=9),
)
def test_the_longest_name_from_the_left(names, tokens):
    keys = sorted({joined(name) for name in names} - {""})
    text = "".join(f"{key}\n" for key in keys).encode()
    lines = np.frombuffer(text, np.uint8)
    first = ["" if token == "-" else token for token in tokens]
    later = ["2" if token == "ii" else token for token in first]
    found = longest_names(lines, np.flatnonzero(lines == 10), *row(first), *row(later), np.array([len(first)]))
    expected, index = [], 0
    while index < len(tokens):
        ends = [
            end
            for end in range(index + 1, len(tokens) + 1)
            if tokens[index] != "-" and tokens[end - 1] != "-" and joined(tokens[index:end]) in keys
        ]
        if ends:
            expected.append([index, ends[-1], keys.index(joined(tokens[index : ends[-1]]))])
        index = ends[-1] if ends else index + 1
    assert found.tolist() == expected


def test_no_name_runs_over_the_end_of_a_sentence():
    known, texts = KnownNames(shipped_names()), ("breast", "cancer", "insulin", "receptor")
    assert known.numbered(texts, (4,))[:, 0].tolist() == [1, 3, 1, 3]
    assert known.numbered(texts, (2, 4))[:, 0].tolist() == [1, 3, 1, 3]
    cut = known.numbered(texts, (1, 3, 4))
    apart = [known.numbered(own, (len(own),)) for own in (texts[:1], texts[1:3], texts[3:])]
    np.testing.assert_array_equal(cut, np.concatenate(apart))


def test_names_however_they_are_written():
    known = KnownNames(shipped_names())
    tokens = ["Tumour", "necrosis", "factor", "-", "α", "and", "factor", "VIII", "bind", "MEK1", ";"]
    classes = known.classes(tokens)
    assert [found[0][0] if found else "" for found in classes[:5]] == ["B", "I", "I", "I", "E"]
    assert any(role.startswith("E ") for role in classes[7])
    assert "S symbol" in classes[9]
    assert classes[10] == ()
    assert known.classes([]) == []


def test_keys_in_a_row_are_the_key_of_the_name():
    """Otherwise names of several words would never be found."""
    for name in ("NF-kappa B", "factor VIII", "14-3-3 zeta", "tumour necrosis factor-α"):
        parts = [name_key(part) for part in name.replace("-", " - ").split()]
        assert joined([{"viii": "8", "kappa": "kappa"}.get(part, part) for part in parts]) == name_key(name)
