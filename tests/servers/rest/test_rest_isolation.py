"""No token, a wrong one, a narrower one, one of another space: none opens anything."""

from itertools import product
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slowwave.servers.rest import ROUTES
from slowwave.servers.rest.openapi import schema_of
from slowwave.servers.rest.route import Route

Served = Any
"""The fixture of that name."""

PATHS = schema_of(ROUTES)["paths"]
CLOSED = [route for route in ROUTES if not route.open]
NAMES = [f"{route.method} {route.path}" for route in CLOSED]
NOBODY = "nosuchid2345"
STRANGERS: tuple[dict[str, str], ...] = (
    {}, {"authorization": "Bearer slw_wrong"}, {"authorization": "Basic x"},
    {"x-slowwave-token": "no"},
)  # fmt: skip


def ask(
    served: Served, route: Route, headers: dict[str, str], name: str = NOBODY, space: str = ""
) -> Any:
    """A request that fits the schema, with this id wherever one is named."""
    told = PATHS[route.path][route.method.lower()]
    query = {one["name"]: one["example"] for one in told["parameters"] if one.get("required")
             and one["in"] == "query"}  # fmt: skip
    if space:
        query["space"] = space
    given: dict[str, Any] = {"params": query, "headers": headers}
    if route.body is bytes:
        given["content"] = b'{"text": "hello there"}\n'
    elif route.body is not None:
        body = told["requestBody"]["content"]["application/json"]["example"]
        given["json"] = {key: name if key in ("id", "keep") else one for key, one in body.items()}
    path = route.path.replace("{id}", quote(name, safe=""))
    return served.client.request(route.method, path, **given)


def leaks(answer: Any, mark: str) -> bool:
    """Whether the word of a space stands anywhere in an answer."""
    return mark in answer.text.casefold() or any(mark in one for one in answer.headers.values())


def ids_of(served: Served, space: str) -> list[str]:
    """The ids of everything that a space holds."""
    memory = served.spaces.memory(space)
    found = [one.id for one in memory.memories()] + [one.dream_id for one in memory.dreams()]
    found += [event.id for event in memory.events_since(0)]
    found += [one.id for one in memory.working()] + [one.id for one in memory.injections()]
    found += [path.stem for path in sorted((served.home / "receipts").glob("*.json"))]
    return [*found, f"{served.marks[space]}-1"]


def test_who_has_no_token_gets_in_nowhere(served: Served) -> None:
    for route, headers in product(CLOSED, STRANGERS):
        answer = ask(served, route, headers)
        assert answer.status_code == 401, route.path
        assert answer.headers["content-type"] == "application/problem+json"
        assert not any(leaks(answer, mark) for mark in served.marks.values())


def test_a_narrower_token_opens_no_more_than_its_scope(served: Served) -> None:
    for route, who in product(CLOSED, ("read", "log", "review")):
        open_to = {who} | ({"read"} if who == "review" else set())
        if route.scope not in open_to:
            answer = ask(served, route, served.headers(who))
            assert answer.status_code == 403, (route.path, who)
            assert not any(leaks(answer, mark) for mark in served.marks.values())


def test_a_token_of_one_space_asks_for_another_in_vain(served: Served) -> None:
    for route, space in product(CLOSED, ("bo", "nobody-has-this")):
        if route.path.startswith("/v1/") and route.path != "/v1/spaces":
            answer = ask(served, route, served.headers("admin"), space=space)
            assert answer.status_code == 403
            assert "nobody" not in answer.text
            assert "bo" not in answer.json()["detail"].split()
        header = served.headers("admin") | {"x-slowwave-space": space}
        assert not leaks(ask(served, route, header), served.marks["bo"])


@pytest.mark.parametrize("route", [one for one in CLOSED if one.path != "/v1/forget"],
                         ids=[name for name in NAMES if "forget" not in name])  # fmt: skip
def test_what_another_space_holds_is_as_if_it_were_not(served: Served, route: Route) -> None:
    uses_id = "{id}" in route.path or "id" in str((route.body and route.body.__doc__) or "")
    if not uses_id:
        answer = ask(served, route, served.headers("admin"))
        assert not leaks(answer, served.marks["bo"])
        return
    missing = ask(served, route, served.headers("admin"))
    for name in ids_of(served, "bo"):
        if route.path == "/v1/receipts/{id}" and not name.startswith("r"):
            continue
        if name in ids_of(served, "ana"):
            continue
        answer = ask(served, route, served.headers("admin"), name)
        assert answer.status_code == missing.status_code, name
        assert answer.text.replace(name, "?") == missing.text.replace(NOBODY, "?")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_nothing_that_is_asked_brings_a_word_of_another_space(data: Any, served: Served) -> None:
    route = data.draw(st.sampled_from([one for one in CLOSED if one.path != "/v1/forget"]))
    who = data.draw(st.sampled_from(["read", "review", "admin", "log"]))
    name = data.draw(st.sampled_from([*ids_of(served, "bo"), NOBODY, "last", "../bo", "%"]))
    headers = served.headers(who) | data.draw(
        st.sampled_from([{}, {"x-slowwave-space": "bo"}, {"idempotency-key": "k1"}])
    )
    space = data.draw(st.sampled_from(["", "", "bo", "ANA", "ana/bo"]))
    answer = ask(served, route, headers, name, space)
    assert answer.status_code < 500
    # What was asked may be told again; nothing else.
    assert served.marks["bo"] not in answer.text.replace(name, "")


def test_only_the_spaces_a_token_sees_are_listed(served: Served) -> None:
    listed = served.client.get("/v1/spaces", headers=served.headers("read")).json()
    assert listed == [{"name": "ana", "default": True}]
    listed = served.client.get("/v1/spaces", headers=served.headers("bo")).json()
    assert listed == [{"name": "bo", "default": False}]
    listed = served.client.get("/v1/spaces", headers=served.headers("all")).json()
    assert {"ana", "bo"} <= {one["name"] for one in listed}


def test_numbers_of_the_server_are_for_who_sees_all_of_it(served: Served) -> None:
    assert served.client.get("/metrics", headers=served.headers("bo")).status_code == 403
    told = served.client.get("/metrics", headers=served.headers("all")).text
    assert 'slowwave_events{space="bo"}' in told


def test_an_idempotency_key_of_another_finds_nothing(served: Served) -> None:
    said = {"json": {"text": "kept once"}, "headers": {"idempotency-key": "mine"}}
    answers = [
        served.client.post("/v1/events", json=said["json"],
                           headers=served.headers(who) | said["headers"]).json()
        for who in ("log", "bo")
    ]  # fmt: skip
    assert len({one["events"][0]["id"] for one in answers}) == 2


def test_whether_it_lives_is_told_to_everybody_and_nothing_else(served: Served) -> None:
    answer = served.client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok"}
