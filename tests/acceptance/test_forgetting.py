"""Forgetting is provable: with the words in hand, no byte of them is found anywhere (case 46).

Also after kill −9 at random moments, while others read, and beside memories that stay (case 42).
"""

import io
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import apsw
import pytest

from slowwave.cli.main import run
from slowwave.text.segment import terms

NOW = "2026-12-01T03:00:00+08:00"
LATER = "2026-12-03T03:00:00+08:00"

SECRET = "我每天早上吃四十毫克伐诺林"
WORDS = ("伐诺林", "四十毫克", "Varnolin", "varnolin")
LOG = (
    ("09:00", "user", "s1", SECRET + "，医生叫霍兰德。窑房的钥匙在青瓷碗下面。"),
    ("09:01", "assistant", "s1", "好的，记住了：你每天早上吃四十毫克伐诺林。"),
    ("09:02", "user", "s1", "My landlord is Bertil Krans and he plays the cello."),
    ("09:03", "user", "s2", "I take 40 mg of Varnolin every single morning."),
    ("09:04", "user", "s2", "以后周报都用 PDF 格式发给我。"),
    ("09:05", "user", "s2", "我对榛子过敏。"),
)


def write_log(path: Path, filler: int = 0) -> None:
    rows = [(f"2026-11-30T{at}:00+08:00", role, session, text) for at, role, session, text in LOG]
    rows += [
        (f"2026-11-{n % 28 + 1:02d}T10:{n % 60:02d}:00+08:00", "user", f"f{n // 9}",
         f"I moved box {n} to shelf {n % 7} in the attic") for n in range(filler)
    ]  # fmt: skip
    with path.open("w", encoding="utf-8") as stream:
        for number, (ts, role, session, text) in enumerate(rows):
            row = {"ref": f"k{number}", "ts": ts, "role": role, "session": session, "text": text}
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


