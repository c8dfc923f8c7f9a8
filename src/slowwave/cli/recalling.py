"""Commands that ask: recall, context."""

import math
import time as clock
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from slowwave.cli import render
from slowwave.cli.door import Door, common
from slowwave.errors import UsageError
from slowwave.model import USER, subject_of, sure_and_weak
from slowwave.text.moment import moment

if TYPE_CHECKING:
    from slowwave.model import Hit

WEAK_SHOWN = 3
"""Weak hits that are shown where there is nothing better."""

SCOPES = ("all", "memories", "events")
CALLERS = ("person", "agent", "job", "evaluation")
CALLER_VARIABLE = "SLOWWAVE_CALLER"
KINDS = (
    "profile", "preference", "project", "environment", "fact", "rule", "plan",
    "relationship", "quote", "emotion", "digest", "skill", "lesson",
)  # fmt: skip


class Callers(click.Choice[str]):
    """Who asks; where the environment says it, that is what an error blames."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """One of `CALLERS`. Raises UsageError."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            name = param.name if param is not None else None
            told = ctx.get_parameter_source(name) if ctx is not None and name else None
            if told is not ParameterSource.ENVIRONMENT:
                raise
            hint = f"set it to one of {', '.join(CALLERS)}, or unset it"
            raise UsageError(f"{CALLER_VARIABLE} is {value!r}", hint) from error


