"""Questions without waiting: what the user said in the last days, asked as if it were then."""

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta

from slowwave.model import Event, Injection

ASKED_ALREADY = timedelta(minutes=10)
"""A message whose words were asked so near to it in a trial that ran is not asked again."""


def questions(
    events: Sequence[Event],
    asks: Callable[[str], bool],
    entries: Collection[Injection],
    limit: int,
) -> list[Event]:
    """The user's own messages that ask for anything, in their order; of many, evenly spread ones.

    `entries` are what is in the ledger: what was asked live stays as it was.
    """
    live = {
        entry.query.strip(): [one.ts for one in entries if one.query == entry.query]
        for entry in entries
        if entry.caller != "evaluation"
    }
    found = [
        event
        for event in events
        if event.origin == "owner"
        and event.kind == "message"
        and asks(event.text)
        and not any(abs(event.ts - ts) <= ASKED_ALREADY for ts in live.get(event.text.strip(), ()))
    ]
    if len(found) <= limit:
        return found
    return [found[place * len(found) // limit] for place in range(limit)]
