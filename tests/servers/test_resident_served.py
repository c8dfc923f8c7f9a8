"""A real server that dreams by itself: a word, silence, a memory; and all ways to break it off."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from slowwave.memory import SlowMemory
from slowwave.model import Record
from slowwave.servers.resident import ResidentState, standing
from slowwave.wiring import Options, open_memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals"),
]

WAIT = 150.0
"""Seconds that anything may take on a busy machine."""

SETTINGS = """\
embedder = "none"
tz = "Asia/Shanghai"
[resident]
triggers = ["clock", "idle"]
idle_minutes = 0.03
gap_minutes = 0.02
backoff_minutes = 0.02
dreams_a_day = 500
"""


class Served:
    """Servers of one home, in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        (self.home / "slowwave.toml").write_text(SETTINGS, "utf-8")
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-P", "-m", "slowwave", "--home", str(self.home), *words]

    def serve(self, *words: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{len(self.processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                self.command("serve", "--port", "0", *words), stderr=log, stdout=log
            )
        self.processes.append(process)
        number = len(self.processes) - 1
        until(lambda: "Slowwave serves" in self.log(number), lambda: self.log(number))
        return process

    def log(self, number: int = 0) -> str:
        return (self.folder / f"{number}.log").read_text("utf-8", "replace")

    def say(self, text: str) -> None:
        subprocess.run(self.command("log", text), check=True, capture_output=True)

    def memory(self) -> SlowMemory:
        return open_memory(Options(home=str(self.home)))

    def remembered(self) -> list[str]:
        memory = self.memory()
        try:
            return [one.text for one in memory.memories()]
        finally:
            memory.close()

    def state(self) -> ResidentState | None:
        return standing(self.home)

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait(WAIT)


def until(true: Callable[[], object], told: Callable[[], object] = lambda: "") -> None:
    """Waits until something is so."""
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end, told()
        time.sleep(0.05)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.close()


def gone(pid: int) -> bool:
    """Whether a process has ended (an orphan may be left for its new parent to bury)."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return True
    return text.rpartition(")")[2].split()[0] == "Z"


def test_a_word_then_silence_then_a_memory(served: Served) -> None:
    server = served.serve()
    served.say("I am allergic to buckwheat")
    until(lambda: any("buckwheat" in text for text in served.remembered()), served.log)
    until(lambda: "dreamed in" in served.log(), served.log)
    assert re.search(r"dreams today \(idle\)", served.log())
    state = served.state()
    assert state is not None
    assert (state.role, state.pid) == ("dreams", server.pid)
    server.send_signal(signal.SIGTERM)
    assert server.wait(WAIT) == 0
    assert served.state() is None
    assert "Traceback" not in served.log()


def test_no_dreams(served: Served) -> None:
    server = served.serve("--no-dreams")
    assert "--no-dreams" in served.log()
    assert served.state() is None
    server.send_signal(signal.SIGINT)
    server.wait(WAIT)


def test_a_second_server_stands_by_and_takes_over_when_the_first_is_killed(served: Served) -> None:
    first = served.serve()
    second = served.serve()
    until(lambda: "takes over" in served.log(1))
    assert f"process {first.pid} dreams" in served.log(1)
    first.kill()
    first.wait(WAIT)
    until(lambda: "the other one has ended" in served.log(1), lambda: served.log(1))
    until(lambda: (state := served.state()) is not None and state.pid == second.pid)
    served.say("I keep bees in Ljubljana")
    until(lambda: any("bees" in text for text in served.remembered()), lambda: served.log(1))


@pytest.fixture
def long(served: Served) -> Served:
    """A home in which a dream takes a while: a day of many words."""
    memory = served.memory()
    lines = [f"I bought {n} kilos of {w} in {c} for my cousin {m}" for n, w, c, m in many()]
    memory.log([Record(text=text, source="chat") for text in lines])
    memory.close()
    return served


def many() -> Iterator[tuple[int, str, str, str]]:
    goods = ("quinces", "cement", "walnuts", "paint", "candles", "oats", "tiles")
    cities = ("Tartu", "Porto", "Gdynia", "Bergamo", "Cork")
    cousins = ("Ilaria", "Bogdan", "Maire", "Tomasz")
    for n in range(500):
        yield n, goods[n % 7], cities[n % 5], cousins[n % 4]


def dreaming(served: Served) -> int:
    """The process of the dream under way, once it works."""
    found: list[int] = []

    def works() -> bool:
        state = served.state()
        if state is not None and state.dreaming is not None and state.dreaming.stage:
            found.append(state.dreaming.pid)
        return bool(found)

    until(works, served.log)
    return found[0]


def sound(served: Served) -> None:
    """Nothing is half done, and nothing is lost or read twice."""
    memory = served.memory()
    try:
        assert not memory.parts.store.check()
        read = [
            event
            for head in memory.dreams()
            if head.status == "applied"
            for event in memory.dream_by_id(head.dream_id).event_ids
        ]
        unread = memory.parts.store.undreamed("default", None, None)
        assert len(read) == len(set(read))
        assert len(read) + len(unread) == memory.status().counts.events
    finally:
        memory.close()


def test_words_of_the_user_stop_the_dream_and_it_is_taken_up_again(long: Served) -> None:
    long.serve()
    dreaming(long)
    long.say("wait, I am back")
    until(lambda: "you are back" in long.log(), long.log)
    sound(long)
    assert not (long.home / "vault" / "dream_logs" / "error").exists()
    until(lambda: "dreamed in" in long.log(), long.log)
    sound(long)
    assert not long.memory().unread_today()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_stops_the_dream(
    long: Served, number: signal.Signals
) -> None:
    server = long.serve()
    child = dreaming(long)
    server.send_signal(number)
    assert server.wait(WAIT) == 0
    assert gone(child)
    assert "the server ends" in long.log() or "dreamed in" in long.log()
    assert "Traceback" not in long.log()
    sound(long)


def test_a_server_that_is_killed_takes_its_dream_along(long: Served) -> None:
    server = long.serve()
    child = dreaming(long)
    server.kill()
    server.wait(WAIT)
    until(lambda: gone(child))
    sound(long)
    long.serve()  # and another one goes on
    until(lambda: "dreamed in" in long.log(1), lambda: long.log(1))
    sound(long)


def test_a_dream_that_is_killed_is_a_failure_and_is_dreamed_again(long: Served) -> None:
    long.serve()
    os.kill(dreaming(long), signal.SIGKILL)
    until(lambda: "the dream failed" in long.log(), long.log)
    assert list((long.home / "vault" / "dream_logs" / "error").glob("*.json"))
    sound(long)
    until(lambda: "dreamed in" in long.log(), long.log)
    sound(long)


def test_the_process_of_a_dream_is_small_and_polite(long: Served) -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("no affinity here")
    long.serve()
    child = dreaming(long)
    assert len(os.sched_getaffinity(child)) == 1
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, child) == min(19, mine + 10)
