"""The adapter against a real server on this machine that says what a script tells it."""

import gzip
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from slowwave.adapters.model import OpenAIModel, address_of, deadline, refusals
from slowwave.adapters.model.openai import LONGEST
from slowwave.errors import (
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from slowwave.model import Ask, Reply
from slowwave.testing.scripted_model import (
    Say,
    ScriptedModel,
    busy,
    cut_off,
    dribbling,
    failing,
    fenced,
    holding,
    page,
    redirected,
    refusing,
    reset,
    thinking,
    too_long,
    truncated,
)

SCHEMA = {"type": "object", "properties": {"items": {"type": "array"}}, "required": ["items"]}
ASK = Ask(purpose="distill", system="List the glazes.", user="Ada: 蓝釉 is empty", schema=SCHEMA)
EMPTY = '{"items": []}'


def model_at(server: ScriptedModel, **options: Any) -> OpenAIModel:
    return OpenAIModel(address_of(server.base_url), "scripted", **options)


def test_one_answer() -> None:
    with ScriptedModel([Say(EMPTY, tokens_in=70, tokens_out=9)]) as server:
        reply = model_at(server, api_key="k-1").complete(ASK)
        [request] = server.asked
    assert (reply.text, reply.finish, reply.model) == (EMPTY, "stop", "scripted")
    assert (reply.tokens_in, reply.tokens_out) == (70, 9)
    assert reply.ms > 0
    assert request.headers["authorization"] == "Bearer k-1"
    assert (request.system, request.prompt) == (ASK.system, ASK.user)
    assert request.body["temperature"] == 0.2
    assert request.body["max_tokens"] == 4_096
    assert request.body["response_format"]["json_schema"]["schema"] == SCHEMA


def test_half_a_character_is_no_obstacle() -> None:
    with ScriptedModel([EMPTY]) as server:
        model_at(server).complete(msgspec.structs.replace(ASK, user="a \ud83c b"))
        assert server.asked[0].prompt == "a ? b"


def test_the_key_of_another_service_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
    with ScriptedModel([EMPTY]) as server:
        model_at(server).complete(ASK)
        assert b"sk-of-somebody" not in server.bytes_received


def test_nothing_of_another_service_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "for-somebody-else")
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS", "X-Team: for-somebody-else\nAuthorization: for-somebody-else"
    )
    with ScriptedModel([EMPTY]) as server:
        model_at(server).complete(ASK)
        assert b"for-somebody-else" not in server.bytes_received
        assert b"uthorization: Bearer none" in server.bytes_received


def test_a_login_in_the_address_is_sent() -> None:
    with ScriptedModel([EMPTY]) as server:
        url = server.base_url.replace("://", "://ada:glaze@")
        OpenAIModel(address_of(url), "scripted").complete(ASK)
        assert b"uthorization: Basic" in server.bytes_received


def test_this_machine_is_reached_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedModel() as proxy, ScriptedModel([EMPTY]) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        model_at(server).complete(ASK)
        assert proxy.bytes_received == b""


@pytest.mark.parametrize(
    ("formats", "mode", "requests"),
    [(("json_schema",), "json_schema", 2), (("json_object",), "json_object", 3), ((), "text", 4)],
)
def test_a_form_that_the_server_does_not_take_is_asked_for_once(
    formats: tuple[str, ...], mode: str, requests: int
) -> None:
    with ScriptedModel([EMPTY, EMPTY], formats=formats) as server:
        model = model_at(server)
        for _ in range(2):
            assert model.complete(ASK).text == EMPTY
        assert model.mode == mode
        assert len(server.asked) == requests
        told = server.asked[-1].system
    assert ("JSON schema" in told) == (mode != "json_schema")


@pytest.mark.parametrize("status", [400, 404, 422])
def test_every_way_to_refuse_a_form(status: int) -> None:
    no_form = failing(status, "unknown field: response_format")
    with ScriptedModel([no_form, EMPTY]) as server:
        model = model_at(server)
        model.complete(ASK)
        assert model.mode == "json_object"


