"""Reviewing from the command line: approve, reject, apply in part, undo, change by hand, work."""

from typing import Any

import pytest

from slowwave.cli.main import run

DAY = "2026-11-30T10:00:00+08:00"


def done(answer: tuple[int, Any, str]) -> Any:
    code, value, stderr = answer
    assert code == 0, stderr
    return value


@pytest.fixture
def plan(call) -> dict[str, Any]:
    """A planned dream of three changes."""
    for text in ("我对花生过敏", "以后报告一律用 PDF", "My daughter is called Wren"):
        done(call("log", "--ts", DAY, text))
    made = done(call("dream"))
    assert len(made["changes"]) == 3
    assert all(gate["ok"] for gate in made["gates"])
    return made


def texts(call) -> list[str]:
    return sorted(memory["text"] for memory in done(call("memories", "list")))


def test_approve_some_and_apply(call, plan) -> None:
    first = plan["changes"][0]
    decided = done(call("dreams", "approve", plan["dream_id"], "--only", first["id"]))
    assert [change["approved"] for change in decided["changes"]] == [True, None, None]
    applied = done(call("dreams", "apply", plan["dream_id"]))
    assert [change["approved"] for change in applied["changes"]] == [True, False, False]
    assert texts(call) == [first["after"]["text"]]


def test_reject_some_and_apply(call, plan) -> None:
    first = plan["changes"][0]
    done(call("dreams", "reject", plan["dream_id"], "--only", first["id"]))
    done(call("dreams", "apply", plan["dream_id"]))
    assert first["after"]["text"] not in texts(call)
    assert len(texts(call)) == 2


def test_reject_all(call, plan) -> None:
    assert done(call("dreams", "reject", plan["dream_id"]))["status"] == "rejected"
    code, value, _ = call("dreams", "apply", plan["dream_id"])
    assert (code, value["error"]["type"]) == (1, "AlreadyDecided")
    assert texts(call) == []


def test_approve_all_then_roll_back_and_forward(call, plan) -> None:
    assert done(call("dreams", "approve", plan["dream_id"]))["status"] == "approved"
    done(call("dreams", "apply", plan["dream_id"]))
    before = texts(call)
    undone = done(call("dreams", "rollback", plan["dream_id"]))
    assert (undone["by"], undone["undoes"]) == ("rollback", plan["dream_id"])
    assert texts(call) == []
    assert done(call("recall", "花生", "--scope", "memories"))["results"] == []
    listed = {one["dream_id"]: one["status"] for one in done(call("dreams"))}
    assert listed[plan["dream_id"]] == "rolled_back"
    done(call("dreams", "rollback", undone["dream_id"]))
    assert texts(call) == before
    assert done(call("doctor"))["ok"]


