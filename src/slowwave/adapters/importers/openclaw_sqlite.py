"""OpenClaw's agent database (since 2026.7.2): transcripts in SQLite instead of files.

Read without touching it: a file whose owner is running is opened read-only and shares its locks;
one with an unfinished write-ahead log is copied aside, log and all; any other is opened as
immutable. Damaged rows are skipped; a damaged file ends the stream with a Skipped.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from slowwave.adapters.importers.lines import MAX_LINE, read_lines
from slowwave.adapters.importers.openclaw_record import Conversation, channel_of, session_class
from slowwave.adapters.importers.openclaw_tree import transcript
from slowwave.adapters.importers.opening import unpack
from slowwave.errors import InputError
from slowwave.model import Record, Skipped

if TYPE_CHECKING:
    import apsw

_MAGIC = b"SQLite format 3\x00"
_WAL_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_NAMES = ("openclaw-agent.sqlite", "openclaw.sqlite")
_BUSY_MS = 5_000


def is_database(path: Path) -> bool:
    """True for an SQLite file, or the log beside one."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError:
        return False
    return head == _MAGIC or _is_beside(path, head)


def is_agent_database(path: Path, head: bytes) -> bool:
    """True for a database of OpenClaw's (whatever its name, if it holds transcripts)."""
    if _is_beside(path, head):
        return True
    if not head.startswith(_MAGIC):
        return False
    if path.name in _NAMES:
        return True
    import apsw  # noqa: PLC0415 - only databases need it

    try:
        with _opened(path) as database:
            return {"session_id", "seq", "event_json"} <= _columns(database, "transcript_events")
    except (InputError, apsw.Error):
        return False


def _is_beside(path: Path, head: bytes) -> bool:
    """The write-ahead log and its index, which are read with their database."""
    owner = path.name.removesuffix("-wal").removesuffix("-shm")
    return owner in _NAMES and owner != path.name and (
        head.startswith(_WAL_MAGIC) or path.name.endswith("-shm") or not head
    )  # fmt: skip


def read(path: Path, agent: str, zone: tzinfo) -> Iterator[Record | Skipped]:
    """Records of all sessions and session archives of one database, session by session."""
    import apsw  # noqa: PLC0415 - only databases need it

    if path.name.endswith(("-wal", "-shm")):
        return
    try:
        with _opened(path) as database:
            keys = _session_keys(database)
            for session in _sessions(database):
                if session is None:
                    yield Skipped(0, "a session whose id is no text")
                    continue
                where = _conversation(agent, session, keys.get(session, []), zone)
                yield from transcript(partial(_rows, database, session), where)
            yield from _archives(database, agent, zone)
    except apsw.Error as error:
        yield Skipped(0, f"the database is damaged: {error}")


def _conversation(agent: str, session: str, keys: list[str], zone: tzinfo) -> Conversation:
    return Conversation(agent, session, session_class(keys), channel_of(keys), zone)


def _text(raw: object) -> str | None:
    """Text of a column read as bytes: what a damaged file holds there need not be UTF-8."""
    try:
        return raw.decode("utf-8") if isinstance(raw, bytes) else None
    except UnicodeDecodeError:
        return None


def _sessions(database: "apsw.Connection") -> list[str | None]:
    if "event_json" not in _columns(database, "transcript_events"):
        return []  # 2026.6.5–2026.7.1: the file is there, the transcripts are not
    rows = database.execute(
        "SELECT CAST(session_id AS BLOB) FROM transcript_events WHERE session_id IS NOT NULL "
        "GROUP BY session_id ORDER BY MIN(created_at), session_id"
    )
    return [_text(session) for (session,) in rows]


