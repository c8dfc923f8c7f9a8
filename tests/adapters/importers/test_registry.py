"""The registry: folders walked, formats told apart, names known."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from slowwave.adapters import importers
from slowwave.adapters.importers import by_name, discover, recognise
from slowwave.errors import InputError, NotFound, UsageError

NAMES = {
    "openclaw", "openclaw-session", "claude-code", "chatgpt", "claude-ai", "chat-markdown",
    "claw-yaml", "jsonl", "locomo", "beam", "slowwave",
}  # fmt: skip


def test_names_of_the_contract() -> None:
    assert {found.name for found in importers.FORMATS} == NAMES
    for name in NAMES:
        assert by_name(name).name == name


def test_unknown_names_are_told_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        by_name("chatgtp")
    assert "chatgpt" in caught.value.hint
    with pytest.raises(AttributeError):
        _ = importers.NOTHING


def test_importing_the_package_loads_no_format() -> None:
    code = (
        "import sys, slowwave.adapters.importers as i; "
        "print([m for m in sys.modules if m.startswith('slowwave.adapters.importers.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_discover_in_order_with_hidden_state_and_without_junk(tmp_path: Path) -> None:
    wanted = [
        ".openclaw/agents/main/sessions/a.jsonl",
        "b/2.md",
        "b/c/3.md",
        "z/1.json",
    ]
    junk = [
        "node_modules/x/readme.md", ".git/config", "__MACOSX/._1.json", "b/._2.md", ".DS_Store",
        "b/photo.PNG", "b/__pycache__/x.json", "b/db.sqlite-wal",
    ]  # fmt: skip
    for name in (*wanted, *junk, "top.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    found = [str(path.relative_to(tmp_path)) for path in discover(tmp_path)]
    assert found == ["top.md", *wanted]
    assert found == [str(path.relative_to(tmp_path)) for path in discover(tmp_path)]


def test_discover_survives_links_in_circles(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "note.md").write_text("x")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "a")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    found = [path.name for path in discover(tmp_path)]
    assert found == ["note.md"]


def test_discover_a_file_nothing_or_a_pipe(tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_text("x")
    assert list(discover(photo)) == [photo]
    with pytest.raises(NotFound):
        list(discover(tmp_path / "no"))
    with pytest.raises(InputError):
        list(discover(Path("bad\x00name")))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError):
        list(discover(pipe))
    assert list(discover(tmp_path)) == [photo] or photo not in list(discover(tmp_path))


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        recognise(tmp_path)
    with pytest.raises(NotFound):
        recognise(tmp_path / "no.json")


TURN = {"id": "m", "author": {"role": "user"}, "content": {"content_type": "text", "parts": ["a"]}}
CHATGPT = [{"title": "t", "mapping": {"m": {"id": "m", "parent": None, "message": TURN}}}]
CLAUDE_AI = [
    {"uuid": "u", "name": "", "chat_messages": [{"uuid": "m", "sender": "human", "text": "a"}]}
]
LOCOMO = [{"sample_id": "s", "conversation": {"session_1": [{"dia_id": "D1:1", "text": "a"}]}}]
BEAM = [{"batch_number": 1, "turns": [[{"role": "user", "id": 0, "content": "a"}]]}]
SESSION = [
    {"type": "session", "version": 3, "id": "0b7e5a52-63a4-4f0a-9c1e-6a1f2b3c4d5e",
     "timestamp": "2031-04-02T17:43:00.000Z", "cwd": "/x"},
    {"type": "message", "id": "a1b2c3d4", "parentId": None, "timestamp": "2031-04-02T17:43:01.000Z",
     "message": {"role": "user", "content": "a"}},
]  # fmt: skip
CODE = [
    {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s", "cwd": "/x",
     "timestamp": "2031-04-02T17:43:01.000Z", "message": {"role": "user", "content": "a"}},
]  # fmt: skip


def _lines(rows: list[object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


ZOO = {
    "conversations.json": (json.dumps(CHATGPT), "chatgpt"),
    "claude/conversations.json": (json.dumps(CLAUDE_AI), "claude-ai"),
    "set.json": (json.dumps(LOCOMO), "locomo"),
    "3/chat.json": (json.dumps(BEAM), "beam"),
    "2031-06-17-events.yaml": ("- ts: 10:00\n  topic: t\n  detail: d\n", "claw-yaml"),
    "events.jsonl": (_lines([{"text": "a", "role": "user"}]), "jsonl"),
    "talk.md": ("user: a\nassistant: b\n", "chat-markdown"),
    "群聊.txt": ("张三：a\n李四：b\n张三：c\n", "chat-markdown"),
    "session.jsonl": (_lines([*SESSION]), "openclaw-session"),
    "project/code.jsonl": (_lines([*CODE]), "claude-code"),
    "w/MEMORY.md": ("# Memory\n\n- likes tea\n", "openclaw"),
    "w/memory/2031-04-14.md": ("# 2031-04-14\n\n- user: bought beans\n", "openclaw"),
    "user.json": ('{"email": "a@example.org"}', None),
    "message_feedback.json": ("[]", None),
    "package.json": ('{"name": "x"}', None),
    "readme.txt": ("nothing to see\n", None),
    "compose.yml": ("services:\n  web:\n    image: x\n", None),
    "table.csv": ("a,b\n1,2\n", None),
    "empty.json": ("", None),
    "noise": ("\x00\x01\x02", None),
}


@pytest.mark.parametrize("name", ZOO)
def test_formats_are_told_apart(tmp_path: Path, name: str) -> None:
    for other, (text, _format) in ZOO.items():
        path = tmp_path / other
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    path, expected = tmp_path / name, ZOO[name][1]
    found = recognise(path)
    assert (found.name if found else None) == expected
    claims = [
        each.name for each in importers.FORMATS if each.recognise(path, path.read_bytes()[:65536])
    ]
    assert claims[:1] == ([expected] if expected else [])


@pytest.mark.parametrize(("value", "name"), [(CHATGPT, "chatgpt"), (CLAUDE_AI, "claude-ai")])
def test_archives_are_told_apart_by_what_is_in_them(
    tmp_path: Path, value: object, name: str
) -> None:
    path = tmp_path / "data-2031.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("users.json", "[]")
        archive.writestr("conversations.json", json.dumps(value))
    found = recognise(path)
    assert found is not None
    assert found.name == name


def test_an_archive_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jpg", "x")
    assert recognise(path) is None
