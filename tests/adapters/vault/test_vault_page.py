"""MEMORY.md: its budget, the person's own bytes in it, and the diary beside it."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slowwave import review
from slowwave.adapters.vault import page
from slowwave.model import Section
from slowwave.testing.samples import memory
from slowwave.text.listing import listed
from slowwave.text.markdown import line_of
from slowwave.text.tokens import estimate

HAND = (
    b"\xef\xbb\xbf# Mine\r\n\r\n```\r\n# not a heading\r\n<!-- slowwave:begin -->\r\n```\r\n"
    b"no newline at the end"
)


def test_sixty_nights_of_twenty_facts(desk) -> None:
    """Case 51: under the budget, hand-written parts byte-identical, nothing unreachable."""
    desk.tokens = 2_500
    desk.root.mkdir()
    desk.page.write_bytes(HAND)
    rooms = ("attic", "cellar", "kitchen", "stable", "workshop")
    ids = set()
    for night in range(60):
        desk.now += timedelta(days=1)
        texts = [
            f"On shelf {night}-{number} of the {rooms[number % 5]} lies box {night * 20 + number}"
            for number in range(20)
        ]
        ids |= {memory.id for memory in desk.dream(*texts, importance=50 + night % 30)}
        if night % 6 == 5:
            desk.sync()
            body = desk.page.read_bytes()
            assert body.startswith(HAND)
            assert estimate(body.decode("utf-8-sig")) <= desk.tokens
    text = desk.page.read_text("utf-8-sig")
    loaded = text.count("\n- On shelf")
    assert loaded > 40
    assert f"{1200 - loaded} more memories in long_term/" in text
    files = list(desk.root.glob("long_term/*/*.md"))
    assert {path.stem.rpartition("-")[2] for path in files} == ids
    assert desk.sync().in_step


def test_what_a_person_wrote_counts_and_is_not_said_twice(desk) -> None:
    desk.root.mkdir()
    desk.page.write_text("# Mine\n\n- The boiler is from 1990!\n", encoding="utf-8")
    desk.dream("The boiler is from 1990", "The roof leaks")
    desk.sync()
    assert desk.text().count("boiler") == 1
    assert "- The roof leaks" in desk.text()
    long = "The contract with the Hofmann nursery in Leipzig runs until the end of September 2033"
    desk.dream(long)
    desk.edit("# Mine\n", f"# Mine\n\n* {long.replace('2033', '2033, he said').upper()}\n")
    desk.sync()
    assert desk.text().lower().count("hofmann nursery") == 1


def test_hand_written_text_over_the_budget(desk) -> None:
    desk.tokens = 300
    desk.root.mkdir()
    hand = "# Mine\n\n" + "a long story about the mill and its wheel " * 60
    desk.page.write_text(hand, encoding="utf-8")
    desk.dream("The boiler is from 1990")
    done = desk.sync()
    assert desk.text() == hand
    assert "fills its budget" in done.warnings[0]
    assert desk.entry(desk.memory("The boiler is from 1990")).exists()


@given(
    hand=st.binary(max_size=80).filter(lambda data: data[:2] not in (b"\xff\xfe", b"\xfe\xff")),
    texts=st.lists(
        st.text(min_size=1, max_size=30).filter(line_of), min_size=1, max_size=4, unique=True
    ),
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_bytes_and_any_texts(desk, tmp_path_factory, hand: bytes, texts: list[str]) -> None:
    from slowwave.adapters.store.inmemory import InMemoryStore

    desk.root = tmp_path_factory.mktemp("vault")
    desk.store, desk.nights = InMemoryStore(), 0
    desk.page.write_bytes(hand)
    desk.dream(*texts)
    assert not desk.sync().imported
    body = desk.page.read_bytes()
    split = [
        at for at in range(len(hand) + 1) if body.startswith(hand[:at]) and body.endswith(hand[at:])
    ]
    assert split
    assert desk.sync().in_step
    desk.dream("One more thing")
    desk.sync()
    again = desk.page.read_bytes()
    assert any(again.startswith(hand[:at]) and again.endswith(hand[at:]) for at in split)
    assert desk.sync().in_step


def test_rendering_and_reading_are_stable() -> None:
    memories = tuple(memory(f"- {number}. <b> --> # `{number}`") for number in range(6))
    section = Section("People", memories, tuple(listed(one) for one in memories))
    made = page.render((section,), "3 more memories in long_term/", {})
    read = page.read_back(made.body, made.lines, "", lambda _ids: {})
    assert read == page.Read((), "", {}, ())
    lines, loose = page.known_lines(made.body, {one.id: one for one in memories})
    assert tuple(lines) == made.lines
    assert loose == ""


def test_the_diary(desk) -> None:
    desk.root.mkdir()
    (desk.root / "DREAMS.md").write_text(
        "# My own diary\n\nI dreamed of a heron.\n", encoding="utf-8"
    )
    desk.dream("The boiler is from 1990")
    desk.sync()
    desk.now += timedelta(days=1)
    desk.dream("The roof leaks")
    desk.sync()
    text = (desk.root / "DREAMS.md").read_text(encoding="utf-8")
    assert text.startswith("# My own diary\n\nI dreamed of a heron.\n\n<!-- slowwave:begin ")
    assert text.index("“The boiler is from 1990”") < text.index("“The roof leaks”")
    assert text.count("`dnight") == 2
    assert text.count("*May 2, 2031 at 3:00 AM*") == 1
    review.edit(desk.store, desk.by(), desk.memory("The roof leaks").id, "The roof is sound")
    desk.sync()
    assert (desk.root / "DREAMS.md").read_text(encoding="utf-8") == text


def test_the_diary_stays_short(desk) -> None:
    for number in range(70):
        desk.now += timedelta(days=1)
        desk.dream(f"Hen number {number} is called Berta {number}")
        if number % 10 == 9:
            desk.sync()
    text = (desk.root / "DREAMS.md").read_text(encoding="utf-8")
    assert text.count("`dnight") == 60
    assert "Berta 69" in text
    assert "Berta 9”" not in text


@pytest.mark.parametrize("edit", ["I remember it well.", "- a list\n\n---\n\n# heading"])
def test_what_is_added_to_the_diary_stays(desk, edit: str) -> None:
    desk.dream("The boiler is from 1990")
    desk.sync()
    path = desk.root / "DREAMS.md"
    desk.edit("\n`dnight1`", f"\n{edit}\n\n`dnight1`", path)
    desk.dream("The roof leaks")
    done = desk.sync()
    assert not done.imported
    assert edit in path.read_text(encoding="utf-8")
    assert "roof" in path.read_text(encoding="utf-8")
