from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from slowwave.model import Evidence

SPACE = "test"
NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def _texts(hits: list[Any]) -> list[str]:
    return [hit.text for hit in hits]


@pytest.mark.parametrize("scope", ["all", "events"])
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("傍晚大家一起玩剧本接龙", "剧本接龙"),
        ("傍晚大家一起玩剧本接龙", "接龙"),
        ("数据同步到 Dropbox 时卡住了", "Dropbox数据同步卡住"),
        ("邻居养了三只鹅看门", "鹅"),
        ("it won't boot after the patch", "won't"),
        ("a well-read copy of the atlas", "well-read"),
        ("the link does 40 MB/s at best", "MB/s"),
        ("we moved to fedora 39.1 last night", "fedora 39.1"),
    ],
)
def test_short_mixed_and_odd_questions_find_their_text(
    world: Any, scope: str, text: str, query: str
) -> None:
    world.say("something else entirely was said before")
    event = world.say(text)
    world.say("再说点别的吧朋友")
    hits = world.ask(query, scope=scope)
    assert hits
    assert hits[0].id == event.id


@pytest.mark.parametrize("query", ['"', "*", "AND", "（）", "NEAR(", "own:x", "🎉", "", "'", "-"])
def test_query_syntax_is_taken_literally(world: Any, query: str) -> None:
    world.say("plain words about a lighthouse")
    assert world.ask(query) == []


def test_a_memory_stands_for_the_events_it_cites(world: Any) -> None:
    event = world.say("my locker is number 88 in the east hall")
    memory = world.learn(event, text="locker: 88, east hall")
    world.say("the east hall is being painted")
    hits = world.ask("which locker in the east hall")
    assert hits[0].id == memory.id
    assert hits[0].refs == (event.ref,)
    assert event.id not in {hit.id for hit in hits}
    assert world.ask("which locker in the east hall", scope="events")[0].id == event.id


def test_the_best_matching_evidence_is_the_first_reference(world: Any) -> None:
    first = world.say("the kiln fires at nine")
    second = world.say("remember the kiln, I set it to cone six porcelain")
    memory = world.learn(first)
    more = world.learn(second, id="m2", evidence=(*memory.evidence, *world.learn(second).evidence))
    hit = next(hit for hit in world.ask("cone six porcelain kiln") if hit.id == more.id)
    assert hit.refs == (second.ref, first.ref)


def test_a_replaced_memory_is_past_and_below_its_successor(world: Any) -> None:
    old = world.say("the studio door code is 4471")
    new = world.say("changed the studio door code, it is 9026 now")
    current = world.learn(new)
    past = world.learn(old, status="retired", superseded_by=current.id, valid_to="2026-06-01")
    hits = world.ask("studio door code")
    assert [hit.id for hit in hits[:2]] == [current.id, past.id]
    assert hits[1].status == "retired"
    assert hits[0].score > hits[1].score
    # The raw words of what is past are not served as if they held.
    assert old.id not in {hit.id for hit in hits}


def test_the_successor_is_found_through_the_words_of_the_old(world: Any) -> None:
    old = world.say("my dentist is Doctor Halloran")
    new = world.say("I go to Fennick for my teeth now")
    current = world.learn(new)
    world.learn(old, status="retired", superseded_by=current.id)
    assert world.ask("dentist Halloran")[0].id == current.id


def test_what_is_over_stays_out_and_its_raw_words_come_last(world: Any) -> None:
    event = world.say("ferry to the island on Tuesday")
    plan = world.learn(event, kind="plan", status="retired", expires_at="2026-05-25")
    other = world.say("the ferry to the island has a bar", session="s2")
    assert [hit.id for hit in world.ask("ferry island")] == [other.id, event.id]
    assert plan.id in [hit.id for hit in world.ask("ferry island", include_cold=True)]
    # Nobody looks at what goes into a prompt.
    assert event.id not in {hit.id for hit in world.ask("ferry island", for_prompt=True)}


@pytest.mark.parametrize("status", ["cold", "quarantined"])
def test_memories_out_of_sight_do_not_hide_the_users_words(world: Any, status: str) -> None:
    event = world.say("the old boiler was a Vaillant")
    memory = world.learn(event, status=status)
    assert [hit.id for hit in world.ask("boiler")] == [event.id]
    assert world.ask("boiler", scope="memories") == []
    found = [hit.id for hit in world.ask("boiler", include_cold=True)]
    assert found[0] == (memory.id if status == "cold" else event.id)


