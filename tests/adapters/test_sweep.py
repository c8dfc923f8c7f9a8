"""Files beside the store: what Slowwave wrote is cleaned, what people wrote is told."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.adapters.sweep import FolderFiles
from slowwave.adapters.vault import regions
from slowwave.errors import InputError, NotFound
from slowwave.model import Receipt, Removed, Span, Tombstone
from slowwave.text.redaction import find, normal

NOW = datetime(2031, 3, 14, 8, tzinfo=UTC)


def places(text: str) -> list[Span]:
    return find(text, [normal("code 4471"), normal("暗号青瓷")])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "vault" / "dream_logs").mkdir(parents=True)
    return folder


def files_of(home: Path, *others: Path) -> FolderFiles:
    return FolderFiles(home, "slowwave.db", "alder", home / "vault", others)


def sweep(home: Path, *others: Path, by_hand: bool = False) -> tuple[int, list[tuple[str, int]]]:
    files = files_of(home, *others)
    changed, left = files.sweep(places, by_hand=by_hand)
    return changed, [(Path(one.path).name, one.line) for one in left]


def test_reports_are_cleaned_and_stay_json(home: Path) -> None:
    report = home / "reports" / "night.json"
    report.parent.mkdir()
    report.write_text(json.dumps({"text": ['the code 4471 of "the" door'], "n": 3}), "utf-8")
    log = home / "nightly.log"
    log.write_text("one\nthe Code　４４７１\nthree\n", "utf-8")
    assert sweep(home) == (2, [])
    assert json.loads(report.read_text("utf-8")) == {
        "text": ['the [forgotten] of "the" door'], "n": 3,
    }  # fmt: skip
    assert log.read_text("utf-8") == "one\nthe [forgotten]\nthree\n"


def test_a_page_loses_what_slowwave_wrote_and_keeps_what_a_person_wrote(home: Path) -> None:
    page = home / "vault" / "MEMORY.md"
    managed = regions.composed(regions.find(b"# Mine\n\nmy code 4471\n"), "- the code 4471\n- tea")
    page.write_bytes(managed)
    assert sweep(home) == (1, [("MEMORY.md", 3)])
    region = regions.find(page.read_bytes())
    assert region.ours
    assert region.body == "- the [forgotten]\n- tea"
    assert b"my code 4471" in region.before
    assert sweep(home, by_hand=True) == (1, [])
    assert b"4471" not in page.read_bytes()
    assert sweep(home) == (0, [])


def test_other_folders_are_told_and_not_touched(home: Path, tmp_path: Path) -> None:
    notes = tmp_path / "workspace" / "memory"
    notes.mkdir(parents=True)
    (notes / "2031-03-14.md").write_text("a\n暗号 青瓷\n", "utf-8")
    assert sweep(home, tmp_path / "workspace") == (0, [("2031-03-14.md", 2)])
    assert "青瓷" in (notes / "2031-03-14.md").read_text("utf-8")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_every_encoding_is_read_and_kept(home: Path, encoding: str) -> None:
    page = home / "vault" / "notes.md"
    page.write_bytes("我的暗号青瓷。\n".encode(encoding))
    assert sweep(home) == (0, [("notes.md", 1)])
    assert sweep(home, by_hand=True) == (1, [])
    assert page.read_bytes().decode(encoding) == "我的[forgotten]。\n"


def test_old_copies_and_derived_state_go_whole(home: Path) -> None:
    for name in ("vault/.backup/MEMORY.md.1", "vault/.slowwave.json"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("code 4471", "utf-8")
    assert sweep(home) == (2, [])
    assert not (home / "vault" / ".backup" / "MEMORY.md.1").exists()
    assert not (home / "vault" / ".slowwave.json").exists()


def test_settings_database_receipts_and_binaries_are_left_alone(home: Path) -> None:
    (home / "receipts").mkdir()
    for name in ("slowwave.db", "slowwave.db-wal", "slowwave.toml", "receipts/r1.json"):
        (home / name).write_text("code 4471", "utf-8")
    (home / "picture.png").write_bytes(b"\x89PNG\0code 4471")
    assert sweep(home) == (0, [])


def test_looking_tells_names_and_lines_and_changes_nothing(home: Path) -> None:
    (home / "vault" / "code-4471.md").write_text("x\ncode 4471\n", "utf-8")
    (home / "vault" / "the code 4471.md").write_text("tea", "utf-8")
    found = files_of(home).look(places)
    assert [(Path(one.path).name, one.line) for one in found] == [
        ("the code 4471.md", 0), ("code-4471.md", 2),
    ]  # fmt: skip
    assert "4471" in (home / "vault" / "code-4471.md").read_text("utf-8")


def test_a_receipt_is_found_by_id_start_and_file(home: Path) -> None:
    files = files_of(home)
    tombstone = Tombstone(id="rabc", space="alder", forgotten_at=NOW, before=NOW, salt="5a",
                          whole=(), terms=())  # fmt: skip
    receipt = Receipt(id="rabc", space="alder", forgotten_at=NOW, removed=Removed(events=1),
                      event_ids=("e1",), memory_ids=(), tombstone=tombstone)  # fmt: skip
    path = files.keep_receipt(receipt)
    assert files.receipt("rabc") == files.receipt("ra") == files.receipt(str(path)) == receipt
    with pytest.raises(NotFound):
        files.receipt("nothing")
    path.write_text("{", "utf-8")
    with pytest.raises(InputError):
        files.receipt("rabc")


def test_another_space_keeps_its_pages_and_logs(home: Path) -> None:
    page = home / "vault" / "spaces" / "birch-12345678" / "mine.md"
    page.parent.mkdir(parents=True)
    page.write_text("code 4471", "utf-8")
    log = home / "vault" / "dream_logs" / "2031-03-14.json"
    log.write_text('{"dream_id": "d1", "space": "birch", "text": "code 4471"}', "utf-8")
    own = log.with_name("2031-03-15.json")
    own.write_text('{"dream_id": "d2", "space": "alder", "text": "code 4471"}', "utf-8")
    assert [dream_id for dream_id, _ in files_of(home).dream_logs()] == ["d2"]
    assert sweep(home) == (1, [])
    assert "4471" in page.read_text("utf-8")
    assert "4471" in log.read_text("utf-8")
    assert "4471" not in own.read_text("utf-8")
    theirs = FolderFiles(home, "slowwave.db", "birch", page.parent)
    assert len(theirs.look(places)) == 2
