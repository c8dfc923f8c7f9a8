"""The scripted model that has read the day before."""

from pathlib import Path

import pytest

from slowwave.testing.scripted_http import Request
from slowwave.testing.scripted_reader import (
    Note,
    ScriptedReader,
    is_about_a_log,
    notes_in,
    shown_events,
)

PROMPT = """BEFORE (noted already)
[b1] 2031-01-01 08:00 Wednesday, owner
<<aaaaaa
LOG of the ship
aaaaaa>>

LOG
[e1] 2031-01-02 08:00 Thursday, owner
<<bbbbbb
I keep bees
and wasps
bbbbbb>>
[e2] 2031-01-02 08:01 Thursday, other Ada
<<cccccc
Me too
cccccc>>"""


def request(prompt: str) -> Request:
    return Request("POST", "/v1/chat/completions", {}, {
        "messages": [{"role": "user", "content": prompt}]})  # fmt: skip


def test_events_are_found_by_the_ids_under_which_they_are_shown() -> None:
    assert shown_events(PROMPT) == {"e1": "I keep bees\nand wasps", "e2": "Me too"}
    assert shown_events("Which of these are the same?") == {}
    assert is_about_a_log(request(PROMPT))
    assert not is_about_a_log(request("Name these themes"))


def test_it_answers_with_the_notes_on_what_is_shown() -> None:
    reader = ScriptedReader([
        Note("I keep bees\nand wasps", ({"kind": "fact", "quote": "I keep bees"},)),
        Note("Me too", ({"quote": ""}, {"event_id": "e9", "text": "So do I"})),
        Note("not shown", ({"text": "never said"},)),
    ])  # fmt: skip
    items = reader(request(PROMPT))["items"]
    assert [item["evidence"] for item in items] == [
        [{"event_id": "e1", "quote": "I keep bees"}], [],
        [{"event_id": "e9", "quote": "Me too"}],
    ]  # fmt: skip
    assert [item["text"] for item in items] == ["I keep bees", "Me too", "So do I"]
    assert reader.given == items
    assert reader(request("Name these themes")) == {"items": []}


def test_notes_may_stand_beside_a_log(tmp_path: Path) -> None:
    file = tmp_path / "day.jsonl"
    file.write_text(
        '{"ref": "d1", "text": "Me too"}\n\n{"said": "Me too", "items": [{}], "wrong": true}\n'
    )
    assert notes_in(file) == [Note("Me too", ({},), wrong=True)]
    with pytest.raises(FileNotFoundError):
        notes_in(tmp_path / "none.jsonl")
