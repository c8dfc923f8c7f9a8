"""Numbers, health, files, and the way to another home."""

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from slowwave.errors import InputError
from slowwave.library.opened import Opened
from slowwave.ports import no_progress

if TYPE_CHECKING:
    from typing import BinaryIO

    from slowwave.health import Problem
    from slowwave.parts import StatusReport
    from slowwave.stats import Stats
    from slowwave.vault import Synced

__all__ = ["Exported", "Running"]


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """A finished export: its file, what it holds, and its bytes before packing."""

    file: Path
    events: int
    memories: int
    dreams: int
    bytes: int


class Running(Opened):
    """Upkeep."""

    def status(self) -> "StatusReport":
        """Numbers about this space: `counts`, what still waits, settings in force."""
        return self.front.status()

    def stats(self) -> "Stats":
        """What the memory is made of, and how that changed month by month."""
        return self.front.stats()

    def remarks(self) -> tuple[str, ...]:
        """What stood in the way of answers since it was opened; empty when nothing did.

        An answer does not fail because something could not be written for it: it is told here.
        """
        return self.front.remarks

    def doctor(self, *, fix: bool = False) -> "tuple[Problem, ...]":
        """Checks the file, every quote and every version; empty when all is sound.

        `fix`: first makes anew what is derived (words, vectors). Raises StoreError.
        """
        if fix:
            self.front.mend()
        return self.front.diagnose()

    def embed(self, limit: int = 64) -> int:
        """Gives up to `limit` memories and newest events their vectors now; returns how many.

        Nights and turns do it anyway: this is for what must be found by its meaning before. 0
        without an embedder. Raises EmbedderError, StoreError.
        """
        from slowwave.recall import index  # noqa: PLC0415 - as in `Opened`

        parts = self.front.parts
        embedder = parts.embedder()
        if embedder is None:
            return 0
        return index.embed_pending(parts.store, embedder, parts.settings.space, limit, no_progress)

    def vault_sync(self, *, dry: bool = False) -> "Synced":
        """Takes in what people wrote into the Markdown files and brings them in step.

        `dry`: only tells. Returns `written`, `imported`, `conflicts`. Raises StoreError.
        """
        return self.front.vault_sync(dry=dry)

    def export(
        self,
        path: str | Path,
        *,
        format: Literal["jsonl", "markdown"] = "jsonl",
        force: bool = False,
    ) -> Exported:
        """Writes everything of this space to a file that `import_` reads back without loss.

        A name that ends in `.gz` is packed. `force` replaces a file that is there. Raises
        InputError (it is there, or cannot be written), StoreError.

            memory.export("backup.jsonl.gz")
        """
        from slowwave.wiring import new_file, refuse_target  # noqa: PLC0415 - as in `Opened`

        file = Path(path).expanduser()
        if file.is_file() and not force:
            raise InputError(f"{file} is there already", "name another one, or say force=True")
        refuse_target(file, replace=force)
        made = self.front.export(markdown=format == "markdown")
        with new_file(file, replace=force) as stream:
            size = _poured(made.lines, stream, packed=file.suffix.lower() == ".gz")
        return Exported(
            file=file, events=made.events, memories=made.memories, dreams=made.dreams, bytes=size
        )


def _poured(lines: Iterable[bytes], stream: "BinaryIO", *, packed: bool) -> int:
    """Writes the lines; how many bytes they have."""
    if packed:
        with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as pressed:
            return sum(pressed.write(line + b"\n") for line in lines)
    return sum(stream.write(line + b"\n") for line in lines)
