"""Odd requests: each is answered with what is wrong with it, none breaks anything."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slowwave.servers.rest import ROUTES

Served = Any
JSON = {"content-type": "application/json"}
BODIES = sorted(
    {route.path for route in ROUTES if route.method == "POST" and route.body not in (None, bytes)}
)

ODD: dict[str, bytes] = {
    "nothing": b"",
    "odd bytes": b"\xff\xfe\x00\x01",
    "half a letter": b'{"query": "\xe4\xbd"}',
    "not a number": b'{"query": "tea", "k": NaN}',
    "endless": b'{"query": "tea", "min_score": 1e999}',
    "huge": b'{"query": "tea", "k": ' + b"9" * 5_000 + b"}",
    "deep": b'{"query": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "half a pair": b'{"query": "\\ud800"}',
    "twice": b'{"query": "tea", "query": "coffee"}',
    "more": b'{"query": "tea", "colour": "red"}',
    "no object": b'"tea"',
    "two values": b'{"query": "tea"} {"query": "tea"}',
    "text for a number": b'{"query": "tea", "k": "3"}',
    "null": b"null",
}


@pytest.mark.parametrize("raw", ODD.values(), ids=ODD)
def test_what_does_not_fit_is_refused(served: Served, raw: bytes) -> None:
    answer = served.client.post("/v1/recall", content=raw, headers=served.headers("read") | JSON)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["hint"]


@pytest.mark.parametrize("path", BODIES)
def test_odd_bytes_break_nothing(served: Served, path: str) -> None:
    for raw in ODD.values():
        where = path.replace("{id}", "nosuch")
        answer = served.client.post(where, content=raw, headers=served.headers("admin") | JSON)
        assert answer.status_code < 500, raw[:40]
        assert "Traceback" not in answer.text


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(BODIES), value=values)
def test_any_json_is_answered(served: Served, path: str, value: Any) -> None:
    raw = json.dumps(value).encode()
    where = path.replace("{id}", "nosuch")
    answer = served.client.post(where, content=raw, headers=served.headers("admin") | JSON)
    assert answer.status_code < 500


STRANGE = (
    "k=3", "query=tea&k=3.5", "query=tea&k=+3", "query=tea&k=0", "query=tea&k=3&k=4",
    "query=tea&explain=1", "query=tea&kind=x", "query=tea&min_score=nan", "query=tea&colour=red",
    "query=", "query=tea&space=", "query=tea&signal=", "query=tea&k=null",
)  # fmt: skip


@pytest.mark.parametrize("query", STRANGE)
def test_a_query_is_read_strictly(served: Served, query: str) -> None:
    answer = served.client.get(f"/v1/recall?{query}", headers=served.headers("read"))
    assert answer.status_code == 400


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "0001-01-01", "9999-12-31T23:59:59Z"])
def test_a_day_that_is_none_cannot_be_asked_for(served: Served, day: str) -> None:
    for name in ("since", "until", "as_of"):
        answer = served.client.get(f"/v1/recall?query=tea&{name}={day}",
                                   headers=served.headers("read"))  # fmt: skip
        assert answer.status_code == 422


def test_other_media_types_and_methods_are_refused(served: Served) -> None:
    headers = served.headers("admin")
    answer = served.client.post("/v1/recall", content=b"query=tea",
                                headers=headers | {"content-type": "text/plain"})  # fmt: skip
    assert answer.status_code == 415
    answer = served.client.delete("/v1/recall", headers=headers)
    assert answer.status_code == 405
    assert answer.headers["content-type"] == "application/problem+json"
    assert "POST" in answer.headers["allow"]
    assert served.client.get("/v1/nowhere", headers=headers).status_code == 404


def test_a_whole_number_may_be_written_with_a_point(served: Served) -> None:
    answer = served.client.post("/v1/recall", content=b'{"query": "tea", "k": 3.0}',
                                headers=served.headers("read") | JSON)  # fmt: skip
    assert answer.status_code == 200
