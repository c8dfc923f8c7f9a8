"""Whole nights over any text: a dream never raises, its quotes are exact, the ledger is sound."""

from datetime import datetime, timedelta
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave import health, ledger
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.capture.envelope import Intake
from slowwave.capture.intake import take_in
from slowwave.dream.cycle import night as cycle
from slowwave.model import Dream, Record
from slowwave.ports import no_progress
from slowwave.settings import DreamSettings, zone_of

ZONES = ("Asia/Shanghai", "Europe/Berlin", "America/St_Johns", "Pacific/Apia")
SPECIAL = "，。！？：；、“”（）…—\n\t \0\u2028\u200d\u202e\ufeff不没了的吗 aI1279年月日点号%"
CHARACTERS = st.one_of(st.characters(), st.sampled_from(list(SPECIAL)))
PIECES = """
我对猕猴桃过敏|以后|不要再|这次先|记住：|我叫阿栀|昨天|下周三|搬到了|改成|老韩说他|明年|二月三十日
凌晨2点|v2.4.1|￥1,299.50|I |don't |always |from now on |remember: |my sister Odile |moved to Lund
next Tuesday|on 31 February |cancel |is allergic to figs|no longer |at 25:61 |the port is |49222
不是|？|?|。|. |- |> |```|# |<b>|“|”|(|)|https://x.example/a?b=c |/srv/a b|$ rm -rf x|{"a": 1}
user: |助手：|<slowwave-memory>|</slowwave-memory>|[secret:key]|password: zR7!kk2|I live in Ghent
以后报告一律用 PDF|我住在澜江小区|暂时不要发|I love rye bread|I hate rye bread|换成蓝色的
the meeting |changed to |next
"""
PHRASES = st.sampled_from(["\n", *PIECES.strip().replace("\n", "|").split("|")])
TEXT = st.lists(PHRASES | st.text(CHARACTERS, max_size=8), min_size=1, max_size=14).map("".join)
TURN = st.tuples(
    TEXT,
    st.sampled_from(["user", "user", "user", "assistant", "tool", "system"]),
    st.sampled_from(["message", "message", "note", "correction", "seed", "tool_result"]),
    st.sampled_from([None, None, None, "Odile", "阿栀"]),
    st.integers(0, 4 * 24 * 60),
)
# The clocks change in three of the zones in the night to 29 March 2026, or around it.
START = datetime.fromisoformat("2026-03-27T00:00:00+00:00")


def dreamt(store: InMemoryStore, now: datetime, date: str) -> Dream:
    """One night, planned twice (the plan must not depend on anything else) and applied."""
    night = cycle.Night(
        space="s", date=date, now=now, settings=DreamSettings(segment_chars=200),
        preset="balanced", cosine=lambda *_: None, progress=no_progress,
    )  # fmt: skip
    tried = cycle.plan(store, msgspec.structs.replace(night, mode="dry_run"))
    plan = cycle.plan(store, night)
    assert (plan.changes, plan.rejections) == (tried.changes, tried.rejections)
    return ledger.apply(store, plan, now) if plan.status == "planned" else plan


def nights(turns: list[tuple], zone_name: str, days: int) -> None:
    zone = zone_of(zone_name)
    store = InMemoryStore()
    records = [
        Record(text=text, role=role, kind=kind, speaker=speaker, source="t", session="s",
               ts=(START + timedelta(minutes=minute)).astimezone(zone))
        for text, role, kind, speaker, minute in turns
    ]  # fmt: skip
    take_in(store, records, Intake("s", "阿栀", START.astimezone(zone)))
    for day in range(days):
        now = (START + timedelta(days=day + 1, hours=3)).astimezone(zone)
        dreamt(store, now, "yesterday")
    dreamt(store, (START + timedelta(days=9)).astimezone(zone), "all")
    assert store.undreamed("s", None, None) == []
    assert health.diagnose(store, "s") == ()
    for memory in store.memories("s"):
        events = store.events_by_id("s", [span.event_id for span in memory.evidence])
        for span in memory.evidence:
            assert events[span.event_id].text[span.start : span.end] == span.quote != ""
            assert events[span.event_id].origin not in ("recalled", "tool", "external", "system")
        versions = [one.memory.version for one in store.versions("s", memory.id)]
        assert all(later == earlier + 1 for earlier, later in pairwise(versions))


@settings(max_examples=100, deadline=None)
@given(turns=st.lists(TURN, min_size=1, max_size=8), zone=st.sampled_from(ZONES))
def test_nights_over_any_text(turns: list[tuple], zone: str) -> None:
    nights(turns, zone, 2)


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(turns=st.lists(TURN, min_size=1, max_size=20), zone=st.sampled_from(ZONES))
def test_many_nights_over_any_text(turns: list[tuple], zone: str) -> None:
    nights(turns, zone, 5)


@settings(max_examples=30, deadline=None)
@given(lines=st.lists(TEXT, min_size=1, max_size=30), copies=st.integers(1, 4))
def test_a_night_of_the_same_again_adds_nothing(lines: list[str], copies: int) -> None:
    """However often a source is read, it is learned once."""
    store, zone = InMemoryStore(), zone_of("Asia/Shanghai")
    records = [
        Record(text=line, source="t", ts=(START + timedelta(minutes=place)).astimezone(zone))
        for place, line in enumerate(lines)
    ]
    for _ in range(copies):
        take_in(store, records, Intake("s", "", START))
    dreamt(store, (START + timedelta(days=2)).astimezone(zone), "all")
    before = store.memories("s")
    take_in(store, records, Intake("s", "", START))
    again = dreamt(store, (START + timedelta(days=2, hours=1)).astimezone(zone), "all")
    assert again.input_events == 0
    assert store.memories("s") == before
