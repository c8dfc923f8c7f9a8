"""What `wiring` hands to the front door, and what the front door answers with."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from slowwave import inject
from slowwave.model import Counts, Dream
from slowwave.ports import Clock, DreamLog, Embedder, Importers, Store, Vault
from slowwave.settings import Settings

if TYPE_CHECKING:
    from slowwave.erasure.files import HomeFiles


@dataclass(frozen=True, slots=True)
class Parts:
    """What `wiring` hands over: adapters, settings and the clock of one home and space.

    `under` gives the settings as they are under another preset.
    """

    home: Path
    store: Store
    embedder: Callable[[], Embedder | None]
    importers: Importers
    dream_log: DreamLog
    files: "Callable[[], HomeFiles]"
    vault: Callable[[], Vault]
    settings: Settings
    under: Callable[[str], Settings]
    clock: Clock


class Injected(msgspec.Struct, frozen=True):
    """The block for a system prompt, what is in it, and its entry in the injection ledger."""

    text: str
    tokens: int
    items: tuple[inject.Item, ...]
    ledger_id: str


class StatusReport(msgspec.Struct, frozen=True):
    """What `status` tells."""

    home: str
    space: str
    preset: str
    tz: str
    embedder: str
    counts: Counts
    unembedded: int
    last_dream: Dream | None
