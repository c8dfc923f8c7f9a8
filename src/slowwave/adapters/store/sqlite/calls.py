"""The audit of a model: what was asked of it, and the answers in quarantine."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import apsw
import msgspec

from slowwave.adapters.store.sqlite.connection import rows
from slowwave.adapters.store.sqlite.rows import encode, instant
from slowwave.adapters.store.sqlite.upkeep import erasures, has_forgotten
from slowwave.model import ModelCall, RawAnswer, StoredText

if TYPE_CHECKING:
    from slowwave.adapters.store.lineage import Lineage

T = TypeVar("T")


class Calls:
    """The part of the store that keeps what was asked of a model."""

    def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        raise NotImplementedError

    def _write(self, work: Callable[[apsw.Connection], T]) -> T:
        raise NotImplementedError

    def record_calls(
        self,
        space: str,
        calls: Sequence[ModelCall],
        answers: Sequence[RawAnswer] = (),
        days: int = 0,
    ) -> None:
        """Keeps what was asked of a model, and answers that could not be used."""
        if calls or answers:
            self._write(lambda c: record(c, space, calls, answers, days))

    def model_calls(self, space: str, since: datetime | None = None) -> list[ModelCall]:
        """What was asked of models at or after a moment (None = ever), oldest first."""
        return self._read(lambda c: _kept(c, "model_calls", ModelCall, space, since))

    def raw_answers(self, space: str, since: datetime | None = None) -> list[RawAnswer]:
        """The answers in quarantine from a moment on (None = all), oldest first."""
        return self._read(lambda c: _kept(c, "raw_answers", RawAnswer, space, since))


def record(
    connection: apsw.Connection,
    space: str,
    calls: Sequence[ModelCall],
    answers: Sequence[RawAnswer],
    days: int,
) -> None:
    """As `Calls.record_calls`, inside a transaction."""
    for call in calls:
        sql = "INSERT INTO model_calls (space, ts, body) VALUES (?, ?, ?)"
        rows(connection, sql, (space, instant(call.ts), encode(call)))
    if not answers:
        return
    # It reads language; an answer in quarantine is rare.
    from slowwave.adapters.store import quarantine  # noqa: PLC0415

    known = erasures(connection, space) if has_forgotten(connection) else []
    for answer in quarantine.admitted(answers, known):
        sql = "INSERT OR REPLACE INTO raw_answers (space, id, ts, body) VALUES (?, ?, ?, ?)"
        rows(connection, sql, (space, answer.id, instant(answer.ts), encode(answer)))
    oldest = quarantine.oldest_kept(answers, days)
    if oldest is not None:
        sql = "DELETE FROM raw_answers WHERE space = ? AND ts < ?"
        rows(connection, sql, (space, instant(oldest)))


def _kept(
    connection: apsw.Connection, table: str, kind: type[T], space: str, since: datetime | None
) -> list[T]:
    sql = f"SELECT body FROM {table} WHERE space = ? AND ts >= ? ORDER BY ts, rowid"
    found = rows(connection, sql, (space, instant(since) if since else ""))
    decode = msgspec.json.Decoder(kind).decode
    return [decode(body) for (body,) in found]


def forget_answers(connection: apsw.Connection, lineage: "Lineage") -> None:
    """Takes out the answers that name or say what is forgotten. Inside a transaction."""
    from slowwave.adapters.store import quarantine  # noqa: PLC0415 - as in `record`

    space = lineage.purge.space
    for answer in _kept(connection, "raw_answers", RawAnswer, space, None):
        if quarantine.goes(answer, lineage):
            sql = "DELETE FROM raw_answers WHERE space = ? AND id = ?"
            rows(connection, sql, (space, answer.id))


def texts(connection: apsw.Connection, space: str) -> Iterator[StoredText]:
    """What the answers in quarantine say."""
    from slowwave.adapters.store import quarantine  # noqa: PLC0415 - as in `record`

    for answer in _kept(connection, "raw_answers", RawAnswer, space, None):
        yield from quarantine.texts_of(answer)
