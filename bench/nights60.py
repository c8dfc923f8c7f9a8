"""Sixty nights of twenty new facts: does MEMORY.md stay small, whole and true to its owner?

    python bench/nights60.py [--nights 60] [--facts 20] [--seed 7]

Invented facts in Chinese and English; beside the new ones each day changes three older ones and
repeats two. MEMORY.md begins with hand-written lines; more are added below the managed part on
the way. After every night it must be within its budget of tokens and the hand-written bytes must
be as they were; at the end every active memory must stand in MEMORY.md, or be found by recall and
have a file of its own below `long_term`. Exit code 1 when one of these does not hold.
"""

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path

import msgspec

from slowwave.memory import SlowMemory
from slowwave.model import Memory, Record
from slowwave.text.tokens import estimate
from slowwave.wiring import Options, open_memory

ZONE = timezone(timedelta(hours=8))
START = date(2026, 3, 2)
CHANGED, REPEATED = 3, 2
HAND_ABOVE = "# Was ich weiß · 我的笔记\r\n\r\n- written by hand, *kept* byte for byte\t \r\n"
HAND_BELOW = "\n## Mine, below\n\n手写的一行，不许动。\n<!-- a remark of mine -->\n"

FORMS = (
    ("My {kin} {name} lives in {place} now", "place"),
    ("I prefer {thing} over {other} for breakfast", "thing"),
    ("The door code of the {place} workshop is {number}", "number"),
    ("From now on write the {thing} report in {style}", "style"),
    ("{name} leads the {project} project", "name"),
    ("The {project} server runs on port {number}", "number"),
    ("I am learning to {craft} with {name}", "craft"),
    ("We decided to buy {number} {thing} for the {place} fair", "number"),
    ("{name} is allergic to {thing}", "thing"),
    ("Our {project} budget is {number} euros", "number"),
    ("我{kin_zh}{name}搬到{place}住了", "place"),
    ("我更喜欢{thing}，不喜欢{other}", "thing"),
    ("{place}工作室的门牌是{number}号", "number"),
    ("以后{project}的周报一律用{style}", "style"),
    ("{project}项目由{name}负责", "name"),
    ("{project}的备份放在{number}号硬盘", "number"),
    ("我在跟{name}学{craft}", "craft"),
    ("我们决定给{place}的展会买{number}盏灯", "number"),
    ("{name}对{thing}过敏", "thing"),
    ("我每天{number}步走到{place}", "number"),
)
SLOTS = {
    "kin": ("sister", "uncle", "neighbour", "cousin", "flatmate", "grandmother", "godson"),
    "kin_zh": ("姐姐", "舅舅", "邻居", "表弟", "室友", "奶奶", "同学"),
    "name": ("Ragnhild", "Teodor", "阿蓼", "Ximena", "小蔺", "Faruk", "Odalys", "老逄", "Isolde",
             "Bjarne", "苇子", "Kwabena", "Marisol", "阿楸", "Yevgenia", "小郗"),
    "place": ("Tromsø", "婺源", "Matera", "Ljubljana", "泸沽湖", "Galway", "敦煌", "Kotor", "霞浦",
              "Évora", "漠河", "Visby", "喀什", "Ronda"),
    "thing": ("barley tea", "榴莲", "rye bread", "腐乳", "quince jam", "荞麦面", "smoked trout",
              "姜糖", "buckwheat", "杏仁", "oat milk", "柚子皮", "chestnuts", "豆汁"),
    "other": ("cornflakes", "油条", "toast", "稀饭", "waffles", "馒头"),
    "project": ("Lighthouse", "青苔", "Windmill", "灯塔", "Orchard", "渡口", "Kestrel", "石板"),
    "craft": ("bind books", "篆刻", "throw pots", "吹埙", "weave", "修表", "carve spoons",
              "做豆腐"),
    "style": ("plain text", "表格", "LaTeX", "提纲", "Markdown", "三句话"),
}  # fmt: skip


