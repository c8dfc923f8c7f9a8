"""The dream diary (O7): one short entry in the first person per dream, by template. Pure.

For people only. It is never evidence, and nothing in it is not in the dream itself. The same dream
always tells the same story.
"""

from collections.abc import Sequence
from datetime import date, tzinfo
from typing import NamedTuple

from slowwave.model import Add, Change, Demote, Dream, Merge, Retire, Supersede, Update, text_hash
from slowwave.text.markdown import is_chinese

__all__ = ["Told", "diary"]

NAMED = 3
"""How many memories of a kind of change are named; the rest are counted."""
CLIP = 48

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_OPENINGS = (
    (
        "I went back through {events} of {day}.",
        "Last night {events} of {day} passed before me once more.",
        "I lay still and let {events} of {day} come back.",
    ),
    (
        "夜里我把{day}的 {events} 条记录又走了一遍。",
        "我静下来，{day}的 {events} 条记录又浮了上来。",
        "睡着以后，我重新听了一遍{day}的 {events} 条记录。",
    ),
)
_LINES: dict[str, tuple[str, str]] = {
    "new": ("I will keep {names}.", "我记下了{names}。"),
    "better": ("I understood better: {names}.", "我弄得更清楚了：{names}。"),
    "changed": ("Something is not as it was: {names}.", "有些事变了：{names}。"),
    "let go": ("I let go of {names}.", "我放下了{names}。"),
    "rejected": (
        "{count} pieces I could not vouch for, so they stayed behind.",
        "还有 {count} 条我没有把握，没有留下。",
    ),
    "nothing": ("Nothing in it had to be kept.", "没有什么需要留下的。"),
    "undone": ("I took back what I had dreamed of {day}.", "我收回了那一夜（{day}）的梦。"),
}


class Told(NamedTuple):
    """An entry: when it was dreamed, as people read it, and the story."""

    date: str
    text: str


def diary(dream: Dream, zone: tzinfo) -> Told:
    """The diary entry of an applied dream, in the language most of its texts are in."""
    taken = [change for change in dream.changes if change.approved is not False]
    texts = [change.after.text for change in taken] or [item.text for item in dream.rejections]
    chinese = sum(is_chinese(text) for text in texts) * 2 > len(texts)
    parts = [_opening(dream, chinese)]
    for name, kinds in (
        ("new", (Add,)), ("better", (Update, Merge)), ("changed", (Supersede,)),
        ("let go", (Demote, Retire)),
    ):  # fmt: skip
        told = [change for change in taken if isinstance(change, kinds)]
        if told:
            parts.append(_LINES[name][chinese].format(names=_names(told, chinese)))
    if not taken:
        parts.append(_LINES["nothing"][chinese])
    refused = sum(item.count for item in dream.rejected)
    if refused and not dream.undoes:
        parts.append(_LINES["rejected"][chinese].format(count=refused))
    return Told(_date(dream, zone, chinese), ("" if chinese else " ").join(parts))


def _opening(dream: Dream, chinese: bool) -> str:
    day = _day(dream.date, chinese)
    if dream.undoes:
        return _LINES["undone"][chinese].format(day=day)
    choices = _OPENINGS[chinese]
    chosen = choices[int(text_hash(dream.dream_id), 16) % len(choices)]
    number = dream.input_events
    events = str(number) if chinese else f"{number} {'moment' if number == 1 else 'moments'}"
    return chosen.format(events=events, day=day)


def _names(changes: Sequence[Change], chinese: bool) -> str:
    """The weightiest of these changes, quoted, and how many more there were."""
    ranked = sorted(changes, key=lambda change: (-change.after.importance, change.id))
    named = [_quoted(change.after.text, chinese) for change in ranked[:NAMED]]
    more = len(ranked) - len(named)
    if chinese:
        return "、".join(named) + (f"，另有 {more} 条" if more else "")
    listed = ", ".join(named[:-1]) + (" and " if len(named) > 1 and not more else "") + named[-1]
    if more:
        listed = ", ".join(named) + f" and {more} more"
    return listed


def _quoted(text: str, chinese: bool) -> str:
    flat = " ".join(text.split())
    short = flat if len(flat) <= CLIP else flat[: CLIP - 1].rstrip() + "…"
    bare = short.rstrip("。.；;！!")
    return f"「{bare}」" if chinese else f"“{bare}”"


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


def _is_chinese(text: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in text)
