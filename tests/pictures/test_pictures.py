"""Pictures: sound SVG and PNG of any numbers, in both languages, on light and dark pages."""

import os
import re
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec

import msgspec
import pytest

from slowwave.dream.topics.week import Topic, Topics
from slowwave.errors import SlowwaveError
from slowwave.pictures import PICTURES, PictureName, png, sheet, svg
from slowwave.stats import Day, Night, Stats, Week

pytestmark = pytest.mark.skipif(
    find_spec("altair") is None and not os.environ.get("CI"), reason="pip install slowwave[plots]"
)
KINDS = ("fact", "preference", "project", "rule", "plan", "profile", "environment", "skill",
         "lesson", "emotion")  # fmt: skip
NAMESPACE = "{http://www.w3.org/2000/svg}"


def stats_of(days: int) -> Stats:
    first = date(2031, 2, 27)
    known = [
        Day(
            day=(first + timedelta(days=at)).isoformat(), events=3 + at % 5, tokens=40 * (at + 1),
            known={kind: 1 + at // (place + 1) for place, kind in enumerate(KINDS)},
            known_tokens=25 * (at + 1),
        )
        for at in range(days)
    ]  # fmt: skip
    nights = [
        Night(dream_id=f"d{at}", date=day.day, run_at=datetime(2031, 3, 1, tzinfo=UTC),
              duration_sec=0.4 + at, events=4, new=1, changed=0, archived=0, model="rules")
        for at, day in enumerate(known)
    ]  # fmt: skip
    return Stats(
        kinds=known[-1].known if known else {}, subjects={}, statuses={}, months=(), dreams={},
        events_per_memory=2.0, journal_tokens=sum(day.tokens for day in known),
        memory_tokens=25 * days, days=tuple(known), nights=tuple(nights),
        weeks=(Week(week="2031-03-03", replaced=2, cold=1, erased=4),) if days else (),
    )  # fmt: skip


def topics_of(days: int, names: tuple[str, ...] = ("harbour crane", "蜂箱")) -> Topics:
    first = date(2031, 2, 27)
    return Topics(
        first=first.isoformat(), last=(first + timedelta(days=days - 1)).isoformat(), messages=20,
        left_out=3, other=4, by="meaning",
        topics=tuple(
            Topic(name=name, words=("cable", "蜂王", "a very long word indeed " * 3), messages=8,
                  share=0.4, days={first.isoformat(): 8}, examples=())
            for name in names
        ),
    )  # fmt: skip


FULL, WEEK = stats_of(9), topics_of(7)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_sound_and_says_what_it_shows(name: PictureName) -> None:
    made = (svg(name, FULL, WEEK), svg(name, FULL, WEEK, language="zh", theme="dark"))
    assert made[0] == svg(name, FULL, WEEK)
    assert made[0] != made[1]
    for picture in made:
        root = ET.fromstring(picture)
        assert root.get("role") == "img"
        ids = re.findall(r'\bid="([^"]+)"', picture)
        assert len(ids) == len(set(ids))
        assert all(one.startswith(f"{name}-") for one in ids)
        assert root.get("aria-labelledby") == f"{name}-title {name}-desc"
        assert root.findtext(f"{NAMESPACE}title")
        assert root.findtext(f"{NAMESPACE}desc")
        assert not re.search(r"<script|<style|<image|<foreignObject|\shref=|\sstyle=|\son\w+=",
                             picture)  # fmt: skip
        assert set(re.findall(r"https?://[^\"\s]+", picture)) == {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("name", PICTURES)
def test_where_there_is_nothing_it_says_so(name: PictureName) -> None:
    assert "Nothing to show yet" in svg(name, stats_of(0), None)
    assert "还没有" in svg(name, stats_of(0), None, language="zh", theme="dark")


@pytest.mark.slow
@pytest.mark.parametrize("days", [1, 400])
def test_any_span_of_days_is_drawn(days: int) -> None:
    names: tuple[PictureName, ...] = ("kinds", "growth", "compression", "nights")
    for name in names:
        ET.fromstring(svg(name, stats_of(days), None))
    ET.fromstring(svg("topics", FULL, topics_of(min(days, 300))))


def test_words_of_the_log_are_text_and_nothing_else() -> None:
    nasty = (
        "<script>alert(1)</script>",
        '"><image href="http://x.test/a"/>',
        "a' ? b : c",
        "蜂\x07箱\ufffe\ud800",
    )
    picture = svg("topics", FULL, topics_of(7, nasty))
    texts = [one.text for one in ET.fromstring(picture).iter(f"{NAMESPACE}text")]
    assert "<script>alert(1)</script>" in texts
    assert "蜂箱" in texts
    assert not re.search(r"<script|<image", picture)


def test_numbers_are_told_in_words() -> None:
    told = ET.fromstring(svg("forgetting", FULL, None)).findtext(f"{NAMESPACE}desc")
    assert told == "7 memories · replaced by a newer one 2 · gone cold, kept aside 1 · " \
                   "forgotten on request 4"  # fmt: skip


@pytest.mark.slow
def test_a_sheet_has_all_pictures_and_becomes_a_png() -> None:
    page = sheet(("growth", "nights", "topics"), FULL, WEEK, language="zh", theme="dark")
    root = ET.fromstring(page)
    assert len(root.findall(f"{NAMESPACE}svg")) == 3
    assert png(page).startswith(b"\x89PNG\r\n")


def test_memories_of_no_text_have_no_compression() -> None:
    none = msgspec.structs.replace(FULL, memory_tokens=0)
    assert "Nothing to show yet" in svg("compression", none, None)


@pytest.mark.slow
def test_pictures_drawn_at_once_do_not_mix() -> None:
    names: tuple[PictureName, ...] = ("nights", "topics") * 4
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda name: svg(name, FULL, WEEK), names))
    assert made == [svg(name, FULL, WEEK) for name in names[:2]] * 4


def test_without_the_packages_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(SlowwaveError) as failed:
        svg("kinds", FULL, None)
    assert failed.value.hint == 'pip install "slowwave[plots]"'
