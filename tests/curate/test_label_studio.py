"""Answers that were given in Label Studio."""

from __future__ import annotations

import json

from relhash.model.answers.answer import Answer
from tests.curate.taken_in import pair_of, take_in


def test_label_studio(client, teaching, curation):
    (one, first), (two, second) = pair_of(teaching, 0), pair_of(teaching, 9)

    def task(candidate, spans, label, **more):
        regions = [
            {"id": str(n), "type": "labels", "value": {"start": start, "end": end, "labels": ["protein"]}}
            for n, (start, end) in enumerate(spans)
        ]
        link = {"type": "relation", "from_id": "1", "to_id": "0", "direction": "right", "labels": label}
        result = {"result": [*regions, link], **more}
        return {"id": 1, "data": {"text": candidate.document.text}, "annotations": [result]}

    tasks = [task(one, first, [], completed_by=7), task(two, second, ["none"]), task(two, [(0, 1), (2, 3)], ["x"])]
    tasks.append(task(two, second, [], was_cancelled=True))
    reply = take_in(client, json.dumps(tasks), "label-studio").json()
    assert (reply["saved"], reply["skipped"]) == (2, 1)
    found = {given.key: given for given in curation.standing()}
    assert (found[one.key].answer, found[one.key].curator) == (Answer.YES, "label-studio 7")
    assert (found[two.key].answer, found[two.key].curator) == (Answer.NO, "cy")
