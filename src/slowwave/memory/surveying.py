"""What there is, in numbers and in topics: for people who look, never for an agent that waits."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from slowwave.errors import UsageError
from slowwave.memory.archive import Archive
from slowwave.memory.dreaming import Dreaming
from slowwave.model import Vector, day_bounds, day_of, text_hash
from slowwave.ports import Embedder, Progress, Store, no_progress
from slowwave.settings import zone_of
from slowwave.stats import Past, Stats, journal_of, reckon

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from slowwave.dream.topics.week import Topics

    Numbers = npt.NDArray[np.float32]

MOST_DAYS = 366
BATCH = 16
CLIP = 240
"""Characters of a text that are embedded for a picture: what it is about, its beginning says."""
FEW = 40
"""Texts from which their own mean stands for what all texts share."""


class Surveying(Dreaming, Archive):
    """Statistics and topics of a space."""

    def stats(self) -> Stats:
        """What the memory is made of, and how that changed over time (L11)."""
        zone = zone_of(self.parts.settings.tz)
        events = self._store.counts(self.space).events
        memories = self.memories()
        ended = {
            memory.id: self._store.versions(self.space, memory.id, 1)
            for memory in memories
            if memory.status not in ("active", "candidate")
        }
        erased = [(one.receipt.forgotten_at, one.receipt.removed.memories)
                  for one in self._store.erasures(self.space)]  # fmt: skip
        past = Past({key: found[-1] for key, found in ended.items() if found}, erased)
        journal = journal_of(self.events_since(0), events, zone)
        return reckon(memories, self.dreams(), events, zone, journal=journal, past=past)

    def topics(self, days: int = 7, progress: Progress = no_progress) -> "Topics":
        """What the last `days` days of the log are about (P13): from the journal alone.

        They end with the last day on which something was said, today at the latest. Nothing is
        stored. Texts without a vector yet are embedded: a minute for a week of thousands at most.
        Raises UsageError for a number of days that is none.
        """
        # It reads language, and only a picture needs it.
        from slowwave.dream.topics.week import Topics, topics_of  # noqa: PLC0415

        if not 1 <= days <= MOST_DAYS:
            raise UsageError(f"{days} is no number of days", f"give one from 1 to {MOST_DAYS}")
        zone = zone_of(self.parts.settings.tz)
        said = self._store.counts(self.space).last_event
        if said is None:
            return Topics(first="", last="", messages=0, left_out=0, other=0, by="words", topics=())
        last = day_of(min(said, self.now()), zone)
        first = last - timedelta(days=days - 1)
        start, end = day_bounds(first, zone)[0], day_bounds(last, zone)[1]
        events = self._store.events_between(self.space, start, end)
        span = (first.isoformat(), last.isoformat())
        directions = _Directions(self._store, self.parts.embedder(), progress)
        return topics_of(events, span, zone, directions, (self.parts.settings.owner or "",))


class _Directions:
    """`topics.names.Directions` over the store's cache and the embedder; stores nothing."""

    def __init__(self, store: Store, embedder: Embedder | None, progress: Progress) -> None:
        self._store = store
        self._embedder = embedder
        self._progress = progress

    def __call__(self, texts: Sequence[str]) -> "Numbers | None":
        """A row for each text, of length 1 and freed of its language; None without an embedder."""
        if self._embedder is None or not texts:
            return None
        import numpy as np  # noqa: PLC0415 - slow to import; the embedder loads it anyway

        from slowwave.recall import centred  # noqa: PLC0415 - as above

        vectors = self._vectors(list(dict.fromkeys(texts)), self._embedder)
        size = min((len(vector) for vector in vectors.values() if vector), default=0)
        if not size:
            return None
        rows = np.zeros((len(texts), size), dtype=np.float32)
        for at, text in enumerate(texts):
            # Of a long text the store keeps a direction of each passage.
            parts = np.frombuffer(vectors.get(text) or bytes(size), np.int8).reshape(-1, size)
            rows[at] = (parts / (np.linalg.norm(parts, axis=1, keepdims=True) + 1e-9)).mean(axis=0)
        said = np.array([[centred.share(text)] for text in texts], dtype=np.float32)
        centre = centred.of(self._embedder.name)
        there = np.abs(rows).max(axis=1, keepdims=True) > 0
        if centre is not None:
            latin, chinese = centre.told
            rows = rows - (latin + (chinese - latin) * said)
        elif len(texts) > FEW:
            rows = rows - rows.mean(axis=0)
        rows = rows * there
        made: Numbers = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)
        return made

    def _vectors(self, texts: Sequence[str], embedder: Embedder) -> dict[str, Vector | None]:
        hashes = {text: text_hash(text) for text in texts}
        kept = self._store.cached_vectors(embedder.name, sorted(hashes.values()))
        found: dict[str, Vector | None] = {text: kept.get(hashes[text]) for text in texts}
        missing = [text for text in texts if found[text] is None]
        for at in range(0, len(missing), BATCH):
            some = missing[at : at + BATCH]
            found.update(zip(some, embedder.passages([text[:CLIP] for text in some]), strict=True))
            if len(missing) > BATCH:
                self._progress("embed", min(at + BATCH, len(missing)), len(missing))
        return found
