"""How well the rules tell what is worth learning from what is not, on single messages.

    python bench/distill.py [--gold PATH] [--show]

Reads `bench/distill_lines.txt` beside this file and, with `--gold`, JSON lines of
`{text, date, context, memories: [{subject, must_contain, negated}]}`. Counts messages with
something to keep that were noticed, messages with nothing that were left alone, and of what was
to be kept: the exact words, the subject, the denial. The lines are those the rules were written
with, so their figures guard against loss and promise nothing about other messages.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from slowwave.dream.distill.rules import distill
from slowwave.dream.verify.stage import verify
from slowwave.model import USER, Claim, Event, Role

LINES = Path(__file__).with_name("distill_lines.txt")
ZONE = ZoneInfo("Asia/Shanghai")
DAY = datetime(2026, 11, 18, 12, tzinfo=ZONE)


@dataclass(frozen=True)
class Wanted:
    """One thing to be learned: the words a claim must carry, of whom, denied or not."""

    words: tuple[str, ...]
    subject: str
    negated: bool


@dataclass(frozen=True)
class Message:
    """A message with the turns before it and all that is to be learned of it."""

    text: str
    said: datetime
    before: tuple[tuple[Role, str], ...]
    wanted: tuple[Wanted, ...]


def main() -> None:
    """Prints one table per set."""
    parser = argparse.ArgumentParser(description="measure distilling by rules")
    parser.add_argument("--gold", type=Path, help="more labelled messages, as JSON lines")
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    given = parser.parse_args()
    report("own lines", own_lines(LINES), show=given.show)
    if given.gold:
        report("gold", gold_lines(given.gold), show=given.show)


def own_lines(path: Path) -> Iterator[Message]:
    """The lines `whom | message | words`."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        whom, text, *words = line.split(" | ")
        subject = whom.rstrip("!").removeprefix("=")
        wanted = () if whom == "-" else (Wanted(tuple(words), subject, whom.endswith("!")),)
        yield Message(text, DAY, (), wanted)


def gold_lines(path: Path) -> Iterator[Message]:
    """The lines of a gold file; `context` are the turns before."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        said = datetime.fromisoformat(row["date"]).replace(hour=12, tzinfo=ZONE)
        before = tuple((turn["role"], turn["text"]) for turn in row.get("context", []))
        wanted = tuple(
            Wanted(tuple(one["must_contain"]), one["subject"], bool(one.get("negated")))
            for one in row["memories"]
        )
        yield Message(row["text"], said, before, wanted)


def report(name: str, messages: Iterable[Message], *, show: bool) -> None:
    """Counts and prints one set."""
    count: Counter[str] = Counter()
    for message in messages:
        claims = learned(message)
        kept = "noticed" if message.wanted else "left alone"
        count[f"{kept} of"] += 1
        count[kept] += bool(claims) == bool(message.wanted)
        wrong = not message.wanted and bool(claims)
        for wanted in message.wanted:
            wrong |= not judge(wanted, claims, count)
        if show and wrong:
            print(f"  {message.text} -> {[(c.subject, c.negated, c.text) for c in claims]}")
    print(name)
    for key in ("noticed", "left alone", "exact words", "subject", "denial"):
        whole = count[f"{key} of"]
        print(f"  {key:12} {100 * count[key] / max(1, whole):5.1f} % ({count[key]}/{whole})")


def judge(wanted: Wanted, claims: Iterable[Claim], count: Counter[str]) -> bool:
    """Counts one wanted claim; whether all of it is right."""
    count["exact words of"] += 1
    words = [fold(word) for word in wanted.words]
    found = next((c for c in claims if all(word in fold(c.text) for word in words)), None)
    if found is None:
        return False
    count["exact words"] += 1
    right = {
        "subject": same(found.subject, wanted.subject),
        "denial": found.negated == wanted.negated,
    }
    for key, value in right.items():
        count[f"{key} of"] += 1
        count[key] += value
    return all(right.values())


def same(got: str, want: str) -> bool:
    """The three fixed subjects exactly; a person by a name that contains the other."""
    if {got, want} & {USER, "agent", "world"}:
        return got == want
    return fold(got) in fold(want) or fold(want) in fold(got)


def fold(text: str) -> str:
    """Letters and digits in lower case."""
    return "".join(c for c in text.casefold() if c.isalnum())


def learned(message: Message) -> tuple[Claim, ...]:
    """The verified claims of a message."""
    before = [
        turn(role, text, message.said - timedelta(minutes=len(message.before) - place), f"b{place}")
        for place, (role, text) in enumerate(message.before)
    ]
    asked = turn("user", message.text, message.said, "asked")
    found = distill([asked], ZONE, before=before)
    return verify(found.claims, {event.id: event for event in (*before, asked)}).claims


def turn(role: Role, text: str, said: datetime, name: str) -> Event:
    """One turn as an event."""
    return Event(
        id=name, space="bench", identity=name, ts=said, role=role, kind="message", text=text,
        origin="owner" if role == "user" else "agent", source="bench", session="bench",
    )  # fmt: skip


if __name__ == "__main__":
    main()