def _rows(database: "apsw.Connection", session: str) -> Iterator[tuple[int, bytes]]:
    """`(seq, entry as JSON bytes)` in order. A frame that cannot be unpacked comes as it is."""
    packed = "event_zstd" in _columns(database, "transcript_events")
    query = (
        f"SELECT seq, CAST(event_json AS BLOB), {'event_zstd' if packed else 'NULL'} "
        "FROM transcript_events WHERE session_id = ? ORDER BY seq"
    )
    for seq, plain, frame in database.execute(query, (session,)):
        number = seq if isinstance(seq, int) else 0
        if plain is not None or not isinstance(frame, bytes):
            yield number, plain or b""
            continue
        try:
            yield number, unpack(frame, MAX_LINE)
        except InputError as error:
            if "pip install" in error.hint:
                raise
            yield number, frame


def _archives(database: "apsw.Connection", agent: str, zone: tzinfo) -> Iterator[Record | Skipped]:
    """Deleted and reset sessions: whole transcripts, plain or packed, one per row."""
    if not {"session_id", "archive_blob"} <= _columns(database, "session_transcript_archives"):
        return
    query = (
        "SELECT CAST(session_id AS BLOB), CAST(session_key AS BLOB), CAST(archive_blob AS BLOB) "
        "FROM session_transcript_archives ORDER BY rowid"
    )
    with tempfile.TemporaryDirectory(prefix="slowwave-") as folder:
        copy = Path(folder, "archive.jsonl")
        for named, keyed, blob in database.execute(query):
            session, key = _text(named), _text(keyed)
            copy.write_bytes(blob or b"")
            where = _conversation(agent, session or "", [key] if key else [], zone)
            try:
                yield from transcript(partial(read_lines, copy), where)
            except InputError as error:
                if "pip install" in error.hint:
                    raise
                yield Skipped(0, f"the archive of session {session} is damaged")


def _session_keys(database: "apsw.Connection") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for table, column in (
        ("session_windows", "session_id"),
        ("session_nodes", "current_session_id"),
    ):
        if not {column, "session_key"} <= _columns(database, table):
            continue
        query = (
            f"SELECT CAST({column} AS BLOB), CAST(session_key AS BLOB) FROM {table} "
            f"WHERE {column} IS NOT NULL AND session_key IS NOT NULL"
        )
        for named, keyed in database.execute(query):
            session, key = _text(named), _text(keyed)
            if session is not None and key is not None:
                found.setdefault(session, []).append(key)
    return found


def _columns(database: "apsw.Connection", table: str) -> set[str]:
    return {
        str(name) for (name,) in database.execute("SELECT name FROM pragma_table_info(?)", (table,))
    }


@contextmanager
def _opened(path: Path) -> Iterator["apsw.Connection"]:
    import apsw  # noqa: PLC0415 - only databases need it

    with tempfile.TemporaryDirectory(prefix="slowwave-") as folder:
        try:
            database = _connect(path, Path(folder))
        except (apsw.Error, OSError) as error:
            raise InputError(f"cannot open the database {path}: {error}", "Check it.") from None
        # What is read is rows: a schema that computes them could do so without an end.
        database.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        database.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        database.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        try:
            yield database
        finally:
            database.close()


def _connect(path: Path, folder: Path) -> "apsw.Connection":
    import apsw  # noqa: PLC0415 - only databases need it

    log, shared = Path(f"{path}-wal"), Path(f"{path}-shm")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    how = "immutable=1"
    if shared.exists():
        try:
            database = apsw.Connection(_uri(path, "mode=ro"), flags)
            database.set_busy_timeout(_BUSY_MS)
            database.execute("SELECT COUNT(*) FROM sqlite_schema").fetchall()
        except apsw.Error:
            how = "copy"  # not ours to lock (a read-only folder, another user)
        else:
            return database
    if how == "copy" or (log.exists() and log.stat().st_size):
        shutil.copyfile(path, folder / "copy.sqlite")
        if log.exists():
            shutil.copyfile(log, folder / "copy.sqlite-wal")
        return apsw.Connection(str(folder / "copy.sqlite"), apsw.SQLITE_OPEN_READWRITE)
    return apsw.Connection(_uri(path, how), flags)


def _uri(path: Path, how: str) -> str:
    return f"file:{quote(str(path.resolve()))}?{how}"
