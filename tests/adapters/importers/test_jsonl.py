"""The contract's event lines."""

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from slowwave.adapters.importers.jsonl import FORMAT, record
from slowwave.model import Record, Skipped

ZONE = ZoneInfo("Asia/Shanghai")


def line(**fields: object) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode()


def test_a_full_line() -> None:
    found = record(
        line(
            ref="n-7", ts="2031-03-03T09:12:00+08:00", role="assistant", session="s3",
            speaker="Oda", channel="telegram", kind="note", origin="agent",
            text=" kept as it is ", mood={"a": 1},
            tag="x",
        ),
        4,
    )  # fmt: skip
    assert isinstance(found, Record)
    assert found.text == " kept as it is "
    assert found.ts == datetime.fromisoformat("2031-03-03T09:12:00+08:00")
    assert (found.role, found.kind, found.origin) == ("assistant", "note", "agent")
    assert (found.session, found.speaker, found.channel, found.ref) == (
        "s3",
        "Oda",
        "telegram",
        "n-7",
    )
    assert found.meta == {"mood": '{"a":1}', "tag": "x"}
    assert (found.source, found.line) == ("jsonl", 4)


def test_only_text_is_required() -> None:
    found = record(line(text="早"), 1)
    assert isinstance(found, Record)
    assert (found.role, found.kind, found.origin, found.ts, found.key) == (
        "user", "message", None, None, None,
    )  # fmt: skip


def test_a_ref_and_what_it_stands_for_make_the_key() -> None:
    def key(**fields: object) -> str | None:
        found = record(line(**fields), 1)
        assert isinstance(found, Record)
        return found.key

    ts = "2031-03-03T09:12:00+08:00"
    one = key(ref=7, text="a", ts=ts)
    assert one == key(ref="7", text="a", ts="2031-03-03T01:12:00Z", channel="x")
    assert one != key(ref="7", text="b", ts=ts)
    assert one != key(ref="7", text="a", ts=ts, role="assistant")
    assert one != key(ref="8", text="a", ts=ts)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "text"),
        ({"text": None}, "text"),
        ({"text": 5}, "text"),
        ({"text": " \n"}, "text"),
        ({"text": "a", "role": "boss"}, "role"),
        ({"text": "a", "role": ["user"]}, "role"),
        ({"text": "a", "kind": "memo"}, "kind"),
        ({"text": "a", "origin": "me"}, "origin"),
        ({"text": "a", "ts": "yesterday"}, "ts"),
        ({"text": "a", "ts": 1946720400}, "ts"),
        ({"text": "a", "ts": "0001-01-01T00:00:00Z"}, "ts"),
        ({"text": "a", "ts": "2031-03-03T09:12:00"}, "ts"),
        ({"text": "a", "session": ["s"]}, "session"),
        ({"text": "a", "ref": True}, "ref"),
        ({"text": "a", "speaker": {"n": 1}}, "speaker"),
    ],
)
def test_what_is_refused_names_its_field(fields: dict[str, object], named: str) -> None:
    found = record(line(**fields), 9)
    assert isinstance(found, Skipped)
    assert found.line == 9
    assert found.reason.startswith(f"{named}: ")


@pytest.mark.parametrize(
    "raw", [b"[1]", b'"x"', b"42", b"null", b"{", b"", b"\xff\xfe\x00", b"nope"]
)
def test_what_is_no_object(raw: bytes) -> None:
    assert isinstance(record(raw, 1), Skipped)


def test_a_file_with_odd_lines(tmp_path: Path) -> None:
    """Case 67: only the bad lines are skipped and counted."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(
        b'{"text":"one\xe2\x80\xa8same line"}\n'
        b'{"text":"nul \x00 inside"}\r\n'
        b"\n"
        b'{"text":"half \\ud83d pair"}\n'
        b'{"text":"no offset","ts":"2031-03-03 09:12"}\n'
        b'{"text":"torn'
    )
    assert FORMAT.recognise(path, path.read_bytes())
    found = list(FORMAT.read(path, ZONE))
    said = [each for each in found if isinstance(each, Record)]
    assert [each.text for each in said] == ["one\u2028same line", "half \ufffd pair", "no offset"]
    assert [each.line for each in found] == [1, 2, 4, 5, 6]
    assert said[2].ts == datetime(2031, 3, 3, 9, 12, tzinfo=ZONE)
    path.write_bytes(path.read_bytes() + b' no more"}\n')
    grown = [each for each in FORMAT.read(path, ZONE) if isinstance(each, Record)]
    assert [each.key for each in grown][:3] == [each.key for each in said]
    assert grown[3].text == "torn no more"


def test_equal_bare_lines_are_two_events_and_the_same_two_again(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"text":"hm"}\n{"text":"hm"}\n')
    first = [each.key for each in FORMAT.read(path, ZONE) if isinstance(each, Record)]
    assert None not in first
    assert len(set(first)) == 2
    assert first == [each.key for each in FORMAT.read(path, ZONE) if isinstance(each, Record)]


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'{"text": "a"}\n', True),
        (b'\n\n{"role":"user","text":"a","x":1}', True),
        (b'{"torn\n{"text":"a"}\n', True),
        (b'{"text":"' + b"x" * 70_000, True),
        (b'{"role":"user","content":"a"}', False),
        (b'{"type":"message","message":{"role":"user"},"text":"a"}', False),
        (b'{"uuid":"u","sessionId":"s","text":"a"}', False),
        (b'[{"text":"a"}]', False),
        (b'{"a":1}', False),
        (b"plain words", False),
        (b"", False),
    ],
)
def test_recognition(tmp_path: Path, head: bytes, known: bool) -> None:
    assert FORMAT.recognise(tmp_path / "x.jsonl", head[:65536]) is known
