"""The folders `long_term`, `cold` and `history`: one file per memory, and its old versions (N3).

Only files of memories that changed are touched: a file whose memory has the same version and whose
size and times are those of the last time is not even opened. A file is replaced only when it still
is what was written, or what was read and taken in.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

from slowwave.adapters.files import read, remove, replace_seen, settle_folder
from slowwave.adapters.vault import entries
from slowwave.adapters.vault.entries import FOLDERS, Unreadable
from slowwave.adapters.vault.state import Entry, State, same, stat_of
from slowwave.errors import FileChanged
from slowwave.model import Clash, Edit, Memory, Version, day_of

__all__ = ["Archive", "Found"]

Versions = Callable[[str], Sequence[Version]]

MOST_GONE = 5
_ROOMS = {"active": "long_term", "cold": "cold"}
_NOWHERE = (0, 0, 0)
_TAIL = "notes.md"


class Found(NamedTuple):
    """What people did to the files: edits, what cannot be read, and the bytes of what was read."""

    edits: list[Edit]
    clashes: list[Clash]
    seen: dict[str, bytes]


class Archive:
    """The entry files of one vault. `keep` old versions of each memory are kept."""

    def __init__(self, root: Path, keep: int, versions: Versions, zone: tzinfo) -> None:
        self._root = root
        self._keep = keep
        self._versions = versions
        self._zone = zone

    # what people did

    def look(self, state: State, known: dict[str, Memory]) -> Found:
        """Edits since the last time. Without a state all files are opened."""
        found = Found([], [], {})
        gone: list[Edit] = []
        for memory_id, rel in self._files(state):
            entry = state.entries.get(memory_id)
            path = self._root / rel
            if entry is not None and same(path, entry):
                continue
            body = read(path)
            memory = known.get(memory_id)
            if body is None:
                if memory and memory.status == "active" and rel.startswith("long_term/"):
                    before = memory.text
                    gone.append(Edit(file=rel, what="delete", memory_id=memory_id, before=before))
            elif not entries.untouched(body):
                self._read(rel, memory_id, body, found)
        if len(gone) <= max(MOST_GONE, len(state.entries) // 2):
            found.edits.extend(gone)
        else:
            reason = f"{len(gone)} files are gone at once: written again"
            found.clashes.append(Clash(file="long_term", reason=reason))
        return found

    def _files(self, state: State) -> Iterator[tuple[str, str]]:
        """Memory ids and the files they have (or should have)."""
        for memory_id, entry in state.entries.items():
            if entry.path:
                yield memory_id, entry.path
        if state.entries:
            return
        for room in _ROOMS.values():
            for path in sorted((self._root / room).glob("*/*.md")):
                memory_id = path.stem.rpartition("-")[2]
                yield memory_id, path.relative_to(self._root).as_posix()

    def _read(self, rel: str, memory_id: str, body: bytes, found: Found) -> None:
        try:
            parsed = entries.parse(body)
            if parsed.fields.get("id") != memory_id:
                raise Unreadable("its id was changed")
            wanted = parsed.fields.get("version")
            past = [item.memory for item in self._versions(memory_id)]
            base = next((memory for memory in past if memory.version == wanted), None)
            if base is None:
                raise Unreadable("the version it was made from is not known")
            found.edits.extend(entries.edits_of(rel, parsed, base, self._zone))
            found.seen[memory_id] = body
        except Unreadable as error:
            hint = f"{error}. Undo that, or delete the file to have it written again"
            found.clashes.append(Clash(file=rel, reason=hint, memory_id=memory_id))

    # what they are to say

    def write(
        self,
        memories: Sequence[Memory],
        state: State,
        seen: dict[str, bytes],
        held: frozenset[tuple[str, str]],
        *,
        dry: bool,
    ) -> tuple[dict[str, Entry], list[str], list[Clash]]:
        """Brings all files in step; the entries as they are now, files changed, files left."""
        desk = _Desk(self._root, seen, dry)
        after: dict[str, Entry] = {}
        kept = {memory_id for file, memory_id in held if "/" in file}
        for memory in memories:
            had = state.entries.get(memory.id)
            if memory.undone:
                continue
            if memory.id in kept:
                if had:
                    after[memory.id] = had
                continue
            entry = self._one(desk, memory, had)
            if entry is not None:
                after[memory.id] = entry
        for memory_id, entry in state.entries.items():
            if memory_id not in after:
                if entry.path and not desk.drop(memory_id, entry.path):
                    after[memory_id] = entry
                else:
                    self._history(desk, memory_id, ())
        desk.settle()
        return after, desk.files, desk.clashes

    def _one(self, desk: "_Desk", memory: Memory, had: Entry | None) -> Entry | None:
        """One memory's file, if it has one in its status, and its history."""
        room = _ROOMS.get(memory.status)
        name = Path(had.path).name if had and had.path else None
        rel = f"{room}/{FOLDERS[memory.kind]}/{name}" if room and name else None
        settled = had is not None and had.version == memory.version
        if had and settled and not room and not had.path:
            return had
        if had and settled and rel == had.path and same(self._root / rel, had):
            return had
        if room is None and had is None and memory.status != "retired":
            return None  # a candidate: nothing of it was ever here
        versions = list(self._versions(memory.id))
        if room and rel is None:
            first = versions[0].memory if versions else memory
            rel = f"{room}/{FOLDERS[memory.kind]}/{entries.name_of(first)}"
        if rel is not None and not self._render(desk, memory, versions, rel, had):
            return had
        if had and had.path and had.path != rel:
            if rel is None:
                self._save_tail(desk, memory.id, had.path)
            if not desk.drop(memory.id, had.path):
                return had
        kept = () if memory.status == "candidate" else versions
        self._history(desk, memory.id, kept)
        stat = stat_of(self._root / rel) if rel else _NOWHERE
        return Entry(rel or "", memory.version, stat or _NOWHERE)

    def _save_tail(self, desk: "_Desk", memory_id: str, rel: str) -> None:
        """What a person wrote below a memory outlives it."""
        tail = entries.tail_of(read(self._root / rel) or b"")
        if tail.strip():
            desk.put(memory_id, f"history/{memory_id}/{_TAIL}", tail)

    def _render(
        self,
        desk: "_Desk",
        memory: Memory,
        versions: Sequence[Version],
        rel: str,
        had: Entry | None,
    ) -> bool:
        before = had.path if had and had.path else rel
        tail = entries.tail_of(read(self._root / before) or b"")
        changed = versions[-1].recorded_at if versions else memory.last_seen
        body = entries.render(memory, day_of(changed, self._zone), self._zone, tail)
        return desk.put(memory.id, rel, body)

    def _history(self, desk: "_Desk", memory_id: str, versions: Sequence[Version]) -> None:
        """The old versions of a memory, each in a file that never changes."""
        when = {item.memory.version: item.recorded_at for item in versions}
        wanted = entries.older([item.memory for item in versions], self._keep)
        names = {f"history/{memory_id}/{memory.version}.md": memory for memory in wanted}
        folder = self._root / "history" / memory_id
        there = {
            path.relative_to(self._root).as_posix()
            for path in folder.glob("*.md")
            if path.name != _TAIL or not versions
        }
        for rel, memory in names.items():
            if rel not in there:
                day = day_of(when[memory.version], self._zone)
                desk.put(memory_id, rel, entries.render(memory, day, self._zone))
        for rel in sorted(there - set(names)):
            desk.drop(memory_id, rel)


