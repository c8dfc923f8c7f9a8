"""A memory that lives in this process only: no file is read or written."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import msgspec

from slowwave import wiring
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.errors import NotFound
from slowwave.memory import SlowMemory
from slowwave.model import Dream, Edition, Left, Looked, Receipt, Written
from slowwave.parts import Parts
from slowwave.ports import Clock, Embedder, Failure, LanguageModel, Store
from slowwave.ports.files import History, Lookup
from slowwave.settings import build, zone_of
from slowwave.text.redaction import Places

__all__ = ["HOME", "open_ephemeral"]

HOME = Path("(in memory)")
"""What is told as the home of a memory that has none."""


def open_ephemeral(
    settings: Mapping[str, Any],
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    model: LanguageModel | None = None,
    store: Store | None = None,
) -> SlowMemory:
    """The front door over a store in memory.

    `settings` is a table as in `slowwave.toml`; neither a file nor the environment is read.
    `clock` tells aware moments (None: the system's); `embedder` and `model` take the place of
    those that the settings name. Raises SettingsError.
    """
    given, files = build(settings, {}, "settings"), _NoFiles()
    if not given.tz:
        given = msgspec.structs.replace(given, tz="UTC")

    def under(preset: str) -> Any:
        other = build(settings, {}, "settings", preset)
        return msgspec.structs.replace(other, tz=given.tz)

    zone = zone_of(given.tz)
    return SlowMemory(
        Parts(
            home=HOME,
            store=store or InMemoryStore(),
            embedder=(lambda: embedder) if embedder else wiring.embedder_of(given.embedder),
            importers=wiring.KnownFormats(),
            dream_log=_NoLog(),
            files=lambda: files,
            vault=_NoVault,
            settings=given,
            under=under,
            clock=_in_zone(clock, zone) if clock else wiring.clock_of(None, zone),
            model=(lambda: model) if model else wiring.model_of(given.model),
        )
    )


def _in_zone(clock: Clock, zone: tzinfo) -> Callable[[], datetime]:
    return lambda: clock().astimezone(zone)


# Doubles of ports take what they need not (ARG002).


class _NoLog:
    """`ports.DreamLog` that keeps none: `dreams()` tells all of it."""

    def write(self, dream: Dream) -> None:
        pass

    def failed(self, failure: Failure) -> None:
        pass

    def has(self, dream: Dream) -> bool:  # noqa: ARG002
        return True


class _NoVault:
    """`ports.Vault` without files: nobody edits it, and nothing is to be written."""

    def look(self, known: Lookup, versions: History, zone: tzinfo) -> Looked:  # noqa: ARG002
        return Looked(
            edits=(), clashes=(), by_hand="", told=frozenset(), most_chars=None, basis=None
        )

    def write(
        self,
        edition: Edition,  # noqa: ARG002
        looked: Looked,  # noqa: ARG002
        *,
        dry: bool = False,  # noqa: ARG002
    ) -> Written:
        return Written(())

    def notes(self) -> list[Path]:
        return []

    def notes_taken(self, paths: Sequence[Path]) -> None:
        pass

    def erase(self, memory_ids: Sequence[str]) -> int:  # noqa: ARG002
        return 0


class _NoFiles:
    """`erasure.HomeFiles` without files: receipts live as long as the memory does."""

    def __init__(self) -> None:
        self._receipts: dict[str, Receipt] = {}

    def dream_logs(self) -> Iterator[tuple[str, Dream | None]]:
        return iter(())

    def look(self, places: Places) -> tuple[Left, ...]:  # noqa: ARG002
        return ()

    def sweep(
        self,
        places: Places,  # noqa: ARG002
        *,
        by_hand: bool,  # noqa: ARG002
    ) -> tuple[int, tuple[Left, ...]]:
        return 0, ()

    def keep_receipt(self, receipt: Receipt) -> Path:
        self._receipts[receipt.id] = receipt
        return HOME / receipt.id

    def receipt(self, named: str) -> Receipt:
        found = [one for key, one in self._receipts.items() if key.startswith(named)]
        if not named or len(found) != 1:
            raise NotFound(f"no receipt {named}", "give the id that `forget` returned")
        return found[0]
