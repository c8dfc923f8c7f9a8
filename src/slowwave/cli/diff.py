"""A dream as a person reads it: what would change, why, and the words it rests on.

Grouped by the kind of memory. `+` comes in, `~` changes, `-` goes out of the current memories.
"""

from collections.abc import Iterable, Iterator, Mapping
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
    from slowwave.cli.door import Door
    from slowwave.model import Dream, Event, Evidence, Refined

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


def voices(events: "Iterable[Event]") -> dict[str, str]:
    """Who said each of these events, by its id: `you` for the owner."""
    return {
        event.id: "you" if event.origin == "owner" else event.speaker or event.origin
        for event in events
    }


def voices_of(door: "Door", quoted: "Iterable[Evidence]") -> dict[str, str]:
    """`voices` of the events that are quoted."""
    ids = sorted({span.event_id for span in quoted})
    return voices(door.memory().events(ids).values())


def spans(dream: "Dream") -> "Iterator[Evidence]":
    """All the quotes that a dream's changes rest on."""
    for change in dream.changes:
        yield from change.quotes


def show_whole(door: "Door", dream: "Dream") -> None:
    """Prints the whole plan, and of a day that was read again also what stays as it is."""
    show_diff(dream, voices_of(door, spans(dream)))
    if not dream.refined:
        return
    parts = (
        ("found again as it is", dream.refined.same),
        ("kept all the same", dream.refined.kept),
    )
    for title, ids in parts:
        texts = door.memory().item_texts(ids) if ids else {}
        if texts:
            click.echo()
            render.heading(title)
        for memory_id in (one for one in ids if one in texts):
            render.line(f"= {texts[memory_id]}", hang=2, dim=True)


def show_diff(dream: "Dream", voices: Mapping[str, str]) -> None:
    """Prints the whole plan; `voices` says who said each quoted event."""
    show_summary(dream)
    ordered = sorted(dream.changes, key=lambda change: change.after.kind)
    for kind, changes in groupby(ordered, key=lambda change: change.after.kind):
        click.echo()
        render.heading(kind)
        for change in changes:
            _show_change(change, voices)


def show_summary(dream: "Dream") -> None:
    """Prints a dream's head: what it read, what came of it, what was refused."""
    render.heading(f"dream {dream.dream_id} · {dream.date} · {dream.status.replace('_', ' ')}")
    render.line(
        f"{render.plural(dream.input_events, 'event')} → "
        f"{render.plural(dream.extracted_items, 'claim')} → "
        f"{_new(dream)}, {dream.updated_entries} updated, "
        f"{dream.merged_entries} merged, {dream.confirmed_entries} confirmed, "
        f"{dream.archived_entries} archived ({dream.duration_sec:.1f} s, {dream.model_used})"
    )
    if dream.reason:
        render.line(f"{dream.status.replace('_', ' ')}: {dream.reason}", hang=10)
    if dream.refined:
        render.line(_beside(dream.refined), hang=12)
    passed = [gate.name for gate in dream.gates if gate.ok]
    if passed:
        render.line(f"gates passed: {', '.join(passed)}", hang=14, dim=True)
    for gate in dream.gates:
        if not gate.ok:
            render.line(f"gate {gate.name} REFUSED: {gate.detail}", hang=5, fg="red")
    for warning in dream.warnings:
        render.line(f"warning: {warning}", hang=9, fg="yellow")
    if dream.themes:
        themes = ", ".join(f"{theme.name} ({theme.strength:.0%})" for theme in dream.themes)
        render.line(f"themes: {themes}", hang=8, dim=True)
    if dream.rejected:
        shown = ", ".join(f"{item.reason} ×{item.count}" for item in dream.rejected[:6])
        more = len(dream.rejected) - 6
        rest = f", and {render.plural(more, 'other reason')}" if more > 0 else ""
        render.line(f"left out: {shown}{rest}", hang=10, dim=True)


def _beside(refined: "Refined") -> str:
    """The difference between a day read again and what was made of it before, in numbers."""
    before = ", ".join(refined.dreams)
    parts = (
        (len(refined.added), "added"), (len(refined.changed), "changed"),
        (len(refined.ended), "ended"), (len(refined.same), "the same"), (len(refined.kept), "kept"),
    )  # fmt: skip
    return f"read again: {', '.join(f'{number} {what}' for number, what in parts)} " + (
        f"(before: {before} by {refined.before})"
    )


def _new(dream: "Dream") -> str:
    """How many memories are new, and how many of them hold at once."""
    parts = [f"{dream.new_active} active"] if dream.new_active else []
    if dream.new_candidates:
        parts.append(render.plural(dream.new_candidates, "candidate"))
    return f"{dream.new_entries} new" + (f" ({', '.join(parts)})" if parts else "")


def _show_change(change: Change, voices: Mapping[str, str]) -> None:
    mark = sign(change)
    tag = " [rejected]" if change.approved is False else ""
    render.line(f"{mark} {change.op} {change.id}{tag}", fg=COLOURS[mark])
    before = change.before
    if before is not None and before.text != change.after.text:
        render.line(f"- {before.text}", indent=4, hang=2, fg="red")
        render.line(f"+ {change.after.text}", indent=4, hang=2, fg="green")
    else:
        render.line(change.after.text, indent=6)
    render.line(_facts(change.after), indent=6, hang=2, dim=True)
    told = not change.route or f"route {change.route}" in change.reason
    route = "" if told else f" [route {change.route}]"
    render.line(f"why: {change.reason}{route}", indent=6, hang=5)
    if change.scores:
        scores = ", ".join(f"{name} {value:g}" for name, value in sorted(change.scores.items()))
        render.line(f"scores: {scores}", indent=6, hang=8, dim=True)
    for span in change.quotes:
        render.line(quote(span, voices), indent=6, hang=1)


def _facts(memory: Memory) -> str:
    """The short facts of a memory in one line."""
    about = [] if memory.subject == "world" else [f"about {render.who(memory.subject)}"]
    parts = [memory.id, *about, memory.status]
    parts += [memory.standing.replace("_", " "), f"importance {memory.importance}"]
    if memory.valid_from or memory.valid_to:
        parts.append(f"holds {memory.valid_from or '…'} – {memory.valid_to or '…'}")
    if memory.superseded_by:
        parts.append(f"replaced by {memory.superseded_by}")
    return " · ".join(parts)


def quote(span: "Evidence", voices: Mapping[str, str]) -> str:
    """One piece of evidence in a line: the words, who said them, when, and where."""
    who = voices.get(span.event_id) or span.speaker or ""
    when = render.minute(span.ts) if span.ts else ""
    source = render.short_ref(span.ref or span.event_id)
    return f"“{span.quote}” — {', '.join(part for part in (who, when, source) if part)}"