class Home:
    """A home driven by the command line, as people do."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mirror = folder.parent / "mirror"
        self.mirror.mkdir(parents=True, exist_ok=True)
        folder.mkdir(exist_ok=True)
        settings = f'[vault]\nmirror = "{self.mirror}"\n'
        (folder / "slowwave.toml").write_text(settings, encoding="utf-8")

    def command(self, *arguments: str, now: str = NOW) -> list[str]:
        return [sys.executable, "-m", "slowwave", "--home", str(self.folder), "--tz",
                "Asia/Shanghai", "--now", now, *arguments, "--json"]  # fmt: skip

    def run(self, *arguments: str, now: str = NOW) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self.command(*arguments, now=now), env=environment(), capture_output=True, check=False
        )

    def call(self, *arguments: str, now: str = NOW) -> tuple[int, Any]:
        """In this process: exit code and answer."""
        output = io.StringIO()
        with redirect_stdout(output), redirect_stderr(io.StringIO()):
            code = run(self.command(*arguments, now=now)[3:])
        return code, json.loads(output.getvalue())

    def answer(self, *arguments: str, now: str = NOW) -> Any:
        code, told = self.call(*arguments, now=now)
        assert code == 0, told
        return told

    def memory(self, word: str) -> str:
        found = self.answer("memories", "list")
        return str(next(one["id"] for one in found if word in one["text"]))

    def texts(self) -> list[str]:
        return [one["text"] for one in self.answer("memories", "list")]


def environment() -> dict[str, str]:
    return {**os.environ, "SLOWWAVE_EMBEDDER": "none"}


def traces(home: Home, words: tuple[str, ...] = WORDS) -> list[str]:
    """Files whose names or bytes hold a word, and index terms that stand for one."""
    found = []
    for root in (home.folder, home.mirror):
        for path in root.rglob("*"):
            named = [word for word in words if word in path.name]
            body = path.read_bytes() if path.is_file() else b""
            for word in words:
                forms = (word.encode(), word.encode("utf-16-le"), word.encode("utf-16-be"))
                if any(form in body for form in forms):
                    named.append(word)
            found += [f"{path.name}: {word}" for word in named]
    return found + [f"index: {term}" for term in index_terms(home) & forms_of(words)]


def forms_of(words: tuple[str, ...]) -> set[str]:
    """Terms that only the forgotten words have."""
    return {term for word in words for term in terms(word)} - {"四", "林", "四十", "毫克", "克"}


def index_terms(home: Home) -> set[str]:
    connection = apsw.Connection(str(home.folder / "slowwave.db"))
    try:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%fts5%'")
        found = set()
        for (table,) in list(tables):
            vocabulary = f"CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, {table}, row)"
            connection.execute(vocabulary)
            found |= {row[0] for row in connection.execute("SELECT term FROM temp.v")}
            connection.execute("DROP TABLE temp.v")
        return found
    finally:
        connection.close()


@pytest.fixture(autouse=True)
def _words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    log = tmp_path / "log.jsonl"
    write_log(log)
    made.answer("import", str(log))
    made.answer("--space", "other", "import", str(log))
    made.answer("dream", "--date", "all", "--apply")
    made.answer("--space", "other", "dream", "--date", "all", "--apply")
    made.answer("context", "早上吃什么药，伐诺林？")
    made.answer("recall", "Varnolin")
    made.answer("dream", "--date", "all")
    return made


def pages_of_other(home: Home) -> list[Path]:
    return sorted((home.folder / "vault" / "spaces").rglob("*.md"))


def forget_rest(home: Home, *words: str) -> None:
    """Forgets what else holds the words, if anything does."""
    for word in words:
        code, told = home.call("forget", "--match", word, "--yes")
        assert code == 0 or told["error"]["type"] == "NotFound", told


def test_nothing_is_left_of_what_is_forgotten(home: Home, tmp_path: Path) -> None:
    other = home.answer("--space", "other", "memories", "list")
    theirs = {path: path.read_bytes() for path in pages_of_other(home)}
    assert len(theirs) > 2
    assert traces(home)
    done = home.answer("forget", home.memory("伐诺林"), "--yes")
    assert done["removed"]["events"] == 2
    assert done["removed"]["memories"] >= 1
    forget_rest(home, "伐诺林", "varnolin")
    assert home.answer("doctor")["ok"]
    assert home.answer("--space", "other", "memories", "list") == other
    assert {path: path.read_bytes() for path in pages_of_other(home)} == theirs
    for word in ("伐诺林", "varnolin"):
        home.answer("--space", "other", "forget", "--match", word, "--yes")
    assert traces(home) == []
    assert "青瓷碗" in home.answer("recall", "钥匙在哪")["results"][0]["text"]
    assert "榛子" in " ".join(home.texts())
    assert home.answer("forget", "--verify", done["receipt"])["ok"]
    # The old log again, as it is and as another export of the same talk.
    home.answer("import", str(tmp_path / "log.jsonl"))
    lines = (tmp_path / "log.jsonl").read_text("utf-8").replace('"ref": "k', '"ref": "x')
    (tmp_path / "again.jsonl").write_text(lines, "utf-8")
    home.answer("import", str(tmp_path / "again.jsonl"))
    home.answer("dream", "--date", "all", "--apply")
    assert traces(home) == []
    assert home.answer("forget", "--verify", done["receipt"])["ok"]


def test_a_rewording_in_an_old_log_stays_out_and_a_new_statement_returns(
    home: Home, tmp_path: Path
) -> None:
    home.answer("forget", home.memory("榛子"), "--yes")
    old = {"ref": "o1", "ts": "2026-11-20T09:00:00+08:00", "text": "榛子我不能吃，会过敏。"}
    other = {"ref": "o2", "ts": "2026-11-20T09:01:00+08:00", "text": "我对牡蛎过敏。"}
    path = tmp_path / "old.jsonl"
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in (old, other)), "utf-8")
    home.answer("import", str(path))
    dream = home.answer("dream", "--date", "all", "--apply")
    assert not any("榛子" in text for text in home.texts())
    assert any("牡蛎" in text for text in home.texts())
    reasons = {item["reason"] for item in dream["rejected"]}
    assert any("forgotten on 2026-12-01" in reason for reason in reasons), reasons
    new = {"ref": "n1", "ts": "2026-12-02T09:00:00+08:00", "text": "我对榛子过敏。"}
    path.write_text(json.dumps(new, ensure_ascii=False), "utf-8")
    home.answer("import", str(path), now=LATER)
    home.answer("dream", "--date", "all", "--apply", now=LATER)
    assert any("榛子" in text for text in home.texts())


def test_the_live_one_of_two_takes_the_only_place(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    rows = [
        {"ref": "t1", "ts": "2026-11-29T09:00:00+08:00", "text": "My dentist is Dr Ekdahl."},
        {"ref": "t2", "ts": "2026-11-29T09:05:00+08:00", "text": "My dentist is open on Mondays."},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    home.answer("import", str(path))
    home.answer("dream", "--date", "all", "--apply")
    home.answer("forget", home.memory("Ekdahl"), "--yes")
    [hit] = home.answer("recall", "dentist", "-k", "1")["results"]
    assert "Mondays" in hit["text"]


def test_others_read_on_while_something_is_forgotten(home: Home) -> None:
    target = home.memory("伐诺林")
    seen: list[int] = []
    failed: list[str] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            done = home.run("recall", "landlord")
            if done.returncode:
                failed.append(done.stderr.decode())
            seen.append(len(json.loads(done.stdout)["results"]))

    readers = [threading.Thread(target=read)]
    for reader in readers:
        reader.start()
    done = home.run("forget", target, "--yes")
    stop.set()
    for reader in readers:
        reader.join()
    assert done.returncode == 0, done.stderr.decode()
    assert failed == []
    assert seen
    assert min(seen) > 0


STRUCK = """
import os, signal, sys
from slowwave.adapters.store.sqlite.store import SqliteStore
from slowwave.adapters.sweep import FolderFiles
from slowwave.cli.main import run

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

