"""kill −9 at every boundary of a night: between stages, between chunks, inside `write`.

The dream runs in a process that counts what it does to the outside, every SQL statement and every
file it opens for writing, renames or removes, and kills itself before the n-th of these. So each
boundary is hit exactly, whatever the machine is doing. The next run must give what an undisturbed
one gives, and must not read again what was read and kept (N16).
"""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from slowwave.dream.cycle import distill as cycle_distill
from slowwave.memory import SlowMemory
from slowwave.model import Memory, Record
from slowwave.wiring import Options, open_memory

NOW = "2026-12-01T03:00:00+08:00"
ZONE = "Asia/Shanghai"

DOOMED = """
import os, signal, sys
import apsw
from slowwave.cli.main import run

home, fatal = "", -1
passed = []

def step(what):
    if len(passed) == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    passed.append(what)

def on_sql(cursor, sql, values):
    step("sql " + " ".join(sql.split()[:6]))
    return True

def on_audit(event, arguments):
    path = str(arguments[0]) if arguments else ""
    if not home or not path.startswith(home):
        return
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        step("open " + path[len(home):])
    elif event in ("os.rename", "os.remove", "os.link"):
        step(event + " " + path[len(home):])

def on_connection(connection):
    connection.exec_trace = on_sql

def night(listing):
    passed.clear()
    code = run(["--home", home, *sys.argv[1:], "dream", "--apply", "--json"])
    if listing:
        with open(listing, "w", encoding="utf-8") as stream:
            stream.write("\\n".join(passed))
    return code

apsw.connection_hooks.append(on_connection)
sys.addaudithook(on_audit)
sys.stdout = open(os.devnull, "w")
for line in sys.stdin:
    where, fatal, listing = line.rstrip("\\n").split("\\t")
    home, fatal = where, int(fatal)
    if listing:
        ended = night(listing)
    else:
        child = os.fork()
        if not child:
            os._exit(night(""))
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(1, b"%d\\n" % ended)
"""


