"""Answers that were given in INCEpTION."""

from __future__ import annotations

import json

from tests.curate.taken_in import pair_of, take_in


def test_inception(client, teaching, curation):
    candidate, spans = pair_of(teaching, 4)
    ends = [{"%ID": 10 + n, "%TYPE": "custom.Span", "begin": b, "end": e} for n, (b, e) in enumerate(spans)]
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": candidate.document.text},
        *ends,
        {"%ID": 20, "%TYPE": "custom.Relation", "begin": 0, "end": 1, "@Governor": 11, "@Dependent": 10, "label": "binds"},
        {"%ID": 21, "%TYPE": "x.dependency.Dependency", "@Governor": 11, "@Dependent": 10, "DependencyType": "nsubj"},
    ]
    reply = take_in(client, json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures}), "inception").json()
    assert (reply["saved"], reply["skipped"]) == (1, 0)
    assert [one.key for one in curation.standing()] == [candidate.key]


def test_blanks_that_a_tool_dropped_at_the_beginning_shift_the_spans(client, teaching, curation):
    candidate, spans = pair_of(teaching, 4)
    text = "\n  " + candidate.document.text
    ends = [{"%ID": 10 + n, "%TYPE": "custom.Span", "begin": b + 3, "end": e + 3} for n, (b, e) in enumerate(spans)]
    relation = {"%ID": 20, "%TYPE": "custom.Relation", "@Governor": 11, "@Dependent": 10, "label": "binds"}
    structures = [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": text}, *ends, relation]
    reply = take_in(client, json.dumps({"%FEATURE_STRUCTURES": structures}), "inception").json()
    assert (reply["saved"], reply["skipped"]) == (1, 0)
    assert [one.key for one in curation.standing()] == [candidate.key]
