"""systemd units: what stands in them, and what becomes of strange names."""

import re
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.schedule import Job, Nightly, systemd
from slowwave.errors import ScheduleError

Make = Callable[..., Nightly]
FOLDER = ".config/systemd/user"


def words_of(unit: str) -> list[str]:
    """ExecStart as systemd reads it: quoted words, C escapes, `%%`, and `$$` but in the program."""
    line = re.search(r"^ExecStart=(.*)$", unit, re.M)
    assert line
    raw = re.findall(r'"((?:[^"\\]|\\.)*)"', line[1])
    assert line[1] == " ".join(f'"{word}"' for word in raw)
    plain = [re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in raw]
    assert not any(re.search(r"(?<!%)(?:%%)*%(?!%)", word) for word in raw)
    return [plain[0], *(word.replace("$$", "$") for word in plain[1:])]


def test_what_stands_in_the_units(nightly: Make, tmp_path: Path) -> None:
    nightly(at=time(3, 5)).install()
    service = (tmp_path / "ana" / FOLDER / "slowwave-dream-k1.service").read_text()
    timer = (tmp_path / "ana" / FOLDER / "slowwave-dream-k1.timer").read_text()
    assert words_of(service)[-4:] == ["dream", "--due", "--at", "03:05"]
    assert "Type=oneshot\n" in service
    assert "OnCalendar=*-*-* 03:05:00\nPersistent=true\n" in timer
    assert "WantedBy=timers.target" in timer


def test_what_it_asks_is_no_recall(nightly: Make) -> None:
    assert "\nEnvironment=SLOWWAVE_CALLER=job\nExecStart=" in nightly().text()


def test_a_clock_of_another_zone(nightly: Make) -> None:
    text = nightly(zone="America/Asuncion").text()
    assert "OnCalendar=*-*-* 02:00:00 America/Asuncion\n" in text


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1))
def test_every_name_arrives_as_it_is(name: str) -> None:
    command = ("/usr/bin/python3", "--home", f"/home/{name}", "--at", "02:00")
    job = Job(at=time(2), command=command, home=Path(f"/home/{name}"), key="k")
    text = systemd.text(job)
    assert words_of(text) == list(command)
    for line in text.split("\n"):
        assert not line.endswith("\\")


def test_a_program_whose_path_systemd_refuses_is_left_to_a_shell(nightly: Make) -> None:
    words = words_of(nightly(python='/opt/the "new" one/python').text())
    assert words[:4] == ["/bin/sh", "-c", 'exec "$@"', "sh"]
    assert words[4] == '/opt/the "new" one/python'


def test_files_are_where_xdg_says(nightly: Make, tmp_path: Path) -> None:
    one = nightly()
    machine = one.machine
    assert machine.under("XDG_CONFIG_HOME", ".config") == tmp_path / "ana/.config"
    object.__setattr__(machine, "environment", {"XDG_CONFIG_HOME": str(tmp_path / "xdg")})
    one.install()
    assert (tmp_path / "xdg/systemd/user/slowwave-dream-k1.timer").exists()
    object.__setattr__(machine, "environment", {"XDG_CONFIG_HOME": "not/absolute"})
    assert machine.under("XDG_CONFIG_HOME", ".config") == tmp_path / "ana/.config"


def test_a_stopped_timer_is_shown_asleep_and_started_again(nightly: Make, recorder: Any) -> None:
    nightly().install()
    recorder.on.clear()
    shown = nightly().show()
    assert shown
    assert not shown.active
    recorder.changes()
    nightly().install()
    assert "systemctl --user restart slowwave-dream-k1.timer" in recorder.changes()


def test_systemd_refuses(nightly: Make, recorder: Any) -> None:
    recorder.broken["systemctl --user enable"] = b"Failed to enable: unit is masked\n"
    with pytest.raises(ScheduleError, match="unit is masked"):
        nightly().install()
    recorder.broken.clear()
    nightly().install()
    shown = nightly().show()
    assert shown
    assert shown.active


def test_remove_takes_the_stamp_and_the_link_also_without_a_manager(
    nightly: Make, recorder: Any, tmp_path: Path
) -> None:
    nightly().install()
    wants = tmp_path / "ana" / FOLDER / "timers.target.wants"
    wants.mkdir()
    (wants / "slowwave-dream-k1.timer").symlink_to("../slowwave-dream-k1.timer")
    stamps = tmp_path / "ana/.local/share/systemd/timers"
    stamps.mkdir(parents=True)
    (stamps / "stamp-slowwave-dream-k1.timer").touch()
    recorder.broken["systemctl"] = b"Failed to connect to bus\n"
    assert len(nightly().remove()) == 4
    assert not (tmp_path / "ana/.config/systemd").exists()
    assert not any(stamps.iterdir())


def test_remove_leaves_the_units_of_others(nightly: Make, tmp_path: Path) -> None:
    nightly().install()
    other = tmp_path / "ana" / FOLDER / "backup.timer"
    other.write_text("[Timer]\n")
    nightly().remove()
    assert [path.name for path in other.parent.iterdir()] == ["backup.timer"]


def test_a_user_who_does_not_linger_is_told(nightly: Make, recorder: Any) -> None:
    one = nightly()
    assert one.install()[2] == ""
    machine = one.machine

    def no(arguments: Any, stdin: bytes) -> Any:
        ran = recorder(arguments, stdin)
        return type(ran)(0, out=b"no\n") if arguments[0] == "loginctl" else ran

    object.__setattr__(machine, "run", no)
    assert "enable-linger" in one.install()[2]
