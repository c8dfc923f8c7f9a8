"""`hook`: what agents call by themselves when something happens in them."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from slowwave.cli import render
from slowwave.cli.door import Door, Ordered, common, print_json

if TYPE_CHECKING:
    from slowwave.memory import SlowMemory

LONGEST = 32 * 1024 * 1024
"""Bytes of an event that are read; a pasted prompt is never longer."""

WAIT = 50.0
"""Seconds for an event of which is not yet known what it is."""


@click.group(
    cls=Ordered,
    epilog="""\b
Examples:
  slowwave connect claude-code           installs the hooks that call this
  slowwave hook claude-code < event.json
""",
)
def hook() -> None:
    """Answer the hooks of an agent. People have no need of it: `slowwave connect` sets it up."""


@hook.command(
    "claude-code",
    epilog="""\b
Examples:
  echo '{"hook_event_name": "SessionStart", "session_id": "s1"}' | slowwave hook claude-code
""",
)
@common
def hook_claude_code(door: Door) -> int:
    """Answer one hook event of Claude Code, read as JSON from stdin. The exit code is always 0.

    SessionStart and UserPromptSubmit are answered with what is remembered, as additional context.
    At Stop, PreCompact and SessionEnd, what the transcript holds beyond the journal is taken in.
    """
    from slowwave.integrations.claude_code.hook import answer, limited  # noqa: PLC0415 - start-up

    timer = limited(WAIT)
    event = _event()
    timer.cancel()
    told = answer(event, _opener(door), _remark)
    if told is not None:
        print_json(told)
    return 0


def _event() -> bytes:
    stream: Any = sys.stdin
    if stream is None:
        return b""
    if stream.isatty():
        click.echo("reading one event as JSON; end with Ctrl-D", err=True)
    body: bytes = stream.buffer.read(LONGEST)
    return body


def _opener(door: Door) -> "Callable[[], SlowMemory]":
    def opened() -> "SlowMemory":
        from slowwave.wiring import Options, open_memory  # noqa: PLC0415 - start-up counts

        return open_memory(Options(**door.options), tell=_remark)

    return opened


def _remark(words: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"slowwave: {render.flat(words)}\n")
