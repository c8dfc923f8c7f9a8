"""Working memory: opened by hand or by a dream, closed by what was said, stalled by silence."""

from datetime import datetime, timedelta

import msgspec
import pytest

from slowwave import working
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.errors import InputError, NotFound
from slowwave.model import WorkItem
from slowwave.settings import zone_of
from slowwave.testing import samples
from slowwave.testing.samples import MORNING
from slowwave.working import following
from slowwave.working.scan import MOST_TASKS, scan

NOW = datetime(2031, 3, 15, 9, tzinfo=zone_of("Asia/Shanghai"))


def item(text: str, days_ago: int = 3) -> WorkItem:
    when = NOW - timedelta(days=days_ago)
    return WorkItem(id="w1", text=text, state="open", opened=when, touched=when)


def state(text: str, *said: str, days_ago: int = 3, origin: str = "owner") -> str:
    """The state of an item after these words of today."""
    events = [samples.event(words, ts=NOW, origin=origin) for words in said]
    changed = scan([item(text, days_ago)], [], events, NOW)
    return changed[0].state if changed else "open"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("写季度总结", "季度总结终于写完了"),
        ("写季度总结", "上午开会。季度总结交了，下午补觉"),
        ("把报名表交给学校", "报名表已经交给学校了"),
        ("续保车险", "车险续保办好了"),
        ("Finish the kiln manual", "I finished the kiln manual last night"),
        ("submit the tax return", "Tax return submitted, finally"),
        ("Book the venue for the reunion", "The reunion venue is booked"),
    ],
)
def test_what_was_said_to_be_finished_is_done(text: str, said: str) -> None:
    assert state(text, said) == "done"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("写季度总结", "季度总结还没写完"),
        ("写季度总结", "季度总结快写完了"),
        ("写季度总结", "季度总结写完了吗？"),
        ("写季度总结", "年度预算写完了"),
        ("Finish the kiln manual", "I haven't finished the kiln manual"),
        ("Finish the kiln manual", "the kiln manual is almost finished"),
        ("Finish the kiln manual", "Is the kiln manual finished?"),
        ("Finish the kiln manual", "When the kiln manual is finished I will rest"),
        ("Finish the kiln manual", "I finished the crossword"),
    ],
)
def test_what_is_not_finished_stays_open(text: str, said: str) -> None:
    assert state(text, said) == "open"


def test_only_the_owner_can_say_so() -> None:
    assert state("写季度总结", "季度总结写完了", origin="agent") == "open"


def test_two_weeks_of_silence_stall_an_item_and_a_word_wakes_it() -> None:
    assert state("Finish the kiln manual", days_ago=14) == "open"
    assert state("Finish the kiln manual", days_ago=15) == "stalled"
    assert state("Finish the kiln manual", "back to the kiln manual today", days_ago=40) == "open"


def test_a_dream_opens_projects_and_plans_of_the_owner_once() -> None:
    kinds = {"project": None, "plan": None, "fact": None}
    memories = [samples.memory(f"The {kind} of the week", kind=kind) for kind in kinds]
    dated = samples.memory("Fly to Oslo", kind="plan", valid_from="2031-03-18")
    over = samples.memory("Old kiln", kind="project", status="retired")
    others = samples.memory("Lena's treehouse project", kind="project", subject="Lena")
    given = [*memories, dated, over, others]
    opened = scan([], given, [], NOW)
    assert {one.text: one.due for one in opened} == {
        "The plan of the week": "", "The project of the week": "", "Fly to Oslo": "2031-03-18",
    }  # fmt: skip
    assert scan(opened, given, [], NOW) == []


@pytest.mark.parametrize(
    "text",
    [
        "驾照九月到期，提醒我八月去换", "Remind me to descale the kettle",
        "得给物业打个电话", "I need to ring the chimney sweep",
        "那幅版画还没刻完，周末接着刻", "I still have to finish the quilt for Ines",
        "要去订一批滤纸", "We should order more beeswax",
        "todo: send the floor plan to Hugo", "还没给窗帘下单", "绘本还差三页",
        "the hinge still needs oiling",
        "I'm working on the attic conversion", "我最近在筹备社区的旧书市集",
    ],
)  # fmt: skip
def test_what_the_owner_says_is_still_to_do_is_open(text: str) -> None:
    said = samples.event(text, ts=NOW)
    [opened] = scan([], [], [said], NOW)
    assert (opened.text, opened.state, opened.event_id) == (text, "open", said.id)
    assert scan([opened], [], [said], NOW) == []
    assert scan([], [], [samples.event(text, ts=NOW, origin="agent")], NOW) == []


