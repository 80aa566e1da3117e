"""What the neighbourhood of a token says of it: pairs of words, shapes and groups, brackets, names of the list.

As names of features, the same in training and at run time. ``_`` stands for a space between two tokens, nothing for none:
"IL-2" and "IL - 2" are different neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Sequence

from relhash.language.genes.forms import shape

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")


def place_features(
    texts: Sequence[str], spaces: Sequence[bool], classes: Sequence[Sequence[str]], groups: Sequence[str]
) -> list[list[str]]:
    """For each token of a sentence the names of the features of its place.

    ``spaces[i]``: whether a space follows; ``classes[i]``: what the list of names says of it; ``groups[i]``: the group of
    similar words that it is in.
    """
    lower = ["^", *(text.lower() for text in texts), "$"]
    shapes = ["^", *map(shape, texts), "$"]
    group = ["^", *groups, "$"]
    gaps = ["_", *("_" if space else "" for space in spaces)]
    gaps[-1] = "_"
    found: list[list[str]] = []
    depth = 0
    for index, text in enumerate(texts):
        i, j = index + 1, index + 2
        before, after = gaps[index], gaps[i]
        form, this, near = shapes[i], lower[i], group[i]
        names = [
            "b",
            f"g={before}{after}",
            f"gs={before}{form}{after}",
            f"lb={lower[index]}{before}{this}",
            f"la={this}{after}{lower[j]}",
            f"sb={shapes[index]}{before}{form}",
            f"sa={form}{after}{shapes[j]}",
            f"sba={shapes[index]}{before}{form}{after}{shapes[j]}",
            f"cb={group[index]}{before}{near}",
            f"ca={near}{after}{group[j]}",
            f"lba={lower[index]}{before}*{after}{lower[j]}",
            f"scb={group[index]}{before}{form}",
            f"sca={form}{after}{group[j]}",
        ]
        if text in OPENING:
            depth += 1
        elif text in CLOSING:
            depth = max(depth - 1, 0)
        if depth:
            names.append("in brackets")
        for known in classes[index]:
            names.append(f"x={known}")
            names.append(f"xs={known} {form}")
        if index:
            names.extend([f"x-={known}" for known in classes[index - 1]])
        if i < len(texts):
            for known in classes[i]:
                names.append(f"x+={known}")
                if known[0] != "I":
                    names.append(f"x+l={known} {this}")
        found.append(names)
    return found
