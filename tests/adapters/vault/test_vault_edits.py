"""What people write in the files comes back as changes; nothing of it gets lost."""

from datetime import timedelta

import pytest

from slowwave import health, review, vault
from slowwave.errors import StoreError
from slowwave.ledger import undo
from slowwave.vault import steps

SPACE = "alder"


def edited(desk, old: str, new: str) -> None:
    """A change of the memory on the other side, an hour later."""
    desk.now += timedelta(hours=1)
    review.edit(desk.store, desk.by(), desk.memory(old).id, new)


def kinds(done) -> list[str]:
    return sorted(edit.what for edit in done.imported)


def test_an_edited_bullet(desk) -> None:
    memory = desk.dream("The boiler is from 1990", "The roof leaks")[0]
    desk.sync()
    desk.edit("from 1990", "from 1987")
    checked = desk.sync(dry=True)
    assert kinds(checked) == ["edited"]
    assert desk.store.memories_by_id(SPACE, [memory.id])[memory.id].text.endswith("1990")
    done = desk.sync()
    assert kinds(done) == ["edited"]
    now = desk.store.memories_by_id(SPACE, [memory.id])[memory.id]
    assert now.text == "The boiler is from 1987"
    said = desk.store.events_by_id(SPACE, [now.evidence[0].event_id])
    assert [event.text for event in said.values()] == ["The boiler is from 1987"]
    assert "from 1987" in desk.entry(memory).read_text(encoding="utf-8")
    assert [dream.by for dream in desk.edits] == ["person"]
    assert desk.sync().in_step


def test_a_new_bullet(desk) -> None:
    desk.dream("The boiler is from 1990")
    desk.sync()
    desk.edit(
        "- The boiler is from 1990\n",
        "- The boiler is from 1990\n- We keep the spare key at Otto's\n",
    )
    done = desk.sync()
    assert kinds(done) == ["added"]
    made = desk.memory("We keep the spare key at Otto's")
    assert made.id == done.imported[0].memory_id
    assert made.status == "active"
    event = desk.store.events_by_id(SPACE, [made.evidence[0].event_id])[made.evidence[0].event_id]
    assert event.origin == "owner"
    assert event.text == made.evidence[0].quote == "We keep the spare key at Otto's"
    assert desk.sync().in_step
    assert desk.text().count("spare key") == 1


def test_a_deleted_bullet_is_demoted_and_never_erased(desk) -> None:
    memory = desk.dream("The boiler is from 1990", "The roof leaks")[0]
    desk.sync()
    desk.edit("- The boiler is from 1990\n", "")
    done = desk.sync()
    assert kinds(done) == ["demoted"]
    assert done.imported[0].before == "The boiler is from 1990"
    assert desk.store.memories_by_id(SPACE, [memory.id])[memory.id].status == "cold"
    assert desk.entry(memory).parts[-3] == "cold"
    assert "boiler" not in desk.text()
    assert desk.sync().in_step


def test_a_moved_bullet_is_the_same(desk) -> None:
    desk.dream("The gate squeaks", "The roof leaks", kind="rule")
    desk.dream("My sister is called Ilse", kind="relationship")
    desk.sync()
    desk.edit("- The gate squeaks\n", "")
    desk.edit("- My sister is called Ilse\n", "- My sister is called Ilse\n- The gate squeaks\n")
    assert kinds(desk.sync()) == []


def test_edits_of_a_line_that_is_shown_shorter_and_dated(desk) -> None:
    moved, lost, same, gone = desk.dream(
        "So I moved to Lindenweg 7 lol", "because the cellar floods 哈哈",
        "所以我现在住在青杨小区", "Oh, my phone is a brick haha", kind="environment",
    )  # fmt: skip
    desk.sync()
    for line in (
        "- I moved to Lindenweg 7 (2031-05-01)\n", "- the cellar floods (2031-05-01)\n",
        "- 我现在住在青杨小区 (2031-05-01)\n", "- My phone is a brick (2031-05-01)\n",
    ):  # fmt: skip
        assert line in desk.text()
    assert desk.sync().in_step
    desk.edit("Lindenweg 7", "Lindenweg 9")
    desk.edit("floods (2031-05-01)", "floods (2031-05-02)")
    desk.edit("青杨小区", "青柳小区")
    desk.edit("- My phone is a brick (2031-05-01)\n", "")
    assert kinds(desk.sync(dry=True)) == ["demoted", "edited", "edited"]
    assert not desk.sync().conflicts
    known = desk.store.memories_by_id(SPACE, [one.id for one in (moved, lost, same, gone)])
    assert known[moved.id].text == "I moved to Lindenweg 9"
    assert known[lost.id].text == lost.text
    assert known[same.id].text == "我现在住在青柳小区"
    assert known[gone.id].status == "cold"
    assert desk.sync().in_step


