"""Lines of a crontab: others stay as they are, and the shell gets the words it should."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.schedule import Job, Nightly, cron
from slowwave.errors import ScheduleError

Make = Callable[..., Nightly]

OTHERS = [
    b"0 5 * * 1 tar -zcf /var/backups/home.tgz /home/\n",
    b"# a note\n\n\nMAILTO=ana\nCRON_TZ=Asia/Tokyo\n*/5 * * * * date +\\%s\n",
    b"no newline at the end",
    b"\n\n",
    b"odd \xff\xfe bytes\r\nand ends\r\n",
    b"# 0 2 * * * /opt/py -m slowwave # slowwave k1\n",
    b"0 2 * * * /opt/py # slowwave k12\n",
]


@pytest.mark.parametrize("others", OTHERS)
def test_other_lines_stay_byte_by_byte(nightly: Make, recorder: Any, others: bytes) -> None:
    recorder.crontab = others
    nightly("cron").install()
    own = nightly("cron").text().encode()
    assert recorder.crontab == own + others
    nightly("cron", at=time(5)).install()
    assert recorder.crontab == nightly("cron", at=time(5)).text().encode() + others
    nightly("cron").remove()
    assert recorder.crontab == others


@settings(max_examples=100, deadline=None)
@given(others=st.binary(min_size=1).filter(lambda table: b"slowwave" not in table))
def test_whatever_the_crontab_holds(others: bytes) -> None:
    job = Job(at=time(2), command=("/py", "--at", "02:00"), home=Path("/h"), key="k1")
    mine = cron.text(job).encode()
    assert cron._without(mine + others, job) == others


def test_what_stands_in_the_lines(nightly: Make) -> None:
    nightly_line, boot = nightly("cron", at=time(3, 5)).text().splitlines()
    assert nightly_line.startswith("5 3 * * * SLOWWAVE_CALLER=job /opt/py/bin/python -m slowwave")
    assert boot.startswith("@reboot SLOWWAVE_CALLER=job /opt/py/bin/python -m slowwave")
    assert nightly_line.endswith("dream --due --at 03:05 >/dev/null # slowwave k1")


def test_a_clock_of_another_zone_is_asked_every_hour(nightly: Make) -> None:
    assert nightly("cron", at=time(3, 5), zone="Asia/Tokyo").text().startswith("5 * * * * ")


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
@pytest.mark.parametrize("taken_away", [True, False])
def test_the_shell_gets_every_word_as_it_is(taken_away: bool) -> None:
    """`\\%` reaches the shell as `%` from most crons, and as it stands from busybox."""
    names = [
        "a b",
        "100%",
        "%d%%",
        "it's",
        '"q"',
        "$HOME `id` $(id)",
        "家；#",
        "a;b&c|d>e",
        "",
        "-n",
    ]
    command = ("/usr/bin/env", "printf", "<%s>", *names)
    line = cron.text(Job(at=time(2), command=command, home=Path("/h"), key="k")).splitlines()[0]
    asked = line.split(" ", 5)[5].replace(" >/dev/null", "")
    if taken_away:
        assert "%" not in asked.replace("\\%", "")
        asked = asked.replace("\\%", "%")
    done = subprocess.run(["sh", "-c", asked], capture_output=True, check=True)
    assert done.stdout.decode() == "".join(f"<{name}>" for name in names)


@pytest.mark.parametrize("home", ["/home/" + "long" * 300, "/home/back\\slash"])
def test_what_a_crontab_cannot_hold(nightly: Make, recorder: Any, home: str) -> None:
    with pytest.raises(ScheduleError):
        nightly("cron", home=home).install()
    assert recorder.changes() == []


@pytest.mark.parametrize(
    "said", [b"You (ana) are not allowed to use this program (crontab)", b"",
             b"crontab: can't open '/var/spool': Permission denied"],
)  # fmt: skip
def test_a_crontab_that_cannot_be_read_is_never_written(
    nightly: Make, recorder: Any, said: bytes
) -> None:
    recorder.crontab = b"0 5 * * 1 backup\n"
    recorder.broken["crontab -l"] = said
    with pytest.raises(ScheduleError):
        nightly("cron").install()
    assert nightly("cron").show() is None
    assert nightly("cron").remove() == ()
    assert recorder.changes() == []


@pytest.mark.parametrize(
    "said", [b"no crontab for ana\n", b"crontab: no crontab for ana\n",
             b"crontab: can't open 'ana': No such file or directory\n"],
)  # fmt: skip
def test_no_crontab_yet(nightly: Make, recorder: Any, said: bytes) -> None:
    recorder.broken["crontab -l"] = said
    nightly("cron").install()
    assert recorder.crontab == nightly("cron").text().encode()
