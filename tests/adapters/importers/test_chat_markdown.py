"""Chats written down: every shape of role mark, times, encodings, and what is no chat."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from slowwave.adapters.importers.chat_markdown import FORMAT
from slowwave.model import Record, Skipped

ZONE = ZoneInfo("Asia/Shanghai")


def read(tmp_path: Path, text: str | bytes, name: str = "talk.md") -> list[Record | Skipped]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(FORMAT.read(path, ZONE))


def known(tmp_path: Path, text: str | bytes, name: str = "talk.md") -> bool:
    path = tmp_path / name
    data = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(data)
    return FORMAT.recognise(path, data[:65536])


def turns(found: list[Record | Skipped]) -> list[tuple[str, str]]:
    return [(each.speaker or each.role, each.text) for each in found if isinstance(each, Record)]


TWO = [
    ("user", "Where is the ladder?"),
    ("assistant", "In the shed.\n\nLeft of the door: high up."),
]

SHAPES = [
    "user: {q}\nassistant: {a}\n",
    "User:\n{q}\n\nAssistant:\n{a}\n",
    "USER：{q}\nAI：{a}",
    "Human: {q}\n\nAssistant: {a}\n\n---\n",
    "**User**: {q}\n\n**Assistant**: {a}\n",
    "**User:** {q}\n\n**Claude:** {a}\n",
    "**You said:**\n{q}\n\n**ChatGPT said:**\n{a}\n",
    "__User__\n{q}\n\n__Assistant__\n{a}\n",
    "### User\n\n{q}\n\n### Assistant\n\n{a}\n",
    "# Ladder\n\n## Prompt:\n{q}\n\n## Response from nobody\n\n## Assistant:\n{a}\n",
    "## You (2031-11-21T18:09:01+00:00)\n\n{q}\n\n## ChatGPT (2031-11-21T18:09:31+00:00)\n\n{a}\n",
    "### 1. human — 2031-01-05T08:00:00Z\n{q}\n### 2. assistant — 2031-01-05T08:01:00Z\n{a}\n",
    "### Entrada (user)\n{q}\n### Saída (assistant)\n{a}\n",
    "## Nguoi dung\n{q}\n## Tro ly\n{a}\n",
    "## Người dùng\n{q}\n## Trợ lý\n{a}\n",
    "#### 用户\n{q}\n#### 助手\n{a}\n",
    "我：{q}\n助手：{a}\n",
    "👤 User: {q}\n🤖 Assistant: {a}\n",
    "[2031-01-05 08:00] User: {q}\n[2031-01-05 08:01] Assistant: {a}\n",
    "2031-01-05 08:00:10 user: {q}\n2031-01-05 08:01:00 assistant: {a}\n",
    "- **User** (08:00): {q}\n- **Assistant** (08:01): {a}\n",
]


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_two_turns(tmp_path: Path, shape: str) -> None:
    text = shape.format(q=TWO[0][1], a=TWO[1][1])
    assert known(tmp_path, text)
    found = turns(read(tmp_path, text))
    assert found[0] in (TWO[0], (TWO[0][0], TWO[0][1] + "\n\n## Response from nobody"))
    assert found[1] == TWO[1]
    assert len(found) == 2


NAMED = [
    ("张三：明天几点开会？\n李四：九点半\n张三：好的\n", "张三"),
    ("[昨天 23:59] 张三: 明天几点开会？\n[00:03] 李四: 九点半\n[00:04] 张三: 好的\n", "张三"),
    (
        "2031-03-01 10:30:05 张三\n明天几点开会？\n\n2031-03-01 10:31:00 李四\n九点半\n\n"
        "2031-03-01 10:32:00 张三\n好的\n",
        "张三",
    ),
    ("张三 10:30\n明天几点开会？\n李四 10:31\n九点半\n张三 10:32\n好的\n", "张三"),
    (
        "[12/31/30, 11:59:01 PM] Oda: 明天几点开会？\n[1/1/31, 12:01:30 AM] Bo: 九点半\n"
        "[1/1/31, 12:02 AM] Oda: 好的\n",
        "Oda",
    ),
    (
        "31/12/2030, 23:59 - Oda: 明天几点开会？\n01/01/2031, 00:01 - Bo: 九点半\n"
        "01/01/2031, 00:02 - Oda: 好的\n",
        "Oda",
    ),
    ("**Oda** (10:30)\n明天几点开会？\n\n**Bo** (10:31)\n九点半\n\n**Oda** (10:32)\n好的\n", "Oda"),
    ("Oda: 明天几点开会？\nBo Li: 九点半\nOda: 好的\nBo Li: 嗯\n", "Oda"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), NAMED)
def test_people_are_speakers(tmp_path: Path, text: str, name: str) -> None:
    assert known(tmp_path, text)
    found = [each for each in read(tmp_path, text) if isinstance(each, Record)]
    assert [each.text for each in found][:3] == ["明天几点开会？", "九点半", "好的"]
    assert found[0].speaker == found[2].speaker == name
    assert {each.role for each in found} == {"user"}


def test_the_user_among_people(tmp_path: Path) -> None:
    found = [each for each in read(tmp_path, "我：在吗\n王姐：在\n") if isinstance(each, Record)]
    assert [(each.speaker, each.origin) for each in found] == [(None, None), ("王姐", None)]


@pytest.mark.parametrize(
    "text",
    [
        "Status: done\nOwner: Lin\nDue: tomorrow\nPlan: none\n",
        "地点：会议室\n时间：三点\n人数：四\n",
        "# Notes\n\nSee https://example.org and call at 12:30.\n",
        "System: Linux\nModel: T14\nTool: hammer\n",
        "## Goals (2031-01-01)\n\ntext\n\n## Risks (2031-02-01)\n\ntext\n",
        "just some words\nand more\n",
        "```\nuser: a\nassistant: b\n```\n",
        "",
        "\x00\x01user: a\nassistant: b",
    ],
)
def test_notes_are_no_chats(tmp_path: Path, text: str) -> None:
    assert not known(tmp_path, text)


def test_labels_in_words_are_no_speakers(tmp_path: Path) -> None:
    text = (
        "user: 记一下\n注意：带伞\n注意：关窗\n10:30 站会: 二楼\n"
        "assistant: 好\n## 清单 (2031-01-01)\n- **时间**：三点\n"
        "```python\nuser: x\n```\nuser: 谢谢\n"
    )
    found = turns(read(tmp_path, text))
    assert [who for who, _words in found] == ["user", "assistant", "user"]
    assert found[0][1].endswith("站会: 二楼")
    assert "user: x" in found[1][1]


def test_an_unclosed_fence_does_not_swallow_the_rest(tmp_path: Path) -> None:
    text = "### User\n```\ncode\n\n### Assistant\nok\n\n### User\nbye\n"
    assert len(turns(read(tmp_path, text))) == 3


def test_headings_keep_role_words_in_their_bodies(tmp_path: Path) -> None:
    text = "### User\nWrite:\nHuman: hi\nAssistant: yo\nHuman: x\n### Assistant\ndone\n"
    assert [who for who, _words in turns(read(tmp_path, text))] == ["user", "assistant"]


def test_times_and_days(tmp_path: Path) -> None:
    text = (
        "[昨天 23:59] 阿哲: a\n[23:59] 小周: b\n[00:05] 阿哲: c\n\n—— 2031年5月2日 ——\n\n"
        "[09:00] 小周: d\n[5月3日 09:00] 阿哲: e\n"
    )
    found = [
        each for each in read(tmp_path, text, "群聊-2031-04-30.md") if isinstance(each, Record)
    ]
    assert [str(each.ts)[:16] for each in found] == [
        "2031-04-29 23:59",
        "2031-04-30 23:59",
        "2031-05-01 00:05",
        "2031-05-02 09:00",
        "2031-05-03 09:00",
    ]


def test_no_day_is_no_time(tmp_path: Path) -> None:
    found = read(tmp_path, "[昨天 23:59] Oda: a\n[00:05] Bo: b\n")
    assert all(isinstance(each, Record) and each.ts is None and each.meta["time"] for each in found)
    assert all(isinstance(each, Record) and each.key for each in found)


@pytest.mark.parametrize(
    ("text", "name", "day"),
    [
        ("---\ntitle: x\ndate: 2031-02-03\n---\n\nuser: a\nassistant: b\n", "t-2031-01-01.md", 3),
        ("# 2031-02-04 talk\n\nuser: a\nassistant: b\n", "t-2031-01-01.md", 4),
        ("Date: February 5, 2031\n\nuser: a\nassistant: b\n", "t.md", 5),
        ("user: a\nassistant: b\n", "t-2031-02-06.md", 6),
        ("---\na: 1\n---\n---\ncreated: 2031-02-07T01:00\n---\nuser: a\nassistant: b\n", "t.md", 7),
    ],
)
def test_where_the_day_comes_from(tmp_path: Path, text: str, name: str, day: int) -> None:
    found = [each for each in read(tmp_path, text, name) if isinstance(each, Record)]
    assert [each.ts for each in found] == [datetime(2031, 2, day, tzinfo=ZONE)] * 2


def test_front_matter_only_when_closed(tmp_path: Path) -> None:
    assert turns(read(tmp_path, "---\nuser: a\nassistant: b\n")) == [
        ("user", "a"),
        ("assistant", "b"),
    ]
    closed = "---\nbad: [yaml\n  : :\n---\nuser: a\nassistant: b\n"
    found = [each for each in read(tmp_path, closed) if isinstance(each, Record)]
    assert [each.ref for each in found] == ["talk.md#L5", "talk.md#L6"]


def test_quoted_bodies(tmp_path: Path) -> None:
    text = "### User\n> one\n>\n> two\n\n### Assistant\n> quoted\nand not\n"
    assert turns(read(tmp_path, text)) == [
        ("user", "one\n\ntwo"),
        ("assistant", "> quoted\nand not"),
    ]


def test_dumped_hidden_nodes(tmp_path: Path) -> None:
    text = (
        '### User\n{"content_type": "user_editable_context", "user_profile": "Name: Ilse"}\n'
        '### System\n{"content_type": "model_editable_context", "model_set_context": "bees"}\n'
        "### User\n{'content_type': 'user_editable_context', 'x': None}\n"
        '### User\n{"content_type": "multimodal_text", "parts": ["real words"]}\n'
        "### Assistant\nok\n"
    )
    found = [each for each in read(tmp_path, text) if isinstance(each, Record)]
    assert [each.origin for each in found] == ["system", "recalled", "system", None, None]
    assert found[3].text == "real words"
    assert found[3].role == "user"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-8-sig", "utf-8"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    """Case 71."""
    text = "用户：我在城南租了一间画室，下个月搬进去\r\n助手：记住了，祝搬家顺利\r\n"
    data = text.encode(encoding)
    assert known(tmp_path, data, "talk.txt")
    assert turns(read(tmp_path, data, "talk.txt")) == [
        ("user", "我在城南租了一间画室，下个月搬进去"),
        ("assistant", "记住了，祝搬家顺利"),
    ]


def test_identity_of_copies_and_of_a_chat_that_grew(tmp_path: Path) -> None:
    text = "user: hm\nassistant: hm\nuser: hm\n"
    one = [each for each in read(tmp_path, text, "a.md") if isinstance(each, Record)]
    copy = read(tmp_path, text + "user: new\n", "b (1).md")
    pairs = [(each.source, each.key) for each in copy if isinstance(each, Record)]
    assert pairs[:3] == [(each.source, each.key) for each in one]
    assert len(set(pairs)) == 4


def test_empty_turns_and_no_turns_are_counted(tmp_path: Path) -> None:
    found = read(tmp_path, "user:\nassistant: b\n\nuser: c\n")
    assert [type(each) for each in found] == [Skipped, Record, Record]
    assert found[0] == Skipped(1, "a turn without words")
    assert [type(each) for each in read(tmp_path, "only words\n")] == [Skipped]


def test_long_lines_are_words_and_cost_nothing(tmp_path: Path) -> None:
    long = "# a" + " " * 60_000 + "x"
    text = f"user: {long}\n{long}\n[{long}\nassistant: {'word ' * 20_000}\n"
    found = turns(read(tmp_path, text))
    assert [who for who, _words in found] == ["user", "assistant"]
    assert len(found[1][1]) == 99_999
