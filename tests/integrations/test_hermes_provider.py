"""The Hermes provider in a stand-in of Hermes: its base class, loaded from a folder as there."""

import importlib.util
import json
import shutil
import sys
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import slowwave.integrations.hermes as ours
from slowwave.integrations.hermes import provider
from slowwave.integrations.hermes.said import text_of
from slowwave.wiring import Options, open_memory

PLUGIN = Path(ours.__file__).parent / "plugin"


class Base(ABC):
    """What Hermes demands of a provider, and what it does where a provider says nothing."""

    pre_compress_checkpoint_api_version = 1

    @property
    @abstractmethod
    def name(self) -> str: ...

    @abstractmethod
    def is_available(self) -> bool: ...

    @abstractmethod
    def initialize(self, session_id: str, **kwargs: Any) -> None: ...

    @abstractmethod
    def get_tool_schemas(self) -> list[dict[str, Any]]: ...


class Context:
    """What Hermes hands to `register`."""

    provider: Any = None

    def register_memory_provider(self, made: Any) -> None:
        self.provider = made


Load = Callable[..., Any]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Loads the plugin as Hermes does, from a folder of the user's; gives the provider."""
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    monkeypatch.setenv("SLOWWAVE_TZ", "Asia/Shanghai")
    base = types.ModuleType("agent.memory_provider")
    base.MemoryProvider = Base  # type: ignore[attr-defined]
    agent = types.ModuleType("agent")
    agent.__path__ = []
    monkeypatch.setitem(sys.modules, "agent", agent)
    monkeypatch.setitem(sys.modules, "agent.memory_provider", base)
    folder = tmp_path / "hermes" / "plugins" / "slowwave"
    shutil.copytree(PLUGIN, folder, ignore=shutil.ignore_patterns("__pycache__"))
    made: list[Any] = []

    def loaded(**connection: Any) -> Any:
        told = {"home": str(tmp_path / "home"), **connection}
        (folder / "connection.json").write_text(json.dumps(told))
        spec = importlib.util.spec_from_file_location("_user.slowwave", folder / "__init__.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        context = Context()
        module.register(context)
        made.append(context.provider)
        return context.provider

    yield loaded
    for one in made:
        one.shutdown()


def events(tmp_path: Path) -> list[Any]:
    with closing(open_memory(Options(home=str(tmp_path / "home")), {})) as memory:
        return list(memory.events_since(0))


def turn(user: str, assistant: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]


def started(load: Load, **told: Any) -> Any:
    one = load()
    one.initialize("s1", **{"hermes_home": "x", "platform": "telegram", **told})
    return one


def test_it_is_a_provider(load) -> None:
    one = load()
    assert isinstance(one, Base)
    assert one.name == "slowwave"
    assert one.is_available()
    assert one.unavailable_reason() == ""
    names = [schema["name"] for schema in one.get_tool_schemas()]
    assert names == ["memory_search", "memory_get", "memory_remember"]
    assert all(schema["parameters"]["required"] for schema in one.get_tool_schemas())
    assert one.get_config_schema() == []


def test_without_slowwave_it_says_what_to_install(load, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "slowwave.integrations.hermes.provider", None)
    one = load()
    assert not one.is_available()
    assert f"{sys.executable} -m pip install slowwave" in one.unavailable_reason()
    one.initialize("s1", platform="cli")
    one.sync_turn("a", "b", session_id="s1")
    one.on_session_end([])
    assert one.system_prompt_block() == one.prefetch("x") == ""
    assert one.get_tool_schemas() == one.backup_paths() == []


def test_a_turn_is_logged_with_who_said_it_and_where(load, tmp_path) -> None:
    one = started(load)
    one.sync_turn("我搬到杭州了", "记住了。", session_id="s1")
    one.shutdown()
    user, agent = events(tmp_path)
    assert (user.text, user.role, user.origin) == ("我搬到杭州了", "user", "owner")
    assert (agent.text, agent.origin) == ("记住了。", "agent")
    assert {event.session for event in (user, agent)} == {"s1"}
    assert {event.channel for event in (user, agent)} == {"telegram"}


def test_the_whole_talk_again_adds_only_what_is_missing(load, tmp_path) -> None:
    one = started(load)
    talk = [*turn("The rent is 900.", "Noted."), *turn("ok", "Fine."), *turn("ok", "Fine.")]
    for at in range(0, len(talk), 2):
        one.sync_turn(talk[at]["content"], talk[at + 1]["content"], session_id="s1",
                      messages=talk[: at + 2])  # fmt: skip
    one.on_pre_compress([*talk, *turn("And the deposit is 1800.", "Noted too.")])
    one.on_session_end([*talk[-2:], *turn("And the deposit is 1800.", "Noted too.")])
    one.shutdown()
    said = [event.text for event in events(tmp_path)]
    assert said == ["The rent is 900.", "Noted.", "ok", "Fine.", "ok", "Fine.",
                    "And the deposit is 1800.", "Noted too."]  # fmt: skip


def test_a_restart_does_not_log_a_talk_twice(load, tmp_path) -> None:
    talk = turn("My tram is line 11.", "Line 11.")
    for _ in range(2):
        one = started(load)
        one.sync_turn("My tram is line 11.", "Line 11.", session_id="s1")
        one.on_session_end(talk)
        one.shutdown()
    assert len(events(tmp_path)) == 2


def test_tools_are_logged_but_not_what_the_memory_answered(load, tmp_path) -> None:
    one = started(load)

    def call(number: str, name: str) -> dict[str, Any]:
        function = {"name": name, "arguments": '{"q": 1}'}
        return {"role": "assistant", "content": "", "tool_calls": [{"id": number,
                "function": function}]}  # fmt: skip

    def result(number: str, text: str) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": number, "content": text}

    messages = [
        {"role": "user", "content": "Look it up."}, call("1", "web_extract"),
        result("1", "A page."), call("2", "memory_search"), result("2", "A hit."),
        call("3", "session_search"), result("3", "An old talk."), call("4", "terminal"),
        result("4", "total 0"), {"role": "assistant", "content": "Done."},
    ]  # fmt: skip
    one.sync_turn("Look it up.", "Done.", session_id="s1", messages=messages)
    one.on_session_end(messages)
    one.shutdown()
    logged = {event.text: event.origin for event in events(tmp_path)}
    assert logged["A page."] == "external"
    assert logged["An old talk."] == "recalled"
    assert logged["total 0"] == "tool"
    assert "A hit." not in logged
    assert len(logged) == 8


@pytest.mark.parametrize("context", ["subagent", "cron", "flush"])
def test_where_no_person_speaks_nothing_is_written(load, tmp_path, context) -> None:
    one = started(load, agent_context=context)
    one.sync_turn("Run the nightly report.", "Done.", session_id="s1")
    one.on_memory_write("add", "user", "likes reports")
    one.on_session_end(turn("Run the nightly report.", "Done."))
    one.shutdown()
    assert events(tmp_path) == []


def test_in_a_group_nothing_private_is_told_and_speakers_are_themselves(load, tmp_path) -> None:
    one = started(load)
    one.handle_tool_call("memory_remember", {"text": "My blood group is AB."})
    one.shutdown()
    group = started(load, chat_type="group", user_name="Bertrand")
    assert "AB" not in group.system_prompt_block()
    assert group.prefetch("What is my blood group?", session_id="s2") == ""
    assert "error" in json.loads(group.handle_tool_call("memory_search", {"query": "blood"}))
    group.sync_turn("I live in Graz.", "Nice.", session_id="s2")
    group.shutdown()
    said = next(event for event in events(tmp_path) if event.text == "I live in Graz.")
    assert (said.speaker, said.origin) == ("Bertrand", "other")


def test_what_was_said_is_put_before_the_next_turn(load, tmp_path) -> None:
    one = started(load)
    one.sync_turn("I am allergic to lupin flour.", "Noted.", session_id="s1")
    one.on_session_end([])
    with closing(open_memory(Options(home=str(tmp_path / "home")), {})) as memory:
        memory.dream("all", apply=True)
    one.on_session_switch("s2", parent_session_id="s1", reset=True)
    assert "lupin" in one.system_prompt_block()
    block = one.prefetch("Is lupin flour fine for me?", session_id="s2")
    assert "allergic to lupin" in block
    assert one.prefetch("/reset", session_id="s2") == ""
    assert one.prefetch("What is 12 plus 30?", session_id="s2") == ""
    # What Hermes put into a message for the model comes back to no journal.
    one.sync_turn(f"<memory-context>\n{block}\n</memory-context>\n\nThanks.", "Fine.",
                  session_id="s2")  # fmt: skip
    one.shutdown()
    assert [e.text for e in events(tmp_path) if e.session == "s2" and e.role == "user"] == [
        "Thanks."
    ]


def test_tools_answer_in_json(load) -> None:
    one = started(load)
    kept = json.loads(one.handle_tool_call("memory_remember", {"text": "Bike lock code: ask Ana."}))
    assert kept["kept"]
    hits = json.loads(one.handle_tool_call("memory_search", {"query": "bike lock"}))["results"]
    assert "Bike lock" in hits[0]["text"]
    assert (
        "Bike lock" in json.loads(one.handle_tool_call("memory_get", {"id": hits[0]["id"]}))["text"]
    )
    for name, given in (("memory_get", {"id": "zz"}), ("nothing", {}), ("memory_remember", {})):
        assert "error" in json.loads(one.handle_tool_call(name, given))


def test_a_memory_that_cannot_be_opened_costs_only_itself(load, tmp_path, caplog) -> None:
    (tmp_path / "file").write_text("no folder")
    one = load(home=str(tmp_path / "file"))
    one.initialize("s1", platform="cli")
    one.sync_turn("a", "b", session_id="s1")
    one.on_pre_compress(turn("a", "b"))
    assert one.prefetch("x", session_id="s1") == ""
    assert "Slowwave keeps" in one.system_prompt_block()
    assert "error" in json.loads(one.handle_tool_call("memory_search", {"query": "x"}))
    with pytest.raises(RuntimeError):
        one.on_pre_compress(turn("a", "b"), require_checkpoint=True)
    assert "slowwave" in caplog.text


def test_what_could_not_be_written_is_written_with_the_next_turn(
    load, tmp_path, monkeypatch
) -> None:
    one = started(load)
    real = provider._logged
    monkeypatch.setattr(provider, "_logged", lambda *_: (_ for _ in ()).throw(OSError("full")))
    one.sync_turn("First.", "One.", session_id="s1")
    one._work.settle()
    assert one._work.waits
    monkeypatch.setattr(provider, "_logged", real)
    one.sync_turn("Second.", "Two.", session_id="s1")
    one.shutdown()
    assert [event.text for event in events(tmp_path)] == ["First.", "One.", "Second.", "Two."]


def test_with_the_preset_realtime_a_turn_is_learned_from(load, tmp_path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "slowwave.toml").write_text('preset = "realtime"\n')
    one = started(load)
    one.sync_turn("My daughter is called Ilse.", "A lovely name.", session_id="s1")
    one.shutdown()
    with closing(open_memory(Options(home=str(tmp_path / "home")), {})) as memory:
        assert any("Ilse" in found.text for found in memory.memories())


def test_words_of_a_message() -> None:
    assert text_of([{"type": "text", "text": "a"}, "b", {"type": "image_url"}, 7]) == "a\n\nb"
    assert text_of("<memory-context>x</memory-context> y") == "y"
    assert text_of("<memory-context>torn") == text_of(None) == text_of({}) == ""
