"""OpenClaw transcripts as JSONL: branches, owners, archives, damage."""

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers import openclaw_tree
from slowwave.adapters.importers.openclaw_record import session_class
from slowwave.adapters.importers.openclaw_session import FORMAT
from slowwave.errors import InputError
from slowwave.model import Record, Skipped

ZONE = timezone(timedelta(hours=8))
SESSION = "5a1c2f5e-0d0b-4a57-9f0e-0b7f3a1d9c11"
STAMP = "2026-03-05T01:{:02d}:00.000Z"


def header(session: str = SESSION, **more: object) -> dict:
    return {
        "type": "session",
        "version": 3,
        "id": session,
        "timestamp": STAMP.format(0),
        "cwd": "/w",
        **more,
    }


def entry(key: str, parent: str | None, message: dict, minute: int = 1, **more: object) -> dict:
    return {
        "type": "message", "id": key, "parentId": parent, "timestamp": STAMP.format(minute),
        "message": message, **more,
    }  # fmt: skip


def user(text: str, **more: object) -> dict:
    return {"role": "user", "content": [{"type": "text", "text": text}], **more}


def agent(text: str, *more: dict) -> dict:
    return {"role": "assistant", "content": [{"type": "text", "text": text}, *more]}


def write(folder: Path, rows: list, name: str = f"{SESSION}.jsonl") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return path


def read(path: Path) -> list[Record]:
    found = list(FORMAT.read(path, ZONE))
    assert all(isinstance(item, Record) for item in found), found
    return found  # type: ignore[return-value]


def talk() -> list[dict]:
    return [
        header(),
        entry("0000000a", None, user("My kiln is called Berta."), 1),
        entry("0000000b", "0000000a", agent(
            "Noted.",
            {"type": "thinking", "thinking": "secret thought", "thinkingSignature": "x"},
            {"type": "toolCall", "id": "t1", "name": "web_fetch", "arguments": {"url": "x"}},
        ), 2),
        entry("0000000c", "0000000b", {
            "role": "toolResult", "toolCallId": "t1", "toolName": "web_fetch",
            "content": [{"type": "text", "text": "p" * 9000}], "isError": False,
        }, 3),
        {"type": "model_change", "id": "0000000d", "parentId": "0000000c",
         "timestamp": STAMP.format(4), "provider": "x", "modelId": "y"},
        {"type": "compaction", "id": "0000000e", "parentId": "0000000d",
         "timestamp": STAMP.format(5), "summary": "a summary", "firstKeptEntryId": "0000000a"},
        entry("0000000f", "0000000e", user("Fire it to 1240 degrees."), 6),
    ]  # fmt: skip


def test_a_conversation(tmp_path: Path) -> None:
    path = write(tmp_path / "agents" / "studio" / "sessions", talk())
    assert FORMAT.recognise(path, path.read_bytes())
    records = read(path)
    assert [(r.role, r.kind, r.origin) for r in records] == [
        ("user", "message", "owner"),
        ("assistant", "message", "agent"),
        ("assistant", "tool_call", "tool"),
        ("tool", "tool_result", "external"),
        ("user", "message", "owner"),
    ]
    first, _reply, call, result, _last = records
    assert first.source == f"openclaw:studio/{SESSION}"
    assert first.key == "0000000a"
    assert first.session == SESSION
    assert first.ts == datetime(2026, 3, 5, 1, 1, tzinfo=UTC)
    assert first.ts.utcoffset() == timedelta(hours=8)
    assert call.text == 'web_fetch {"url": "x"}'
    assert len(result.text) == 4000
    assert result.text.endswith("…")
    assert not any("secret" in r.text or "summary" in r.text for r in records)


def test_only_the_active_branch_counts(tmp_path: Path) -> None:
    rows = [
        header(),
        entry("00000001", None, user("start")),
        entry("00000002", "00000001", user("I fly to Oslo")),
        entry("00000003", "00000002", agent("Oslo then")),
        entry("00000004", "00000001", user("I fly to Turku")),
        entry("00000005", "00000004", agent("Turku then")),
    ]
    assert [r.text for r in read(write(tmp_path, rows))] == [
        "start",
        "I fly to Turku",
        "Turku then",
    ]


