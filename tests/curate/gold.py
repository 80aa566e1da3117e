"""A person who knows the gold labels, and answers by them."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from relhash.model.answers.teaching import Teaching


def answer(client: TestClient, key: str, word: str, curator: str = "ann", **more: Any) -> dict[str, Any]:
    """Answer one question."""
    reply = client.post("/api/answers", json={"key": key, "answer": word, "curator": curator, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()


def answer_by_gold(client: TestClient, teaching: Teaching, n: int, curator: str = "ann", **more: Any) -> list[dict[str, Any]]:
    """Answer the next questions as the gold labels say, and give the replies."""
    gold = {candidate.key: candidate.is_positive for candidate in teaching.candidates}
    asked = client.get("/api/queue", params={"curator": curator, **more}).json()["questions"][0]
    replies = []
    for _ in range(n):
        replies.append(answer(client, asked["key"], "yes" if gold[asked["key"]] else "no", curator, **more))
        asked = replies[-1]["next"]
    return replies
