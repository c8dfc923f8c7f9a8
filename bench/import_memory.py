"""How much memory an import takes: a transcript full of pictures, read to its end.

    python bench/import_memory.py --mib 1024 --format openclaw-session

Writes an invented transcript of that size into a temporary folder, reads it in a process of its
own, and prints the peak resident memory, the growth over an empty run, and the time. Exit 1 when
the peak is over the limit. Pictures are base64 of arbitrary bytes, one of them `--largest` MiB
long on a single line.
"""

import argparse
import base64
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

MIB = 1024 * 1024
START = datetime(2026, 3, 1, tzinfo=UTC)
SESSION = "3d8f6f0a-5a3e-4d0c-9f35-1f6a54f0c7aa"
PEAK_LIMIT_MIB = 300


def rows(kind: str, size: int, largest: int) -> Iterator[dict[str, object]]:
    """Rows of a transcript of about `size` bytes: three of words, then one picture, and so on."""
    if kind == "openclaw-session":
        yield {"type": "session", "version": 3, "id": SESSION, "timestamp": START.isoformat()}
    written = number = 0
    while written < size:
        number += 1
        content: object = f"Turn {number}: the lamp in bay {number % 97} was cleaned again."
        if number % 4 == 0:
            length = largest if number == 8 else min(2 * MIB, size // 8)
            content = picture(kind, length)
            written += length
        written += 300
        yield row(kind, number, content)


def picture(kind: str, length: int) -> list[dict[str, object]]:
    """A message's content: a picture whose base64 has `length` characters, and a line of text."""
    data = base64.b64encode(os.urandom(length * 3 // 4)).decode("ascii")
    text: dict[str, object] = {"type": "text", "text": "See the picture."}
    if kind == "openclaw-session":
        return [{"type": "image", "data": data, "mimeType": "image/png"}, text]
    source = {"type": "base64", "media_type": "image/png", "data": data}
    return [{"type": "image", "source": source}, text]


def row(kind: str, number: int, content: object) -> dict[str, object]:
    """One row of the format, chained to the one before."""
    stamp = (START + timedelta(seconds=number)).isoformat(timespec="milliseconds")
    role = "user" if number % 2 else "assistant"
    if kind == "openclaw-session":
        parent = f"{number - 1:08x}" if number > 1 else None
        return {
            "type": "message", "id": f"{number:08x}", "parentId": parent, "timestamp": stamp,
            "message": {"role": role, "content": content},
        }  # fmt: skip
    return {
        "type": role, "uuid": f"{number:08x}-0000-4000-8000-000000000000", "sessionId": SESSION,
        "timestamp": stamp, "message": {"role": role, "id": f"m{number}", "content": content},
    }  # fmt: skip


def write(path: Path, kind: str, size: int, largest: int) -> None:
    """Writes the transcript, one row at a time."""
    with path.open("w", encoding="utf-8") as file:
        for item in rows(kind, size, largest):
            file.write(json.dumps(item) + "\n")


def read(path: Path, kind: str) -> tuple[int, int]:
    """Reads it as an import does; (records, peak resident KiB of this process)."""
    # Here and not at the top: the parent process only writes the file.
    from slowwave.adapters.importers import claude_code, openclaw_session  # noqa: PLC0415

    module = openclaw_session if kind == "openclaw-session" else claude_code
    count = sum(1 for _item in module.FORMAT.read(path, UTC))
    return count, peak_kib()


def peak_kib() -> int:
    """Peak resident memory of this process, without what its parent held before the start."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        if found:
            return int(found[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(path: Path, kind: str) -> tuple[int, float, float]:
    """(records, peak MiB, seconds) of a fresh process that reads the file."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, __file__, "--read", str(path), "--format", kind],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    count, peak = done.stdout.split()
    return int(count), int(peak) / 1024, time.perf_counter() - started


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "--format", default="openclaw-session", choices=["openclaw-session", "claude-code"]
    )
    parser.add_argument("--mib", type=int, default=1024, help="size of the transcript")
    parser.add_argument("--largest", type=int, default=40, help="the longest line, in MiB")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(*read(options.read, options.format))
        return
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder, "empty.jsonl"), Path(folder, "full.jsonl")
        write(empty, options.format, 1, 0)
        write(full, options.format, options.mib * MIB, options.largest * MIB)
        _count, base, _seconds = measure(empty, options.format)
        count, peak, seconds = measure(full, options.format)
        size = full.stat().st_size / MIB
    print(f"{options.format}: {size:.0f} MiB, longest line {options.largest} MiB, {count} records")
    print(f"peak {peak:.0f} MiB (limit {PEAK_LIMIT_MIB}), growth {peak - base:.0f} MiB")
    print(f"{seconds:.1f} s")
    if peak > PEAK_LIMIT_MIB:
        sys.exit(1)


if __name__ == "__main__":
    main()
