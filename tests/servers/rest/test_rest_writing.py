"""What is sent: events, turns, files; kept once, in parts, and given back."""

from typing import Any

import pytest

from slowwave.servers.rest.idempotency import Kept, whose

Served = Any
LINES = {"content-type": "application/x-ndjson"}


def test_events_come_one_by_one_in_lists_and_in_lines(served: Served) -> None:
    headers = served.headers("log")
    ask = served.client.post
    one = ask("/v1/events", json={"text": "one of them", "mood": "calm"}, headers=headers)
    many = ask("/v1/events", json=[{"text": "a"}, {"no": 1}, {"text": "b"}], headers=headers)
    held = ask("/v1/events", json={"events": [{"text": "c"}]}, headers=headers)
    lines = ask("/v1/events", content=b'{"text": "d"}\n\n{"text": ', headers=headers | LINES)
    assert [len(one.json()["events"]) for one in (one, many, held, lines)] == [1, 2, 1, 1]
    assert many.json()["skipped"] == [{"line": 2, "reason": "text: missing"}]
    assert lines.json()["skipped"][0]["line"] == 2
    assert ask("/v1/events", json={"no": 1}, headers=headers).status_code == 422
    known = one.json()["events"][0]["id"]
    event = served.client.get(f"/v1/events/{known}", headers=served.headers("read")).json()
    assert event["meta"] == {"mood": "calm"}
    assert event["text"] == "one of them"
    by_prefix = served.client.get(f"/v1/events/{known[:8]}", headers=served.headers("read"))
    assert by_prefix.json() == event


@pytest.mark.parametrize("raw", [b'"text"', b"[1", b"{", b"\xff", b'{"events": 1}', b"3",
                                 b'{"events": [], "more": 1}', b"[" * 10_000])  # fmt: skip
def test_what_is_no_event_at_all_is_refused(served: Served, raw: bytes) -> None:
    headers = served.headers("log") | {"content-type": "application/json"}
    assert served.client.post("/v1/events", content=raw, headers=headers).status_code == 400


def test_a_key_is_done_once_and_answered_the_same(served: Served) -> None:
    headers = served.headers("log") | {"idempotency-key": "walk-1"}
    first = served.client.post("/v1/events", json={"text": "we walked"}, headers=headers)
    again = served.client.post("/v1/events", json={"text": "we walked"}, headers=headers)
    assert again.content == first.content
    other = served.client.post("/v1/events", json={"text": "we ran"}, headers=headers)
    assert other.status_code == 422
    odd = served.headers("log") | {"idempotency-key": "a b"}
    assert served.client.post("/v1/events", json={"text": "x"}, headers=odd).status_code == 400


def test_after_a_restart_a_key_still_keeps_events_once(served: Served) -> None:
    headers = served.headers("log") | {"idempotency-key": "rain-1"}
    served.client.post("/v1/events", json=[{"text": "rain"}, {"text": "rain"}], headers=headers)
    served.desk.kept = Kept()  # what a restart leaves
    again = served.client.post("/v1/events", json=[{"text": "rain"}, {"text": "rain"}],
                               headers=headers).json()  # fmt: skip
    assert again == {"events": [], "duplicates": 2, "skipped": []}
    other = served.client.post("/v1/events", json={"text": "sun"}, headers=headers)
    assert other.status_code == 422


def test_a_failure_is_not_kept(served: Served) -> None:
    headers = served.headers("review") | {"idempotency-key": "edit-1"}
    where = f"/v1/memories/{served.spaces.memory('ana').memories()[0].id}"
    assert served.client.patch(where, json={}, headers=headers).status_code == 422
    assert served.client.patch(where, json={}, headers=headers).status_code == 422


def test_kept_answers_are_bounded() -> None:
    class Made:
        def __init__(self, body: bytes) -> None:
            self.body = body

    kept = Kept(most=3, most_bytes=100)
    for number in range(10):
        kept.once(whose("ana", str(number)), b"", lambda: Made(b"x" * 40))
    assert len(kept._known) == 2
    assert kept._bytes == 80
    big = kept.once("big", b"", lambda: Made(b"x" * 200))
    assert len(big.body) == 200


def test_lists_are_read_in_parts_while_more_comes_in(served: Served) -> None:
    read, log = served.headers("read"), served.headers("log")
    many = [{"text": f"one of many: {number}"} for number in range(13)]
    served.client.post("/v1/events", json=many, headers=log)
    seen: list[str] = []
    where = "/v1/events?limit=2"
    for _ in range(100):
        answer = served.client.get(where, headers=read)
        seen += [one["id"] for one in answer.json()]
        served.client.post("/v1/events", json={"text": "meanwhile"}, headers=log)
        if "link" not in answer.headers or len(seen) > 12:
            break
        where = answer.headers["link"].split(">")[0].strip("<")
    assert len(seen) == len(set(seen)) > 12


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/dreams", "/v1/injections"])
def test_other_lists_too(served: Served, path: str) -> None:
    read = served.headers("read")
    whole = served.client.get(path, headers=read).json()
    found: list[Any] = []
    where = f"{path}?limit=1"
    while where and len(found) <= len(whole):
        answer = served.client.get(where, headers=read)
        found += answer.json()
        where = answer.headers.get("link", "").split(">")[0].strip("<")
    assert found == whole


