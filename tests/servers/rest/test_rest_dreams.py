"""Dreams over HTTP: one at a time, watched, stopped, decided; and as Anthropic's client asks."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from slowwave.errors import StoreError
from slowwave.model import Record
from slowwave.servers.rest.desk import Desk
from slowwave.servers.rest.dreaming import DreamAsk
from slowwave.servers.rest.jobs import Job, Jobs, Stopped

Served = Any
STORE = {"type": "memory_store", "memory_store_id": "ana"}


@pytest.fixture
def ana(served: Served) -> dict[str, str]:
    """Who reviews in `ana`."""
    return served.headers("review")


def frames(text: str) -> list[tuple[str, Any]]:
    """The events of a stream: their names and what they hold."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def say(served: Served, text: str, session: str = "") -> None:
    served.spaces.memory("ana").log([Record(text=text, source="jsonl", session=session)])


class Held:
    """A dream that is held until it is let go."""

    def __init__(self, served: Served) -> None:
        self._go = threading.Event()
        self._nights = served.doors.nights
        desk: Desk = served.desk
        memory = served.spaces.memory("ana")
        job = Job("ana", DreamAsk(), memory.now)
        self._nights.begin("ana")
        self.id = job.id
        self.job = desk.jobs.start(job, self._work, lambda: self._nights.end("ana"))

    def _work(self, progress: Any) -> list[Any]:
        for step in range(600):
            progress("distill", step, 600)
            if self._go.wait(0.05):
                return []
        raise AssertionError("nobody let it go")

    def let_go(self) -> None:
        self._go.set()
        self.job.over.result(5)


@pytest.fixture
def held(served: Served) -> Iterator[Held]:
    made = Held(served)
    yield made
    made.let_go()


def test_a_dream_is_told_as_it_goes(served: Served, ana: dict[str, str]) -> None:
    say(served, "I play the cello in a quartet")
    answer = served.client.post("/v1/dreams", json={"date": "all"},
                                headers=ana | {"accept": "text/event-stream"})  # fmt: skip
    told = frames(answer.text)
    assert [name for name, _ in (told[0], told[-1])] == ["job", "dream"]
    assert {name for name, _ in told[1:-1]} == {"progress"}
    assert told[-1][1]["status"] == "planned"
    again = served.client.get(f"/v1/dreams/{told[0][1]['id']}/events", headers=ana)
    assert frames(again.text)[-1] == told[-1]
    of_ledger = served.client.get(f"/v1/dreams/{told[-1][1]['dream_id']}/events", headers=ana)
    assert frames(of_ledger.text)[0][1]["dream_id"] == told[-1][1]["dream_id"]


def test_a_second_dream_of_a_space_is_refused_and_not_queued(
    served: Served, ana: dict[str, str], held: Held
) -> None:
    answer = served.client.post("/v1/dreams", json={"date": "all"}, headers=ana)
    assert answer.status_code == 409
    assert "dreaming already" in answer.json()["detail"]
    other = served.client.post("/v1/dreams", json={"date": "all", "dry_run": True},
                               headers=served.headers("bo"))  # fmt: skip
    assert other.status_code == 200
    held.let_go()
    answer = served.client.post("/v1/dreams", json={"dry_run": True}, headers=ana)
    assert answer.status_code == 200


def test_a_dream_is_stopped_and_leaves_nothing(
    served: Served, ana: dict[str, str], held: Held
) -> None:
    before = served.client.get("/v1/dreams", headers=ana).json()
    stopped = served.client.post(f"/v1/dreams/{held.id}/cancel", headers=ana).json()
    assert stopped["status"] == "canceled"
    assert stopped["ended_at"]
    assert served.client.get("/v1/dreams", headers=ana).json() == before
    assert served.client.post(f"/v1/dreams/{held.id}/cancel", headers=ana).json() == stopped
    shelved = served.client.post(f"/v1/dreams/{held.id}/archive", headers=ana).json()
    assert shelved["archived_at"]
    listed = served.client.get("/v1/dreams?beta=true", headers=ana).json()["data"]
    assert held.id not in {one["id"] for one in listed}
    whole = served.client.get("/v1/dreams?beta=true&include_archived=true", headers=ana).json()
    assert held.id in {one["id"] for one in whole["data"]}


