"""The folders `long_term`, `cold` and `history`: one file per memory, and its old versions (N3).

Only files of memories that changed are touched: a file whose size and times are those of the last
time is not even opened, and of memories without a new version nothing is asked. A file is replaced
only when it still is what was written, or what was read and taken in.
"""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

import msgspec

from slowwave.adapters.files import read, remove, replace_seen, settle_folder
from slowwave.adapters.vault import entries
from slowwave.adapters.vault.entries import FOLDERS, Unreadable
from slowwave.adapters.vault.state import Entry, State, same, stat_of
from slowwave.errors import FileChanged
from slowwave.model import Clash, Edit, Edition, Memory, Version, day_of
from slowwave.ports import History, Lookup

__all__ = ["Archive", "Brought", "Found"]

MOST_GONE = 5
_ROOMS = {"active": "long_term", "cold": "cold"}
_NOWHERE = (0, 0, 0)
_TAIL = "notes.md"


class Found(NamedTuple):
    """What people did to the files: edits, what cannot be read, and the bytes of what was read.

    `touched` are the memories whose files are not as they were left.
    """

    edits: list[Edit]
    clashes: list[Clash]
    seen: dict[str, bytes]
    touched: list[str]


class Brought(NamedTuple):
    """The state after the archive was brought in step, the files written, what was left, and the
    files removed."""  # fmt: skip

    state: State
    files: list[str]
    clashes: list[Clash]
    removed: list[str]


class Archive:
    """The entry files of one vault. `keep` old versions of each memory are kept."""

    def __init__(self, root: Path, keep: int, versions: History, zone: tzinfo) -> None:
        self._root = root
        self._keep = keep
        self._versions = versions
        self._zone = zone

    # what people did

    def look(self, state: State, known: Lookup) -> Found:
        """Edits since the last time. Without a state all files are opened."""
        found = Found([], [], {}, [])
        lost: list[tuple[str, str]] = []
        root = str(self._root)
        for memory_id, rel in self._files(state):
            entry = state.entries.get(memory_id)
            # Strings, not paths: this line is the only one that runs for every file there is.
            if entry is not None and same(f"{root}/{rel}", entry):
                continue
            found.touched.append(memory_id)
            body = read(self._root / rel)
            if body is None:
                lost.append((memory_id, rel))
            elif not entries.untouched(body):
                self._read(rel, memory_id, body, found)
        gone = _deleted(lost, known)
        if len(gone) <= max(MOST_GONE, len(state.entries) // 2):
            found.edits.extend(gone)
        else:
            reason = f"{len(gone)} files are gone at once: written again"
            found.clashes.append(Clash(file="long_term", reason=reason))
        return found

    def _files(self, state: State) -> Iterator[tuple[str, str]]:
        """Memory ids and the files they have (or should have)."""
        for memory_id, entry in state.entries.items():
            yield memory_id, entry.path
        if state.entries or state.gone:
            return
        for room in _ROOMS.values():
            for path in sorted((self._root / room).glob("*/*.md")):
                memory_id = path.stem.rpartition("-")[2]
                yield memory_id, path.relative_to(self._root).as_posix()

    def _read(self, rel: str, memory_id: str, body: bytes, found: Found) -> None:
        try:
            parsed = entries.parse(body)
            named = parsed.fields.get("id")
            if named != memory_id:
                raise Unreadable(f"its `id` was changed to {entries.typed(named)}")
            wanted = parsed.fields.get("version")
            past = [item.memory for item in self._versions(memory_id, None)]
            base = next((memory for memory in past if memory.version == wanted), None)
            if base is None:
                raise Unreadable("the version it was made from is not known")
            found.edits.extend(entries.edits_of(rel, parsed, base, self._zone))
            found.seen[memory_id] = body
        except Unreadable as error:
            hint = f"{error}. Undo that, or delete the file to have it written again"
            clash = Clash(file=rel, reason=hint, memory_id=memory_id, understood=False)
            found.clashes.append(clash)

    # what they are to say

    def write(
        self, edition: Edition, state: State, seen: dict[str, bytes], *, dry: bool
    ) -> Brought:
        """Brings the files in step that may not be; of a whole edition all."""
        desk = _Desk(self._root, seen, dry)
        after, gone = dict(state.entries), dict(state.gone)
        kept = {memory_id for file, memory_id in edition.held if "/" in file}
        named = {memory.id for memory in edition.memories}
        more = (state.entries.keys() | state.gone.keys()) - named if edition.whole else edition.lost
        for memory in edition.memories:
            if memory.id not in kept:
                had = _had(state, memory.id)
                undone = memory.undone
                entry = self._none(desk, memory.id, had) if undone else self._one(desk, memory, had)
                _note(after, gone, memory.id, entry)
        for memory_id in sorted(more):
            _note(after, gone, memory_id, self._none(desk, memory_id, _had(state, memory_id)))
        desk.settle()
        late = kept | {clash.memory_id for clash in desk.clashes}
        done = msgspec.structs.replace(
            state, entries=after, gone=gone, mark=edition.mark, late=tuple(sorted(late))
        )
        return Brought(done, desk.files, desk.clashes, desk.removed)

    def _none(self, desk: "_Desk", memory_id: str, had: Entry | None) -> Entry | None:
        """Takes away the file and the history of what is no memory any more."""
        if had is None:
            return None
        if had.path and not desk.drop(memory_id, had.path):
            return had
        self._history(desk, memory_id, ())
        return None

    def _one(self, desk: "_Desk", memory: Memory, had: Entry | None) -> Entry | None:
        """One memory's file, if it has one in its status, and its history."""
        room = _ROOMS.get(memory.status)
        name = Path(had.path).name if had and had.path else None
        rel = f"{room}/{FOLDERS[memory.kind]}/{name}" if room and name else None
        settled = had is not None and had.version == memory.version
        if had and settled and not room and not had.path:
            return had
        if had and settled and rel == had.path and same(f"{self._root}/{rel}", had):
            return had
        if room is None and had is None and memory.status != "retired":
            return None  # a candidate: nothing of it was ever here
        # Its name is that of its first words; else the last few versions are all that is shown.
        versions = list(self._versions(memory.id, self._keep + 2 if rel or not room else None))
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


def _deleted(lost: Sequence[tuple[str, str]], known: Lookup) -> list[Edit]:
    """Files that a person deleted: those of active memories."""
    memories = known([memory_id for memory_id, _ in lost]) if lost else {}
    return [
        Edit(file=rel, what="delete", memory_id=memory_id, before=memories[memory_id].text)
        for memory_id, rel in lost
        if rel.startswith("long_term/")
        and memory_id in memories
        and memories[memory_id].status == "active"
    ]


def _had(state: State, memory_id: str) -> Entry | None:
    """What stands in the state of a memory; one that has left the archive has no path."""
    version = state.gone.get(memory_id)
    return state.entries.get(memory_id) or (
        None if version is None else Entry("", version, _NOWHERE)
    )


def _note(
    there: dict[str, Entry], gone: dict[str, int], memory_id: str, entry: Entry | None
) -> None:
    """Notes how a memory stands in the archive now."""
    there.pop(memory_id, None)
    gone.pop(memory_id, None)
    if entry is not None and entry.path:
        there[memory_id] = entry
    elif entry is not None:
        gone[memory_id] = entry.version


class _Desk:
    """Writes and removes files, or only notes which ones it would."""

    def __init__(self, root: Path, seen: dict[str, bytes], dry: bool) -> None:
        self._root = root
        self._seen = seen
        self._dry = dry
        self.files: list[str] = []
        self.removed: list[str] = []
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
        self.removed.append(rel)
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
