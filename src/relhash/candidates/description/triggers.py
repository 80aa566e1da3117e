"""Words that name what happens between proteins, and where they stand. Words inside entity names are none of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from relhash.candidates.scene import Scene, Stage
from relhash.candidates.symbols import is_symbol

STEM_GROUPS = {
    "binding": "bind bound interact associat coprecipitat co-precipitat immunoprecipitat coimmunoprecipit co-immunoprecipit "
    "dimer heterodimer homodimer oligomer attach recruit contact ligand complex coupl cross-link crosslink two-hybrid affinity",
    "activation": "activat stimulat induc enhanc promot upregulat up-regulat increas trigger potentiat transactivat elevat",
    "inhibition": "inhibit suppress repress block antagoni prevent reduc decreas downregulat down-regulat abolish inactivat "
    "attenuat impair neutraliz abrogat",
    "modification": "phosphorylat dephosphorylat autophosphorylat acetylat deacetylat methylat ubiquitin sumoyl cleav modif "
    "glycosylat hydroly degrad proteoly",
    "regulation": "regulat modulat mediat control affect influenc depend requir effect alter respons target",
    "part_of": "subunit component contain consist compris domain member compos constitut assembl include",
}
NEAR = 5
"""How many words before the first or after the last participant count as near."""

COLUMNS = tuple(f"{group}_{place}" for group in STEM_GROUPS for place in ("between", "path", "near", "closeness"))


class TriggerFacts:
    """Attributes: ``groups``, for each token that is a trigger word the numbers of its stem groups."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.groups = {token: groups for token, word in enumerate(stage.blinded) if (groups := stem_groups(word))}

    def __call__(self, scene: Scene, on_path: set[int]) -> list[float]:
        participants = scene.tokens
        gap = _gap(participants[0], participants[-1])
        first, last = participants[0][0], max(tokens[-1] for tokens in participants)
        columns = [0.0] * len(COLUMNS)
        own_tokens = [own for tokens in participants for own in tokens]
        for token, groups in self.groups.items():
            distance = min([abs(token - own) for own in own_tokens])
            between = gap[0] < token < gap[1]
            near = first - NEAR <= token < first or last < token <= last + NEAR
            for group in groups:
                position = 4 * group
                if between:
                    columns[position] = 1.0
                if token in on_path:
                    columns[position + 1] = 1.0
                if near:
                    columns[position + 2] = 1.0
                columns[position + 3] = max(columns[position + 3], 1.0 / (1.0 + distance))
        return columns


@lru_cache(maxsize=65536)
def stem_groups(word: str) -> tuple[int, ...]:
    """Numbers of the stem groups a word belongs to.

    >>> [list(STEM_GROUPS)[number] for number in stem_groups("phosphorylates")]
    ['modification']
    """
    if is_symbol(word):
        return ()
    return tuple(number for number, stems in enumerate(_STEMS) if word.startswith(stems))


_STEMS = tuple(tuple(stems.split()) for stems in STEM_GROUPS.values())


def _gap(left: Sequence[int], right: Sequence[int]) -> tuple[int, int]:
    """The last token of the first participant before the second begins, and where that is."""
    return max((token for token in left if token <= right[0]), default=right[0]), right[0]
