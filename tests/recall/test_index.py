from datetime import timedelta
from typing import Any

from slowwave.ports import no_progress
from slowwave.recall import index

SPACE = "test"


def _found(world: Any, word: str, field: str = "around") -> set[str]:
    index.catch_up(world.store, SPACE, no_progress)
    hits = world.store.match(SPACE, "event", field, [(word,)], mode="any", limit=50)
    return {hit.id for hit in hits}


def test_a_turn_is_found_by_the_words_of_its_neighbours(world: Any) -> None:
    turns = [world.say(word) for word in ("alpha", "beta", "gamma", "delta", "omega")]
    assert _found(world, "alpha") == {turn.id for turn in turns[:3]}
    assert _found(world, "alpha", "own") == {turns[0].id}


def test_turns_that_come_later_reach_back(world: Any) -> None:
    first = [world.say("alpha"), world.say("beta"), world.say("gamma")]
    assert index.catch_up(world.store, SPACE, no_progress) == 3
    later = world.say("delta")
    assert _found(world, "delta") == {first[1].id, first[2].id, later.id}
    # The two that were indexed again still have what they had.
    assert _found(world, "alpha") == {turn.id for turn in first}
    assert index.catch_up(world.store, SPACE, no_progress) == 0


def test_batches_do_not_cut_neighbours_apart(world: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(index, "WORD_BATCH", 2)
    turns = [world.say(word) for word in ("alpha", "beta", "gamma", "delta", "omega")]
    assert _found(world, "gamma") == {turn.id for turn in turns}


def test_other_sessions_and_tools_lend_no_words(world: Any) -> None:
    world.say("alpha", session="a")
    turn = world.say("beta", session="b")
    tool = world.say("gamma", session="b", origin="tool", kind="tool_result", role="tool")
    assert _found(world, "alpha") != {turn.id}
    assert turn.id not in _found(world, "gamma")
    assert tool.id in _found(world, "gamma", "own")


def test_notes_without_a_session_are_neighbours_only_within_the_hour(world: Any) -> None:
    first = world.say("alpha", session="")
    near = world.say("beta", session="")
    far = world.say("gamma", session="", ts=first.ts + timedelta(days=2))
    assert _found(world, "alpha") == {first.id, near.id}
    assert _found(world, "gamma") == {far.id}


def test_recalled_text_is_not_found(world: Any) -> None:
    world.say("alpha", origin="recalled")
    assert _found(world, "alpha", "own") == set()


def test_long_output_is_cut(world: Any) -> None:
    world.say("word " * 10_000 + "tail")
    assert _found(world, "tail", "own") == set()


def test_vectors_are_computed_once_per_text(world: Any, embedder: Any) -> None:
    event = world.say("the parrot sings")
    world.say("the parrot sings")
    world.learn(event)
    done = index.embed_pending(world.store, embedder, SPACE, 100, no_progress)
    assert done == 3
    assert embedder.embedded == ["the parrot sings"]
    assert index.embed_pending(world.store, embedder, SPACE, 100, no_progress) == 0


def test_memories_come_first_within_the_limit(world: Any, embedder: Any) -> None:
    event = world.say("the parrot sings")
    world.learn(event)
    assert index.embed_pending(world.store, embedder, SPACE, 1, no_progress) == 1
    assert world.store.unembedded(SPACE, "memory", embedder.name, 9) == []
    assert len(world.store.unembedded(SPACE, "event", embedder.name, 9)) == 1


def test_a_text_that_cannot_be_embedded_is_passed_over(world: Any, embedder: Any) -> None:
    world.say("…")
    world.say("a word")
    assert index.embed_pending(world.store, embedder, SPACE, 100, no_progress) == 1