def test_what_runs_is_not_archived_and_what_is_over_not_cancelled(
    served: Served, ana: dict[str, str], held: Held
) -> None:
    assert served.client.post(f"/v1/dreams/{held.id}/archive", headers=ana).status_code == 409
    held.let_go()
    assert served.client.post(f"/v1/dreams/{held.id}/cancel", headers=ana).status_code == 409


def test_jobs_of_another_space_are_not_there(served: Served, held: Held) -> None:
    for path in ("", "/events"):
        answer = served.client.get(f"/v1/dreams/{held.id}{path}", headers=served.headers("bo"))
        assert answer.status_code == 404
    for path in ("/cancel", "/archive"):
        answer = served.client.post(f"/v1/dreams/{held.id}{path}", headers=served.headers("bo"))
        assert answer.status_code == 404


def test_plans_are_reviewed_change_by_change(served: Served, ana: dict[str, str]) -> None:
    say(served, "I am allergic to walnuts")
    say(served, "My sister Petra lives in Graz")
    ask = served.client.post
    made = ask("/v1/dreams", json={"date": "all"}, headers=ana).json()
    first, *others = [change["id"] for change in made["changes"]]
    where = f"/v1/dreams/{made['dream_id']}"
    assert first in served.client.get(f"{where}/diff", headers=ana).text
    approved = ask(f"{where}/approve", json={"only": [first]}, headers=ana).json()
    assert [one["approved"] for one in approved["changes"] if one["id"] == first] == [True]
    if others:
        ask(f"{where}/reject", json={"only": others[:1]}, headers=ana)
    assert ask(f"{where}/apply", json={"only": []}, headers=ana).status_code == 400
    applied = ask(f"{where}/apply", json={}, headers=ana).json()
    assert applied["status"] == "applied"
    assert ask(f"{where}/apply", json={}, headers=ana).status_code == 409
    undone = ask(f"{where}/rollback", headers=ana).json()
    assert undone["undoes"] == made["dream_id"]
    assert ask("/v1/dreams/apply-waiting", headers=ana).status_code == 200


def test_the_client_of_anthropic_is_understood(served: Served, ana: dict[str, str]) -> None:
    say(served, "I prefer the window seat")
    body = {"inputs": [STORE], "model": {"id": "rules"}}
    job = served.client.post("/v1/dreams?beta=true", json=body, headers=ana).json()
    assert job["type"] == "dream"
    assert job["status"] in ("pending", "running", "completed")
    assert job["inputs"] == [STORE]
    served.desk.jobs.find("ana", job["id"]).over.result(20)
    done = served.client.get(f"/v1/dreams/{job['id']}?beta=true", headers=ana).json()
    assert done["status"] == "completed"
    assert done["outputs"] == [
        {"type": "memory_store", "memory_store_id": f"ana@{done['dream']['dream_id']}"}
    ]
    assert done["ended_at"] >= done["created_at"]
    assert done["usage"]["input_tokens"] == 0
    page = served.client.get("/v1/dreams?beta=true&limit=1", headers=ana).json()
    assert page["data"][0]["id"] == job["id"]
    follows = served.client.get(f"/v1/dreams?beta=true&limit=1&page={page['next_page']}",
                                headers=ana).json()  # fmt: skip
    assert follows["data"][0]["id"] != job["id"]


