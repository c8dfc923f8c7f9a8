"""Commands about what went into prompts: the injection ledger, and "this was wrong"."""

from typing import TYPE_CHECKING

import click

from slowwave.cli import diff, render
from slowwave.cli.door import Door, Ordered, common
from slowwave.errors import UsageError
from slowwave.text.moment import moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from slowwave.injections import Trail
    from slowwave.memory.correcting import Corrected
    from slowwave.model import InjectedItem, Injection

SHOWN = 20
"""Entries of the ledger that people are shown, unless told."""
PROMPTS_SHOWN = 5


@click.group(
    cls=Ordered,
    invoke_without_command=True,
    epilog="""\b
Examples:
  slowwave injections                    what prompts were given lately
  slowwave injections list --memory m3k  the prompts that this memory entered
  slowwave injections show i7ab          one of them, item by item
  slowwave wrong i7ab --item 2           its second item was wrong
""",
)
@common
def injections(door: Door) -> None:
    """The injection ledger: which memory entered which prompt, when, and for which question."""
    if click.get_current_context().invoked_subcommand is None:
        _list(door, limit=SHOWN)


@injections.command("list")
@click.option("--since", help="Only at or after this day or moment.")
@click.option("--session", default="", help="Only of this conversation.")
@click.option("--memory", default="", metavar="ID", help="Only where this item was given.")
@click.option("--limit", type=click.IntRange(1), help="At most so many, the newest.")
@common
def injections_list(
    door: Door, since: str | None, session: str, memory: str, limit: int | None
) -> None:
    """What prompts were given, newest first; empty answers too."""
    zone = door.memory(create=False).now().tzinfo
    at = None if since is None else moment(since, zone, end_of_day=False)
    _list(door, at, session=session, memory=memory, limit=limit)


def _list(door: Door, since: "datetime | None" = None, *, limit: int | None, **only: str) -> None:
    found = door.memory(create=False).injections(since, **only)
    shown = found[:limit]
    door.answer(shown, lambda: show_entries(shown, more=len(found) - len(shown)))


def show_entries(found: "Sequence[Injection]", more: int = 0) -> None:
    """Prints entries of the ledger, newest first."""
    if not found:
        click.echo("no prompt was given anything yet")
        return
    rows = [
        (entry.id, render.minute(entry.ts), entry.session, _given(entry), str(entry.tokens),
         render.clip(entry.query, 60) or "(opening)")
        for entry in found
    ]  # fmt: skip
    render.table(("id", "when", "session", "items", "tokens", "question"), rows)
    if more:
        click.echo(f"{more} older not shown (slowwave injections list)")


def _given(entry: "Injection") -> str:
    wrong = sum(item.verdict == "wrong" for item in entry.items)
    trial = " on trial" if entry.trial else ""
    return f"{len(entry.items)}{f' ({wrong} wrong)' if wrong else ''}{trial}"


@injections.command("show")
@click.argument("injection_id")
@common
def injections_show(door: Door, injection_id: str) -> None:
    """One prompt (`last`: the newest): what it was given, and what fell below the threshold."""
    memory = door.memory(create=False)
    entry = memory.injection(injection_id)
    texts = memory.item_texts([item.id for item in (*entry.items, *entry.passed)])
    from slowwave.answers.given import shown  # noqa: PLC0415 - start-up counts

    door.answer(shown(entry, texts), lambda: show_entry(entry, texts))


def show_entry(entry: "Injection", texts: "Mapping[str, str]") -> None:
    """Prints one entry of the ledger, item by item."""
    render.heading(entry.query or "(opening of a session)")
    render.field("id", entry.id)
    render.field("when", render.minute(entry.ts))
    if entry.session:
        render.field("session", entry.session)
    render.field("given", f"{render.plural(len(entry.items), 'item')}, {entry.tokens} tokens"
                 + (" (on trial: nothing was injected)" if entry.trial else ""))  # fmt: skip
    if entry.items:
        click.echo()
        rows = [_row(str(number), item, texts) for number, item in enumerate(entry.items, start=1)]
        render.table(("item", "part", "score", "id", "verdict", "text"), rows)
    if entry.passed:
        click.echo(f"\nfound, and below the threshold {entry.threshold:g}:")
        rows = [_row("", item, texts) for item in entry.passed]
        render.table(("", "part", "score", "id", "verdict", "text"), rows)
    if entry.items:
        click.echo(f"\nwas one of them wrong? slowwave wrong {entry.id} --item N")


