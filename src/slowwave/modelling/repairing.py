"""The one second question about an answer that could not be read: it asks for what is missing.

Nothing of an answer is guessed or completed here. What was cut off is asked for from there on, what
was refused is asked for again, and only an answer without anything usable is asked for anew.
"""

from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from slowwave.model import Ask
from slowwave.modelling.answers import Parsed, Problem

T = TypeVar("T")

_FOLDER = Path(__file__).with_name("prompts")
_SHOWN = 20
"""Refused items that are shown again; more than these are a misunderstanding."""
_LONGEST = 2_000


def needs_repair(parsed: Parsed[Any]) -> bool:
    """Whether something of the answer is missing."""
    return not parsed.usable or bool(parsed.problems)


def repair(ask: Ask, parsed: Parsed[Any]) -> Ask:
    """The question again, with what is missing."""
    if parsed.truncated and parsed.items:
        last = msgspec.json.encode(parsed.items[-1]).decode()
        request = _prompt("cut").format(last=last[:_LONGEST])
    elif parsed.usable and _refused(parsed):
        lines = [
            f"- {one.raw[:_LONGEST]} ({one.reason})" for one in _refused(parsed)[:_SHOWN]
        ]  # fmt: skip
        request = _prompt("refused").format(items="\n".join(lines))
    else:
        reasons = dict.fromkeys(one.reason for one in parsed.problems)
        request = _prompt("unreadable").format(problem="; ".join(list(reasons)[:_SHOWN]))
    return msgspec.structs.replace(ask, user=f"{ask.user}\n\n{request}")


def joined(first: Parsed[T], second: Parsed[T]) -> Parsed[T]:
    """Both answers as one: the items of the first, and what the second has beside them."""
    if not second.usable:
        return first
    known = {_key(item) for item in first.items}
    new = tuple(item for item in second.items if _key(item) not in known)
    open_problems = second.problems
    if not second.items and not first.truncated:
        open_problems = (*first.problems, *second.problems)  # it could not correct them
    return Parsed(
        (*first.items, *new),
        open_problems,
        usable=True,
        truncated=second.truncated,
    )


def _refused(parsed: Parsed[Any]) -> list[Problem]:
    return [one for one in parsed.problems if one.item]


def _key(item: Any) -> bytes:
    return msgspec.json.encode(item)


@cache
def _prompt(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
