"""Commands about the language model: is it there, what was it asked, what could not be used."""

from typing import TYPE_CHECKING

import click

from slowwave.cli import render
from slowwave.cli.door import EXIT_FAILED, Door, Ordered, common
from slowwave.text.moment import moment

if TYPE_CHECKING:
    from datetime import datetime

    from slowwave.model import ModelCall, RawAnswer
    from slowwave.modelling.check import ModelCheck

SHOWN = 20
"""Calls and answers that people are shown, the newest; JSON has all."""


@click.group(
    cls=Ordered,
    epilog="""\b
Examples:
  slowwave model check                 does it answer, and can it be held to JSON?
  slowwave model calls --since 2027-01-01
  slowwave model answers               what it said that could not be used
""",
)
def model() -> None:
    """The language model: optional, local by default; what it proposes is checked."""


@model.command("check")
@common
def model_check(door: Door) -> int:
    """Ask the model one tiny question, and say how it answered.

    Nothing from your memory is sent. Under `privacy = "local-only"` nothing at all is sent to a
    server on another machine.
    """
    # The settings and the adapter; `--help` must not pay for them.
    from slowwave.wiring import Options, check_model  # noqa: PLC0415

    found = check_model(Options(**door.options))
    door.answer(found, lambda: show_check(found))
    return 0 if found.ok else EXIT_FAILED


def show_check(found: "ModelCheck") -> None:
    """Prints what a check found."""
    place = "on this machine" if found.local else "on another machine"
    render.field("model", found.model)
    render.field("server", f"{found.address}, {place}")
    render.field("privacy", found.privacy)
    if found.models:
        names = ", ".join(found.models[:SHOWN])
        more = len(found.models) - SHOWN
        render.field("its models", names + (f" and {more} more" if more > 0 else ""))
        if not found.listed:
            render.field("warning", f"the server does not list {found.model}; it answers as "
                         f"{found.answered_by}")  # fmt: skip
    render.field("JSON", _FORMATS.get(found.format, found.format))
    render.field("answered in", f"{found.ms:.0f} ms, {found.tokens_in} tokens in, "
                 f"{found.tokens_out} out")  # fmt: skip
    if found.ok:
        click.echo("it answers, and what it says can be read")
    else:
        click.echo(f"it answers, but the answer cannot be used: {found.problem}")


_FORMATS = {
    "json_schema": "held to a schema by the server",
    "json_object": "by the server, without a schema",
    "text": "asked for in words only: more answers will be refused",
}


@model.command("calls")
@click.option("--since", help="Only at or after this day or moment.")
@common
def model_calls(door: Door, since: str | None) -> None:
    """What was asked of a model: when, for what, what it took and cost. Never the words."""
    found = door.memory(create=False).model_calls(_since(door, since))
    door.answer(found, lambda: show_calls(found))


def show_calls(found: "list[ModelCall]") -> None:
    """Prints the newest calls, and the sum of all."""
    if not found:
        click.echo("no model was asked anything yet")
        return
    rows = [
        (render.minute(call.ts), call.purpose, call.model, call.outcome, str(call.attempt),
         str(call.tokens_in), str(call.tokens_out), f"{call.ms / 1000:.1f}", call.dream_id)
        for call in found[-SHOWN:]
    ]  # fmt: skip
    heads = ("when", "for", "model", "outcome", "try", "in", "out", "seconds", "dream")
    render.table(heads, rows)
    tokens = sum(call.tokens_in + call.tokens_out for call in found)
    cost = sum(call.cost for call in found)
    click.echo(f"\n{render.plural(len(found), 'call')}, {tokens} tokens"
               + (f", cost {cost:.4f}" if cost else ""))  # fmt: skip


@model.command("answers")
@click.option("--since", help="Only at or after this day or moment.")
@common
def model_answers(door: Door, since: str | None) -> None:
    """Answers in quarantine: what a model said that could not be used, as it came."""
    found = door.memory(create=False).raw_answers(_since(door, since))
    door.answer(found, lambda: show_answers(found))


def show_answers(found: "list[RawAnswer]") -> None:
    """Prints the newest answers in quarantine."""
    if not found:
        click.echo("every answer could be used")
    for answer in found[-SHOWN:]:
        head = f"{answer.id} {render.minute(answer.ts)} {answer.purpose} {answer.model}"
        render.heading(f"{head}: {answer.reason}")
        render.line(render.clip(answer.text, 300), indent=2)


def _since(door: Door, since: str | None) -> "datetime | None":
    if since is None:
        return None
    return moment(since, door.memory(create=False).now().tzinfo, end_of_day=False)
