"""The diary tells of a dream what is in it, the same each time, in the language of the home."""

import re
from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest

from slowwave.dream.diary.entry import diary
from slowwave.dream.diary.words import SENTENCES
from slowwave.model import (
    Confirm,
    Demote,
    Merge,
    ReasonCount,
    Restore,
    Retire,
    Supersede,
    Theme,
)
from slowwave.testing.samples import add, dream, memory, update

ZONE = timezone(timedelta(hours=8))
NIGHT = {
    "run_at": datetime(2031, 3, 14, 19, 5, tzinfo=UTC),
    "date": "2031-03-14",
    "input_events": 41,
}
KILN = memory("The kiln reaches 1240 degrees")


def told(*changes, chinese=None, **fields) -> str:
    return diary(dream(*changes, **(NIGHT | fields)), ZONE, chinese=chinese).text


def says(what: str, text: str, chinese: bool = False) -> bool:
    """Whether a text has one of the sentences about a thing."""
    shapes = (re.sub(r"\\{\w+\\}", ".+", re.escape(one)) for one in SENTENCES[what][chinese])
    return any(re.search(shape, text, re.IGNORECASE) for shape in shapes)


def change(kind: type, after, **fields):
    return kind(id=f"c-{after.text}", memory_id=after.id, before=after, after=after, reason="",
                **fields)  # fmt: skip


def test_a_night() -> None:
    night = dream(
        add(memory("So we take over the studio lol", id="m1", importance=90)),
        add(memory("a third", id="m3", importance=50)),
        add(memory("a fourth", id="m4", importance=10)), update(KILN, importance=70),
        change(Demote, memory("The wheel squeaks.", id="m8")), **NIGHT,
    )  # fmt: skip
    entry = diary(night, ZONE)
    assert entry.date == "March 15, 2031 at 3:05 AM"
    assert "41 moments" in entry.text
    assert "2031-03-14" in entry.text
    assert "“We take over the studio”, “a third” and 1 more" in entry.text
    assert "a fourth" not in entry.text
    assert says("changed", entry.text)
    assert "“The wheel squeaks”" in entry.text
    assert diary(night, ZONE) == entry


@pytest.mark.parametrize(
    ("what", "kind"),
    [("ended", Retire), ("merged", Merge), ("back", Restore), ("faded", Demote),
     ("again", Confirm)],
)  # fmt: skip
def test_each_thing_that_happens_has_its_words(what: str, kind: type) -> None:
    for chinese, text in enumerate(("The kiln reaches 1240 degrees", "窑温到一千二")):
        entry = told(change(kind, memory(text)))
        assert says(what, entry, bool(chinese))
        assert text in entry


def test_what_gave_way_is_told_with_what_took_its_place() -> None:
    new = memory("The glaze comes from Delft", id="m2")
    old = msgspec.structs.replace(memory("The glaze comes from Faenza"), superseded_by="m2")
    entry = told(change(Supersede, old), add(new))
    assert says("replaced", entry)
    assert "Faenza" in entry
    assert entry.count("Delft") == 1
    assert says("ended", told(change(Supersede, old)))


def test_what_cannot_be_settled_comes_first() -> None:
    torn = msgspec.structs.replace(memory("The kiln is gas-fired", id="m2"), conflicts_with=("m9",))
    entry = told(add(memory("Ilse paints")), add(torn))
    assert says("conflict", entry)
    assert entry.index("gas-fired") < entry.index("Ilse paints")


def test_what_is_due_soon() -> None:
    soon = memory("Fire the big kiln", kind="plan", standing="dated", valid_from="2031-03-18")
    later = memory("Fire the big kiln", kind="plan", standing="dated", valid_from="2031-04-18")
    assert says("due", told(add(soon)))
    assert not says("due", told(add(later)))


def test_a_person_is_met_once() -> None:
    night = dream(add(memory("Ilse paints plates", subject="Ilse")), **NIGHT)
    assert says("person", diary(night, ZONE).text)
    assert not says("person", diary(night, ZONE, people=["ilse"]).text)
    assert not says("person", told(add(memory("I paint plates"))))
    mother = told(add(memory("我妈画盘子", subject="我妈")), chinese=True)
    assert not says("person", mother, chinese=True)


def test_a_theme_and_what_was_forgotten() -> None:
    entry = told(
        add(KILN), themes=(Theme("glaze", 0.9, ("m1",)), Theme("weather", 0.2, ("m2",))),
        rejected=(ReasonCount("verify: forgotten on 2031-01-02", 2),),
    )  # fmt: skip
    assert "glaze" in entry
    assert "weather" not in entry
    assert says("forgotten", entry)
    assert not says("doubt", entry)


def test_only_claims_are_in_doubt() -> None:
    noise = (
        ReasonCount("distill: origin tool", 96), ReasonCount("distill: origin agent", 50),
        ReasonCount("distill: greeting", 4), ReasonCount("collect: blank", 3),
        ReasonCount("verify: agent's own words", 7), ReasonCount("verify: came out of memory", 2),
    )  # fmt: skip
    assert not says("doubt", told(add(KILN), rejected=noise))
    some = (*noise, ReasonCount("verify: number not in evidence", 2),
            ReasonCount("verify: hedge dropped", 1))  # fmt: skip
    entry = told(add(KILN), rejected=some)
    assert says("doubt", entry)
    assert "3" in entry.split("”")[-1]


def test_chinese_and_one_language_per_home() -> None:
    night = dream(add(memory("我把陶轮借给了阿沅")), **NIGHT)
    entry = diary(night, ZONE)
    assert entry.date == "2031年3月15日 03:05"
    assert "2031 年 3 月 14 日" in entry.text
    assert says("new", entry.text, chinese=True)
    assert "「我把陶轮借给了阿沅」" in entry.text
    assert says("new", diary(night, ZONE, chinese=False).text)
    assert diary(dream(**NIGHT), ZONE, chinese=True).date == entry.date


def test_a_quiet_night_and_one_taken_back() -> None:
    assert says("quiet", told())
    assert says("undone", told(undoes="d7"))
    assert "hese days" in told(date="all")


def test_nights_do_not_sound_alike() -> None:
    start = NIGHT["run_at"]
    entries = [
        told(add(KILN), dream_id=f"d{number}", run_at=start + timedelta(days=number))
        for number in range(20)
    ]
    assert len(set(entries)) == 20


def test_what_was_not_approved_is_not_told() -> None:
    entry = told(add(memory("kept"), approved=True), add(memory("refused"), approved=False))
    assert "kept" in entry
    assert "“refused”" not in entry


def test_an_entry_is_short() -> None:
    busy = [change(kind, memory("wheel " * 60, id=f"m{number}")) for number, kind in
            enumerate((Demote, Retire, Merge, Confirm, Restore, Supersede))]  # fmt: skip
    entry = told(*busy, add(memory("kiln " * 60, subject="Ilse")))
    assert "…”" in entry
    assert len(entry) < 480
