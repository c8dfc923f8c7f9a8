"""A model behind a mask: it is a model itself, and the one behind it sees placeholders (N17)."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from slowwave.model import Ask, Reply
from slowwave.ports import LanguageModel, Wrapped
from slowwave.privacy.kinds import PLACEHOLDER
from slowwave.privacy.masking import Masked, MaskedText, mask
from slowwave.privacy.restoring import Lost, LostReason, restore

__all__ = ["MaskedModel", "Recorder"]

_PROMPTS = ("dream/prompts", "modelling/prompts")
"""Folders of the instructions that come with Slowwave."""

_CUT_NAME = 60
"""A question shows no more of a speaker's name."""

_NOTHING = '{"items": []}'


class Recorder:
    """A model that is nowhere: it keeps what it is asked, and answers that there is nothing.

    Behind a mask it also keeps what the placeholders of each question stand for. `shown` are the
    questions as they would have left, the masked text of each beside it (None: not masked).
    """

    local = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.shown: list[tuple[Ask, MaskedText | None]] = []

    def complete(self, ask: Ask) -> Reply:
        """Keeps the question."""
        self.shown.append((ask, None))
        return Reply(text=_NOTHING if ask.schema is not None else "", model=self.name)

    def told(self, masked: MaskedText) -> None:
        """What the last question was before it was masked."""
        self.shown[-1] = (self.shown[-1][0], masked)


class MaskedModel(Wrapped):
    """Masks what is asked and restores what is answered, for one dream.

    `names` are the people known beforehand; `texts` those of the whole dream, so that what one of
    them tells about another is masked from the first question on. The question (`Ask.user`) is
    masked, and the instructions (`Ask.system`) unless they are word for word a file of Slowwave's.

    What cannot be restored exactly stays a placeholder, and is counted in `lost` by reason: no
    quote with one in it is found in the journal, so the claim is refused.
    """

    def __init__(
        self, model: LanguageModel, names: Iterable[str] = (), texts: Sequence[str] = ()
    ) -> None:
        super().__init__(model)
        self._names = tuple(dict.fromkeys(form for name in names for form in _forms(name)))
        self._masked: Masked | None = mask(texts, self._names) if texts else None
        self.lost: Counter[LostReason] = Counter()

    def complete(self, ask: Ask) -> Reply:
        """As `LanguageModel.complete`: asked with placeholders, answered with the real values."""
        ours = ask.system in _instructions()
        asked = [ask.user] if ours else [ask.user, ask.system]
        masked = mask(asked, self._names, self._masked)
        self._masked = masked
        system = ask.system if ours else masked.texts[1].text
        reply = self._model.complete(
            msgspec.structs.replace(ask, user=masked.texts[0].text, system=system)
        )
        if isinstance(self._model, Recorder):
            self._model.told(masked.texts[0])
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


def _forms(name: str) -> tuple[str, ...]:
    """A name as it is known, and as a question shows it: on one line, and not all of a long one."""
    flat = " ".join(name.split())
    return tuple(dict.fromkeys(form for form in (name, flat, flat[:_CUT_NAME].rstrip()) if form))


@cache
def _instructions() -> frozenset[str]:
    """What a model is told that holds nothing of anybody's."""
    root = files("slowwave")
    return frozenset(
        page.read_text(encoding="utf-8").strip()
        for folder in _PROMPTS
        for page in root.joinpath(folder).iterdir()
        if page.name.endswith(".md")
    )
