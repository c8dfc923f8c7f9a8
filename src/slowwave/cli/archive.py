"""Commands on what is known: memories, why, history, status, doctor."""

from typing import Any

import click

from slowwave.cli import diff, render
from slowwave.cli.door import EXIT_FAILED, Door, common

STATUSES = ("candidate", "active", "cold", "retired", "quarantined")


@click.group()
def memories() -> None:
    """The archive: list memories, show one."""


@memories.command("list")
@click.option("--status", type=click.Choice(STATUSES), multiple=True, help="Repeat for several.")
@click.option("--kind", help="Only this kind.")
@click.option("--subject", help="Only about this one.")
@common
def memories_list(
    door: Door, status: tuple[Any, ...], kind: str | None, subject: str | None
) -> None:
    """All memories, oldest first."""
    found = [
        memory
        for memory in door.memory().memories(status)
        if kind in (None, memory.kind) and subject in (None, memory.subject)
    ]

    def show() -> None:
        rows = [
            (memory.id, memory.status, memory.kind, memory.subject, str(memory.importance),
             memory.valid_from or memory.first_seen.date().isoformat(), memory.text)
            for memory in found
        ]  # fmt: skip
        render.table(("id", "status", "kind", "about", "imp", "from", "text"), rows)

    door.answer(found, show)


@memories.command("show")
@click.argument("memory_id")
@common
def memories_show(door: Door, memory_id: str) -> None:
    """One memory with the words it rests on."""
    memory = door.memory().why(memory_id).memory

    def show() -> None:
        render.heading(memory.text)
        for name in ("id", "kind", "subject", "status", "standing", "importance", "confidence",
                     "valid_from", "valid_to", "mention_count", "version", "dream_id"):  # fmt: skip
            value = getattr(memory, name)
            if value is not None:
                render.field(name, value)
        for span in memory.evidence:
            click.echo(f"  {diff.quote(span)}")

    door.answer(memory, show)


@click.command(epilog="Example:  slowwave why m3k2")
@click.argument("memory_id")
@common
def why(door: Door, memory_id: str) -> None:
    """From a memory back to its dreams, its reasons and the exact words."""
    found = door.memory().why(memory_id)

    def show() -> None:
        render.heading(found.memory.text)
        for change in found.changes:
            click.echo(
                f"{render.minute(change.recorded_at)}  {change.op} by dream {change.dream_id} "
                f"(change {change.change_id}): {change.reason}"
            )
        for span in found.evidence:
            click.echo(f"  {diff.quote(span)}")
            click.echo(click.style(f"    event {span.event_id}, {span.start}–{span.end}", dim=True))

    door.answer(found, show)


@click.command()
@click.argument("memory_id")
@common
def history(door: Door, memory_id: str) -> None:
    """All versions of one memory, oldest first."""
    found = door.memory().why(memory_id).changes

    def show() -> None:
        rows = [
            (str(item.memory.version), render.minute(item.recorded_at), item.op,
             item.memory.status, item.memory.text)
            for item in found
        ]  # fmt: skip
        render.table(("version", "recorded", "op", "status", "text"), rows)

    door.answer({"versions": found}, show)


@click.command()
@common
def status(door: Door) -> None:
    """Numbers: what is in the journal, what is known, what still waits."""
    report = door.memory().status()
    counts = report.counts

    def show() -> None:
        render.field("home", report.home)
        render.field("space", f"{report.space}, preset {report.preset}, zone {report.tz}")
        span = ""
        if counts.first_event and counts.last_event:
            span = f", {counts.first_event.date()} to {counts.last_event.date()}"
        render.field("events", f"{counts.events} in {counts.sessions} sessions{span}")
        known = ", ".join(f"{number} {name}" for name, number in sorted(counts.memories.items()))
        render.field("memories", known or "none yet")
        render.field("dreams", counts.dreams)
        render.field("not dreamed yet", f"{counts.undreamed_events} events")
        render.field("embedder", report.embedder)
        if report.unembedded:
            render.field("without a vector", f"{report.unembedded} (found by words; the next "
                         "applied dream embeds them)")  # fmt: skip
        if report.last_dream is not None:
            last = report.last_dream
            render.field("last dream", f"{last.dream_id} {last.date} {last.status}")

    door.answer(report, show)


@click.command()
@common
def doctor(door: Door) -> int:
    """Check that everything is sound: the file, every quote, every version."""
    problems = door.memory().diagnose()

    def show() -> None:
        for problem in problems:
            click.echo(f"{problem.check}: {problem.detail} — {problem.hint}")
        if not problems:
            click.echo("sound: no problem found")

    door.answer({"ok": not problems, "problems": problems}, show)
    return EXIT_FAILED if problems else 0
