"""Light sleep and REM: what is laid out, which themes are none, which statements look lasting."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from slowwave.dream.phases import Sleep, pool, sleep
from slowwave.dream.weigh.concepts import concepts, tags
from slowwave.dream.weigh.tally import Tally
from slowwave.model import Memory
from slowwave.settings import SignalSettings
from slowwave.testing import samples

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2031, 3, 20, 3, tzinfo=ZONE)
RULES = SignalSettings()


def memory(text: str, days_ago: float = 1, **fields: Any) -> Memory:
    seen = NOW - timedelta(days=days_ago)
    given = {"first_seen": seen, "last_seen": seen, "status": "candidate"}
    return samples.memory(text, **(given | fields))


def slept(
    memories: Sequence[Memory], tallies: dict[str, Tally] | None = None, **fields: Any
) -> Sleep:
    rules = SignalSettings(**fields)
    return sleep(pool(memories, rules, NOW), tallies or {}, rules, NOW)


def lit(found: Sleep) -> list[str]:
    return [hit.memory_id for hit in found.hits if hit.phase == "light"]


def truths(found: Sleep) -> list[str]:
    return [hit.memory_id for hit in found.hits if hit.phase == "rem"]


def names(texts: Sequence[str], **fields: Any) -> list[str]:
    found = slept([memory(text, id=f"m{number}") for number, text in enumerate(texts)], **fields)
    return [theme.name for theme in found.themes]


# light


def test_light_sleep_looks_back_some_days() -> None:
    memories = [memory(f"the {word} is here", days_ago=days, id=word) for word, days in
                (("lamp", 0.5), ("kettle", 1.9), ("ladder", 2.5), ("rake", 9))]  # fmt: skip
    assert sorted(lit(slept(memories))) == ["kettle", "lamp"]
    recalled = memory("the rake is here", days_ago=9, id="rake", last_access=NOW)
    assert lit(slept([recalled])) == ["rake"]


@pytest.mark.parametrize("status", ["retired", "cold", "quarantined"])
def test_what_is_not_live_is_not_considered(status: str) -> None:
    assert slept([memory("the lamp is here", status=status)]) == Sleep()


def test_the_same_statement_is_laid_out_once_and_keeps_what_both_count() -> None:
    twins = [memory("Teo's rowing club meets by the old mill", id="a"),
             memory("Teo's rowing club meets by the old mill.", id="b")]  # fmt: skip
    tallies = {"a": Tally(recalls=2, total=1.8, queries=frozenset("xy")),
               "b": Tally(recalls=4, total=3.6, queries=frozenset("yz"))}  # fmt: skip
    assert lit(slept(twins, tallies)) == ["a"]
    other = memory("Teo's rowing club meets by the new bridge", id="c")
    assert lit(slept([*twins, other], tallies)) == ["a", "c"]


def test_the_opposite_and_another_person_are_no_doubles() -> None:
    like = memory("I like the rowing club by the old mill", id="a")
    dislike = memory("I like the rowing club by the old mill", id="b", negated=True)
    friend = memory("I like the rowing club by the old mill", id="c", subject="Teo")
    assert sorted(lit(slept([like, dislike, friend]))) == ["a", "b", "c"]


def test_what_was_lit_and_did_not_come_up_since_rests() -> None:
    once = memory("the lamp is here", days_ago=1.5, id="m1")
    yesterday = NOW.date() - timedelta(days=1)
    assert lit(slept([once], {"m1": Tally(light=1, lit=yesterday)})) == []
    again = memory("the lamp is here", days_ago=1.5, id="m1", last_access=NOW - timedelta(hours=9))
    assert lit(slept([again], {"m1": Tally(light=1, lit=yesterday)})) == ["m1"]


def test_a_night_lays_out_at_most_so_many() -> None:
    many = [memory(f"crate {number} holds {number * 7} bolts", id=f"m{number:03}")
            for number in range(300)]  # fmt: skip
    assert len(lit(slept(many))) == RULES.light_limit
    assert len(pool(many, SignalSettings(light_limit=5), NOW)) == 20


# truths


def test_truths_are_few_sure_and_different() -> None:
    def tally(average: float) -> Tally:
        days = frozenset(NOW.date() - timedelta(days=back) for back in range(3))
        return Tally(recalls=6, total=6 * average, recall_days=days, tags=6)

    memories = [memory(f"{word} is kept under the stairs", id=word) for word in
                ("lamp", "kettle", "ladder", "rake", "saddle")]  # fmt: skip
    tallies = {one.id: tally(0.5 + place / 10) for place, one in enumerate(memories)}
    assert truths(slept(memories, tallies)) == ["saddle", "rake", "ladder"]
    assert truths(slept(memories, {})) == []
    twins = [memory("the spare saddle hangs in the north shed", id="a"),
             memory("The spare saddle hangs in the north shed!", id="b")]  # fmt: skip
    assert len(truths(slept(twins, {"a": tally(0.9), "b": tally(0.8)}))) == 1


# themes


def test_a_theme_is_what_several_memories_are_about() -> None:
    texts = ["The cello needs new strings", "Mira tunes the cello herself",
             "Our cello case has wheels", "The boiler is loud"]  # fmt: skip
    found = slept([memory(text, id=f"m{place}") for place, text in enumerate(texts)])
    assert [(theme.name, theme.strength) for theme in found.themes] == [("cello", 1.0)]
    assert found.themes[0].memory_ids == ("m0", "m1", "m2")


def test_strength_is_twice_the_share_and_the_weak_are_left_out() -> None:
    texts = ["cello strings", "cello bow", "cello case", "boiler valve", "garden gate",
             "garden hose", "roof tiles", "attic ladder"]  # fmt: skip
    found = slept([memory(text, id=f"m{place}") for place, text in enumerate(texts)])
    assert [(theme.name, theme.strength) for theme in found.themes] == [("cello", 0.75)]


def test_one_theme_for_all_forms_of_a_word() -> None:
    found = names(["the backup ran", "backups are on the shelf", "old Backups were burnt"])
    assert found == ["backups"]


@pytest.mark.parametrize(
    "texts",
    [
        ["one good day at the mill", "every day a pear", "what a day, Otto"],
        ["users said hi", "the user wants rice", "a user of the loom"],
        ["28-31 boxes", "28-31 chairs", "28-31 lamps"],
        ["at 15:30 rice", "at 15:30 loom", "at 15:30 pear"],
        ["the assistant sang", "my assistant slept", "an assistant rowed"],
        ["I would really like rice", "I really like looms", "she really likes pears"],
        ["今天吃了米饭", "今天修了织机", "今天买了梨"],
        ["我喜欢米饭", "我喜欢织机", "他喜欢梨"],
        ["3月5日种树", "3月5日划船", "3月5日看戏"],
        ["on May 5th rice", "on May 5th loom", "on May 5th pears"],
    ],
)
def test_words_of_any_talk_are_no_theme(texts: list[str]) -> None:
    assert names(texts) == []


def test_chinese_themes_are_whole_words() -> None:
    assert names(["去青海湖骑车", "青海湖的照片很美", "梦见青海湖了"]) == ["青海湖"]
    assert names(["大提琴要换弦", "大提琴很重", "她拉大提琴", "锅炉太吵"]) == ["大提琴"]


def test_names_are_themes_as_a_whole_and_once() -> None:
    named = [memory(text, id=f"m{place}", entities=("Lake Orta",)) for place, text in enumerate(
        ["Lake Orta was misty", "we rowed on Lake Orta", "a song about Lake Orta"])]  # fmt: skip
    assert [theme.name for theme in slept(named).themes] == ["Lake Orta"]


def test_what_one_memory_is_about_is_no_theme() -> None:
    assert names(["The cello needs strings", "the boiler is loud"]) == []
    assert names(["cello"]) == []
    assert names([]) == []


def test_tags_count_what_a_memory_is_about() -> None:
    assert tags(samples.memory("I went to it and it was so")) == 0
    assert tags(samples.memory("The cello and the cellos")) == 1
    assert tags(samples.memory("大提琴")) == 1
    assert (
        tags(samples.memory("Lake Orta is deep", entities=("Lake Orta", "12", "2031-03-02"))) == 2
    )
    assert "cello" in concepts(samples.memory("My Cellos"))


def test_it_is_deterministic_whatever_the_order() -> None:
    memories = [memory(f"the {word} of Otto", id=word) for word in ("lamp", "rake", "kettle")]
    tallies = {one.id: Tally(recalls=4, total=3.2, tags=6) for one in memories}
    assert slept(memories, tallies) == slept(memories[::-1], tallies)
