"""An invented fortnight of one who keeps bees and translates films: what the pages are tried on."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

from slowwave.memory import SlowMemory
from slowwave.model import Dream, Record
from slowwave.wiring import Options, open_memory

NOW = "2026-05-18T07:30:00+08:00"
ENVIRONMENT = {"SLOWWAVE_EMBEDDER": "none"}
LAST = "2026-05-17"
TALK = {
    "2026-05-04": (
        "我叫何苗，住在昆明北门街，养蜂，也翻译纪录片。",
        "我对青霉素过敏，这一点别忘了。",
        "I use Markdown for all my translation notes.",
    ),
    "2026-05-05": (
        "The hive scale in the orchard reports on port 8080.",
        "以后给出版社的稿子一律用 Word，不要 PDF。",
        "我的车停在圆通街的车库。",
    ),
    "2026-05-06": ("我妹妹何穗在大理开民宿。", "今天蜂场第三箱分蜂了，收回来了。"),
    "2026-05-08": (
        "I decided to translate the river film before the glacier one.",
        "下周三（5 月 13 日）要去大理看妹妹。",
    ),
    "2026-05-09": ("晚饭一般七点吃。", "I prefer trains to planes."),
    "2026-05-11": (
        "The hive scale in the orchard reports on port 9443 now, no longer on 8080.",
        "周五之前把片头字幕交给编辑。",
    ),
    "2026-05-12": ("I drink my coffee without sugar.", "蜂场的钥匙放在邻居老段那里。"),
    "2026-05-14": (
        "何穗的民宿叫「望海小院」，一共六间房。",
        "The glacier film is due on 30 June.",
        "以后给出版社的稿子一律用 PDF。",
    ),
    "2026-05-15": ("片头字幕已经交了。", "编辑叫 Marta Lindqvist，住在哥德堡。"),
    "2026-05-17": (
        "我从北门街搬到翠湖边了。",
        "I use Markdown for all my translation notes, one file for each reel.",
        "我对青霉素过敏。",
        "下个月想给蜂场装一个新的水泵。",
        "I no longer drink coffee, only pu'er tea.",
    ),
}
ANSWERS = ("好的，记下了。", "Noted.", "明白。")
QUESTIONS = (
    ("2026-05-12T10:05:00+08:00", "which port does the hive scale use"),
    ("2026-05-13T19:40:00+08:00", "我对什么药过敏"),
    ("2026-05-16T08:15:00+08:00", "给出版社的稿子用什么格式"),
    ("2026-05-16T12:30:00+08:00", "怎么把香蕉切成薄片"),
    ("2026-05-17T20:10:00+08:00", "how do I take my coffee"),
)


def at(home: Path, now: str = NOW, space: str = "default") -> SlowMemory:
    """The memory at a moment."""
    options = Options(home=str(home), now=now, tz="Asia/Shanghai", space=space)
    return open_memory(options, ENVIRONMENT)


def build(home: Path) -> None:
    """The whole story, from an empty folder; the last night waits for a person."""
    for day, said in TALK.items():
        _live(home, day, said)
        _sleep(home, day)
    memory = at(home, "2026-05-16T21:00:00+08:00")
    memory.by_hand("edit", _saying(memory, "老段"), text="蜂场的钥匙放在邻居老段家门口的铁盒里。")
    memory.by_hand("demote", _saying(memory, "圆通街"))
    memory.working_add("给 Marta 回信，确认交稿日期")
    memory.working_mark(memory.working_add("买十个新巢框").id, "done")
    memory.close()
    for moment, question in QUESTIONS:
        memory = at(home, moment)
        memory.context(question, 400, session="desk")
        memory.close()
    memory = at(home, "2026-05-17T20:12:00+08:00")
    asked = next(one for one in memory.injections() if "稿子" in one.query)
    memory.wrong(asked.id, "", "1")
    memory.close()
    memory = at(home, NOW, "workshop")
    memory.log([Record(text="The lathe needs a new belt.", source="chat")])
    memory.close()


def _live(home: Path, day: str, said: tuple[str, ...]) -> None:
    memory = at(home, f"{day}T22:00:00+08:00")
    records = []
    for number, text in enumerate(said):
        moment = datetime.fromisoformat(f"{day}T09:10:00+08:00") + timedelta(hours=2 * number)
        answer, later = ANSWERS[number % len(ANSWERS)], moment + timedelta(seconds=20)
        records += [
            Record(text=text, source="chat", ts=moment, session=day, ref=f"{day}#{number}"),
            Record(text=answer, source="chat", ts=later, session=day, role="assistant"),
        ]
    memory.log(records)
    memory.close()


def _sleep(home: Path, day: str) -> Dream:
    morning = datetime.fromisoformat(f"{day}T02:00:00+08:00") + timedelta(days=1)
    memory = at(home, morning.isoformat())
    made = memory.dream(day, apply=day != LAST)
    if day == "2026-05-05":
        memory.by_hand("pin", _saying(memory, "Word"))
    memory.close()
    return made


def _saying(memory: SlowMemory, words: str) -> str:
    return next(one.id for one in memory.memories() if words in one.text)


def copied(home: Path, to: Path) -> Path:
    """The home in another place: what is changed there is not changed here."""
    shutil.copytree(home, to)
    return to
