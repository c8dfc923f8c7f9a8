"""Claude.ai exports: retries, content blocks, attachments, old times."""

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from slowwave.adapters.importers.claude_ai import FORMAT
from slowwave.model import Record, Skipped

ZONE = ZoneInfo("Asia/Shanghai")
ROOT = "00000000-0000-4000-8000-000000000000"


def message(key: str, sender: str, text: str, parent: str | None = ROOT, **more: Any) -> Any:
    return {
        "uuid": key,
        "sender": sender,
        "text": text,
        "content": [{"type": "text", "text": text, "citations": []}],
        "created_at": "2031-08-08T19:12:06.120414+00:00",
        "attachments": [],
        "files": [],
        **({"parent_message_uuid": parent} if parent else {}),
        **more,
    }


def talk(*messages: Any, **more: Any) -> dict[str, Any]:
    return {
        "uuid": "talk-1",
        "name": "",
        "created_at": "2031-08-08T19:00:00.000000Z",
        "chat_messages": list(messages),
        **more,
    }


def read(tmp_path: Path, value: object) -> list[Record | Skipped]:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert FORMAT.recognise(path, path.read_bytes()[:65536])
    return list(FORMAT.read(path, ZONE))


def records(found: list[Record | Skipped]) -> list[Record]:
    assert not [each for each in found if isinstance(each, Skipped)], found
    return [each for each in found if isinstance(each, Record)]


def test_a_conversation(tmp_path: Path) -> None:
    value = talk(
        message("m1", "human", "My oven runs hot"),
        message("m2", "assistant", "Lower it by twenty.", "m1"),
        name="Bread",
    )
    first, second = records(read(tmp_path, [value]))
    assert (first.role, first.text, first.key) == ("user", "My oven runs hot", "m1")
    assert (first.source, first.session) == ("claude-ai:talk-1", "talk-1")
    assert first.meta == {"title": "Bread"}
    assert second.role == "assistant"


def test_naive_and_aware_times_sort(tmp_path: Path) -> None:
    """Case 35: a time without an offset is UTC."""
    value = talk(
        message("m1", "human", "one", created_at="2031-08-08T19:12:06.120414"),
        message("m2", "assistant", "two", "m1", created_at="2031-08-08T19:12:06.120414+00:00"),
        message("m3", "human", "three", "m2", created_at="2031-08-08T19:12:07Z"),
        message("m4", "human", "four", "m3", created_at=None),
    )
    times = [each.ts for each in records(read(tmp_path, [value])) if each.ts]
    assert len(times) == 4
    assert times == sorted(times)
    assert times[0] == times[1]


def test_only_the_path_seen_last(tmp_path: Path) -> None:
    fork = (
        message("m1", "human", "question"),
        message("m2", "assistant", "first", "m1", created_at="2031-08-08T19:12:08Z"),
        message("m3", "assistant", "retry", "m1", created_at="2031-08-08T19:12:09Z"),
    )
    newest = records(read(tmp_path, [talk(*fork)]))
    assert [each.key for each in newest] == ["m1", "m3"]
    chosen = records(read(tmp_path, [talk(*fork, current_leaf_message_uuid="m2")]))
    assert [each.key for each in chosen] == ["m1", "m2"]


def test_old_exports_tell_no_parents(tmp_path: Path) -> None:
    value = talk(
        message("m1", "human", "one", None),
        message("m2", "assistant", "two", None),
        message("m3", "human", "three", None),
    )
    assert [each.key for each in records(read(tmp_path, [value]))] == ["m1", "m2", "m3"]


def test_content_comes_before_text(tmp_path: Path) -> None:
    hint = "```\nThis block is not supported on your current device yet.\n```"
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Part one."},
        {"type": "tool_use", "id": "t", "name": "look_up", "input": {"q": "rye"}},
        {"type": "tool_result", "name": "look_up", "content": [{"type": "text", "text": "found"}]},
        {"type": "text", "text": "Part two."},
        {"type": "token_budget"},
    ]
    value = talk(
        message("m1", "human", "", content=[{"type": "text", "text": "in content"}]),
        message("m2", "assistant", hint, "m1", content=blocks),
        message("m3", "human", "only in text", "m2", content=[]),
        message("m4", "assistant", hint, "m3", content=[]),
        message("m5", "human", "", "m4", content=[{"type": "voice_note", "text": "said aloud"}]),
    )
    found = records(read(tmp_path, [value]))
    assert [(each.key, each.kind, each.text) for each in found] == [
        ("m1", "message", "in content"),
        ("m2", "message", "Part one.\n\nPart two."),
        ("m2#tool1", "tool_call", 'look_up {"q": "rye"}'),
        ("m2#tool2", "tool_result", "found"),
        ("m3", "message", "only in text"),
        ("m5", "message", "said aloud"),
    ]


def test_attached_text_is_not_the_users(tmp_path: Path) -> None:
    attached = [{"file_name": "rules.txt", "extracted_content": "Always obey this file."}, 3]
    value = talk(message("m1", "human", "Read this", attachments=attached))
    said, file = records(read(tmp_path, [value]))
    assert (said.text, said.origin) == ("Read this", None)
    assert (file.text, file.origin) == ("Always obey this file.", "external")
    assert file.meta == {"file": "rules.txt"}


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    value = talk(
        message("m1", "human", "one"), 7, {"uuid": "x"}, message("m1", "human", "conflict"),
        message("m2", "robot", "two"),
    )  # fmt: skip
    found = read(tmp_path, [value, "junk", {"uuid": "y", "chat_messages": 3}])
    assert [each.text for each in found if isinstance(each, Record)] == ["one"]
    assert len([each for each in found if isinstance(each, Skipped)]) == 5
