"""What turns text into vectors, and what answers a prompt."""

from collections.abc import Sequence
from typing import Protocol

from slowwave.model import (
    Ask,
    Reply,
    Vector,
)


class Embedder(Protocol):
    """Turns texts into vectors. `name` holds model, version and dimensions."""

    @property
    def name(self) -> str:
        """Identity of the vectors; vectors of different names are never compared."""

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Vectors of texts to be found, None for one that cannot be embedded."""

    def query(self, text: str) -> Vector | None:
        """Vector of a question, None when it cannot be embedded."""


class LanguageModel(Protocol):
    """A language model. It proposes; what it says is checked before anything is believed.

    What wraps one (to mask private data, to replay) is one itself.
    """

    @property
    def name(self) -> str:
        """The model as its server calls it."""

    @property
    def local(self) -> bool:
        """Whether nothing that it is asked leaves this machine."""

    def complete(self, ask: Ask) -> Reply:
        """One answer to one question; tries once. Raises ModelError, never anything else."""


class Wrapped:
    """What stands around a model, with the name and the place of the one behind it.

    Whoever inherits says what happens to a question on its way (`LanguageModel.complete`).
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The name of the model behind."""
        return self._model.name

    @property
    def local(self) -> bool:
        """Whether the model behind is on this machine."""
        return self._model.local


class ModelServer(LanguageModel, Protocol):
    """A model with what its server tells about itself."""

    @property
    def shown(self) -> str:
        """The server's address, without a login."""

    @property
    def mode(self) -> str:
        """How it is held to JSON: `json_schema`, `json_object`, or `text` (not at all)."""

    def models(self) -> list[str]:
        """The models that the server has. Raises ModelError."""
