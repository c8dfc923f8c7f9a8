"""What the files are to say, as the ledger stands now."""

from collections.abc import Sequence

from slowwave.dream.curate.sections import POINTER_TOKENS, Curated, curate, in_chinese, pointer_of
from slowwave.dream.diary.entry import diary
from slowwave.model import Clash, DiaryPage, Dream, Edition, Looked, Memory, Section, day_of
from slowwave.text.listing import bare
from slowwave.text.tokens import estimate
from slowwave.vault.nouns import Tools

__all__ = ["diary_of", "edition_of", "over_budget"]

FRAME_TOKENS = 64
"""What markers, blank lines and a title cost."""
FRAME_CHARS = 200
SAME_START = 50
"""So many characters at the start decide whether a person wrote a memory down already (L7)."""
ROUGHLY = 40
"""So many of them are enough: the end of a sentence may differ."""
LOOKED_AT = 100
"""Dreams that are looked at for it after each change: of turns there are thousands."""
DIARY_AT_ONCE = 30
"""The most dreams that are told at once; older ones are left untold."""


def edition_of(
    tools: Tools, looked: Looked, clashes: Sequence[Clash], *, whole: bool = True
) -> Edition:
    """What the files are to say, as the ledger stands now.

    Unless `whole`, only of what changed since the last time, there or in the files: the price of a
    night must not grow with all that ever was.
    """
    store, space = tools.store, tools.by.space
    # The mark first: what changes after it is told by the next one.
    mark, changed = store.changed_since(space, "" if whole else looked.mark)
    lost: tuple[str, ...] = ()
    if changed is None:
        memories = store.memories(space)
    else:
        ids = sorted({*changed, *looked.touched})
        found = store.memories_by_id(space, ids)
        memories, lost = list(found.values()), tuple(key for key in ids if key not in found)
    active = store.memories(space, ("active",))
    heads = store.dreams(space, ("applied",), None if whole else LOOKED_AT)
    curated = _curated(tools, looked, active)
    chinese = in_chinese(active)
    room = curated.sections or not over_budget(tools, looked)
    return Edition(
        memories=tuple(memories),
        sections=tuple(Section(*part) for part in curated.sections),
        pointer=pointer_of(curated.left_out, chinese) if room else "",
        title="记忆" if chinese else "Memory",
        diary=_diary(tools, looked.told, active, heads, chinese=chinese),
        held=frozenset((clash.file, clash.memory_id) for clash in clashes),
        whole=changed is None,
        lost=lost,
        mark=mark,
    )


def _curated(tools: Tools, looked: Looked, active: Sequence[Memory]) -> Curated:
    """What MEMORY.md is to hold beside what people wrote there."""
    chars = None
    if looked.most_chars is not None:
        chars = looked.most_chars - FRAME_CHARS - _size(looked.by_hand)
    written = _starts(looked.by_hand)
    return curate(
        active,
        tools.parts.settings.dream.loaded_tokens - FRAME_TOKENS - estimate(looked.by_hand),
        today=day_of(tools.by.now, tools.zone),
        zone=tools.zone,
        most_chars=chars,
        told=lambda memory: _is_written(memory, written),
    )


def over_budget(tools: Tools, looked: Looked) -> bool:
    """Whether the hand-written text alone leaves no room."""
    needed = FRAME_TOKENS + POINTER_TOKENS + estimate(looked.by_hand)
    size = FRAME_CHARS + _size(looked.by_hand)
    return needed > tools.parts.settings.dream.loaded_tokens or (
        looked.most_chars is not None and size > looked.most_chars
    )


def _diary(
    tools: Tools,
    told: frozenset[str],
    active: Sequence[Memory],
    heads: Sequence[Dream],
    *,
    chinese: bool,
) -> tuple[DiaryPage, ...]:
    """Entries of the nights that are not told yet, oldest first, in the language of the home."""
    store, space = tools.store, tools.by.space
    # Of a turn the diary would tell as much as the turn itself did.
    nights = [head for head in heads if head.by not in ("person", "turn")][:DIARY_AT_ONCE]
    pages = []
    for head in reversed(nights):
        if head.dream_id in told:
            continue
        dream = store.dream(space, head.dream_id)
        if dream is not None:
            entry = diary(dream, tools.zone, chinese=chinese, people=_known_before(active, dream))
            pages.append(DiaryPage(dream.dream_id, entry.date, entry.text))
    return tuple(pages)


def diary_of(tools: Tools, latest: int) -> tuple[DiaryPage, ...]:
    """The entries of the latest nights, oldest first, as DREAMS.md has them."""
    active = tools.store.memories(tools.by.space, ("active",))
    heads = tools.store.dreams(tools.by.space, ("applied",), LOOKED_AT)
    nights = [head for head in heads if head.by not in ("person", "turn")][:latest]
    return _diary(tools, frozenset(), active, nights, chinese=in_chinese(active))


def _known_before(active: Sequence[Memory], dream: Dream) -> frozenset[str]:
    """Whom the memories were about before a night."""
    made = {change.memory_id for change in dream.changes if change.op == "add"}
    return frozenset(
        memory.subject
        for memory in active
        if memory.id not in made and memory.first_seen < dream.run_at
    )


def _starts(by_hand: str) -> frozenset[str]:
    """How the lines that a person wrote begin: whole short ones, and their first letters."""
    starts = [_start(line) for line in by_hand.splitlines()]
    return frozenset(part for start in starts for part in (start, start[:ROUGHLY]) if part)


def _is_written(memory: Memory, written: frozenset[str]) -> bool:
    """Whether a person has the memory in his own lines already (L7): it begins like one of them."""
    starts = {_start(memory.text), _start(bare(memory.text))} if written else ()
    return any(
        start and (start in written or (len(start) >= ROUGHLY and start[:ROUGHLY] in written))
        for start in starts
    )


def _start(text: str) -> str:
    """The first characters of a text: letters and digits only, so that marks do not count."""
    return "".join(char for char in text.casefold() if char.isalnum())[:SAME_START]


def _size(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
