"""What a model may decide of two statements in reconcile, and what the guard forbids it."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.reconcile.bench import Bench
from slowwave.dream.reconcile.judge.rulings import (
    Doubt,
    Meeting,
    Relation,
    Ruling,
    end_forbidden,
    merge_forbidden,
)
from slowwave.dream.reconcile.stage import Reconciled, reconcile, reconcile_ruled
from slowwave.model import Claim, Evidence, Memory, short_id

ZONE = timezone(timedelta(hours=2))
NOW = datetime(2033, 5, 20, 3, tzinfo=ZONE)


def claim(text: str, day: str = "2033-05-02", **fields: Any) -> Claim:
    said = datetime.fromisoformat(f"{day}T10:00:00+02:00")
    span = Evidence(event_id=short_id("e", text, day), quote=text, start=0, end=len(text), ts=said)
    given = {"kind": "fact", "subject": "user", "importance": 60, "confidence": 0.7} | fields
    return msgspec.convert({"text": text, "evidence": [msgspec.to_builtins(span)], **given}, Claim)


def near(_one: str, _other: str) -> float:
    """An embedder to which all is a paraphrase."""
    return 0.94


def known_from(first: Claim) -> list[Memory]:
    done = reconcile([first], [], dream_id="d0", space="home", now=NOW, cosine=near)
    return [change.after for change in done.changes]


def run(
    known: Sequence[Memory], second: Claim, rulings: Mapping[str, Ruling] | None = None
) -> Reconciled:
    bench = Bench(known, "d1", "home", NOW)
    return reconcile_ruled(bench, [second], near, rulings or {})


def ruled(
    first: str, second: str, relation: Relation, given: Any = (), later: Any = ()
) -> tuple[Reconciled, list[Memory]]:
    """Two statements, and a model that says the same whatever it is asked about."""
    known = known_from(claim(first, **dict(given)))
    two = claim(second, "2033-05-03", **dict(later))
    open_ = run(known, two)
    ruling = Ruling(relation, "oracle", "0123456789abcdef")
    return run(known, two, {doubt.key: ruling for doubt in open_.doubts}), known


def ops(done: Reconciled) -> list[tuple[str, str]]:
    return [(change.op, change.after.text) for change in done.changes]


def meeting(first: str, second: str, given: Any = (), later: Any = ()) -> Meeting:
    (known,) = known_from(claim(first, **dict(given)))
    two = claim(second, "2033-05-03", **dict(later))
    return Meeting.of(two, known, datetime.fromisoformat("2033-05-03T10:00:00+02:00"), 0.94)


# ── what it decides ─────────────────────────────────────────────────────────────────────────────

SAME = [
    ("I keep bees behind the barn", "Behind our barn there are my beehives"),
    ("My alarm rings at half past five", "Half past five is when my alarm goes"),
    ("我在码头边开了一家面馆", "码头边上那家面馆是我开的"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_the_same_in_other_words_is_one_memory(first: str, second: str) -> None:
    assert run(known_from(claim(first)), claim(second, "2033-05-03")).doubts
    done, _ = ruled(first, second, "same")
    (change,) = done.changes
    assert change.op in ("confirm", "update")
    assert change.reason.startswith("judged by oracle (question 0123456789ab): they say the same")
    assert change.scores["judged"] == 1.0
    assert len(change.after.evidence) == 2


def test_the_same_and_more_loses_no_detail() -> None:
    first, second = "I drive a blue Skoda", "The Skoda that I drive is blue and has 90,000 km on it"
    done, _ = ruled(first, second, "richer")
    (change,) = done.changes
    assert "90,000" in change.after.text
    assert "blue" in change.after.text
    # What each says of its own is kept in both wordings.
    done, _ = ruled("I keep bees behind the barn", "My bees gave 40 kilos of honey", "richer")
    if done.ruled:
        assert ops(done) == [
            ("merge", "I keep bees behind the barn; My bees gave 40 kilos of honey")
        ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I rent a room in Tallinn", "The flat in Narva is mine now and all my boxes are there"),
        ("I'm single", "Tom and I got married"),
        ("我单身", "我和小林领证了"),
        ("I drive to work", "I sold the car, the train takes me there now"),
    ],
)
def test_a_contradiction_without_a_word_for_it_ends_the_older(first: str, second: str) -> None:
    done, known = ruled(first, second, "contradicts")
    if not done.ruled:  # the rules are sure of it by themselves
        return
    table = {change.op: change for change in done.changes}
    gone = table["supersede"]
    assert (gone.after.text, gone.after.status) == (first, "retired")
    assert gone.after.superseded_by == table["add"].memory_id
    assert "judged by oracle" in gone.reason
    assert "judged by oracle" in table["add"].reason
    assert gone.after.evidence == known[0].evidence


@pytest.mark.parametrize("relation", ["same", "richer"])
def test_a_liking_does_not_vanish_in_a_merge(relation: Relation) -> None:
    hate, plain = "I hate rehearsals", "I have a rehearsal at noon"
    done, _ = ruled(hate, plain, relation)
    assert not [one for one in done.changes if one.op == "update" and "hate" not in one.after.text]
    done, _ = ruled(plain, hate, relation)
    assert not [one for one in done.changes if one.op == "confirm"]


def test_new_leaves_both() -> None:
    for first, second in SAME:
        done, _ = ruled(first, second, "new")
        assert ops(done) == [("add", second)]


# ── the guard ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("first", "second", "given", "later"),
    [
        ("My locker is number 31", "The locker I have is number 13", (), ()),
        ("I eat fish", "I don't eat fish", (), ()),
        ("Send the draft to Petra", "Never send the draft to Petra", (), ()),
        ("I always lock the shed", "I never lock the shed", (), ()),
        ("My brother keeps bees", "My sister keeps bees", (), ()),
        ("Oda runs the bakery", "Pavel runs the bakery", (), ()),
        ("I keep bees", "I might keep bees", (), ()),
        ("我养蜂", "我打算养蜂", (), ()),
        ("Don't mail the client", "Don't mail the client for now", (), {"standing": "temporary"}),
        ("Reports as PDF", "The report as PDF", (), {"standing": "one_off"}),
        ("I run in the park", "I run in the park", {"valid_from": "2033-05-02", "kind": "plan"},
         {"valid_from": "2033-05-09", "kind": "plan"}),
        ("Pump 2 leaks", "Pump 3 leaks", (), ()),
        ("会议在三号楼", "会议在五号楼", (), ()),
        ("我不喝酒", "我喝酒", (), ()),
        ("We need six chairs", "We need eight chairs", (), ()),
        ("I took the ferry", "I take the ferry", (), ()),
        ("I take my tea plain", "I take my tea with honey", (), ()),
        ("The test cluster runs Ceph", "The main cluster runs Ceph", (), ()),
        ("I like my eggs soft", "I like my eggs scrambled", (), ()),
        ("快递交给李姐", "快递现在交给小孙", (), ()),
        ("先别给房东打钱，暂时不要打", "不要给房东打钱", (), ()),
        ("我爱吃粽子", "我爱吃汤圆", (), ()),
    ],
)  # fmt: skip
def test_no_model_merges_what_the_guard_forbids(
    first: str, second: str, given: Any, later: Any
) -> None:
    assert merge_forbidden(meeting(first, second, given, later))
    for relation in ("same", "richer"):
        done, _ = ruled(first, second, relation, given, later)
        assert not [one for one in done.changes if "judged" in one.reason]


@pytest.mark.parametrize(
    ("first", "second", "given", "later"),
    [
        ("I live in Tallinn", "I might move to Narva one day", (), ()),
        ("I live in Tallinn", "My cousin lives in Narva", (), {"subject": "Mari"}),
        ("I felt great about the exam", "I feel awful", {"kind": "emotion"}, {"kind": "emotion"}),
        ("I went to Narva last week", "I stayed in Tallinn", (), ()),
        ("I live in Tallinn, I'm allergic to figs", "Narva is my home now", (), ()),
        ("I keep bees behind the barn", "I keep bees behind the barn, near the creek", (), ()),
        ("The test cluster runs Ceph", "The main cluster runs Ceph", (), ()),
        ("I like plum jam", "I like quince jam", (), ()),
    ],
)
def test_no_model_ends_what_the_guard_protects(
    first: str, second: str, given: Any, later: Any
) -> None:
    assert end_forbidden(meeting(first, second, given, later))


def test_what_the_owner_pinned_no_model_ends() -> None:
    (known,) = known_from(claim("I rent a room in Tallinn"))
    pinned = msgspec.structs.replace(known, pinned=True)
    two = claim("The flat in Narva is mine now and all my boxes are there", "2033-05-03")
    done = run([pinned], two)
    ruling = Ruling("contradicts", "oracle", "q")
    done = run([pinned], two, {doubt.key: ruling for doubt in done.doubts})
    assert not [change for change in done.changes if change.op == "supersede"]


def test_what_was_said_before_ends_nothing() -> None:
    known = known_from(claim("The flat in Narva is mine now and all my boxes are there"))
    two = claim("I rent a room in Tallinn", "2033-04-01")
    done = run(known, two)
    ruling = Ruling("contradicts", "oracle", "q")
    done = run(known, two, {doubt.key: ruling for doubt in done.doubts})
    assert not [change for change in done.changes if change.op == "supersede"]


def test_a_veto_is_counted_and_the_rules_decide() -> None:
    first, second = SAME[0]
    known = known_from(claim(first))
    two = claim(second, "2033-05-03")
    (doubt,) = run(known, two).doubts
    # A memory that was pinned after the model was asked.
    pinned = [msgspec.structs.replace(known[0], pinned=True)]
    done = run(pinned, two, {doubt.key: Ruling("contradicts", "oracle", "q")})
    assert ops(done) == [("add", second)]
    assert [(one.stage, one.reason) for one in done.rejected] == [
        ("judge", "no end by the model: the owner pinned it")
    ]


# ── the rules alone ─────────────────────────────────────────────────────────────────────────────


def test_what_the_rules_are_sure_of_is_not_asked() -> None:
    for first, second in (
        ("I keep bees behind the barn", "I keep bees behind the barn"),
        ("My rent is 900 euros", "My rent is 950 euros now"),
        ("I live in Tallinn", "I moved to Narva, I don't live in Tallinn any more"),
    ):
        assert run(known_from(claim(first)), claim(second, "2033-05-03")).doubts == ()


def test_one_message_is_never_asked_about_itself() -> None:
    text = "I keep bees behind the barn. Behind our barn there are my beehives."
    first = claim("I keep bees behind the barn")
    span = msgspec.structs.replace(first.evidence[0], event_id="one")
    first = msgspec.structs.replace(first, evidence=(span,))
    other = msgspec.structs.replace(
        claim("Behind our barn there are my beehives"),
        evidence=(msgspec.structs.replace(span, quote=text[29:], start=29, end=len(text)),),
    )
    assert run(known_from(first), other).doubts == ()


TEXTS = st.sampled_from([text for pair in SAME for text in pair] + [
    "I eat fish", "I don't eat fish", "My locker is number 31", "我不喝酒", "I moved to Narva",
])  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5, unique=True))
def test_without_rulings_the_plan_is_that_of_the_rules(said: list[str]) -> None:
    claims = [claim(text, f"2033-05-{day:02}") for day, text in enumerate(said, start=1)]
    plain = reconcile(claims, [], dream_id="d1", space="home", now=NOW, cosine=near)
    bench = Bench([], "d1", "home", NOW)
    open_ = reconcile_ruled(bench, claims, near, {})
    assert open_.changes == plain.changes
    assert open_.rejected == plain.rejected
    assert plain.doubts == ()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(TEXTS, min_size=2, max_size=5, unique=True),
    st.sampled_from(["same", "richer", "contradicts", "new"]),
)
def test_whatever_a_model_rules_no_words_are_lost(said: list[str], relation: Relation) -> None:
    """Each claim's quote is evidence of a memory, live or retired with a successor."""
    claims = [claim(text, f"2033-05-{day:02}") for day, text in enumerate(said, start=1)]
    ruling = Ruling(relation, "oracle", "q")

    class Always(dict[str, Ruling]):
        def get(self, _key: str, _default: Any = None) -> Any:
            return ruling

    done = reconcile_ruled(Bench([], "d1", "home", NOW), claims, near, Always())
    spans = {span for change in done.changes for span in change.after.evidence}
    assert {one.evidence[0] for one in claims} <= spans
    for change in done.changes:
        assert change.after.status != "retired" or change.after.superseded_by


def test_a_doubt_tells_what_is_asked() -> None:
    first, second = SAME[1]
    (doubt,) = run(known_from(claim(first)), claim(second, "2033-05-03")).doubts
    assert isinstance(doubt, Doubt)
    assert (doubt.known, doubt.new, doubt.about) == (first, second, "user")
    assert (doubt.seen, doubt.said) == ("2033-05-02", "2033-05-03")
    assert 0 < doubt.chance <= 1
