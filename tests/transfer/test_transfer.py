"""All of a space goes to a file and comes back as it was."""

from collections.abc import Iterable, Sequence
from datetime import UTC

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.model import Event
from slowwave.ports import no_progress
from slowwave.testing.contract_restore import lived
from slowwave.testing.samples import MORNING, event
from slowwave.text.comment_lines import shown
from slowwave.transfer import Taken, page, send, take
from slowwave.transfer.lines import Bad, line_of, read
from slowwave.transfer.send import kept_of


def sent(store: InMemoryStore, space: str = "alder") -> list[bytes]:
    return list(send(store, space, MORNING, no_progress).lines)


def taken(
    lines: Iterable[bytes], store: InMemoryStore | None = None, space: str = "alder"
) -> tuple[InMemoryStore, Taken]:
    there = store or InMemoryStore()
    return there, take(there, space, enumerate(lines, start=1), no_progress)


def journal_of(store: InMemoryStore, space: str = "alder") -> list[Event]:
    found = store.events_after(space, 0, 1_000)
    return [msgspec.structs.replace(one, seq=0, space="") for one in found]


@pytest.fixture
def store() -> InMemoryStore:
    made = InMemoryStore()
    lived(made)
    return made


def data_of(lines: Sequence[bytes]) -> list[bytes]:
    """The data in a page, as a reader of files finds it."""
    split = b"\n".join(lines).split(b"\n")
    return [found for line in split if (found := shown(line)) is not None]


def test_it_comes_back_as_it_was_and_is_known_the_second_time(store: InMemoryStore) -> None:
    lines = sent(store)
    there, done = taken(lines)
    assert (done.events, done.duplicates, done.memories, done.skipped) == (2, 0, 1, ())
    assert journal_of(there) == journal_of(store)
    assert kept_of(there, "alder") == kept_of(store, "alder")
    assert sent(there) == lines
    again = taken(lines, there)[1]
    assert (again.events, again.duplicates, again.memories, again.skipped) == (0, 2, 0, ())
    assert sent(there) == lines


def test_a_page_holds_the_same_lines(store: InMemoryStore) -> None:
    made = list(page(store, "alder", send(store, "alder", MORNING, no_progress), UTC))
    assert data_of(made) == sent(store)
    assert any(b"The pump hums" in line for line in made if not line.startswith(b"<!--"))


def test_another_space_takes_it(store: InMemoryStore) -> None:
    there, done = taken(sent(store), space="birch")
    assert done.memories == 1
    assert journal_of(there, "birch") == journal_of(store)
    assert {one.space for one in there.dreams("birch")} == {"birch"}


TEXT = st.text(max_size=60) | st.sampled_from(
    ["a --> b", "--", '<!-- slowwave-data {"slowwave":{"what":"end","is":{"lines":0}}} -->',
     "x\n<!-- slowwave-data {} -->\n", "line\r\nbreak\u2028and\u0085more", "\\u002d--\\", "# head"]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXT.filter(str.strip), min_size=1, max_size=5), meta=TEXT)
def test_whatever_was_said_is_no_data_and_comes_back(texts: list[str], meta: str) -> None:
    store = InMemoryStore()
    store.append(
        [event(text, id=f"ev{n}", identity=f"{n}", session=meta, ref=text, meta={meta: text})
         for n, text in enumerate(texts)]
    )  # fmt: skip
    lines = sent(store)
    for carried in (lines, data_of(list(page(store, "alder", send(
        store, "alder", MORNING, no_progress), UTC)))):  # fmt: skip
        there, done = taken(carried)
        assert done.skipped == ()
        assert journal_of(there) == journal_of(store)


@settings(max_examples=80, deadline=None)
@given(raw=st.binary(max_size=40) | st.sampled_from(
    [b"[]", b"1", b'{"slowwave":1}', b'{"slowwave":{}}', b'{"slowwave":{"what":"memory"}}',
     b'{"slowwave":{"what":"lamp","is":{}}}', b'{"slowwave":{"what":"event"}}',
     b'{"text":"x","ts":"2031-01-01T00:00:00","slowwave":{"what":"event"}}', b"[" * 9000]
))  # fmt: skip
def test_what_is_no_line_is_refused(raw: bytes) -> None:
    with pytest.raises(Bad):
        read(raw, "alder")


def test_a_damaged_line_costs_itself_and_the_ledger_is_all_or_nothing(
    store: InMemoryStore,
) -> None:
    lines = sent(store)
    cut = taken(lines[:-1])[1]
    assert (cut.events, cut.memories) == (2, 0)
    assert "cut off" in cut.skipped[-1].reason
    place = next(n for n, line in enumerate(lines) if b'"what":"memory"' in line)
    there, torn = taken([*lines[:place], lines[place][:-9], *lines[place + 1 :]])
    assert (torn.events, torn.memories) == (2, 0)
    assert [item.line for item in torn.skipped] == [place + 1, 0]
    assert "the file is damaged" in torn.skipped[-1].reason
    assert not there.memories("alder")
    assert not there.dreams("alder")
    without = [
        line for line in lines if b"The pump hums" not in line or b'"what":"event"' not in line
    ]
    missing = taken(without)[1]
    assert "quotes are not here" in missing.skipped[0].reason
    newer = lines[0].replace(b'"version":1', b'"version":9')
    assert "newer Slowwave" in taken([newer, *lines[1:]])[1].skipped[0].reason


