"""Every space of a home over one store."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from slowwave.errors import StoreError, UsageError
from slowwave.model import Record
from slowwave.spaces import Spaces
from slowwave.wiring import Options

NO_VECTORS = {"SLOWWAVE_EMBEDDER": "none"}


def test_spaces_share_a_store_and_nothing_else(tmp_path: Path) -> None:
    spaces = Spaces(Options(home=str(tmp_path)), NO_VECTORS)
    spaces.memory("ada").log([Record(text="the heron stands in the reeds", source="a")])
    spaces.memory("桦").log([Record(text="白鹭站在芦苇里", source="b")])
    assert spaces.memory().space == spaces.default == "default"
    assert spaces.memory("ada") is spaces.memory(" ada ")
    assert spaces.memory("ada").parts.store is spaces.memory("桦").parts.store
    assert spaces.names() == ["ada", "桦"]
    assert not spaces.memory("桦").recall(spaces.memory("桦").query("heron"))
    spaces.close()
    with pytest.raises(StoreError):
        spaces.first.log([Record(text="too late", source="c")])


def test_many_at_once_open_each_space_once(tmp_path: Path) -> None:
    spaces = Spaces(Options(home=str(tmp_path)), NO_VECTORS)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: spaces.memory(f"s{number % 4}"), range(64)))
    assert len({id(one) for one in found}) == 4
    spaces.close()


def test_of_many_spaces_only_those_asked_for_last_stay_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slowwave.spaces.MOST_OPEN", 3)
    spaces = Spaces(Options(home=str(tmp_path)), NO_VECTORS)
    ada = spaces.memory("ada")
    ada.log([Record(text="the heron stands in the reeds", source="a")])
    for number in range(50):
        spaces.memory(f"nobody{number}")
        assert spaces.memory("ada") is ada, "who is asked for again and again stays"
    for number in range(5):
        assert spaces.memory(f"nobody{number}").memories() == []
    assert spaces.memory("ada") is not ada
    ada.log([Record(text="the heron flies", source="a")])  # who still has it can use it
    ada.context("where is the heron?", 300)
    assert [event.text for event in spaces.memory("ada").events_since(0)] == [
        "the heron stands in the reeds", "the heron flies",
    ]  # fmt: skip
    assert spaces.memory() is spaces.first
    assert spaces.names() == ["ada"]
    ada.close()
    spaces.close()


def test_what_is_no_name_of_a_space(tmp_path: Path) -> None:
    spaces = Spaces(Options(home=str(tmp_path)), NO_VECTORS)
    for name in (" ", "a\nb", "x" * 101, "\x00", "a\u202eb"):
        with pytest.raises(UsageError):
            spaces.memory(name)
    spaces.close()


def test_what_waits_in_each_space_is_written(tmp_path: Path) -> None:
    spaces = Spaces(Options(home=str(tmp_path)), NO_VECTORS)
    for name in ("ada", "ben"):
        memory = spaces.memory(name)
        memory.log([Record(text="I am allergic to walnuts.", source="a")])
        memory.dream("today", apply=True)
        memory.recall(memory.query("walnuts", caller="person"))
    spaces.close()
    again = Spaces(Options(home=str(tmp_path)), NO_VECTORS)
    for name in ("ada", "ben"):
        assert [one.access_count for one in again.memory(name).memories()] == [1]
    again.close()
