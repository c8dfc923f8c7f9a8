"""BEAM chats, with invented words."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from slowwave.adapters.importers.beam import FORMAT
from slowwave.model import Record, Skipped

ZONE = ZoneInfo("Asia/Shanghai")


def chat() -> list[dict[str, Any]]:
    first = [
        {
            "role": "user", "id": 0, "time_anchor": "March-05-2031", "index": "1,1",
            "question_type": "main_question", "content": "My barn leaks. ->-> 1,1",
        },
        {"role": "assistant", "id": 1, "content": "Check the ridge ->-> not an index"},
    ]  # fmt: skip
    second = [{"role": "user", "id": 2, "content": "It was the gutter\n->-> 2, 14 "}]
    third = [{"role": "user", "id": 3, "time_anchor": "April-01-2031", "content": "Fixed"}]
    return [
        {"batch_number": 1, "turns": [first, second], "time_anchor": None},
        {"batch_number": 2, "turns": [third]},
    ]


def read(tmp_path: Path, value: object, folder: str = "7") -> list[Record | Skipped]:
    (tmp_path / folder).mkdir(exist_ok=True)
    path = tmp_path / folder / "chat.json"
    path.write_text(json.dumps(value))
    assert FORMAT.recognise(path, path.read_bytes()[:65536])
    return list(FORMAT.read(path, ZONE))


def test_messages(tmp_path: Path) -> None:
    found = [each for each in read(tmp_path, chat()) if isinstance(each, Record)]
    assert [(each.ref, each.role, each.text) for each in found] == [
        ("0", "user", "My barn leaks."),
        ("1", "assistant", "Check the ridge ->-> not an index"),
        ("2", "user", "It was the gutter"),
        ("3", "user", "Fixed"),
    ]
    assert {each.source for each in found} == {"beam:7"}
    assert [each.ts for each in found] == [
        datetime(2031, 3, 5, 9, 0, 0, tzinfo=ZONE),
        datetime(2031, 3, 5, 9, 0, 1, tzinfo=ZONE),
        datetime(2031, 3, 5, 9, 0, 2, tzinfo=ZONE),
        datetime(2031, 4, 1, 9, 0, 0, tzinfo=ZONE),
    ]
    assert [each.session for each in found] == ["7/batch_1"] * 3 + ["7/batch_2"]


def test_plans_around_batches_and_flat_turns(tmp_path: Path) -> None:
    nested = [
        {"plan-1": chat()[:1]},
        {"plan-2": [{"batch_number": 2, "turns": chat()[1]["turns"][0]}]},
    ]
    found = [each for each in read(tmp_path, nested) if isinstance(each, Record)]
    assert [each.ref for each in found] == ["0", "1", "2", "3"]


def test_equal_ids_of_different_chats_are_different_events(tmp_path: Path) -> None:
    other = [{"batch_number": 1, "turns": [[{"role": "user", "id": 0, "content": "Other words"}]]}]
    one = next(each for each in read(tmp_path, chat()) if isinstance(each, Record))
    two = next(each for each in read(tmp_path, other) if isinstance(each, Record))
    assert one.key != two.key


def test_damage_is_counted(tmp_path: Path) -> None:
    bent = chat()
    bent[0]["turns"][0] += [4, {"role": "robot", "id": 8, "content": "x"}, {"role": "user"}]
    found = read(tmp_path, [*bent, "junk"])
    assert len([each for each in found if isinstance(each, Record)]) == 4
    assert len([each for each in found if isinstance(each, Skipped)]) == 4