class Doomed:
    """A process that dreams when told, and forks a copy of itself for each dream that is to die.

    So start-up, which is not what is tested here, is paid once.
    """

    def __init__(self, folder: Path) -> None:
        self._errors = folder / "errors.txt"
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-W", "error", "-c", DOOMED, "--tz", ZONE, "--now", NOW],
                env={**os.environ, "SLOWWAVE_EMBEDDER": "none"},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
            )  # fmt: skip

    def dream(self, home: Path, fatal: int, listing: str = "") -> int:
        """How a night ended: 0, or minus the signal that ended it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{home}\t{fatal}\t{listing}\n".encode())
        self._process.stdin.flush()
        ended = self._process.stdout.readline()
        assert ended, self._errors.read_text()
        assert "Traceback" not in self._errors.read_text(), self._errors.read_text()
        return int(ended)

    def close(self) -> None:
        """Lets the process go."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def said(number: int) -> str:
    """Varied enough that every night adds, confirms and replaces something."""
    forms = (
        "I moved the {0} crates to bay {1}",
        "以后第{1}号仓库的周报用 PDF",
        "My colleague Runa{0} lives in Trondheim, number {1}",
        "I am allergic to walnuts",
        "我家的猫叫米粒{0}",
        "haha {0}",
        "We decided to buy {1} lamps for the {0}th floor",
    )
    return forms[number % len(forms)].format(number // 3, 100 + number)


def prepare(home: Path, told: int) -> None:
    """A home with one applied night and one that waits."""
    home.mkdir(parents=True)
    (home / "slowwave.toml").write_text("[dream]\nsegment_chars = 300\n", encoding="utf-8")
    with closing(opened(home)) as memory:
        memory.log(event(number, 29) for number in range(12))
        memory.dream("2026-11-29", apply=True)
        memory.log(event(number + 7, 30) for number in range(told))


def event(number: int, day: int) -> Record:
    from datetime import datetime, timedelta

    start = datetime.fromisoformat(f"2026-11-{day}T08:00:00+08:00")
    return Record(
        text=said(number), source="k", key=f"{day}-{number}", session=f"s{number // 9}",
        ts=start + timedelta(minutes=7 * number),
    )  # fmt: skip


def opened(home: Path) -> SlowMemory:
    return open_memory(Options(home=str(home), now=NOW, tz=ZONE), {"SLOWWAVE_EMBEDDER": "none"})


class Calm:
    """The undisturbed night, and all points at which it can be struck."""

    def __init__(self, folder: Path, told: int) -> None:
        self.start = folder / "start"
        prepare(self.start, told)
        home = folder / "calm"
        shutil.copytree(self.start, home)
        listing = folder / "points.txt"
        self.doomed = Doomed(folder)
        assert self.doomed.dream(home, -1, str(listing)) == 0
        self.points = listing.read_text(encoding="utf-8").splitlines()
        with closing(opened(home)) as memory:
            self.memories = memory.memories()
            told_last = (dream for dream in memory.dreams() if dream.date == "2026-11-30")
            self.dream_id = next(told_last).dream_id
            self.changes = memory.dream_by_id(self.dream_id).changes
            self.vault = vault_of(home)
        self.chunks = self._chunks(folder / "counted")

    def _chunks(self, home: Path) -> int:
        shutil.copytree(self.start, home)
        with closing(opened(home)) as memory:
            planned = memory.dream()
            kept = memory.parts.store.stages("default", planned.dream_id)
        return sum(name.startswith("distill/") for name in kept)

    def fatal(self, wanted: str) -> list[int]:
        """Where a step of that kind is about to happen, and where it has just happened."""
        places = [n for n, what in enumerate(self.points) if wanted in what]
        return sorted({at for n in places for at in (n, n + 1) if at < len(self.points)})


def vault_of(home: Path) -> dict[str, bytes]:
    """The Markdown files. The logs of dreams hold seconds, which differ."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted((home / "vault").rglob("*.md"))
    }


def strike(calm: Calm, home: Path, fatal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One kill, and the night after it."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(calm.start, home)
    where = calm.points[fatal]
    assert calm.doomed.dream(home, fatal) == -signal.SIGKILL, where
    read = count_reads(monkeypatch)
    assert_sound(home, where)
    with closing(opened(home)) as memory:
        kept = memory.parts.store.stages("default", calm.dream_id)
        chunks = sum(name.startswith("distill/") for name in kept)
        before = {dream.dream_id: dream.status for dream in memory.dreams()}
        applied = before.get(calm.dream_id) == "applied"
        # Nothing of a plan is half there: all of its changes or none.
        assert applied == (memory.memories() == calm.memories), where
        again = memory.dream(apply=True)
        assert again.status == ("nothing_to_do" if applied else "applied"), where
        assert len(read) == (0 if applied else calm.chunks - chunks), where
        assert plain(memory.memories()) == plain(calm.memories), where
        assert plain(memory.dream_by_id(calm.dream_id).changes) == plain(calm.changes), where
        assert memory.parts.store.stages("default", calm.dream_id) == {}, where
    assert_sound(home, where)


def assert_sound(home: Path, where: str) -> None:
    """What `doctor` says, asked anew as a command would."""
    with closing(opened(home)) as memory:
        assert memory.diagnose() == (), where


def plain(what: list[Memory] | Any) -> bytes:
    return msgspec.json.encode(what)


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many chunks are read from now on."""
    calls: list[int] = []
    distill = cycle_distill.distill_by_rules

    def counted(turns: Any, *rest: Any, **options: Any) -> Any:
        calls.append(len(turns))
        return distill(turns, *rest, **options)

    monkeypatch.setattr(cycle_distill, "distill_by_rules", counted)
    return calls


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calm]:
    undisturbed = Calm(tmp_path_factory.mktemp("kill"), told=24)
    yield undisturbed
    undisturbed.doomed.close()


def aims(calm: Calm, kills: int) -> list[int]:
    """Every boundary first: before and after each commit and each file; then anywhere at all."""
    edges = sorted({*calm.fatal("sql COMMIT"), *calm.fatal("stages"), *calm.fatal("/vault")})
    chance = random.Random(20261201)
    chosen = edges if len(edges) <= kills * 3 // 4 else chance.sample(edges, kills * 3 // 4)
    inside = [at for at in range(len(calm.points)) if at not in chosen]
    return sorted([*chosen, *chance.sample(inside, kills - len(chosen))])


needs_sigkill = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")


@needs_sigkill
def test_a_night_struck_between_two_chunks_and_while_it_is_written(
    calm: Calm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert calm.chunks >= 3
    assert len(calm.changes) >= 10
    kept = calm.fatal("INTO stages")
    written = calm.fatal("INSERT INTO memory_versions")
    for fatal in (kept[len(kept) // 2], written[len(written) // 2]):
        with monkeypatch.context() as patch:
            strike(calm, tmp_path / "home", fatal, patch)


@pytest.mark.slow
@needs_sigkill
def test_a_hundred_kills_at_every_boundary(
    calm: Calm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for fatal in aims(calm, 100):
        with monkeypatch.context() as patch:
            strike(calm, tmp_path / "home", fatal, patch)
