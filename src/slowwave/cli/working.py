"""Working memory: what must be remembered to go on working."""

from typing import TYPE_CHECKING

import click

from slowwave.cli import render
from slowwave.cli.door import Door, Ordered, common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slowwave.model import WorkItem, WorkState

STATES: "tuple[WorkState, ...]" = ("open", "done", "stalled")


@click.group(
    cls=Ordered,
    invoke_without_command=True,
    epilog="""\b
Examples:
  slowwave working                       what is open, and what has stalled
  slowwave working add "call the bank"   a new to-do
  slowwave working done w3k              it is finished
""",
)
@common
def working(door: Door) -> None:
    """Open projects, to-dos and pending decisions; bare: those that are not done.

    Dreams open your projects and plans, and what you said is still to do; they close what you said
    is finished, and mark as stalled what nobody spoke of for 14 days, or what passed its day.
    """
    if click.get_current_context().invoked_subcommand is None:
        found = [item for item in door.memory(create=False).working() if item.state != "done"]
        door.answer(found, lambda: show_items(found))


@working.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only this state.")
@common
def working_list(door: Door, state: "WorkState | None") -> None:
    """All items, also those that are done."""
    found = [item for item in door.memory(create=False).working() if state in (None, item.state)]
    door.answer(found, lambda: show_items(found))


def show_items(found: "Sequence[WorkItem]") -> None:
    """Prints the list of items."""
    if not found:
        click.echo("nothing is open")
        return
    rows = [(item.id, item.state, item.opened.date().isoformat(),
             item.touched.date().isoformat(), item.due, item.text) for item in found]  # fmt: skip
    render.table(("id", "state", "opened", "last spoken of", "due", "text"), rows)


@working.command("add")
@click.argument("text")
@common
def working_add(door: Door, text: str) -> None:
    """Add an open item."""
    item = door.memory().working_add(text)
    door.answer(item, lambda: show_items([item]))


@working.command("done")
@click.argument("item_id")
@common
def working_done(door: Door, item_id: str) -> None:
    """Mark an item as done."""
    item = door.memory(create=False).working_mark(item_id, "done")
    door.answer(item, lambda: show_items([item]))


@working.command("stalled")
@click.argument("item_id")
@common
def working_stalled(door: Door, item_id: str) -> None:
    """Set an item aside: it is kept, and not loaded."""
    item = door.memory(create=False).working_mark(item_id, "stalled")
    door.answer(item, lambda: show_items([item]))


@working.command("reopen")
@click.argument("item_id")
@common
def working_reopen(door: Door, item_id: str) -> None:
    """Open an item again."""
    item = door.memory(create=False).working_mark(item_id, "open")
    door.answer(item, lambda: show_items([item]))