class Facts:
    """An endless supply of facts; remembers them, so that they can change and return."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._told: list[tuple[str, str, dict[str, str]]] = []
        self._texts: set[str] = set()

    def day(self, new: int) -> Iterator[str]:
        """What is said on one day: new facts, changed ones, repeated ones."""
        earlier = list(self._told)
        for _ in range(new):
            yield self._new()
        chance = self._chance
        for form, slot, values in chance.sample(earlier, min(CHANGED, len(earlier))):
            values[slot] = self._value(slot)
            yield form.format(**values)
        for form, _, values in chance.sample(earlier, min(REPEATED, len(earlier))):
            yield form.format(**values)

    def _new(self) -> str:
        while True:
            form, slot = self._chance.choice(FORMS)
            values = {name: self._value(name) for name in re.findall(r"{(\w+)}", form)}
            text = form.format(**values)
            if text not in self._texts:
                self._texts.add(text)
                self._told.append((form, slot, values))
                return text

    def _value(self, slot: str) -> str:
        if slot == "number":
            return str(self._chance.randint(100, 9999))
        return self._chance.choice(SLOTS[slot])


def opened(home: Path, night: date) -> SlowMemory:
    """The memory in the small hours after a day."""
    now = datetime.combine(night + timedelta(days=1), time(3), tzinfo=ZONE).isoformat()
    options = Options(home=str(home), now=now, tz="Asia/Shanghai")
    return open_memory(options, {"SLOWWAVE_EMBEDDER": "none"})


def said(day: date, texts: Iterator[str]) -> Iterator[Record]:
    """A day's talk."""
    morning = datetime.combine(day, time(9), tzinfo=ZONE)
    for number, text in enumerate(texts):
        yield Record(
            text=text, source="nights60", key=f"{day}-{number}", session=str(day),
            ts=morning + timedelta(minutes=11 * number),
        )  # fmt: skip


_MANAGED = re.compile(rb"<!-- slowwave:begin[^\n]*-->.*?<!-- slowwave:end -->", re.DOTALL)


def outside(page: bytes) -> tuple[bytes, bytes]:
    """The bytes above and below the managed part."""
    parts = _MANAGED.split(page)
    if len(parts) != 2:
        raise SystemExit(f"MEMORY.md has {len(parts) - 1} managed parts")
    return parts[0], parts[1]


class Found(msgspec.Struct):
    """What was seen over the nights."""

    problems: list[str]
    largest: int = 0
    budget: int = 0


def check_page(found: Found, page: Path, above: bytes, below: bytes, night: int) -> None:
    """Budget and hand-written bytes after a night."""
    data = page.read_bytes()
    tokens = estimate(data.decode())
    found.largest = max(found.largest, tokens)
    if tokens > found.budget:
        found.problems.append(f"night {night}: MEMORY.md has {tokens} tokens of {found.budget}")
    before, after = outside(data)
    if not before.startswith(above) or before[len(above) :].strip():
        found.problems.append(f"night {night}: the bytes above are not as they were written")
    if not after.endswith(below) or after[: len(after) - len(below)].strip():
        found.problems.append(f"night {night}: the bytes below are not as they were written")


def lost(memory: SlowMemory, vault: Path) -> Iterator[tuple[Memory, str]]:
    """Active memories that cannot be reached, with the reason."""
    page = plain((vault / "MEMORY.md").read_text(encoding="utf-8"))
    files = [path.read_text(encoding="utf-8") for path in (vault / "long_term").rglob("*.md")]
    for one in memory.memories(("active",)):
        if plain(one.text) in page:
            continue
        if not any(one.id in text for text in files):
            yield one, "no file"
        hits = memory.recall(memory.query(one.text, k=20, scope="memories"), signal=False)
        if one.id not in {hit.id for hit in hits}:
            yield one, "not recalled"


def plain(text: str) -> str:
    """A text without what Markdown may escape or space differently."""
    return re.sub(r"[\\\s]+", "", text)


def main() -> None:
    """Lives the nights, prints what was found, and fails when something does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nights", type=int, default=60)
    parser.add_argument("--facts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    facts = Facts(asked.seed)
    found = Found([])
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        vault = home / "vault"
        page = vault / "MEMORY.md"
        vault.mkdir()
        above, below = HAND_ABOVE.encode(), b""
        page.write_bytes(above)
        for number in range(asked.nights):
            day = START + timedelta(days=number)
            with closing(opened(home, day)) as memory:
                memory.log(said(day, facts.day(asked.facts)))
                dream = memory.dream(day.isoformat(), apply=True)
                found.budget = memory.parts.settings.dream.loaded_tokens
            if dream.status != "applied":
                found.problems.append(f"night {number + 1}: {dream.status}")
            check_page(found, page, above, below, number + 1)
            if number == asked.nights // 3:
                below = HAND_BELOW.encode()
                page.write_bytes(page.read_bytes() + below)
        with closing(opened(home, START + timedelta(days=asked.nights))) as memory:
            counts = memory.status().counts.memories
            unreachable = list(lost(memory, vault))
        in_page = len(page.read_text(encoding="utf-8").splitlines())
    print(f"n = {asked.nights} nights of {asked.facts} new facts, {CHANGED} changed, "
          f"{REPEATED} repeated, seed {asked.seed}; memories {counts}")  # fmt: skip
    print(f"MEMORY.md: at most {found.largest} of {found.budget} tokens, {in_page} lines at last")
    print(f"unreachable: {len(unreachable)}")
    for one, reason in unreachable[:10]:
        print(f"  {reason}: {one.id} {one.text}")
    for problem in found.problems[:20]:
        print(f"  {problem}")
    sys.exit(bool(found.problems or unreachable))


if __name__ == "__main__":
    main()
