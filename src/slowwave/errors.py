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
    └── EmbedderError           the embedder cannot be loaded or used

Each carries a message (what happened) and a hint (what to do next); the doors print both.
"""

__all__ = [
    "AlreadyDecided",
    "DiskFull",
    "DreamError",
    "EmbedderError",
    "FileChanged",
    "InputError",
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
