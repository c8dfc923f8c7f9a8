"""What every command shares: global options, opening the memory, output, errors, progress.

Nothing heavy is imported here: `slowwave --help` must start in a blink. The memory, and rich, are
imported when a command first needs them.
"""

import codecs
import contextlib
import functools
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slowwave.answers.encoding import encoded
from slowwave.cli import render
from slowwave.errors import SlowwaveError, StoreError, UsageError

if TYPE_CHECKING:
    from slowwave.memory import SlowMemory
    from slowwave.ports import Progress

EXIT_FAILED, EXIT_USAGE, EXIT_SKIPPED, EXIT_STOPPED = 1, 2, 3, 130

GLOBAL_OPTIONS = ("home", "space", "now", "tz")


class Ordered(click.Group):
    """Lists its commands in the order of the flow, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, as they were added."""
        del ctx
        return list(self.commands)


class NamedPath(click.Path):
    """A path that somebody named: an empty one (a variable that is not set) is not this folder."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Raises BadParameter for an empty one."""
        if not str(value).strip():
            self.fail("the path is empty; `.` is this folder", param, ctx)
        return super().convert(value, param, ctx)


class Door:
    """The state of one call: what was asked globally, and how to answer."""

    def __init__(self) -> None:
        self.options: dict[str, str | None] = dict.fromkeys(GLOBAL_OPTIONS)
        self.json = False
        self.writing = False
        """Whether the command has begun to write: then a stop has something to say about it."""
        self._memory: SlowMemory | None = None

    def memory(self, *, create: bool = True) -> "SlowMemory":
        """The memory of the home, opened once; made on first use, or NotFound without `create`."""
        if self._memory is None:
            # The stores and the dream take most of the start-up; `--help` must not pay for them.
            from slowwave.wiring import Options, open_memory  # noqa: PLC0415

            self._memory = open_memory(Options(**self.options), create=create, tell=_tell)
        return self._memory

    def close(self) -> None:
        """Closes the memory if it was opened, and says what it could not write.

        Where the command ends because the store would not do it, that is told, and told once.
        """
        if self._memory is not None:
            self._memory.close()
            told = isinstance(sys.exc_info()[1], StoreError)
            for remark in () if told else self._memory.remarks:
                click.echo(f"slowwave: {render.flat(remark)}", err=True)
            self._memory = None

    def answer(self, value: Any, show: Callable[[], None]) -> None:
        """Prints one JSON value with --json, else calls `show`."""
        if self.json:
            print_json(value)
        else:
            show()


def _tell(words: str) -> None:
    """Says on stderr what is waited for; looked up now, as a progress bar takes its place."""
    if sys.stderr is not None:
        sys.stderr.write(f"slowwave: {render.flat(words)}\n")
        sys.stderr.flush()


def print_json(value: Any) -> None:
    """One JSON value on a line of stdout; escaped where the terminal cannot show all of Unicode."""
    text = encoded(value).decode("utf-8")
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    if encoding != "utf8":
        text = text.encode("ascii", "json_escape").decode("ascii")
    with _whole():
        click.echo(text)


@contextlib.contextmanager
def _whole() -> Iterator[None]:
    """A stop waits until the value is written, lest half of it be read; a second one does not."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    stops: list[int] = []

    def later(number: int, _frame: object) -> None:
        stops.append(number)
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, later)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if stops:
        raise KeyboardInterrupt


def fail(error: SlowwaveError, *, as_json: bool) -> int:
    """Says what went wrong and what to do, and returns the exit code."""
    line = error.message + (f" — {error.hint}" if error.hint else "")
    click.echo(f"slowwave: {render.flat(line)}", err=True)
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


def stdin_lines() -> Iterator[tuple[int, bytes]]:
    """The lines of stdin that are not blank, each with its 1-based number."""
    # None where the process was started without one.
    stream: Any = sys.stdin
    if stream is None:
        raise UsageError("there is no standard input to read", "pipe JSON lines into it")
    if stream.isatty():
        click.echo("reading JSON lines; end with Ctrl-D", err=True)
    for number, raw in enumerate(stream.buffer, start=1):
        line = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
        if line.strip():
            yield number, line.rstrip(b"\r\n")


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
    units = wrong.encode("utf-16-be", "surrogatepass")
    pairs = (units[place : place + 2] for place in range(0, len(units), 2))
    return "".join(f"\\u{pair.hex()}" for pair in pairs), error.end


codecs.register_error("json_escape", _json_escape)


def prepare_streams() -> None:
    """Lets every stream print every text: what an encoding cannot hold is replaced, not fatal."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # Closed by whoever started the process: nobody wants to read it.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def let_go_of_stdout() -> None:
    """After stdout broke: what is still buffered must not fail once more at the way out."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