@pytest.mark.parametrize(
    "text",
    [
        "I need to know the boiling point of lead", "我得说这家店的汤真不错",
        "Do I need to sand it first?",         "如果下雨就要收衣服", "每周都要给院子浇水",
        "My cousin needs to renew her permit",
        "他要去订一批滤纸", "以后别提醒我换滤芯",
        "Please don't remind me to stretch", "I had to descale the kettle",
        "需要你帮我写一段代码", "应该没问题",
    ],
)  # fmt: skip
def test_what_is_no_task_of_the_owner_opens_nothing(text: str) -> None:
    assert scan([], [], [samples.event(text, ts=NOW)], NOW) == []


def test_what_a_memory_says_is_not_opened_twice() -> None:
    said = samples.event("I need to ring the chimney sweep", ts=NOW)
    for kind, opened in (("plan", 1), ("rule", 0), ("fact", 1)):
        memory = samples.quoting(said, kind=kind)
        found = scan([], [memory], [said], NOW)
        assert len(found) == opened
    again = samples.event("must ring that chimney sweep today", ts=NOW + timedelta(days=1))
    [first] = scan([], [], [said], NOW)
    [touched] = scan([first], [], [again], NOW + timedelta(days=1))
    assert (touched.id, touched.touched) == (first.id, again.ts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("驾照九月到期，提醒我八月去换", "驾照换好了"),
        ("得给物业打个电话", "给物业打了电话，下周来修"),
        ("那幅版画还没刻完，周末接着刻", "版画终于刻完了"), ("要去订一批滤纸", "滤纸订好了"),
        ("I need to ring the chimney sweep", "I rang the chimney sweep this morning"),
        ("We should order more beeswax", "ordered the beeswax"),
        ("Remind me to renew the parking permit", "The parking permit is renewed"),
        ("todo: send the floor plan to Hugo", "I've sent Hugo the floor plan"),
    ],
)  # fmt: skip
def test_the_very_verb_of_an_item_closes_it(text: str, said: str) -> None:
    assert state(text, said) == "done"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("驾照九月到期，提醒我八月去换", "驾照还没换"), ("得给物业打个电话", "物业换了经理"),
        ("要去订一批滤纸", "滤纸快用完了"), ("We should order more beeswax", "beeswax smells good"),
        ("I need to ring the chimney sweep", "I'll ring the chimney sweep once the snow melted"),
        ("Remind me to renew the parking permit", "I renewed my library card"),
    ],
)  # fmt: skip
def test_other_words_about_it_leave_it_open(text: str, said: str) -> None:
    assert state(text, said) == "open"


def test_a_project_is_spoken_of_by_its_parts_or_its_name() -> None:
    text = "The Heron project: parser, crawler, storage, report pages and a small admin tool"
    for said in ("the crawler and the storage take long", "Heron again, all day"):
        assert state(text, said, days_ago=40) == "open"
    assert state(text, "all day in the garden", days_ago=40) == "stalled"


def test_a_day_that_passes_without_a_word_stalls_a_plan_and_a_far_day_keeps_it_open() -> None:
    memory = samples.memory("Hand in the tax form", kind="plan", valid_from="2031-03-14",
                            valid_to="2031-03-14")  # fmt: skip
    [opened] = scan([], [memory], [], NOW - timedelta(days=1))
    [late] = scan([opened], [], [], NOW)
    assert (opened.state, late.state) == ("open", "stalled")
    done = samples.event("I handed in the tax form", ts=NOW)
    [over] = scan([late], [], [done], NOW)
    assert over.state == "done"
    far = msgspec.structs.replace(opened, due="2031-09-01")
    assert scan([far], [], [], NOW + timedelta(days=60)) == []


@pytest.mark.parametrize(
    "text", ["驾照九月到期，提醒我八月去换", "Remind me in August to descale the kettle"]
)
def test_a_task_for_a_far_day_does_not_stall_before_it(text: str) -> None:
    [opened] = scan([], [], [samples.event(text, ts=NOW)], NOW)
    assert opened.due >= "2031-08-31"
    assert scan([opened], [], [], NOW + timedelta(days=100)) == []
    [late] = scan([opened], [], [], NOW + timedelta(days=240))
    assert late.state == "stalled"
    [near] = scan([], [], [samples.event("周末要去订一批滤纸", ts=NOW)], NOW)
    assert near.due == ""


def test_a_plan_whose_time_passed_is_stalled_and_one_that_was_ended_is_done() -> None:
    memory = samples.memory("Hand in the tax form", kind="plan", valid_to="2031-03-14")
    opened = scan([], [memory], [], MORNING)
    over = msgspec.structs.replace(memory, status="retired")
    assert [one.state for one in scan(opened, [over], [], NOW)] == ["done"]
    lapsed = scan(opened, [over], [], NOW, lapsed={memory.id})
    assert [one.state for one in lapsed] == ["stalled"]


