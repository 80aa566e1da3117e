"""Relations of an export of Label Studio (JSON): tasks, each with annotations, each with regions and relations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from relhash.web.exchange.linked_spans import LinkedSpans


def label_studio_relations(tasks: Any) -> Iterator[LinkedSpans]:
    """The relations of all annotations that were not cancelled.

    The text is the value of ``data`` that is a text and not an id; its document is found by ``data.id`` or ``data.document``,
    or by the text itself. Offsets are those of Label Studio's ``<Text>``: characters.

    >>> region = lambda name, start, end: {"id": name, "type": "labels", "value": {"start": start, "end": end, "labels": ["P"]}}
    >>> relation = {"type": "relation", "from_id": "a", "to_id": "b", "labels": ["binds"]}
    >>> result = [region("a", 0, 4), region("b", 11, 15), relation]
    >>> task = {"data": {"text": "RAF1 binds MEK1."}, "annotations": [{"result": result}]}
    >>> [(one.first, one.second, one.type) for one in label_studio_relations([task])]
    [((0, 4), (11, 15), 'binds')]
    """
    if not isinstance(tasks, list):
        raise TypeError("a list of tasks is expected")
    for task in tasks:
        data = task["data"]
        document = str(data.get("document") or data.get("id") or "")
        text = str(data["text"]) if "text" in data else max((str(value) for value in data.values()), key=len)
        for annotation in task.get("annotations") or task.get("completions") or []:
            if annotation.get("was_cancelled"):
                continue
            result = annotation.get("result") or []
            regions = {
                one["id"]: (int(one["value"]["start"]), int(one["value"]["end"]))
                for one in result
                if one.get("type") != "relation" and "start" in one.get("value", {})
            }
            for one in result:
                if one.get("type") == "relation" and one["from_id"] in regions and one["to_id"] in regions:
                    label = next(iter(one.get("labels") or []), "")
                    ends = regions[one["from_id"]], regions[one["to_id"]]
                    yield LinkedSpans(text, *ends, str(label), document, _who(annotation))


def _who(annotation: dict[str, Any]) -> str:
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by.get("id")
    return "" if by in (None, "") else f"label-studio {str(by)[:60]}"