def test_a_refusal_that_says_nothing_may_be_about_the_form_and_is_not_remembered() -> None:
    with ScriptedModel([refusing("Bad Request")] * 3) as server:
        model = model_at(server)
        with pytest.raises(ModelRefused) as refused:
            model.complete(ASK)
        assert refused.value.why == "request"
        assert model.mode == "json_schema"
        assert len(server.asked) == 3


def test_plain_text_asks_for_no_form() -> None:
    with ScriptedModel(["A quiet day."], formats=()) as server:
        model = model_at(server)
        ask = msgspec.structs.replace(ASK, schema=None, system="")
        assert model.complete(ask).text == "A quiet day."
        assert "response_format" not in server.asked[0].body
        assert [one["role"] for one in server.asked[0].messages] == ["user"]


def test_other_names_for_the_same() -> None:
    server = ScriptedModel([EMPTY, EMPTY], limit="max_completion_tokens", temperature=False)
    with server:
        model = model_at(server)
        model.complete(ASK)
        model.complete(ASK)
        assert len(server.asked) == 4
        body = server.asked[-1].body
    assert body["max_completion_tokens"] == 4_096
    assert "max_tokens" not in body
    assert "temperature" not in body


@pytest.mark.parametrize(
    ("turn", "text", "finish"),
    [
        (thinking(EMPTY), EMPTY, "stop"),
        (fenced(EMPTY), f"```json\n{EMPTY}\n```", "stop"),
        (Say("I [think] so.\n</think>\n" + EMPTY), EMPTY, "stop"),
        (Say("<think>no end", finish="length"), "", "length"),
        (Say(f'<|channel|>analysis<|message|>so<|end|><|channel|>final<|message|>{EMPTY}'),
         EMPTY, "stop"),
        (Say('[{"quote": "<think>a</think> b"}]'), '[{"quote": "<think>a</think> b"}]', "stop"),
        (truncated('{"items": [1, 2, 3]}', 0.5), '{"items": ', "length"),
    ],
)  # fmt: skip
def test_what_stands_before_the_answer(turn: Say, text: str, finish: str) -> None:
    with ScriptedModel([turn]) as server:
        reply = model_at(server).complete(ASK)
    assert (reply.text, reply.finish) == (text.strip(), finish)


# ── faults ──────────────────────────────────────────────────────────────────────────────────────


def failed(turn: Any, **options: Any) -> ModelError:
    with ScriptedModel([turn] * 3) as server, pytest.raises(ModelError) as error:
        model_at(server, **options).complete(ASK)
    assert error.value.hint
    return error.value


@pytest.mark.parametrize(("header", "seconds"), [("7", 7), ("0.5", 0.5), ("soon", None), ("", None),
                                                 ("nan", None), (None, None)])  # fmt: skip
def test_busy_says_how_long(header: str | None, seconds: float | None) -> None:
    error = failed(busy(header))
    assert isinstance(error, ModelBusy)
    assert error.retry_after == seconds


def test_busy_until_a_date() -> None:
    error = failed(busy(date=time.time() + 120))
    assert isinstance(error, ModelBusy)
    assert error.retry_after is not None
    assert 60 < error.retry_after <= 121
    past = failed(busy(date=time.time() - 120))
    assert isinstance(past, ModelBusy)
    assert past.retry_after == 0


@pytest.mark.parametrize("status", [500, 502, 503, 529])
def test_a_server_that_fails_may_answer_later(status: int) -> None:
    assert isinstance(failed(failing(status)), ModelBusy)


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        (failing(401, "Incorrect API key provided"), "access"),
        (failing(402, "pay first"), "access"),
        (failing(403, "not yours"), "access"),
        (failing(404, "model 'scripted' not found, try pulling it first"), "access"),
        (failing(429, "You exceeded your current quota", "insufficient_quota"), "access"),
        (redirected("http://192.0.2.1/v1/chat/completions"), "access"),
        (too_long(), "too_long"),
        (failing(413, "payload too large"), "too_long"),
        (failing(500, "the request exceeds the available context size"), "too_long"),
        (refusing("blocked", "content_filter"), "content"),
        (refusing("what?"), "request"),
    ],
)
def test_what_asking_again_does_not_change(turn: Any, why: str) -> None:
    error = failed(turn)
    assert isinstance(error, ModelRefused)
    assert error.why == why


