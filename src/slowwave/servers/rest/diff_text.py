"""A dream as a person reads it, in plain text: what would change, why, and the words behind it."""

from collections.abc import Iterator, Mapping

from slowwave.memory import SlowMemory
from slowwave.model import Change, Dream, Event, Evidence

__all__ = ["diff_text"]

SIGNS: Mapping[str, str] = {
    "add": "+", "restore": "+", "update": "~", "merge": "~", "confirm": "~", "collapse": "~",
    "supersede": "-", "demote": "-", "retire": "-",
}  # fmt: skip


def diff_text(memory: SlowMemory, dream: Dream) -> str:
    """The plan, change by change, grouped by the kind of memory."""
    spans = [span for change in dream.changes for span in change.quotes]
    said = memory.events(sorted({span.event_id for span in spans}))
    return "\n".join((*_head(dream), *_changes(dream, said))) + "\n"


def _head(dream: Dream) -> Iterator[str]:
    yield f"dream {dream.dream_id} · {dream.date} · {dream.status.replace('_', ' ')}"
    yield (
        f"{dream.input_events} events → {dream.extracted_items} claims → "
        f"{dream.new_entries} new, {dream.updated_entries} updated, {dream.merged_entries} merged, "
        f"{dream.confirmed_entries} confirmed, {dream.archived_entries} archived"
    )
    if dream.reason:
        yield dream.reason
    for gate in dream.gates:
        if not gate.ok:
            yield f"gate {gate.name} REFUSED: {gate.detail}"
    for warning in dream.warnings:
        yield f"warning: {warning}"
    for left in dream.rejected:
        yield f"left out: {left.reason} ×{left.count}"


def _changes(dream: Dream, said: Mapping[str, Event]) -> Iterator[str]:
    kind = ""
    for change in sorted(dream.changes, key=lambda one: one.after.kind):
        if change.after.kind != kind:
            kind = change.after.kind
            yield from ("", kind)
        yield from _change(change, said)


def _change(change: Change, said: Mapping[str, Event]) -> Iterator[str]:
    tag = {True: " [approved]", False: " [rejected]"}.get(change.approved, "")  # type: ignore[arg-type]
    yield f"{SIGNS[change.op]} {change.op} {change.id}{tag}"
    before = change.before
    if before is not None and before.text != change.after.text:
        yield f"    - {_flat(before.text)}"
        yield f"    + {_flat(change.after.text)}"
    else:
        yield f"      {_flat(change.after.text)}"
    yield f"      why: {_flat(change.reason)}" + (f" [{change.route}]" if change.route else "")
    for span in change.quotes:
        yield f"      {_quote(span, said)}"


def _quote(span: Evidence, said: Mapping[str, Event]) -> str:
    event = said.get(span.event_id)
    origin = event.origin if event else ""
    who = "you" if origin == "owner" else span.speaker or origin
    when = span.ts.isoformat(" ", "minutes")[:16] if span.ts else ""
    parts = [part for part in (who, when, span.ref or span.event_id) if part]
    return f"“{_flat(span.quote)}” — {', '.join(parts)}"


def _flat(text: str) -> str:
    return " ".join(text.split())