@pytest.mark.parametrize("as_of", [None, NOW])
def test_what_was_undone_stands_for_nothing(world: Any, as_of: Any) -> None:
    event = world.say("I work at Quill & Harrow")
    undone = world.learn(event, status="retired", undone=True)
    world.learn(world.say("I used to work at Larch"), superseded_by=undone.id, status="retired")
    hits = world.ask("Quill & Harrow", as_of=as_of)
    assert (hits[0].id, hits[0].type) == (event.id, "event")
    assert hits[0].score > 0.9
    assert undone.id not in {hit.id for hit in world.ask("work Larch", as_of=as_of)}


def test_a_memory_is_found_by_what_was_said_around_its_words(world: Any) -> None:
    world.say("when does the choir rehearse?", origin="agent", role="assistant")
    answer = world.say("Thursdays at half past seven")
    memory = world.learn(answer)
    for filler in ("the roof leaks again", "I fed the geese", "call the plumber"):
        world.learn(world.say(filler, session="s9"))
    assert world.ask("choir rehearsal", scope="memories")[0].id == memory.id


def test_a_memory_of_a_part_does_not_stand_for_the_rest(world: Any) -> None:
    rest = "We talked for an hour about the orchard, the wells, the new fence and the neighbours."
    event = world.say(f"My visa ends in May. {rest} Lunch was at the windmill.")
    span = Evidence(event_id=event.id, quote="My visa ends in May.", start=0, end=20, ts=event.ts)
    memory = world.learn(event, text="visa ends in May", evidence=(span,))
    assert world.ask("lunch windmill")[0].id == event.id
    assert [hit.id for hit in world.ask("visa May")] == [memory.id]


@pytest.mark.parametrize("scope", ["all", "events"])
def test_the_same_words_fill_one_place(world: Any, scope: str) -> None:
    said = [world.say("what time is it in Lisbon", session=f"s{n}") for n in range(4)]
    other = world.say("Lisbon was lovely", session="s9")
    mine = world.say("What time is it in  Lisbon", origin="other", speaker="Ottilie", role="user")
    hits = {hit.id: hit for hit in world.ask("time in Lisbon", scope=scope)}
    assert set(hits) == {said[3].id, other.id, mine.id}
    assert hits[said[3].id].refs == tuple(event.ref for event in reversed(said))


def test_words_said_again_after_they_were_replaced_count(world: Any) -> None:
    old = world.say("the gate code is 5512")
    current = world.learn(world.say("the gate code is 8090", session="s2"))
    world.learn(old, status="retired", superseded_by=current.id, valid_to="2026-06-01")
    again = world.say("the gate code is 5512", session="s3")
    hits = {hit.id: hit for hit in world.ask("gate code")}
    assert hits[again.id].score > 0.9


def test_candidates_come_after_active_memories(world: Any) -> None:
    first = world.learn(world.say("tea with oat milk"), status="candidate")
    second = world.learn(world.say("tea with oat milk", session="s2"))
    assert [hit.id for hit in world.ask("tea oat milk")] == [second.id, first.id]
    assert world.ask("tea oat milk")[1].status == "candidate"


def test_as_of_shows_what_held_then(world: Any) -> None:
    may = world.say("the gallery shows ceramics", ts=_day(5, 10))
    july = world.say("the gallery shows photographs", ts=_day(7, 4))
    current = world.learn(july)
    past = world.learn(may, status="retired", superseded_by=current.id, valid_to="2026-07-04")
    hits = world.ask("gallery shows", now=_day(8, 1), as_of=_day(6, 1))
    assert [hit.id for hit in hits] == [past.id]
    assert world.ask("gallery shows", now=_day(8, 1))[0].id == current.id


def _day(month: int, day: int) -> Any:
    from datetime import UTC, datetime

    return datetime(2026, month, day, 9, tzinfo=UTC)


def test_filters(world: Any) -> None:
    early = world.say("piano lesson one", ts=_day(4, 1))
    late = world.say("piano lesson two", ts=_day(5, 1))
    memory = world.learn(late, kind="plan", subject="Ottilie")
    assert [hit.id for hit in world.ask("piano", until=_day(4, 2))] == [early.id]
    assert [hit.id for hit in world.ask("piano", since=_day(4, 2))] == [memory.id]
    assert [hit.id for hit in world.ask("piano", kind="plan")] == [memory.id]
    assert world.ask("piano", kind="fact") == []
    assert [hit.id for hit in world.ask("piano", subject="ottilie")] == [memory.id]
    assert [hit.id for hit in world.ask("piano", scope="memories")] == [memory.id]
    assert len(world.ask("piano", k=1)) == 1
    assert world.ask("piano", min_score=1.1) == []


