"""A quote stands where it says, byte for byte, and says something."""

import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.ledger import check_quotes, is_quoted
from slowwave.model import Evidence
from slowwave.testing.samples import add, event, memory

SAID = event("The pump hums", id="ev1")


def span(quote: str, start: int, end: int, event_id: str = "ev1") -> Evidence:
    return Evidence(event_id=event_id, quote=quote, start=start, end=end)


@pytest.mark.parametrize(
    "wrong",
    [
        span("", 0, 0), span(" ", 3, 4), span("hum", -4, -1), span("hums", -4, 13),
        span("The", 1, 4), span("the", 0, 3), span("hums.", 9, 14), span("The", 0, 3, "ev2"),
        span("", 9, 3), span("The", 0, 2),
    ],
)  # fmt: skip
def test_what_is_no_quote(wrong: Evidence) -> None:
    right = span("pump", 4, 8)
    assert is_quoted([right], {"ev1": SAID})
    assert not is_quoted([right, wrong], {"ev1": SAID})
    store = InMemoryStore()
    store.append([SAID])
    assert check_quotes(store, "alder", [add(memory(evidence=(right,)))]).ok
    assert not check_quotes(store, "alder", [add(memory(evidence=(right, wrong)))]).ok


def test_what_rests_on_nothing_is_no_memory() -> None:
    assert not check_quotes(InMemoryStore(), "alder", [add(memory())]).ok
