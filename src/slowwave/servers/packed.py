"""How much a packed upload holds: a few kilobytes may unpack to more than anybody can read."""

import gzip
import io
import zlib
from typing import BinaryIO, cast

__all__ = ["TIMES", "unpacks_to_more"]

TIMES = 8
"""What is packed may hold so many times as much as may be sent at once."""
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_PIECE = 1024 * 1024


def unpacks_to_more(raw: bytes, most: int) -> bool:
    """Whether a packed file unpacks to more than `most` bytes; what is not packed does not.

    A damaged one does not either: whoever reads it says what is damaged.
    """
    stream = _unpacker(raw)
    if stream is None:
        return False
    seen = 0
    damaged: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, *_zstd_errors())
    try:
        while piece := stream.read(_PIECE):
            seen += len(piece)
            if seen > most:
                return True
    except damaged:
        return False
    return False


def _unpacker(raw: bytes) -> BinaryIO | None:
    if raw.startswith(_GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=io.BytesIO(raw)))
    if not raw.startswith(_ZSTD):
        return None
    try:
        import zstandard  # noqa: PLC0415 - optional: only archived sessions are packed so
    except ImportError:
        return None  # nobody will unpack it
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(raw), read_across_frames=True)
    return cast("BinaryIO", reader)


def _zstd_errors() -> tuple[type[Exception], ...]:
    try:
        import zstandard  # noqa: PLC0415 - as above
    except ImportError:
        return ()
    return (zstandard.ZstdError,)