def test_a_leaf_entry_moves_the_leaf(tmp_path: Path) -> None:
    rows = [
        header(),
        entry("00000001", None, user("one")),
        entry("00000002", "00000001", user("dropped")),
        {"type": "leaf", "id": "00000003", "parentId": "00000002", "timestamp": STAMP.format(2),
         "targetId": "00000001"},
        entry("00000004", "00000001", user("two")),
    ]  # fmt: skip
    assert [r.text for r in read(write(tmp_path, rows))] == ["one", "two"]


@pytest.mark.parametrize("parent", ["ffffffff", "00000003", "00000002"])
def test_missing_parents_and_cycles_keep_what_stands_before(tmp_path: Path, parent: str) -> None:
    rows = [
        header(),
        entry("00000001", None, user("one")),
        entry("00000002", parent, user("two")),
        entry("00000003", "00000002", user("three")),
    ]
    assert [r.text for r in read(write(tmp_path, rows))] == ["one", "two", "three"]


def test_a_damaged_line_costs_only_itself(tmp_path: Path) -> None:
    path = write(tmp_path, talk())
    lines = path.read_bytes().split(b"\n")
    lines[3] = b"\x00" * 40
    path.write_bytes(b"\n".join(lines))
    found = list(FORMAT.read(path, ZONE))
    assert [item for item in found if isinstance(item, Skipped)] == [
        Skipped(4, "NUL bytes in the line")
    ]
    assert {"My kiln is called Berta.", "Fire it to 1240 degrees."} <= {
        item.text for item in found if isinstance(item, Record)
    }


def test_a_torn_last_line_is_read_when_it_is_whole(tmp_path: Path) -> None:
    path = write(tmp_path, talk())
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    torn = list(FORMAT.read(path, ZONE))
    assert isinstance(torn[-1], Skipped)
    path.write_bytes(whole)
    before = {(r.source, r.key) for r in torn if isinstance(r, Record)}
    assert [r.text for r in read(path) if (r.source, r.key) not in before] == [
        "Fire it to 1240 degrees."
    ]


def test_version_one_has_no_ids(tmp_path: Path) -> None:
    rows = [
        {
            "type": "session",
            "id": SESSION,
            "timestamp": STAMP.format(0),
            "cwd": "/w",
            "provider": "p",
        },
        {"type": "message", "timestamp": STAMP.format(1), "message": user("alpha")},
        {"type": "message", "message": {**agent("beta"), "timestamp": 1772673600000}},
    ]
    records = read(write(tmp_path, rows))
    assert [(r.text, r.key) for r in records] == [("alpha", None), ("beta", None)]
    assert records[1].ts == datetime(2026, 3, 5, 1, 20, tzinfo=UTC)
    assert len({r.ref for r in records}) == 2


