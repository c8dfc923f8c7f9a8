"""Every error that Slowwave raises on purpose, in one tree.

    SlowwaveError
    ├── UsageError              the call itself is wrong (exit 2)
    │   └── SettingsError       a setting is unknown or has a bad value
    ├── InputError              what was handed in cannot be read at all
    │   ├── NotFound            a file, id or space that is not there
    │   └── UnknownFormat       a file no importer recognises
    ├── StoreError              the database cannot do what was asked
    │   ├── NewerHome           the home was written by a newer Slowwave
    │   ├── StoreBusy           another process kept the database too long
    │   ├── FileChanged         a file is not any more what it was when it was read
    │   └── DiskFull            no room left; nothing was lost
    ├── DreamError              a dream cannot go on
    │   ├── AlreadyDecided      the dream was applied, rejected or rolled back before
    │   └── StalePlan           memories changed after the plan was made
    ├── ScheduleError           the system's scheduler is missing or refused
    ├── EmbedderError           the embedder cannot be loaded or used
    └── ModelError              the language model cannot be used
        ├── ModelUnreachable    nothing answers at its address
        ├── ModelBusy           it has no time now, or failed; later it may answer
        ├── ModelTimeout        it took too long
        ├── ModelRefused        it, or its server, will not do what was asked
        ├── ModelUnusable       it answered, and the answer cannot be used
        └── BudgetSpent         the tokens or the money of this dream are spent

Each carries a message (what happened) and a hint (what to do next); the doors print both.
"""

__all__ = [
    "AlreadyDecided",
    "BudgetSpent",
    "DiskFull",
    "DreamError",
    "EmbedderError",
    "FileChanged",
    "InputError",
    "ModelBusy",
    "ModelError",
    "ModelRefused",
    "ModelTimeout",
    "ModelUnreachable",
    "ModelUnusable",
    "NewerHome",
    "NotFound",
    "ScheduleError",
    "SettingsError",
    "SlowwaveError",
    "StalePlan",
    "StoreBusy",
    "StoreError",
    "UnknownFormat",
    "UsageError",
]


class SlowwaveError(Exception):
    """Something Slowwave refused or could not do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(SlowwaveError):
    """The call itself is wrong."""


class SettingsError(UsageError):
    """A setting is unknown or has a bad value."""


class InputError(SlowwaveError):
    """What was handed in cannot be read at all."""


class NotFound(InputError):
    """A file, id or space that is not there."""


class UnknownFormat(InputError):
    """No importer recognises the file."""


class StoreError(SlowwaveError):
    """The database cannot do what was asked."""


class NewerHome(StoreError):
    """The home was written by a newer Slowwave."""


class StoreBusy(StoreError):
    """Another process kept the database too long."""


class FileChanged(StoreError):
    """A file is not any more what it was when it was read; it was left alone."""


class DiskFull(StoreError):
    """No room left on the disk; what was acknowledged is safe."""


class DreamError(SlowwaveError):
    """A dream cannot go on."""


class AlreadyDecided(DreamError):
    """The dream was applied, rejected or rolled back before."""


class StalePlan(DreamError):
    """Memories changed after the plan was made."""


class ScheduleError(SlowwaveError):
    """The system's scheduler is missing, or refused what was asked of it."""


class EmbedderError(SlowwaveError):
    """The embedder cannot be loaded or used."""


class ModelError(SlowwaveError):
    """The language model cannot be used."""


class ModelUnreachable(ModelError):
    """Nothing answers at the model's address.

    `nobody`: the address is on this machine, and nothing listens there; waiting starts no server.
    """

    def __init__(self, message: str, hint: str = "", *, nobody: bool = False) -> None:
        super().__init__(message, hint)
        self.nobody = nobody


class ModelBusy(ModelError):
    """The model has no time now, or its server failed; later it may answer.

    `retry_after`: the seconds the server asked to wait, None where it did not say.
    """

    def __init__(self, message: str, hint: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, hint)
        self.retry_after = retry_after


class ModelTimeout(ModelError):
    """The model took too long to answer."""


class ModelRefused(ModelError):
    """The model, or its server, will not do what was asked; asking again changes nothing.

    `why` is `access` (key, address, name of the model: nothing else will be answered either),
    `too_long` (ask for less at once), `content` (it will not speak about this) or `request`.
    """

    def __init__(self, message: str, hint: str = "", why: str = "request") -> None:
        super().__init__(message, hint)
        self.why = why


class ModelUnusable(ModelError):
    """The model answered, also when asked again, and no answer can be used.

    `raw` are its answers as they came.
    """

    def __init__(self, message: str, hint: str = "", raw: tuple[str, ...] = ()) -> None:
        super().__init__(message, hint)
        self.raw = raw


class BudgetSpent(ModelError):
    """The tokens or the money that one dream may use are spent."""
