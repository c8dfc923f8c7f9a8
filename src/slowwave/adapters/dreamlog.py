"""One readable JSON log per dream in `vault/dream_logs/DATE.json`, kept for so many days (N13)."""

import errno
import os
import re
from datetime import date, timedelta
from pathlib import Path

import msgspec

from slowwave.errors import DiskFull, StoreError
from slowwave.model import Dream

_DATED = re.compile(r"^(\d{4}-\d{2}-\d{2})(?:\.[a-z0-9]+)?\.json$")


class FolderDreamLog:
    """Dream logs as files; `keep_days` counts back from the newest run."""

    def __init__(self, folder: Path, keep_days: int) -> None:
        self._folder = folder
        self._keep = timedelta(days=keep_days)

    def write(self, dream: Dream) -> None:
        """Writes the log as a whole (a reader never sees half of it) and drops old ones.

        A night dreamed again gets a file of its own (`DATE.<dream id>.json`), the first stays.
        Raises DiskFull, or StoreError when the folder cannot be written.
        """
        try:
            self._write(dream)
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            raise (DiskFull if full else StoreError)(
                f"cannot write to {self._folder}: {error.strerror or error}",
                "free some disk space" if full else "check that the folder is writable",
            ) from error

    def _write(self, dream: Dream) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        day = dream.date if _DATED.match(f"{dream.date}.json") else dream.run_at.date().isoformat()
        target = self._folder / f"{day}.json"
        if target.exists() and _dream_id(target) != dream.dream_id:
            target = self._folder / f"{day}.{dream.dream_id}.json"
        body = msgspec.json.format(msgspec.json.encode(dream), indent=2)
        replace_file(target, body + b"\n")
        self._drop_old(dream.run_at.date())

    def _drop_old(self, today: date) -> None:
        for path in self._folder.glob("*.json"):
            named = _DATED.match(path.name)
            if named and today - date.fromisoformat(named.group(1)) > self._keep:
                path.unlink(missing_ok=True)


def replace_file(target: Path, body: bytes) -> None:
    """Old or new content, never part of it: temporary file in the same folder, fsync, rename."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as stream:
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _dream_id(path: Path) -> str:
    try:
        return str(msgspec.json.decode(path.read_bytes()).get("dream_id", ""))
    except (OSError, msgspec.DecodeError, AttributeError):
        return ""
