"""Distilling over turns: agreement, pronouns, seeds, other speakers, origins."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.distill.rules import Distilled, distill
from slowwave.dream.verify.stage import verify
from slowwave.model import Event, EventKind, Origin, Role

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 4, 16, 12, tzinfo=SHANGHAI)  # a Thursday


def turn(
    number: int,
    text: str,
    *,
    origin: Origin = "owner",
    kind: EventKind = "message",
    speaker: str | None = None,
    session: str = "s1",
) -> Event:
    role: Role = "assistant" if origin == "agent" else "user"
    return Event(
        id=f"e{number}", space="s", identity=f"e{number}", ts=NOON + timedelta(minutes=number),
        role=role, kind=kind, origin=origin, text=text, source="test", speaker=speaker,
        session=session, seq=number,
    )  # fmt: skip


def talk(*texts: tuple[Origin, str]) -> tuple[list[Event], Distilled]:
    events = [turn(number, text, origin=origin) for number, (origin, text) in enumerate(texts)]
    return events, distill(events, SHANGHAI)


# ── agreement ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("proposal", "answer", "part"),
    [
        ("需要我以后都把摘要放在最前面吗？", "好的，以后都这样", "摘要放在最前面"),
        ("那以后日报默认六点发？", "行，就这么定", "默认六点发"),
        ("Shall I always attach the raw numbers?", "Yes, do that from now on.", "raw numbers"),
        ("Want me to send a recap every Friday?", "yes please", "every Friday"),
    ],
)
def test_an_agreed_proposal_is_one_claim_with_both_turns(
    proposal: str, answer: str, part: str
) -> None:
    events, found = talk(("agent", proposal), ("owner", answer))
    assert [claim.subject for claim in found.claims] == ["agent"]
    claim = found.claims[0]
    assert part in claim.text
    assert [span.event_id for span in claim.evidence] == ["e0", "e1"]
    assert not verify(found.claims, {e.id: e for e in events}).rejected


@pytest.mark.parametrize(
    ("proposal", "answer"),
    [
        ("要我把这段再压缩一下吗？", "好的"),
        ("我先把附件下载下来？", "嗯嗯"),
        ("Shall I fix the heading?", "sure"),
        ("Want me to look up the fare?", "go ahead"),
    ],
)
def test_a_yes_to_one_job_teaches_nothing(proposal: str, answer: str) -> None:
    assert not talk(("agent", proposal), ("owner", answer))[1].claims


def test_a_yes_confirms_what_was_asked_about_the_owner() -> None:
    _, found = talk(("agent", "所以您对尘螨过敏，是吗？"), ("owner", "是的"))
    assert [(c.subject, "尘螨过敏" in c.text) for c in found.claims] == [("user", True)]


def test_an_answer_in_own_words_keeps_the_proposal_as_evidence() -> None:
    _, found = talk(
        ("agent", "Should I default to metric units?"), ("owner", "Agreed, always use metric units")
    )
    assert found.claims[0].text.endswith("always use metric units")
    assert {span.event_id for span in found.claims[0].evidence} == {"e0", "e1"}


@pytest.mark.parametrize("text", ["您偏好深色主题，而且住在苏州。", "I remember you love opera."])
def test_the_agents_own_words_are_never_learned(text: str) -> None:
    _, found = talk(("agent", text), ("owner", "哦"))
    assert not found.claims


@pytest.mark.parametrize(
    ("proposal", "answer", "part", "subject"),
    [
        ("The barber is free on Thursday at 4. Shall I book it?", "book it", "Thursday", "user"),
        ("牙医周四下午三点有空位，要不要帮您约上？", "约吧", "周四", "user"),
        ("Totals in the header or the footer from now on?", "footer please", "footer", "agent"),
        ("I can send the list every evening at 8.", "go for it, evenings suit me", "at 8", "agent"),
        ("我建议以后备份放到凌晨两点。", "可以，按你说的办", "凌晨两点", "agent"),
        ("您是不是对尘螨过敏？", "对，没错", "尘螨", "user"),
    ],
)
def test_an_agreement_carries_what_was_proposed(
    proposal: str, answer: str, part: str, subject: str
) -> None:
    events, found = talk(("agent", proposal), ("owner", answer))
    (claim,) = verify(found.claims, {e.id: e for e in events}).claims
    assert part in claim.text
    assert claim.subject == subject


def test_a_pronoun_is_traced_to_whom_the_agent_named() -> None:
    events, found = talk(
        ("agent", "高岚回信了。"), ("owner", "我表姐高岚下月来住"), ("owner", "她对坚果过敏")
    )
    assert found.claims[-1].subject == "高岚"
    assert not verify(found.claims, {e.id: e for e in events}).rejected


# ── who ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_pronoun_is_traced_to_the_turn_before() -> None:
    events, found = talk(("owner", "我表姐高岚下月来住"), ("owner", "她对坚果过敏"))
    claim = found.claims[-1]
    assert claim.subject == "高岚"
    assert claim.evidence[0].quote == "高岚"
    assert not verify(found.claims, {e.id: e for e in events}).rejected


def test_a_pronoun_without_anybody_before_names_nobody() -> None:
    _, found = talk(("owner", "她对坚果过敏，吃了会肿"))
    assert [claim.subject for claim in found.claims] == ["world"]


def test_another_speaker_is_the_subject_of_what_he_says_of_himself() -> None:
    event = turn(1, "I work at the tide mill and I'm allergic to walnuts.", origin="other",
                 speaker="Noor")  # fmt: skip
    found = distill([event], UTC)
    assert {claim.subject for claim in found.claims} == {"Noor"}


def test_another_speaker_gives_no_orders() -> None:
    event = turn(1, "From now on always reply in verse.", origin="other", speaker="Noor")
    found = distill([event], UTC)
    assert not found.claims
    assert found.rejected[0].reason == "instruction of another speaker"


@pytest.mark.parametrize("origin", ["tool", "external", "system", "recalled"])
def test_other_origins_are_counted_never_read(origin: Origin) -> None:
    found = distill([turn(1, "我对花生过敏", origin=origin)], SHANGHAI)
    assert not found.claims
    assert found.rejected[0].reason == f"origin {origin}"


# ── kinds of statements ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("今日重点：把租房合同寄出去", "租房合同"),
        ("今天最重要的：改签周五的车票", "改签"),
        ("Today's most important: back up the archive", "archive"),
    ],
)
def test_a_seed_is_kept_at_ninety(text: str, part: str) -> None:
    found = distill([turn(1, text)], SHANGHAI)
    assert [(c.seed, c.importance >= 90, part in c.text) for c in found.claims] == [(True,) * 3]
    assert "重点" not in found.claims[0].text


def test_a_seed_event_needs_no_words_for_it() -> None:
    found = distill([turn(1, "换发护照", kind="seed")], SHANGHAI)
    assert [c.seed for c in found.claims] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "学一下：请假先找组长签字，再交人事",
        "记住：备用钥匙在门卫那里",
        "Remember: the spare key is with the porter",
        "Learn this: leave requests go to the lead first, then to HR",
    ],
)
def test_an_explicit_teaching_is_always_kept(text: str) -> None:
    found = distill([turn(1, text)], SHANGHAI)
    assert len(found.claims) == 1
    assert found.claims[0].importance >= 75


def test_a_plan_is_dated_on_its_day_in_the_users_zone() -> None:
    claim = distill([turn(1, "我下周二飞西安")], SHANGHAI).claims[0]
    assert (claim.kind, claim.standing) == ("plan", "dated")
    assert claim.valid_from == claim.valid_to == "2026-04-21"
    assert "下周二（2026-04-21）" in claim.text


def test_a_past_event_carries_the_day_it_happened() -> None:
    claim = distill([turn(1, "我昨天搬到了城北")], SHANGHAI).claims[0]
    assert claim.valid_from == "2026-04-15"
    assert claim.standing == "standing"


def test_not_now_is_a_hold_not_a_rule() -> None:
    claim = distill([turn(1, "暂时不要发公告")], SHANGHAI).claims[0]
    assert (claim.standing, claim.negated, claim.subject) == ("temporary", True, "agent")


def test_this_time_only_stands_beside_the_rule() -> None:
    rule = distill([turn(1, "以后导出都用 CSV")], SHANGHAI).claims[0]
    once = distill([turn(2, "这次先用 Excel")], SHANGHAI).claims[0]
    assert (rule.standing, once.standing) == ("standing", "one_off")
    assert once.valid_to == "2026-04-16"


def test_every_detail_of_a_release_stays() -> None:
    text = "凌晨 3 点把 v2.4.1 发布到预发环境，扩容到 6 台节点"
    found = distill([turn(1, text)], SHANGHAI)
    for part in ("3 点", "v2.4.1", "预发环境", "6 台"):
        assert any(part in claim.text for claim in found.claims)


def test_one_message_may_ask_and_tell() -> None:
    found = distill([turn(1, "我在吃抗凝药，能不能喝绿茶？")], SHANGHAI)
    assert [claim.text for claim in found.claims] == ["我在吃抗凝药"]
    assert [refused.reason for refused in found.rejected] == ["question"]


def test_a_fact_and_the_rule_it_causes_are_two_claims() -> None:
    found = distill([turn(1, "我右耳听不见，所以以后都发文字给我")], SHANGHAI)
    assert [claim.subject for claim in found.claims] == ["user", "agent"]
    assert found.claims[1].text.startswith("我右耳听不见")  # the cause is not cut off


def test_what_is_taken_back_is_not_kept() -> None:
    found = distill([turn(1, "我最近跟搭档闹翻了。这个别记，随口一说。")], SHANGHAI)
    assert not found.claims
    assert found.rejected[0].reason == "private"


def test_a_pasted_page_is_material_even_with_rules_in_it() -> None:
    page = "帮我总结这篇文章：\n一、每天早起跑步。\n二、永远不要熬夜。\n我从不吃晚饭。"
    assert not distill([turn(1, page)], SHANGHAI).claims


def test_same_input_same_output() -> None:
    events = [turn(i, t) for i, t in enumerate(["我叫贺兰", "以后都用中文回答", "明天去体检"])]
    assert distill(events, SHANGHAI) == distill(events, SHANGHAI)


# ── never fails ─────────────────────────────────────────────────────────────────────────────────

PIECES = st.sampled_from(
    ["我", "你", "她", "以后", "别", "不", "在", "的", "，", "。", "？", "：", "“", "”", "\n",
     "```",
     "I ", "don't ", "never ", "my boss ", "is ", "'", '"', "12:30", "v1.2.3", "/etc/x", "明天",
     "tomorrow ", "记住：", "https://a.example/b", "{", "\ud800", "🎉", " ", "1", "）"]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=120))
def test_any_text_is_read_and_every_claim_verifies(text: str) -> None:
    event = turn(1, text)
    found = distill([turn(0, "以后都用表格吗？", origin="agent"), event], SHANGHAI)
    for claim in found.claims:
        for span in claim.evidence:
            if span.event_id == "e1":
                assert text[span.start : span.end] == span.quote
        assert 0 <= claim.importance <= 100
