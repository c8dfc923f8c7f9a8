"""What would leave this machine: a look at a night before a model sees it (N17)."""

from typing import TYPE_CHECKING

from slowwave.memory.base import Base
from slowwave.model import Event

if TYPE_CHECKING:
    from slowwave.privacy.preview import Leaving

_NOBODY = frozenset({"user", "agent", "world"})


class Previewing(Base):
    """capture → journal → what a model would be shown."""

    def leaving(self, date: str = "yesterday", text: str | None = None) -> "Leaving":
        """What would leave of a night (`date` as for `dream`), or of a text. Changes nothing.

        Raises UsageError for a date that is none, ModelError as the model's adapter does.
        """
        # The finders load their lists, the dream its grammars: nothing else here needs them.
        from slowwave.dream.collect import collect  # noqa: PLC0415
        from slowwave.dream.cycle import span_of  # noqa: PLC0415
        from slowwave.dream.waiting import unclaimed  # noqa: PLC0415
        from slowwave.privacy.preview import Said, preview  # noqa: PLC0415

        settings = self.parts.settings
        if text is not None:
            label, segments = "", [[Said(text)]]
        else:
            label, start, end = span_of(date, self.now())
            store = self._store
            events = unclaimed(
                store, store.undreamed(self.space, start, end), store.dreams(self.space)
            )
            parts = collect(events, settings.dream.segment_chars).segments
            segments = [
                [Said(event.text, _who(event), event.id) for event in part.events] for part in parts
            ]
        model = self.parts.model()
        return preview(
            segments, self._people(), date=label, privacy=settings.model.privacy,
            model=model.name if model else "", local=model.local if model else None,
        )  # fmt: skip

    def _people(self) -> tuple[str, ...]:
        """The people this memory knows: its owner, and those that memories are about."""
        subjects = {memory.subject for memory in self._store.memories(self.space)} - _NOBODY
        return (self.parts.settings.owner, *sorted(subjects))


def _who(event: Event) -> str:
    return event.speaker or event.role
