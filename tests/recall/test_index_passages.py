from typing import Any

from slowwave.model import text_hash
from slowwave.ports import no_progress
from slowwave.recall import index
from slowwave.text.passages import passages

SPACE = "test"
FILLER = "Nothing much happened on the road between the two towns that day. "


def test_a_long_text_has_a_direction_for_each_passage(world: Any, embedder: Any) -> None:
    text = FILLER * 30
    event = world.say(text)
    assert index.embed_pending(world.store, embedder, SPACE, 100, no_progress) == 1
    pieces = passages(text, index.MOST_PASSAGES)
    assert len(pieces) > 2
    made = [embedder.query(piece) for piece in pieces]
    cached = world.store.cached_vectors(embedder.name, [text_hash(event.text)])
    assert cached == {text_hash(event.text): b"".join(made)}
    assert index.embed_pending(world.store, embedder, SPACE, 100, no_progress) == 0


def test_a_short_text_has_one_direction(world: Any, embedder: Any) -> None:
    event = world.say("the parrot sings")
    index.embed_pending(world.store, embedder, SPACE, 100, no_progress)
    key = text_hash(event.text)
    assert world.store.cached_vectors(embedder.name, [key]) == {key: embedder.query(event.text)}


def test_what_a_page_says_at_its_end_is_found_by_meaning(world: Any, embedder: Any) -> None:
    page = world.say(FILLER * 20 + "The parrot sings loudly every morning at six.")
    world.say(FILLER * 20)
    index.embed_pending(world.store, embedder, SPACE, 100, no_progress)
    question = embedder.query("the parrot sings loudly every morning")
    best = world.store.nearest(SPACE, "event", embedder.name, question, 9)
    assert best[0].id == page.id
    assert best[0].score > best[1].score + 0.2


def test_a_page_costs_no_more_than_a_few_passages(world: Any, embedder: Any) -> None:
    world.say(FILLER * 2_000)
    index.embed_pending(world.store, embedder, SPACE, 100, no_progress)
    assert len(embedder.embedded) == index.MOST_PASSAGES


def test_the_pieces_that_cannot_be_embedded_are_left_out(world: Any, embedder: Any) -> None:
    dots = "… . … " * 120
    event = world.say(f"{dots}\n{FILLER * 3}")
    assert index.embed_pending(world.store, embedder, SPACE, 100, no_progress) == 1
    key = text_hash(event.text)
    vector = world.store.cached_vectors(embedder.name, [key])[key]
    assert len(vector) % 64 == 0
    assert 0 < len(vector) < 64 * len(passages(event.text, index.MOST_PASSAGES))
