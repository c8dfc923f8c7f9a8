"""Takes forgotten words out of the files beside the store: logs, reports, vault, mirror.

What Slowwave wrote is cleaned; what a person wrote is told, with file and line, and cut only on
their word. Receipts of forgettings are kept here too; they hold no words.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from slowwave.adapters.files import read, remove, replace_file, writable
from slowwave.adapters.vault import regions
from slowwave.errors import InputError, NotFound
from slowwave.model import Dream, Left, Receipt
from slowwave.text.redaction import Places, cut

__all__ = ["FolderFiles"]

LARGEST = 64 * 1024 * 1024
"""Bytes of the largest file that is looked through."""

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_STATE, _BACKUP = ".slowwave.json", ".backup"
_SPACE = re.compile(rb'"space": ?"([^"]+)"')
_ID = re.compile(rb'"dream_id": ?"([^"]+)"')


class FolderFiles:
    """The files of one space: below a home, and in other folders (mirror, workspace).

    `pages` is the folder of the space's vault; those of other spaces, their logs, and the
    `database` are left alone.
    """

    def __init__(
        self, home: Path, database: str, space: str, pages: Path, others: Sequence[Path] = ()
    ) -> None:
        self._home = home
        self._database = database
        self._space = space
        self._pages = pages
        self._others = tuple(others)

    def dream_logs(self) -> Iterator[tuple[str, Dream | None]]:
        """The readable logs: the dream's id, and the dream as it is told (None: unreadable)."""
        for path in sorted((self._home / "vault" / "dream_logs").glob("**/*.json")):
            with writable(path):
                body = read(path) or b""
            named = _ID.search(body)
            if named and self._is_own(path, body):
                yield named[1].decode(), _dream(body)

    def sweep(self, places: Places, *, by_hand: bool) -> tuple[int, tuple[Left, ...]]:
        """Cuts what `places` finds; returns how many files changed, and what was left alone.

        `by_hand`: also what people wrote. Raises StoreError.
        """
        changed = 0
        left: list[Left] = []
        for path, body in self._readable():
            new, found = self._cleaned(path, body, places, by_hand)
            left += found
            if new != body:
                with writable(path):
                    self._put(path, new)
                changed += 1
        return changed, tuple(left)

    def look(self, places: Places) -> tuple[Left, ...]:
        """Where `places` finds something. Changes nothing."""
        named = [Left(str(path), 0) for path, _ in self._readable() if places(path.stem)]
        told = [
            Left(str(path), line)
            for path, body in self._readable()
            for line in _lines(_decoded(body), places)
        ]
        return (*named, *told)

    def _readable(self) -> Iterator[tuple[Path, bytes]]:
        for path in self._files():
            with writable(path):
                body = read(path)
            if body is None or len(body) > LARGEST or _is_binary(body):
                continue
            if self._is_own(path, body):
                yield path, body

    def _is_own(self, path: Path, body: bytes) -> bool:
        """Whether a file below the vault is of this space: a page of it, or a log that says so."""
        vault = self._home / "vault"
        if vault not in path.parents:
            return True
        if vault / "dream_logs" in path.parents:
            told = _SPACE.search(body)
            return told is None or told[1].decode("utf-8", "replace") == self._space
        others = vault / "spaces"
        return self._pages in path.parents and (self._pages != vault or others not in path.parents)

    def _put(self, path: Path, new: bytes | None) -> None:
        if new is None:
            remove(path, self._home)
        else:
            replace_file(path, new, path.stat().st_mode & 0o777)

    def _cleaned(
        self, path: Path, body: bytes, places: Places, by_hand: bool
    ) -> tuple[bytes | None, list[Left]]:
        """The file without the words (None: without the file), and the lines left alone."""
        text = _decoded(body)
        if not places(text):
            return body, []
        if path.name == _STATE or _BACKUP in path.parts:
            return None, []  # derived, or an old copy of what was cleaned
        if self._is_ours(path):
            return _encoded(_reworded(text, places), body), []
        body = _recomposed(body, places)
        text = _decoded(body)
        if by_hand:
            return _encoded(cut(text, places(text)), body), []
        return body, [Left(str(path), line) for line in _lines(text, places)]

    def _is_ours(self, path: Path) -> bool:
        """Whether nobody but Slowwave writes there: reports and logs, not the vault's pages."""
        if self._home not in path.parents:
            return False
        return path.suffix != ".md" or self._home / "vault" not in path.parents

    def _files(self) -> Iterator[Path]:
        kept_out = (self._home / "receipts",)
        for root in (self._home, *self._others):
            for path in sorted(root.rglob("*")) if root.is_dir() else ():
                ours = path.parent == self._home and (
                    path.name.startswith(self._database) or path.name == "slowwave.toml"
                )
                if path.is_file() and not ours and not any(one in path.parents for one in kept_out):
                    yield path

    # receipts

    def keep_receipt(self, receipt: Receipt) -> Path:
        """Writes a receipt as JSON; replaces an earlier state of it. Raises StoreError."""
        target = self._home / "receipts" / f"{receipt.id}.json"
        with writable(target):
            target.parent.mkdir(mode=0o700, exist_ok=True)
            body = msgspec.json.format(msgspec.json.encode(receipt), indent=2)
            replace_file(target, body + b"\n", 0o600)
        return target

    def receipt(self, named: str) -> Receipt:
        """The receipt of an id, of a unique start of one, or of a file. NotFound, InputError."""
        path = Path(named)
        if not path.is_file():
            folder = self._home / "receipts"
            found = [one for one in sorted(folder.glob("*.json")) if one.stem.startswith(named)]
            if len(found) != 1:
                raise NotFound(
                    f"no receipt {named!r}" if not found else f"{named!r} is not one receipt",
                    f"receipts are kept in {folder}; give the id, or a file",
                )
            path = found[0]
        try:
            return msgspec.json.decode(path.read_bytes(), type=Receipt)
        except (OSError, msgspec.MsgspecError) as error:
            raise InputError(
                f"{path} is no receipt: {error}", "give the file as written"
            ) from error


