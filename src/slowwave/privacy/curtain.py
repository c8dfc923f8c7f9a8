"""A model behind a mask: it is a model itself, and the one behind it sees placeholders (N17)."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from slowwave.model import Ask, Reply
from slowwave.ports import LanguageModel
from slowwave.privacy.kinds import PLACEHOLDER
from slowwave.privacy.masking import Masked, mask
from slowwave.privacy.restoring import Lost, LostReason, restore

__all__ = ["MaskedModel"]


class MaskedModel:
    """Masks what is asked and restores what is answered, for one dream.

    `names` are the people known beforehand; `texts` those of the whole dream, so that what one of
    them tells about another is masked from the first question on. Only the question (`Ask.user`)
    is masked: instructions (`Ask.system`) come from files, and hold nothing of the user's.

    What cannot be restored exactly stays a placeholder, and is counted in `lost` by reason: no
    quote with one in it is found in the journal, so the claim is refused.
    """

    def __init__(
        self, model: LanguageModel, names: Iterable[str] = (), texts: Sequence[str] = ()
    ) -> None:
        self._model = model
        self._names = tuple(names)
        self._masked: Masked | None = mask(texts, self._names) if texts else None
        self.lost: Counter[LostReason] = Counter()

    @property
    def name(self) -> str:
        """The name of the model behind."""
        return self._model.name

    @property
    def local(self) -> bool:
        """Whether the model behind is on this machine."""
        return self._model.local

    def complete(self, ask: Ask) -> Reply:
        """As `LanguageModel.complete`: asked with placeholders, answered with the real values."""
        masked = mask([ask.user], self._names, self._masked)
        self._masked = masked
        reply = self._model.complete(msgspec.structs.replace(ask, user=masked.texts[0].text))
        text = self._restored(reply.text, masked, escaped=ask.schema is not None)
        return msgspec.structs.replace(reply, text=text)

    def _restored(self, text: str, masked: Masked, *, escaped: bool) -> str:
        """The answer, each placeholder by itself; within JSON the values are escaped."""
        parts: list[str] = []
        done = 0
        for match in PLACEHOLDER.finditer(text):
            value = restore(match[0], masked, (0,))
            if isinstance(value, Lost):
                self.lost[value.reason] += 1
                continue
            plain = json.dumps(value.text, ensure_ascii=False)[1:-1] if escaped else value.text
            parts += [text[done : match.start()], plain]
            done = match.end()
        parts.append(text[done:])
        return "".join(parts)
