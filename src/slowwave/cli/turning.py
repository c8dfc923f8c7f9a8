"""`turn`: what was just said, learned as soon as the turn is over (preset `realtime`)."""

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec

from slowwave.cli import capture, render
from slowwave.cli.door import EXIT_SKIPPED, Door, common, stdin_lines
from slowwave.errors import SlowwaveError, UsageError
from slowwave.model import Skipped

if TYPE_CHECKING:
    from slowwave.answers.taken import Turned
    from slowwave.capture.intake import TakenIn
    from slowwave.memory import SlowMemory
    from slowwave.memory.turning import CaughtUp


class Line(msgspec.Struct, frozen=True):
    """One turn as a JSON line (what else stands in it is passed over), and its `number`."""

    user: str = ""
    assistant: str = ""
    session: str = ""
    ts: str | None = None
    channel: str | None = None
    number: int = 0


@click.command(
    epilog="""\b
Examples:
  slowwave turn --user "I moved to Lyon" --assistant "Noted!"
  slowwave turn --user 我对花生过敏 --assistant 记住了 --session s1 --wait
  slowwave turn --stdin < turns.jsonl            {"user": …, "assistant": …, "session": …}
  slowwave turn --catch-up                       learn from turns that still wait
"""
)
@click.option("--user", help="What the user said.")
@click.option("--assistant", help="What the agent answered.")
@click.option("--session", default="", help="The conversation it belongs to.")
@click.option("--channel", help="Where it was said (telegram, slack …).")
@click.option("--ts", help="When it was said (ISO 8601): the same turn twice is one turn [now].")
@click.option("--stdin", "lines", is_flag=True, help="Read turns as JSON lines.")
@click.option("--wait", is_flag=True, help="Answer when it is learned, and tell what.")
@click.option("--catch-up", is_flag=True, help="No new turn: only learn from those that wait.")
@common
def turn(door: Door, *, lines: bool, wait: bool, catch_up: bool, **said: Any) -> int:
    """Take in a finished turn, and learn from it at once.

    The answer comes as soon as both messages are durable; learning follows. Without `--wait` what
    goes wrong then is told on stderr, and made up for by the next turn or the night.
    """
    given = said["user"] is not None or said["assistant"] is not None
    if (given, lines, catch_up).count(True) != 1:
        raise UsageError(
            "give a turn, or --stdin, or --catch-up",
            'slowwave turn --user "what was said" --assistant "what was answered"',
        )
    door.writing = True
    memory = door.memory()
    turns = iter(()) if catch_up else _lines() if lines else iter([_said(said)])
    from slowwave.answers.taken import turned  # noqa: PLC0415 - start-up counts

    taken, skipped = _log(memory, turns)
    code = EXIT_SKIPPED if skipped else 0
    learned = memory.catch_up_turns() if wait or catch_up else None
    answer = turned(taken, skipped, learned)
    door.answer(answer, lambda: _show(answer, learned))
    if learned is not None:
        return code
    sys.stdout.flush()  # whoever waits for the answer need not wait for what comes now
    try:
        memory.catch_up_turns()
    except SlowwaveError as error:
        click.echo(f"slowwave: not learned yet: {render.flat(error.message)}", err=True)
    return code


def _said(given: dict[str, Any]) -> Line:
    """The turn of the options. Bytes that were not valid text are replaced, not fatal."""
    found = {
        name: value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for name, value in given.items()
        if value is not None
    }
    line = Line(**found)
    if not (line.user.strip() or line.assistant.strip()):
        raise UsageError("nothing was said in this turn", "give --user and --assistant")
    return line


def _lines() -> Iterator[Line | Skipped]:
    """The turns of stdin; a line that is none does not stop the others."""
    for number, raw in stdin_lines():
        try:
            line = msgspec.json.decode(raw, type=Line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            yield Skipped(number, f"not a turn: {error}")
            continue
        if line.user.strip() or line.assistant.strip():
            yield msgspec.structs.replace(line, number=number)
        else:
            yield Skipped(number, "nothing was said")


def _log(
    memory: "SlowMemory", turns: Iterator[Line | Skipped]
) -> "tuple[list[TakenIn], list[Skipped]]":
    """Takes the turns in, each durable before the next; those that were none are told of."""
    done: list[TakenIn] = []
    skipped: list[Skipped] = []
    for one in turns:
        ts = one if isinstance(one, Skipped) else _moment(memory, one)
        if isinstance(one, Skipped) or isinstance(ts, Skipped):
            skipped += [ts] if isinstance(ts, Skipped) else []
            continue
        taken = memory.log_turn(
            one.user, one.assistant, session=one.session, ts=ts, channel=one.channel
        )
        done.append(taken)
        skipped += [Skipped(one.number, item.reason) for item in taken.skipped]
    return done, skipped


def _moment(memory: "SlowMemory", line: Line) -> datetime | Skipped | None:
    """When a turn was, in the user's zone where it names none; None for now."""
    if line.ts is None:
        return None
    try:
        found = datetime.fromisoformat(line.ts)
    except ValueError:
        if line.number:
            return Skipped(line.number, f"no moment: {line.ts[:40]!r}")
        raise UsageError(
            f"--ts {line.ts[:40]!r} is no moment", "write it as 2026-11-30T09:00:00+08:00"
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=memory.now().tzinfo)


def _show(answer: "Turned", learned: "CaughtUp | None") -> None:
    click.echo(f"{len(answer.events)} logged, {answer.duplicates} already known")
    capture.tell_skipped("stdin", answer.skipped)
    if learned is None:
        return
    for dream in learned.dreams:
        rows = [
            (change.decision, change.scope, change.kind, change.text) for change in dream.changes
        ]
        click.echo(f"dream {dream.dream_id} ({dream.date})")
        render.table(("decision", "about", "kind", "text"), rows, flexible=3)
    for turn_left in learned.left:
        click.echo(f"left to the night: {render.flat(turn_left.reason)}")
    if not learned.dreams and not learned.left:
        click.echo("nothing new in it")
