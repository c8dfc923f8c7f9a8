"""A machine that is only a folder and a recorder of what is run on it."""

from collections.abc import Callable, Sequence
from datetime import time
from pathlib import Path

import pytest

from slowwave.adapters.dreamlog import replace_file
from slowwave.adapters.schedule import Job, Machine, Nightly, Ran

PROGRAMS = {
    "linux": ("systemctl", "crontab"),
    "darwin": ("launchctl", "crontab"),
    "cron": ("crontab",),
    "bare": (),
}


class Recorder:
    """Plays systemctl, launchctl and crontab. `broken` are beginnings of calls that fail."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.crontab: bytes | None = None
        self.on: set[str] = set()
        self.broken: dict[str, bytes] = {}

    def __call__(self, arguments: Sequence[str], stdin: bytes) -> Ran:
        call = " ".join(arguments)
        self.calls.append(call)
        for beginning, said in self.broken.items():
            if call.startswith(beginning):
                return Ran(1, err=said)
        if arguments[0] == "crontab":
            return self._crontab(arguments[1], stdin)
        if arguments[0] == "launchctl":
            return self._launchctl(arguments)
        return self._systemctl(arguments) if arguments[0] == "systemctl" else Ran(0)

    def _crontab(self, option: str, stdin: bytes) -> Ran:
        if option == "-":
            self.crontab = stdin
        elif option == "-r":
            self.crontab = None
        elif self.crontab is None:
            return Ran(1, err=b"no crontab for ana\n")
        return Ran(0, out=self.crontab or b"")

    def _systemctl(self, arguments: Sequence[str]) -> Ran:
        verb, unit = arguments[2], arguments[-1]
        if verb in ("enable", "restart"):
            self.on.add(f"{verb} {unit}")
        elif verb == "disable":
            self.on -= {f"enable {unit}", f"restart {unit}"}
        elif verb == "is-enabled":
            return Ran(int(f"enable {unit}" not in self.on))
        elif verb == "is-active":
            return Ran(int(f"restart {unit}" not in self.on))
        return Ran(0)

    def _launchctl(self, arguments: Sequence[str]) -> Ran:
        verb, target = arguments[1], arguments[2]
        if verb == "bootstrap":
            self.on.add(f"{target}/{Path(arguments[3]).stem}")
        elif verb == "bootout":
            self.on.discard(target)
        elif target.count("/") > 1:
            return Ran(int(target not in self.on))
        return Ran(0)

    def changes(self) -> list[str]:
        """The calls that change something, since the last look."""
        asking = ("show-environment", "is-enabled", "is-active", "print", "-l", "show-user")
        found = [call for call in self.calls if not set(call.split()) & set(asking)]
        self.calls.clear()
        return found


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def nightly(tmp_path: Path, recorder: Recorder) -> Callable[..., Nightly]:
    """A job on a machine of a kind; `home` and the rest may be other ones."""

    def make(
        kind: str = "linux",
        *,
        at: time = time(2),
        home: str = "/home/ana/.slowwave",
        key: str = "k1",
        zone: str = "",
        dry: bool = False,
        python: str = "/opt/py/bin/python",
    ) -> Nightly:
        command = (python, "-m", "slowwave", "--home", home, "dream", "--due",
                   "--at", f"{at:%H:%M}")  # fmt: skip
        machine = Machine(
            run=recorder,
            which=lambda name: f"/bin/{name}" if name in PROGRAMS[kind] else None,
            replace=replace_file,
            pause=lambda _seconds: None,
            environment={},
            folder=tmp_path / "ana",
            platform="darwin" if kind == "darwin" else "linux",
            uid=1000,
            dry=dry,
        )
        job = Job(at=at, command=command, home=Path(home), key=key, zone=zone)
        return Nightly(job, machine)

    return make


@pytest.fixture
def files(tmp_path: Path) -> Callable[[], dict[str, bytes]]:
    """All files of the user's folder, and its folders (with no bytes)."""

    def tree() -> dict[str, bytes]:
        root = tmp_path / "ana"
        return {
            str(path.relative_to(root)): path.read_bytes() if path.is_file() else b""
            for path in sorted(root.rglob("*"))
        }

    return tree
