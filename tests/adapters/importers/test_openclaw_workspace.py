"""OpenClaw workspaces: what is a note, when it was, and what the machine wrote itself."""

import os
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers.markdown_notes import parse
from slowwave.adapters.importers.openclaw_workspace import FORMAT
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.capture import foreign
from slowwave.capture.envelope import Intake
from slowwave.capture.intake import TakenIn
from slowwave.errors import InputError
from slowwave.model import Record, Skipped
from slowwave.ports import Format

ZONE = timezone(timedelta(hours=8))


def write(tmp_path: Path, name: str, text: str | bytes) -> Path:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def read(path: Path) -> list[Record]:
    found = list(FORMAT.read(path, ZONE))
    assert all(isinstance(item, Record) for item in found), found
    return found  # type: ignore[return-value]


def texts(path: Path) -> list[str]:
    return [record.text for record in read(path)]


DAILY = """\
# 2026-04-14 周二

- 跟老秦约了周六去看船
  - 船名叫白鹭
- [ ] 换阳台的灯
1. finished the **harbour** chapter
🎣 今天没有钓到鱼
还是去了海边

> somebody else's words

```sh
make clean
```

| a | b |
|---|---|
"""


def test_a_daily_note(tmp_path: Path) -> None:
    path = write(tmp_path, "memory/2026-04-14.md", DAILY)
    assert FORMAT.recognise(path, path.read_bytes())
    records = read(path)
    assert [(r.line, r.origin, r.text) for r in records] == [
        (3, "owner", "跟老秦约了周六去看船\n  - 船名叫白鹭"),
        (5, "owner", "换阳台的灯"),
        (6, "owner", "finished the **harbour** chapter"),
        (7, "owner", "🎣 今天没有钓到鱼\n还是去了海边"),
        (10, "external", "somebody else's words"),
        (13, "agent", "make clean"),
        (16, "owner", "| a | b |\n|---|---|"),
    ]
    assert all(r.kind == "note" and r.meta["source_kind"] == "note" for r in records)
    assert records[0].source == "openclaw:notes/memory/2026-04-14.md"
    assert records[0].ref == "memory/2026-04-14.md#L3"
    assert records[0].ts == datetime(2026, 4, 14, 12, tzinfo=ZONE)
    assert records[1].meta["task"] == "open"


def test_an_edit_adds_only_what_is_new(tmp_path: Path) -> None:
    path = write(tmp_path, "memory/2026-04-14.md", DAILY)
    before = {(r.source, r.key) for r in read(path)}
    write(tmp_path, "memory/2026-04-14.md", "# 2026-04-14\n\n- an added line\n" + DAILY)
    assert [r.text for r in read(path) if (r.source, r.key) not in before] == ["an added line"]


def test_long_lists_come_item_by_item(tmp_path: Path) -> None:
    body = "- outer " + "x" * 200 + "\n  - inner " + "y" * 200 + "\n    goes on\n"
    found = texts(write(tmp_path, "memory/2026-04-14.md", body))
    assert [text[:5] for text in found] == ["outer", "inner"]
    assert found[1].endswith("goes on")


def test_dreams_inside_notes_are_passed_over(tmp_path: Path) -> None:
    body = """\
## Light Sleep
<!-- openclaw:dreaming:light:start -->
- Candidate: the boat is white
  - confidence: 0.00
  - status: staged
<!-- openclaw:dreaming:light:end -->

written by hand afterwards

## REM Sleep
- Theme: `boat`

## Evening
- cooked fennel soup
- Candidate: the soup again
  - confidence: 0.58
  - evidence: memory/2026-04-13.md:3-3
  - status: staged
<!-- openclaw:dreaming:rem:start -->
- Reflections: never closed

## Night
- read two chapters
"""
    found = texts(write(tmp_path, "memory/2026-04-14.md", body))
    assert found == ["written by hand afterwards", "cooked fennel soup", "read two chapters"]


def test_a_long_candidate_is_passed_over_as_a_whole(tmp_path: Path) -> None:
    details = "  - confidence: 0.58\n  - evidence: memory/2026-04-13.md:3-3\n  - status: staged\n"
    body = f"- Candidate: {'the boat is white and ' * 20}\n{details}\n- painted the boat\n"
    assert texts(write(tmp_path, "memory/2026-04-14.md", body)) == ["painted the boat"]


