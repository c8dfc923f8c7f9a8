"""The launchd agent: what stands in it, and how it is loaded."""

import plistlib
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Any

import pytest

from slowwave.adapters.schedule import Nightly
from slowwave.errors import ScheduleError

Make = Callable[..., Nightly]
AGENT = "Library/LaunchAgents/slowwave.dream.k1.plist"


def test_what_stands_in_the_agent(nightly: Make, tmp_path: Path) -> None:
    one = nightly("darwin", at=time(3, 5), home='/Users/ana/a & "b" <c> 家')
    one.install()
    agent = plistlib.loads((tmp_path / "ana" / AGENT).read_bytes())
    assert agent["Label"] == "slowwave.dream.k1"
    assert agent["ProgramArguments"] == list(one.job.command)
    assert agent["StartCalendarInterval"] == {"Hour": 3, "Minute": 5}
    assert agent["RunAtLoad"] is True
    assert agent["EnvironmentVariables"] == {"SLOWWAVE_CALLER": "job"}


def test_a_clock_of_another_zone_is_asked_every_hour(nightly: Make) -> None:
    agent = plistlib.loads(nightly("darwin", at=time(3, 5), zone="Asia/Tokyo").text().encode())
    assert agent["StartCalendarInterval"] == {"Minute": 5}


def test_another_time_unloads_the_old_one_first(nightly: Make, recorder: Any) -> None:
    nightly("darwin").install()
    recorder.changes()
    nightly("darwin", at=time(4)).install()
    verbs = [call.split()[1] for call in recorder.changes()]
    assert verbs == ["bootout", "bootstrap"]


def test_without_a_screen_the_account_is_used(nightly: Make, recorder: Any) -> None:
    recorder.broken["launchctl print gui/"] = b"Could not find domain\n"
    nightly("darwin").install()
    assert recorder.on == {"user/1000/slowwave.dream.k1"}


def test_launchd_refuses(nightly: Make, recorder: Any) -> None:
    recorder.broken["launchctl bootstrap"] = b"Bootstrap failed: 5: Input/output error\n"
    with pytest.raises(ScheduleError, match="Input/output"):
        nightly("darwin").install()
    assert sum("bootstrap" in call for call in recorder.calls) == 4


@pytest.mark.parametrize("body", [b"", b"edited", b"<plist><dict></dict></plist>",
                                  b"<?xml version='1.0'?><plist><dict><key>a</key>"])  # fmt: skip
def test_an_agent_that_was_broken_by_hand(nightly: Make, tmp_path: Path, body: bytes) -> None:
    nightly("darwin").install()
    path = tmp_path / "ana" / AGENT
    path.write_bytes(body)
    shown = nightly("darwin").show()
    assert shown
    assert shown.at == ""
    nightly("darwin").install()
    assert plistlib.loads(path.read_bytes())["Label"] == "slowwave.dream.k1"
