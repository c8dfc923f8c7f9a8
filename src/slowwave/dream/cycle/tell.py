"""What a model says about a plan for people to read: the names of its themes, and its diary (O7).

Helps `cycle`, when the plan is made and nothing of it can change any more. One question each, tried
once, on the budget of the dream; whatever goes wrong is counted, and what the rules say stays.
Nothing of it is ever evidence. A night of which a part waits is not told by a model: it is asked
about that part first.
"""

from collections.abc import Iterable, Sequence

import msgspec

from slowwave.dream.curate.sections import in_chinese
from slowwave.dream.cycle.desk import Desk
from slowwave.dream.diary import model as diary_model
from slowwave.dream.diary import themes as diary_themes
from slowwave.errors import ModelError, ModelUnusable
from slowwave.model import Ask, Diary, Dream, Memory, Rejected, Reply
from slowwave.modelling import Asker, prompt_hash

__all__ = ["told"]

DIARY, THEMES = "diary", "themes"


class _Said(msgspec.Struct, frozen=True):
    """An answer as it is kept, so that a night that was killed does not ask again."""

    text: str
    model: str
    cut: bool = False


def told(desk: Desk, dream: Dream, known: Sequence[Memory]) -> Dream:
    """The plan with what a model tells of it; as it is without one that may be asked.

    `known` are the live memories before the plan.
    """
    mind = desk.night.mind
    asker = desk.asker if mind is not None and mind.tells else None
    waits = dream.status in ("nothing_to_do", "refused") or dream.pending
    if asker is None or desk.dry or waits:
        return dream
    after = {memory.id: memory for memory in known}
    taken = [change for change in dream.changes if change.approved is not False]
    after.update((change.memory_id, change.after) for change in taken)
    dream = _themes(desk, asker, dream, {key: one.text for key, one in after.items()})
    active = [memory for memory in after.values() if memory.status == "active"]
    return _diary(desk, asker, dream, chinese=in_chinese(active or [c.after for c in taken]))


def _themes(desk: Desk, asker: Asker, dream: Dream, texts: dict[str, str]) -> Dream:
    naming = diary_themes.naming_of(dream.themes, texts)
    if naming is None:
        return dream
    said = _said(desk, asker, naming.ask)
    if isinstance(said, str):
        return _counted(dream, [Rejected(THEMES, said, "")])
    themes, refused = diary_themes.named_by(said.text, naming, dream.themes, said.model)
    dream = msgspec.structs.replace(dream, themes=themes)
    return _counted(dream, [Rejected(THEMES, reason, "") for reason in refused])


def _diary(desk: Desk, asker: Asker, dream: Dream, *, chinese: bool) -> Dream:
    story = diary_model.story_of(dream, chinese=chinese)
    if story is None:
        return dream
    said = _said(desk, asker, story.ask)
    if isinstance(said, str):
        return _counted(dream, [Rejected(DIARY, said, "")])
    text, reason = diary_model.told_by(said.text, story, cut=said.cut)
    if reason:
        return _counted(dream, [Rejected(DIARY, reason, "")])
    return msgspec.structs.replace(dream, diary=Diary(text, said.model, story.changes))


def _said(desk: Desk, asker: Asker, ask: Ask) -> _Said | str:
    """What is answered, now or before; or why nothing is."""
    name = f"{ask.purpose}/{prompt_hash(ask)}"
    kept = desk.load(name, _Said)
    if kept is not None:
        return kept
    if asker.gave_up:
        return "the model is not asked any more"
    try:
        reply: Reply = asker.text(ask, once=True)
    except ModelUnusable:
        return "the model answered nothing"
    except ModelError as error:
        return f"the model was not asked or did not answer ({type(error).__name__})"
    said = _Said(reply.text, reply.model or asker.model.name, reply.finish == "length")
    desk.save(name, said)
    return said


def _counted(dream: Dream, left: Iterable[Rejected]) -> Dream:
    """The plan, with what a model said in vain among what was left out; its words are not kept."""
    more = tuple(left)
    return msgspec.structs.replace(dream, rejections=(*dream.rejections, *more)) if more else dream
