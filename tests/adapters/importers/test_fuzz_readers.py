"""Whatever the bytes: a reader gives records and counted damage, or one of our own errors."""

import contextlib
import json
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers import by_name
from slowwave.errors import SlowwaveError
from slowwave.model import Record, Skipped

ZONE = ZoneInfo("Asia/Shanghai")

_CHATGPT = [
    {
        "id": "c", "title": "x", "create_time": 1946720400.5, "current_node": "b",
        "mapping": {
            "a": {"id": "a", "parent": None, "children": ["b"], "message": None},
            "b": {
                "id": "b", "parent": "a", "children": [],
                "message": {
                    "id": "b", "author": {"role": "user"}, "create_time": 1946720401,
                    "content": {"content_type": "text", "parts": ["花 \ud83d"]}, "weight": 1.0,
                },
            },
        },
    }
]  # fmt: skip
_CLAUDE = [
    {
        "uuid": "t", "chat_messages": [
            {
                "uuid": "m", "sender": "human", "text": "a", "created_at": "2031-01-01T00:00:00",
                "content": [{"type": "text", "text": "a"}], "parent_message_uuid": "0",
                "attachments": [{"file_name": "f", "extracted_content": "e"}],
            }
        ],
    }
]  # fmt: skip
_LOCOMO = {
    "sample_id": "s",
    "conversation": {
        "session_1_date_time": "1:15 pm on 9 June, 2031",
        "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "hi"}],
    },
}
_BEAM = [
    {
        "batch_number": 1,
        "turns": [[{"role": "user", "id": 1, "time_anchor": "May-01-2031", "content": "a"}]],
    }
]
SEEDS = {
    "chatgpt": ("conversations.json", json.dumps(_CHATGPT).encode()),
    "claude-ai": ("conversations.json", json.dumps(_CLAUDE).encode()),
    "locomo": ("set.json", json.dumps(_LOCOMO).encode()),
    "beam": ("chat.json", json.dumps(_BEAM).encode()),
    "jsonl": (
        "e.jsonl",
        b'{"text":"a","ts":"2031-01-01T00:00:00Z","role":"user","ref":"1"}\n' * 2,
    ),
    "claw-yaml": (
        "2031-01-01-events.yaml",
        "- ts: 10:30\n  topic: 花\n  actor: user\n  detail: &a 'x'\n"
        "- {ts: 1, detail: *a}\n".encode(),
    ),
    "chat-markdown": (
        "chat-2031-01-01.md",
        "---\ndate: 2031-01-01\n---\n[昨天 23:59] 名: 文\n"
        "### User\n> a\n```\n**Bot**: b\n".encode(),
    ),
}
_SPICE = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b"null", b"1e999", b"-", b":", b"\n", b"\r", b"\x00",
    b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"NaN", b"true", b"#", b">", b"|", b"&a",
    b"*a", b"!!x", b"%YAML 9.9\n---\n", b"? ", b"---\n", b"\xe2\x80\xa8", b"9" * 30,
    b"PK\x03\x04", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xff\xfe", b"\xef\xbb\xbf",
    b'"\\UFFFFFFFF"', b"0001-01-01", b"<<: *a",
)  # fmt: skip


def _check(folder: Path, name: str, data: bytes) -> None:
    path = folder / SEEDS[name][0]
    path.write_bytes(data)
    found = by_name(name)
    assert found.recognise(path, data[:65536]) in (True, False)
    with contextlib.suppress(SlowwaveError):
        for each in found.read(path, ZONE):
            assert isinstance(each, Record | Skipped)
            if isinstance(each, Record):
                assert each.text.strip()
                assert each.key is not None or each.ts is not None
                assert each.ts is None or each.ts.tzinfo is not None


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=60, deadline=None)
@given(
    edits=st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 12), st.sampled_from(_SPICE)), max_size=6
    )
)
def test_mutated_logs(
    tmp_path_factory: pytest.TempPathFactory, name: str, edits: list[tuple[int, int, bytes]]
) -> None:
    data = SEEDS[name][1]
    for place, cut, put in edits:
        at = place % (len(data) + 1)
        data = data[:at] + put + data[at + cut :]
    _check(tmp_path_factory.mktemp("fuzz"), name, data)


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=40, deadline=None)
@given(data=st.binary(max_size=200) | st.text(max_size=120).map(lambda text: text.encode()))
def test_random_bytes(tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes) -> None:
    _check(tmp_path_factory.mktemp("fuzz"), name, data)


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "a", "user", "b"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "text", "author", "parts", "role"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("name", ["chatgpt", "claude-ai", "locomo", "beam", "jsonl"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_value_in_any_field(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    value = json.loads(SEEDS[name][1].split(b"\n")[0])

    def bend(node: object) -> object:
        if data.draw(st.integers(0, 9)) == 0:
            return data.draw(_VALUES)
        if isinstance(node, dict):
            return {key: bend(inner) for key, inner in node.items()}
        if isinstance(node, list):
            return [bend(inner) for inner in node]
        return node

    _check(tmp_path_factory.mktemp("fuzz"), name, json.dumps(bend(value)).encode())
