"""What the files are to say, as the ledger stands now."""

from collections.abc import Sequence

from slowwave.dream.curate import POINTER_TOKENS, curate, in_chinese, pointer_of
from slowwave.dream.diary import diary
from slowwave.model import Clash, DiaryPage, Edition, Looked, Memory, Section, day_of
from slowwave.text.tokens import estimate
from slowwave.vault.nouns import Tools

__all__ = ["edition_of", "over_budget"]

FRAME_TOKENS = 64
"""What markers, blank lines and a title cost."""
FRAME_CHARS = 200
SAME_START = 50
"""So many characters at the start decide whether a person wrote a memory down already (L7)."""
ROUGHLY = 40
"""So many of them are enough: the end of a sentence may differ."""
DIARY_AT_ONCE = 30
"""The most dreams that are told at once; older ones are left untold."""


def edition_of(tools: Tools, looked: Looked, clashes: Sequence[Clash]) -> Edition:
    """What the files are to say, as the ledger stands now."""
    memories = tools.store.memories(tools.by.space)
    today = day_of(tools.by.now, tools.zone)
    chars = None
    if looked.most_chars is not None:
        chars = looked.most_chars - FRAME_CHARS - _size(looked.by_hand)
    written = _starts(looked.by_hand)
    fresh = [memory for memory in memories if not written or not _is_written(memory, written)]
    curated = curate(
        fresh,
        tools.parts.settings.dream.loaded_tokens - FRAME_TOKENS - estimate(looked.by_hand),
        today=today,
        most_chars=chars,
    )
    chinese = in_chinese([memory for memory in memories if memory.status == "active"])
    room = curated.sections or not over_budget(tools, looked)
    return Edition(
        memories=tuple(memories),
        sections=tuple(Section(part.title, part.memories) for part in curated.sections),
        pointer=pointer_of(curated.left_out, chinese) if room else "",
        title="记忆" if chinese else "Memory",
        diary=_diary(tools, looked.told),
        held=frozenset((clash.file, clash.memory_id) for clash in clashes),
    )


def over_budget(tools: Tools, looked: Looked) -> bool:
    """Whether the hand-written text alone leaves no room."""
    needed = FRAME_TOKENS + POINTER_TOKENS + estimate(looked.by_hand)
    size = FRAME_CHARS + _size(looked.by_hand)
    return needed > tools.parts.settings.dream.loaded_tokens or (
        looked.most_chars is not None and size > looked.most_chars
    )


def _diary(tools: Tools, told: frozenset[str]) -> tuple[DiaryPage, ...]:
    """Entries of the nights that are not told yet, oldest first."""
    store, space = tools.store, tools.by.space
    heads = [
        head for head in store.dreams(space) if head.status == "applied" and head.by != "person"
    ][:DIARY_AT_ONCE]
    pages = []
    for head in reversed(heads):
        if head.dream_id in told:
            continue
        dream = store.dream(space, head.dream_id)
        if dream is not None:
            entry = diary(dream, tools.zone)
            pages.append(DiaryPage(dream.dream_id, entry.date, entry.text))
    return tuple(pages)


def _starts(by_hand: str) -> frozenset[str]:
    """How the lines that a person wrote begin: whole short ones, and their first letters."""
    starts = [_start(line) for line in by_hand.splitlines()]
    return frozenset(part for start in starts for part in (start, start[:ROUGHLY]) if part)


def _is_written(memory: Memory, written: frozenset[str]) -> bool:
    """Whether a person has the memory in his own lines already (L7): it begins like one of them."""
    start = _start(memory.text)
    return bool(start) and (
        start in written or (len(start) >= ROUGHLY and start[:ROUGHLY] in written)
    )


def _start(text: str) -> str:
    """The first characters of a text: letters and digits only, so that marks do not count."""
    return "".join(char for char in text.casefold() if char.isalnum())[:SAME_START]


def _size(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
