"""Opens files as streams of UTF-8 bytes: packed or plain, whatever their byte order mark.

Nothing here holds more than a piece of the file, and every way a file can fail is an InputError.
"""

import codecs
import functools
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from slowwave.errors import InputError, NotFound

BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""Byte order marks and their encodings, longest first."""

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"

_CHUNK = 256 * 1024
_PACKED_CHUNK = 1024  # unpacks to 32 MiB at the very most, whatever the archive says


@contextmanager
def opened(path: Path, *, recode: bool = True) -> Iterator[io.BufferedReader]:
    """The file's bytes, unpacked, and as UTF-8 without a mark if `recode`."""
    try:
        base = path.open("rb")
    except FileNotFoundError:
        raise NotFound(f"there is no file {path}", "check the path") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot open {path}: {error}", "Check that it is readable.") from None
    with base:
        file = _unpacked(path, base)
        yield _as_utf8(path, file) if recode else file


def _unpacked(path: Path, base: io.BufferedReader) -> io.BufferedReader:
    start = _peek(path, base)
    if start.startswith(GZIP_MAGIC):
        pull = functools.partial(gzip.GzipFile(fileobj=base, mode="rb").read1, _CHUNK)
        return io.BufferedReader(_Piped(pull, (EOFError, zlib.error)), _CHUNK)
    if not start.startswith(ZSTD_MAGIC):
        return base
    zstd = _zstandard(str(path))
    unpacker = zstd.ZstdDecompressor()

    def frames() -> Iterator[bytes]:
        frame = None
        rest = b""
        while data := rest or base.read(_PACKED_CHUNK):
            frame = frame or unpacker.decompressobj()
            yield frame.decompress(data)
            rest = frame.unused_data
            if frame.eof:
                frame = None
        if frame is not None:
            raise OSError("damaged: the archive ends early")

    pull = functools.partial(next, (piece for piece in frames() if piece), b"")
    return io.BufferedReader(_Piped(pull, (zstd.ZstdError,)), _CHUNK)


def _zstandard(what: str) -> ModuleType:
    try:
        # Optional: only archived sessions are packed.
        import zstandard  # noqa: PLC0415
    except ImportError:
        raise InputError(
            f"{what} is packed with Zstandard and the package that unpacks it is not installed",
            'pip install "slowwave[import]"',
        ) from None
    return zstandard


def _as_utf8(path: Path, file: io.BufferedReader) -> io.BufferedReader:
    start = _peek(path, file)
    for mark, encoding in BOMS:
        if not start.startswith(mark):
            continue
        if encoding == "utf-8":
            file.read(len(mark))
            return file
        return io.BufferedReader(_Piped(_recoder(file, encoding), (UnicodeError,)), _CHUNK)
    return file


def _recoder(file: io.BufferedReader, encoding: str) -> Callable[[], bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")

    def recoded() -> bytes:
        # One piece may hold no whole character; an empty answer would read as the end.
        while data := file.read(_CHUNK):
            if text := decoder.decode(data):
                return text.encode("utf-8", "replace")
        return decoder.decode(b"", final=True).encode("utf-8", "replace")

    return recoded


class _Piped(io.RawIOBase):
    """A raw stream over a function that returns the next bytes (b"" at the end)."""

    def __init__(self, pull: Callable[[], bytes], error: tuple[type[Exception], ...]) -> None:
        self._pull = pull
        self._error = error
        self._left = b""

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: "memoryview[int]", /) -> int:  # type: ignore[override]
        """Fills `buffer`; the function's own error becomes an OSError."""
        if not self._left:
            try:
                self._left = self._pull()
            except self._error as error:
                raise OSError(f"damaged: {error}") from None
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size


def _peek(path: Path, file: io.BufferedReader) -> bytes:
    return guarded(path, file.peek, 4)[:4]


def guarded(path: Path, call: Callable[[int], bytes], size: int) -> bytes:
    """One read, with every way a file can fail turned into an InputError."""
    try:
        return call(size)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error}", "Check that it is whole.") from None


def unpack(data: bytes, limit: int) -> bytes:
    """One Zstandard frame in memory, at most `limit` bytes; other bytes as they are.

    Raises InputError when it is damaged or the package that unpacks it is missing.
    """
    if not data.startswith(ZSTD_MAGIC):
        return data
    zstd = _zstandard("a record")
    try:
        with zstd.ZstdDecompressor().stream_reader(data) as stream:
            return bytes(stream.read(limit))
    except zstd.ZstdError as error:
        raise InputError(f"a packed record is damaged: {error}", "It can be left out.") from None