def test_what_one_dream_opens_is_bounded() -> None:
    said = [samples.event(f"I need to repair gate {n} of paddock {n * 7}", ts=NOW)
            for n in range(3 * MOST_TASKS)]  # fmt: skip
    assert len(scan([], [], said, NOW)) <= MOST_TASKS
    paste = samples.event("I need to oil the hinge. " + "A long document. " * 200, ts=NOW)
    assert scan([], [], [paste], NOW) == []


def test_a_dream_that_a_kill_left_out_is_followed_with_the_next() -> None:
    store = InMemoryStore()
    said = [samples.event("I need to ring the chimney sweep", ts=MORNING),
            samples.event("要去订一批滤纸", ts=MORNING)]  # fmt: skip
    store.append(said)
    dreams = [samples.dream(dream_id=f"d{n}", event_ids=(one.id,)) for n, one in enumerate(said)]
    for one in dreams:
        store.commit(one, [], NOW)
    working.follow(store, dreams[1], NOW)
    both = store.working("alder")
    assert len(both) == 2
    for one in (*dreams, *dreams):
        working.follow(store, one, NOW)
    assert store.working("alder") == both
    working.mark(store, "alder", both[0].id, "done", NOW)
    working.follow(store, dreams[0], NOW + timedelta(days=1))
    assert [one.state for one in store.working("alder")] == ["done", "open"]


def test_the_list_of_followed_dreams_does_not_grow() -> None:
    store = InMemoryStore()
    for number in range(40):
        one = samples.dream(dream_id=f"d{number}", run_at=MORNING + timedelta(days=number))
        store.commit(one, [], one.run_at)
        working.follow(store, one, one.run_at)
    assert len(store.stages("alder", following.FOLLOWED)) <= 3 * following.LATELY


def test_a_memory_that_ended_closes_its_item_and_a_superseding_one_opens_its_own() -> None:
    old = samples.memory("The kiln project is in Graz", id="mold", kind="project")
    new = samples.memory("The kiln project is in Ghent", id="mnew", kind="project")
    opened = scan([], [old], [], NOW)
    later = NOW + timedelta(days=1)
    ended = msgspec.structs.replace(old, status="retired", superseded_by="mnew")
    changed = scan(opened, [ended, new], [], later)
    assert [(one.id, one.state) for one in changed] == [("wmold", "done"), ("wmnew", "open")]
    assert changed[0].touched == later
    assert scan(changed, [ended, new], [], later) == []


def test_what_a_person_closed_stays_closed() -> None:
    memory = samples.memory("The kiln project", kind="project")
    done = msgspec.structs.replace(scan([], [memory], [], NOW)[0], state="done")
    again = msgspec.structs.replace(memory, last_seen=NOW + timedelta(days=1))
    assert scan([done], [again], [], NOW + timedelta(days=2)) == []


def test_after_a_long_silence_only_its_memory_wakes_an_item() -> None:
    memory = samples.memory("Finish the kiln manual", kind="project", last_seen=NOW)
    asleep = msgspec.structs.replace(item(memory.text, 100), id="w" + memory.id, state="stalled")
    words = samples.event("back to the kiln manual today", ts=NOW, origin="owner")
    assert scan([asleep], [], [words], NOW) == []
    [awake] = scan([asleep], [memory], [words], NOW)
    assert (awake.state, awake.touched) == ("open", NOW)


def test_each_of_many_items_hears_only_what_is_about_it() -> None:
    texts = {"w1": "repair the kiln roof", "w2": "tune Wanda's piano", "w3": "paint the trellis",
             "w4": "call the harbour master"}  # fmt: skip
    items = [msgspec.structs.replace(item(text), id=key) for key, text in texts.items()]
    said = [
        samples.event("The kiln roof is finished. Wanda's piano comes next", ts=NOW),
        samples.event("that master again", ts=NOW - timedelta(hours=1)),
        samples.event("I finished painting the trellis", ts=NOW - timedelta(days=9)),
    ]
    found = {one.id: one.state for one in scan(items, [], said, NOW)}
    assert found == {"w1": "done", "w2": "open"}
    assert scan([item("!!!")], [], said, NOW) == []


def test_by_hand() -> None:
    store = InMemoryStore()
    first = working.add(store, "s", "call  the bank", NOW)
    assert working.add(store, "s", "call the bank", NOW + timedelta(1)).id == first.id
    assert working.mark(store, "s", first.id[:5], "done", NOW).state == "done"
    assert working.add(store, "s", "call the bank", NOW + timedelta(1)).id != first.id
    assert not store.working("other")
    for prefix in ("", "zz"):
        with pytest.raises(NotFound):
            working.mark(store, "s", prefix, "done", NOW)
    with pytest.raises(InputError):
        working.add(store, "s", " \n", NOW)


def test_an_item_is_one_line_of_a_reasonable_length() -> None:
    store = InMemoryStore()
    with pytest.raises(InputError, match="more than 1000"):
        working.add(store, "alder", "ring the bell " * 100, NOW)
    assert store.working("alder") == []
