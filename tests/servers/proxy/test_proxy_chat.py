"""A chat through the proxy: what goes up, what comes back, what is logged."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import openai
import pytest

from slowwave.errors import StoreBusy
from slowwave.servers.proxy.talks import CUT_OFF
from slowwave.testing.scripted_model import (
    ScriptedModel,
    busy,
    calling,
    failing,
    holding,
    packed,
    page,
    redirected,
    reset,
    thinking,
)

PARROT = "The parrot of my neighbour Ines is called Bartolo."
ASKED = "What is the parrot of my neighbour Ines called?"
MARK = "<slowwave-memory"


def chat(*said: Any, **more: Any) -> dict[str, Any]:
    messages = [
        one if isinstance(one, dict) else {"role": role, "content": one}
        for one, role in zip(said, ["user", "assistant"] * len(said), strict=False)
    ]
    return {"model": "scripted", "messages": messages, **more}


def system(house: Any, model: ScriptedModel, body: dict[str, Any]) -> dict[str, Any]:
    """The first message that reached the model."""
    house.ask(body)
    return dict(model.asked[-1].messages[0])


# --- what goes up ---------------------------------------------------------------------------------


def test_memories_go_into_the_system_prompt_and_nowhere_else(
    house: Any, model: ScriptedModel
) -> None:
    model._script = ["Bartolo."]
    house.remember(PARROT)
    answer = house.ask(chat(ASKED))
    sent = model.asked[0].messages
    assert [one["role"] for one in sent] == ["system", "user"]
    assert sent[1]["content"] == ASKED
    assert sent[0]["content"].startswith(MARK)
    assert "untrusted" in sent[0]["content"]
    assert PARROT in sent[0]["content"]
    assert answer.headers["x-slowwave-memory"] == "injected"
    assert int(answer.headers["x-slowwave-tokens"]) > 0
    assert float(answer.headers["x-slowwave-overhead-ms"]) > 0
    (entry,) = house.spaces.first.parts.store.injections("default")
    assert answer.headers["x-slowwave-ledger"] == entry.id
    assert house.last.injected == 1


@pytest.mark.parametrize("role", ["system", "developer"])
@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("Be brief.", "Be brief.\n\n"),
        ("", ""),
        (None, ""),
    ],
)
def test_behind_the_words_of_the_first_system_message(
    house: Any, model: ScriptedModel, role: str, content: str | None, kept: str
) -> None:
    model._script = ["Bartolo."]
    house.remember(PARROT)
    given = [
        {"role": "user", "content": "hi"}, {"role": role, "content": content},
        {"role": "system", "content": "Second."}, {"role": "user", "content": ASKED},
    ]  # fmt: skip
    house.ask(chat(*given))
    sent = model.asked[0].messages
    assert sent[1]["content"].startswith(f"{kept}{MARK}")
    assert sent[2:] == given[2:]
    assert sent[0] == given[0]


def test_a_content_in_parts_gets_one_more(house: Any, model: ScriptedModel) -> None:
    model._script = ["Bartolo."]
    house.remember(PARROT)
    parts = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    first = system(
        house, model, chat({"role": "system", "content": parts}, {"role": "user", "content": ASKED})
    )
    assert first["content"][0] == parts[0]
    assert first["content"][1]["type"] == "text"
    assert first["content"][1]["text"].startswith(MARK)


ODD = (
    '{ "model":"scripted",\t"seed": 123456789012345678901234567890, "temperature": 1.10,'
    ' "top_p":1e0, "x_unknown": {"b":1,"a":[1.0,-0,2E+3]}, "messages" : [ {"role":"user" , '
    '"content":[{"type":"text","text":"%s \\u0041\\ud83d"},{"type":"image_url",'
    '"image_url":{"url":"data:image/png;base64,iVBORw0KGgo=","detail":"low"}}],"name":"user"} ],'
    '"tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":1e400}}}],'
    '"seed": 7 }'
)


def test_without_memories_every_byte_goes_up_as_it_came(house: Any, model: ScriptedModel) -> None:
    model._script = ["hm"]
    raw = (ODD % "nothing is known of this").encode()
    house.ask(raw=raw, content_type="application/json")
    assert model.bytes_received.endswith(raw)


def test_with_memories_nothing_else_changes(house: Any, model: ScriptedModel) -> None:
    model._script = ["Bartolo."]
    house.remember(PARROT)
    raw = (ODD % ASKED).encode()
    house.ask(raw=raw, content_type="application/json")
    sent = model.bytes_received[model.bytes_received.index(b'{ "model"') :]
    before, _, after = raw.partition(b'"messages" : [')
    assert sent.startswith(before + b'"messages" : [')
    assert sent.endswith(after)
    added = sent[len(before) + len(b'"messages" : [') : -len(after)].decode()
    assert json.loads(added.removesuffix(", "))["content"].startswith(MARK)


@pytest.mark.parametrize(
    "raw",
    [b"", b"no json", b"[1]", b'{"messages": 3}', b'{"messages": [3, null, {"role": ["x"]}]}',
     b'{"a": NaN, "messages": []}', b"\xff\xfe", b'{"messages": ' + b"[" * 30_000,
     b'{"messages": [{"role": "user", "content": {"deep": 1}}]}'],
)  # fmt: skip
def test_what_cannot_be_read_is_for_the_upstream_to_judge(
    house: Any, model: ScriptedModel, raw: bytes
) -> None:
    model._script = [failing(400, "what is this?", "bad")]
    answer = house.ask(raw=raw)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "what is this?"
    assert model.bytes_received.endswith(raw)
    assert house.said() == []


def test_headers_of_the_way_stay_on_the_way(house: Any, model: ScriptedModel) -> None:
    model._script = ["hm"]
    house.ask(
        chat("hello there"), x_custom="kept", connection="x-hop", x_hop="gone", te="trailers",
        x_slowwave_session="s", cookie="slowwave_session=secret; other=1", user_agent="me/1",
    )  # fmt: skip
    headers = model.asked[0].headers
    assert headers["x-custom"] == "kept"
    assert headers["user-agent"] == "me/1"
    assert headers["cookie"] == "other=1"
    assert "x-hop" not in headers
    assert "te" not in headers
    assert headers["host"] == f"127.0.0.1:{model.port}"
    assert not [name for name in headers if name.startswith("x-slowwave")]


# --- what is logged -------------------------------------------------------------------------------


def test_both_sides_are_logged_once(house: Any, model: ScriptedModel) -> None:
    model._script = ["Hello Ada.", "In the shed.", "Welcome."]
    said = ["I am Ada", "Hello Ada.", "where is the rake?", "In the shed.", "ta"]
    first = house.ask(chat(*said[:1]), x_slowwave_channel="厨房")
    house.again()
    house.ask(chat(*said[:3]), x_slowwave_channel="厨房")
    last = house.ask(chat(*said), x_slowwave_channel="厨房")
    assert house.said() == [
        ("user", "I am Ada"), ("assistant", "Hello Ada."), ("user", "where is the rake?"),
        ("assistant", "In the shed."), ("user", "ta"), ("assistant", "Welcome."),
    ]  # fmt: skip
    assert first.headers["x-slowwave-logged"] == "1"
    assert last.headers["x-slowwave-logged"] == "1"
    events = house.logged()
    assert [one.origin for one in events] == ["owner", "agent"] * 3
    assert {one.channel for one in events} == {"厨房"}
    assert {one.session for one in events} == {last.headers["x-slowwave-session"]}


@pytest.mark.parametrize(
    ("body", "headers", "session"),
    [
        ({}, {"x_slowwave_session": "mine"}, "mine"),
        ({"metadata": {"session_id": "m-1"}}, {}, "m-1"),
        ({"conversation": {"id": "conv_7"}}, {}, "conv_7"),
        ({"thread_id": 42}, {}, "42"),
        ({"metadata": {"session_id": "m-1"}}, {"x_slowwave_session": "mine"}, "mine"),
    ],
)
def test_the_name_of_the_session(
    house: Any, model: ScriptedModel, body: Any, headers: Any, session: str
) -> None:
    model._script = ["ok"]
    answer = house.ask(chat("hello", **body), **headers)
    assert {one.session for one in house.logged()} == {session}
    assert answer.headers["x-slowwave-session"] == session


def test_users_of_one_client_are_told_apart(house: Any, model: ScriptedModel) -> None:
    model._script = ["ok", "ok"]
    for user in ("ann", "ben"):
        house.ask(chat("hello", user=user))
    assert len(house.said()) == 4
    assert len({one.session for one in house.logged()}) == 2


def test_tools_are_tools(house: Any, model: ScriptedModel) -> None:
    model._script = [calling(("weather", {"city": "Oslo"}), text="Let me look."), "Rain."]
    begun = {"role": "user", "content": "how is the weather in Oslo?"}
    answer = house.ask(chat(begun)).json()["choices"][0]["message"]
    result = {"role": "tool", "tool_call_id": "call_0", "content": "I live in Oslo and love rain"}
    house.ask(chat(begun, answer, result))
    assert [(one.role, one.kind, one.origin) for one in house.logged()] == [
        ("user", "message", "owner"), ("assistant", "message", "agent"),
        ("assistant", "tool_call", "tool"), ("tool", "tool_result", "tool"),
        ("assistant", "message", "agent"),
    ]  # fmt: skip
    assert house.logged()[2].text == 'weather {"city": "Oslo"}'


def test_while_an_agent_works_its_prompt_stays(house: Any, model: ScriptedModel) -> None:
    model._script = [calling(("look", {})), "Bartolo."]
    house.remember(PARROT)
    begun = {"role": "user", "content": ASKED}

    async def work(client: httpx.AsyncClient) -> list[httpx.Response]:
        first = await client.post("/v1/chat/completions", json=chat(begun))
        said = first.json()["choices"][0]["message"]
        result = {"role": "tool", "tool_call_id": "call_0", "content": "nothing"}
        return [first, await client.post("/v1/chat/completions", json=chat(begun, said, result))]

    one, two = house.run(work)
    assert one.headers["x-slowwave-ledger"] == two.headers["x-slowwave-ledger"]
    assert model.asked[0].system == model.asked[1].system != ""
    assert len(house.spaces.first.parts.store.injections("default")) == 1


def test_pictures_are_named(house: Any, model: ScriptedModel) -> None:
    model._script = ["A cat."]
    data = "data:image/png;base64," + "QUJD" * 500
    signed = "https://me:pass@pictures.example/cats/tom.jpg?signature=abcdef"
    parts = [
        {"type": "text", "text": "who is this?"},
        {"type": "image_url", "image_url": {"url": data}},
        {"type": "image_url", "image_url": {"url": signed}},
        {"type": "file", "file": {"filename": "plan.pdf", "file_data": data}},
        {"type": "input_audio", "input_audio": {"data": "QUJD" * 500, "format": "wav"}},
    ]
    house.ask(chat({"role": "user", "content": parts}))
    assert model.asked[0].messages[-1]["content"] == parts
    assert house.said()[0][1] == (
        "who is this?\n[image: image/png]\n[image: https://pictures.example/cats/tom.jpg]\n"
        "[file: plan.pdf]\n[audio: wav]"
    )


def test_what_came_out_of_memory_is_not_logged(house: Any, model: ScriptedModel) -> None:
    house.remember(PARROT)
    model._script = ["Bartolo.", "", "ok"]
    house.ask(chat(ASKED))
    block = model.asked[0].system
    model._script[1] = f"Here it is:\n{block}"
    house.ask(chat(ASKED, "Bartolo.", f"what do you know?\n\n{block}"))
    result = {"role": "tool", "content": block, "tool_call_id": "x"}
    house.ask(chat(ASKED, "Bartolo.", f"what do you know?\n\n{block}",
                   f"Here it is:\n{block}", block, result))  # fmt: skip
    assert [text for _, text in house.said()] == [
        ASKED, "Bartolo.", "what do you know?", "Here it is:", "ok",
    ]  # fmt: skip
    assert not [one for one in house.logged() if "slowwave" in one.text]


def test_what_a_model_thinks_aloud_is_not_said(house: Any, model: ScriptedModel) -> None:
    model._script = [thinking("Seven.", "The user wants a number"), "Eight."]
    house.ask(chat("a number?"))
    house.ask(chat("a number?", "Seven.", "another one"))
    assert [text for _, text in house.said()] == ["a number?", "Seven.", "another one", "Eight."]


def test_an_answer_that_was_cut_by_its_limit_says_so(house: Any, model: ScriptedModel) -> None:
    from dataclasses import replace

    from slowwave.testing.scripted_model import Say

    model._script = [replace(Say("It is in the"), finish="length")]
    house.ask(chat("where is it?"))
    assert house.logged()[1].meta == {CUT_OFF: "length"}


@pytest.mark.parametrize(
    "given",
    [{"proxy": "learn = true"},
     pytest.param({"head": 'preset = "realtime"'}, marks=pytest.mark.slow)],
)  # fmt: skip
def test_turns_are_learned_from_at_once(
    build_house: Callable[..., Any], model: ScriptedModel, given: Any
) -> None:
    model._script = [calling(("clock", {}), text="One moment."), "Noted!"]
    house = build_house(**given)
    begun = {"role": "user", "content": "I am allergic to walnuts."}
    answer = house.ask(chat(begun)).json()["choices"][0]["message"]
    assert house.spaces.first.dreams() == []  # the turn is not over
    house.ask(chat(begun, answer, {"role": "tool", "tool_call_id": "call_0", "content": "noon"}))
    assert house.spaces.first.turns_done(10)
    (dream,) = house.spaces.first.dreams()
    assert dream.by == "turn"
    turn = [one for one in house.logged() if one.source == "turn"]
    assert [one.text for one in turn] == [begun["content"], "One moment.", "Noted!"]
    assert len({one.meta["turn"] for one in turn}) == 1


# --- switches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "headers", "memory", "logged"),
    [
        ("read_only = true", {}, "injected", "read-only"),
        ("inject = false", {}, "off", "1"),
        ("capture = false", {}, "injected", "off"),
        ("", {"x_slowwave_inject": "off"}, "off", "1"),
        ("", {"x_slowwave_capture": "off"}, "injected", "off"),
    ],
)
def test_parts_can_be_switched_off(
    build_house: Callable[..., Any], model: ScriptedModel,
    settings: str, headers: Any, memory: str, logged: str,
) -> None:  # fmt: skip
    house = build_house(proxy=settings)
    house.remember(PARROT)
    model._script = ["Bartolo."]
    answer = house.ask(chat(ASKED), **headers)
    assert answer.headers["x-slowwave-memory"] == memory
    assert answer.headers["x-slowwave-logged"] == logged
    assert bool(model.asked[0].system) == (memory == "injected")
    assert bool(house.said()) == (logged == "1")
    store = house.spaces.first.parts.store
    counted = memory == "injected" and settings != "read_only = true"
    assert len(store.injections("default")) == counted


def test_while_a_trial_runs_nothing_is_injected_and_it_is_noted(
    build_house: Callable[..., Any], model: ScriptedModel
) -> None:
    for name, settings, noted in (("a", "", 1), ("b", "read_only = true", 0)):
        house = build_house(name, proxy=settings)
        house.remember(PARROT)
        house.spaces.first.trial_start(3)
        model._script = ["Bartolo."]
        model._turns = 0
        answer = house.ask(chat(ASKED))
        assert answer.headers["x-slowwave-memory"] == "trial"
        assert model.asked[-1].system == ""
        entries = house.spaces.first.trial_entries()
        assert len(entries) == noted
        assert all(entry.items for entry in entries)


# --- failures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
def test_errors_of_the_upstream_stay_as_they_are(
    house: Any, model: ScriptedModel, status: int
) -> None:
    fault = busy(retry_after=7) if status == 429 else failing(status, "no", "code")
    model._script = [fault, fault, "Yes."]
    with httpx.Client(verify=False) as plain:
        expected = plain.post(f"{model.base_url}/chat/completions", json=chat("hi there"))
    answer = house.ask(chat("hi there"))
    assert (answer.status_code, answer.content) == (expected.status_code, expected.content)
    assert answer.headers.get("retry-after") == expected.headers.get("retry-after")
    assert house.last.refused == 1
    house.ask(chat("hi there"))
    assert house.said() == [("user", "hi there"), ("assistant", "Yes.")]


@pytest.mark.parametrize("turn", [page(), page(404), packed("ok"), calling(("f", {"a": 1}))])
@pytest.mark.parametrize("stream", [False, True])
def test_bytes_pass_as_they_came(house: Any, model: ScriptedModel, turn: Any, stream: bool) -> None:
    model._script = lambda _: turn
    headers = {"accept-encoding": "gzip, br"}

    async def raw(client: httpx.AsyncClient, url: str) -> tuple[Any, bytes]:
        async with client.stream("POST", url, json=chat("hi", stream=stream), headers=headers) as r:
            kept = {name: r.headers.get(name) for name in ("content-type", "content-encoding")}
            body = b"".join([chunk async for chunk in r.aiter_raw()])
            return (r.status_code, kept), body

    async def work(client: httpx.AsyncClient) -> list[Any]:
        model.requests.clear()  # answers are numbered
        through = await raw(client, "/v1/chat/completions")
        model.requests.clear()
        async with httpx.AsyncClient(verify=False) as plain:
            return [through, await raw(plain, f"{model.base_url}/chat/completions")]

    through, plain = house.run(work)
    assert through == plain
    if turn == packed("ok"):
        assert house.said() == [("user", "hi"), ("assistant", "ok")]


def test_nobody_there(build_house: Callable[..., Any]) -> None:
    house = build_house(base_url="http://127.0.0.1:9/v1")
    answer = house.ask(chat("hello"))
    assert answer.status_code == 502
    assert answer.json()["error"]["code"] == "upstream_unreachable"
    assert "127.0.0.1:9" in answer.json()["error"]["message"]
    assert house.said() == [("user", "hello")]


def test_broken_off_before_the_answer(house: Any, model: ScriptedModel) -> None:
    model._script = [reset()]
    answer = house.ask(chat("hello"))
    assert answer.status_code == 502
    assert answer.json()["error"]["code"] == "upstream_broken"


def test_too_slow(build_house: Callable[..., Any], model: ScriptedModel) -> None:
    house = build_house(proxy="timeout = 0.2")
    model._script = [holding(3)]
    answer = house.ask(chat("hello"))
    assert answer.status_code == 504
    assert answer.json()["error"]["code"] == "upstream_timeout"


def test_no_redirect_is_passed_on(house: Any, model: ScriptedModel) -> None:
    model._script = [redirected("http://elsewhere.example/")]
    answer = house.ask(chat("hello"))
    assert answer.status_code == 502
    assert answer.json()["error"]["code"] == "upstream_redirects"


def test_no_upstream_says_what_to_set(build_house: Callable[..., Any]) -> None:
    answer = build_house(base_url="").ask(chat("hello"))
    assert answer.status_code == 422
    assert "[server.proxy]" in answer.json()["error"]["message"]
    assert answer.json()["hint"]
    broken = build_house("b", base_url="ftp://x").ask(chat("hello"))
    assert broken.status_code == 422


@pytest.mark.parametrize("what", ["find", "recall", "log"])
@pytest.mark.parametrize("error", [StoreBusy("locked"), ZeroDivisionError("a bug")])
def test_memory_that_fails_fails_no_chat(
    house: Any, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture, what: str, error: Exception,
) -> None:  # fmt: skip
    def fails(*_: Any, **__: Any) -> None:
        raise error

    place = {
        "find": "slowwave.servers.proxy.talks.Talks.find",
        "recall": "slowwave.servers.proxy.desk._recalled",
        "log": "slowwave.memory.SlowMemory.log",
    }[what]
    model._script = ["Bartolo.", "Yes."]
    house.remember(PARROT)
    with monkeypatch.context() as patched:
        patched.setattr(place, fails)
        answer = house.ask(chat(ASKED), x_slowwave_session="s")
    assert answer.json()["choices"][0]["message"]["content"] == "Bartolo."
    if what == "log":
        assert answer.headers["x-slowwave-logged"] == "failed"
        assert house.last.unlogged == 2
    else:
        assert answer.headers["x-slowwave-memory"] == "failed"
        assert answer.headers["x-slowwave-logged"] == "1"
        assert house.last.without_memory == 1
    assert type(error).__name__ in caplog.text
    assert ASKED not in caplog.text
    # What was not logged then is logged with the next question.
    house.ask(chat(ASKED, "Bartolo.", "sure?"), x_slowwave_session="s")
    assert [text for _, text in house.said()] == [ASKED, "Bartolo.", "sure?", "Yes."]


def test_memory_that_is_slow_is_not_waited_for(
    house: Any, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    free = threading.Event()
    monkeypatch.setattr("slowwave.servers.proxy.desk.PATIENCE", 0.1)
    monkeypatch.setattr("slowwave.servers.proxy.desk._recalled", lambda *_: (free.wait(10), 1 / 0))
    model._script = ["ok"]

    async def work(client: httpx.AsyncClient) -> httpx.Response:
        try:
            return await client.post("/v1/chat/completions", json=chat("hello"))
        finally:
            free.set()

    answer = house.run(work)
    assert answer.headers["x-slowwave-memory"] == "slow"
    assert [text for _, text in house.said()] == ["hello", "ok"]


def test_it_never_sends_to_itself(build_house: Callable[..., Any], model: ScriptedModel) -> None:
    house = build_house()
    model._script = ["ok"]

    async def work(client: httpx.AsyncClient) -> list[httpx.Response]:
        first = await client.post("/v1/chat/completions", json=chat("hello"))
        via = model.asked[0].headers["via"]
        again = await client.post("/v1/chat/completions", json=chat("hello"), headers={"via": via})
        other = {"via": "1.1 cache, 1.1 slowwave-another"}
        return [first, again, await client.get("/v1/models", headers=other)]

    first, again, other = house.run(work)
    assert [first.status_code, again.status_code, other.status_code] == [200, 508, 200]
    assert again.json()["error"]["code"] == "loop"
    assert model.requests[-1].headers["via"].startswith("1.1 cache, 1.1 slowwave-another, 1.1 s")


# --- other paths ----------------------------------------------------------------------------------


def test_models_and_embeddings_pass_through(house: Any, model: ScriptedModel) -> None:
    with httpx.Client(verify=False) as plain:
        models = plain.get(f"{model.base_url}/models").content
    assert house.ask(path="/v1/models", method="GET").content == models
    assert house.ask({"input": "x", "model": "m"}, "/v1/embeddings").json()["data"]
    assert house.ask(path="/v1/models/a%2Fb?space=default&limit=3", method="GET").status_code == 404
    assert model.requests[-1].path == "/v1/models/a%2Fb"
    assert b"limit=3" in model.bytes_received
    assert b"space=default" not in model.bytes_received


def test_responses_get_memories_and_are_logged(house: Any, model: ScriptedModel) -> None:
    house.remember(PARROT)
    model._script = ["Bartolo.", calling(("look", {"at": "it"})), "Green."]
    first = house.ask({"model": "m", "input": ASKED}, "/v1/responses")
    assert first.headers["x-slowwave-memory"] == "injected"
    assert model.requests[-1].body["instructions"].startswith(MARK)
    assert model.requests[-1].body["input"] == ASKED
    items = [
        {"role": "user", "content": [{"type": "input_text", "text": ASKED}]},
        *first.json()["output"],
        {"role": "user", "content": "and its colour?"},
    ]
    second = house.ask({"model": "m", "input": items, "instructions": "Brief."}, "/v1/responses")
    assert model.requests[-1].body["instructions"].startswith("Brief.")
    items += [*second.json()["output"],
              {"type": "function_call_output", "call_id": "call_0", "output": "green"}]  # fmt: skip
    house.ask({"model": "m", "input": items}, "/v1/responses")
    assert [(one.kind, one.text) for one in house.logged()] == [
        ("message", ASKED), ("message", "Bartolo."), ("message", "and its colour?"),
        ("tool_call", 'look {"at": "it"}'), ("tool_result", "green"), ("message", "Green."),
    ]  # fmt: skip


def test_responses_that_go_on_from_another_one(house: Any, model: ScriptedModel) -> None:
    model._script = ["One.", "Two.", "Two again.", "Three."]
    first = house.ask({"model": "m", "input": "count"}, "/v1/responses").json()["id"]
    more = {"model": "m", "input": "go on", "previous_response_id": first}
    second = house.ask(more, "/v1/responses").json()["id"]
    house.again()
    house.ask(more, "/v1/responses")  # once more
    more["previous_response_id"] = second
    house.ask(more, "/v1/responses")
    assert [text for _, text in house.said()] == [
        "count", "One.", "go on", "Two.", "Two again.", "go on", "Three.",
    ]  # fmt: skip
    assert len({one.session for one in house.logged()}) == 1


def test_what_tools_bring_is_what_it_is(house: Any, model: ScriptedModel) -> None:
    calls = [("memory_search", "I like plums."), ("web_fetch", "The page says so."),
             ("clock", "It is noon.")]  # fmt: skip
    model._script = [calling(*[(name, {"n": 1}) for name, _ in calls]), "Done."]
    begun = {"role": "user", "content": "look around"}
    answer = house.ask(chat(begun)).json()["choices"][0]["message"]
    results = [
        {"role": "tool", "tool_call_id": f"call_{number}", "content": text}
        for number, (_, text) in enumerate(calls)
    ]
    house.ask(chat(begun, answer, *results))
    assert [(one.text, one.origin) for one in house.logged() if one.kind == "tool_result"] == [
        ("The page says so.", "external"), ("It is noon.", "tool"),
    ]  # fmt: skip


def test_a_prompt_that_is_kept_holds_nothing_that_was_forgotten(
    house: Any, model: ScriptedModel
) -> None:
    model._script = [calling(("look", {})), "Bartolo."]
    house.remember(PARROT)
    begun = {"role": "user", "content": ASKED}

    async def work(client: httpx.AsyncClient) -> None:
        first = await client.post("/v1/chat/completions", json=chat(begun))
        memory = house.spaces.first
        (event,) = [one for one in memory.events_since(0) if one.text == PARROT]
        memory.forget(memory.forget_plan(event.id))
        said = first.json()["choices"][0]["message"]
        result = {"role": "tool", "tool_call_id": "call_0", "content": "nothing"}
        await client.post("/v1/chat/completions", json=chat(begun, said, result))

    house.run(work)
    assert PARROT in model.asked[0].system
    assert PARROT not in model.asked[1].system


# --- with the clients that people use -------------------------------------------------------------


def test_the_client_sees_no_difference(house: Any, model: ScriptedModel) -> None:
    import httpx2

    model._script = lambda request: f"You said {request.prompt}."

    async def both(client: openai.AsyncOpenAI) -> list[Any]:
        whole = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hello"}]
        )
        stream = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hello"}], stream=True,
            stream_options={"include_usage": True},
        )  # fmt: skip
        return [whole.model_dump(), *[chunk.model_dump() async for chunk in stream]]

    async def work(_: httpx.AsyncClient) -> None:
        transport = httpx2.ASGITransport(app=house.app)
        async with (
            openai.AsyncOpenAI(base_url=model.base_url, api_key="k") as plain,
            openai.AsyncOpenAI(
                base_url="http://localhost:8377/v1", api_key="k",
                http_client=httpx2.AsyncClient(transport=transport),
            ) as through,
        ):  # fmt: skip

            def plainly(values: list[Any]) -> list[Any]:
                return [{**one, "id": ""} for one in values]

            assert plainly(await both(plain)) == plainly(await both(through))

    house.run(work)
    assert house.said() == [("user", "hello"), ("assistant", "You said hello.")]