def test_a_shorter_line_of_a_memory_that_changed(desk) -> None:
    moved = desk.dream("So I moved to Lindenweg 7 lol", kind="environment")[0]
    desk.sync()
    desk.edit("Lindenweg 7", "Lindenweg 9")
    edited(desk, moved.text, "So I moved to Turku lol")
    done = desk.sync()
    assert (done.imported, [clash.memory_id for clash in done.conflicts]) == ((), [moved.id])
    assert "Turku" in done.conflicts[0].reason


def test_a_bullet_moved_out_of_the_managed_part_is_the_persons(desk) -> None:
    memory = desk.dream("The boiler is from 1990", "The roof leaks")[0]
    desk.sync()
    desk.edit("- The boiler is from 1990\n", "")
    with desk.page.open("a", encoding="utf-8") as stream:
        stream.write("\n- The boiler is from 1990\n")
    done = desk.sync()
    assert kinds(done) == []
    assert desk.store.memories_by_id(SPACE, [memory.id])[memory.id].status == "active"
    assert desk.text().count("boiler") == 1


def test_many_edits_at_once(desk) -> None:
    desk.dream("The boiler is from 1990", "The roof leaks in March", "Wanda feeds the hens")
    desk.sync()
    desk.edit("The boiler is from 1990", "The boiler is from 1985")
    desk.edit("Wanda feeds the hens", "Wanda feeds the hens and the cat")
    desk.edit("- The roof leaks in March\n", "- The gate squeaks\n- 井边的门锁换过了\n")
    done = desk.sync()
    assert kinds(done) == ["added", "added", "demoted", "edited", "edited"]
    assert desk.memory("井边的门锁换过了").status == "active"
    assert desk.sync().in_step


def test_the_fields_of_an_entry(desk) -> None:
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    path = desk.entry(memory)
    desk.edit("importance: 60", "importance: 91", path)
    desk.edit("pinned: false", "pinned: true", path)
    done = desk.sync()
    assert kinds(done) == ["importance", "pinned"]
    now = desk.store.memories_by_id(SPACE, [memory.id])[memory.id]
    assert (now.importance, now.pinned) == (91, True)
    desk.edit("status: active", "status: cold", desk.entry(memory))
    assert kinds(desk.sync()) == ["status"]
    assert desk.store.memories_by_id(SPACE, [memory.id])[memory.id].status == "cold"
    desk.now += timedelta(hours=1)
    desk.edit("status: cold", "status: active", desk.entry(memory))
    desk.sync()
    assert desk.store.memories_by_id(SPACE, [memory.id])[memory.id].status == "active"
    assert desk.sync().in_step


def test_the_text_of_an_entry_and_further_bullets(desk) -> None:
    memory = desk.dream("The boiler is from 1990", kind="environment")[0]
    desk.sync()
    path = desk.entry(memory)
    desk.edit(
        "- The boiler is from 1990\n", "- The boiler is from 1991\n- Its valve sticks\n", path
    )
    assert kinds(desk.sync()) == ["added", "edited"]
    assert desk.memory("Its valve sticks").kind == "environment"
    assert desk.memory("The boiler is from 1991").id == memory.id
    assert "valve" not in desk.entry(memory).read_text(encoding="utf-8")
    assert desk.sync().in_step


def test_a_deleted_file_is_demoted(desk) -> None:
    memory = desk.dream("The boiler is from 1990", "The roof leaks")[0]
    desk.sync()
    desk.entry(memory).unlink()
    done = desk.sync()
    assert kinds(done) == ["demoted"]
    assert desk.entry(memory).parts[-3] == "cold"


def test_an_accident_is_no_wish(desk) -> None:
    wings = ("north", "south", "east", "west") * 3
    desk.dream(*(f"House rule {number} of the {wing} wing" for number, wing in enumerate(wings)))
    desk.sync()
    body = desk.text()
    start, end = body.index("## "), body.index("<!-- slowwave:end")
    desk.page.write_text(body[:start] + body[end:], encoding="utf-8")
    done = desk.sync()
    assert kinds(done) == []
    assert "gone at once" in done.conflicts[0].reason
    assert desk.text() == body
    for path in list(desk.root.glob("long_term/*/*")):
        path.unlink()
    done = desk.sync()
    assert kinds(done) == []
    assert len(list(desk.root.glob("long_term/*/*"))) == 12
    assert desk.sync().in_step


