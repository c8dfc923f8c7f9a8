"""Dream quality: the checks on invented memories, and the whole measurement on an invented talk."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.errors import InputError, UsageError
from slowwave.evaluation.metrics import Question
from slowwave.evaluation.quality import dream_quality
from slowwave.evaluation.quality_checks import faults, likely_twins
from slowwave.evaluation.quality_junk import junk_of
from slowwave.evaluation.quality_sides import ending_of
from slowwave.model import Event, Evidence, Memory

SAID = datetime(2026, 5, 1, 10, tzinfo=UTC)


def event(text: str, number: int = 0) -> Event:
    return Event(
        id=f"e{number}", space="s", identity=str(number), ts=SAID, role="user", kind="message",
        origin="owner", text=text, source="t", speaker="Ottmar", ref=f"r{number}",
    )  # fmt: skip


def memory(text: str, *evidence: Event, **fields: Any) -> Memory:
    spans = tuple(
        Evidence(
            event_id=one.id, quote=one.text, start=0, end=len(one.text), ref=one.ref, ts=one.ts,
            speaker=one.speaker,
        )
        for one in evidence
    )  # fmt: skip
    given = {
        "id": "m" + text[:12], "kind": "fact", "subject": "user", "title": "", "text": text,
        "entities": (), "importance": 50, "confidence": 0.7, "status": "active",
        "standing": "standing", "negated": False, "evidence": spans, "dream_id": "d",
        "first_seen": SAID, "last_seen": SAID,
    }  # fmt: skip
    return Memory(**{**given, **fields})


def kinds(text: str, said: str, **fields: Any) -> list[str]:
    source = event(said)
    return [fault.kind for fault in faults(memory(text, source, **fields), {"e0": source})]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I sold 40 lamps to Wenzel", "Well, I sold 40 lamps to Wenzel!"),
        ("I met Wenzel yesterday (2026-04-30)", "I met Wenzel yesterday"),
        ("昨天（2026-04-30）我去了芦苇荡", "昨天我去了芦苇荡"),
        ("version 2.10.3 runs (2026-04-02)", "version 2.10.3 runs (2026-04-02)"),
        ("我有三十二只鸽子", "其实我有三十二只鸽子"),
    ],
)
def test_what_stands_in_the_evidence_is_no_fault(text: str, said: str) -> None:
    assert kinds(text, said) == []


@pytest.mark.parametrize(
    ("text", "said", "kind"),
    [
        ("I sold 40 lamps", "I sold 400 lamps", "number"),
        ("I sold 4 lamps", "I sold 40 lamps", "number"),
        ("我有三十二只鸽子", "我有二十三只鸽子", "number"),
        ("I sold lamps to Wenzel", "I sold lamps to Ruprecht", "name"),
        ("I sold cheap lamps", "I sold lamps", "word"),
        ("我喜欢芦苇", "我喜欢莲花", "word"),
        ("I met him yesterday (2026-04-12)", "I met him yesterday", "date"),
        ("I met him yesterday (2026-02-31)", "I met him yesterday", "date"),
        ("明天（2026-06-02）搬家", "明天搬家", "date"),
    ],
)
def test_what_does_not_is_a_fault_of_its_kind(text: str, said: str, kind: str) -> None:
    assert kind in kinds(text, said)


def test_a_quote_must_be_its_span_and_a_subject_must_be_named() -> None:
    source = event("I sold lamps")
    moved = memory("I sold lamps", source)
    assert [f.kind for f in faults(moved, {"e0": event("I sold  lamps")})] == ["quote"]
    assert [f.kind for f in faults(moved, {})] == ["quote"]
    assert [f.kind for f in faults(memory("", event("x")), {"e0": event("x")})] == []
    assert "quote" in [f.kind for f in faults(memory("I sold lamps"), {})]
    assert kinds("she sold lamps", "she sold lamps", subject="Aunt Grete") == ["subject"]
    assert kinds("she sold lamps", "she sold lamps", subject="Ottmar") == []


def test_twins_share_words_numbers_and_subject() -> None:
    one = memory("I planted pear trees along the northern fence")
    near = memory("I planted pear trees along the northern fence again")
    numbered = memory("I planted 9 pear trees along the northern fence")
    others = memory("I planted pear trees along the northern fence", subject="Ottmar")
    far = memory("the fence needs paint")
    found = list(likely_twins([one, near, numbered, others, far]))
    assert [(t.first, t.second) for t in found] == [(one, near)]
    assert found[0].likeness > 0.8


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("$ make -j4 install", "shell"),
        ("sudo systemctl restart kiln", "shell"),
        ("git push origin kiln-fix", "shell"),
        ("cat kiln.log | grep hot", "shell"),
        ("def warm(kiln): return kiln.heat(900)", "code"),
        ("const oven = { heat: 900, door: [1, 2] };", "code"),
        ("ERROR: kiln lost its probe", "log"),
        ('{"sender_id": 4, "kiln": "hot"}', "metadata"),
        ("conversation_label: kiln talk", "metadata"),
        ("https://kiln.example/log", "metadata"),
        ("## Kiln", "heading"),
        ("**Kiln plans**", "heading"),
        ("窑的计划：", "heading"),
        ("Thanks, Wenzel! See you soon", "greeting"),
        ("谢谢您，晚安", "greeting"),
        ("I fired the kiln because", "half sentence"),
        ("我把窑烧热，然后", "half sentence"),
        ("(the kiln", "half sentence"),
        ("My kiln", "half sentence"),
        ("stays a candidate; time declined", "own words"),
        ("<!-- slowwave:begin -->", "own words"),
    ],
)
def test_junk_is_known_by_its_form(text: str, kind: str) -> None:
    found = junk_of(text)
    assert found == kind or (kind == "half sentence" and found)


@pytest.mark.parametrize(
    "text",
    [
        "I fired the kiln at 900 degrees",
        "我明天去看窑",
        "That is the kiln I was waiting for",
        "Great kilns are what Wenzel builds",
        "I make the glaze myself and go to the kiln on Fridays",
        "Use `git push` only after the review is done",
        "窑坏了，谢谢大家帮我搬陶器",
        "The area of the base is \\( b = 3x \\), says Wenzel",
    ],
)
def test_a_statement_is_no_junk(text: str) -> None:
    assert junk_of(text) == ""


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    assert isinstance(junk_of(text), str)
    source = event(text)
    found = [f for f in faults(memory(text, source), {"e0": source}) if text]
    assert [f for f in found if f.kind not in ("date", "quote")] == []


def test_what_became_of_two_statements_that_cannot_both_hold() -> None:
    older, newer = event("the kiln holds 40 pots", 1), event("the kiln holds 60 pots", 2)
    newer = Event(**{**{f: getattr(newer, f) for f in newer.__struct_fields__},
                     "ts": SAID.replace(hour=12)})  # fmt: skip
    events = {"e1": older, "e2": newer}
    asked = Question("How many pots?", ("k",), (("r1", "r2"),), sides=(("r2",), ("r1",)))
    old, new = memory(older.text, older), memory(newer.text, newer, id="m2")
    closed = memory(older.text, older, status="retired")
    linked = memory(newer.text, newer, id="m2", conflicts_with=(old.id,))
    assert ending_of(asked, [old, new], events) == "both stand"
    assert ending_of(asked, [closed, new], events) == "newer stands"
    assert ending_of(asked, [old, linked], events) == "both marked"
    assert ending_of(asked, [memory(newer.text, older, newer)], events) == "newer stands"
    assert ending_of(asked, [old], events) == "not kept"
    assert ending_of(Question("?", ("k",), (("r1",),)), [old, new], events) is None


def talk(path: Path) -> Path:
    said = (
        ("Ottmar", "I repaired the big loom in my attic last week."),
        ("Grete", "Nice! My daughter Liv moved to Tartu in March."),
        ("Ottmar", "haha"),
        ("Grete", "I adopted a goat called Pebble yesterday."),
    )
    turns = [
        {"speaker": who, "dia_id": f"D1:{n}", "text": text} for n, (who, text) in enumerate(said, 1)
    ]
    asked = [
        ("What did Ottmar repair?", ["D1:1"], 4),
        ("Who moved and who was adopted?", ["D1:2", "D1:4"], 1),
        ("What was funny?", ["D1:3"], 4),
        ("Who stole the loom?", ["D1:1"], 5),
    ]
    sample = {
        "sample_id": "attic",
        "conversation": {"session_1_date_time": "9:05 am on 3 April, 2024", "session_1": turns},
        "qa": [{"question": q, "evidence": e, "category": c} for q, e, c in asked],
    }
    path.write_text(json.dumps([sample]), encoding="utf-8")
    return path


def test_a_whole_conversation_is_lived_and_measured(tmp_path: Path) -> None:
    path = talk(tmp_path / "locomo.json")
    told: list[str] = []
    table = dream_quality("locomo", path, progress=lambda what, *_: told.append(what))
    lines = {line.measure: line for line in table.table}
    assert table.n == 3
    assert lines["coverage"].value == pytest.approx(66.7)
    assert lines["compression"].n > 30
    assert lines["determinism"].value == 100
    assert lines["faults"].value == lines["junk"].value == lines["duplicates"].value == 0
    assert lines["nights"].n == 5
    assert table.conversations[0].covered == 2
    assert {"nights of attic", "locomo: conversations"} <= set(told)
    assert dream_quality("locomo", path) == table


def test_wrong_names_and_talks_without_dates_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        dream_quality("nothing", tmp_path)
    path = tmp_path / "locomo.json"
    path.write_text(
        json.dumps([{"conversation": {"session_1": [{"speaker": "A", "text": "I sing"}]}}])
    )
    with pytest.raises(InputError):
        dream_quality("locomo", path)
