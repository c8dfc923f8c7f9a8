"""Cutting words out of texts, and moving quotes: what is quoted is always there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.model import Evidence, Redaction
from slowwave.testing.samples import event
from slowwave.text.redaction import (
    FORGOTTEN,
    cut,
    find,
    is_hollow,
    merged,
    moved,
    normal,
    remaining,
)

TEXT = "Hello. The door code is 4471. Maren fires the kiln on Fridays."


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("我对 榛子\n过敏。", "对榛子过敏", "对 榛子\n过敏"),
        ("Ｄｏｏｒ Code 4471", "door code", "Ｄｏｏｒ Code"),
        ("Café Zoë", "cafe zoe", "Café Zoë"),
        ("Cafe\u0301 Zoe\u0308", "Café Zoë", "Cafe\u0301 Zoe"),
        ("STRASSE 9", "straße", "STRASSE"),
        ("a zero\u200bwidth gap", "zerowidth", "zero\u200bwidth"),
    ],
)
def test_words_are_found_in_every_form(text: str, needle: str, found: str) -> None:
    [(start, end)] = find(text, [normal(needle)])
    assert text[start:end] == found


def test_punctuation_counts_unless_words_alone_are_meant() -> None:
    assert find("I write C.", [normal("c++")]) == []
    assert find("The door, code!", [normal("door code", words_only=True)], words_only=True)
    assert find("The door, code!", [normal("door code")]) == []


def test_a_word_is_not_torn() -> None:
    needle = normal("I like tea", words_only=True)
    assert find("I like teaching", [needle], words_only=True) == []
    assert find("Hm, I like tea.", [needle], words_only=True)
    assert find("我也I like tea了", [needle], words_only=True)
    assert find("tomorrow", [normal("row")])


def test_spans_that_only_punctuation_parts_are_one() -> None:
    assert merged("ab, cd ef", [(7, 9), (4, 6), (0, 2)]) == [(0, 9)]
    assert merged("ab x cd", [(0, 2), (5, 7)]) == [(0, 2), (5, 7)]


def _redaction(*cuts: tuple[int, int]) -> Redaction:
    source = event(TEXT)
    return Redaction(
        event_id=source.id, text=TEXT, cuts=cuts, remains=remaining(source, cuts, "5a")
    )


def _quote(start: int, end: int) -> Evidence:
    return Evidence(event_id=event(TEXT).id, quote=TEXT[start:end], start=start, end=end)


def test_a_quote_behind_the_cut_moves() -> None:
    redaction = _redaction((7, 29))
    span = moved(_quote(30, 62), redaction, "Maren fires the kiln on Fridays.")
    assert span is not None
    assert redaction.remains is not None
    assert redaction.remains.text == f"Hello. {FORGOTTEN} Maren fires the kiln on Fridays."
    assert redaction.remains.text[span.start : span.end] == span.quote == TEXT[30:62]
    assert span.event_id == redaction.remains.id


def test_a_quote_that_is_cut_is_lost_or_shortened() -> None:
    redaction = _redaction((7, 29))
    assert moved(_quote(7, 29), redaction, "The door code is 4471") is None
    both = _quote(7, 62)
    kept = moved(both, redaction, "Maren fires the kiln on Fridays")
    assert kept is not None
    assert kept.quote == "Maren fires the kiln on Fridays."
    assert moved(both, redaction, "The door code is 4471, says Maren") is None


def test_an_event_that_is_all_cut_is_hollow() -> None:
    assert is_hollow(TEXT, [(0, 62)])
    assert is_hollow("Well, the door code is 4471!", [(6, 27)])
    assert not is_hollow(TEXT, [(7, 29)])


def test_what_remains_does_not_tell_what_was_there() -> None:
    first = remaining(event(TEXT), [(7, 29)], "5a")
    assert (first.ts, first.session, first.ref) == (event(TEXT).ts, "", None)
    assert first.id != event(TEXT).id
    assert remaining(event(TEXT), [(7, 29)], "5b").id != first.id
    assert event(TEXT).identity not in first.identity


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_moved_quote_is_always_in_the_text(data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet="ab 。,榛子4\n", min_size=1, max_size=40))
    place = st.integers(0, len(text))
    pairs = st.tuples(place, place).map(lambda pair: (min(pair), max(pair)))
    spans = [span for span in data.draw(st.lists(pairs, max_size=4)) if span[0] < span[1]]
    cuts = merged(text, spans)
    start, end = data.draw(pairs)
    source = event(text)
    redaction = Redaction(
        event_id=source.id, text=text, cuts=tuple(cuts), remains=remaining(source, cuts, "5a")
    )
    quote = Evidence(event_id=source.id, quote=text[start:end], start=start, end=end)
    span = moved(quote, redaction, "")
    rest = cut(text, cuts)
    if span is not None:
        assert rest[span.start : span.end] == span.quote
        assert span.quote in quote.quote
