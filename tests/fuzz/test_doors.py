"""Whatever comes in at the front door: lines to log, files to import, questions to recall."""

import contextlib
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers import recognise
from slowwave.errors import SlowwaveError
from slowwave.memory import SlowMemory
from slowwave.model import Record, Skipped
from slowwave.settings import RecallSettings
from slowwave.wiring import Options, open_memory

ROUGH = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
NOW = "2026-12-01T03:00:00+08:00"
ZONE = datetime.fromisoformat(NOW).tzinfo
MESSY = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from(list("\"'*()^:-+~{}[]\\\0\r\n\t\u2028\u200d\u202e\ufeff花火的了 aAnN09")),
        st.characters(categories=["Cs"]),
    ),
    max_size=60,
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowMemory]:
    """A home with a little in it, shared: what the tests put in must not matter."""
    options = Options(home=str(tmp_path_factory.mktemp("home")), now=NOW, tz="Asia/Shanghai")
    opened = open_memory(options, {"SLOWWAVE_EMBEDDER": "none"})
    said = (
        "我的自行车停在三号棚",
        "The kiln opens at 7:30 on Fridays",
        "don't touch pre-edit GB/s *",
    )
    opened.log(
        Record(text=text, source="t", key=text, ts=datetime.fromisoformat("2026-11-30T10:00+08:00"))
        for text in said
    )
    opened.dream("all", apply=True)
    yield opened
    opened.close()


# --- questions ----------------------------------------------------------------------------------

HARD = (
    '"', '""', "*", "**", "AND", "OR NOT", "NEAR(", "NEAR/2", "a AND", "NOT", "own:kiln", "-kiln",
    "kiln*", "^kiln", "(", ")", "（）", "'", "';DROP TABLE events;--", "%", "_", "\\", "\0", "a\0b",
    "\ud800", "x\udfffy", "\u202eabc", "\U0001f469\u200d\U0001f467", "\u200d", "مرحبا", "שלום",
    "e\u0301" * 50,
    "(a+)+$", "(.*)*" * 20, "的", "的 了 吗", "don't", "pre-edit", "GB/s", "ubuntu 20.04", "",
    " ", "\n", "{}", "[0]", "<slowwave-memory", "a" * 500, "花" * 500, "a " * 500,
)  # fmt: skip


def asked(memory: SlowMemory, text: str) -> None:
    for scope in ("all", "events", "memories"):
        hits = memory.recall(memory.query(text, scope=scope), signal=scope == "memories")
        assert len(hits) <= RecallSettings().k
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        for hit in hits:
            assert memory.words_of(hit)
    block = memory.context(text, 200)
    assert block.tokens <= 200
    block.text.encode()


@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_hard_questions(memory: SlowMemory, text: str) -> None:
    asked(memory, text)


@ROUGH
@given(text=MESSY)
def test_any_question(memory: SlowMemory, text: str) -> None:
    asked(memory, text)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["花", "kiln ", '"', "don't ", "a", "7:30 ", "明天", "(a+)+"])