def caller_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--caller`, else SLOWWAVE_CALLER, else `default`."""
    return click.option(
        "--caller", type=Callers(CALLERS), default=default, show_default=True,
        envvar=CALLER_VARIABLE, help="Who asks; what a job asks never counts.",
    )  # fmt: skip


@click.command(
    epilog="""\b
Examples:
  slowwave recall 我住哪
  slowwave recall "ssh port" --explain
  slowwave recall "what did I plan" --as-of 2026-06-01
"""
)
@click.argument("query")
@click.option("-k", "--k", type=click.IntRange(1, 1000), help="At most so many hits [settings: 8].")
@click.option("--scope", type=click.Choice(SCOPES), default="all", show_default=True)
@click.option("--kind", type=click.Choice(KINDS), help="Only memories of this kind.")
@click.option("--subject", help="Only memories about this one (you, a name …).")
@click.option("--since", help="Only what was said at or after this day or moment.")
@click.option("--until", help="Only what was said before the end of this day, or this moment.")
@click.option("--as-of", help="As things stood on this day or at this moment.")
@click.option("--include-cold", is_flag=True, help="Search cold memories too.")
@click.option(
    "--min-score", type=click.FloatRange(0, 1), help="Leave out hits below this score (0 to 1)."
)
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@click.option("--no-signal", is_flag=True, help="Do not count as a use of what is found.")
@caller_option("person")
@click.option("--session", help="The conversation in which it is asked.")
@common
def recall(door: Door, query: str, explain: bool, no_signal: bool, **asked: Any) -> None:
    """Search memories and the journal; each hit is dated and points to its source."""
    memory = door.memory(create=False)
    now = memory.now()
    for name, ends in (("since", False), ("until", True), ("as_of", True)):
        if asked[name] is not None:
            asked[name] = moment(asked[name], now.tzinfo, end_of_day=ends)
    if asked["min_score"] is not None and math.isnan(asked["min_score"]):
        raise UsageError("--min-score is not a number", "give a number from 0 to 1")
    if asked["kind"] and asked["scope"] == "events":
        raise UsageError("an event has no kind of memory", "leave out --kind, or --scope events")
    if asked["subject"]:
        asked["subject"] = subject_of(asked["subject"])
    options = {name: value for name, value in asked.items() if value is not None}
    began = clock.perf_counter()
    hits = memory.recall(memory.query(query, explain=explain, **options), signal=not no_signal)
    took = round((clock.perf_counter() - began) * 1000, 2)
    from slowwave.answers.asked import Found  # noqa: PLC0415 - start-up counts

    answer = Found(query=query, results=hits, took_ms=took)
    whole = "k" in options or "min_score" in options
    at = asked["as_of"] or now
    door.answer(answer, lambda: show_hits(hits, at, explain=explain, whole=whole))


def show_hits(hits: "Sequence[Hit]", now: datetime, *, explain: bool, whole: bool = False) -> None:
    """Prints the hits, best first, as they stand at `now`.

    Weak ones are set apart: a few where nothing is better, else only their number; `whole`: all.
    """
    if not hits:
        click.echo("nothing found")
        return
    sure, weak = sure_and_weak(hits)
    if sure:
        _show_rows(sure, now, explain=explain)
    if weak and (whole or not sure):
        click.echo("\nweaker:" if sure else "nothing certain; these come nearest")
        _show_rows(weak if whole else weak[:WEAK_SHOWN], now, explain=explain)
    elif weak:
        click.echo(f"{render.plural(len(weak), 'weaker hit')} not shown (-k {len(hits)} shows all)")


def _show_rows(hits: "Sequence[Hit]", now: datetime, *, explain: bool) -> None:
    rows = [
        (f"{hit.score:.2f}", hit.ts.strftime("%Y-%m-%d"), _what(hit, now), _refs(hit), hit.text)
        for hit in hits
    ]
    render.table(("score", "date", "what", "source", "text"), rows)
    if explain:
        click.echo()
        for hit in hits:
            parts = ", ".join(f"{name} {value:.3f}" for name, value in hit.scores.items())
            render.line(f"{hit.id}: {parts}", hang=2)


def _what(hit: "Hit", now: datetime) -> str:
    """The kind of a memory and how it stands, or who said it."""
    if hit.type == "event":
        # The owner's own words have the owner as their subject, whatever name a channel gave.
        who = "you" if hit.subject == USER else hit.speaker or hit.subject
        return f"said by {render.clip(who, 16)}"
    over = hit.valid_to is not None and hit.valid_to[:10] < now.date().isoformat()
    if hit.status == "retired" or over:
        return f"{hit.kind} (past)"
    return hit.kind if hit.status == "active" else f"{hit.kind} ({hit.status})"


def _refs(hit: "Hit") -> str:
    """The most relevant source, and how many more there are."""
    if not hit.refs:
        return ""
    more = f" +{len(hit.refs) - 1}" if len(hit.refs) > 1 else ""
    return render.short_ref(hit.refs[0]) + more


@click.command(
    epilog="""\b
Examples:
  slowwave context "am I allergic to anything" --budget 300
  slowwave context --opening             who you are and what is open, before anything was asked
"""
)
@click.argument("query", required=False)
@click.option("--opening", is_flag=True, help="The start of a session: nothing was asked yet.")
@click.option("--budget", type=click.IntRange(1, 100_000), default=600, show_default=True,
              help="At most so many tokens.")  # fmt: skip
@click.option("--session", default="", help="The conversation it goes into (for the ledger).")
@caller_option("agent")
@common
def context(door: Door, query: str | None, opening: bool, **asked: Any) -> None:
    """The block to put into a system prompt: relevant memories, dated, marked as history.

    Nothing relevant, no block. An empty QUERY is the opening of a session.
    """
    if query is None and not opening:
        raise UsageError("no question given", "give one, or --opening at the start of a session")
    if opening and query:
        raise UsageError("an opening has no question", "leave out --opening or the question")
    made = door.memory(create=False).context(query or "", **asked)
    from slowwave.answers.asked import context_of  # noqa: PLC0415 - start-up counts

    def show() -> None:
        if made.would is not None:
            items = render.plural(len(made.would.items), "item")
            click.echo(f"on trial: nothing is injected; it would have been {items}", err=True)
        elif made.text:
            click.echo(made.text)
        else:
            click.echo("nothing relevant enough to inject", err=True)

    door.answer(context_of(made), show)
