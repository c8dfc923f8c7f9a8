"""What people do with the pages: review, undo, edit, forget, settle, say that it was wrong."""

import re
import time
from typing import Any

import pytest
from dashboard_desk import Form


def changes_of(page: str) -> list[str]:
    return re.findall(r'id="c-([^"]+)"', page)


def test_a_review_by_forms_alone(desk: Any) -> None:
    here = desk()
    way = f"/dreams/{here.dream('2026-05-17')}"
    page = here.open(way)
    changes = changes_of(page)
    assert len(changes) == 9
    assert "0 approved, 0 rejected, 9 undecided" in page
    for one in (changes[0], changes[2]):
        page = here.send(way, f"{way}/changes/{one}", do="approve")
    page = here.send(way, f"{way}/changes/{changes[3]}", do="reject")
    assert "2 approved, 1 rejected, 6 undecided" in page
    page = here.send(way, way, do="apply_approved")
    assert "Applied." in page
    assert ">applied</span>" in page
    assert here.memory.dream_by_id("last").status == "applied"
    assert [one.approved for one in here.memory.dream_by_id(way[8:]).changes].count(True) == 2
    page = here.send(way, way, do="rollback", next="/")
    assert "Undone." in page
    assert here.memory.dream_by_id(way[8:]).status == "rolled_back"


@pytest.mark.slow
def test_what_takes_the_place_of_a_memory_is_approved_with_it(desk: Any) -> None:
    here = desk()
    way = f"/dreams/{here.dream('2026-05-17')}"
    plan = here.memory.dream_by_id(way[8:])
    ending = next(one for one in plan.changes if one.op == "supersede")
    here.send(way, f"{way}/changes/{ending.id}", do="approve")
    here.send(way, way, do="apply_approved")
    heir = here.memory.why(ending.after.superseded_by).memory
    assert heir.status in ("active", "candidate")


@pytest.mark.slow
def test_the_way_on_from_an_error_leads_back_to_the_form(desk: Any) -> None:
    here = desk()
    token = here.token()
    for came, way in (
        ("http://127.0.0.1/working?done=x", "/working?done=x"),
        ("http://evil.example/working", "/"),
        ("http://127.0.0.1//evil.example", "/"), ("nonsense", "/"), ("http://[", "/"),
    ):  # fmt: skip
        sent = {"form_token": token, "text": " "}
        answer = here.client.post("/working", data=sent, headers={"referer": came})
        assert answer.status_code == 422
        assert f'class="button" href="{way}"' in answer.text, came


@pytest.mark.slow
def test_after_a_decision_the_next_undecided_change_is_shown(desk: Any) -> None:
    here = desk()
    way = f"/dreams/{here.dream('2026-05-17')}"
    changes = changes_of(here.open(way))
    here.client.follow_redirects = False
    hidden = next(h for where, h in Form(here.open(way)).forms if where.endswith(changes[0]))
    answer = here.client.post(f"{way}/changes/{changes[0]}", data={**hidden, "do": "approve"})
    assert answer.status_code == 303
    assert answer.headers["location"].endswith(f"#c-{changes[1]}")
    for one in changes[1:]:
        assert answer.headers["location"].partition("#c-")[2] in changes
        answer = here.client.post(f"{way}/changes/{one}", data={**hidden, "do": "reject"})
    assert answer.headers["location"].endswith("#decide")


@pytest.mark.slow
def test_all_that_was_not_rejected_is_applied(desk: Any) -> None:
    here = desk()
    way = f"/dreams/{here.dream('2026-05-17')}"
    changes = changes_of(here.open(way))
    here.send(way, f"{way}/changes/{changes[0]}", do="approve")
    here.send(way, f"{way}/changes/{changes[1]}", do="reject")
    here.send(way, way, do="apply")
    marks = {one.id: one.approved for one in here.memory.dream_by_id(way[8:]).changes}
    assert marks.pop(changes[1]) is False
    assert all(marks.values())


@pytest.mark.slow
def test_a_whole_plan_is_rejected(desk: Any) -> None:
    here = desk()
    way = f"/dreams/{here.dream('2026-05-17')}"
    page = here.send(way, way, do="reject")
    assert "Nothing of it will be applied" in page
    assert 'value="approve"' not in page


