"""`inspect`: a look inside single steps. Stores nothing."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
import msgspec

from slowwave.cli import render
from slowwave.cli.door import EXIT_SKIPPED, Door, Ordered, common, print_json, stdin_lines
from slowwave.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Look = Callable[[Mapping[str, Any]], dict[str, Any]]


@click.group(cls=Ordered)
@common
def inspect(door: Door) -> None:
    """Look inside one step: what a sentence yields, how two relate, what time is meant."""
    del door  # the group only hands its options on


@inspect.command("distill", epilog='Example:  slowwave inspect distill "我对花生过敏"')
@click.argument("text", required=False)
@click.option("--date", default="", help="The day it was said [today].")
@click.option("--stdin", is_flag=True, help="JSON lines {id, date, tz, context, text}.")
@common
def inspect_distill(door: Door, text: str | None, date: str, stdin: bool) -> int:
    """The claims of one message, and what was left out and why."""
    from slowwave import inspection  # noqa: PLC0415 - start-up counts

    now = clock(door)
    given = requests(text, stdin, {"text": text, "date": date})
    return answer(door, given, stdin, lambda one: inspection.inspect_distill(one, now))


@inspect.command("compare", epilog='Example:  slowwave inspect compare "port 22" "port 49222"')
@click.argument("first", required=False)
@click.argument("second", required=False)
@click.option("--stdin", is_flag=True, help="JSON lines {id, a: {text, date}, b: {text, date}}.")
@common
def inspect_compare(door: Door, first: str | None, second: str | None, stdin: bool) -> int:
    """How two statements relate; the second one is the later."""
    from slowwave import inspection, wiring  # noqa: PLC0415 - start-up counts

    if not stdin and second is None:
        raise UsageError("give two statements, or --stdin", "`slowwave inspect compare --help`")
    now = clock(door)
    cosine = wiring.likeness(wiring.Options(**door.options))
    single = {"a": {"text": first}, "b": {"text": second}}
    given = requests(first, stdin, single)
    return answer(door, given, stdin, lambda one: inspection.inspect_compare(one, now, cosine))


@inspect.command("when", epilog='Example:  slowwave --tz Asia/Shanghai inspect when "下周二飞杭州"')
@click.argument("text", required=False)
@click.option("--stdin", is_flag=True, help="JSON lines {id, text, now, tz}.")
@common
def inspect_when(door: Door, text: str | None, stdin: bool) -> int:
    """The time expressions of a sentence, resolved against now and the zone."""
    from slowwave import inspection  # noqa: PLC0415 - start-up counts

    now = clock(door)
    given = requests(text, stdin, {"text": text})
    return answer(door, given, stdin, lambda one: inspection.inspect_when(one, now))


def clock(door: Door) -> Any:
    """Now, without opening a home: looking inside stores nothing."""
    from slowwave.wiring import Options, clock_of, read_settings  # noqa: PLC0415

    options = Options(**door.options)
    return clock_of(options.now, read_settings(options)[1])()


def requests(text: str | None, stdin: bool, single: dict[str, Any]) -> Iterator[tuple[int, Any]]:
    """The requests, numbered: one from the arguments, or one per line of stdin."""
    if not stdin:
        if text is None:
            raise UsageError("give a TEXT, or --stdin", "see --help")
        yield 1, single
        return
    yield from stdin_lines()


def answer(door: Door, given: Iterator[tuple[int, Any]], stdin: bool, look: "Look") -> int:
    """One result per request; a bad line is told and skipped."""
    skipped = 0
    for number, request in given:
        try:
            result = look(_parsed(request))
        except UsageError as error:
            if not stdin:
                raise
            skipped += 1
            click.echo(f"skipped stdin:{number}: {render.flat(error.message)}", err=True)
            continue
        if door.json or stdin:
            print_json(result)
        else:
            pretty = msgspec.json.format(msgspec.json.encode(result), indent=2)
            click.echo(pretty.decode("utf-8"))
    return EXIT_SKIPPED if skipped else 0


def _parsed(request: Any) -> Any:
    if not isinstance(request, bytes):
        return request
    try:
        return msgspec.json.decode(request)
    except RecursionError as error:
        raise UsageError("not JSON: nested too deeply") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"not JSON: {error}") from error