def _row(number: str, item: "InjectedItem", texts: "Mapping[str, str]") -> tuple[str, ...]:
    text = texts.get(item.id, "(not there any more)")
    return (number, item.layer, f"{item.score:.2f}", item.id, item.verdict, text)


@click.command(
    epilog="""\b
Examples:
  slowwave wrong i7ab --item 2                    look where it came from, and open a correction
  slowwave wrong m3k --right "I live in Ghent"    and say how it is
  slowwave wrong m3k --undo                       it was right after all
"""
)
@click.argument("injection_id", metavar="ID")
@click.option("--right", default="", metavar="TEXT", help="How it is, in your words.")
@click.option("--item", default="", metavar="N", help="Which item of the prompt (number or id).")
@click.option("--apply", "apply_", is_flag=True, help="Correct it at once, without a review.")
@click.option("--undo", is_flag=True, help="Take it back: the correction that waits is rejected.")
@common
def wrong(
    door: Door, injection_id: str, right: str, item: str, apply_: bool, undo: bool
) -> None:  # fmt: skip
    """Say that something a prompt was given is wrong, and see where it came from.

    ID is an entry of `slowwave injections` (`last`: the newest), a memory, an event or an open
    item. The correction waits in `slowwave dreams` like any plan; until it is decided, no prompt
    gets what is wrong.
    """
    from slowwave.answers.given import given_back  # noqa: PLC0415 - start-up counts

    memory = door.memory(create=False)
    door.writing = True
    if undo:
        if right or apply_:
            raise UsageError("--undo takes nothing else", "leave out --right and --apply")
        done = memory.right(injection_id, item)
        door.answer(given_back(done), lambda: _show_taken_back(done))
        return
    done = memory.wrong(injection_id, right, item, apply=apply_)
    door.answer(given_back(done), lambda: show_corrected(door, done))


def show_corrected(door: Door, done: "Corrected") -> None:
    """Prints the way back to the words, and what becomes of them."""
    show_origin(door, done.origin)
    click.echo()
    made = done.correction
    if made is None:
        click.echo(f"set aside: slowwave working reopen {done.origin.id} brings it back")
        return
    diff.show_diff(made, diff.voices_of(door, diff.spans(made)))
    click.echo()
    if made.status == "applied":
        click.echo(f"undo it: slowwave dreams rollback {made.dream_id}")
        return
    click.echo("no prompt gets it any more; the correction waits for you")
    click.echo(f"apply it: slowwave dreams apply {made.dream_id}   take it back: "
               f"slowwave wrong {done.origin.id} --undo")  # fmt: skip


def show_origin(door: Door, origin: "Trail") -> None:
    """Prints where something that was injected comes from: prompts, dreams, the exact words."""
    render.heading(origin.text)
    render.field(origin.type, origin.id)
    for given in origin.prompts[:PROMPTS_SHOWN]:
        session = f", session {given.session}" if given.session else ""
        asked = f"“{render.clip(given.query, 60)}”" if given.query else "the opening of a session"
        render.line(f"given on {render.minute(given.ts)} for {asked} ({given.id}{session})",
                    indent=2, hang=2)  # fmt: skip
    if len(origin.prompts) > PROMPTS_SHOWN:
        render.line(f"and {len(origin.prompts) - PROMPTS_SHOWN} times before", indent=2)
    for step in origin.steps:
        how = f"route {step.route}" if step.route else step.by
        render.line(f"{step.op} by dream {step.dream_id} of {step.date} ({how}, {step.made_by}): "
                    f"{step.reason}", indent=2, hang=2)  # fmt: skip
    voices = diff.voices_of(door, origin.evidence)
    for span in origin.evidence:
        render.line(diff.quote(span, voices), indent=2, hang=1)
        render.line(f"event {span.event_id}, {span.start}–{span.end}", indent=4, dim=True)
    if origin.memories:
        click.echo(f"memories that rest on it: {', '.join(origin.memories)}")


def _show_taken_back(done: "Corrected") -> None:
    if done.correction is not None:
        click.echo(f"rejected: dream {done.correction.dream_id}")
    click.echo(f"{done.origin.type} {done.origin.id} counts as before")