def test_tools_and_recalled_text_are_not_ordinary_recall(world: Any) -> None:
    world.say("grep found walrus", origin="tool", kind="tool_result", role="tool")
    world.say("walrus from memory", origin="recalled")
    world.say("walrus of the system", origin="system", role="system")
    assert world.ask("walrus") == []
    assert _texts(world.ask("walrus", scope="events")) == ["grep found walrus"]


def test_the_named_speaker_comes_first(world: Any) -> None:
    world.say("I grow orchids at home", speaker="Ravi", origin="other", session="a")
    hers = world.say("I grow orchids at home too", speaker="Ottilie", origin="other", session="b")
    assert world.ask("which orchids does Ottilie grow at home")[0].id == hers.id


def test_what_was_said_on_the_named_day_is_found_without_its_words(world: Any) -> None:
    wanted = world.say("we baked bread and it burned", ts=_day(5, 3), session="a")
    world.say("we baked cake and it was fine", ts=_day(5, 9), session="b")
    hits = world.ask("what happened on 3 May 2026?", scope="events")
    assert hits[0].id == wanted.id


def test_talk_of_another_day_is_weak_for_a_question_about_today(world: Any) -> None:
    world.say("今天的海浪很大，不能出海", ts=_day(5, 3))
    asked_generally = world.ask("海浪很大吗")[0]
    asked_today = world.ask("今天海浪怎么样")[0]
    assert asked_today.score < 0.35
    assert asked_today.score < asked_generally.score


def test_a_lasting_memory_answers_a_question_about_today(world: Any) -> None:
    memory = world.learn(world.say("我不吃羊肉"), kind="preference")
    hit = world.ask("今天晚饭吃羊肉吗")[0]
    assert hit.id == memory.id
    assert hit.score > 0.35


def test_an_unrelated_question_scores_low(world: Any, embedder: Any) -> None:
    world.embedder = embedder
    for text in ("the heron nests by the weir", "repainted the canoe green", "soup for lunch"):
        world.learn(world.say(text))
    good = world.ask("where does the heron nest")[0]
    bad = world.ask("quarterly revenue forecast of lunch vendors in Oslo")
    assert good.score > 0.5
    assert all(hit.score < 0.35 for hit in bad)


def test_scores_are_explained_on_request(world: Any) -> None:
    world.say("a lighthouse keeper")
    assert world.ask("lighthouse")[0].scores == {}
    scores = world.ask("lighthouse", explain=True)[0].scores
    assert {"own", "around", "vector", "coverage", "strength"} <= scores.keys()


def test_words_and_vectors_work_together(world: Any, embedder: Any) -> None:
    world.embedder = embedder
    near = world.say("violin strings need rosin")
    world.say("nothing of note")
    hits = world.ask("rosin for violin strings")
    assert hits[0].id == near.id
    assert hits[0].score <= 1.0


def test_new_memories_without_vectors_are_embedded_by_recall(world: Any, embedder: Any) -> None:
    from slowwave.recall.retrieve import Query, recall
    from slowwave.settings import RecallSettings

    memory = world.learn(world.say("violin strings need rosin"))
    now = memory.last_seen + timedelta(days=1)
    query = Query(text="rosin", space=SPACE, now=now)
    assert recall(world.store, embedder, query, RecallSettings())[0].id == memory.id
    assert world.store.unembedded(SPACE, "memory", embedder.name, 5) == []


def test_greetings_are_not_hits_of_ordinary_recall(world: Any) -> None:
    world.say("hello there")
    assert world.ask("hello") == []


def test_other_spaces_are_not_seen(world: Any) -> None:
    world.say("the badger set", space="other")
    assert world.ask("badger") == []


def test_a_question_about_oneself_prefers_ones_own_words(world: Any) -> None:
    world.say("sourdough needs a warm corner", origin="agent", role="assistant", session="a")
    mine = world.say("sourdough stands in a warm corner", session="b")
    theirs = world.ask("what did you say about a warm corner for sourdough")
    assert theirs[0].id != mine.id
    assert world.ask("where is my sourdough, can you tell me the warm corner")[0].id == mine.id
    assert world.ask("我的 sourdough 在哪个 warm corner，你还记得吗")[0].id == mine.id


def test_a_long_turn_is_not_drowned_by_its_neighbours(world: Any) -> None:
    filler = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(300))
    world.say("tell me about the weathervane")
    long = world.say(f"{filler} weathervane")
    world.say("and about the sundial")
    assert long.id not in {hit.id for hit in world.ask("sundial", scope="events")}
