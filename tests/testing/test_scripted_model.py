"""The scripted server itself, through the SDK that users have."""

import json
import urllib.error
import urllib.request
from typing import Any

import openai
import pytest

from slowwave.model import short_id
from slowwave.testing.scripted_model import (
    Request,
    Say,
    ScriptedModel,
    busy,
    chatty,
    echo,
    fenced,
    holding,
    invented,
    reset,
    truncated,
    wrong_ids,
)

MESSAGES: list[Any] = [
    {"role": "system", "content": "You list glazes."},
    {"role": "user", "content": "蓝釉 and red"},
]


def client(server: ScriptedModel) -> openai.OpenAI:
    http = openai.DefaultHttpxClient(trust_env=False)
    return openai.OpenAI(
        base_url=server.base_url, api_key="k", max_retries=0, timeout=5, http_client=http
    )


def said(server: ScriptedModel) -> str:
    with client(server) as sdk:
        answer = sdk.chat.completions.create(model="scripted", messages=MESSAGES)
    return answer.choices[0].message.content or ""


def test_turns_are_said_in_order_and_then_it_is_over() -> None:
    with ScriptedModel(["one", {"items": ["釉"]}, Say("three", finish="length")]) as server:
        assert [said(server) for _ in range(3)] == ["one", '{"items": ["釉"]}', "three"]
        with pytest.raises(openai.InternalServerError, match="the script is over"):
            said(server)
        assert len(server.asked) == 4


def test_a_function_answers_by_the_question() -> None:
    def script(request: Request) -> str:
        return f"{request.system}|{request.prompt}"

    with ScriptedModel(script) as server:
        assert said(server) == "You list glazes.|蓝釉 and red"


def test_a_stream_says_the_same() -> None:
    text = "a long answer about 釉 and fire " * 3
    with ScriptedModel([Say(text, tokens_in=5, tokens_out=7)]) as server, client(server) as sdk:
        stream = sdk.chat.completions.create(
            model="scripted", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
        )
        chunks = list(stream)
    pieces = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    assert "".join(pieces) == text
    assert len(pieces) > 3
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == 12


def test_models_and_vectors() -> None:
    with ScriptedModel(models=("a", "b")) as server, client(server) as sdk:
        assert [one.id for one in sdk.models.list().data] == ["a", "b"]
        near = sdk.embeddings.create(model="a", input=["the kiln", "the kiln!", "紫禁城"])
        plain = sdk.embeddings.create(model="a", input="the kiln", encoding_format="float")
    first, second, third = (one.embedding for one in near.data)
    assert plain.data[0].embedding == pytest.approx(first, abs=1e-6)

    def cosine(a: list[float], b: list[float]) -> float:
        length = sum(x * x for x in a) ** 0.5 * sum(x * x for x in b) ** 0.5
        return sum(x * y for x, y in zip(a, b, strict=True)) / length

    assert cosine(first, second) > 0.7 > cosine(first, third)


def test_every_byte_is_kept_and_readable() -> None:
    with ScriptedModel(["ok"]) as server:
        said(server)
        assert b"authorization: bearer k" in server.bytes_received.lower()
        assert "蓝釉 and red" in server.received_text
        payload = json.dumps({"messages": [{"role": "user", "content": "深夜"}]}).encode()
        assert b"\\u" in payload
        url = f"{server.base_url}/chat/completions"
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.urlopen(urllib.request.Request(url, payload), timeout=5)
        error.value.close()
        assert "深夜" in server.received_text


def test_answers_as_models_write_them() -> None:
    real = short_id("ev", "a")
    items = [{"event_id": real, "text": "kiln"}]
    turns = [fenced(items), chatty(items), truncated(items, 0.5), wrong_ids(items),
             echo("[]"), invented(items, {"text": "made up"}),
             invented({"items": items}, {"text": "made up"})]  # fmt: skip
    with ScriptedModel(turns) as server:
        fence, talk, cut, wrong, echoed, more, wrapped = (said(server) for _ in turns)
    assert fence.startswith("```json\n[")
    assert talk.startswith("Sure!")
    assert len(cut) < len(fence)
    assert real not in wrong
    assert json.loads(wrong)[0]["event_id"].startswith("ev")
    assert len(json.loads(wrong)[0]["event_id"]) == len(real)
    assert echoed == "You list glazes.\n蓝釉 and red\n[]"
    assert json.loads(more)[1] == {"text": "made up"}
    assert json.loads(wrapped)["items"][1] == {"text": "made up"}


def test_faults_reach_the_client() -> None:
    with ScriptedModel([busy(3), reset()]) as server:
        with pytest.raises(openai.RateLimitError) as error:
            said(server)
        assert error.value.response.headers["retry-after"] == "3"
        with pytest.raises(openai.APIConnectionError):
            said(server)


def test_a_server_that_holds_on_is_stopped_at_once() -> None:
    with ScriptedModel([holding(600)]) as server, client(server) as sdk:
        hasty = sdk.with_options(timeout=0.1)
        with pytest.raises(openai.APITimeoutError):
            hasty.chat.completions.create(model="scripted", messages=MESSAGES)


def test_unknown_paths_are_told() -> None:
    with ScriptedModel() as server, pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(f"{server.base_url}/nothing", timeout=5)
    error.value.close()
    assert error.value.code == 404