owner, name = sys.argv[1].split(".")
setattr({"store": SqliteStore, "files": FolderFiles}[owner], name, die)
run(sys.argv[2:])
"""


def finished_by_the_next_start(home: Home, target: str, *, forgotten: bool) -> None:
    assert home.answer("doctor")["ok"]
    assert forgotten is not any("榛子" in text for text in home.texts())
    if not forgotten:
        home.answer("forget", target, "--yes")
    assert traces(home, ("榛子",)) == []
    [receipt] = [one.stem for one in (home.folder / "receipts").glob("*.json")]
    assert home.answer("forget", "--verify", receipt)["ok"]


@pytest.mark.parametrize(
    "place", ["store.erase", "files.sweep", "store.compact", "files.keep_receipt", "store.settle"]
)
def test_killed_at_every_step_it_is_finished_by_the_next_start(
    forgettable: Home, place: str
) -> None:
    target = forgettable.memory("榛子")
    command = forgettable.command("forget", target, "--yes")[3:]
    done = subprocess.run(
        [sys.executable, "-c", STRUCK, place, *command],
        env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == -9, done.stderr.decode()
    finished_by_the_next_start(forgettable, target, forgotten=place != "store.erase")


@pytest.fixture
def forgettable(tmp_path: Path) -> Home:
    log = tmp_path / "log.jsonl"
    write_log(log, filler=30)
    home = Home(tmp_path / "home")
    home.answer("import", str(log))
    home.answer("dream", "--date", "all", "--apply")
    return home


def strike(home: Home, target: str, chance: random.Random) -> None:
    process = subprocess.Popen(
        home.command("forget", target, "--yes"), env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    log = home.folder / "slowwave.db-wal"
    start = log.stat().st_size if log.exists() else 0
    while process.poll() is None and (log.stat().st_size if log.exists() else 0) == start:
        time.sleep(0.0005)
    time.sleep(chance.uniform(0, 0.4))
    process.kill()
    process.wait()


@pytest.mark.slow
def test_a_forgetting_killed_forty_times_is_always_finished(
    forgettable: Home, tmp_path: Path
) -> None:
    chance = random.Random(20261201)
    target = forgettable.memory("榛子")
    done = 0
    for number in range(40):
        folder = tmp_path / f"life{number}" / "home"
        shutil.copytree(forgettable.folder, folder)
        copy = Home(folder)
        strike(copy, target, chance)
        forgotten = not any("榛子" in text for text in copy.texts())
        done += forgotten
        finished_by_the_next_start(copy, target, forgotten=forgotten)
    assert done
