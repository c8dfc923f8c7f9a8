"""Memories of several facts, undecided contradictions, late logs, and what an archive costs."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import msgspec
import pytest

from slowwave.dream.compare.reading.statement import read
from slowwave.dream.reconcile import verdict as reconcile_verdict
from slowwave.dream.reconcile.stage import Reconciled, reconcile
from slowwave.model import Claim, Evidence, Memory

NOW = datetime(2026, 5, 30, tzinfo=UTC)
DAY = datetime(2026, 5, 1, 9, tzinfo=UTC)


def claim(text: str, day: int = 0, **fields: object) -> Claim:
    event = f"e{day}-{text}"
    said = DAY + timedelta(days=day)
    # The words lie in the middle of a longer message: offsets are not those of the text.
    span = Evidence(event_id=event, quote=text, start=7, end=7 + len(text), ts=said)
    made = Claim(kind="fact", subject="user", text=text, evidence=(span,))
    return msgspec.structs.replace(made, **fields)


def settle(claims: Sequence[Claim], known: Sequence[Memory] = (), dream: str = "d") -> Reconciled:
    return reconcile(
        claims, known, dream_id=dream, space="home", now=NOW, cosine=lambda _a, _b: None
    )


def nights(*claims: Claim) -> list[Memory]:
    """One dream for each claim."""
    known: dict[str, Memory] = {}
    for number, one in enumerate(claims):
        done = settle([one], list(known.values()), f"d{number}")
        known |= {change.memory_id: change.after for change in done.changes}
    return list(known.values())


def live(memories: Sequence[Memory]) -> list[str]:
    return [memory.text for memory in memories if memory.status != "retired"]


@pytest.mark.parametrize(
    ("first", "second", "rest"),
    [
        ("我住在梅园路 18 号，对花生过敏", "我搬到银杏里 6 栋了", "对花生过敏"),
        ("我在恒远上班，老家在赣州，喜欢钓鱼", "我跳槽到明川了", "老家在赣州，喜欢钓鱼"),
        ("我每天喝两杯咖啡，左膝盖有旧伤", "咖啡我戒了", "左膝盖有旧伤"),
        ("对青霉素过敏，我住在昆明", "我搬到大理了", "对青霉素过敏"),
        ("I live in Ghent, and I'm allergic to figs", "I moved to Namur", "I'm allergic to figs"),
        ("I live in Mons and I am allergic to figs", "I moved to Namur", "I am allergic to figs"),
        ("I'm vegetarian and I live in Lyon", "I moved to Nice in May", "I'm vegetarian"),
        ("我住在嘉兴而且我对虾过敏", "我搬到绍兴了", "我对虾过敏"),
        (
            "My manager is Dana. I prefer short answers.",
            "Piotr took over from Dana as my manager",
            "I prefer short answers",
        ),
        (
            "We use Jenkins for CI, our repo is on GitLab",
            "We switched from Jenkins to Buildkite",
            "our repo is on GitLab",
        ),
        (
            "The gateway listens on port 8080; my laptop runs Fedora",
            "The gateway port is 9090 now",
            "my laptop runs Fedora",
        ),
    ],
)
def test_what_is_not_replaced_still_holds_in_its_own_words(
    first: str, second: str, rest: str
) -> None:
    known = nights(claim(first), claim(second, 9))
    old, new, kept = known
    assert live(known) == [second, rest]
    assert (old.text, old.status, old.superseded_by) == (first, "retired", new.id)
    (span,) = kept.evidence
    assert (span.quote, span.start) == (rest, 7 + first.index(rest))
    assert span.end - span.start == len(rest)
    assert (kept.first_seen, kept.mention_count) == (old.first_seen, old.mention_count)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I live in Ghent, near the station", "I moved to Namur"),
        ("校车现在 16:10 到，奶奶去接", "校车改到 17:05 了"),
        ("The standup is at 9:45, which is early for me", "The standup moved to 10:15"),
        ("我住在昆明，离公司很近", "我搬到大理了"),
    ],
)
def test_what_hangs_on_the_ended_part_goes_with_it(first: str, second: str) -> None:
    assert live(nights(claim(first), claim(second, 9))) == [second]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I live in Ghent", "I live in Namur"),
        ("My favourite season is autumn", "My favourite season is spring"),
        ("我住在昆明", "我住在大理"),
        ("项目代号叫青鸟", "项目代号叫白鹭"),
    ],
)
def test_of_two_opposites_of_one_moment_both_stay_and_name_each_other(
    first: str, second: str
) -> None:
    done = settle([claim(first), claim(second)])
    one, other = (change.after for change in done.changes)
    assert {one.conflicts_with, other.conflicts_with} == {(one.id,), (other.id,)}
    assert {one.status, other.status} == {"candidate"}
    assert all("nothing tells which of them holds" in change.reason for change in done.changes)


def test_one_moment_is_no_conflict_where_a_change_is_told() -> None:
    known = nights(claim("我住在昆明"), claim("我从昆明搬到大理了"))
    assert not any(memory.conflicts_with for memory in known)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I like tea", "I like coffee"),
        ("I speak Danish", "I speak Basque"),
        ("我喜欢喝茶", "我喜欢喝咖啡"),
        ("女儿对牛奶过敏", "女儿对鸡蛋过敏"),
    ],
)
def test_what_can_hold_together_is_no_conflict(first: str, second: str) -> None:
    done = settle([claim(first), claim(second)])
    assert not any(change.after.conflicts_with for change in done.changes)


def test_a_later_word_settles_a_conflict() -> None:
    known = nights(claim("I live in Ghent"), claim("I live in Namur"), claim("I live in Namur", 9))
    assert live(known) == ["I live in Namur"]
    assert not any(memory.conflicts_with for memory in known)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Piotr is my manager now", "My manager is Dana"),
        ("The gateway listens on port 9090 now", "The gateway listens on port 8080"),
        ("我现在住大理", "我住在昆明"),
        ("We use Buildkite for CI", "We switched from Travis to Jenkins for CI"),
    ],
)
def test_a_log_that_is_imported_late_never_ends_what_is_newer(newer: str, older: str) -> None:
    known = nights(claim(newer, 20), claim(older, 2))
    assert newer in live(known)
    assert all(memory.superseded_by != known[1].id for memory in known)


def test_what_a_rolled_back_dream_left_is_as_if_it_had_never_been_said() -> None:
    (memory,) = nights(claim("I'm allergic to figs"))
    undone = msgspec.structs.replace(memory, status="retired", undone=True)
    (change,) = settle([claim("I'm allergic to figs")], [undone], "d2").changes
    assert (change.op, change.after.text) == ("add", memory.text)
    assert change.memory_id != memory.id


def test_of_an_archive_only_what_shares_something_is_read() -> None:
    words = ["kelp", "adobe", "tulip", "mortar", "lantern", "ferry", "quartz", "saddle"]
    known = nights(claim("The gateway listens on port 8080"))
    template = known[0]
    for number in range(400):
        text = f"The {words[number % 8]} crate {number} holds {words[number // 8 % 8]} parts"
        known.append(
            msgspec.structs.replace(template, id=f"m{number}", text=text, evidence=(), title=text)
        )
    seen: set[str] = set()

    def counted(text: str) -> object:
        seen.add(text)
        return read(text)

    with patch.object(reconcile_verdict, "read", counted):
        done = settle([claim("The gateway listens on port 9090 now", 9)], known)
    assert {change.op for change in done.changes} == {"add", "supersede"}
    assert len(seen & {memory.text for memory in known}) < 20