@pytest.mark.slow
def test_a_plan_that_was_decided_elsewhere_is_told_kindly(desk: Any) -> None:
    here = desk()
    way = f"/dreams/{here.dream('2026-05-17')}"
    token = here.token()
    here.memory.reject(way[8:])
    assert here.post(way, token=token, do="apply") == 409
    page = here.client.post(way, data={"form_token": token, "do": "approve"}).text
    assert "It was decided already" in page


def test_a_stale_plan_is_told_kindly_and_can_be_planned_again(desk: Any) -> None:
    here = desk()
    plan = here.dream("2026-05-17")
    way = f"/dreams/{plan}"
    here.memory.by_hand("edit", here.saying("Markdown"), text="I use Org mode for all my notes.")
    page = here.send(way, way, status=409, do="apply")
    assert "The memory moved on" in page
    assert "Plan 17 May 2026 again" in page
    hidden = next(hidden for where, hidden in Form(page).forms if where == "/dreams")
    assert hidden["date"] == "2026-05-17"
    here.client.post("/dreams", data=hidden)
    page = waited(here)
    assert "The plan is made." in page


def waited(here: Any) -> str:
    """The page that a dream under way leads to."""
    for _ in range(200):
        page: str = here.open("/dreams/running")
        if 'http-equiv="refresh"' not in page:
            return page
        time.sleep(0.05)
    raise AssertionError("it dreams for ever")


@pytest.mark.slow
def test_a_dream_is_planned_from_the_page_and_only_one_at_a_time(desk: Any) -> None:
    here = desk()
    here.send("/working", "/working", text="call the vet")
    here.client.follow_redirects = False
    token = here.token()
    here.spaces.first.flush()
    nights = here.client.app._app.state.doors.nights
    with nights.holding("default"):
        assert here.post("/dreams", token=token, date="today") == 409
    assert here.post("/dreams", token=token, date="today") == 303
    here.client.follow_redirects = True
    page = waited(here)
    assert "Nothing has changed yet." in page
    here.client.follow_redirects = False
    assert here.post("/dreams", token=token, date="no day") == 303
    here.client.follow_redirects = True
    for _ in range(100):
        answer = here.client.get("/dreams/running")
        if answer.status_code != 200:
            break
        time.sleep(0.05)
    assert answer.status_code == 422


@pytest.mark.slow
def test_a_memory_is_pinned_edited_weighed_put_away_and_back(desk: Any) -> None:
    here = desk()
    known = here.saying("trains")
    way = f"/memories/{known}"
    assert "Pinned" in here.send(way, way, do="pin")
    assert here.memory.why(known).memory.pinned
    page = here.send(way, way, do="edit", text="I prefer night trains to planes.")
    assert "in your words" in page
    assert re.search(r"<ins>\s?night\s?</ins>", page)
    here.send(way, way, do="importance", importance="91")
    here.send(way, way, do="demote")
    assert here.memory.why(known).memory.status == "cold"
    page = here.send(way, way, do="restore")
    memory = here.memory.why(known).memory
    assert (memory.status, memory.importance) == ("active", 91)
    undo = re.search(r'action="(/dreams/[^"]+)" class="line"', page)
    assert undo is not None
    page = here.send(f"{way}?done=restore&undo={undo[1][8:]}", undo[1], do="rollback", next=way)
    assert here.memory.why(known).memory.status == "cold"


@pytest.mark.slow
def test_an_edit_of_what_changed_meanwhile_is_not_taken(desk: Any) -> None:
    here = desk()
    known = here.saying("trains")
    way = f"/memories/{known}"
    hidden = next(h for where, h in Form(here.open(way)).forms if where == way and "version" in h)
    here.memory.by_hand("pin", known)
    sent = {**hidden, "do": "edit", "text": "Something else entirely."}
    answer = here.client.post(way, data=sent)
    assert answer.status_code == 409
    assert "trains" in here.memory.why(known).memory.text


@pytest.mark.slow
def test_bad_words_for_a_memory_are_told_and_change_nothing(desk: Any) -> None:
    here = desk()
    way = f"/memories/{here.saying('trains')}"
    for fields in (
        {"do": "edit", "text": "…"}, {"do": "edit", "text": "x" * 5000}, {"do": "burn"},
        {"do": "importance", "importance": "loud"}, {"do": "pin", "x" * 300: "y"},
    ):  # fmt: skip
        status = here.post(way, **fields)
        assert status == (200 if fields["do"] == "pin" else 422), fields