def test_memories_by_hand(call, plan) -> None:
    done(call("dreams", "apply", plan["dream_id"]))
    memory_id = next(m["id"] for m in done(call("memories", "list")) if "花生" in m["text"])
    edited = done(call("memories", "edit", memory_id, "我对花生和腰果过敏", "--importance", "99"))
    assert (edited["text"], edited["importance"]) == ("我对花生和腰果过敏", 99)
    assert done(call("memories", "pin", memory_id))["pinned"]
    assert not done(call("memories", "unpin", memory_id))["pinned"]
    assert done(call("memories", "demote", memory_id[:8]))["status"] == "cold"
    assert done(call("recall", "腰果", "--scope", "memories"))["results"] == []
    assert done(call("recall", "腰果", "--scope", "memories", "--include-cold"))["results"]
    assert done(call("memories", "restore", memory_id))["status"] == "active"
    versions = done(call("history", memory_id))["versions"]
    assert [version["op"] for version in versions] == [
        "add", "update", "update", "update", "update", "demote", "restore",
    ]  # fmt: skip
    evidence = done(call("why", memory_id))["evidence"]
    assert {span["quote"] for span in evidence} == {"我对花生过敏", "我对花生和腰果过敏"}
    assert not done(call("dream", "--date", "today"))["changes"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("memories", "edit", "nobody", "x"), ("memories", "pin", "nobody"),
        ("dreams", "approve", "nobody"), ("dreams", "reject", "nobody"),
        ("dreams", "rollback", "nobody"), ("conflicts", "resolve", "nobody", "--keep", "no"),
        ("working", "done", "nobody"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_told(call, arguments: tuple[str, ...]) -> None:
    code, value, _ = call(*arguments)
    assert code == 1
    assert value["error"]["type"] == "NotFound"
    assert value["error"]["hint"]


@pytest.mark.usefixtures("made_home")
def test_conflicts_are_none_in_a_sound_memory(call) -> None:
    assert done(call("conflicts")) == []


def test_working(call) -> None:
    item = done(call("working", "add", "  续保 车险 "))
    assert (item["text"], item["state"]) == ("续保 车险", "open")
    assert done(call("working", "add", "续保 车险"))["id"] == item["id"]
    other = done(call("working", "add", "call the plumber"))
    assert done(call("working", "stalled", other["id"]))["state"] == "stalled"
    assert done(call("working", "done", item["id"]))["state"] == "done"
    assert [one["id"] for one in done(call("working"))] == [other["id"]]
    assert len(done(call("working", "list"))) == 2
    assert done(call("working", "reopen", item["id"]))["state"] == "open"
    assert call("working", "add", "  ")[0] == 1


def test_due_nights_are_dreamed_once(call) -> None:
    for day in ("2026-11-28", "2026-11-29", "2026-11-30"):
        done(call("log", "--ts", f"{day}T10:00:00+08:00", f"我的柜子编号是 {day[-2:]}8"))
    made = done(call("dream", "--due"))
    assert [one["date"] for one in made] == ["2026-11-28", "2026-11-29", "2026-11-30"]
    assert {one["status"] for one in made} == {"applied"}
    assert done(call("dream", "--due")) == []


def test_in_review_mode_due_nights_wait(call, tmp_path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "slowwave.toml").write_text('[dream]\nmode = "review"\n', "utf-8")
    done(call("log", "--ts", DAY, "我对花生过敏"))
    assert [one["status"] for one in done(call("dream", "--due"))] == ["planned"]
    assert done(call("dream", "--due")) == []
    assert texts(call) == []


@pytest.fixture
def show(tmp_path, capsys) -> Any:
    """Runs one command as people do; returns what it printed."""

    def shower(*arguments: str, code: int = 0) -> str:
        head = ["--home", str(tmp_path / "home"), "--tz", "Asia/Shanghai",
                "--now", "2026-12-01T03:00:00+08:00"]  # fmt: skip
        assert run([*head, *arguments]) == code
        captured = capsys.readouterr()
        return captured.out + captured.err

    return shower


def test_a_backlog_under_review(call, show, tmp_path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "slowwave.toml").write_text('[dream]\nmode = "review"\n', "utf-8")
    for day, text in (
        ("28", "I live in Tampere"),
        ("29", "I moved to Bergen"),
        ("30", "我对榛子过敏"),
    ):
        done(call("log", "--ts", f"2026-11-{day}T10:00:00+08:00", text))
    told = show("dream", "--due")
    [first] = done(call("dreams", "--waiting"))
    assert first["date"] == "2026-11-28"
    assert f"waiting for you: slowwave dreams diff {first['dream_id']}" in told
    assert "2 later nights to dream once that is decided: slowwave dream --due" in told
    assert "waiting for you" in show("dream", "--due")
    told = show("status")
    assert f"plans that wait: 1 (slowwave dreams diff {first['dream_id']})" in told
    assert "not dreamed yet: 3 events, 1 of them in plans that wait\n" in told
    assert "next night (2026-11-29): slowwave dream --due" in show("dreams", "apply", "last")
    show("dream", "--due")
    told = show("dream", "--date", "all")
    assert "warning: takes the place of 1 plan that waited for 1 event of these" in told
    assert "planned later, of the same events" in show("dreams", "show", done(
        call("dreams"))[1]["dream_id"])  # fmt: skip
    assert "planned later" in show("dreams", "apply", done(call("dreams"))[1]["dream_id"], code=1)
    assert "2026-11-28" not in show("dreams", "apply", "--all")
    assert show("dreams", "--waiting") == "no plan waits\n"
    assert show("dreams", "apply", "--all") == "no plan waits\n"
    assert done(call("dreams", "apply", "--all")) == []
    assert "not dreamed yet: 0 events\n" in show("status")


def test_what_was_rejected_is_told_and_proposed_again_when_asked(call, show, plan) -> None:
    show("dreams", "reject", plan["dream_id"])
    told = show("dream")
    assert "you rejected this before" in told
    assert "slowwave dream --date 2026-11-30 --again" in told
    done(call("log", "--ts", DAY, "My brother is called Oswin"))
    told = show("dream")
    assert told.count("[rejected]") == 3
    assert "3 changes you rejected before stay out" in told
    assert "1 new (1 active)" in told
    told = show("dream", "--again")
    assert "4 new (4 active)" in told
    assert "[rejected]" not in told


@pytest.mark.parametrize(
    "arguments",
    [("dreams", "apply"), ("dreams", "apply", "last", "--all"), ("dream", "--due", "--dry-run")],
)
def test_calls_that_mean_nothing_are_told(call, arguments: tuple[str, ...]) -> None:
    code, value, _ = call(*arguments)
    assert (code, value["error"]["type"]) == (2, "UsageError")
    assert value["error"]["hint"]


def test_last_is_the_newest_also_when_the_clock_stands(call, plan) -> None:
    done(call("dreams", "apply", "last"))
    undone = done(call("dreams", "rollback", "last"))
    assert undone["undoes"] == plan["dream_id"]
    assert texts(call) == []
    back = done(call("dreams", "rollback", "last"))
    assert back["undoes"] == undone["dream_id"]
    assert len(texts(call)) == 3


def test_presets_tell_how_much_of_what_is_new_holds(call) -> None:
    for text in ("我对花生过敏", "The kiln shed has two windows"):
        done(call("log", "--ts", DAY, text))
    counts = {
        preset: (made["new_entries"], made["new_active"], made["new_candidates"])
        for preset in ("balanced", "openclaw")
        for made in [done(call("dream", "--dry-run", "--preset", preset))]
    }
    assert counts["balanced"][0] == sum(counts["balanced"][1:])
    assert counts["openclaw"][1] == 0 < counts["balanced"][1]


def test_what_people_read(plan, tmp_path, capsys) -> None:
    head = ["--home", str(tmp_path / "home"), "--tz", "Asia/Shanghai",
            "--now", "2026-12-01T03:00:00+08:00"]  # fmt: skip
    only = plan["changes"][0]["id"]
    assert run([*head, "dreams", "approve", plan["dream_id"], "--only", only]) == 0
    assert "1 approved, 0 rejected, 2 undecided" in capsys.readouterr().out
    assert run([*head, "dreams", "apply", plan["dream_id"]]) == 0
    assert run([*head, "dreams", "rollback", "last"]) == 0
    told = capsys.readouterr().out
    assert f"dream {plan['dream_id']} is undone; bring it back" in told
    assert run([*head, "conflicts"]) == 0
    assert capsys.readouterr().out == "no conflicts\n"


def test_doctor_mends_an_index_that_lost_its_words(call, plan, tmp_path) -> None:
    import apsw

    done(call("dreams", "apply", plan["dream_id"]))
    with apsw.Connection(str(tmp_path / "home" / "slowwave.db")) as connection:
        connection.execute("DELETE FROM words_1_memory_own; DELETE FROM words_1_event_own")
    code, found, _ = call("doctor")
    assert (code, found["ok"]) == (1, False)
    assert done(call("doctor", "--fix"))["ok"]
    assert done(call("recall", "花生", "--scope", "memories"))["results"]


def test_stats(call, plan) -> None:
    done(call("dreams", "apply", plan["dream_id"]))
    found = done(call("stats"))
    assert sum(found["kinds"].values()) == 3
    assert [month["month"] for month in found["months"]] == ["2026-11"]


def test_a_night_that_fails_is_named_and_the_others_are_dreamed(
    call, tmp_path, monkeypatch
) -> None:
    from slowwave.dream.cycle import night as cycle

    for day in ("2026-11-28", "2026-11-29", "2026-11-30"):
        done(call("log", "--ts", f"{day}T10:00:00+08:00", f"我的柜子编号是 {day[-2:]}8"))
    whole = cycle.plan

    def broken(store: Any, night: Any) -> Any:
        if night.date == "2026-11-29":
            raise RecursionError("too deep")
        return whole(store, night)

    monkeypatch.setattr(cycle, "plan", broken)
    code, value, stderr = call("dream", "--due")
    assert (code, value["error"]["type"]) == (1, "DreamError")
    assert "1 of 3 nights failed: 2026-11-29" in value["error"]["message"]
    assert "Traceback" not in stderr
    assert len(texts(call)) == 2
    records = list((tmp_path / "home" / "vault" / "dream_logs" / "error").iterdir())
    assert len(records) == 1
    monkeypatch.setattr(cycle, "plan", whole)
    assert [one["date"] for one in done(call("dream", "--due"))] == ["2026-11-29"]
    assert done(call("doctor"))["ok"]


def test_a_dream_is_undone_and_brought_back_again_and_again(call, plan) -> None:
    done(call("dreams", "apply", plan["dream_id"]))
    last = plan["dream_id"]
    for turn in range(5):
        last = done(call("dreams", "rollback", last))["dream_id"]
        assert len(texts(call)) == (3 if turn % 2 else 0)
    done(call("dream", "--apply"))
    code, value, _ = call("dreams", "rollback", last)
    assert (code, value["error"]["type"]) == (1, "DreamError")
    assert "slowwave dreams rollback" in value["error"]["hint"]
    assert len(texts(call)) == 3
    assert done(call("doctor"))["ok"]


def test_planning_again_keeps_what_was_rejected(call, plan) -> None:
    first = plan["changes"][0]
    done(call("dreams", "reject", plan["dream_id"], "--only", first["id"]))
    done(call("dream", "--apply"))
    assert first["after"]["text"] not in texts(call)
    assert len(texts(call)) == 2


def test_a_refused_dream_tells_why_in_json(call, tmp_path) -> None:
    done(call("init"))
    with (tmp_path / "home" / "slowwave.toml").open("a", encoding="utf-8") as stream:
        stream.write("\n[dream.gates]\nchanges_per_day = 1\n")
    for text in ("我对花生过敏", "My daughter is called Wren"):
        done(call("log", "--ts", DAY, text))
    code, value, stderr = call("dream", "--apply")
    assert (code, value["status"], value["error"]["type"]) == (1, "refused", "DreamError")
    assert "gate runaway: 2 changes, at most 1" in stderr
    assert value["run_at"].startswith("2026-12-01T03:00:00+08:00")
    applied = done(call("dreams", "apply", value["dream_id"], "--only", value["changes"][0]["id"]))
    assert applied["status"] == "applied"
    assert len(texts(call)) == 1
