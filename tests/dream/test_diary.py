"""The diary tells of a dream what is in it, the same each time, in the language of the memories."""

from datetime import UTC, datetime, timedelta, timezone

from slowwave.dream.diary import diary
from slowwave.model import Demote, ReasonCount, Supersede
from slowwave.testing.samples import add, dream, memory, update

ZONE = timezone(timedelta(hours=8))
NIGHT = {
    "run_at": datetime(2031, 3, 14, 19, 5, tzinfo=UTC),
    "date": "2031-03-14",
    "input_events": 41,
}


def test_a_night() -> None:
    kiln = memory("The kiln reaches 1240 degrees")
    old = memory("The glaze is from Faenza")
    closed = Supersede(id="c9", memory_id=old.id, before=old, after=old, reason="")
    cold = Demote(
        id="c8", memory_id="m8", before=old, after=memory("The wheel squeaks."), reason=""
    )
    night = dream(
        add(memory("Ilse takes over the studio", importance=90)), add(kiln),
        add(memory("a third")), add(memory("a fourth", importance=10)), update(kiln, importance=70),
        closed, cold, rejected=(ReasonCount("distill: greeting", 5),), **NIGHT,
    )  # fmt: skip
    told = diary(night, ZONE)
    assert told.date == "March 15, 2031 at 3:05 AM"
    assert "41 moments of 2031-03-14" in told.text
    assert "“Ilse takes over the studio”, “" in told.text
    assert "and 1 more" in told.text
    assert "a fourth" not in told.text
    assert "not as it was: “The glaze is from Faenza”." in told.text
    assert "let go of “The wheel squeaks”." in told.text
    assert "5 pieces" in told.text
    assert diary(night, ZONE) == told


def test_chinese() -> None:
    told = diary(dream(add(memory("我把陶轮借给了阿沅")), **NIGHT), ZONE)
    assert told.date == "2031年3月15日 03:05"
    assert "2031 年 3 月 14 日的 41 条记录" in told.text
    assert "我记下了「我把陶轮借给了阿沅」。" in told.text


def test_an_empty_night_and_one_taken_back() -> None:
    assert "Nothing in it had to be kept." in diary(dream(**NIGHT), ZONE).text
    assert "took back" in diary(dream(undoes="d7", **NIGHT), ZONE).text
    assert diary(dream(**(NIGHT | {"date": "all"})), ZONE).text.find("these days") > 0


def test_what_was_not_approved_is_not_told() -> None:
    night = dream(
        add(memory("kept"), approved=True), add(memory("refused"), approved=False), **NIGHT
    )
    told = diary(night, ZONE).text
    assert "kept" in told
    assert "“refused”" not in told


def test_long_texts_are_cut() -> None:
    told = diary(dream(add(memory("wheel " * 60)), **NIGHT), ZONE).text
    assert "…”" in told
    assert len(told) < 200
