"""Verify: what a check refuses, whoever made the claim."""

from datetime import UTC, datetime

import msgspec
import pytest

from slowwave.dream.verify.stage import CHECKS, verify
from slowwave.model import Claim, Event, Evidence, Origin

TEXT = "我 4 月 3 日把 orbit 升到 v2.1.0，花了 300 元，别再用旧脚本 /opt/old.sh"


def event(text: str = TEXT, origin: Origin = "owner", name: str = "e1") -> Event:
    return Event(
        id=name, space="s", identity=name, ts=datetime(2026, 4, 5, 9, tzinfo=UTC), role="user",
        kind="message", origin=origin, text=text, source="test",
    )  # fmt: skip


def claim(text: str, of: Event, **changes: object) -> Claim:
    made = Claim(
        kind="fact", subject="user", text=text,
        evidence=(Evidence(event_id=of.id, quote=of.text, start=0, end=len(of.text)),),
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def reason(made: Claim, *events: Event) -> str | None:
    found = verify([made], {e.id: e for e in events})
    return found.rejected[0].reason if found.rejected else None


def test_own_words_pass() -> None:
    assert reason(claim(TEXT, event()), event()) is None


def test_the_checks_are_a_tuple_of_named_functions() -> None:
    assert all(check.__doc__ and check.__name__.replace("_", "").isalpha() for check in CHECKS)


def test_a_claim_without_a_quote_is_refused_and_counted() -> None:
    bare = Claim(kind="profile", subject="user", text="User is Jon Roe, a pilot", evidence=())
    found = verify([bare], {})
    assert not found.claims
    assert [(r.stage, r.reason) for r in found.rejected] == [("verify", "no evidence")]


def test_evidence_must_exist() -> None:
    assert reason(claim(TEXT, event())) == "evidence event missing"


@pytest.mark.parametrize(
    ("start", "end", "quote"),
    [(0, 2, "别的"), (-1, 3, "我"), (5, 5, ""), (0, 10_000, TEXT), (1, 2, " ")],
)
def test_a_quote_must_be_its_span(start: int, end: int, quote: str) -> None:
    span = Evidence(event_id="e1", quote=quote, start=start, end=end)
    wrong = claim(TEXT, event(), evidence=(span,))
    assert reason(wrong, event()) in ("quote does not match", "quote is blank")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("我 4 月 8 日把 orbit 升到 v2.1.0", "date not in evidence"),
        ("我把 orbit 升到 v2.1.7", "version not in evidence"),
        ("升级 orbit 花了 500 元", "amount not in evidence"),
        ("别再用旧脚本 /opt/new.sh", "path not in evidence"),
        ("我和 Jon Roe 把 orbit 升到 v2.1.0", "name not in evidence"),
        ("用户喜欢爬山和露营，常去海边", "not said in evidence"),
    ],
)
def test_numbers_names_and_words_must_be_in_the_quotes(text: str, why: str) -> None:
    assert reason(claim(text, event()), event()) == why


def test_a_relative_day_may_be_computed_but_only_rightly() -> None:
    said = event("昨天去了石窟")
    assert reason(claim("昨天（2026-04-04）去了石窟", said), said) is None
    assert reason(claim("昨天（2024-01-01）去了石窟", said), said) == "date not in evidence"


@pytest.mark.parametrize(
    ("quote", "text", "why"),
    [
        ("No need to restart the gateway today", "Restart the gateway today", "negation changed"),
        ("No need to restart it", "need to restart it", "negation changed"),
        ("暂时不要发公告", "不要发公告", "limit dropped"),
        ("我可能会搬去厦门", "我会搬去厦门", "hedge dropped"),
        ("don't mail the draft", "never mail the draft", "stronger than said"),
    ],
)
def test_negation_and_strength_are_kept(quote: str, text: str, why: str) -> None:
    said = event(quote)
    assert reason(claim(text, said), said) == why


@pytest.mark.parametrize("text", ["", "   ", "——", "x" * 2000])
def test_a_text_must_be_a_statement(text: str) -> None:
    assert reason(claim(text, event()), event()) is not None


@pytest.mark.parametrize(
    "text",
    ["## 决定\n" + TEXT, TEXT + " <!-- x -->", "```\n" + TEXT, TEXT + " [score=0.9 recalls=2]"],
)
def test_markup_is_not_smuggled_in(text: str) -> None:
    assert reason(claim(text, event()), event()) == "markup in text"


@pytest.mark.parametrize(
    ("origin", "why"),
    [
        ("agent", "agent's own words"),
        ("tool", "origin not allowed"),
        ("system", "origin not allowed"),
        ("external", "evidence is not first-hand"),
        ("recalled", "evidence is not first-hand"),
        ("other", "another speaker about the user"),
    ],
)
def test_only_the_owner_speaks_about_the_owner(origin: Origin, why: str) -> None:
    said = event(origin=origin)
    assert reason(claim(TEXT, said), said) == why


def test_an_agreed_proposal_may_cite_the_agent() -> None:
    asked, yes = event("以后都用表格吗？", "agent", "e1"), event("好的", "owner", "e2")
    spans = tuple(
        Evidence(event_id=e.id, quote=e.text, start=0, end=len(e.text)) for e in (asked, yes)
    )
    both = claim("以后都用表格吗？ → 好的", asked, evidence=spans, subject="agent")
    assert reason(both, asked, yes) is None


def test_lessons_may_rest_on_tools() -> None:
    said = event("range limit is 72h", "tool")
    assert reason(claim("range limit is 72h", said, kind="lesson"), said) is None


def test_a_named_subject_must_have_been_named() -> None:
    said = event("高岚住在苏州")
    assert reason(claim("高岚住在苏州", said, subject="高岚"), said) is None
    assert reason(claim("高岚住在苏州", said, subject="周游"), said) == "subject not in evidence"


@pytest.mark.parametrize(
    "changes",
    [
        {"importance": 120},
        {"confidence": 1.5},
        {"valid_from": "2026-05-02", "valid_to": "2026-05-01"},
    ],
)
def test_values_stay_in_their_ranges(changes: dict[str, object]) -> None:
    made = claim(TEXT, event(), **changes)
    assert reason(made, event()) in ("value out of range", "ends before it begins")


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\x07", "\x9b", "\u202e", "\u2068"])
def test_nothing_unseen_gets_into_a_text(sign: str) -> None:
    said = event()
    assert reason(claim(f"{TEXT}{sign}", said), said) == "control characters in text"
    pasted = event(f"{TEXT}{sign}")
    assert reason(claim(pasted.text, pasted), pasted) is None
