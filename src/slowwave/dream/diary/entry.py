"""The dream diary (O7): one short entry in the first person per dream. Pure.

By template, unless a model told the night already (`model`).

For people only. It is never evidence, and nothing in it is not in the dream itself. It tells what
happened, the weightiest first, in words that the dream's id and day pick: the same dream always
tells the same story, and one night does not sound like the one before.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import date, tzinfo
from typing import NamedTuple

from slowwave.dream.diary.words import SENTENCES
from slowwave.model import (
    USER,
    Add,
    Change,
    Confirm,
    Demote,
    Dream,
    Memory,
    Merge,
    Restore,
    Retire,
    Supersede,
    Update,
    day_of,
    text_hash,
)
from slowwave.text.listing import bare
from slowwave.text.markdown import is_chinese

__all__ = ["Told", "diary"]

NAMED = 2
"""How many memories of a kind of change are named; the rest are counted."""
CLIP = 48
SENTENCES_MOST = 5
"""The longest entry, its opening included."""
DUE_DAYS = 7
STRONG_THEME = 0.5

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_EVERY_NIGHT = frozenset({"opening", "once_more", "quiet", "new"})
_OWN = ("我", "my ", "our ")
"""How someone is called who needs no introduction."""
_NOBODY = frozenset({USER, "agent", "assistant", "world", ""})
_OURS = frozenset({"agent's own words", "came out of memory", "origin not allowed", "no evidence"})
"""Why `verify` refuses what the machine said itself: nothing of this is in doubt."""


class Told(NamedTuple):
    """An entry: when it was dreamed, as people read it, and the story."""

    date: str
    text: str


def diary(
    dream: Dream, zone: tzinfo, *, chinese: bool | None = None, people: Collection[str] = ()
) -> Told:
    """The diary entry of an applied dream: as a model told it, if it told of nothing but what was
    applied; else by template.

    `chinese` is the language of the home; None: the one most of the dream's texts are in. `people`
    are those that were known before.
    """
    taken = [change for change in dream.changes if change.approved is not False]
    if chinese is None:
        texts = [change.after.text for change in taken] or [one.text for one in dream.rejections]
        chinese = sum(is_chinese(text) for text in texts) * 2 > len(texts)
    teller = _Teller(dream, zone, chinese)
    if dream.diary and {change.id for change in taken}.issuperset(dream.diary.changes):
        return Told(_date(dream, zone, chinese), dream.diary.text)
    if dream.undoes:
        parts = [teller.opening("undone")]
    else:
        opening = "once_more" if dream.refined else "opening"
        parts = [teller.opening(opening if taken else "quiet")]
        parts += _happened(teller, taken, people)
    text = ("" if chinese else " ").join(part for part in parts if part)
    return Told(_date(dream, zone, chinese), text)


class _Teller:
    """Puts things into words; which ones, the dream decides: its id, or for what is said
    each night its day."""

    def __init__(self, dream: Dream, zone: tzinfo, chinese: bool) -> None:
        self.dream, self.zone, self.chinese = dream, zone, chinese

    def say(self, what: str, **given: object) -> str:
        """One sentence about a thing of this kind."""
        choices = SENTENCES[what][self.chinese]
        night = day_of(self.dream.run_at, self.zone).toordinal()
        if what not in _EVERY_NIGHT:
            night = int(text_hash(f"{self.dream.dream_id}\x1f{what}"), 16)
        told = choices[night % len(choices)].format(**given)
        return told[:1].upper() + told[1:]

    def opening(self, what: str) -> str:
        """How the entry begins."""
        number = self.dream.input_events
        plain = f"{number} {'moment' if number == 1 else 'moments'}"
        events = str(number) if self.chinese else plain
        return self.say(what, events=events, day=_day(self.dream.date, self.chinese))

    def names(self, memories: Sequence[Memory]) -> str:
        """The weightiest of these memories, quoted, and how many more there are."""
        ranked = sorted(memories, key=lambda memory: (-memory.importance, memory.id))
        named = [_quoted(memory.text, self.chinese) for memory in ranked[:NAMED]]
        more = len(ranked) - len(named)
        if self.chinese:
            return "、".join(named) + (f"等 {len(ranked)} 条" if more else "")
        return ", ".join(named) + f" and {more} more" if more else " and ".join(named)

    def told(self, what: str, memories: Sequence[Memory]) -> str:
        """A sentence that names memories; none where there are none."""
        return self.say(what, names=self.names(memories)) if memories else ""


def _happened(teller: _Teller, taken: Sequence[Change], people: Collection[str]) -> list[str]:
    """What happened, the rarest and weightiest first."""

    def of(*kinds: type) -> list[Memory]:
        return [change.after for change in taken if isinstance(change, kinds)]

    torn = [c.after for c in taken if c.after.conflicts_with and not _torn_before(c)]
    due = [one for one in of(Add, Update, Merge, Confirm) if _is_due(one, teller)]
    fresh = [one for one in of(Add) if one not in due and one not in torn]
    successors = {c.after.superseded_by for c in taken if isinstance(c, Supersede)}
    parts = [
        teller.told("conflict", torn),
        _replaced(teller, taken),
        teller.told("due", due),
        _met(teller, taken, people),
        teller.told("new", [one for one in fresh if one.id not in successors]),
        teller.told("ended", of(Retire)),
        teller.told("changed", of(Update)),
        teller.told("merged", of(Merge)),
        teller.told("back", of(Restore)),
        _left(teller, _forgotten, "forgotten"),
        _theme(teller),
        teller.told("faded", of(Demote)),
        teller.told("again", of(Confirm)),
        _left(teller, _doubtful, "doubt"),
    ]
    return [part for part in parts if part][: SENTENCES_MOST - 1]


def _torn_before(change: Change) -> bool:
    return change.before is not None and bool(change.before.conflicts_with)


def _is_due(memory: Memory, teller: _Teller) -> bool:
    """Whether it begins within the next days."""
    if memory.valid_from is None or (memory.kind != "plan" and memory.standing != "dated"):
        return False
    today = day_of(teller.dream.run_at, teller.zone)
    try:
        begins = date.fromisoformat(memory.valid_from[:10])
    except ValueError:
        return False
    return 0 <= (begins - today).days <= DUE_DAYS


def _replaced(teller: _Teller, taken: Sequence[Change]) -> str:
    """The weightiest memory that gave way, and to what."""
    old = [change.after for change in taken if isinstance(change, Supersede)]
    if not old:
        return ""
    after = {change.memory_id: change.after for change in taken}
    first = min(old, key=lambda memory: (-memory.importance, memory.id))
    new = after.get(first.superseded_by or "")
    if new is None:
        return teller.told("ended", old)
    named = [_quoted(memory.text, teller.chinese) for memory in (first, new)]
    return teller.say("replaced", old=named[0], new=named[1])


def _met(teller: _Teller, taken: Sequence[Change], people: Collection[str]) -> str:
    """Who is spoken of for the first time."""
    known = {name.casefold() for name in people} | _NOBODY
    met = {
        change.after.subject: None
        for change in taken
        if isinstance(change, Add)
        and change.after.subject.casefold() not in known
        and not change.after.subject.casefold().startswith(_OWN)
    }
    if not met:
        return ""
    names = list(met)[: NAMED + 1]
    listed = "、".join(names) if teller.chinese else _and(names)
    return teller.say("person", who=listed)


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _theme(teller: _Teller) -> str:
    strong = [theme for theme in teller.dream.themes if theme.strength >= STRONG_THEME]
    if not strong:
        return ""
    first = min(strong, key=lambda theme: (-theme.strength, theme.name))
    return teller.say("theme", theme=_quoted(first.name, teller.chinese))


def _left(teller: _Teller, belongs: Callable[[str], bool], what: str) -> str:
    """What stayed behind for such a reason."""
    count = sum(item.count for item in teller.dream.rejected if belongs(item.reason))
    return teller.say(what, count=count) if count else ""


def _forgotten(reason: str) -> bool:
    return reason.startswith("verify: forgotten on")


def _doubtful(reason: str) -> bool:
    """Whether a text was a claim, and not enough bore it. Noise and questions were none."""
    stage, _, why = reason.partition(": ")
    return stage == "verify" and why not in _OURS and not _forgotten(reason)


def _quoted(text: str, chinese: bool) -> str:
    flat = " ".join(bare(text).split())
    short = flat if len(flat) <= CLIP else flat[: CLIP - 1].rstrip() + "…"
    plain = short.rstrip("。.；;！!")
    return f"「{plain}」" if chinese else f"“{plain}”"


def _date(dream: Dream, zone: tzinfo, chinese: bool) -> str:
    """As OpenClaw's diary dates its entries, so that every reader knows it for one."""
    at = dream.run_at.astimezone(zone)
    if chinese:
        return f"{at.year}年{at.month}月{at.day}日 {at.hour:02}:{at.minute:02}"
    half = "AM" if at.hour < 12 else "PM"
    return (
        f"{_MONTHS[at.month - 1]} {at.day}, {at.year} at {at.hour % 12 or 12}:{at.minute:02} {half}"
    )


def _day(label: str, chinese: bool) -> str:
    if label == "all":
        return "这些日子" if chinese else "these days"
    if not chinese:
        return label
    day = date.fromisoformat(label)
    return f"{day.year} 年 {day.month} 月 {day.day} 日"
