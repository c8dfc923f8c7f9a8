"""Claims laid beside memories: one change each, nothing lost, nothing overwritten silently."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.reconcile.stage import Reconciled, reconcile
from slowwave.model import Add, Claim, Confirm, Evidence, Memory, Merge, Supersede, Update, short_id

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2026, 12, 1, 3, tzinfo=ZONE)


def claim(text: str, day: str = "2026-11-01", minute: int = 0, **fields: object) -> Claim:
    said = datetime.fromisoformat(f"{day}T10:00:00+08:00") + timedelta(minutes=minute)
    event = short_id("e", text, day, str(minute))
    span = Evidence(event_id=event, quote=text, start=0, end=len(text), ts=said)
    given = {"kind": "fact", "subject": "user", "importance": 60, "confidence": 0.7} | fields
    return msgspec.convert({"text": text, "evidence": [msgspec.to_builtins(span)], **given}, Claim)


def settle(
    claims: Sequence[Claim], known: Sequence[Memory] = (), now: datetime = NOW, dream: str = "d1"
) -> Reconciled:
    return reconcile(
        claims, known, dream_id=dream, space="home", now=now, cosine=lambda _a, _b: None
    )


def after(done: Reconciled, known: Sequence[Memory] = ()) -> dict[str, Memory]:
    """What is known when a plan has been applied."""
    table = {memory.id: memory for memory in known}
    return table | {change.memory_id: change.after for change in done.changes}


def nights(*claims: Claim) -> list[Memory]:
    """One dream for each claim."""
    known: dict[str, Memory] = {}
    for number, one in enumerate(claims):
        known = after(settle([one], list(known.values()), dream=f"d{number}"), list(known.values()))
    return list(known.values())


def live(memories: Sequence[Memory]) -> list[Memory]:
    return [memory for memory in memories if memory.status != "retired"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("我住在阳光小区", "我住在阳光小区"),
        ("用户喜欢苹果", "用户爱吃苹果"),
        ("I hate olives", "I dislike olives."),
    ],
)
def test_the_same_again_is_one_memory_with_two_pieces_of_evidence(first: str, second: str) -> None:
    known = nights(claim(first), claim(second, "2026-11-09"))
    assert len(known) == 1
    assert known[0].text == first
    assert known[0].mention_count == 2
    assert len(known[0].evidence) == 2
    assert known[0].last_seen.day == 9
    assert known[0].first_seen.day == 1
    assert known[0].version == 2


def test_the_fuller_text_stays() -> None:
    short, full = "I play the oboe", "I play the oboe in a quartet on Wednesdays"
    for order in ((short, full), (full, short)):
        known = nights(claim(order[0]), claim(order[1], "2026-11-09"))
        assert [memory.text for memory in known] == [full]
        assert len(known[0].evidence) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SSH 端口 22", "SSH 端口改成 49222 了"),
        ("I love Chinese food", "I hate Chinese food"),
        ("Production deployment is allowed", "Production deployment is not allowed"),
        ("我住在昆明", "我搬到大理了"),
        ("My manager is Petra", "My manager is Ossian"),
        ("周会在周二", "周会改到周四"),
    ],
)
def test_the_newer_one_is_current_and_the_older_one_dated(first: str, second: str) -> None:
    known = nights(claim(first), claim(second, "2026-11-20"))
    old, new = known
    assert (old.status, old.valid_to, old.superseded_by) == ("retired", "2026-11-20", new.id)
    assert old.text == first
    assert (new.status, new.valid_from, new.text) == ("candidate", "2026-11-20", second)


def test_supersede_and_add_are_two_changes_that_name_each_other() -> None:
    known = nights(claim("My manager is Petra"))
    done = settle([claim("My manager is Ossian", "2026-11-20")], known)
    kinds = {type(change): change for change in done.changes}
    assert set(kinds) == {Add, Supersede}
    assert kinds[Supersede].after.superseded_by == kinds[Add].memory_id
    assert "Ossian" in kinds[Supersede].reason
    assert "Petra" in kinds[Add].reason
    assert kinds[Supersede].before == known[0]


def test_what_was_said_earlier_never_overrides_what_is_known() -> None:
    known = nights(claim("I live in Ghent", "2026-11-10"), claim("I live in Namur", "2026-03-04"))
    ghent, namur = known
    assert ghent.status == "candidate"
    assert ghent.valid_from is None
    assert (namur.status, namur.valid_to) == ("retired", "2026-11-10")
    assert namur.superseded_by == ghent.id


def test_order_inside_a_plan_is_that_of_the_events_not_of_the_list() -> None:
    old, new = claim("我住在昆明"), claim("我搬到大理了", "2026-11-20")
    assert settle([old, new]).changes == settle([new, old]).changes
    assert [memory.text for memory in live(list(after(settle([new, old])).values()))] == [new.text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("林在 A 公司任财务", "林管理 A 公司的 GitHub 组织"),
        ("去了咖啡店", "咖啡机修好了"),
        ("我喜欢喝茶", "我喜欢喝咖啡"),
        ("I'm allergic to latex", "I'm allergic to feathers"),
        ("ASR1603 用于手表", "ASR1605 用于网关"),
        ("昨天去了云冈石窟", "昨天去了五台山"),
    ],
)
def test_what_can_stand_together_stays(first: str, second: str) -> None:
    known = nights(claim(first), claim(second, "2026-11-04"))
    assert len(live(known)) == 2
    assert all(memory.superseded_by is None for memory in known)


def test_other_subjects_are_never_touched() -> None:
    known = nights(
        claim("lives in Ghent", subject="Ines"),
        claim("lives in Ghent", "2026-11-04", subject="Tomas"),
        claim("lives in Namur", "2026-11-05", subject="Tomas"),
    )
    ines = [memory for memory in known if memory.subject == "Ines"]
    assert [memory.status for memory in ines] == ["candidate"]
    assert ines[0].version == 1


@pytest.mark.parametrize(
    ("trouble", "end"),
    [("咖啡机坏了", "换了新咖啡机"), ("The dishwasher broke", "Got a new dishwasher")],
)
def test_trouble_and_its_end_are_one_record(trouble: str, end: str) -> None:
    first = nights(claim(trouble))
    done = settle([claim(end, "2026-11-04")], first)
    assert [type(change) for change in done.changes] == [Merge]
    merged = done.changes[0].after
    assert trouble in merged.text
    assert end in merged.text
    assert len(merged.evidence) == 2


def test_a_one_off_stands_beside_the_rule() -> None:
    known = nights(
        claim("以后发报告用 PDF", kind="preference"),
        claim("这次先用 Word", "2026-11-08", kind="preference", standing="one_off"),
    )
    rule, once = known
    assert (rule.status, rule.text, rule.valid_to) == ("candidate", "以后发报告用 PDF", None)
    assert (once.standing, once.expires_at) == ("one_off", "2026-11-15")


def test_an_exception_in_words_becomes_a_one_off() -> None:
    known = nights(
        claim("Never delete logs", kind="rule"),
        claim("Debug logs can be deleted this once", "2026-11-08", kind="rule"),
    )
    assert [memory.standing for memory in known] == ["standing", "one_off"]
    assert known[0].status == "candidate"


def test_not_now_is_not_never() -> None:
    known = nights(
        claim("每周五发周报", kind="rule"),
        claim("周报暂时不要发", "2026-11-08", kind="rule", standing="temporary", negated=True),
    )
    assert [memory.status for memory in known] == ["candidate", "candidate"]
    assert known[1].expires_at == "2026-11-22"


@pytest.mark.parametrize(
    ("fields", "expires"),
    [
        ({"kind": "plan", "standing": "dated", "valid_from": "2026-11-10"}, "2026-11-17"),
        ({"kind": "plan", "standing": "dated", "valid_from": "2026-11-10",
          "valid_to": "2026-11-12"}, "2026-11-19"),
        ({"standing": "temporary", "valid_to": "2026-11-05"}, "2026-11-06"),
        ({"standing": "temporary"}, "2026-11-15"),
        ({"standing": "one_off"}, "2026-11-08"),
        ({"standing": "dated", "valid_from": "2026-10-30"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_what_passes_has_an_end(fields: dict[str, Any], expires: str | None) -> None:
    assert nights(claim("飞杭州", **fields))[0].expires_at == expires


def test_the_same_words_about_another_day_are_another_event() -> None:
    known = nights(
        claim("去健身房", standing="dated", valid_from="2026-11-01"),
        claim("去健身房", "2026-11-05", standing="dated", valid_from="2026-11-05"),
    )
    assert len(known) == 2


def test_a_plan_does_not_end_what_is() -> None:
    known = nights(
        claim("I live in Ghent"),
        claim("I live in Namur from spring", "2026-11-05", kind="plan", standing="dated"),
    )
    assert len(live(known)) == 2


def test_a_pinned_memory_is_left_to_its_owner_and_the_conflict_is_told() -> None:
    known = [msgspec.structs.replace(nights(claim("I live in Ghent"))[0], pinned=True)]
    done = settle([claim("I live in Namur", "2026-11-20")], known)
    assert {type(change) for change in done.changes} == {Add, Update}
    ghent, namur = after(done, known).values()
    assert (ghent.status, ghent.text, ghent.pinned) == ("candidate", known[0].text, True)
    assert (ghent.conflicts_with, namur.conflicts_with) == ((namur.id,), (ghent.id,))


def test_the_same_evidence_is_not_counted_twice() -> None:
    known = nights(claim("我对花生过敏"))
    again = settle([claim("我对花生过敏")], known)
    assert not again.changes
    assert [item.reason for item in again.rejected] == ["these very words were remembered before"]


def test_folding_add_and_confirm_is_one_add_with_two_pieces_of_evidence() -> None:
    done = settle([claim("我对花生过敏"), claim("我对花生过敏", minute=9)])
    assert [type(change) for change in done.changes] == [Add]
    assert len(done.changes[0].after.evidence) == 2
    assert done.changes[0].after.version == 1


def test_folding_update_and_confirm_is_one_update() -> None:
    known = nights(claim("I play the oboe"))
    full = "I play the oboe in a quartet"
    done = settle([claim(full, "2026-11-05"), claim(full, "2026-11-06")], known)
    assert [type(change) for change in done.changes] == [Update]
    assert (done.changes[0].before, done.changes[0].after.mention_count) == (known[0], 3)
    assert done.changes[0].after.version == 2


def test_a_chain_in_one_night_ends_with_one_current_memory() -> None:
    places = ["Ghent", "Namur", "Ostend"]
    claims = [claim(f"I live in {place}", f"2026-11-0{n + 1}") for n, place in enumerate(places)]
    known = after(settle(claims))
    assert [memory.text for memory in live(list(known.values()))] == ["I live in Ostend"]
    ends = [memory.valid_to for memory in known.values()]
    assert ends == ["2026-11-02", "2026-11-03", None]


def test_what_comes_back_is_a_new_memory() -> None:
    known = nights(
        claim("I live in Ghent"),
        claim("I live in Namur", "2026-11-04"),
        claim("I live in Ghent", "2026-11-08"),
    )
    assert [memory.text for memory in live(known)] == ["I live in Ghent"]
    assert len({memory.id for memory in known}) == 3


def test_vectors_are_asked_only_where_two_texts_may_become_one() -> None:
    asked: list[tuple[str, str]] = []

    def cosine(one: str, other: str) -> float:
        asked.append((one, other))
        return 0.8

    known = nights(claim("The spare loom is in the cellar"), claim("My loom squeaks"))
    reconcile(
        [claim("In the cellar there is the spare loom, a heavy one", "2026-11-09")], known,
        dream_id="d", space="home", now=NOW, cosine=cosine,
    )  # fmt: skip
    assert {one for one, _other in asked} <= {"The spare loom is in the cellar"}


def test_ids_do_not_depend_on_the_clock() -> None:
    claims = [claim("我住在昆明"), claim("我搬到大理了", "2026-11-20")]
    early, late = settle(claims), settle(claims, now=NOW + timedelta(days=90))
    assert early.changes == late.changes


def test_a_claim_without_evidence_is_refused_with_a_reason() -> None:
    done = settle([msgspec.structs.replace(claim("x y"), evidence=())])
    assert not done.changes
    assert done.rejected[0].reason == "no evidence"


def test_a_part_of_a_sentence_is_held_by_the_whole() -> None:
    whole = "I pick up Lena at four, so no calls past 15:30"
    one = claim(whole)
    span = msgspec.structs.replace(one.evidence[0], quote=whole[:22], end=22)
    part = msgspec.structs.replace(one, text=whole[:22], evidence=(span,))
    rule = msgspec.structs.replace(one, kind="rule", subject="agent", importance=80)
    for claims in ([part, rule], [rule, part]):
        done = settle(claims)
        assert [change.after.text for change in done.changes] == [whole]
        assert (done.changes[0].after.kind, done.changes[0].after.mention_count) == ("rule", 1)


def test_a_hold_ends_when_it_is_lifted_not_when_the_rule_is_said_again() -> None:
    hold = claim("年度手册先别印", kind="rule", standing="temporary", negated=True)
    lifted = nights(hold, claim("年度手册可以印了", "2026-11-05", kind="rule"))
    assert [memory.status for memory in lifted] == ["retired", "candidate"]
    again = nights(hold, claim("每季度都要印手册", "2026-11-05", kind="rule"))
    assert [memory.status for memory in again] == ["candidate", "candidate"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("乐乐游泳课每周六 10:15，在体育馆", "从下周起乐乐参加社团，校车改到 17:05"),
        ("露营装备预算 800 以内", "以后每月最后一天把账目发我"),
        ("Sensor dumps are stored for 21 days", "The landlord raised the garage fee to $140"),
        ("Dana moved the gateway to port 7071", "Choir moved to 19:40"),
        ("给展览建个清单，布展日 9 月 6 日", "周日修屋顶，师傅改到中午 1 点"),
    ],
)
def test_numbers_and_denials_of_other_things_end_nothing(first: str, second: str) -> None:
    assert len(live(nights(claim(first), claim(second, "2026-11-04")))) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("乐乐的校车现在 16:10 到，奶奶去接", "从下周起乐乐参加社团，校车改到 17:05"),
        (
            "The greenhouse hub answers on port 6021",
            "We moved the greenhouse hub to port 6044, 6021 is gone",
        ),
    ],
)
def test_a_number_of_the_same_attribute_ends_the_old_one(first: str, second: str) -> None:
    assert [m.text for m in live(nights(claim(first), claim(second, "2026-11-04")))] == [second]


PHRASES = [
    "我住在昆明", "我搬到大理了", "我住在昆明", "我喜欢喝茶", "我爱喝茶", "我讨厌喝茶",
    "我喜欢喝茶，尤其是普洱",
    "端口 22", "端口改成 2022 了", "咖啡机坏了", "换了新咖啡机", "这次用 Word",
    "I live in Ghent", "I moved to Namur", "I play chess", "I play chess on Sundays",
    "I no longer play chess", "The limit is 20", "The limit is 35 now",
]  # fmt: skip


@st.composite
def some_claims(draw: st.DrawFn) -> list[Claim]:
    picked = draw(st.lists(st.sampled_from(PHRASES), max_size=9))
    return [
        claim(
            text,
            f"2026-11-{draw(st.integers(1, 28)):02}",
            minute=number,
            subject=draw(st.sampled_from(["user", "Ines"])),
            standing=draw(st.sampled_from(["standing", "standing", "one_off", "temporary"])),
        )
        for number, text in enumerate(picked)
    ]


@settings(max_examples=60, deadline=None)
@given(some_claims(), some_claims())
def test_properties_of_every_plan(first: list[Claim], second: list[Claim]) -> None:
    known = list(after(settle(first)).values())
    done = settle(second, known, dream="d2")
    ids = [change.memory_id for change in done.changes]
    assert len(ids) == len(set(ids)), "at most one change per memory"
    assert len({change.id for change in done.changes}) == len(ids)
    table = after(done, known)
    held = {(s.event_id, s.start) for memory in table.values() for s in memory.evidence}
    for one in [*first, *second]:
        assert {(s.event_id, s.start) for s in one.evidence} <= held, "evidence is never lost"
    for change in done.changes:
        assert change.reason
        assert change.after.dream_id == "d2"
        if not isinstance(change, Add):
            assert change.before in known
            assert set(change.before.evidence) <= set(change.after.evidence)
            assert change.after.version == change.before.version + 1
        if change.after.superseded_by:
            assert change.after.status == "retired"
            assert table[change.after.superseded_by].subject == change.after.subject
    again = settle(second, known, dream="d2")
    assert msgspec.json.encode(again) == msgspec.json.encode(done), "byte for byte"
    repeated = settle(second, list(table.values()), dream="d3").changes
    assert not [c for c in repeated if isinstance(c, Confirm | Add)], "nothing counts twice"
