"""How near two texts are in meaning, freed of what all texts of their language share.

An embedder puts the texts of a language into a narrow cone: any two Chinese messages are at 0.85,
any two English ones at 0.78, and an English message that answers a Chinese question at 0.80, below
all that is Chinese. What tells them apart is the rest. So the mean of a language's messages is
taken from a message, the mean of its questions from a question, and the angle is measured between
what is left: unrelated texts are near 0 whatever their languages, and answers from 0.3 on.

The means are numbers of an embedder (`bench/centre.py` writes them); for one that was not measured
there is no such nearness, and words and plain cosines decide as before.
"""

import re
import struct
from base64 import b85decode
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from slowwave.model import Vector
from slowwave.text.lately import lately

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float32]
    Means = tuple[Numbers, Numbers]

__all__ = ["Centre", "Search", "Text", "between", "likeness", "of", "search", "share"]

Text = tuple[Vector, float]
"""A vector, and how much of its text is Chinese (`share`)."""

MEANS = "centre.json"
"""The means of one embedder, 32-bit floats in base 85."""

READ = 160
"""Characters that tell the language of a text."""


class Centre(NamedTuple):
    """Mean directions of messages and of questions, each in Latin script and in Chinese."""

    told: "Means"
    asked: "Means"


class Search(NamedTuple):
    """What is looked for in place of a question's own vector, and what makes of a cosine with it
    the one with the question that a text in the question's language would have."""

    vector: Vector
    factor: float = 1.0
    offset: float = 0.0


class Kept(msgspec.Struct, frozen=True):
    """The file: the embedder up to its version, and the means in Latin script and in Chinese."""

    embedder: str
    told: tuple[str, str]
    asked: tuple[str, str]


@lru_cache(maxsize=2)
def of(embedder: str) -> Centre | None:
    """The means of an embedder; None for one that was not measured."""
    file = msgspec.json.decode(_file(), type=Kept)
    if file.embedder != embedder:
        return None
    # The embedder has numpy loaded already.
    import numpy as np  # noqa: PLC0415

    def read(kept: str) -> "Numbers":
        raw = b85decode(kept)
        return np.array(struct.unpack(f"<{len(raw) // 4}f", raw), dtype=np.float32)

    return Centre((read(file.told[0]), read(file.told[1])),
                  (read(file.asked[0]), read(file.asked[1])))  # fmt: skip


def _file() -> bytes:
    return resources.files("slowwave.recall").joinpath(MEANS).read_bytes()


def share(text: str) -> float:
    """How much of a text is Chinese, 0–1, read off its beginning: a word has two characters."""
    head = text[:READ]
    if head.isascii():
        return 0.0
    wide = sum(char >= "\u2e80" for char in head)
    words = len(_WORD.findall(head))
    return wide / (wide + 2 * words) if wide else 0.0


_WORD = re.compile(r"[A-Za-z]+")


@lately(64)
def search(embedder: str, question: Vector, asked: float) -> Search:
    """The question without what all questions share, and without its language.

    So a message of the other language is as near as one of its own. `asked` is its share of
    Chinese. The question itself where the embedder was not measured.
    """
    centre = of(embedder)
    if centre is None:
        return Search(question)
    import numpy as np  # noqa: PLC0415  (the embedder has it loaded already)

    shared, told = _mean(centre.asked, asked), _mean(centre.told, asked)
    own = _unit(np.frombuffer(question, np.int8).astype(np.float32)) - shared
    language = _unit(centre.told[1] - centre.told[0])
    spoken = float(own @ language)
    rest = own - spoken * language
    vector = (rest * (127.0 / float(abs(rest).max() + 1e-9))).round().astype(np.int8).tobytes()
    # own · text = rest · text + spoken · (language · text), and that last is its language's.
    offset = spoken * float(language @ told) + float(shared @ told)
    return Search(vector, float(np.linalg.norm(rest)), offset)


def likeness(centre: Centre, question: Vector, asked: float, texts: Sequence[Text]) -> list[float]:
    """How near each message comes to a question, -1–1; of one with several directions its nearest.

    `asked` is the question's share of Chinese. Raises ValueError for vectors of another length.
    """
    return between(centre.asked, (question, asked), centre.told, texts)


def between(of_one: "Means", one: Text, of_texts: "Means", texts: Sequence[Text]) -> list[float]:
    """How near each of the texts comes to one, each freed of the mean of its kind, -1–1."""
    import numpy as np  # noqa: PLC0415  (the embedder has it loaded already)

    vector, part = one
    size = len(vector)
    if any(not each or len(each) % size for each, _ in texts):
        raise ValueError("vectors of another embedder")
    if not texts:
        return []
    wanted = _unit(np.frombuffer(vector, np.int8).astype(np.float32)) - _mean(of_one, part)
    counts = [len(each) // size for each, _ in texts]
    rows = np.frombuffer(b"".join(each for each, _ in texts), np.int8).reshape(-1, size)
    shares = np.repeat(np.array([each for _, each in texts], np.float32), counts)[:, None]
    units = rows.astype(np.float32)
    units /= np.linalg.norm(units, axis=1, keepdims=True) + 1e-9
    units -= of_texts[0] + (of_texts[1] - of_texts[0]) * shares
    norms = np.linalg.norm(units, axis=1) * np.linalg.norm(wanted) + 1e-9
    # Not `@`, which spreads over threads (`matrix`).
    values = (np.einsum("ij,j->i", units, wanted) / norms).tolist()
    nearest, at = [], 0
    for count in counts:
        nearest.append(max(values[at : at + count]))
        at += count
    return nearest


def _unit(vector: "Numbers") -> "Numbers":
    import numpy as np  # noqa: PLC0415

    unit: Numbers = vector / (np.linalg.norm(vector) + 1e-9)
    return unit


def _mean(means: "Means", part: float) -> "Numbers":
    mean: Numbers = means[0] + (means[1] - means[0]) * part
    return mean