@pytest.mark.parametrize("where", ["page", "entry"])
def test_both_sides_changed(desk, where: str) -> None:
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    path = desk.page if where == "page" else desk.entry(memory)
    desk.edit("- The boiler is from 1990", "- The boiler is from 1980", path)
    edited(desk, "The boiler is from 1990", "The boiler is from 1999")
    for round_ in range(3):
        if where == "entry" and round_ == 1:
            (desk.root / ".slowwave.json").unlink()
        done = desk.sync()
        assert kinds(done) == []
        assert [clash.memory_id for clash in done.conflicts] == [memory.id]
        assert "1999" in done.conflicts[0].reason
        assert "- The boiler is from 1980" in path.read_text(encoding="utf-8")
        assert desk.store.memories_by_id(SPACE, [memory.id])[memory.id].text.endswith("1999")
    # Settled by making both say the same.
    edited(desk, "The boiler is from 1999", "The boiler is from 1980")
    desk.sync()
    assert desk.sync().in_step


def test_what_cannot_be_edited_is_told_and_kept(desk) -> None:
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    path = desk.entry(memory)
    whole = path.read_text(encoding="utf-8")
    for broken in (
        whole.replace("“The boiler", "“A boiler"),
        whole.replace("importance: 60", "importance: very"),
        whole.replace("pinned: false", "pinned: [unclosed"),
        whole.replace("# The boiler", "# Our boiler"),
        whole.replace("<!-- slowwave:end -->", ""),
        whole.replace(memory.id, "m2222222222"),
        "my own text now\n",
        "",
    ):
        path.write_text(broken, encoding="utf-8")
        done = desk.sync()
        assert [clash.file for clash in done.conflicts] == [str(path.relative_to(desk.root))], (
            broken
        )
        assert not done.imported
        assert path.read_text(encoding="utf-8") == broken
        assert desk.store.memories_by_id(SPACE, [memory.id])[memory.id].text == memory.text
    path.unlink()
    desk.sync()


def test_other_words_in_the_managed_part_move_out_of_it(desk) -> None:
    desk.dream("The boiler is from 1990")
    desk.sync()
    desk.edit(
        "- The boiler is from 1990\n",
        "- The boiler is from 1990\n\n## Garden\n\nPlums in August.\n",
    )
    done = desk.sync()
    assert not done.imported
    body = desk.text()
    assert (
        body.index("<!-- slowwave:end -->")
        < body.index("## Garden")
        < body.index("Plums in August.")
    )
    assert desk.sync().in_step


def test_a_page_from_another_home_is_replaced_and_backed_up(desk) -> None:
    desk.dream("The boiler is from 1990")
    desk.sync()
    body = desk.text()
    (desk.root / ".slowwave.json").unlink()
    desk.dream("The roof leaks")
    desk.page.write_text(body.replace("1990", "1066"), encoding="utf-8")
    done = desk.sync()
    # Not ours, not known: no evidence of anything, and not lost.
    assert not done.imported
    text = desk.text()
    assert text.index("slowwave:end") < text.index("1066")
    assert len(desk.store.memories(SPACE)) == 2