def test_only_the_sessions_that_are_named_are_read(served: Served, ana: dict[str, str]) -> None:
    say(served, "I collect antique compasses", "monday")
    say(served, "I keep three beehives", "tuesday")
    body = {"inputs": [STORE, {"type": "sessions", "session_ids": ["tuesday"]}], "model": "rules"}
    job = served.client.post("/v1/dreams", json=body, headers=ana).json()
    served.desk.jobs.find("ana", job["id"]).over.result(20)
    done = served.client.get(f"/v1/dreams/{job['id']}", headers=ana).json()
    read = served.spaces.memory("ana").events(done["dream"]["event_ids"]).values()
    assert [event.session for event in read] == ["tuesday"]
    where = f"/v1/dreams/{done['dream']['dream_id']}/apply"
    assert served.client.post(where, json={}, headers=ana).json()["status"] == "applied"
    rest = served.client.post("/v1/dreams", json={"date": "all"}, headers=ana).json()
    said = [event.text for event in served.spaces.memory("ana").events(rest["event_ids"]).values()]
    assert "I collect antique compasses" in said
    assert "I keep three beehives" not in said


REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"inputs": [STORE], "model": "claude-opus"}, "model"),
    ({"inputs": [STORE], "instructions": "be brief"}, "instructions"),
    ({"inputs": [{"type": "memory_store", "memory_store_id": "bo"}]}, "memory store"),
    ({"inputs": [{"type": "sessions", "session_ids": ["s"]}]}, "memory store"),
    ({"inputs": [STORE, STORE]}, "memory store"),
    ({"model": "rules"}, "inputs"),
    ({"apply": True, "dry_run": True}, "exclude"),
    ({"refine": "week", "due": True}, "exclude"),
    ({"at": "02:00"}, "due"),
    ({"date": "someday"}, "someday"),
)


@pytest.mark.parametrize(("body", "word"), REFUSED)
def test_what_does_not_map_is_refused_and_named(
    served: Served, ana: dict[str, str], body: dict[str, Any], word: str
) -> None:
    answer = served.client.post("/v1/dreams", json=body, headers=ana)
    assert answer.status_code == 422
    assert word in answer.json()["detail"]


def test_the_same_key_starts_one_dream(served: Served, ana: dict[str, str]) -> None:
    headers = ana | {"idempotency-key": "night-1", "prefer": "respond-async"}
    first = served.client.post("/v1/dreams", json={"date": "all"}, headers=headers)
    assert first.status_code == 202
    served.desk.jobs.find("ana", first.json()["id"]).over.result(20)
    second = served.client.post("/v1/dreams", json={"date": "all"}, headers=headers)
    assert second.json()["id"] == first.json()["id"]
    other = served.client.post("/v1/dreams", json={"date": "today"}, headers=headers)
    assert other.status_code == 422


def test_a_server_that_stops_stops_its_dreams() -> None:
    jobs = Jobs()

    def work(progress: Any) -> list[Any]:
        for step in range(200):
            progress("distill", step, 200)
            threading.Event().wait(0.02)
        return []

    ended: list[str] = []
    job = jobs.start(Job("ana", DreamAsk(), lambda: None), work, lambda: ended.append("ana"))  # type: ignore[arg-type,return-value]
    jobs.close()
    assert job.state == "canceled"
    assert isinstance(job.error, Stopped)
    assert ended == ["ana"]
    with pytest.raises(Stopped):
        jobs.start(Job("ana", DreamAsk(), lambda: None), work, lambda: None)  # type: ignore[arg-type,return-value]


def test_a_dream_that_breaks_is_told_as_broken(served: Served) -> None:
    def work(_progress: Any) -> list[Any]:
        raise StoreError("the disk went away", "look for it")

    job = Job("ana", DreamAsk(), served.spaces.memory("ana").now)
    served.desk.jobs.start(job, work, lambda: None).over.result(5)
    assert job.state == "failed"
    told = served.client.get(f"/v1/dreams/{job.id}", headers=served.headers("read")).json()
    assert told["error"] == {"type": "StoreError", "message": "the disk went away"}
    events = served.client.get(f"/v1/dreams/{job.id}/events", headers=served.headers("read"))
    assert frames(events.text)[-1][0] == "error"


def test_jobs_that_are_over_are_forgotten_in_time() -> None:
    jobs = Jobs(most=2)
    for _ in range(5):
        job = Job("ana", DreamAsk(), lambda: None)  # type: ignore[arg-type,return-value]
        jobs.start(job, lambda _progress: [], lambda: None).over.result(5)
    assert len(jobs.of("ana")) <= 3