def test_forgetting_asks_first_and_leaves_a_receipt(desk: Any) -> None:
    here = desk()
    known = here.saying("trains")
    way = f"/forget/{known}"
    page = here.open(way)
    assert "This cannot be undone" in page
    assert here.memory.why(known).memory.text in page.replace("&#39;", "'")
    page = here.send(way, way)
    assert "Forgotten for good." in page
    assert "It holds: nothing of it is left" in page
    receipt = re.search(r"<code>(r[a-z0-9]+)</code>", page)
    assert receipt is not None
    here.open(f"/receipts/{receipt[1]}", "zh")
    here.open(f"/memories/{known}", status=404)
    here.open("/receipts/..%2f..%2fslowwave.toml", status=404)


@pytest.mark.slow
def test_nothing_is_forgotten_that_was_not_shown(desk: Any) -> None:
    here = desk()
    way = "/forget?text=Markdown"
    hidden = next(hidden for where, hidden in Form(here.open(way)).forms if where == "/forget")
    here.client.post("/working", data={**hidden, "text": "read the Markdown guide"})
    answer = here.client.post("/forget", data=hidden)
    assert answer.status_code == 409
    assert "has changed since" in answer.text
    assert any("Markdown" in one.text for one in here.memory.memories())
    assert here.client.post("/forget", data={**hidden, "mark": ""}).status_code == 409
    page = here.send(way, "/forget")
    assert "Forgotten for good." in page
    assert not any("Markdown" in one.text for one in here.memory.memories())


@pytest.mark.slow
def test_a_conflict_is_settled_and_can_be_opened_again(desk: Any) -> None:
    here = desk()
    sides = here.memory.conflicts()[0]
    page = here.open("/conflicts")
    assert all(one.text in page for one in sides)
    page = here.send("/conflicts", f"/conflicts/{sides[0].id}", keep=sides[1].id)
    assert "No conflicts." in page
    assert "Undo" in page
    assert here.memory.why(sides[0].id).memory.superseded_by == sides[1].id


def test_what_was_wrong_is_walked_back_and_right_again(desk: Any) -> None:
    here = desk()
    asked = next(one for one in here.memory.injections() if "hive scale" in one.query)
    way, item = f"/injections/{asked.id}", asked.items[0].id
    page = here.open(f"{way}?item={item}")
    assert "Where it comes from" in page
    assert "because it" in page
    page = here.send(way, way, do="wrong", item=item, right="The scale reports on port 9500.")
    assert "The correction waits for you here." in page
    assert "9500" in page
    page = here.send(way, way, do="right", item=item)
    assert "It counts as before." in page
    page = here.send(way, way, do="wrong", item=item, right="The scale is at 9501.", apply="1")
    assert "Corrected." in page
    assert here.saying("9501")


@pytest.mark.slow
def test_items_to_do_are_added_done_and_reopened(desk: Any) -> None:
    here = desk()
    page = here.send("/working", "/working", text="mend the <b>fence</b>")
    assert "mend the &lt;b&gt;fence&lt;/b&gt;" in page
    item = next(one for one in here.memory.working() if "fence" in one.text)
    for state in ("done", "open", "stalled"):
        here.send("/working", f"/working/{item.id}", state=state)
        known = next(one for one in here.memory.working() if one.id == item.id)
        assert known.state == state
    assert here.post(f"/working/{item.id}", state="burned") == 422
    assert here.post("/working", text=" ") == 422


@pytest.mark.slow
def test_a_long_plan_is_shown_in_pages_and_a_change_is_found_on_its_own(desk: Any) -> None:
    from slowwave.model import Record

    here = desk()
    kinds = ("apples", "pears", "plums", "quinces", "figs", "limes", "dates", "nuts", "kiwis")
    records = [
        Record(text=f"I like {one} from orchard {number} best.", source="many")
        for number in range(7)
        for one in kinds
    ]
    here.memory.log(records)
    made = here.memory.dream("today")
    assert len(made.changes) > 40
    first = here.open(f"/dreams/{made.dream_id}")
    assert "Page 1 of" in first
    last = [change.id for change in made.changes if f"c-{change.id}" not in first][-1]
    assert f'id="c-{last}"' in here.open(f"/dreams/{made.dream_id}?change={last}")
