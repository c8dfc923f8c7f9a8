"""To another home: all of a space as lines or as a page, and the day files of N1."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import msgspec

from slowwave import vault
from slowwave.capture import foreign
from slowwave.memory.writing import Writing
from slowwave.model import day_bounds, day_of
from slowwave.ports import Progress, no_progress
from slowwave.settings import zone_of


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """All of a space, a line at a time (without line ends), and what it holds."""

    lines: Iterator[bytes]
    events: int
    memories: int
    dreams: int


class DayFile(msgspec.Struct, frozen=True):
    """The short-term log of one day (N1): its name, its YAML, how many events."""

    name: str
    text: str
    events: int


class Exporting(Writing):
    """journal, ledger → a file → another home."""

    def export(self, *, markdown: bool = False, progress: Progress = no_progress) -> Export:
        """Everything of this space: JSON lines, or a Markdown page that holds them.

        `import_paths` reads both back without loss. The lines are read as they are taken.
        """
        # Rarely needed, and never by an agent that waits.
        from slowwave import transfer  # noqa: PLC0415

        sent = transfer.send(self._store, self.space, self.now(), progress)
        zone = zone_of(self.parts.settings.tz)
        made = transfer.page(self._store, self.space, sent, zone) if markdown else sent.lines
        told = sent.header
        return Export(lines=made, events=told.events, memories=told.memories, dreams=told.dreams)

    def day_files(self, asked: str = "all") -> Iterator[DayFile]:
        """The journal as one YAML file a day (N1), oldest first.

        Of one day (`yesterday`, `today`, a date) that one, also where nothing was said. Raises
        UsageError for what is no day.
        """
        from slowwave.dream.cycle.night import span_of  # noqa: PLC0415 - as in `export`

        zone = zone_of(self.parts.settings.tz)
        label, start, _ = span_of(asked, self.now())
        if start is not None:
            yield self._day_file(date.fromisoformat(label))
            return
        counts = self._store.counts(self.space)
        if counts.first_event is None or counts.last_event is None:
            return
        day, last = day_of(counts.first_event, zone), day_of(counts.last_event, zone)
        while day <= last:
            made = self._day_file(day)
            if made.events:
                yield made
            day += timedelta(days=1)

    def _day_file(self, day: date) -> DayFile:
        start, end = day_bounds(day, zone_of(self.parts.settings.tz))
        events = self._store.events_between(self.space, start, end)
        name = f"{day.isoformat()}-events.yaml"
        return DayFile(name, self.parts.importers.dump_day(events), len(events))

    def import_paths(
        self, paths: Sequence[Path], format_name: str = "auto", progress: Progress = no_progress
    ) -> foreign.Imported:
        """As always; what an export brought back is in the files as well."""
        done = super().import_paths(paths, format_name, progress)
        if any(report.memories for report in done.files):
            vault.sync(self._vault())
        return done
