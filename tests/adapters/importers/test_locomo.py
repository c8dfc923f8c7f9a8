"""LoCoMo conversations, with invented people."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from slowwave.adapters.importers.locomo import FORMAT
from slowwave.model import Record, Skipped

ZONE = ZoneInfo("Europe/Lisbon")


def sample(**more: Any) -> dict[str, Any]:
    conversation = {
        "speaker_a": "Ines",
        "speaker_b": "Rui",
        "session_10_date_time": "12:05 am on 3 July, 2031",
        "session_10": [{"speaker": "Rui", "dia_id": "D10:1", "text": "Late!"}],
        "session_2_date_time": "1:15 pm on 9 June, 2031",
        "session_2": [
            {"speaker": "Ines", "dia_id": "D2:1", "text": "I bought a kayak. "},
            {
                "speaker": "Rui",
                "dia_id": "D2:2",
                "text": "Look",
                "blip_caption": "a photo of a red boat",
                "query": "red boat",
            },
            {"speaker": "Rui", "dia_id": "D2:3", "text": "", "blip_caption": "a photo of a pier"},
        ],
        **more,
    }
    return {"qa": [], "sample_id": "talk-7", "conversation": conversation}


def read(tmp_path: Path, value: object) -> list[Record | Skipped]:
    path = tmp_path / "data.json"
    path.write_text(json.dumps(value))
    assert FORMAT.recognise(path, path.read_bytes())
    return list(FORMAT.read(path, ZONE))


def test_turns_in_order_of_sessions(tmp_path: Path) -> None:
    for value in ([sample()], sample()):
        found = [each for each in read(tmp_path, value) if isinstance(each, Record)]
        assert [each.ref for each in found] == ["D2:1", "D2:2", "D2:3", "D10:1"]
    assert found[0].text == "I bought a kayak."
    assert found[1].text == "Look [shared image: a photo of a red boat]"
    assert found[2].text == "[shared image: a photo of a pier]"
    assert found[1].ts == datetime(2031, 6, 9, 13, 15, 1, tzinfo=ZONE)
    assert found[3].ts == datetime(2031, 7, 3, 0, 5, tzinfo=ZONE)
    first = found[0]
    assert (first.source, first.key, first.session) == ("locomo:talk-7", "D2:1", "talk-7/session_2")
    assert (first.role, first.origin, first.speaker) == ("user", "other", "Ines")


def test_damage_is_counted(tmp_path: Path) -> None:
    bent = sample(session_3=[5, {"speaker": "Ines"}], session_3_date_time=8, session_4="gone")
    found = read(tmp_path, [bent, 7, {"sample_id": "empty", "conversation": {}}])
    assert len([each for each in found if isinstance(each, Record)]) == 4
    assert len([each for each in found if isinstance(each, Skipped)]) == 4


def test_questions_may_fill_the_whole_head(tmp_path: Path) -> None:
    question = {"question": "What did Ines buy?", "answer": "a kayak", "evidence": ["D2:1"]}
    path = tmp_path / "data.json"
    path.write_text(json.dumps([{"qa": [question] * 2000, **sample()}][:1]))
    head = json.dumps([{"qa": [question] * 2000}]).encode()[:65536]
    assert FORMAT.recognise(path, head)
    assert not FORMAT.recognise(path, b'{"question": "What?", "evidence": ["a"]}')
    assert not FORMAT.recognise(path, b'[{"name": "x"}]')
