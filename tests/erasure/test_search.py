"""What belongs to a fact: found before anything is changed."""

from datetime import timedelta

import msgspec
import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.erasure import Target, find_all
from slowwave.errors import UsageError
from slowwave.model import Event
from slowwave.testing.samples import MORNING, add, dream, event, quoting

NOW = MORNING + timedelta(days=1)


def store_of(*texts: str) -> tuple[InMemoryStore, list[Event]]:
    store = InMemoryStore()
    return store, list(store.append([event(text) for text in texts]).stored)


def forget(store: InMemoryStore, memory_id: str) -> list[str]:
    target = Target(memory_ids=frozenset([memory_id]))
    return [one.remains for one in find_all(store, "alder", target, NOW).events]


def test_the_whole_sentence_goes_when_nothing_else_rests_on_it() -> None:
    text = "We met Odile. Since the operation in May I take Varnolin, 40 mg a day. Nice weather!"
    store, [source] = store_of(text)
    start = text.index("I take")
    fact = quoting(source, start, text.index(", 40"))
    store.commit(dream(add(fact)), [], MORNING)
    assert forget(store, fact.id) == ["We met Odile. [forgotten]. Nice weather!"]


def test_the_words_alone_go_when_another_memory_rests_on_the_sentence() -> None:
    text = "I take Varnolin every day and my doctor is Bertil Krans in Turku"
    store, [source] = store_of(text)
    fact = quoting(source, 0, text.index(" and"))
    doctor = quoting(source, text.index("my doctor"))
    store.commit(dream(add(fact), add(doctor)), [], MORNING)
    assert forget(store, fact.id) == ["[forgotten] and my doctor is Bertil Krans in Turku"]


def test_an_answer_such_as_yes_is_no_word_to_look_for() -> None:
    proposal = "Shall I always send the invoices to Bertil Krans?"
    store, [asked, agreed, other] = store_of(proposal, "yes, do that", "Yes, do that with the tea")
    fact = quoting(asked)
    both = (*fact.evidence, *quoting(agreed).evidence)
    fact = msgspec.structs.replace(fact, evidence=both)
    store.commit(dream(add(fact)), [], MORNING)
    plan = find_all(store, "alder", Target(memory_ids=frozenset([fact.id])), NOW)
    assert {one.id for one in plan.events} == {asked.id, agreed.id}
    assert other.id not in {one.id for one in plan.events}


def test_an_event_goes_with_its_facts_and_no_greeting_of_others() -> None:
    told = "Good morning, how are you today? My landlord is Bertil Krans."
    store, [source, greeting] = store_of(told, "Good morning, how are you today?")
    fact = quoting(source, told.index("My"))
    store.commit(dream(add(fact)), [], MORNING)
    plan = find_all(store, "alder", Target(event_ids=frozenset([source.id])), NOW)
    assert [one.id for one in plan.events] == [source.id]
    assert [one.id for one in plan.memories] == [fact.id]
    assert greeting.id not in {one.id for one in plan.events}


def test_names_of_sessions_are_told_and_left() -> None:
    store = InMemoryStore()
    store.append([event("hello there", session="chat with Odile"), event("Odile called")])
    plan = find_all(store, "alder", Target(literal="odile"), NOW)
    assert len(plan.events) == 1
    assert plan.names == 1


@pytest.mark.parametrize("text", [" ", "x", "。", "\u200b\n"])
def test_a_text_too_short_to_look_for_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        find_all(InMemoryStore(), "alder", Target(literal=text), NOW)


def test_looking_changes_nothing() -> None:
    store, [source] = store_of("My landlord is Bertil Krans")
    fact = quoting(source)
    store.commit(dream(add(fact)), [], MORNING)
    before = (store.events_after("alder", 0, 9), store.memories("alder"), store.dreams("alder"))
    find_all(store, "alder", Target(memory_ids=frozenset([fact.id])), NOW)
    after = (store.events_after("alder", 0, 9), store.memories("alder"), store.dreams("alder"))
    assert before == after


def test_the_word_user_does_not_mean_every_memory_about_the_user() -> None:
    store, [source] = store_of("My landlord is Bertil Krans")
    fact = quoting(source)
    store.commit(dream(add(fact)), [], MORNING)
    assert find_all(store, "alder", Target(literal="user"), NOW).empty


BIRTHDAY = "阿沅的生日是3月9号"
ROOT = "My sister's birthday is on June 5"


@pytest.mark.parametrize(
    ("told", "until", "remains"),
    [
        (f"{BIRTHDAY}，帮我挑个花瓶，两百以内", BIRTHDAY, "[forgotten]，帮我挑个花瓶，两百以内"),
        ("对了，阿沅的生日是3月9号，别忘了", BIRTHDAY, ""),
        ("阿沅的生日是3月9号；窑炉周五送修", BIRTHDAY, "[forgotten]；窑炉周五送修"),
        (f"{ROOT}, please find a vase below 40 euros", ROOT,
         "[forgotten], please find a vase below 40 euros"),
        (f"{ROOT}, and my kiln is being repaired on Friday", ROOT,
         "[forgotten], and my kiln is being repaired on Friday"),
        ("I am allergic to mussels, they make me ill", "I am allergic to mussels", ""),
        ("I am allergic to mussels, so no paella for me", "I am allergic to mussels", ""),
    ],
)  # fmt: skip
def test_an_event_that_holds_more_is_cut(told: str, until: str, remains: str) -> None:
    store, [source] = store_of(told)
    at = told.index(until)
    fact = quoting(source, at, at + len(until))
    fact = msgspec.structs.replace(fact, text=until)
    store.commit(dream(add(fact)), [], MORNING)
    assert forget(store, fact.id) == [remains]


@pytest.mark.parametrize(
    ("fact", "other"),
    [
        (BIRTHDAY, "订了9号晚上六点的包间，靠窗，三个人，给阿沅过生日"),
        (BIRTHDAY, "阿沅3月9号要去泉州送货"),
        (BIRTHDAY, "给阿沅过生日那天要带蛋糕"),
        (ROOT, "I booked a boat for my sister's birthday on June 5, four people"),
        (ROOT, "My sister flies to Turku on June 5"),
        ("Odile's rent is 940 euros", "Odile paid 940 euros for the kiln"),
    ],
)
def test_what_shares_names_and_dates_only_stays(fact: str, other: str) -> None:
    store, [source, booked] = store_of(fact, other)
    named, stays = quoting(source), quoting(booked)
    store.commit(dream(add(named), add(stays)), [], MORNING)
    plan = find_all(store, "alder", Target(memory_ids=frozenset([named.id])), NOW)
    assert [one.id for one in plan.events] == [source.id]
    assert (plan.memories, plan.also) == ((named,), ())


def test_the_same_said_again_goes_and_is_listed() -> None:
    store, [source, again, third] = store_of(
        BIRTHDAY, "3月9号是阿沅生日", "阿沅9号过生日，订了包间，靠窗，三个人"
    )
    named, copy, stays = quoting(source), quoting(again), quoting(third)
    store.commit(dream(add(named), add(copy), add(stays)), [], MORNING)
    plan = find_all(store, "alder", Target(memory_ids=frozenset([named.id])), NOW)
    assert (plan.memories, plan.also[:1]) == ((named,), (copy,))
    assert {copy.text, named.text} <= {one.text for one in plan.others}
