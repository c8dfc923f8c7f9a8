"""The second question, word for word: `GOLDEN_UPDATE=1` writes the files anew."""

import os
from pathlib import Path

import msgspec
import pytest

from slowwave.model import Ask
from slowwave.modelling import parse_items
from slowwave.modelling.repairing import needs_repair, repair

GOLDEN = Path(__file__).parent / "golden"
ASK = Ask(purpose="distill", system="List the glazes.", user="Ada: the blue one is empty.")


class Glaze(msgspec.Struct, frozen=True):
    text: str
    left: int = 0


ANSWERS = {
    "unreadable": "There is one glaze.",
    "cut": '[{"text": "the blue glaze"}, {"text": "the r',
    "refused": '[{"text": "the blue glaze"}, {"text": "red", "left": "some"}, {"left": 3}]',
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_second_question(name: str) -> None:
    parsed = parse_items(ANSWERS[name], Glaze)
    assert needs_repair(parsed)
    asked = repair(ASK, parsed)
    assert (asked.system, asked.purpose) == (ASK.system, ASK.purpose)
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("GOLDEN_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(asked.user + "\n", encoding="utf-8")
    assert asked.user + "\n" == path.read_text(encoding="utf-8")


def test_what_is_whole_needs_none() -> None:
    assert not needs_repair(parse_items('[{"text": "blue"}]', Glaze))
    assert not needs_repair(parse_items("[]", Glaze))
