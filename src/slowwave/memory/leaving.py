"""What would leave this machine: a look at a night before a model sees it (N17)."""

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from slowwave.memory.base import Base
from slowwave.memory.dreaming import Dreaming
from slowwave.model import Privacy

if TYPE_CHECKING:
    from slowwave.privacy.curtain import Recorder
    from slowwave.privacy.preview import Leaving

_NOBODY = frozenset({"user", "agent", "world"})


class Previewing(Base):
    """capture → journal → what a model would be shown."""

    def leaving(self, date: str = "yesterday", text: str | None = None) -> "Leaving":
        """What would leave of a night (`date` as for `dream`), or of a text. Changes nothing.

        A night is dreamed without being stored, with a model that is nowhere: its questions are
        those that would be sent, letter by letter. What depends on an answer (a second question
        about what was not understood) is not among them. Raises UsageError for a date that is
        none, ModelError as the model's adapter does.
        """
        # The finders load their lists: nothing else here needs them.
        from slowwave.privacy.curtain import Recorder  # noqa: PLC0415
        from slowwave.privacy.preview import decided, preview, preview_text  # noqa: PLC0415

        settings = self.parts.settings
        model = self.parts.model()
        name, local = (model.name, model.local) if model else ("", None)
        privacy = settings.model.privacy
        if text is not None:
            return preview_text(text, self._people(), privacy=privacy, model=name, local=local)
        plain = decided(privacy, local)[0] and privacy == "open"
        recorder = Recorder(name or "none")
        night = self._asked(date, recorder, "open" if plain else "masked")
        return preview(recorder.shown, date=night, privacy=privacy, model=name, local=local)

    def _asked(self, date: str, recorder: "Recorder", privacy: Privacy) -> str:
        """Dreams a night that asks the recorder; its label."""
        settings = self.parts.settings
        model = msgspec.structs.replace(settings.model, privacy=privacy)
        parts = replace(
            self.parts, settings=msgspec.structs.replace(settings, model=model),
            model=lambda: recorder,
        )  # fmt: skip
        return Dreaming(parts).dream(date, distiller="llm", dry_run=True).date

    def _people(self) -> tuple[str, ...]:
        """The people this memory knows: its owner, and those that memories are about."""
        subjects = {memory.subject for memory in self._store.memories(self.space)} - _NOBODY
        return (self.parts.settings.owner, *sorted(subjects))