@pytest.mark.parametrize("turn", [reset(), cut_off()])
def test_a_connection_that_breaks(turn: Any) -> None:
    assert isinstance(failed(turn), ModelUnreachable)


def test_an_answer_that_does_not_come() -> None:
    assert isinstance(failed(holding(30), timeout=0.2), ModelTimeout)
    assert isinstance(failed(dribbling(30), timeout=0.3), ModelTimeout)
    assert isinstance(failed(failing(504)), ModelTimeout)


@pytest.mark.parametrize("turn", [page(), failing(502, "<html>Bad gateway</html>"), page(502)])
def test_a_page_is_no_answer(turn: Any) -> None:
    error = failed(turn)
    assert isinstance(error, ModelBusy)
    assert "<html" not in error.message


def test_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    model = OpenAIModel(address_of(f"http://127.0.0.1:{port}"), "scripted")
    with pytest.raises(ModelUnreachable, match=f"127.0.0.1:{port}") as error:
        model.complete(ASK)
    assert "start the model" in error.value.hint
    assert "slowwave model check" in error.value.hint
    assert error.value.nobody


@pytest.mark.parametrize(
    ("cause", "local", "nobody"),
    [
        (ConnectionRefusedError(), True, True), (FileNotFoundError(), True, True),
        (ConnectionRefusedError(), False, False), (ConnectionResetError(), True, False),
        (TimeoutError(), True, False),
    ],
)  # fmt: skip
def test_nobody_is_on_this_machine_only(cause: OSError, local: bool, nobody: bool) -> None:
    sdk = pytest.importorskip("openai")
    error, between = sdk.APIConnectionError(request=None), OSError("all attempts failed")
    error.__cause__, between.__context__ = between, cause
    found = refusals.translated(error, sdk, refusals.Where("there", "m", "", 1.0, "", local))
    assert isinstance(found, ModelUnreachable)
    assert found.nobody is nobody


def test_a_server_that_hangs_up_is_somebody() -> None:
    error = failed(reset())
    assert isinstance(error, ModelUnreachable)
    assert not error.nobody


def test_neither_the_question_nor_the_key_gets_into_an_error() -> None:
    told = f"cannot parse: {ASK.system} {ASK.user} (key k-12345)"
    assert "glazes" not in failed(failing(500, told)).message
    error = failed(failing(401, "Incorrect API key provided: k-12345"), api_key="k-12345")
    assert "k-12345" not in error.message
    assert "***" in error.message


# ── the rest ────────────────────────────────────────────────────────────────────────────────────


def test_the_models_of_a_server() -> None:
    with ScriptedModel(models=("small", "large")) as server:
        assert model_at(server).models() == ["small", "large"]


def test_through_a_unix_socket(tmp_path: Path) -> None:
    path = tmp_path / "m.sock"
    with ScriptedModel([EMPTY]) as server, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        bridge = threading.Thread(target=_bridge, args=(listening, server.port))
        bridge.start()
        model = OpenAIModel(address_of(f"unix:{path}"), "scripted")
        assert model.local
        assert model.complete(ASK).text == EMPTY
        bridge.join()


def _bridge(listening: socket.socket, port: int) -> None:
    """One connection from the socket to the port and back."""
    here, _ = listening.accept()
    with here, socket.create_connection(("127.0.0.1", port)) as there:
        one_way = threading.Thread(target=_pump, args=(here, there))
        one_way.start()
        _pump(there, here)
        one_way.join()


