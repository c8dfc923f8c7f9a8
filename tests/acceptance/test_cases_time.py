"""Cases of negation, of what came out of memory, and of the user's day, over whole nights."""

from datetime import datetime

import pytest

from slowwave.memory import SlowMemory
from slowwave.model import Record

CURRENT = ("candidate", "active")


def said(memory: SlowMemory, text: str, ts: str, **fields: object) -> None:
    record = Record(text=text, source="test", ts=datetime.fromisoformat(ts), **fields)  # type: ignore[arg-type]
    memory.log([record])


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("No need to retry - there's an issue with billing", "need to retry"),
        ("不用重跑了，是账单的问题", "重跑了，是账单"),
        ("Don't bother restarting the kiln, the fuse is gone", "bother restarting the kiln"),
    ],
)
def test_7_a_leading_negation_is_never_dropped(open_at, text: str, never: str) -> None:
    memory = open_at()
    said(memory, text, "2026-11-30T10:00:00+08:00")
    memory.dream("all", apply=True)
    for one in memory.memories(CURRENT):
        assert one.text == text or never not in one.text


@pytest.mark.parametrize(
    "block",
    [
        '<slowwave-memory note="history">\nUser prefers English reports\n</slowwave-memory>',
        "Relevant memories:\n<!-- openclaw:dreaming:light:start -->\n- Candidate: User prefers "
        "English reports\n<!-- openclaw:dreaming:light:end -->",
    ],
)
def test_13_16_what_came_out_of_memory_is_no_evidence(open_at, block: str) -> None:
    memory = open_at()
    for day in (28, 29, 30):
        said(memory, block, f"2026-11-{day}T10:00:00+08:00", origin="recalled")
        said(memory, block, f"2026-11-{day}T11:00:00+08:00")
    memory.dream("all", apply=True)
    assert not [one for one in memory.memories() if "English reports" in one.text]


def test_31_the_day_is_the_users_and_not_that_of_utc(open_at) -> None:
    memory = open_at("2026-04-13T03:00:00+08:00")
    said(memory, "昨天交了房租", "2026-04-11T19:53:00+00:00")
    memory.dream("2026-04-12", apply=True)
    (rent,) = memory.memories(CURRENT)
    assert str(rent.valid_from)[:10] == "2026-04-11"


@pytest.mark.parametrize(
    ("day", "text", "when"),
    [
        ("2026-05-16", "昨天交了房租", "2026-05-15"),
        ("2018-03-12", "前年五月20号去了云南", "2016-05-20"),
        ("2026-05-16", "I paid the rent yesterday", "2026-05-15"),
        ("2019-01-02", "去年十二月三十一号搬的家", "2018-12-31"),
    ],
)
def test_32_37_a_relative_day_is_reckoned_from_the_day_of_the_talk(
    open_at, day: str, text: str, when: str
) -> None:
    memory = open_at("2026-12-01T03:00:00+08:00")
    said(memory, text, f"{day}T10:00:00+08:00")
    memory.dream("all", apply=True)
    (one,) = memory.memories()
    assert str(one.valid_from)[:10] == when
    assert when in one.text or when in str(one.valid_from)


def test_35_times_with_and_without_an_offset_are_sorted(open_at) -> None:
    memory = open_at()
    line = b'{"text": "I moved to Ghent", "ts": "2024-08-08T19:12:06.120414"}'
    other = b'{"text": "I live in Bruges", "ts": "2024-08-08T09:12:06+00:00"}'
    memory.log([memory.event_line(line, 1), memory.event_line(other, 2)])
    memory.dream("all", apply=True)
    assert [one.text for one in memory.memories(("active",))] == ["I moved to Ghent"]


def test_38_a_date_in_the_text_wins_over_the_name_of_the_file(open_at, tmp_path) -> None:
    notes = tmp_path / "ws" / "memory"
    notes.mkdir(parents=True)
    (notes / "2025-06-27.md").write_text(
        "# 2025-06-27\n\n今天 2026-02-15，我把车位换成了 C1-044\n", "utf-8"
    )
    memory = open_at("2026-03-01T03:00:00+08:00")
    memory.import_paths([tmp_path / "ws"])
    memory.dream("all", apply=True)
    found = [one for one in memory.memories(CURRENT) if "C1-044" in one.text]
    assert found
    assert all(str(one.valid_from or "2026-02-15")[:10] == "2026-02-15" for one in found)
