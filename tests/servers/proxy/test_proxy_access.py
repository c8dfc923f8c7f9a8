"""Whose token opens what, and which key goes up."""

from collections.abc import Callable
from typing import Any

import pytest

from slowwave.testing.scripted_model import ScriptedModel

CHAT = {"model": "m", "messages": [{"role": "user", "content": "Where does Odile live, my aunt?"}]}
AUNT = "Odile, my aunt, lives in Ghent."


def up(model: ScriptedModel) -> str | None:
    return model.asked[-1].headers.get("authorization")


@pytest.fixture
def keyed(build_house: Callable[..., Any], model: ScriptedModel) -> Any:
    model._script = lambda _: "In Ghent."
    return build_house(proxy='api_key = "sk-configured"')


@pytest.fixture
def bare(build_house: Callable[..., Any], model: ScriptedModel) -> Any:
    model._script = lambda _: "In Ghent."
    return build_house()


def test_a_wrong_token_opens_nothing(keyed: Any, model: ScriptedModel) -> None:
    keyed.token("one", "admin")
    for headers in ({}, {"authorization": "Bearer slw_wrong"}, {"authorization": "Bearer sk-x"},
                    {"x_slowwave_token": "slw_wrong", "authorization": "Bearer sk-x"}):  # fmt: skip
        for path in ("/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/audio/speech"):
            assert keyed.ask(CHAT, path, **headers).status_code == 401
        assert keyed.ask(path="/v1/models", method="GET", **headers).status_code == 401
    assert model.requests == []
    assert keyed.said() == []


def test_our_token_stays_here_and_the_configured_key_goes_up(
    keyed: Any, model: ScriptedModel
) -> None:
    token = keyed.token("one", "admin")
    assert keyed.ask(CHAT, authorization=f"Bearer {token}").status_code == 200
    assert up(model) == "Bearer sk-configured"
    assert keyed.ask(CHAT, x_slowwave_token=token).status_code == 200
    assert up(model) == "Bearer sk-configured"
    assert token.encode() not in model.bytes_received


def test_beside_our_token_the_clients_own_key_goes_up(keyed: Any, model: ScriptedModel) -> None:
    token = keyed.token("one", "admin")
    keyed.ask(CHAT, x_slowwave_token=token, authorization="Bearer sk-own")
    assert up(model) == "Bearer sk-own"
    keyed.ask(CHAT, x_slowwave_token=token, authorization=f"Bearer {token}")
    assert up(model) == "Bearer sk-configured"


def test_no_token_of_ours_goes_up_where_no_key_is_configured(
    bare: Any, model: ScriptedModel
) -> None:
    token, other = bare.token("one", "admin"), bare.token("two", "read")
    bare.ask(CHAT, authorization=f"Bearer {token}")
    assert up(model) is None
    bare.ask(CHAT, x_slowwave_token=token, authorization=f"Bearer {other}")
    assert up(model) is None
    bare.ask(CHAT, x_slowwave_token=token, authorization="Bearer slw_taken_away_long_ago")
    assert up(model) is None
    bare.ask(CHAT, x_slowwave_token=token, x_api_key=other)
    assert b"slw_" not in model.bytes_received


def test_without_tokens_the_configured_key_counts(keyed: Any, model: ScriptedModel) -> None:
    keyed.ask(CHAT, authorization="Bearer none")
    assert up(model) == "Bearer sk-configured"


def test_without_any_key_the_clients_own_is_passed_on(bare: Any, model: ScriptedModel) -> None:
    bare.ask(CHAT, authorization="Bearer sk-own")
    assert up(model) == "Bearer sk-own"
    bare.ask(CHAT)
    assert up(model) is None


def test_the_models_key_is_for_the_models_server(
    build_house: Callable[..., Any], model: ScriptedModel
) -> None:
    model._script = lambda _: "ok"
    head = f'[model]\nbase_url = "{model.base_url}"\nname = "m"\napi_key = "sk-model"'
    build_house("a", base_url="", head=head).ask(CHAT)
    assert up(model) == "Bearer sk-model"
    build_house("b", head=head).ask(CHAT)
    assert up(model) is None


@pytest.mark.parametrize(
    ("scopes", "memory", "logged"),
    [
        (("read",), "injected", "no-scope"),
        (("log",), "no-scope", "1"),
        (("read", "log"), "injected", "1"),
        (("review",), "injected", "no-scope"),
        (("admin",), "injected", "1"),
    ],
)
def test_a_token_does_what_its_scopes_allow(
    keyed: Any, model: ScriptedModel, scopes: Any, memory: str, logged: str
) -> None:
    keyed.remember(AUNT)
    token = keyed.token("one", *scopes)
    answer = keyed.ask(CHAT, authorization=f"Bearer {token}")
    assert answer.status_code == 200
    assert answer.headers["x-slowwave-memory"] == memory
    assert answer.headers["x-slowwave-logged"] == logged
    assert bool(model.asked[-1].system) == (memory == "injected")
    assert bool(keyed.said()) == (logged == "1")


def test_spaces_stay_apart(keyed: Any, model: ScriptedModel) -> None:
    keyed.remember(AUNT, space="hers")
    his = keyed.token("his", "read", "log", spaces=("his",))
    hers = keyed.token("hers", "read", "log", spaces=("hers", "his"))
    assert keyed.ask(CHAT, authorization=f"Bearer {his}").headers["x-slowwave-memory"] == "nothing"
    refused = keyed.ask(CHAT, authorization=f"Bearer {his}", x_slowwave_space="hers")
    assert refused.status_code == 403
    assert refused.json()["error"]["type"] == "invalid_request_error"
    assert len(model.asked) == 1
    keyed.ask(CHAT, authorization=f"Bearer {hers}")
    assert AUNT in model.asked[-1].system
    keyed.ask(CHAT, authorization=f"Bearer {hers}", x_slowwave_space="his")
    assert model.asked[-1].system == ""
    # Two clients that begin with the same words are in two conversations.
    assert len(keyed.said("his")) == 4
    assert len({event.session for event in keyed.logged("his")}) == 2
    assert len(keyed.said("hers")) == 2
    assert keyed.said("default") == []


def test_a_name_that_is_no_space(bare: Any) -> None:
    answer = bare.ask(CHAT, x_slowwave_space="x" * 200)
    assert answer.status_code == 422
    assert "space" in answer.json()["error"]["message"]


def test_what_is_too_large(build_house: Callable[..., Any], model: ScriptedModel) -> None:
    house = build_house(head="[server]\nbody_mb = 1")
    assert house.ask(raw=b" " * 1_100_000).status_code == 413

    async def chunks() -> Any:
        for _ in range(20):
            yield b" " * 100_000

    answer = house.run(lambda client: client.post("/v1/chat/completions", content=chunks()))
    assert answer.status_code == 413
    assert "error" in answer.json()
    assert model.requests == []


def test_no_key_is_in_a_log_or_a_repr(
    keyed: Any, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG", "slowwave")
    keyed.ask(CHAT, authorization="Bearer sk-own")
    from slowwave.servers.proxy.door import desk_of

    told = caplog.text + repr(desk_of(keyed.doors).line.upstream) + "".join(capfd.readouterr())
    assert "sk-" not in told
