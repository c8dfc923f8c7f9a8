"""The block: what fits into the budget, in three parts, each item on a marked line of its own."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import get_args

import msgspec

from slowwave.inject.alike import Told
from slowwave.inject.entry import Entry, ItemType
from slowwave.model import Layer
from slowwave.text.frame import MEMORY_CLOSE, NOTE, head, opening, plain_names, tail
from slowwave.text.harmless import harmless, quoted
from slowwave.text.segment import sentences
from slowwave.text.tokens import estimate

__all__ = ["Block", "Item", "fit"]

LARGEST_SHARE = 0.5
"""Of the budget, for one item, while there are others."""

SMALL = 80
"""Tokens that one item may always take: of a small budget it is better to give one than none."""

WORKING_SHARE = 0.25
"""Of the budget, kept for open items while there are any."""

CHARS_A_TOKEN = 8
"""More than any text has that is on one line: a word of six letters is a token, and so is a blank
between two of them nearly."""

READ = 64
"""Characters that are read for each token of the budget: a text may hide much that is taken out."""

REFS_SHOWN = 2
REFS_CHARS = 40
"""A second reference is shown where both are short."""

TITLES = {
    "profile": "about the user 关于用户",
    "found": "memories 相关记忆",
    "working": "open 待办",
}


class Item(msgspec.Struct, frozen=True):
    """One entry that is in the block: a memory, an event or an open item, and its part."""

    id: str
    score: float
    type: ItemType = "memory"
    layer: Layer = "recalled"


class Block(msgspec.Struct, frozen=True):
    """The text to inject, its estimated tokens, and what is in it; empty when nothing is."""

    text: str
    tokens: int
    items: tuple[Item, ...]


class _Draft:
    """A block that grows line by line, as long as the budget lasts."""

    def __init__(self, budget: int, now: datetime, many: bool) -> None:
        self.opening = opening(now.date().isoformat())
        frame = estimate("\n".join((self.opening, NOTE, MEMORY_CLOSE))) + 2
        self.left = budget - frame
        share = max(int(self.left * LARGEST_SHARE), min(self.left, SMALL))
        self.largest = share if many else self.left
        self.taken: list[tuple[Entry, str]] = []
        self.told = Told()

    def take(self, entry: Entry, keep: int = 0) -> None:
        """Adds an entry if it fits and says something new; `keep` tokens must stay free."""
        new_part = all(entry.layer != other.layer for other, _ in self.taken)
        title = estimate(_title(entry.layer)) + 1 if new_part else 0
        room = self.left - keep - title
        line = _line(entry, min(room, max(self.largest, 0)))
        cost = estimate(line) + 1
        if not line or cost > room or not self.told.is_new(entry.text):
            return
        self.told.add(entry.text)
        self.left -= cost + title
        self.taken.append((entry, line))

    def block(self) -> Block:
        """What was taken, part by part; within a part in the order it was taken."""
        if not self.taken:
            return Block("", 0, ())
        lines = [self.opening, NOTE]
        items: list[Item] = []
        for layer in get_args(Layer):
            part = [(entry, line) for entry, line in self.taken if entry.layer == layer]
            if part:
                lines.append(_title(layer))
            lines += [line for _, line in part]
            items += [Item(e.id, round(e.score, 4), e.type, e.layer) for e, _ in part]
        text = "\n".join((*lines, MEMORY_CLOSE))
        return Block(text, estimate(text), tuple(items))


def fit(entries: Iterable[Entry], budget_tokens: int, now: datetime) -> Block:
    """The entries that fit into the budget, frame included: who the user is, then what was found,
    then what is open.

    Best first within what the entries' order says; open items have a share kept for them. An item
    that is too long is cut at a sentence; what does not fit is passed over for a shorter one behind
    it, and what only repeats another one is left out. Without any item there is no frame either:
    rather nothing than noise.
    """  # fmt: skip
    found = [entry for entry in entries if entry.layer != "working"]
    open_items = [entry for entry in entries if entry.layer == "working"]
    draft = _Draft(budget_tokens, now, many=len(found) + len(open_items) > 1)
    kept = min(int(draft.left * WORKING_SHARE), _cost(open_items)) if open_items else 0
    waiting = []
    for entry in found:
        before = len(draft.taken)
        draft.take(entry, keep=kept)
        if len(draft.taken) == before:
            waiting.append(entry)
    for entry in open_items:
        draft.take(entry)
    for entry in waiting if open_items else ():
        draft.take(entry)
    return draft.block()


def _cost(entries: Sequence[Entry]) -> int:
    return sum(estimate(entry.text) + 24 for entry in entries)


def _title(layer: str) -> str:
    name = "found" if layer == "recalled" else layer
    return head(name, TITLES[name])


def _line(entry: Entry, budget: int) -> str:
    """One entry within `budget` tokens; empty when not even its first words fit."""
    begin = f"- {head(*entry.marks)} "
    end = f" {tail(_refs(entry.refs))}"
    around = begin + ("“”" if entry.quote else "") + end
    room = max(budget - estimate(around) - 1, 0)
    words = _cut(harmless(entry.text[: READ * room]), room, whole=len(entry.text) <= READ * room)
    if not words:
        return ""
    return f"{begin}{quoted(words) if entry.quote else words}{end}"


def _refs(refs: Sequence[str]) -> Iterator[str]:
    """The best reference, and another one where both are short: nothing that could close a mark."""
    shown = 0
    for ref in refs[:REFS_SHOWN]:
        plain = plain_names(harmless(ref).translate(_REF_SIGNS))
        if not plain or (shown and shown + len(plain) > REFS_CHARS):
            return
        shown += len(plain)
        yield plain[: 4 * REFS_CHARS]


_REF_SIGNS = str.maketrans({"(": "[", ")": "]", " ": "_"})
"""Signs that would end the mark, or look like another reference."""


def _cut(text: str, budget: int, *, whole: bool) -> str:
    """The text within the budget; `whole` where nothing was cut off before."""
    if budget <= 0:
        return ""
    most = CHARS_A_TOKEN * budget
    whole, text = whole and len(text) <= most, text[:most]
    if whole and estimate(text) <= budget:
        return text
    kept, cost = 0, 1
    for _, end in sentences(text):
        cost += estimate(text[kept:end])
        if cost > budget:
            break
        kept = end
    return f"{text[:kept]} …" if kept else _first_words(text, budget)


def _first_words(text: str, budget: int) -> str:
    """The beginning of one long sentence, cut between words where there are any."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(text[:middle]) < budget else (low, middle - 1)
    cut = text[:low]
    if low < len(text) and " " in cut and text[low] != " " and text[low].isascii():
        cut = cut.rpartition(" ")[0]
    return f"{cut.rstrip()} …" if len(cut) > 1 else ""