def test_a_question_of_a_megabyte(memory: SlowMemory, unit: str) -> None:
    memory.recall(memory.query(unit * (1_000_000 // len(unit))), signal=False)


# --- lines --------------------------------------------------------------------------------------

_VALUE = st.one_of(
    MESSY, st.none(), st.booleans(), st.integers(), st.floats(),
    st.sampled_from(["user", "tool", "owner", "seed", "message", NOW, "2026-11-30", "9999-12-31"]),
    st.lists(st.integers(), max_size=2), st.dictionaries(MESSY, MESSY, max_size=2),
)  # fmt: skip
_FIELD = st.sampled_from(
    ["text", "ts", "role", "kind", "origin", "session", "speaker", "channel", "ref", "meta", "x"]
)
LINE = st.one_of(
    st.dictionaries(_FIELD | MESSY, _VALUE, max_size=6).map(lambda row: json.dumps(row).encode()),
    st.binary(max_size=80),
    MESSY.map(lambda text: json.dumps({"text": text}).encode()),
    st.tuples(st.integers(0, 70), st.binary(max_size=3)).map(
        lambda cut: (
            b'{"text": "the shed key hangs inside", "ts": "2026-11-30T10:00:00+08:00"}'[: cut[0]]
            + cut[1]
        )
    ),
)


@ROUGH
@given(lines=st.lists(LINE, max_size=6))
@example(lines=[b'{"text":' + b"[" * 100_000, b'{"text": "a", "ref": ' + b"9" * 5000 + b"}"])
@example(lines=[b'{"text":"a","x":' + b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"}"])
def test_any_lines_are_logged_or_skipped(memory: SlowMemory, lines: list[bytes]) -> None:
    before = memory.status().counts.events
    taken = memory.log(memory.event_line(line, number) for number, line in enumerate(lines, 1))
    assert taken.events + taken.duplicates + len(taken.skipped) == len(lines)
    assert memory.status().counts.events == before + taken.events
    assert all(item.reason and 1 <= item.line <= len(lines) for item in taken.skipped)
    for event in memory.events([known.id for known in taken.ids]).values():
        assert event.text.strip()
        assert event.ts.tzinfo is not None
        assert "\0" not in event.text


# --- files --------------------------------------------------------------------------------------

NAMES = (
    "a.jsonl", "conversations.json", "x.json", "2031-01-01-events.yaml", "chat.md", "MEMORY.md",
    "memory/2031-01-01.md", "s1.jsonl.reset.2031-01-01.gz", "export.zip", "sessions.json",
    "openclaw-agent.sqlite", "notes.txt", "DREAMS.md",
)  # fmt: skip
PIECES = (
    b'{"type":"session","id":"s1","timestamp":"2031-01-01T00:00:00Z"}\n',
    b'{"type":"message","id":"a1","parentId":null,"timestamp":"2031-01-01T00:00:00Z","message":'
    b'{"role":"user","content":[{"type":"text","text":"the shed is green"}]}}\n',
    b'{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"hello"}}\n',
    b'{"text":"a line","ref":"r1"}\n', b'{"text":"', b'[{"mapping":{"n":{"message":{"author":',
    b'{"chat_messages":[{"sender":"human","text":"a"}]}', b"- ts: 10:30\n  topic: a\n",
    b"  actor: user\n  detail: &a 'x'\n", b"User: hi\nAssistant: hello\n", b"# Heading\n- item\n",
    b"<!-- openclaw:dreaming:light:start -->\n", b"```\n", b"---\n", b"\xff\xfe", b"\xef\xbb\xbf",
    b"PK\x03\x04", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"SQLite format 3\x00", b"\x00" * 64,
    b"\n", b"\r", b"}", b"]", b'"', b"\\ud800", "用户：你好\n".encode("gbk"), b"[" * 2000, b"1e999",
)  # fmt: skip


@ROUGH
@given(
    name=st.sampled_from(NAMES),
    pieces=st.lists(st.sampled_from(PIECES) | st.binary(max_size=20), max_size=8),
)
def test_any_file_gives_records_or_a_reason(
    tmp_path_factory: pytest.TempPathFactory, name: str, pieces: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(pieces))
    items: list[Record | Skipped] = []
    with contextlib.suppress(SlowwaveError):
        found = recognise(path)
        items += found.read(path, ZONE) if found else ()
    for item in items:
        assert isinstance(item, Record | Skipped)
        if isinstance(item, Record):
            assert item.text.strip()
            assert item.ts is None or item.ts.tzinfo is not None
        else:
            assert item.reason


@ROUGH
@given(data=st.lists(st.sampled_from(PIECES), min_size=1, max_size=8), cut=st.integers(0, 400))
def test_an_import_twice_takes_everything_once(
    memory: SlowMemory, tmp_path_factory: pytest.TempPathFactory, data: list[bytes], cut: int
) -> None:
    folder: Path = tmp_path_factory.mktemp("twice")
    whole = b"".join(data)
    (folder / "a.jsonl").write_bytes(whole)
    (folder / "b.jsonl").write_bytes(whole[:cut])
    try:
        memory.import_paths([folder])
    except SlowwaveError:
        return
    assert memory.import_paths([folder]).events == 0