def test_archives_tell_the_same_story(tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "main" / "sessions"
    live = write(folder, talk())
    copies = []
    for kind in ("reset", "deleted", "bak"):
        copy = folder / f"{SESSION}.jsonl.{kind}.2026-04-03T04-58-33.868Z"
        copy.write_bytes(live.read_bytes())
        packed = copy.with_name(copy.name + ".zst")
        packed.write_bytes(zstandard.ZstdCompressor().compress(live.read_bytes()))
        copies += [copy, packed]
    expected = [(r.source, r.key, r.text) for r in read(live)]
    for copy in copies:
        assert FORMAT.recognise(copy, copy.read_bytes()[:65536])
        assert [(r.source, r.key, r.text) for r in read(copy)] == expected


def test_a_fork_leaves_its_history_to_the_parent(tmp_path: Path) -> None:
    fork = "9b1c2f5e-0d0b-4a57-9f0e-0b7f3a1d9c22"
    rows = [
        {**header(fork), "timestamp": STAMP.format(30), "parentSession": f"/x/{SESSION}.jsonl"},
        entry("0000000a", None, user("My kiln is called Berta."), 1),
        entry("0000001a", "0000000a", user("New words"), 40),
    ]
    old, new = read(write(tmp_path, rows, f"{fork}.jsonl"))
    assert (old.source, old.key) == (f"openclaw:main/{SESSION}", "0000000a")
    assert new.source == f"openclaw:main/{fork}"


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("agent:main:main", "direct"),
        ("agent:main:studio", "direct"),
        ("agent:main:telegram:direct:77", "direct"),
        ("agent:main:telegram:group:-100:topic:4", "group"),
        ("agent:main:discord:channel:9", "group"),
        ("agent:main:matrix:room:!x", "group"),
        ("cron:daily-digest", "system"),
        ("agent:main:cron:daily:run:8", "system"),
        ("hook:4be0643f-1d98-4c77-a0e7-000000000000", "system"),
        ("agent:main:subagent:4be0643f", "system"),
        ("agent:main:dreaming-narrative-light-2026", "system"),
        ("agent:main:explicit:model-run-4be0643f", "system"),
    ],
)
def test_session_classes(key: str, expected: str) -> None:
    assert session_class([key]) == expected
    assert session_class(["agent:main:main", key]) == expected


@pytest.mark.parametrize(
    ("key", "mark", "origin"),
    [
        ("agent:main:main", None, "owner"),
        ("agent:main:main", False, "other"),
        ("agent:main:telegram:group:5", None, "other"),
        ("agent:main:telegram:group:5", True, "owner"),
        ("agent:main:cron:x", True, "system"),
    ],
)
def test_who_is_the_owner(tmp_path: Path, key: str, mark: bool | None, origin: str) -> None:
    marks = {} if mark is None else {"__openclaw": {"senderIsOwner": mark}}
    path = write(tmp_path, [header(), entry("00000001", None, user("I keep bees", **marks))])
    (tmp_path / "sessions.json").write_text(json.dumps({key: {"sessionId": SESSION}}))
    (record,) = read(path)
    assert record.origin == origin
    assert record.channel == ("telegram" if "telegram" in key else None)


def test_group_wrapper_makes_another_speaker(tmp_path: Path) -> None:
    wrapper = 'Conversation info (untrusted metadata):\n```json\n{"is_group_chat": true}\n```'
    text = f"{wrapper}\n\nI own a boat"
    (record,) = read(write(tmp_path, [header(), entry("00000001", None, user(text))]))
    assert record.origin == "other"


@pytest.mark.parametrize(
    "text",
    [
        "[cron:17 digest] Write the digest",
        "Read HEARTBEAT.md if it exists.",
        "Pre-compaction memory flush.",
    ],
)
def test_control_text_is_the_systems(tmp_path: Path, text: str) -> None:
    (record,) = read(write(tmp_path, [header(), entry("00000001", None, user(text))]))
    assert (record.role, record.origin) == ("system", "system")


def test_recalled_text_is_told_apart(tmp_path: Path) -> None:
    rows = [
        header(),
        {"type": "custom_message", "id": "00000001", "parentId": None, "timestamp": STAMP.format(1),
         "customType": "openclaw.runtime-context", "content": "User keeps bees", "display": False},
        entry("00000002", "00000001", user(
            "<active_memory_plugin>\nkeeps bees\n</active_memory_plugin>\n\nWhat shall I plant?"
        )),
        entry("00000003", "00000002", {"role": "toolResult", "toolName": "memory_search",
              "content": [{"type": "text", "text": "bees"}]}),
    ]  # fmt: skip
    assert [(r.origin, r.text) for r in read(write(tmp_path, rows))] == [
        ("recalled", "User keeps bees"),
        ("recalled", "<active_memory_plugin>\nkeeps bees\n</active_memory_plugin>"),
        ("owner", "What shall I plant?"),
        ("recalled", "bees"),
    ]


