"""A scripted model that has read the day before: it answers with notes that were made by hand.

A note says what a model would say to one event, right or wrong. Whenever that event is shown, the
answer holds its items, with the id under which the event is shown at the time:

    reader = ScriptedReader([Note("I moved to Lund", ({"kind": "fact"},))])
    with ScriptedModel(reader) as server:
        …

What a note leaves out of an item is what a model would mostly say: the whole event as its quote,
the user as its subject. Anything that is not about a part of a log is answered with an empty list.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from slowwave.testing.scripted_http import Request

__all__ = ["Note", "ScriptedReader", "is_about_a_log", "notes_in", "shown_events"]

_SHOWN = re.compile(r"^\[(\w+)\] [^\n]*\n<<(\w+)\n(.*?)\n\2>>$", re.MULTILINE | re.DOTALL)

DEFAULTS: Mapping[str, Any] = {
    "kind": "fact", "subject": "user", "importance": 61, "confidence": 0.9, "standing": "standing",
    "valid_from": None, "valid_to": None, "negated": False, "entities": [],
}  # fmt: skip


class Note(msgspec.Struct, frozen=True):
    """What is said to an event with this text: items, without ids. `wrong`: none of them is so.

    An item may have `quote` (words of the event; "" for no evidence at all), `event_id` (else that
    of the event), and all fields of a claim.
    """

    said: str
    items: tuple[dict[str, Any], ...]
    wrong: bool = False


class ScriptedReader:
    """A script for `ScriptedModel`. `given` are the items that were answered so far, in order."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self.notes = tuple(notes)
        self.given: list[dict[str, Any]] = []

    def __call__(self, request: Request) -> dict[str, Any]:
        """The items of all notes on what is shown."""
        if not is_about_a_log(request):
            return {"items": []}
        shown = shown_events(request.prompt)
        items = [
            _item(item, name, words)
            for name, words in shown.items()
            for note in self.notes
            if note.said == words
            for item in note.items
        ]
        self.given += items
        return {"items": items}


def is_about_a_log(request: Request) -> bool:
    """Whether this asks what a part of a log says; models are asked about other things as well."""
    return "LOG" in request.prompt.splitlines()


def shown_events(prompt: str) -> dict[str, str]:
    """The events that are to be read, by the ids under which they are shown."""
    _, _, log = f"\n{prompt}".partition("\nLOG\n")
    return {name: words for name, _, words in _SHOWN.findall(log)}


def notes_in(path: Path) -> list[Note]:
    """The notes of a file of JSON lines, each with `said`, `items` and perhaps `wrong`.

    Other lines are left out: they may stand beside the log and its questions in one file.
    """
    notes = []
    for line in path.read_text(encoding="utf-8").splitlines():
        value = json.loads(line) if line.strip() else {}
        if "said" in value:
            notes.append(msgspec.convert(value, Note))
    return notes


def _item(item: Mapping[str, Any], name: str, words: str) -> dict[str, Any]:
    fields = {key: value for key, value in item.items() if key not in ("quote", "event_id")}
    quote = item.get("quote", words)
    event_id = item.get("event_id", name)
    evidence = [{"event_id": event_id, "quote": quote}] if quote else []
    return {"evidence": evidence, **DEFAULTS, "text": quote or words, **fields}
