"""One settings file: what it is, what it becomes with our steps, and what it was without them."""

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from slowwave.errors import InputError
from slowwave.integrations.connect import disk, json_edit, yaml_edit
from slowwave.integrations.connect.json5 import Unreadable
from slowwave.integrations.connect.manifest import Edited, Language, Manifest, digest
from slowwave.integrations.connect.steps import Append, Conflict, Done, Settings, Step

__all__ = ["Rewrite", "known_of", "planned", "without"]

_EMPTY = {"json": "{}\n", "yaml": ""}
_EDITORS: dict[str, ModuleType] = {"json": json_edit, "yaml": yaml_edit}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """A settings file: the bytes it has now, those without us, and those it is to have.

    None: there is no file. `kept` is its record where nothing is to be done.
    """

    path: Path
    language: Language
    seen: bytes | None
    before: bytes | None
    after: bytes | None
    done: tuple[Done, ...] = ()
    kept: Edited | None = None

    def recorded(self, copy: str) -> Edited:
        """How the manifest keeps it; `copy` names the file with what was there before."""
        if self.kept is not None:
            return self.kept
        return Edited(
            path=str(self.path), language=self.language,
            before=None if self.before is None else copy,
            before_digest=digest(self.before or b""), after_digest=digest(self.after or b""),
            done=self.done,
        )  # fmt: skip


def planned(
    path: Path, settings: Settings, known: Edited | None, folder: Path, stale: tuple[Done, ...]
) -> Rewrite:
    """What becomes of a file when the steps are taken. Raises InputError.

    `known` is what an earlier connection did to it (the copy is in `folder`); without one, what
    looks like ours is taken for left over from a home that is gone.
    """
    seen = disk.read(path)
    editor = _EDITORS[settings.language]
    try:
        text = _decoded(path, seen, settings.language)
        if known is not None and all(one.step in settings.steps for one in known.done):
            new, more = editor.apply(text, settings.steps)
            if not more:
                return Rewrite(path=path, language=settings.language, seen=seen, before=None,
                               after=seen, kept=known)  # fmt: skip
        if known is not None:
            before = _without(path, seen, known, folder)
        else:
            before = _undone(path, seen, settings.language, (*stale, *_ours(settings.steps)))
        new, done = editor.apply(_decoded(path, before, settings.language), settings.steps)
    except Unreadable as error:
        raise _unreadable(path, error) from error
    except Conflict as error:
        hint = "nothing was written; mend the file, or see --dry-run for what to add by hand"
        raise InputError(f"{path}: {error}", hint) from error
    after: bytes = new.encode("utf-8")
    return Rewrite(path=path, language=settings.language, seen=seen, before=before, after=after,
                   done=done)  # fmt: skip


def without(known: Edited, folder: Path) -> Rewrite:
    """What becomes of a file when what was done to it is taken out. Raises InputError."""
    path = Path(known.path)
    seen = disk.read(path)
    try:
        before = _without(path, seen, known, folder)
    except Unreadable as error:
        raise _unreadable(path, error) from error
    return Rewrite(path=path, language=known.language, seen=seen, before=before, after=before)


def _without(path: Path, seen: bytes | None, known: Edited, folder: Path) -> bytes | None:
    """The very bytes that were there before, or, where the file was edited since, the rest."""
    if seen is None:
        return None
    now = digest(seen)
    if now == known.before_digest and known.before is not None:
        return seen  # stopped before it was written
    if now == known.after_digest:
        if known.before is None:
            return None
        copy = disk.read(folder / known.before)
        if copy is not None and digest(copy) == known.before_digest:
            return copy
    rest = _undone(path, seen, known.language, known.done)
    empty = rest is None or rest.decode("utf-8").strip() in ("", "{}")
    return None if known.before is None and empty else rest


def _undone(
    path: Path, seen: bytes | None, language: Language, done: tuple[Done, ...]
) -> bytes | None:
    if seen is None:
        return None
    text = _decoded(path, seen, language)
    rest: str = _EDITORS[language].undo(text, done)
    return seen if rest == text else rest.encode("utf-8")


def _ours(steps: tuple[Step, ...]) -> tuple[Done, ...]:
    """The steps as if all of them had been taken, with everything above them."""
    return tuple(
        Done(step=one, made=len(one.path) - (0 if isinstance(one, Append) else 1)) for one in steps
    )


def _decoded(path: Path, body: bytes | None, language: Language) -> str:
    try:
        text = (body or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is no UTF-8 text (byte {error.start})",
            "nothing was written; save it as UTF-8, then try again",
        ) from error
    return text if text.strip("\ufeff \t\r\n") else text + _EMPTY[language]


def _unreadable(path: Path, error: Unreadable) -> InputError:
    return InputError(
        f"{path} cannot be read: {error}", "nothing was written; mend the file, then try again"
    )


def known_of(manifest: Manifest | None, path: Path) -> Edited | None:
    """What a manifest says of a settings file."""
    edits = manifest.edits if manifest is not None else ()
    return next((one for one in edits if one.path == str(path)), None)
