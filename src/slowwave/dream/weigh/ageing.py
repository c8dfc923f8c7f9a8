"""How old a memory is in the user's days: when it was said, last needed, and whether it is over."""

from datetime import UTC, date, datetime

from slowwave.model import Memory, day_of
from slowwave.settings import DreamSettings

__all__ = ["day_in", "forgotten", "last_needed", "seen_days", "today_of", "unsaid", "unseen"]


def today_of(now: datetime) -> date:
    """The user's day of a clock reading, which carries the user's zone."""
    return now.date()


def last_needed(memory: Memory) -> datetime:
    """When a memory was last said or recalled."""
    return max(memory.last_seen, memory.last_access or memory.last_seen)


def unseen(memory: Memory, now: datetime) -> int:
    """Days since a memory was last said or recalled."""
    return (today_of(now) - day_of(last_needed(memory), now.tzinfo or UTC)).days


def unsaid(memory: Memory, now: datetime) -> int:
    """Days since a memory was last said."""
    return (today_of(now) - day_of(memory.last_seen, now.tzinfo or UTC)).days


def seen_days(memory: Memory, now: datetime) -> list[date]:
    """The user's days on which a memory was said, in order."""
    zone = now.tzinfo or UTC
    moments = {span.ts for span in memory.evidence if span.ts}
    moments |= {memory.first_seen, memory.last_seen}
    return sorted({day_of(moment, zone) for moment in moments})


def forgotten(memory: Memory, settings: DreamSettings, now: datetime) -> bool:
    """Mentioned at most once, and neither said nor recalled for too long (L6)."""
    return memory.mention_count <= 1 and unseen(memory, now) > settings.time_expire_days


def day_in(when: str | None) -> date | None:
    """The day of an ISO date or instant; None where there is none."""
    try:
        return date.fromisoformat(when[:10]) if when else None
    except ValueError:
        return None