def _lines(text: str, places: Places) -> list[int]:
    return sorted({text.count("\n", 0, start) + 1 for start, _ in places(text)})


def _dream(body: bytes) -> Dream | None:
    try:
        return msgspec.json.decode(body, type=Dream)
    except msgspec.MsgspecError:
        return None


def _reworded(text: str, places: Places) -> str:
    """A report without the words; in JSON only its strings are touched, so that it stays JSON."""
    try:
        return msgspec.json.format(msgspec.json.encode(_walked(msgspec.json.decode(text), places)),
                                   indent=2).decode() + "\n"  # fmt: skip
    except msgspec.MsgspecError:
        return cut(text, places(text))


def _walked(value: Any, places: Places) -> Any:
    if isinstance(value, str):
        return cut(value, places(value))
    if isinstance(value, dict):
        return {_walked(key, places): _walked(inner, places) for key, inner in value.items()}
    return [_walked(inner, places) for inner in value] if isinstance(value, list) else value


def _recomposed(body: bytes, places: Places) -> bytes:
    """The file with the words out of the part that Slowwave wrote and nobody edited."""
    try:
        region = regions.find(body)
    except regions.Broken:
        return body
    spans = places(region.body) if region.found and region.ours else []
    return regions.composed(region, cut(region.body, spans)) if spans else body


def _is_binary(body: bytes) -> bool:
    return not body.startswith(_WIDE) and b"\0" in body[:8192]


def _decoded(body: bytes) -> str:
    return body.decode("utf-16") if body.startswith(_WIDE) else regions.decoded(body)


def _encoded(text: str, like: bytes) -> bytes:
    """The text in the encoding of the file."""
    if like.startswith(_WIDE):
        name = "utf-16-le" if like.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
        return like[:2] + text.encode(name, "surrogatepass")
    return regions.encoded(text, like)
