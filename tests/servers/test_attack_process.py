"""The server as a process under attack: killed while it writes, beside another one, on a home that
cannot be written, and shown to whoever lists the processes."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from slowwave.spaces import Spaces
from slowwave.wiring import Options

pytestmark = pytest.mark.slow

ENVIRONMENT = {"SLOWWAVE_EMBEDDER": "none"}
WRITERS = 6


class Server:
    """`slowwave serve` of a home, on a free port."""

    def __init__(self, home: Path, **environment: str) -> None:
        command = [sys.executable, "-m", "slowwave", "--home", str(home), "serve", "--port", "0",
                   "--no-dreams"]  # fmt: skip
        self.process = subprocess.Popen(
            command, env={**os.environ, **ENVIRONMENT, **environment}, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        self.said: list[str] = []
        assert self.process.stderr is not None
        self.port = 0
        for line in self.process.stderr:
            self.said.append(line)
            if "serves" in line:
                self.port = int(line.strip().rpartition(":")[2])
                break
        self.reading = threading.Thread(target=self._read, daemon=True)
        self.reading.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.said.extend(self.process.stderr)

    def ask(
        self, method: str, path: str, body: Any = None, token: str = ""
    ) -> tuple[int, dict[str, Any]]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        try:
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            raw = answer.read()
        finally:
            line.close()
        try:
            return answer.status, json.loads(raw)
        except ValueError:
            return answer.status, {"text": raw.decode()}

    def end(self, number: int = signal.SIGTERM) -> str:
        self.process.send_signal(number)
        self.process.wait(30)
        self.reading.join(10)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return "".join(self.said)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    made: list[Server] = []

    def make(home: Path | None = None, **environment: str) -> Server:
        made.append(Server(home or tmp_path / "home", **environment))
        return made[-1]

    yield make
    for one in made:
        if one.process.poll() is None:
            one.end(signal.SIGKILL)


def events_of(home: Path) -> list[str]:
    spaces = Spaces(Options(home=str(home), tz="UTC"), ENVIRONMENT)
    try:
        return [event.text for event in spaces.first.events_since(0)]
    finally:
        spaces.close()


def test_what_was_acknowledged_survives_a_kill(
    served: Callable[..., Server], tmp_path: Path
) -> None:
    acknowledged: list[str] = []
    for round_ in range(3):
        server = served()
        enough = threading.Event()

        def write(
            who: int, server: Server = server, enough: Any = enough, at: int = round_
        ) -> None:
            for number in range(400):
                text = f"kettle {at}-{who}-{number}"
                try:
                    status, told = server.ask("POST", "/v1/events", {"text": text, "ref": text})
                except (OSError, http.client.HTTPException):
                    return
                if status == 200 and told.get("events"):
                    acknowledged.append(text)
                if number == 15:
                    enough.set()

        writers = [threading.Thread(target=write, args=(who,)) for who in range(WRITERS)]
        for one in writers:
            one.start()
        assert enough.wait(60)
        server.end(signal.SIGKILL)
        for one in writers:
            one.join(30)
    assert len(acknowledged) > 3 * 15
    kept = events_of(tmp_path / "home")
    assert not set(acknowledged) - set(kept)
    assert len(kept) == len(set(kept)), "and nothing is there twice"


def test_two_servers_of_one_home_lose_nothing(
    served: Callable[..., Server], tmp_path: Path
) -> None:
    both = [served(), served()]
    for number in range(20):
        for who, server in enumerate(both):
            status, _ = server.ask("POST", "/v1/events", {"text": f"lamp {who}-{number}"})
            assert status == 200
    for server in both:
        assert "Traceback" not in server.end()
    assert len(events_of(tmp_path / "home")) == 40


def test_a_home_that_cannot_be_written_is_told_of_and_read(
    served: Callable[..., Server], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    first = served(home)
    assert first.ask("POST", "/v1/events", {"text": "I own a kayak named Otto."})[0] == 200
    first.end()
    if os.geteuid() == 0:
        pytest.skip("for root every folder can be written")
    for path in (*home.iterdir(), home):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        second = served(home)
        if second.port:
            assert second.ask("POST", "/v1/events", {"text": "no"})[0] >= 500
            status, told = second.ask("GET", "/v1/recall?query=kayak")
            assert status == 200
            assert "Otto" in json.dumps(told)
        assert "Traceback" not in second.end()
    finally:
        for path in (home, *home.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_full_disk_is_told_of_and_loses_nothing(
    served: Callable[..., Server], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    assert served(home).end()
    limits = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))"
    )
    # A file that may not grow is to SQLite what a full disk is.
    (home / "sitecustomize.py").write_text(limits)
    server = served(home, PYTHONPATH=str(home))
    kept, refused = [], 0
    for number in range(60):
        text = f"row {number} " + "walnut " * 6_000
        status, told = server.ask("POST", "/v1/events", {"text": text})
        if status == 200:
            kept.append(text)
        else:
            refused += 1
            assert status in (500, 503, 507)
            assert told["detail"]
            assert "walnut" not in json.dumps(told)
    assert kept
    assert refused
    assert server.ask("GET", "/healthz")[0] == 200
    assert "walnut walnut" not in server.end()
    (home / "sitecustomize.py").unlink()
    assert not {" ".join(one.split()) for one in kept} - {
        " ".join(one.split()) for one in events_of(home)
    }


def test_no_secret_is_seen_by_who_looks_at_processes_and_logs(
    served: Callable[..., Server], tmp_path: Path
) -> None:
    secret = "correct-horse-battery-staple"
    server = served(SLOWWAVE_TOKEN=secret)
    line = Path(f"/proc/{server.process.pid}/cmdline")
    if line.exists():
        assert secret not in line.read_text()
    assert server.ask("GET", "/v1/status")[0] == 401
    assert server.ask("GET", "/v1/status", token=secret)[0] == 200
    for path in ("/metrics", "/v1/status", "/v1/doctor", "/openapi.json", "/v1/export"):
        status, told = server.ask("GET", path, token=secret)
        assert status == 200
        assert secret not in json.dumps(told)
    for wrong in (secret[:-1], f"{secret}x"):
        status, told = server.ask("GET", "/v1/status", token=wrong)
        assert status == 401
        assert wrong not in json.dumps(told)
    assert secret not in server.end()
    for file in (tmp_path / "home").rglob("*"):
        assert not file.is_file() or secret.encode() not in file.read_bytes()
