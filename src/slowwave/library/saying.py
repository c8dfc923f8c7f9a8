"""By day: what was said goes into the journal."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from slowwave.library.given import Moment
from slowwave.library.opened import Opened
from slowwave.model import EventKind, Record, Role, Skipped

if TYPE_CHECKING:
    from slowwave.capture.foreign import Imported
    from slowwave.capture.intake import TakenIn
    from slowwave.memory.turning import CaughtUp

__all__ = ["Loggable", "Saying"]

Loggable = str | Record | Mapping[str, Any]
"""What can be logged: words, a `Record`, or an event as a mapping (the fields of an event line)."""


class Saying(Opened):
    """capture → journal."""

    def log(  # noqa: PLR0913 - options by keyword, spelled out for readers and editors
        self,
        what: Loggable | Iterable[Loggable],
        *,
        role: Role = "user",
        session: str = "",
        speaker: str = "",
        channel: str = "",
        kind: EventKind = "message",
        ts: datetime | str | None = None,
    ) -> "TakenIn":
        """Appends events to the journal; they are durable when it returns.

        The options tell of what is given as a string; a mapping or a `Record` tells for itself.
        `ts` is when it was said (None: now; without an offset: in the user's zone). `kind="seed"`
        is the day's most important thing, always remembered.

        Returns how many were new (`events`), how many were known (`duplicates`), the new ones
        (`ids`: id and ts) and what was left out (`skipped`: its number from 1, and why): a bad
        event never stops the others. Raises StoreError (DiskFull, StoreBusy).

            memory.log("I am allergic to peanuts")
            memory.log("Noted!", role="assistant", session="chat-7")
            memory.log({"text": "我搬家了", "ts": "2026-03-03T09:12:00+08:00", "ref": "msg-12"})
        """
        told = {
            "role": role, "session": session, "speaker": speaker, "channel": channel,
            "kind": kind, "ts": _written(ts),
        }  # fmt: skip
        each = [what] if isinstance(what, str | Record | Mapping) else what
        return self.front.log(self._records(each, told))

    def _records(
        self, items: Iterable[Loggable], told: dict[str, Any]
    ) -> Iterator[Record | Skipped]:
        """Each as a record. What is no event is left out with its number."""
        for number, item in enumerate(items, start=1):
            if isinstance(item, Record):
                yield item
                continue
            line = {"text": item, **told} if isinstance(item, str) else item
            raw = _line_of(line)
            if isinstance(raw, str):
                yield Skipped(number, raw)
            else:
                yield self.front.event_line(raw, number)

    def as_kept(self, text: str) -> str:
        """A text as the journal keeps it: what is secret in it (keys, passwords) is left out."""
        from slowwave.capture.envelope import clean  # noqa: PLC0415 - as in `Opened`

        return clean(text)

    def turn(
        self,
        user: str,
        assistant: str = "",
        *,
        session: str = "",
        ts: Moment | None = None,
        channel: str = "",
        wait: bool = False,
    ) -> "TakenIn":
        """Takes in a finished turn, durably, and learns from it behind the reply's back.

        With `ts`, its moment, the same turn given twice is one turn. `wait`: learn before it
        returns. What was learned is in `dreams()`. Raises StoreError; with `wait` what `catch_up`
        raises.

            memory.turn("I moved to Lyon", "Noted!", session="chat-7")
        """
        front = self.front
        take = front.log_turn if wait else front.turn_end
        taken = take(user, assistant, session=session, ts=self._moment(ts), channel=channel or None)
        if wait:
            front.catch_up_turns()
        return taken

    def catch_up(self) -> "CaughtUp":
        """Learns from all turns that wait, oldest first, before it returns. Safe to repeat.

        Returns `dreams` (what was learned, each can be rolled back) and `left` (turns that are
        left to the night, and why). Raises StoreError, EmbedderError, ModelError.
        """
        return self.front.catch_up_turns()

    def import_(self, *paths: str | Path, format: str = "auto") -> "Imported":
        """Reads foreign logs and exports, files or folders. Safe to repeat.

        `format` is only needed where it is not recognised: openclaw, openclaw-session, claude-code,
        chatgpt, claude-ai, chat-markdown, claw-yaml, jsonl, locomo, beam, slowwave.

        Returns `events`, `duplicates`, `skipped` (numbers) and `files` with each file's report.
        Raises InputError when no file could be read, UsageError for a format that is none.

            memory.import_("~/.openclaw")
        """
        return self.front.import_paths([Path(path).expanduser() for path in paths], format)


def _written(ts: datetime | str | None) -> str | None:
    return ts.isoformat() if isinstance(ts, datetime) else ts


def _line_of(given: object) -> bytes | str:
    """An event as the line that the command line reads; else why it is none."""
    if not isinstance(given, Mapping):
        return f"{type(given).__name__}: neither words, a Record nor a mapping"
    line = {
        str(name): _valid(value) if isinstance(value, str) else value
        for name, value in given.items()
    }
    try:
        return msgspec.json.encode(line)
    except (TypeError, ValueError, RecursionError) as error:
        return f"not an event: {error}"


def _valid(text: str) -> str:
    """Text that UTF-8 can hold: surrogate pairs joined, lone ones replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