def test_odd_text_costs_no_more_than_its_length(tmp_path: Path) -> None:
    for piece in ("<!--", "[score=0.1 ", "# Session: 2026-04-14 a\n\n\n", "```js\n", "- - "):
        path = write(tmp_path, "memory/2026-04-14.md", piece * (300_000 // len(piece)))
        FORMAT.recognise(path, path.read_bytes()[:65536])
        assert isinstance(texts(path), list)


@pytest.mark.parametrize(
    "name",
    [
        "DREAMS.md",
        "dreams.md",
        "memory/dreaming/light/2026-04-14.md",
        "memory/.dreams/events.jsonl",
    ],
)
def test_diaries_and_machine_state_yield_nothing(tmp_path: Path, name: str) -> None:
    body = (
        "# Dream Diary\n<!-- openclaw:dreaming:diary:start -->\n---\n"
        "*April 11, 2026 at 7:00 PM*\n\nI kept finding shells.\n"
    )
    path = write(tmp_path, name, body)
    assert FORMAT.recognise(path, path.read_bytes())
    assert list(FORMAT.read(path, ZONE)) == []


def test_a_folder_called_dreaming_elsewhere_is_no_machine_state(tmp_path: Path) -> None:
    path = write(tmp_path, "dreaming/ws/memory/2026-04-14.md", "- bought a lens\n")
    assert texts(path) == ["bought a lens"]


MEMORY = """\
# Memory

- Sails every Sunday <!-- trigger: boat, sunday --> <!-- importance: 8 -->

## Promoted From Short-Term Memory (2026-04-01)
<!-- openclaw-memory-promotion:memory:memory/2026-03-30.md:1:2 -->
- Evening: soup; boat [score=0.812 recalls=0 avg=0.620 source=memory/2026-03-30.md:1-2]

## Consolidated Memory (2026-05-01)
- Keeps a dinghy. Source: memory/2026-04-14.md#L3-L4 <!-- importance: 7 -->

## By hand
- 2026-02-03: moved to the harbour
- 2999-01-01: far away plan
- Sails every Sunday
"""


def test_curated_memory(tmp_path: Path) -> None:
    path = write(tmp_path, "MEMORY.md", MEMORY)
    assert FORMAT.recognise(path, path.read_bytes())
    records = read(path)
    assert [(r.origin, r.text.split()[0]) for r in records] == [
        ("owner", "Sails"),
        ("recalled", "Evening:"),
        ("recalled", "Keeps"),
        ("owner", "2026-02-03:"),
        ("owner", "2999-01-01:"),
    ]
    assert records[0].text == "Sails every Sunday"
    assert records[0].meta["importance"] == "8"
    assert records[3].ts is not None
    assert records[3].ts.date().isoformat() == "2026-02-03"
    assert records[4].ts is not None
    assert records[4].ts.year < 2999


def test_session_dumps_have_low_trust(tmp_path: Path) -> None:
    body = """\
# Session: 2026-04-02 23:22:31 UTC

- **Session Key**: agent:main:main
- **Session ID**: 0000
- **Source**: telegram

## Conversation Summary

user: The mast is 9 metres.
second line
assistant: Noted.
user: I own an island
user: A new session was started via /new or /reset. Say hello.
"""
    path = write(tmp_path, "memory/2026-04-02-mast.md", body)
    assert FORMAT.recognise(path, path.read_bytes())
    records = read(path)
    assert [(r.role, r.origin, r.text.split("\n")[0]) for r in records] == [
        ("user", "external", "The mast is 9 metres."),
        ("assistant", "agent", "Noted."),
        ("user", "external", "I own an island"),
        ("system", "system", "A new session was started via /new or /reset. Say hello."),
    ]
    assert records[0].text.endswith("second line")
    assert records[0].ts == datetime(2026, 4, 3, 7, 22, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("name", "body", "day", "conflict"),
    [
        ("memory/2026-04-14.md", "- words here", "2026-04-14T12:00", False),
        ("memory/2026-04-14-trip.md", "- words here", "2026-04-14T12:00", False),
        ("memory/2026-04-14.md", "# 2026-04-15 周三\n- words here", "2026-04-15T12:00", True),
        ("memory/2026-04-14.md", "# April 15, 2026\n- words here", "2026-04-15T12:00", True),
        ("memory/2026-04-14.md", "# 日记 2026年4月15日\n- words here", "2026-04-15T12:00", True),
        (
            "memory/2026-04-14.md",
            "# Day\n## Plan for 2026-05-01\n- words here",
            "2026-04-14T12:00",
            False,
        ),
        ("memory/2025-06-27.md", "今天 2026-02-15\n\n- words here", "2026-02-15T12:00", True),
        ("memory/2026-04-14.md", "- 2026-04-30 words here", "2026-04-14T12:00", False),
        ("memory/2026-04-14.md", "### 09:15 call\n- words here", "2026-04-14T09:15", False),
        ("memory/2026-04-14.md", "- **21:05** words here", "2026-04-14T21:05", False),
        ("memory/2026-13-41.md", "- words here", None, False),
    ],
)
def test_which_day_a_note_speaks_of(
    tmp_path: Path, name: str, body: str, day: str | None, conflict: bool
) -> None:
    record = read(write(tmp_path, name, body))[-1]
    assert record.ts is not None
    if day:
        assert record.ts == datetime.fromisoformat(day).replace(tzinfo=ZONE)
    assert ("date_conflict" in record.meta) == conflict


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str) -> None:
    body = (
        "# 2026-04-14 日记\r\n\r\n- 把望远镜借给了邻居，下周还\r\n- 傍晚在码头画了一张速写".encode(
            encoding
        )
    )
    found = read(write(tmp_path, "memory/2026-04-14.md", body))
    assert [r.text for r in found] == ["把望远镜借给了邻居，下周还", "傍晚在码头画了一张速写"]
    assert [r.line for r in found] == [3, 4]


def test_odd_files(tmp_path: Path) -> None:
    assert texts(write(tmp_path, "memory/2026-04-14.md", b"")) == []
    assert texts(write(tmp_path, "memory/2026-04-15.md", "---\ntags: [a]\n---\n- kept\n")) == [
        "kept"
    ]
    assert texts(write(tmp_path, "memory/2026-04-16.md", "---\nnever closed\n- kept")) == [
        "never closed", "kept",
    ]  # fmt: skip
    fence = "- before\n```\n- after\n\n## REM Sleep\n- x\n\n## Next\n```py\ncode\n```\n- end\n"
    assert texts(write(tmp_path, "memory/2026-04-17.md", fence)) == [
        "before",
        "after",
        "code",
        "end",
    ]
    heading_in_fence = "- a\n\n````md\n# not a heading\n```\n````\n- b\n"
    assert [b.headings for b in parse(heading_in_fence)] == [(), (), ()]


def test_imported_notes_are_external(tmp_path: Path) -> None:
    (record,) = read(write(tmp_path, "memory/imports/hermes/2026-04-14.md", "- a foreign line\n"))
    assert record.origin == "external"


@pytest.mark.parametrize(
    ("name", "body", "known"),
    [
        ("memory/people.md", "- Ines repairs sails\n", True),
        ("memory/warm/2026-04-14-帆船.md", "- x\n", True),
        ("notes/any.md", "<!-- openclaw:dreaming:light:start -->\n- x", True),
        ("chat/2026-04-14.md", "**User**: hi\n\n**Assistant**: hello\n", False),
        ("memory/talk.md", "user: hi\nassistant: hello\n", False),
        ("README.md", "# A project\n", False),
        ("AGENTS.md", "# Rules\n", False),
        ("memory/2026-04-14.txt", "x", False),
    ],
)
def test_recognition(tmp_path: Path, name: str, body: str, known: bool) -> None:
    path = write(tmp_path, name, body)
    assert FORMAT.recognise(path, path.read_bytes()) is known


def test_files_of_a_workspace_root(tmp_path: Path) -> None:
    for name in ("AGENTS.md", "SOUL.md", "USER.md"):
        write(tmp_path, name, "# Head\n- Speak plainly\n")
    write(tmp_path, "2026-04-14.md", "- a note in the root\n")
    for name in ("AGENTS.md", "SOUL.md", "USER.md", "2026-04-14.md"):
        path = tmp_path / name
        assert FORMAT.recognise(path, path.read_bytes())
    assert texts(tmp_path / "AGENTS.md") == []
    assert texts(tmp_path / "USER.md") == ["Speak plainly"]


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        list(FORMAT.read(tmp_path / "memory" / "2026-04-14.md", ZONE))


PIECES = [
    "# ", "## Light Sleep", "- ", "  - ", "> ", "```", "~~~", "---", "user: ", "\n", "\n\n",
    "<!-- openclaw:dreaming:light:start -->", "<!-- openclaw:dreaming:light:end -->",
    "## Conversation Summary", "2026-04-14", "14:30", "[ ] ", "| a |", "<!-- x -->", "字", "1. ",
    "\t", "今天 2026-01-02",
]  # fmt: skip


NO_NUL = st.characters(exclude_characters="\x00", exclude_categories=["Cs"])


@settings(max_examples=100, deadline=None)
# Zero bytes make a file of a few characters look like UTF-16.
@given(st.lists(st.sampled_from(PIECES) | st.text(NO_NUL, max_size=4), max_size=40))
@example(["[ ] ", "\n", "0"])
def test_any_markdown(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    body = "".join(pieces).encode("utf-8", "replace")
    path = write(tmp_path_factory.mktemp("any"), "memory/2026-04-14.md", body)
    FORMAT.recognise(path, body)
    lines = re.split("\r\n|\r|\n", body.decode().replace("\x00", ""))

    def bare(text: str) -> str:
        return "".join(re.sub("<!--.*?-->", "", text).split())

    for record in read(path):
        assert record.text.strip()
        assert 1 <= record.line <= len(lines)
        assert bare(record.text.split("\n")[0]) in bare(lines[record.line - 1])


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = write(tmp_path_factory.mktemp("any"), "memory/2026-04-14.md", data)
    FORMAT.recognise(path, data)
    try:
        for item in FORMAT.read(path, ZONE):
            assert isinstance(item, Record | Skipped)
    except InputError:
        pass


def test_a_bullet_knows_its_headings_and_what_it_is(tmp_path: Path) -> None:
    body = "# Notes\n\n## Replies\n\n- Tables, few words\n\n### 口味\n\n只喝乌龙\n"
    records = read(write(tmp_path, "MEMORY.md", body))
    assert [(one.meta["heading"], one.meta["block"], one.kind) for one in records] == [
        ("Notes > Replies", "item", "note"),
        ("Notes > Replies > 口味", "paragraph", "note"),
    ]


@pytest.mark.parametrize(("days", "wanted"), [(-40, "2031-01-21"), (3, "2031-03-02")])
def test_an_undated_note_is_never_of_later_than_now(tmp_path: Path, days: int, wanted: str) -> None:
    now = datetime(2031, 3, 2, 3, tzinfo=ZONE)
    path = write(tmp_path, "MEMORY.md", "- Tables, few words\n\n## 2031-02-01\n\n- moved house\n")
    changed = (now + timedelta(days=days)).timestamp()
    os.utime(path, (changed, changed))
    store = InMemoryStore()
    intake = Intake(space="alder", owner="", now=now)
    given = foreign.Tools(store, _One(), intake, restore=lambda _: foreign.Restored(_NONE, 0))
    foreign.read_all(given, [path], "openclaw", lambda *_: None)
    days_of = [
        one.ts.astimezone(ZONE).date().isoformat() for one in store.events_after("alder", 0, 9)
    ]
    assert days_of == [wanted, "2031-02-01"]


_NONE = TakenIn(0, 0, ())


class _One:
    """Importers that know one format."""

    def by_name(self, _name: str) -> Format:
        return FORMAT

    def recognise(self, _path: Path) -> Format:
        return FORMAT

    def discover(self, path: Path) -> list[Path]:
        return [path]
