"""What every command shares: global options, opening the memory, output, errors, progress.

Nothing heavy is imported here: `slowwave --help` must start in a blink. The memory, and rich, are
imported when a command first needs them.
"""

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click
import msgspec

from slowwave.errors import SlowwaveError, UsageError

if TYPE_CHECKING:
    from slowwave.memory import SlowMemory
    from slowwave.ports import Progress

EXIT_FAILED, EXIT_USAGE, EXIT_SKIPPED, EXIT_STOPPED = 1, 2, 3, 130

GLOBAL_OPTIONS = ("home", "space", "now", "tz")


class Door:
    """The state of one call: what was asked globally, and how to answer."""

    def __init__(self) -> None:
        self.options: dict[str, str | None] = dict.fromkeys(GLOBAL_OPTIONS)
        self.json = False
        self._memory: SlowMemory | None = None

    def memory(self, *, create: bool = True) -> "SlowMemory":
        """The memory of the home, opened once."""
        if self._memory is None:
            # The stores and the dream take most of the start-up; `--help` must not pay for them.
            from slowwave.wiring import Options, open_memory  # noqa: PLC0415

            self._memory = open_memory(Options(**self.options), create=create)
        return self._memory

    def close(self) -> None:
        """Closes the memory if it was opened."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def answer(self, value: Any, show: Callable[[], None]) -> None:
        """Prints one JSON value with --json, else calls `show`."""
        if self.json:
            print_json(value)
        else:
            show()


def print_json(value: Any) -> None:
    """One JSON value on a line of stdout; escaped where the terminal cannot show all of Unicode."""
    text = msgspec.json.encode(value).decode("utf-8")
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    if encoding != "utf8":
        text = text.encode("ascii", "json_escape").decode("ascii")
    click.echo(text)


def fail(error: SlowwaveError, *, as_json: bool) -> int:
    """Says what went wrong and what to do, and returns the exit code."""
    line = error.message + (f" — {error.hint}" if error.hint else "")
    click.echo(f"slowwave: {' '.join(line.split())}", err=True)
    if as_json:
        kind = type(error).__name__
        print_json({"error": {"type": kind, "message": error.message, "hint": error.hint}})
    return EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --json and the global options to a command and passes it the Door."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON value on stdout.")
    @click.option("--home", hidden=True)
    @click.option("--space", hidden=True)
    @click.option("--now", hidden=True)
    @click.option("--tz", hidden=True)
    @click.pass_obj
    @functools.wraps(command)
    def wrapped(door: Door, /, *args: Any, as_json: bool, **kwargs: Any) -> Any:
        door.json = door.json or as_json
        for name in GLOBAL_OPTIONS:
            given = kwargs.pop(name)
            if given is not None:
                door.options[name] = given
        return command(door, *args, **kwargs)

    return wrapped


@contextlib.contextmanager
def progress_bar(*, plain: bool = False) -> "Iterator[Progress]":
    """A progress bar on stderr where that is a terminal; lines with `plain`; else nothing."""
    if sys.stderr.isatty() and not plain:
        from rich.console import Console  # noqa: PLC0415 - only for people who look
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

        columns = (TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            tasks: dict[str, Any] = {}

            def move(what: str, done: int, total: int) -> None:
                if what not in tasks:
                    tasks[what] = bar.add_task(what, total=total or None)
                bar.update(tasks[what], completed=done, total=total or None)

            yield move
        return

    def say(what: str, done: int, total: int) -> None:
        if plain:
            click.echo(f"{what} {done}/{total or '?'}", err=True)

    yield say


def _json_escape(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    wrong = error.object[error.start : error.end]
    units = wrong.encode("utf-16-be")
    pairs = (units[place : place + 2] for place in range(0, len(units), 2))
    return "".join(f"\\u{pair.hex()}" for pair in pairs), error.end


def prepare_streams() -> None:
    """Lets every stream print every text: what an encoding cannot hold is replaced, not fatal."""
    import codecs  # noqa: PLC0415 - kept beside its only use

    codecs.register_error("json_escape", _json_escape)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
