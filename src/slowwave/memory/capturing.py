"""By day: whatever comes in goes into the journal."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from slowwave import journal
from slowwave.capture import foreign, intake
from slowwave.capture.envelope import clean
from slowwave.memory.naming import Naming
from slowwave.model import Event, Record, Skipped
from slowwave.ports import Progress, no_progress
from slowwave.recall import index
from slowwave.settings import zone_of

LAST = 2**62
"""A place in the journal behind all others."""
TOMORROW = timedelta(days=1)


class Capturing(Naming):
    """capture → journal."""

    def log(self, items: Iterable[Record | Skipped]) -> intake.TakenIn:
        """Appends events; all of those reported are durable. Bad ones are skipped and counted."""
        return intake.take_in(self._store, items, self._intake(), want_ids=True)

    def event_line(self, raw: bytes, line: int) -> Record | Skipped:
        """One JSON line of the contract's event format."""
        return self.parts.importers.event_line(raw, line, zone_of(self.parts.settings.tz))

    def import_paths(
        self, paths: Sequence[Path], format_name: str = "auto", progress: Progress = no_progress
    ) -> foreign.Imported:
        """Reads foreign logs and exports; safe to repeat.

        Raises InputError when no file could be read.
        """

        def restore(path: Path) -> foreign.Restored:
            return self._put_back(path, progress)

        tools = foreign.Tools(self._store, self.parts.importers, self._intake(), restore)
        done = foreign.read_all(tools, paths, format_name, progress)
        index.catch_up(self._store, self.space, progress)
        return done

    def _put_back(self, path: Path, progress: Progress) -> foreign.Restored:
        """Reads an export: its journal, and its ledger where this space has none."""
        # Once in the life of a home, if ever.
        from slowwave import transfer  # noqa: PLC0415

        lines = self.parts.importers.export_lines(path)
        done = transfer.take(self._store, self.space, lines, progress)
        taken = intake.TakenIn(done.events, done.duplicates, done.skipped, (), done.unlisted)
        return foreign.Restored(taken, done.memories)

    def events_since(self, seq: int) -> Iterator[Event]:
        """The journal after a place, in its order, a batch at a time."""
        return journal.since(self._store, self.space, seq)

    def events(self, ids: Sequence[str]) -> dict[str, Event]:
        """Raw events by id."""
        return self._store.events_by_id(self.space, ids)

    def said_in(self, session: str, limit: int) -> list[Event]:
        """The last `limit` events of a session, in journal order."""
        return self._store.session_before(self.space, clean(session), LAST, limit)

    def said_since(self, moment: datetime) -> list[Event]:
        """The events from a moment on, by (ts, seq)."""
        return self._store.events_between(self.space, moment, self.now() + TOMORROW)

    def said_as(self, ref: str) -> Event | None:
        """The last event that its source calls so."""
        found = self._store.events_by_ref(self.space, clean(ref)) if ref else []
        return found[-1] if found else None
