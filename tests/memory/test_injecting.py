"""What goes into a prompt, as time passes."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from slowwave.memory import SlowMemory
from slowwave.wiring import Options, open_memory

SAID = datetime.fromisoformat("2031-03-06T10:00:00+08:00")


def _opener(home: Path) -> Callable[[int], SlowMemory]:
    """The memory of a home so many days after what was said."""
    (home / "slowwave.toml").write_text('embedder = "none"\n')
    return lambda days: open_memory(
        Options(home=str(home), now=(SAID + timedelta(days=days)).isoformat(), tz="Asia/Shanghai")
    )


def test_an_open_item_that_nobody_spoke_of_is_not_loaded(tmp_path: Path) -> None:
    at = _opener(tmp_path)
    memory = at(0)
    memory.working_add("collect the kiln shelves from the depot")
    memory.close()
    for days, loaded in ((1, True), (13, True), (20, False)):
        memory = at(days)
        text = memory.context("kiln shelves depot", 800).text
        assert ("kiln shelves" in text) is loaded
        assert ("kiln shelves" in memory.context("", 800).text) is loaded
        memory.close()


def test_a_plan_whose_day_passed_leaves_the_prompt_without_a_night(tmp_path: Path) -> None:
    at = _opener(tmp_path)
    memory = at(0)
    memory.log([memory.event_line('{"text": "我下周二去景德镇取瓷板"}'.encode(), 1)])
    memory.dream("today", apply=True)
    memory.close()
    for days, loaded in ((1, True), (60, False)):
        memory = at(days)
        assert ("瓷板" in memory.context("去景德镇取瓷板", 800).text) is loaded
        memory.close()


@pytest.mark.parametrize(
    ("name", "fact", "question"),
    [
        ("我叫卫青禾，做木版年画的", "我住在河坊弄 8 号", "青禾现在住在哪里？"),
        ("My name is Orla Quist", "I live at 4 Heron Street", "Where does Orla live now?"),
    ],
)
def test_a_question_by_the_owners_name_is_about_him(
    tmp_path: Path, name: str, fact: str, question: str
) -> None:
    memory = _opener(tmp_path)(0)
    memory.log([memory.event_line(json.dumps({"text": text}).encode(), 1) for text in (name, fact)])
    memory.dream("today", apply=True)
    given = memory.context(question, 800).text
    memory.close()
    assert fact in given


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        ("We moved to Tartu in April", "Where do I live?", "Tartu"),
        ("我上个月搬到了贵阳", "我住哪", "贵阳"),
        ("I joined Hallam Ceramics in May", "Where do I work?", "Hallam"),
    ],
)
def test_who_moved_lives_there(tmp_path: Path, said: str, question: str, answer: str) -> None:
    memory = _opener(tmp_path)(0)
    other = "The glaze on the blue bowls cracked again"
    memory.log(
        [memory.event_line(json.dumps({"text": text}).encode(), 1) for text in (other, said)]
    )
    memory.dream("today", apply=True)
    given = memory.context(question, 800).text
    memory.close()
    assert answer in given
    assert "glaze" not in given
