"""Features of a place know about spaces, brackets and the list of names."""

from __future__ import annotations

from relhash.biomed.genes.place_scores import place_features


def features(tokens, spaces, classes=None):
    return place_features(tokens, spaces, classes or [()] * len(tokens), ["c1=7"] * len(tokens))


def test_a_space_makes_a_difference():
    close = features(["IL", "-", "2"], [False, False, True])
    apart = features(["IL", "-", "2"], [True, True, True])
    assert "la=il-" in close[0]
    assert "la=il_-" in apart[0]
    assert features(["IL"], [False]) == features(["IL"], [True])  # what follows the sentence is not seen


def test_brackets_and_borders():
    found = features(["(", "Ras", ")", "binds"], [False, False, True, False])
    assert ["in brackets" in names for names in found] == [True, True, False, False]
    assert "lb=^_(" in found[0]
    assert "la=binds_$" in found[3]


def test_names_count_for_themselves_and_their_neighbours():
    found = features(["binds", "Ras", "gene"], [True, True, False], [(), ("S symbol",), ()])
    assert "x=S symbol" in found[1]
    assert "xs=S symbol Aa" in found[1]
    assert {"x+=S symbol", "x+l=S symbol binds"} <= set(found[0])
    assert "x-=S symbol" in found[2]
    assert features([], []) == []