def test_shell_pictures_and_unknown_things(tmp_path: Path) -> None:
    rows = [
        header(),
        entry("00000001", None, {"role": "bashExecution", "command": "ls", "output": "a b"}),
        entry("00000002", "00000001", {"role": "user", "content": [
            {"type": "image", "data": "AAAA", "mimeType": "image/png"}]}),
        entry("00000003", "00000002", {"role": "somebody", "content": "x"}),
        {"type": "something_new", "id": "00000004", "parentId": "00000003"},
        entry("00000005", "00000004", {"role": "assistant", "content": [], "stopReason": "error"}),
        entry("00000006", "00000005", {"role": "user", "content": "plain string"}),
    ]  # fmt: skip
    assert [r.text for r in read(write(tmp_path, rows))] == ["$ ls\na b", "plain string"]


def test_what_is_no_transcript_yields_nothing(tmp_path: Path) -> None:
    checkpoint = write(tmp_path, talk(), f"{SESSION}.checkpoint.4f.jsonl")
    trajectory = write(tmp_path, [{"traceSchema": "t", "type": "x"}], f"{SESSION}.trajectory.jsonl")
    index = tmp_path / "sessions.json"
    index.write_text(json.dumps({"agent:main:main": {"sessionId": SESSION}}))
    for path in (checkpoint, trajectory, index):
        assert FORMAT.recognise(path, path.read_bytes())
        assert list(FORMAT.read(path, ZONE)) == []


@pytest.mark.parametrize(
    "line",
    [
        {"ref": "r1", "text": "hello", "role": "user"},
        {
            "uuid": "u",
            "sessionId": "s",
            "type": "user",
            "message": {"role": "user", "content": "x"},
        },
        {"type": "message", "text": "x"},
        [1, 2],
    ],
)
def test_other_formats_are_not_recognised(tmp_path: Path, line: object) -> None:
    path = write(tmp_path, [line], "x.jsonl")
    assert not FORMAT.recognise(path, path.read_bytes())


def test_a_line_written_between_the_passes_waits() -> None:
    rows = [json.dumps(row).encode() for row in talk()]
    calls = iter([rows[:3], rows])
    where = openclaw_tree.Conversation("main", SESSION, "direct", None, ZONE)
    found = list(openclaw_tree.transcript(lambda: iter(enumerate(next(calls), 1)), where))
    assert [item.text for item in found if isinstance(item, Record)][:1] == [
        "My kiln is called Berta."
    ]
    assert len(found) == 3


VALID = "".join(json.dumps(row) + "\n" for row in talk()).encode()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(VALID) - 1), st.binary(max_size=6)), max_size=6))
def test_mutated_transcripts(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[tuple[int, bytes]]
) -> None:
    data = VALID
    for place, new in cuts:
        data = data[:place] + new + data[place + len(new) + 1 :]
    path = tmp_path_factory.mktemp("mutated") / "m.jsonl"
    path.write_bytes(data)
    FORMAT.recognise(path, data)
    try:
        for item in FORMAT.read(path, ZONE):
            assert isinstance(item, Record | Skipped)
    except InputError:
        pass


NAMES = [
    "type", "id", "parentId", "message", "role", "content", "text", "timestamp", "__openclaw",
    "customType", "targetId", "arguments", "name", "toolName", "provenance", "kind",
]  # fmt: skip
WORDS = ["message", "session", "user", "assistant", "toolCall", "toolResult", "text", "leaf"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES), inner | st.sampled_from(WORDS), max_size=5)
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(JSON, max_size=6))
def test_any_json(tmp_path_factory: pytest.TempPathFactory, rows: list) -> None:
    path = write(tmp_path_factory.mktemp("any"), rows, "any.jsonl")
    FORMAT.recognise(path, path.read_bytes())
    for item in FORMAT.read(path, ZONE):
        assert isinstance(item, Record | Skipped)
