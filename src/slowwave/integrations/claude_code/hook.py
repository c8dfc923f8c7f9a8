"""What a hook of Claude Code is answered: memory into the prompt, what was said into the journal.

The host waits for the answer, and must never suffer from it: whatever goes wrong is a remark on
stderr, and the exit code is 0 (2 would stop the user's prompt). Protocol:
https://code.claude.com/docs/en/hooks.
"""

import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from slowwave import __version__
from slowwave.errors import SlowwaveError
from slowwave.integrations.claude_code.transcript import Marks, take_on
from slowwave.memory import SlowMemory
from slowwave.model import text_hash

__all__ = ["PATIENCE", "Event", "answer", "limited"]

BUDGET = 800
"""Tokens of a block for a prompt. The host passes on 10,000 characters and keeps the rest back."""

OPENING = 1_200
"""Tokens of the block that opens a session."""

PATIENCE = {
    "SessionStart": 12.0, "UserPromptSubmit": 8.0, "Stop": 50.0, "PreCompact": 50.0,
    "SessionEnd": 25.0,
}  # fmt: skip
"""Seconds after which a call gives up, each less than the host gives it."""

UNKNOWN = 10.0
"""The same, for an event that we do not know."""

WORK = {"Stop": 6.0, "PreCompact": 6.0, "SessionEnd": 4.0}
"""Seconds after which no further part of a transcript is begun: the user waits for the host. What
is left comes with the next event."""

SETTLED = 120.0
"""Seconds after which another session's last answer is taken for whole."""

END = 4_000
"""Characters at both ends of a prompt that are looked at."""

_COMMAND = re.compile(r"\s*/[\w:.-]+(?:\s|\Z)")
"""A prompt that is for the program: `/clear`, `/plugin:skill …`."""


class Event(msgspec.Struct, frozen=True):
    """What the host tells a hook; fields of other events are passed over."""

    hook_event_name: str = ""
    session_id: str = ""
    transcript_path: str = ""
    source: str = ""
    prompt: str = ""


Opener = Callable[[], SlowMemory]
Remark = Callable[[str], None]


def answer(raw: bytes, opener: Opener, remark: Remark) -> dict[str, Any] | None:
    """What to print for an event that came as JSON; None: nothing. Never raises.

    `opener` opens the memory, `remark` takes what is to be known on stderr.
    """
    event = _event(raw)
    if event is None:
        remark("this is no hook event: a JSON object is expected on stdin")
        return None
    if event.hook_event_name == "SlowwaveCheck":
        return {"slowwave": __version__}
    timer = limited(PATIENCE.get(event.hook_event_name, UNKNOWN))
    try:
        return _answered(event, opener, remark)
    except SlowwaveError as error:
        remark(f"{error.message} ({error.hint})" if error.hint else error.message)
    except OSError as error:
        remark(str(error))
    except Exception as error:  # noqa: BLE001 - a fault of ours must not become one of the host
        remark(f"{type(error).__name__}: {error}")
    finally:
        timer.cancel()
    return None


def _event(raw: bytes) -> Event | None:
    """The event, as far as it is one; a field of another sort counts as not there."""
    try:
        told = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    # Half characters cannot be stored, nor searched for.
    fields = {
        name: told[name].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for name in Event.__struct_fields__
        if isinstance(told.get(name), str)
    }
    return Event(**fields)


def _answered(event: Event, opener: Opener, remark: Remark) -> dict[str, Any] | None:
    name = event.hook_event_name
    if name in WORK:
        with closing(opener()) as memory:
            _capture(event, memory, remark)
        return None
    if name not in ("SessionStart", "UserPromptSubmit"):
        remark(f"nothing is done at {name or 'an event without a name'}")
        return None
    with closing(opener()) as memory:
        text = _opening(event, memory) if name == "SessionStart" else _context(event, memory)
        for one in memory.remarks:
            remark(one)
    if not text:
        return None
    inner = {"hookEventName": name, "additionalContext": text}
    return {"hookSpecificOutput": inner, "suppressOutput": True}


def _opening(event: Event, memory: SlowMemory) -> str:
    """Who the user is and what is open; a resumed session has it in its history already."""
    if event.source == "resume" and event.session_id:
        before = memory.injections(session=event.session_id)
        if any(not one.query and one.items for one in before):
            return ""
    return memory.context("", OPENING, session=event.session_id).text


def _context(event: Event, memory: SlowMemory) -> str:
    if not event.prompt.strip() or _COMMAND.match(event.prompt):
        return ""
    return memory.context(_asked(event.prompt), BUDGET, session=event.session_id).text


def _asked(prompt: str) -> str:
    """What a prompt asks: of a very long one its beginning and its end, between which things are
    pasted."""  # fmt: skip
    if len(prompt) <= 2 * END:
        return prompt
    return f"{prompt[:END]}\n{prompt[-END:]}"


def _capture(event: Event, memory: SlowMemory, remark: Remark) -> None:
    """Takes in what the transcript holds and the journal does not; append-only (O3).

    After a turn there is time for what other sessions left: rows that came after their last hook.
    """
    until = time.monotonic() + WORK[event.hook_event_name]
    marks = Marks(memory.parts.home / "hooks" / f"claude-code-{text_hash(memory.space)[:8]}")
    marks.sweep()
    path = Path(event.transcript_path).expanduser()
    if not event.transcript_path or not path.is_file():
        remark(f"no transcript at {event.transcript_path or '(none named)'}")
        return

    def take(rows: Path) -> int:
        return memory.import_paths([rows], "claude-code").events

    settled = event.hook_event_name != "PreCompact"
    done = take_on(path, marks, take, until=until, settled=settled)
    if not done.whole:
        remark("the transcript is long: the rest is taken in at the next turn")
    if event.hook_event_name == "Stop":
        for other in marks.behind(path):
            if time.monotonic() >= until:
                break
            settled = time.time() - other.stat().st_mtime > SETTLED
            take_on(other, marks, take, until=until, settled=settled)


def limited(seconds: float, leave: Callable[[int], object] = os._exit) -> threading.Timer:
    """Ends the process, with exit code 0, when a call takes longer; cancel it when it is done.

    That is no harm: the journal survives a process that is killed at any instant.
    """

    def late() -> None:
        sys.stderr.write(f"slowwave: no answer within {seconds:.0f} seconds; left to later\n")
        sys.stderr.flush()
        leave(0)

    timer = threading.Timer(seconds, late)
    timer.daemon = True
    timer.start()
    return timer