def test_a_space_with_a_ledger_of_its_own_takes_only_the_events(store: InMemoryStore) -> None:
    other = InMemoryStore()
    lived(other)
    other.append([event("It rains", id="ev3")])
    lines = [line.replace(b'"dr1"', b'"dr9"') for line in sent(other)]
    before = kept_of(store, "alder")
    _, done = taken(lines, store)
    assert (done.events, done.duplicates, done.memories) == (1, 2, 0)
    assert "this space has its own" in done.skipped[0].reason
    assert kept_of(store, "alder") == before


def test_an_id_that_means_another_event_here_is_told(store: InMemoryStore) -> None:
    other = line_of(event("Quite another thing", id="ev1"))
    _, done = taken([other], store)
    assert (done.events, done.skipped[0].reason) == (0, "event ev1 is another one here")


def altered(lines: Sequence[bytes], what: str, /, **fields: object) -> list[bytes]:
    """The lines, with other fields in the first noun of a kind."""
    made = list(lines)
    place = next(n for n, one in enumerate(made) if b'"what":"' + what.encode() + b'"' in one)
    told = msgspec.json.decode(made[place])
    told["slowwave"]["is"] |= fields
    made[place] = msgspec.json.encode(told)
    return made


def span(**fields: object) -> dict[str, object]:
    return {"event_id": "ev1", "quote": "The pump hums", "start": 0, "end": 13} | fields


FORGED = {
    "no words": ("memory", {"evidence": []}),
    "empty words": ("memory", {"evidence": [span(quote="", start=0, end=0)]}),
    "a blank": ("memory", {"evidence": [span(quote=" ", start=3, end=4)]}),
    "counted from the end": ("memory", {"evidence": [span(quote="hum", start=-4, end=-1)]}),
    "another span": ("memory", {"evidence": [span(start=1, end=14)]}),
    "another event": ("memory", {"evidence": [span(event_id="ev2")]}),
    "an id that is a path": ("memory", {"id": "../../me1"}),
    "out of range": ("memory", {"importance": 10**9}),
    "counts below nothing": ("memory", {"mention_count": -1}),
    "too large to count": ("memory", {"access_count": 2**63}),
    "a day that is none": ("memory", {"valid_from": "2031-13-45"}),
    "no day at all": ("memory", {"valid_to": "soon"}),
    "an end that never comes": ("memory", {"expires_at": "2031"}),
    "due on no day": ("working", {"due": "soon/../"}),
    "no offset": ("memory", {"first_seen": "2031-01-01T00:00:00"}),
    "beyond the calendar": ("dream", {"run_at": "9999-12-31T23:59:59-12:00"}),
    "a dream named as a path": ("dream", {"dream_id": "../dr1"}),
    "a dream that undoes itself": ("dream", {"undoes": "dr1"}),
    "a line is missing": ("end", {"lines": 3}),
}


@pytest.mark.parametrize(("what", "fields"), FORGED.values(), ids=list(FORGED))
def test_a_forged_ledger_is_not_taken(
    store: InMemoryStore, what: str, fields: dict[str, object]
) -> None:
    there, done = taken(altered(sent(store), what, **fields))
    assert (done.events, done.memories) == (2, 0)
    assert done.skipped
    assert kept_of(there, "alder") == kept_of(InMemoryStore(), "alder")


def test_what_was_believed_before_stands_on_words_as_well(store: InMemoryStore) -> None:
    forged = b'"text":"The owner owes the bank everything"'
    lines = sent(store)
    for what in (b'"what":"version"', b'"what":"dream"'):
        made = [
            line.replace(b'"text":"The pump hums"', forged).replace(b'"start":0', b'"start":1')
            if what in line else line
            for line in lines
        ]  # fmt: skip
        there, done = taken(made)
        assert made != lines
        assert done.memories == 0
        assert "quotes are not here" in done.skipped[-1].reason
        assert not there.dreams("alder")


def test_what_was_recalled_is_nobodys_word(store: InMemoryStore) -> None:
    lines = [line.replace(b'"origin":"owner"', b'"origin":"recalled"') for line in sent(store)]
    assert taken(lines)[1].memories == 0


def test_the_same_memory_twice_is_no_ledger(store: InMemoryStore) -> None:
    lines = sent(store)
    place = next(n for n, line in enumerate(lines) if b'"what":"memory"' in line)
    assert taken([*lines[:place], lines[place], *lines[place:]])[1].memories == 0
