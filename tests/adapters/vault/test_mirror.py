"""A copy in another folder: one way, and nothing of others touched (L9)."""

from pathlib import Path

from slowwave import review


def test_the_same_files(desk, tmp_path: Path) -> None:
    desk.mirror = tmp_path / "notes"
    desk.mirror.mkdir()
    (desk.mirror / "shopping.md").write_text("eggs")
    memory = desk.dream("The boiler is from 1990")[0]
    desk.sync()
    name = desk.entry(memory).relative_to(desk.root)
    for rel in ("MEMORY.md", "DREAMS.md", str(name)):
        assert (desk.mirror / rel).read_bytes() == (desk.root / rel).read_bytes()
    assert desk.sync().in_step
    review.demote(desk.store, desk.by(), memory.id)
    desk.sync()
    assert not (desk.mirror / name).exists()
    assert not (desk.mirror / name).parent.exists()
    assert (desk.mirror / "cold" / name.relative_to("long_term")).exists()
    assert (desk.mirror / "shopping.md").read_text() == "eggs"


def test_a_missing_mirror_is_a_warning(desk, tmp_path: Path) -> None:
    desk.mirror = tmp_path / "unplugged"
    desk.dream("The boiler is from 1990")
    done = desk.sync()
    assert "is not there" in done.warnings[0]
    assert not done.conflicts
    assert not desk.mirror.exists()
    assert desk.page.exists()
    desk.mirror.mkdir()
    assert not desk.sync().warnings
    assert (desk.mirror / "MEMORY.md").exists()


def test_what_others_wrote_there_is_left_alone(desk, tmp_path: Path) -> None:
    desk.mirror = tmp_path / "notes"
    desk.mirror.mkdir()
    (desk.mirror / "MEMORY.md").write_text("# somebody else's\n")
    desk.dream("The boiler is from 1990")
    done = desk.sync()
    assert "left alone" in done.warnings[0]
    assert (desk.mirror / "MEMORY.md").read_text() == "# somebody else's\n"
    (desk.mirror / "DREAMS.md").write_text("edited there")
    desk.dream("The roof leaks")
    done = desk.sync()
    assert len(done.warnings) == 2
    assert (desk.mirror / "DREAMS.md").read_text() == "edited there"
    (desk.mirror / "DREAMS.md").unlink()
    desk.sync()
    assert (desk.mirror / "DREAMS.md").read_bytes() == (desk.root / "DREAMS.md").read_bytes()


def test_a_mirror_inside_of_the_vault_is_refused(desk) -> None:
    desk.mirror = desk.root / "long_term"
    desk.mirror.mkdir(parents=True)
    desk.dream("The boiler is from 1990")
    assert "inside" in desk.sync().warnings[0]


def test_a_check_copies_nothing(desk, tmp_path: Path) -> None:
    desk.mirror = tmp_path / "notes"
    desk.mirror.mkdir()
    desk.dream("The boiler is from 1990")
    desk.sync(dry=True)
    assert not list(desk.mirror.iterdir())
    assert not desk.page.exists()
