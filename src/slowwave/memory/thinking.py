"""Who distils a night: nobody but the rules, or the model that the settings name."""

from collections.abc import Callable, Sequence
from time import sleep
from typing import TYPE_CHECKING

from slowwave.errors import SettingsError
from slowwave.model import Dream, Event, ModelCall
from slowwave.parts import Parts
from slowwave.ports import LanguageModel

if TYPE_CHECKING:
    from slowwave.dream.cycle.desk import Mind
    from slowwave.modelling import Asker

__all__ = ["mind_of", "same_mind"]

RULES = "rules"
_WITH_RULES = " + rules ("

EARLIER_TURNS = 8
"""At least as many as a question shows of what came before (`cycle.distill.CONTEXT_TURNS`)."""


def mind_of(parts: Parts, distiller: str | None, *, dry: bool) -> "Mind | None":
    """The model that distils a night, None where the rules do; `distiller` over the settings.

    Raises SettingsError where no model is set, ModelRefused for one that may not be asked: nothing
    was read or sent then. A dry run leaves no record of what it asks.
    """
    settings = parts.settings.model
    if (distiller or settings.distiller) == RULES:
        return None
    model = parts.model()
    if model is None:
        raise SettingsError(
            "no model is set: only the rules can distil",
            "set base_url and name under [model] in slowwave.toml, or use --distiller rules",
        )
    # Only a night with a model needs these.
    from slowwave.dream.cycle.desk import Mind  # noqa: PLC0415
    from slowwave.modelling import guarded  # noqa: PLC0415

    guarded(model, settings.privacy, _unmasked)
    return Mind(
        name=model.name,
        fallback=settings.fallback,
        owner=parts.settings.owner,
        tells=settings.diary,
        asker=_asker_of(parts, model, dry=dry),
    )


def same_mind(parts: Parts, plan: Dream) -> "Mind | None":
    """Who distilled a plan, with the answers that are kept: it asks nothing."""
    name = plan.model_used.partition(_WITH_RULES)[0]
    if plan.by not in ("night", "refinement") or name == RULES:
        return None
    from slowwave.dream.cycle.desk import Mind  # noqa: PLC0415 - as in `mind_of`

    fallback = "fail" if plan.by == "refinement" else parts.settings.model.fallback
    return Mind(name=name, fallback=fallback, owner=parts.settings.owner)


def _unmasked(model: LanguageModel) -> LanguageModel:
    """Stands for the mask while it is only asked whether a model may be asked at all."""
    return model


def _asker_of(
    parts: Parts, model: LanguageModel, *, dry: bool
) -> "Callable[[str, Sequence[ModelCall], Sequence[Event]], Asker]":
    from slowwave.modelling import Asker, Collected, StoreAudit  # noqa: PLC0415 - as in `mind_of`

    def begin(dream_id: str, before: Sequence[ModelCall], events: Sequence[Event]) -> "Asker":
        settings, space = parts.settings.model, parts.settings.space
        audit = Collected() if dry else StoreAudit(parts.store, space, settings.raw_days)
        return Asker(
            model, settings, audit, parts.clock, dream_id, before,
            sleep=sleep, masked=lambda bare: _masked(parts, bare, events), tell=parts.tell,
        )  # fmt: skip

    return begin


def _masked(parts: Parts, model: LanguageModel, events: Sequence[Event]) -> LanguageModel:
    """The model behind a mask that knows everybody of the night from the first question on."""
    # The finders load their lists of names.
    from slowwave.privacy.curtain import MaskedModel  # noqa: PLC0415

    space = parts.settings.space
    told = [*_earlier(parts, events), *events]
    known = {memory.subject for memory in parts.store.memories(space)}
    speakers = {event.speaker for event in told if event.speaker}
    names = (known | speakers | {parts.settings.owner}) - {"", "user", "agent", "world"}
    return MaskedModel(model, sorted(names), [event.text for event in told])


def _earlier(parts: Parts, events: Sequence[Event]) -> list[Event]:
    """The turns that are shown beside those of the night, whole: a question may show their ends."""
    first: dict[str, int] = {}
    for event in events:
        first[event.session] = min(first.get(event.session, event.seq), event.seq)
    return [
        event
        for session, seq in sorted(first.items())
        for event in parts.store.session_before(parts.settings.space, session, seq, EARLIER_TURNS)
    ]
