"""The routes by which a candidate becomes active, asked in the order of the settings.

*salience*: important and sure enough; once is enough (O11). *time*: seen again on a later day, or
quiet for some days (L6). *signals*: what people look for (O8). A seed is always kept (N18). Each
route says with its numbers why it takes a memory or declines it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from slowwave.dream.promote.signals import Signalled, choose
from slowwave.dream.weigh.ageing import seen_days, today_of
from slowwave.dream.weigh.revise import Verdict
from slowwave.dream.weigh.tally import Tally
from slowwave.model import Memory
from slowwave.settings import DreamSettings, Route
from slowwave.text.counting import plural

__all__ = ["Jury"]


class Jury:
    """All routes of one night. The signals route takes only so many, the best first.

    `waiting` are the memories that may be promoted tonight, as they will stand; a memory that an
    earlier route takes does not use up a place of the signals route.
    """

    def __init__(
        self,
        settings: DreamSettings,
        now: datetime,
        tallies: Mapping[str, Tally],
        waiting: Iterable[Memory] = (),
    ) -> None:
        self.settings = settings
        self.now = now
        self._signalled: Mapping[str, Signalled] = {}
        if "signals" in settings.routes:
            before = settings.routes[: settings.routes.index("signals")]
            asked = [memory for memory in waiting if not self._taken(memory, before)]
            self._signalled = choose(asked, tallies, settings.signals, today_of(now))

    def ask(self, memory: Memory, *, seed: bool = False) -> Verdict:
        """Asks every enabled route in turn; the first that accepts takes the memory."""
        if seed:
            route = "salience" if "salience" in self.settings.routes else "seed"
            return Verdict(route, f"route {route}: marked as the day's most important")
        declined = []
        scores: Mapping[str, float] = {}
        for route in self.settings.routes:
            if route == "signals":
                found = self._signalled.get(memory.id, Signalled(False, "it was never recalled"))
                accepted, reason, scores = found.accepted, found.reason, found.scores
            else:
                accepted, reason = _ROUTES[route](memory, self.settings, self.now)
            if accepted:
                return Verdict(route, f"route {route}: {reason}", scores)
            declined.append(f"{route} declined: {reason}")
        return Verdict("", "stays a candidate; " + "; ".join(declined), scores)

    def _taken(self, memory: Memory, routes: Sequence[Route]) -> bool:
        return any(_ROUTES[route](memory, self.settings, self.now)[0] for route in routes)


def _salience(memory: Memory, settings: DreamSettings, _now: datetime) -> tuple[bool, str]:
    """Important enough and said plainly enough: once is enough."""
    if memory.importance < settings.salience_importance:
        return False, f"importance {memory.importance} is under {settings.salience_importance}"
    if memory.confidence < settings.salience_confidence:
        return False, f"confidence {memory.confidence:g} is under {settings.salience_confidence:g}"
    return True, f"importance {memory.importance}, confidence {memory.confidence:g}, said plainly"


def _time(memory: Memory, settings: DreamSettings, now: datetime) -> tuple[bool, str]:
    """Seen on several days; or unchallenged for some days, fewer at high confidence (L6)."""
    needed = settings.preference_mentions
    if memory.kind == "preference" and memory.mention_count < needed:
        return False, f"a preference said {memory.mention_count} of {plural(needed, 'time')}"
    days = seen_days(memory, now)
    if len(days) > 1:
        return True, f"seen on {len(days)} days"
    quiet = (today_of(now) - days[-1]).days
    fast = memory.confidence >= settings.time_fast_confidence
    needed = settings.time_fast_days if fast else settings.time_days
    if quiet >= needed:
        return True, f"{plural(quiet, 'quiet day')}, {needed} needed"
    waiting = plural(needed, "quiet day")
    return False, f"seen on one day, {max(0, quiet)} of {waiting} passed"


_ROUTES: Mapping[str, Callable[[Memory, DreamSettings, datetime], tuple[bool, str]]] = {
    "salience": _salience,
    "time": _time,
}