@pytest.mark.parametrize("cursor", ["x", "bm90IGpzb24", "WzFd", "é", "W10", "%00"])
def test_a_cursor_of_something_else_is_refused(served: Served, cursor: str) -> None:
    for path in ("/v1/events", "/v1/memories", "/v1/dreams", "/v1/injections", "/v1/model/calls"):
        answer = served.client.get(path, params={"cursor": cursor}, headers=served.headers("read"))
        assert answer.status_code == 422


def test_a_turn_is_learned_from(served: Served) -> None:
    body = {"user": "I moved to Tromsø last week", "assistant": "Noted.", "wait": True}
    answer = served.client.post("/v1/turns", json=body, headers=served.headers("admin")).json()
    assert len(answer["events"]) == 2
    assert answer["dreams"] or answer["left"]
    log = served.headers("log")
    assert served.client.post("/v1/turns", json=body, headers=log).status_code == 403
    said = served.client.post("/v1/turns", json=body | {"wait": False}, headers=log).json()
    assert len(said["events"]) == 2
    assert "dreams" not in said
    assert served.client.post("/v1/turns", json={"user": " "}, headers=log).status_code == 422


def test_an_export_is_read_back_by_who_may(served: Served) -> None:
    admin = served.headers("admin")
    export = served.client.get("/v1/export", headers=admin)
    assert export.headers["content-type"].startswith("application/x-ndjson")
    fresh = served.headers("all") | {"x-slowwave-space": "carla"}
    refused = served.client.post(
        "/v1/import", content=export.content, headers=served.headers("log")
    )
    assert refused.status_code == 403
    back = served.client.post("/v1/import?name=../../copy.jsonl", content=export.content,
                              headers=fresh).json()  # fmt: skip
    assert back["files"][0]["path"] == "copy.jsonl"
    assert back["files"][0]["memories"] > 0
    there = served.client.get("/v1/memories?space=carla", headers=served.headers("all")).json()
    here = served.client.get("/v1/memories", headers=served.headers("read")).json()
    assert [one["id"] for one in there] == [one["id"] for one in here]
    page = served.client.get("/v1/export?format=markdown", headers=admin)
    assert page.headers["content-type"].startswith("text/markdown")
    assert served.client.get("/v1/export?format=claw-yaml", headers=admin).status_code == 422


def test_an_upload_tells_no_path_of_the_server(served: Served) -> None:
    log = served.headers("log")
    for name, raw in (("a.zip", b"PK\x03\x04broken"), ("b", b"\x00\x01"), ("c.jsonl", b'{"text"')):
        answer = served.client.post(f"/v1/import?name={name}", content=raw, headers=log)
        assert answer.status_code < 500
        assert "/tmp" not in answer.text
        assert "slowwave-" not in answer.text
    named = served.client.post("/v1/import?name=/etc/passwd", content=b"", headers=log)
    assert named.status_code == 422


def test_forgetting_is_told_first_and_leaves_a_receipt(served: Served) -> None:
    admin = served.headers("admin")
    served.client.post("/v1/events", json={"text": "the safe is behind the Vermeer"}, headers=admin)
    asked = {"match": "behind the Vermeer"}
    plan = served.client.post("/v1/forget", json=asked, headers=admin).json()
    assert plan["events"][0]["text"] == "the safe is behind the Vermeer"
    assert served.client.post("/v1/forget", json=asked, headers=admin).json() == plan
    done = served.client.post("/v1/forget", json=asked | {"confirm": True}, headers=admin).json()
    assert done["removed"]["events"] == 1
    where = f"/v1/receipts/{done['receipt']}"
    assert served.client.get(where, headers=served.headers("read")).json()["ok"]
    assert served.client.get(where, headers=served.headers("bo")).status_code == 404
    assert served.client.post("/v1/forget", json=asked, headers=admin).status_code == 404
    path = served.client.get("/v1/receipts/%2Fetc%2Fpasswd", headers=admin)
    assert path.status_code == 404


def test_what_was_believed_on_a_day(served: Served) -> None:
    read = served.headers("read")
    now = served.client.get("/v1/memories?as_of=2026-12-01&status=active", headers=read).json()
    before = served.client.get("/v1/memories?as_of=2020-01-01", headers=read).json()
    assert now
    assert before == []
    held = served.client.get("/v1/memories?text=QUINCENUEVO", headers=read).json()
    assert held
    assert all("quincenuevo" in one["text"].casefold() for one in held)


def test_numbers_are_counted_by_route(served: Served) -> None:
    served.client.get("/v1/memories/nosuch", headers=served.headers("read"))
    told = served.client.get("/metrics", headers=served.headers("all")).text
    assert 'route="/v1/memories/{id}",status="404"' in told
    assert "nosuch" not in told
    for name in ("events", "memories", "dreams", "queue", "recalls_uncounted"):
        assert f"slowwave_{name}" in told