def test_a_file_that_changes_meanwhile_is_looked_at_again(
    desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.dream("The boiler is from 1990")
    desk.sync()
    desk.dream("The roof leaks")
    build, calls = steps.edition_of, []

    def slowly(*args, **options):
        calls.append(1)
        if len(calls) == 1:
            with desk.page.open("a", encoding="utf-8") as stream:
                stream.write("\nmine, written just now\n")
        return build(*args, **options)

    monkeypatch.setattr(steps, "edition_of", slowly)
    done = desk.sync()
    assert len(calls) == 2
    assert not done.conflicts
    assert desk.text().endswith("\nmine, written just now\n")
    assert "roof" in desk.text()

    def always(*args, **options):
        with desk.page.open("a", encoding="utf-8") as stream:
            stream.write("x")
        return build(*args, **options)

    monkeypatch.setattr(steps, "edition_of", always)
    desk.dream("The gate squeaks")
    with pytest.raises(StoreError, match="changed meanwhile"):
        desk.sync()


def test_taking_in_twice_is_once(desk) -> None:
    """A kill between taking in and writing: the same edits are met again."""
    desk.dream("The boiler is from 1990", "The roof leaks", "The gate squeaks")
    desk.sync()
    desk.edit("1990", "1980")
    desk.edit("- The roof leaks\n", "- The cellar is dry\n")
    for _ in range(3):
        vault.take_in(desk.tools, vault.look(desk.tools).edits)
    assert len(desk.edits) == 1
    desk.sync()
    assert len(desk.edits) == 1
    assert len(desk.store.memories(SPACE)) == 4


def test_markers_inside_a_fence_later_on(desk) -> None:
    desk.dream("The boiler is from 1990")
    desk.sync()
    desk.page.write_text("```\n" + desk.text() + "```\n", encoding="utf-8")
    before = desk.text()
    done = desk.sync()
    assert "fence" in done.conflicts[0].reason
    assert desk.text() == before


def test_a_lost_end_marker_is_told(desk) -> None:
    desk.dream("The boiler is from 1990")
    desk.sync()
    desk.edit("<!-- slowwave:end -->\n", "")
    before = desk.text()
    desk.dream("The roof leaks")
    done = desk.sync()
    assert "pair up" in done.conflicts[0].reason
    assert desk.text() == before
    assert len(list(desk.root.glob("long_term/*/*"))) == 2


def test_a_bullet_is_deleted_of_a_memory_that_changed(desk) -> None:
    memory = desk.dream("The boiler is from 1990", "The roof leaks")[0]
    desk.sync()
    desk.edit("- The boiler is from 1990\n", "")
    edited(desk, "The boiler is from 1990", "The boiler is from 1999")
    done = desk.sync()
    assert not done.imported
    assert done.conflicts[0].memory_id == memory.id
    assert "- The boiler is from 1999" in desk.text()
    assert desk.sync().in_step


def test_one_sync_is_one_change_set_that_one_id_undoes(desk) -> None:
    before = desk.dream("The boiler is from 1990", "The roof leaks", "The gate squeaks")
    boiler = before[0]
    desk.sync()
    desk.edit("- The roof leaks\n", "- The roof leaks in March\n- The cellar is dry\n")
    desk.edit("- The gate squeaks\n", "")
    path = desk.entry(boiler)
    desk.edit("importance: 60", "importance: 88", path)
    desk.edit("pinned: false", "pinned: true", path)
    desk.edit("- The boiler is from 1990", "- The boiler is from 1987", path)
    done = desk.sync()
    assert kinds(done) == ["added", "demoted", "edited", "edited", "importance", "pinned"]
    [dream] = desk.edits
    assert {edit.dream_id for edit in done.imported} == {dream.dream_id}
    assert len(dream.changes) == 4
    now = desk.store.memories_by_id(SPACE, [boiler.id])[boiler.id]
    assert (now.text, now.importance, now.pinned) == ("The boiler is from 1987", 88, True)
    assert (now.version, len(desk.store.versions(SPACE, boiler.id))) == (2, 2)
    assert health.diagnose(desk.store, SPACE) == ()
    desk.now += timedelta(hours=1)
    undo.rollback(desk.store, desk.store.dream(SPACE, dream.dream_id), desk.now)
    desk.sync()
    texts = {m.text for m in desk.store.memories(SPACE, ("active",))}
    assert texts == {memory.text for memory in before}
    assert desk.sync().in_step


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("importance: 60", "importance: 999", "999"),
        ("importance: 60", "importance: -4", "-4"),
        ("importance: 60", "importance: very much", "“very much”"),
        ("pinned: false", "pinned: perhaps", "“perhaps”"),
        ("status: active", "status: activ", "“activ”"),
        ("pinned: false", "pinned: [unclosed", "not valid YAML"),
        ("- The boiler is from 1990", "- …!", "no word"),
    ],
)
def test_what_cannot_be_done_is_told_by_the_check_as_well(
    desk, old: str, new: str, told: str
) -> None:
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    path = desk.entry(memory)
    desk.edit(old, new, path)
    edited_file = path.read_text(encoding="utf-8")
    for dry in (True, False, True, False):
        done = desk.sync(dry=dry)
        assert done.imported == ()
        [clash] = done.conflicts
        assert not clash.understood
        assert told in clash.reason
        assert "delete the file to have it written again" in clash.reason
        assert path.read_text(encoding="utf-8") == edited_file
    assert [one.check for one in vault.problems(desk.tools)] == ["vault"]
    desk.edit(new, old, path)
    assert desk.sync().in_step
    assert vault.problems(desk.tools) == ()


def test_two_files_that_say_different_things_of_one_memory(desk) -> None:
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    desk.edit("from 1990", "from 1987")
    desk.edit("- The boiler is from 1990", "- The boiler is from 1985", desk.entry(memory))
    done = desk.sync()
    assert kinds(done) == ["edited"]
    assert [clash.understood for clash in done.conflicts] == [True]


def test_a_bullet_among_rules_is_a_rule(desk) -> None:
    desk.dream("Answer in tables", kind="rule")
    desk.sync()
    desk.edit("- Answer in tables\n", "- Answer in tables\n- Never send anything at night\n")
    desk.sync()
    assert desk.memory("Never send anything at night").kind == "rule"
    assert desk.sync().in_step
