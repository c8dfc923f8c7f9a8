"""Style, script and icon, under names that hold a hash of what they are: kept for ever."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
FOR_EVER = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """One file as it is sent."""

    body: bytes
    type: str


class Assets(NamedTuple):
    """All files, by the name they are asked for; and that name, by their own."""

    files: Mapping[str, Asset]
    names: Mapping[str, str]


@cache
def assets() -> Assets:
    """What the package brings."""
    files, names = {}, {}
    for path in sorted(FOLDER.iterdir()):
        if path.suffix in TYPES:
            body = path.read_bytes()
            name = f"{path.stem}.{sha256(body).hexdigest()[:12]}{path.suffix}"
            files[name], names[path.name] = Asset(body, TYPES[path.suffix]), name
    return Assets(files, names)


def address(name: str) -> str:
    """Where a page finds a file."""
    return f"/static/{assets().names[name]}"
