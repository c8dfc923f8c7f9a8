"""The diary in a model's words (O7): what it is asked, and whether its answer may be told. Pure.

Only what the plan changes is handed over, in notes of one line each, and only that may be told. An
answer that is no story, in another language, too long, or that knows more than the notes is
refused with a reason; then the rules tell the night, as they do without a model.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from slowwave.dream.diary.grounds import Notes, clipped, marked_up, strange
from slowwave.dream.prompts.instructions import instructions
from slowwave.model import (
    Add,
    Ask,
    Change,
    Collapse,
    Confirm,
    Demote,
    Dream,
    Merge,
    Restore,
    Retire,
    Supersede,
    Update,
)
from slowwave.text.segment import cjk_share, sentences

__all__ = ["MOST_CHARS", "MOST_CHARS_ZH", "Story", "story_of", "told_by"]

NOTED = 12
"""So many changes are handed over, the weightiest; the rest of the night goes untold."""
CLIP = 160
"""Characters of a memory that a note has."""
MAX_TOKENS = 500
MOST_CHARS, MOST_CHARS_ZH = 700, 320
"""The longest story; what is longer ends with the last sentence that fits."""
LEAST_CHARS, LEAST_CHARS_ZH = 30, 12
ECHO = 48
"""Characters in a row of the instructions that are no coincidence."""
MOSTLY = 0.5

_DONE: Mapping[type[Change], str] = MappingProxyType({
    Add: "new", Update: "changed", Merge: "changed", Collapse: "changed", Confirm: "again",
    Restore: "back", Demote: "faded", Supersede: "ended", Retire: "ended",
})  # fmt: skip

_FENCE = re.compile(r"\A\s*(?:```|~~~)\w*\s*\n(.*?)\n?\s*(?:```|~~~)\s*\Z", re.S)
_AROUND = "\"'“”‘’「」『』 \n\t"
_ENDS = re.compile(r"[.!?…。！？][\"”」』)）]?\Z")


class Story(NamedTuple):
    """What is asked, the notes that may be told, the changes they are of, and the language."""

    ask: Ask
    notes: Notes
    changes: tuple[str, ...]
    chinese: bool


def story_of(dream: Dream, *, chinese: bool) -> Story | None:
    """The question about a plan; None where it changes nothing that could be told."""
    taken = [change for change in dream.changes if change.approved is not False]
    if not taken:
        return None
    ranked = sorted(taken, key=_weight, reverse=True)[:NOTED]
    shown = [change for change in taken if change in ranked]
    lines = [*_lines(shown, taken), *_themes(dream)]
    head = {"language": "Chinese" if chinese else "English"}
    ask = Ask(
        purpose="diary",
        system=instructions("diary"),
        user="\n".join(msgspec.json.encode(line).decode() for line in (head, *lines)),
        max_tokens=MAX_TOKENS,
    )
    texts = [text for line in lines for text in line.values()]
    return Story(
        ask, Notes(texts, {float(len(shown))}), tuple(change.id for change in shown), chinese
    )


def told_by(answer: str, story: Story, *, cut: bool = False) -> tuple[str, str]:
    """The story that an answer tells, or "" and why it may not be told. `cut`: it was cut off."""
    fenced = _FENCE.match(answer)
    text = " ".join((fenced[1] if fenced else answer).split()).strip(_AROUND)
    text = "".join(text.split(" ")) if story.chinese and cjk_share(text) == 1 else text
    most = MOST_CHARS_ZH if story.chinese else MOST_CHARS
    least = LEAST_CHARS_ZH if story.chinese else LEAST_CHARS
    if len(text) > most or (cut and not _ENDS.search(text)):
        text = _whole_sentences(text, most)
    raw = fenced[1] if fenced else answer
    reason = "no plain story" if raw.lstrip()[:1] in ("{", "[") or marked_up(raw) else ""
    if not reason and (not text or (cut and len(text) < least)):
        reason = "it was cut off" if cut else "no story"
    reason = reason or _refused(text, story, least)
    return ("", reason) if reason else (text, "")


def _refused(text: str, story: Story, least: int) -> str:
    if (cjk_share(text) >= MOSTLY) != story.chinese:
        return "another language"
    if len(text) < least:
        return "no story"
    if _echoes(text, story.ask.system):
        return "repeats the instructions"
    # Which word it was is not told: it may be a private one.
    return "says what is not in the night" if strange(text, story.notes) else ""


def _whole_sentences(text: str, most: int) -> str:
    """The sentences at the beginning that fit, whole."""
    ends = [end for _, end in sentences(text) if end <= most and _ENDS.search(text[:end].rstrip())]
    return text[: ends[-1]].rstrip() if ends else ""


def _echoes(text: str, instructions: str) -> bool:
    asked = " ".join(instructions.split())
    return any(text[at : at + ECHO] in asked for at in range(max(1, len(text) - ECHO + 1)))


def _weight(change: Change) -> tuple[bool, bool, int]:
    """What a person must decide first, then what is new, then what matters more."""
    after = change.after
    return bool(after.conflicts_with), not isinstance(change, Confirm), after.importance


def _lines(shown: Sequence[Change], taken: Sequence[Change]) -> Iterator[dict[str, str]]:
    """What was done with which words; a memory that gave way, with the one that it gave way to."""
    by_memory = {change.memory_id: change for change in taken}
    for change in shown:
        text = clipped(change.after.text, CLIP)
        heir = by_memory.get(change.after.superseded_by or "")
        if isinstance(change, Supersede) and heir is not None:
            yield {"replaced": text, "by": clipped(heir.after.text, CLIP)}
        else:
            yield {_done(change): text}


def _done(change: Change) -> str:
    return "conflict" if change.after.conflicts_with else _DONE[type(change)]


def _themes(dream: Dream) -> Iterator[dict[str, str]]:
    names = [theme.name for theme in dream.themes[:3]]
    if names:
        yield {"themes": ", ".join(names)}