def _pump(source: socket.socket, goal: socket.socket) -> None:
    receive: Callable[[int], bytes] = source.recv
    try:
        while piece := receive(65_536):
            goal.sendall(piece)
            if b'"total_tokens"' in piece:
                break
        goal.shutdown(socket.SHUT_WR)
    except OSError:
        return


def test_a_name_of_this_machine_is_pinned_to_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def resolve(host: Any, *rest: Any, **more: Any) -> Any:
        return real("127.0.0.1" if host == "pottery.test" else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with ScriptedModel([EMPTY]) as server:
        address = address_of(f"http://pottery.test:{server.port}/v1")
        assert address.local
        monkeypatch.setattr(socket, "getaddrinfo", real)
        assert OpenAIModel(address, "scripted").complete(ASK).text == EMPTY
        assert server.asked[0].headers["host"] == f"pottery.test:{server.port}"


def test_a_model_that_is_only_passed_on_is_elsewhere() -> None:
    address = address_of("http://127.0.0.1:11434/v1")
    assert OpenAIModel(address, "qwen3:8b").local
    for name in ("gpt-oss:120b-cloud", "glm-5:cloud"):
        assert not OpenAIModel(address, name).local


def test_a_server_that_wants_no_thinking_aloud() -> None:
    told = "parameter.enable_thinking must be set to false for non-streaming calls"
    with ScriptedModel([refusing(told), EMPTY]) as server:
        model = model_at(server)
        assert model.complete(ASK).text == EMPTY
        assert model.mode == "json_schema"
        assert server.asked[-1].body["enable_thinking"] is False


def test_a_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model = OpenAIModel(address_of("http://127.0.0.1:9/v1"), "m")
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ModelError) as error:
        model.complete(ASK)
    assert 'pip install "slowwave[model]"' in error.value.hint


class Whole(BaseHTTPRequestHandler):
    """Sends these bytes, whatever is asked."""

    body: bytes
    packed: bool

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if self.packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


def asked_of(body: bytes, *, packed: bool = False) -> Reply:
    """What comes of an answer of these bytes."""
    handler = type("Handler", (Whole,), {"body": body, "packed": packed})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        running = threading.Thread(target=server.serve_forever, daemon=True)
        running.start()
        try:
            address = address_of(f"http://127.0.0.1:{server.server_port}/v1")
            return OpenAIModel(address, "scripted", timeout=20).complete(ASK)
        finally:
            server.shutdown()
            running.join()


@pytest.mark.parametrize(
    "body",
    [
        b"null", b"[1]", b'"x"', b"{}", b'{"choices":null}', b'{"choices":"abc"}',
        b'{"choices":{"0":1}}', b'{"choices":["abc"]}', b'{"choices":[{"message":3}]}',
        b"[" * 200_000, b'{"choices":[{"message":{"content":"\xff"}}]}',
    ],
)  # fmt: skip
def test_an_answer_of_another_shape_is_an_error_of_ours(body: bytes) -> None:
    with suppress(ModelError):
        assert asked_of(body).text in ("", "\ufffd")


def test_halves_of_characters_and_a_boastful_name_can_be_stored() -> None:
    reply = asked_of(
        b'{"model":"m\\ud800\\n# head' + b"x" * 900 + b'","choices":[{"finish_reason":"\\udfff",'
        b'"message":{"content":"a \\ud83d\\ude00 \\ud800"}}]}'
    )
    assert reply.text == "a \U0001f600 \ufffd"
    assert len(reply.model) <= 120
    assert "\n" not in reply.model
    msgspec.json.encode(reply)


def test_of_an_endless_answer_only_the_beginning_is_read() -> None:
    body = b'{"choices":[{"message":{"content":"' + b"a" * 2_000_000 + b'"}}]}'
    reply = asked_of(body)
    assert (reply.finish, len(reply.text)) == ("length", LONGEST)
    with pytest.raises(ModelError):
        asked_of(b" " * (deadline.MOST + 1))
    with pytest.raises(ModelError):
        asked_of(gzip.compress(os.urandom(deadline.MOST_PACKED)), packed=True)
