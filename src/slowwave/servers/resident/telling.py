"""What the resident says of its dreams, for people and for programs. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import isinf

from slowwave.scheduler import Outcome, Verdict
from slowwave.servers.resident.job import Ending, Made
from slowwave.servers.resident.state import Ended, SpaceState
from slowwave.servers.resident.watch import Watch
from slowwave.text.counting import plural

__all__ = ["ended", "of_ending", "of_start", "space_state"]

LONGEST = 300
"""Characters of an error in a line."""


def of_start(verdict: Verdict) -> str:
    """What is dreamed, and why."""
    parts = [night.isoformat() for night in verdict.nights[:1]]
    if verdict.nights[1:]:
        parts = [f"{plural(len(verdict.nights), 'night')} from {parts[0]} on"]
    if verdict.today:
        parts.append("today")
    lite = ", lite: without a model" if verdict.lite else ""
    return f"dreams {' and '.join(parts)} ({verdict.trigger}{lite})"


def of_ending(done: Ended, ending: Ending, wait: float) -> str:
    """How a dream ended and what came of it; `wait` are the seconds until it is tried again."""
    took = f"{done.seconds:.1f} s"
    if done.outcome == "preempted":
        return f"stops dreaming after {took}: you are back; it is taken up again later"
    if done.outcome == "stopped":
        return f"stops dreaming after {took}: the server ends; it is taken up again later"
    if done.outcome == "failed":
        hint = f" — {_line(ending.hint)}" if ending.hint else ""
        return f"the dream failed after {took}: {_line(ending.message)}{hint}; {_again(wait)}"
    made = f"{plural(done.events, 'event')} → {done.added} new, {done.changed} changed, "
    made += f"{done.archived} archived"
    which = f" ({', '.join(done.dreams[:3])}{' …' if done.dreams[3:] else ''})"
    owed = f"; a model still owes parts, {_again(wait)}" if done.outcome == "unfinished" else ""
    return f"dreamed in {took}: {made}{which if done.dreams else ''}{owed}"


def _line(words: str) -> str:
    """Words of libraries may have many lines; the record has them all."""
    flat = " ".join(words.split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"


def _again(wait: float) -> str:
    return f"again in {max(1, round(wait / 60))} min" if 0 < wait < 86_400 else "again later"


def ended(
    trigger: str, outcome: Outcome, made: Sequence[Made], at: datetime, took: float, error: str
) -> Ended:
    """What is kept of a dream that has ended."""
    return Ended(
        trigger=trigger, outcome=outcome, at=at, seconds=round(took, 3), error=error,  # type: ignore[arg-type]
        dreams=tuple(one.dream_id for one in made if one.status != "nothing_to_do"),
        events=sum(one.events for one in made), added=sum(one.added for one in made),
        changed=sum(one.changed for one in made), archived=sum(one.archived for one in made),
    )  # fmt: skip


def space_state(watch: Watch, known: tuple[Verdict, datetime] | None, trouble: str) -> SpaceState:
    """One space as programs see it. `known` is what was decided of it last, and when."""
    if known is None:
        return SpaceState(space=watch.memory.space, last=watch.last, trouble=trouble)
    verdict, at = known
    coming = None
    if not isinf(verdict.wait):
        coming = (at.astimezone(UTC) + timedelta(seconds=verdict.wait)).astimezone(at.tzinfo)
        coming = coming.replace(microsecond=0)
    return SpaceState(
        space=watch.memory.space, next=coming, trigger=verdict.trigger, brake=verdict.brake,
        today=watch.brakes.dreams_of(at.date()), failures=watch.brakes.failures,
        last=watch.last, trouble=trouble,
    )  # fmt: skip
