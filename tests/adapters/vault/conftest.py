"""A vault over a store in memory: what the files say, and what people do to them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import msgspec
import pytest

from slowwave import review, vault
from slowwave.adapters.dreamlog import FolderDreamLog
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.adapters.vault import FolderVault
from slowwave.ledger import apply
from slowwave.model import Dream, Memory, short_id
from slowwave.settings import DreamSettings, Settings
from slowwave.testing.samples import add, event, quoting

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2031, 5, 2, 3, 0, tzinfo=ZONE)
SPACE = "alder"


@dataclass
class FewParts:
    """As much of `Parts` as the vault uses."""

    store: InMemoryStore
    files: FolderVault
    dream_log: FolderDreamLog
    settings: Settings

    def vault(self) -> FolderVault:
        return self.files


@dataclass
class Desk:
    """A home with a vault, and a hand that edits its files."""

    root: Path
    store: InMemoryStore = field(default_factory=InMemoryStore)
    now: datetime = NOW
    tokens: int = 12_000
    workspace: Path | None = None
    mirror: Path | None = None
    keep: int = 2
    whole: bool = True
    edits: list[Dream] = field(default_factory=list)
    nights: int = 0

    @property
    def tools(self) -> Any:
        files = FolderVault(
            self.root, workspace=self.workspace, mirror=self.mirror, versions=self.keep
        )
        settings = Settings(dream=DreamSettings(loaded_tokens=self.tokens))
        parts = FewParts(self.store, files, FolderDreamLog(self.root / "dream_logs", 30), settings)
        by = review.By(SPACE, "", self.now)
        return vault.Tools(parts, by, self.edits.append, lambda _paths: None)  # type: ignore[arg-type]

    def sync(self, *, dry: bool = False) -> vault.Synced:
        return vault.sync(self.tools, dry=dry, whole=self.whole or dry)

    def dream(self, *texts: str, **fields: Any) -> list[Memory]:
        """One night that adds these memories; it is applied but the files are not touched."""
        self.nights += 1
        night = f"dnight{self.nights}"
        changes = []
        for text in texts:
            said = event(text, ts=self.now - timedelta(hours=12), source="sample")
            self.store.append([msgspec.structs.replace(said, space=SPACE)])
            memory = quoting(
                said, id=short_id("m", text), first_seen=said.ts, last_seen=said.ts, dream_id=night,
                **fields,
            )  # fmt: skip
            evidence = tuple(msgspec.structs.replace(e, ts=said.ts) for e in memory.evidence)
            changes.append(add(msgspec.structs.replace(memory, evidence=evidence)))
        planned = Dream(
            dream_id=night, space=SPACE, mode="plan", date="2031-05-01", run_at=self.now,
            status="planned", input_events=len(texts), changes=tuple(changes),
        )  # fmt: skip
        apply(self.store, planned, self.now)
        return [change.after for change in changes]

    def memory(self, text: str) -> Memory:
        """The memory that says this now."""
        return next(m for m in self.store.memories(SPACE) if m.text == text)

    @property
    def page(self) -> Path:
        return (self.workspace or self.root) / "MEMORY.md"

    def text(self) -> str:
        return self.page.read_text(encoding="utf-8")

    def edit(self, old: str, new: str, path: Path | None = None) -> None:
        """What a person's editor does."""
        path = path or self.page
        body = path.read_text(encoding="utf-8")
        assert old in body, body
        path.write_text(body.replace(old, new, 1), encoding="utf-8")

    def entry(self, memory: Memory) -> Path:
        """The file of a memory."""
        found = list(self.root.glob(f"*/*/*{memory.id}.md"))
        assert len(found) == 1, found
        return found[0]

    def by(self) -> review.By:
        return review.By(SPACE, "", self.now)

    def tree(self) -> dict[str, bytes]:
        """All files with their bytes, without what is only remembered."""
        roots = [self.root, *([self.workspace] if self.workspace else [])]
        return {
            str(path.relative_to(root)): path.read_bytes()
            for root in roots
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.name != ".slowwave.json" and ".backup" not in path.parts
        }


MakeDesk = Callable[..., Desk]


@pytest.fixture(autouse=True)
def _fast_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here pulls the plug."""
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)


@pytest.fixture(params=[True, False], ids=["whole", "changed"])
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Desk:
    """Held against all that is known, as by hand, and against what changed, as after a night."""
    return Desk(tmp_path / "vault", whole=request.param)


@pytest.fixture
def make_desk(tmp_path: Path) -> MakeDesk:
    """Further desks, however they are to be."""
    return lambda **given: Desk(**{"root": tmp_path / "vault", **given})
