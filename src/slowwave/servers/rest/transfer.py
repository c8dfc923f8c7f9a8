"""To another home and back: an export as a stream, an import from an upload. Never a path here."""

import re
import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from slowwave.answers.encoding import encoded
from slowwave.answers.taken import Imported
from slowwave.errors import InputError, NotFound, UsageError
from slowwave.memory import SlowMemory
from slowwave.servers.doors import room_of
from slowwave.servers.packed import TIMES, unpacks_to_more
from slowwave.servers.problems import NotAllowed, Refused
from slowwave.servers.rest.desk import QUIET, Answer, body_bytes, desk_of, query_pairs, told
from slowwave.servers.rest.idempotency import key_of, whose
from slowwave.servers.rest.reading import Asked, query_of
from slowwave.servers.rest.route import JSON, JSON_LINES, Route, special
from slowwave.servers.room import Room

__all__ = ["ROUTES"]

PIECE = 64 * 1024
"""Bytes that are sent at once, about."""
OWN = "slowwave"
ANY = "*/*"

Format = Literal[
    "auto", "openclaw", "openclaw-session", "claude-code", "chatgpt", "claude-ai",
    "chat-markdown", "claw-yaml", "jsonl", "locomo", "beam", "slowwave",
]  # fmt: skip
KINDS = {
    "jsonl": JSON_LINES,
    "markdown": "text/markdown; charset=utf-8",
    "claw-yaml": "application/yaml",
}


class ExportAs(Asked, frozen=True, kw_only=True):
    """As JSON lines or a page that holds everything, or one day (`date`) as YAML."""

    format: Literal["jsonl", "markdown", "claw-yaml"] = "jsonl"
    date: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class ImportAs(Asked, frozen=True, kw_only=True):
    """What the upload is, where that is not recognised; its name counts for what it is, no more."""

    format: Format = "auto"
    name: Annotated[str, msgspec.Meta(max_length=200)] = "upload"


async def export(route: Route, request: Request) -> Response:
    """Everything of this space, to read it back with an import.

    Events with their ids, memories with all versions, dreams and plans, signals, open items, the
    injection ledger, what was forgotten. Not the settings, and nothing that is made anew from it.
    """
    room = room_of(request, route.scope)
    wanted = query_of(query_pairs(request), ExportAs)
    pieces = await desk_of(request).beside(_begun, room.memory, wanted)
    return StreamingResponse(pieces, headers=QUIET, media_type=KINDS[wanted.format])


def _begun(memory: SlowMemory, wanted: ExportAs) -> Iterator[bytes]:
    """The export, with its beginning made: what goes wrong there is still an error."""
    pieces = _pieces(memory, wanted)
    first = next(pieces, b"")
    return chain((first,), pieces)


def _pieces(memory: SlowMemory, wanted: ExportAs) -> Iterator[bytes]:
    if wanted.format == "claw-yaml":
        if wanted.date in (None, "all"):
            raise UsageError("this format has one file for each day", "name one day with date")
        [day] = memory.day_files(wanted.date or "")
        if not day.events:
            raise NotFound(f"nothing was said on {day.name[:10]}", "GET /v1/status tells when")
        yield day.text.encode("utf-8", "replace")
        return
    if wanted.date is not None:
        raise UsageError("date goes with format=claw-yaml", "an export has all days")
    piece = bytearray()
    for line in memory.export(markdown=wanted.format == "markdown").lines:
        piece += line + b"\n"
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


async def upload(route: Route, request: Request) -> Response:
    """Read a foreign log or an export: one file, sent as the body.

    Safe to repeat: what is known is not taken twice. Damaged records are skipped and told. Reading
    an export back also restores its memories: that takes the scope admin.
    """
    desk = desk_of(request)
    wanted = query_of(query_pairs(request), ImportAs)
    raw = await body_bytes(route, request)
    room = await desk.beside(room_of, request, route.scope)
    work = partial(_taken, room, wanted, raw)
    key = key_of(request.headers)
    if key:
        place = whose(room.memory.space, room.grant.name, route.id, key)
        said = msgspec.json.encode(wanted) + raw
        work = partial(desk.kept.once, place, said, work)
    return told(await desk.beside(work))


def _taken(room: Room, wanted: ImportAs, raw: bytes) -> Answer:
    if not raw:
        raise UsageError("nothing was sent", "send the file as the body")
    if unpacks_to_more(raw, TIMES * room.memory.parts.settings.server.body_mb * 1024 * 1024):
        raise Refused(413, "this file unpacks to too much", "send it in parts, not packed")
    name = _file_name(wanted.name)
    with tempfile.TemporaryDirectory(prefix="slowwave-") as folder:
        path = Path(folder) / name
        path.write_bytes(raw)
        _refuse_restoring(room, wanted, path)
        try:
            done = room.memory.import_paths([path], wanted.format)
        except InputError as error:
            raise _nameless(error, folder) from error
    shown = Imported(
        files=tuple(
            msgspec.structs.replace(
                report, path=name,
                skipped=tuple(
                    msgspec.structs.replace(one, reason=_clean(one.reason, folder))
                    for one in report.skipped
                ),
            )
            for report in done.files
        ),
        events=done.events, duplicates=done.duplicates, skipped=done.skipped,
    )  # fmt: skip
    return Answer(200, encoded(shown), {"content-type": JSON, **QUIET})


def _refuse_restoring(room: Room, wanted: ImportAs, path: Path) -> None:
    """An export brings memories with it, believed without a dream: not everybody may do that."""
    if room.grant.may("admin"):
        return
    found = room.memory.parts.importers.recognise(path) if wanted.format == "auto" else None
    if wanted.format == OWN or (found is not None and found.name == OWN):
        raise NotAllowed("this token may not restore an export", "use one with the scope admin")


def _file_name(given: str) -> str:
    """The last part of a name, as a file may be called anywhere."""
    last = re.split(r"[/\\]", given)[-1]
    safe = re.sub(r"[^\w.\-]+", "_", last)[-100:].strip(".")
    return safe or "upload"


def _clean(text: str, folder: str) -> str:
    return text.replace(f"{folder}/", "").replace(folder, "the upload")


def _nameless(error: InputError, folder: str) -> InputError:
    """The error without the place where the upload lay for a moment."""
    return type(error)(_clean(error.message, folder), _clean(error.hint, folder))


ROUTES = (
    special("GET", "/v1/export", export, scope="admin", tag="transfer", query=ExportAs,
            answer=bytes, gives=(JSON_LINES, "text/markdown", "application/yaml")),
    special("POST", "/v1/import", upload, scope="log", tag="transfer", query=ImportAs,
            body=bytes, takes=(ANY,), answer=Imported, writes=True),
)  # fmt: skip
