"""What is to be put into a host: files of ours, and steps in its settings; and what was done.

A step says what has to stand in a settings file. Done, it leaves a record of how it was done, from
which it can be taken back exactly, also when other parts of the file were edited meanwhile.
"""

from typing import Any, Literal

import msgspec

__all__ = ["Append", "Conflict", "Done", "Placed", "Put", "Settings", "Step", "Wanted"]


class Conflict(Exception):
    """A settings file that can be read, and has something else where a step must go."""


class Put(msgspec.Struct, frozen=True, kw_only=True, tag="put"):
    """A key that must have a value. `own`: all that stands below it is ours, whatever it is now.

    An earlier value is kept and brought back.
    """

    path: tuple[str, ...]
    value: Any
    own: bool = False


class Append(msgspec.Struct, frozen=True, kw_only=True, tag="append"):
    """A value that must be in a list.

    `inner` and `by`: the value is an object that holds a list `inner`, and what is ours in that
    list is known by its key `by`; what people add beside it is theirs. `only_if_there`: nothing is
    done where there is no such list.
    """

    path: tuple[str, ...]
    value: Any
    inner: str = ""
    by: str = ""
    only_if_there: bool = False


Step = Put | Append


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """A step that was taken: `made` of the last containers on its path were missing before.

    `prior` is the text of an earlier value, None where there was none; `tail` is what was put
    behind the value so that an empty container closes on a line of its own; `void` is the text of
    an empty value (`null`) in whose place the outermost container was made.
    """

    step: Step
    made: int = 0
    prior: str | None = None
    tail: str = ""
    void: str = ""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The steps in one settings file."""

    path: str
    language: Literal["json", "yaml"]
    steps: tuple[Step, ...]


class Placed(msgspec.Struct, frozen=True):
    """A file of ours, and what it holds."""

    path: str
    body: bytes


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """All that a connection consists of. `stale` are steps of earlier ones that may be left over.

    `marks` are files by which a folder of ours is known though no manifest tells of it. `remarks`
    are for the person: what is to be done by hand, or known.
    """

    files: tuple[Placed, ...] = ()
    settings: tuple[Settings, ...] = ()
    stale: tuple[Done, ...] = ()
    marks: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