class _Desk:
    """Writes and removes files, or only notes which ones it would."""

    def __init__(self, root: Path, seen: dict[str, bytes], dry: bool) -> None:
        self._root = root
        self._seen = seen
        self._dry = dry
        self.files: list[str] = []
        self.clashes: list[Clash] = []
        self._folders: set[Path] = set()

    def settle(self) -> None:
        """Makes all that was written durable: one folder after the other, not file by file."""
        for folder in sorted(self._folders):
            settle_folder(folder)

    def put(self, memory_id: str, rel: str, body: bytes) -> bool:
        """Writes a file unless it says the same; False when a person changed it meanwhile."""
        path = self._root / rel
        current = read(path)
        if current == body:
            return True
        if not self._ours(memory_id, rel, current):
            return False
        self.files.append(rel)
        if not self._dry:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                replace_seen(path, current, body, settle=False)
                self._folders.add(path.parent)
            except FileChanged:
                return self._ours(memory_id, rel, None, moved=True)
        return True

    def drop(self, memory_id: str, rel: str) -> bool:
        """Removes a file; False when a person changed it meanwhile."""
        current = read(self._root / rel)
        if current is None:
            return True
        if not self._ours(memory_id, rel, current):
            return False
        self.files.append(rel)
        if not self._dry:
            remove(self._root / rel, self._root)
        return True

    def _ours(
        self, memory_id: str, rel: str, current: bytes | None, *, moved: bool = False
    ) -> bool:
        if not moved and (
            current is None
            or current == self._seen.get(memory_id)
            or (entries.untouched(current) and not (self._root / rel).is_symlink())
        ):
            return True
        reason = "it holds an edit that was not taken in: left as it is"
        self.clashes.append(Clash(file=rel, reason=reason, memory_id=memory_id))
        return False
