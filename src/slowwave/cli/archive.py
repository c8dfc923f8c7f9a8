"""Commands on what is known: memories, why, history, status, doctor."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec

from slowwave.cli import diff, render
from slowwave.cli.door import EXIT_FAILED, Door, Ordered, common, progress_bar
from slowwave.cli.recalling import KINDS
from slowwave.model import subject_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slowwave.ledger import Provenance
    from slowwave.model import Memory, Version
    from slowwave.parts import StatusReport
    from slowwave.servers.resident import ResidentState

STATUSES = ("candidate", "active", "cold", "retired", "quarantined")


@click.group(cls=Ordered, invoke_without_command=True)
@common
def memories(door: Door) -> None:
    """The archive: list memories, show one; bare: the list."""
    if click.get_current_context().invoked_subcommand is None:
        found = door.memory(create=False).memories()
        door.answer(found, lambda: show_memories(found))


@memories.command("list")
@click.option("--status", type=click.Choice(STATUSES), multiple=True, help="Repeat for several.")
@click.option("--kind", type=click.Choice(KINDS), help="Only this kind.")
@click.option("--subject", help="Only about this one (you, a name …).")
@common
def memories_list(
    door: Door, status: tuple[Any, ...], kind: str | None, subject: str | None
) -> None:
    """All memories, oldest first."""
    wanted = subject_of(subject).casefold() if subject else None
    found = [
        memory
        for memory in door.memory(create=False).memories(status)
        if kind in (None, memory.kind) and wanted in (None, memory.subject.casefold())
    ]
    door.answer(found, lambda: show_memories(found))


def show_memories(found: "Sequence[Memory]") -> None:
    """Prints the list of memories."""
    if not found:
        click.echo("no memories")
        return
    rows = [
        (memory.id, memory.status, memory.kind, render.clip(render.who(memory.subject), 20),
         str(memory.importance), (memory.valid_from or memory.first_seen.isoformat())[:10],
         memory.text)
        for memory in found
    ]  # fmt: skip
    render.table(("id", "status", "kind", "about", "imp", "from", "text"), rows)


@memories.command("show")
@click.argument("memory_id")
@common
def memories_show(door: Door, memory_id: str) -> None:
    """One memory with the words it rests on."""
    memory = door.memory(create=False).why(memory_id).memory
    door.answer(memory, lambda: show_memory(memory, diff.voices_of(door, memory.evidence)))


def show_memory(memory: "Memory", voices: "Mapping[str, str]") -> None:
    """Prints one memory: what is set of it, and its quotes."""
    render.heading(memory.text)
    for name in ("id", "kind", "subject", "status", "standing", "importance", "confidence",
                 "valid_from", "valid_to", "mention_count", "version", "superseded_by",
                 "dream_id"):  # fmt: skip
        value = getattr(memory, name)
        if value is not None:
            shown = render.who(value) if name == "subject" else value
            render.field(name.replace("_", " "), shown)
    for span in memory.evidence:
        render.line(diff.quote(span, voices), indent=2, hang=1)


@click.command(epilog="Example:  slowwave why m3k2")
@click.argument("memory_id")
@common
def why(door: Door, memory_id: str) -> None:
    """From a memory back to its dreams, its reasons and the exact words."""
    found = door.memory(create=False).why(memory_id)
    door.answer(found, lambda: show_why(found, diff.voices_of(door, found.evidence)))


def show_why(found: "Provenance", voices: "Mapping[str, str]") -> None:
    """Prints where a memory comes from."""
    render.heading(found.memory.text)
    for change in found.changes:
        render.line(
            f"{render.minute(change.recorded_at)} {change.op} by dream {change.dream_id} "
            f"(change {change.change_id}): {change.reason}", hang=2,
        )  # fmt: skip
    for span in found.evidence:
        render.line(diff.quote(span, voices), indent=2, hang=1)
        render.line(f"event {span.event_id}, {span.start}–{span.end}", indent=4, dim=True)


@click.command()
@click.argument("memory_id")
@common
def history(door: Door, memory_id: str) -> None:
    """All versions of one memory, oldest first."""
    found = door.memory(create=False).why(memory_id).changes
    from slowwave.answers.kept import History  # noqa: PLC0415 - start-up counts

    door.answer(History(found), lambda: show_history(found))


def show_history(versions: "Sequence[Version]") -> None:
    """Prints the versions of one memory."""
    rows = [
        (str(item.memory.version), render.minute(item.recorded_at), item.op,
         item.memory.status, item.memory.text)
        for item in versions
    ]  # fmt: skip
    render.table(("version", "recorded", "op", "status", "text"), rows)


@click.command()
@common
def status(door: Door) -> None:
    """Numbers: what is in the journal, what is known, what still waits."""
    memory = door.memory(create=False)
    report = memory.status()
    from slowwave.servers.resident.lock import standing  # noqa: PLC0415 - start-up counts

    resident = standing(memory.parts.home)
    answer = {**msgspec.to_builtins(report, builtin_types=(datetime,)), "resident": resident}

    def show() -> None:
        show_status(report)
        if resident is not None:
            render.field("dreams by itself", _resident(resident, report.space))

    door.answer(answer, show)


def _resident(found: "ResidentState", space: str) -> str:
    """Which process dreams by itself, and when it does next in this space."""
    mine = next((one for one in found.spaces if one.space == space), None)
    if found.dreaming is not None and found.dreaming.space == space:
        told = f"now ({found.dreaming.trigger})"
    elif mine is not None and mine.next is not None:
        told = f"next {render.minute(mine.next)}"
    else:
        told = ", ".join(found.triggers) or "no triggers"
    return f"process {found.pid}: {told}"


def show_status(report: "StatusReport") -> None:
    """Prints the numbers of a space."""
    counts = report.counts
    render.field("home", report.home)
    render.field("space", f"{report.space}, preset {report.preset}, zone {report.tz}")
    span = ""
    if counts.first_event and counts.last_event:
        span = f", {counts.first_event.date()} to {counts.last_event.date()}"
    render.field("events", f"{counts.events} in {render.plural(counts.sessions, 'session')}{span}")
    known = ", ".join(f"{number} {name}" for name, number in sorted(counts.memories.items()))
    render.field("memories", known or "none yet")
    render.field("dreams", counts.dreams)
    if report.waiting:
        hint = f"slowwave dreams diff {report.waiting[0]}"
        render.field("plans that wait", f"{len(report.waiting)} ({hint})")
    render.field("not dreamed yet", _undreamed(report))
    render.field("embedder", report.embedder)
    if report.model:
        render.field("model", report.model)
    if report.parts_waiting:
        what = render.plural(report.parts_waiting, "part")
        render.field("waits for a model", f"{what} of nights (slowwave dreams show last)")
    if report.unembedded:
        render.field("without a vector", f"{report.unembedded} (found by words; the next "
                     "applied dream embeds them)")  # fmt: skip
    if report.trial_until is not None:
        until = render.minute(report.trial_until)
        render.field("on trial", f"until {until}: nothing is injected (slowwave trial report)")
    if report.last_dream is not None:
        last = report.last_dream
        render.field("last dream", f"{last.dream_id} {last.date} {last.status.replace('_', ' ')}")
        for warning in last.warnings:
            render.field("warning", warning)


def _undreamed(report: "StatusReport") -> str:
    """How many events no applied dream has read, and what there is to do about them."""
    number = report.counts.undreamed_events
    text = render.plural(number, "event")
    held = min(number, report.waiting_events)
    aside = min(number - held, report.set_aside)
    if held:
        text += f", {held if held < number else 'all'} of them in plans that wait"
    if aside:
        text += f", {aside if aside < number else 'all'} of them set aside: of turns undone, or of "
        text += "changes by hand that wait"
    return text + (" (slowwave dream --date all)" if number > aside and not held else "")


@click.command()
@click.option("--fix", is_flag=True, help="Make anew what is derived: index, vectors, files.")
@common
def doctor(door: Door, fix: bool) -> int:
    """Check that everything is sound: the file, every quote, every version."""
    memory = door.memory(create=False)
    done: tuple[str, ...] = ()
    if fix:
        door.writing = True
        with progress_bar() as progress:
            done = memory.mend(progress)
    problems = memory.diagnose()

    def show() -> None:
        for line in done:
            click.echo(line)
        for problem in problems:
            render.line(f"{problem.check}: {problem.detail} — {problem.hint}", hang=2)
        if not problems:
            click.echo("sound: no problem found")

    from slowwave.answers.kept import checked  # noqa: PLC0415 - start-up counts

    door.answer(checked(problems, done if fix else None), show)
    return EXIT_FAILED if problems else 0
