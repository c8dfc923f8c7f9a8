"""One readable JSON log per dream in `vault/dream_logs/DATE.json`, kept for so many days (N13).

A dream that failed leaves a record in `vault/dream_logs/error/`, kept as long (N16).
"""

import re
from datetime import date, timedelta
from pathlib import Path

import msgspec

from slowwave.adapters.files import replace_file, writable
from slowwave.model import Dream
from slowwave.ports import Failure

__all__ = ["FolderDreamLog", "replace_file"]

_DATED = re.compile(r"^(\d{4}-\d{2}-\d{2})(?:\.[a-z0-9]+)?\.json$")
_ID = re.compile(rb'"dream_id": ?"([^"]+)"')
_HEAD = 512
"""A log names its dream within so many bytes."""


class FolderDreamLog:
    """Dream logs as files; `keep_days` counts back from the newest run."""

    def __init__(self, folder: Path, keep_days: int) -> None:
        self._folder = folder
        self._errors = folder / "error"
        self._keep = timedelta(days=keep_days)
        self._newest = date.min

    def write(self, dream: Dream) -> None:
        """Writes the log as a whole (a reader never sees half of it) and drops old ones.

        A night dreamed again gets a file of its own (`DATE.<dream id>.json`), the first stays.
        Raises DiskFull, or StoreError when the folder cannot be written.
        """
        with writable(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            target = self._folder / f"{_day(dream.date, dream.run_at.date())}.json"
            if target.exists() and _dream_id(target) != dream.dream_id:
                target = target.with_name(f"{target.stem}.{dream.dream_id}.json")
            _put(target, dream)
            self._newest = max(self._newest, dream.run_at.date())
            _drop_old(self._folder, self._newest - self._keep)

    def failed(self, failure: Failure) -> None:
        """Keeps a record of a dream that failed (N16). Raises as `write`."""
        day = _day(failure.date, failure.run_at.date())
        with writable(self._errors):
            self._errors.mkdir(parents=True, exist_ok=True)
            _put(self._errors / f"{day}.{failure.run_at:%H%M%S}.json", failure)
            _drop_old(self._errors, failure.run_at.date() - self._keep)

    def has(self, dream: Dream) -> bool:
        """Whether the log of a dream is there, or is old enough to be gone."""
        self._newest = max(self._newest, dream.run_at.date())
        day = _day(dream.date, dream.run_at.date())
        if self._newest - date.fromisoformat(day) > self._keep:
            return True
        first = self._folder / f"{day}.json"
        return first.with_name(f"{day}.{dream.dream_id}.json").exists() or (
            first.exists() and _dream_id(first) == dream.dream_id
        )


def _day(label: str, run: date) -> str:
    """The day a log is named after: of the dream, else of its run."""
    return label if _DATED.match(f"{label}.json") else run.isoformat()


def _put(target: Path, record: msgspec.Struct) -> None:
    replace_file(target, msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")


def _drop_old(folder: Path, before: date) -> None:
    for path in folder.glob("*.json"):
        named = _DATED.match(path.name)
        if named and date.fromisoformat(named.group(1)) < before:
            path.unlink(missing_ok=True)


def _dream_id(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            named = _ID.search(stream.read(_HEAD))
    except OSError:
        return ""
    return named[1].decode("utf-8", "replace") if named else ""
