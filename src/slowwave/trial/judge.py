"""What a person judges: one item of one question, by yes or no.

Which items are asked for is drawn by the hash of their ids: as good as at random, so that rates
can be told from few of them, and yet the same at every call.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain, zip_longest

import msgspec

from slowwave.errors import NotFound
from slowwave.model import InjectedItem, Injection, Verdict, short_id, text_hash
from slowwave.text.segment import fold


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One item that would have been injected (`injected`), or fell just below the threshold."""

    id: str
    ledger_id: str
    ts: datetime
    query: str
    session: str
    item: InjectedItem
    injected: bool

    @property
    def same(self) -> tuple[str, str]:
        """What two samples have in common that one answer settles: the question and the item."""
        return " ".join(fold(self.query).split()), self.item.id


def decided(entry: Injection) -> tuple[InjectedItem, ...]:
    """The items of a block that the threshold let in.

    What is open stands there because it is still to do, and the opening of a session because
    nobody asked anything: no threshold decides on them.
    """
    if not entry.query.strip():
        return ()
    return tuple(item for item in entry.items if item.layer != "working")


def samples(entries: Iterable[Injection]) -> list[Sample]:
    """The items of trial entries that a threshold decides on; a repeated question counts once."""
    found: dict[tuple[str, str], Sample] = {}
    for entry in entries:
        parts = ((decided(entry), True), (entry.passed, False))
        for item, injected in ((item, injected) for items, injected in parts for item in items):
            sample = Sample(
                id=short_id("j", entry.id, item.id), ledger_id=entry.id, ts=entry.ts,
                query=entry.query, session=entry.session, item=item, injected=injected,
            )  # fmt: skip
            known = found.get(sample.same)
            if known is None or (item.verdict and not known.item.verdict):
                found[sample.same] = sample
    return list(found.values())


def queue(known: Sequence[Sample]) -> list[Sample]:
    """Those without a verdict, in the order to judge them: one over, one below the threshold."""
    waiting = sorted(
        (one for one in known if not one.item.verdict), key=lambda one: text_hash(one.id)
    )
    over = [one for one in waiting if one.injected]
    below = [one for one in waiting if not one.injected]
    return [one for one in chain.from_iterable(zip_longest(over, below)) if one is not None]


def one_of(known: Sequence[Sample], prefix: str) -> Sample:
    """The one sample whose id starts with `prefix`; NotFound if none or more than one does."""
    found = [one for one in known if prefix and one.id.startswith(prefix)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(one.id for one in found[:3])
        raise NotFound(f"{prefix} could be {ids}", "give more of the id")
    raise NotFound(
        f"nothing to judge is called {prefix}", "`slowwave trial judge --list` shows all"
    )


def judged(entry: Injection, item_id: str, verdict: Verdict) -> Injection:
    """The ledger's entry with a person's verdict on one of its items."""

    def told(items: tuple[InjectedItem, ...]) -> tuple[InjectedItem, ...]:
        return tuple(
            msgspec.structs.replace(item, verdict=verdict) if item.id == item_id else item
            for item in items
        )

    return msgspec.structs.replace(entry, items=told(entry.items), passed=told(entry.passed))
