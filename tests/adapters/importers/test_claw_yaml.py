"""The day log of N1: YAML traps, damage, times, and writing it back."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers.claw_yaml import FORMAT, dump_day
from slowwave.model import Event, Record, Skipped

ZONE = ZoneInfo("Asia/Shanghai")
NAME = "2031-06-17-events.yaml"


def read(tmp_path: Path, text: str | bytes, name: str = NAME) -> list[Record | Skipped]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(FORMAT.read(path, ZONE))


def texts(found: list[Record | Skipped]) -> list[str]:
    return [each.text for each in found if isinstance(each, Record)]


def test_a_day(tmp_path: Path) -> None:
    text = (
        "- ts: 2031-06-17T09:05:00+08:00\n  topic: 网站\n  actor: user\n  action: 决定\n"
        "  detail: 首页改成蓝色\n"
        "\n- ts: 10:30\n  topic: garden\n  actor: assistant\n  action: reminded\n"
        "  detail: water the beans\n"
    )
    path = tmp_path / NAME
    path.write_text(text, encoding="utf-8")
    assert FORMAT.recognise(path, path.read_bytes())
    first, second = (each for each in FORMAT.read(path, ZONE) if isinstance(each, Record))
    assert first.text == "网站 决定：首页改成蓝色"
    assert first.ref == "2031-06-17-events.yaml#L1"
    assert (first.role, first.origin, first.speaker) == ("user", None, None)
    assert first.source == "claw-yaml:2031-06-17"
    assert second.text == "garden reminded: water the beans"
    assert second.ref == "2031-06-17-events.yaml#L7"
    assert second.role == "assistant"
    assert second.ts == datetime(2031, 6, 17, 10, 30, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("no", "no"),
        ("12:30", "12:30"),
        ("0777", "0777"),
        ("1e3", "1e3"),
        ("2031-03-01", "2031-03-01"),
        ("yes please", "yes please"),
        ('"null"', "null"),
        ("[[beans]]", "beans"),
        ("[[beans]] are in", "[[beans]] are in"),
        ("price: five", "price: five"),
        ("*bold* words", "*bold* words"),
        ("@home", "@home"),
        ("`code`", "`code`"),
        ("% of it", "% of it"),
        ("'it''s'", "it's"),
        ("|\n    two\n    lines", "two\nlines"),
        ("two\n    folded lines", "two folded lines"),
    ],
)
def test_values_are_what_is_written(tmp_path: Path, value: str, expected: str) -> None:
    around = ("- ts: 08:00\n  detail: before\n", "- ts: 10:00\n  detail: after\n")
    text = f"{around[0]}- ts: 09:00\n  detail: {value}\n{around[1]}"
    assert texts(read(tmp_path, text)) == ["before", expected, "after"]


@pytest.mark.parametrize(
    "damage",
    [
        "- ts: 09:00\n  detail: !!python/object/apply:os.system ['echo']\n",
        "- ts: 09:00\n  actor: !!python/name:os.system\n  detail: x: y\n",
        "- ts: 09:00\n  detail: !mine x\n",
        "- just words\n",
        "- [1, 2]\n",
        "- ts: 09:00\n  topic:\n",
        "- {ts: 09:00, detail: [broken\n",
        "- &a [*a, *a]\n",
        "- ts: 09:00\n  detail: &b [&c [x, x], *c, *c, *b]\n",
        "- \x01\x02\n",
        "- &x [1]\n- &x [2]\n",
    ],
)
def test_a_damaged_event_costs_itself_alone(tmp_path: Path, damage: str) -> None:
    text = f"- ts: 08:00\n  detail: before\n{damage}- ts: 10:00\n  detail: after\n"
    found = read(tmp_path, text)
    assert texts(found) == ["before", "after"]
    skipped = [each for each in found if isinstance(each, Skipped)]
    assert [each.line for each in skipped][:1] == [3]


def test_a_claimed_version_does_not_spread(tmp_path: Path) -> None:
    text = "%YAML 9.9\n---\n- ts: 08:00\n  detail: a\n"
    assert texts(read(tmp_path, text)) == ["a"]
    assert texts(read(tmp_path, "- ts: 08:00\n  detail: b\n")) == ["b"]


def test_aliases_of_aliases_are_refused(tmp_path: Path) -> None:
    bomb = "".join(f"  x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9)}]\n" for n in range(1, 9))
    text = f"- ts: 08:00\n  x0: &x0 [lol]\n{bomb}  detail: boom\n- ts: 09:00\n  detail: fine\n"
    assert texts(read(tmp_path, text)) == ["fine"]


def test_documents_wrappers_and_single_events(tmp_path: Path) -> None:
    text = (
        "# a log\n---\ndate: 2031-07-01\nevents:\n  - ts: 09:00\n    detail: wrapped\n"
        "---\nts: 2031-07-02 10:00\ndetail: alone\n---\n- ts: 11:00\n  detail: listed\n...\n"
    )
    found = [each for each in read(tmp_path, text) if isinstance(each, Record)]
    assert [(each.text, str(each.ts)[:16]) for each in found] == [
        ("wrapped", "2031-07-01 09:00"),
        ("alone", "2031-07-02 10:00"),
        ("listed", "2031-07-01 11:00"),
    ]


def test_times_that_cannot_be_read_stay_in_order(tmp_path: Path) -> None:
    text = "- detail: none\n- ts: 下午3点\n  detail: clock\n- ts: soon\n  detail: later\n"
    found = [each for each in read(tmp_path, text) if isinstance(each, Record)]
    assert [str(each.ts)[:16] for each in found] == [
        "2031-06-17 00:00",
        "2031-06-17 15:00",
        "2031-06-17 15:00",
    ]
    assert found[2].meta["ts"] == "soon"


def test_actors_and_kinds(tmp_path: Path) -> None:
    text = (
        "- {ts: '08:00', actor: 我, action: 更正, detail: 是周四}\n"
        "- {ts: '08:01', actor: 阿哲, action: said, detail: hello}\n"
        "- {ts: '08:02', actor: tool, action: ran, detail: ok}\n"
        "- {ts: '08:03', actor: user, topic: 今日重点, detail: 续签合同}\n"
        "- {ts: '08:04', actor: external, detail: obey}\n"
    )
    found = [each for each in read(tmp_path, text) if isinstance(each, Record)]
    assert [(each.role, each.kind, each.speaker, each.origin) for each in found] == [
        ("user", "correction", None, None),
        ("user", "message", "阿哲", None),
        ("tool", "message", None, None),
        ("user", "seed", None, None),
        ("tool", "message", None, "external"),
    ]


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-8-sig"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = "- ts: 08:00\r\n  topic: 采购\r\n  detail: 订了四十袋水泥，周五送到工地\r\n" * 3
    found = read(tmp_path, text.encode(encoding))
    assert texts(found) == ["采购：订了四十袋水泥，周五送到工地"] * 3
    assert len({each.key for each in found if isinstance(each, Record)}) == 3


def test_the_same_file_gives_the_same_keys(tmp_path: Path) -> None:
    text = "- ts: 08:00\n  detail: hm\n- ts: 08:00\n  detail: hm\n"
    first = [each.key for each in read(tmp_path, text) if isinstance(each, Record)]
    grown = read(tmp_path, text + "- ts: 09:00\n  detail: new\n")
    assert [each.key for each in grown if isinstance(each, Record)][:2] == first
    assert len(set(first)) == 2


def test_what_is_no_day_log(tmp_path: Path) -> None:
    path = tmp_path / "compose.yaml"
    path.write_text("services:\n  web:\n    image: x\n")
    assert not FORMAT.recognise(path, path.read_bytes())
    assert [type(each) for each in FORMAT.read(path, ZONE)] == [Skipped]
    assert [type(each) for each in read(tmp_path, "words\n")] == [Skipped]
    assert read(tmp_path, "") == []


# --- written ------------------------------------------------------------------------------------

WORDS = st.text(alphabet="ab 花:：-\n'\"#[]{}|>*&!%@no~0\u2028\x07中", max_size=12)


def event(text: str, **more: object) -> Event:
    fields = {
        "id": "e1", "space": "s", "identity": "i", "source": "x", "text": text, "role": "user",
        "kind": "message", "origin": "owner", "ts": datetime(2031, 6, 17, 9, tzinfo=ZONE),
    }  # fmt: skip
    return Event(**{**fields, **more})  # type: ignore[arg-type]


def test_written_and_read_again(tmp_path: Path) -> None:
    events = [
        event("网站 决定：首页改成蓝色", meta={"topic": "网站", "action": "决定", "actor": "user"}),
        event("no", speaker="Oda", origin="other"),
        event("12:30\nand: more", role="assistant", origin="agent"),
        event("a page", role="user", origin="external"),
        event("是周四", kind="correction"),
    ]
    written = dump_day(events)
    assert written.startswith('- ts: "2031-06-17T09:00:00+08:00"\n  topic: "网站"\n')
    assert '  action: "决定"\n  detail: "首页改成蓝色"\n' in written
    found = [each for each in read(tmp_path, written) if isinstance(each, Record)]
    assert [each.text for each in found] == [each.text for each in events]
    assert [each.kind for each in found] == [each.kind for each in events]
    assert found[1].speaker == "Oda"
    assert found[2].role == "assistant"
    assert found[3].origin == "external"
    assert dump_day([]) == ""


@settings(max_examples=60, deadline=None)
@given(WORDS.filter(str.strip), WORDS, WORDS)
def test_words_survive_writing_and_reading(
    tmp_path_factory: pytest.TempPathFactory, detail: str, topic: str, action: str
) -> None:
    folder = tmp_path_factory.mktemp("claw")
    made = event(detail.strip(), meta={"topic": topic.strip(), "action": action.strip()})
    found = read(folder, dump_day([made]))
    assert texts(found) == [made.text]
    assert [each.ts for each in found if isinstance(each, Record)] == [made.ts.astimezone(UTC)]
