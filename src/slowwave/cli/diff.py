"""A dream as a person reads it: what would change, why, and the words it rests on.

Grouped by the kind of memory. `+` comes in, `~` changes, `-` goes out of the current memories.
"""

from itertools import groupby
from typing import TYPE_CHECKING, assert_never

import click

from slowwave.cli import render
from slowwave.model import (
    Add,
    Change,
    Collapse,
    Confirm,
    Demote,
    Memory,
    Merge,
    Restore,
    Retire,
    Supersede,
    Update,
)

if TYPE_CHECKING:
    from slowwave.model import Dream, Evidence

COLOURS = {"+": "green", "~": "yellow", "-": "red"}


def sign(change: Change) -> str:
    """`+`, `~` or `-`: what a change does to the current memories."""
    match change:
        case Add() | Restore():
            return "+"
        case Update() | Merge() | Confirm() | Collapse():
            return "~"
        case Supersede() | Demote() | Retire():
            return "-"
        case _:
            assert_never(change)


def show_diff(dream: "Dream") -> None:
    """Prints the whole plan."""
    show_summary(dream)
    ordered = sorted(dream.changes, key=lambda change: change.after.kind)
    for kind, changes in groupby(ordered, key=lambda change: change.after.kind):
        click.echo()
        render.heading(f"{kind}")
        for change in changes:
            _show_change(change)


def show_summary(dream: "Dream") -> None:
    """Prints a dream's head: what it read, what came of it, what was refused."""
    render.heading(f"dream {dream.dream_id}  {dream.date}  {dream.status.replace('_', ' ')}")
    click.echo(
        f"{dream.input_events} events → {dream.extracted_items} claims → "
        f"{dream.new_entries} new, {dream.updated_entries} updated, "
        f"{dream.merged_entries} merged, {dream.confirmed_entries} confirmed, "
        f"{dream.archived_entries} archived  ({dream.duration_sec:.1f} s, {dream.model_used})"
    )
    for gate in dream.gates:
        click.echo(f"gate {gate.name}: {'passed' if gate.ok else 'REFUSED'} ({gate.detail})")
    if dream.rejected:
        shown = ", ".join(f"{item.reason} ×{item.count}" for item in dream.rejected[:6])
        click.echo(click.style(f"left out: {shown}", dim=True))


def _show_change(change: Change) -> None:
    mark = sign(change)
    tag = {False: "  [rejected]", True: "", None: ""}[change.approved]
    head = f"{mark} {change.op} {change.id}{tag}"
    click.secho(head, fg=COLOURS[mark])
    before = change.before
    if before is not None and before.text != change.after.text:
        click.secho(f"    - {before.text}", fg="red")
        click.secho(f"    + {change.after.text}", fg="green")
    else:
        click.echo(f"      {change.after.text}")
    click.echo(click.style(f"      {_facts(change.after)}", dim=True))
    click.echo(
        f"      why: {change.reason}" + (f"  [route {change.route}]" if change.route else "")
    )
    if change.scores:
        scores = ", ".join(f"{name} {value:g}" for name, value in sorted(change.scores.items()))
        click.echo(click.style(f"      scores: {scores}", dim=True))
    for span in change.evidence or change.after.evidence:
        click.echo(f"      {quote(span)}")


def _facts(memory: Memory) -> str:
    """The short facts of a memory in one line."""
    parts = [memory.id, f"about {memory.subject}", memory.status, memory.standing]
    parts.append(f"importance {memory.importance}")
    if memory.valid_from or memory.valid_to:
        parts.append(f"holds {memory.valid_from or '…'} – {memory.valid_to or '…'}")
    if memory.superseded_by:
        parts.append(f"replaced by {memory.superseded_by}")
    return " · ".join(parts)


def quote(span: "Evidence") -> str:
    """One piece of evidence in a line: when, who, where, and the words."""
    when = render.minute(span.ts) if span.ts else ""
    source = " ".join(
        part for part in (when, span.speaker or "", span.ref or span.event_id) if part
    )
    return f"“{' '.join(span.quote.split())}”  ({source})"
