"""`slowwave demo`: an invented fortnight of a personal agent, from its logs to four answers.

The logs under `logs/` are OpenClaw sessions in the format the program writes them; people, places
and numbers are made up. The demo runs on a home of its own, with a clock that stands at 03:00 of
the morning after each day, so that it shows the same nights whenever it is played.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from slowwave.capture.foreign import Imported
from slowwave.errors import UsageError
from slowwave.memory import SlowMemory
from slowwave.model import Dream, Event, Evidence, Hit
from slowwave.ports import Progress
from slowwave.wiring import Options, initialise

LOGS = Path(__file__).parent / "logs"
ZONE = "Asia/Shanghai"
FIRST_DAY, DAYS = date(2026, 3, 1), 14
SHOWN_NIGHT = 8
"""The night whose change set is shown: one memory replaces another in it."""

QUESTIONS = (
    "我对什么过敏",
    "what is the ssh port of the kiln controller",
    "报价单用什么格式",
    "我什么时候飞波尔图",
)


class Answer(msgspec.Struct, frozen=True):
    """A question, the best hit, and the exact words it rests on."""

    question: str
    hit: Hit | None
    evidence: tuple[Evidence, ...]


class Story(msgspec.Struct, frozen=True):
    """What the demo did. `quoted` are the raw events behind the quotes of `shown` and `answers`;
    `home` is where it was left, "" when it is gone; `characters` of log became `kept`.
    """

    files: int
    events: int
    nights: tuple[Dream, ...]
    shown: Dream
    answers: tuple[Answer, ...]
    quoted: tuple[Event, ...]
    characters: int
    kept: int
    home: str = ""


def play(keep: Path | None, progress: Progress) -> Story:
    """Imports the logs, dreams them night by night, asks. `keep` leaves the home in a folder.

    Raises UsageError when that folder holds something already: a memory in use is no stage.
    """
    with _folder(keep) as home:
        with closing(_at(home, FIRST_DAY)) as memory:
            imported = memory.import_paths([LOGS], progress=progress)
        nights = []
        for number in range(DAYS):
            progress("dream", number, DAYS)
            night = FIRST_DAY + timedelta(days=number)
            with closing(_at(home, night + timedelta(days=1))) as memory:
                nights.append(memory.dream(night.isoformat(), apply=True))
        progress("dream", DAYS, DAYS)
        with closing(_at(home, FIRST_DAY + timedelta(days=DAYS))) as memory:
            return _story(memory, imported, nights, "" if keep is None else str(keep))


def _story(memory: SlowMemory, imported: Imported, nights: list[Dream], home: str) -> Story:
    shown = nights[SHOWN_NIGHT - 1]
    answers = tuple(_ask(memory, question) for question in QUESTIONS)
    spans = [span for change in shown.changes for span in change.quotes]
    spans += [span for answer in answers for span in answer.evidence]
    quoted = memory.events(sorted({span.event_id for span in spans}))
    return Story(
        files=len(imported.files),
        events=imported.events,
        nights=tuple(nights),
        shown=shown,
        answers=answers,
        quoted=tuple(quoted.values()),
        characters=sum(len(event.text) for event in memory.events_since(0)),
        kept=sum(len(known.text) for known in memory.memories(("active", "candidate"))),
        home=home,
    )


def _ask(memory: SlowMemory, question: str) -> Answer:
    hits = memory.recall(memory.query(question, k=1), signal=False)
    if not hits:
        return Answer(question, None, ())
    best = hits[0]
    return Answer(question, best, memory.words_of(best))


def _at(home: Path, morning: date) -> SlowMemory:
    """The demo's memory at 03:00 of a morning, whatever the user's own settings say."""
    now = datetime(morning.year, morning.month, morning.day, 3, tzinfo=ZoneInfo(ZONE))
    return initialise(Options(home=str(home), now=now.isoformat(), tz=ZONE), None, {})


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        if keep.exists() and not (keep.is_dir() and not any(keep.iterdir())):
            raise UsageError(f"{keep} is there already, and not empty", "name a new folder")
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="slowwave-demo-") as folder:
        yield Path(folder)
