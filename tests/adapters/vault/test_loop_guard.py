"""What the vault wrote is never evidence, wherever it is read again (promise 5, case 16)."""

from collections import Counter
from pathlib import Path

import pytest

from slowwave.adapters.importers import discover, recognise
from slowwave.capture.envelope import Intake, admit
from slowwave.model import Event, Record
from slowwave.text.noise import is_recalled, strip_managed


@pytest.fixture
def written(desk) -> Path:
    desk.root.mkdir()
    desk.page.write_text("# Mine\n\n- I water the figs on Sundays\n", encoding="utf-8")
    memory = desk.dream("The boiler is from 1990", "我把陶轮借给了阿沅")[0]
    desk.sync()
    with desk.entry(memory).open("a", encoding="utf-8") as stream:
        stream.write("\n- the manual lies in the left drawer\n")
    desk.edit("1990", "1991", desk.entry(memory))
    desk.sync()
    return desk.root


def read(path: Path, zone) -> list[Record]:
    found = recognise(path)
    return [one for one in found.read(path, zone) if isinstance(one, Record)] if found else []


def test_a_vault_holds_only_what_people_wrote(written: Path, desk) -> None:
    records = [record for path in discover(written) for record in read(path, desk.now.tzinfo)]
    assert {record.text for record in records} == {
        "I water the figs on Sundays", "the manual lies in the left drawer",
    }  # fmt: skip
    assert {record.origin for record in records} == {"owner"}


def test_copies_are_known_too(written: Path, desk, tmp_path: Path) -> None:
    for number, path in enumerate(sorted(written.rglob("*.md"))):
        copy = tmp_path / f"copy-{number}.md"
        copy.write_bytes(path.read_bytes())
        texts = [record.text for record in read(copy, desk.now.tzinfo)]
        assert not any("boiler" in text or "陶轮" in text for text in texts), path


def test_pasted_into_a_talk(written: Path, desk) -> None:
    for path in (written / "MEMORY.md", written / "DREAMS.md"):
        region = "<!-- slowwave:begin" + path.read_text("utf-8").partition("<!-- slowwave:begin")[2]
        assert is_recalled(region)
        assert strip_managed(f"What is this?\n\n{region}") == "What is this?"
        event = admit(
            Record(text=f"please tidy this\n{region}", source="chat", ts=desk.now),
            Intake(space="s", owner="", now=desk.now),
            Counter(),
        )
        assert isinstance(event, Event)
        assert event.text == "please tidy this"
        whole = admit(
            Record(text=region, source="chat", ts=desk.now), Intake("s", "", desk.now), Counter()
        )
        assert isinstance(whole, Event)
        assert whole.origin == "recalled"


def test_a_region_that_never_ends_reaches_to_the_end() -> None:
    assert strip_managed("mine\n<!-- slowwave:begin 0123456789ab -->\n- a\n- b") == "mine"
    assert strip_managed("we talked about <!-- slowwave:begin --> markers") == (
        "we talked about <!-- slowwave:begin --> markers"
    )
