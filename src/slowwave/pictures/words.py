"""What pictures say, in English and Chinese."""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Literal, get_args

from slowwave.text.counting import plural

__all__ = ["PICTURES", "Language", "PictureName", "counted", "day_label", "kind_name", "say"]

PictureName = Literal["kinds", "growth", "compression", "forgetting", "nights", "topics"]
PICTURES: tuple[PictureName, ...] = get_args(PictureName)
"""The names of all pictures, in the order in which they are shown."""

Language = Literal["en", "zh"]

_AFTER_A_DREAM = (
    "Memories appear here after the first dream.", "第一次做梦之后，记忆会出现在这里。"
)  # fmt: skip
_SAID: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "kinds": ("What the memory is made of", "记忆由什么组成"),
        "growth": ("Log and memory, grown together", "日志与记忆的增长"),
        "compression": ("From log to memory", "从日志到记忆"),
        "forgetting": ("What was let go", "放下的记忆"),
        "nights": ("How long the nights took", "每夜的时长"),
        "topics": ("What the log is about", "日志在聊什么"),
        "nothing": ("Nothing to show yet", "还没有可以画的内容"),
        "nothing_kinds": _AFTER_A_DREAM,
        "nothing_growth": ("Log or import something first.", "先记录或导入一些内容。"),
        "nothing_compression": _AFTER_A_DREAM,
        "nothing_forgetting": ("Nothing was let go so far.", "到目前为止，还没有放下过什么。"),
        "nothing_nights": ("No night was dreamed so far.", "还没有做过梦。"),
        "nothing_topics": (
            "Too little was said in these days to find topics.", "这几天说得太少，还看不出话题。"
        ),
        "other": ("other", "其他"),
        "of_no_topic": ("smaller topics, or none", "零散的话题"),
        "memories_axis": ("memories that hold", "有效的记忆"),
        "events_axis": ("log entries", "日志条数"),
        "tokens_axis": ("tokens (log scale)", "词元（对数刻度）"),
        "let_go_axis": ("memories a week", "每周条数"),
        "seconds_axis": ("seconds", "秒"),
        "said": ("log so far", "累计日志"),
        "known": ("memory", "记忆"),
        "replaced": ("replaced by a newer one", "被新的取代"),
        "expired": ("its time was over", "时间已过"),
        "faded": ("never confirmed", "一直没有得到印证"),
        "cold": ("gone cold, kept aside", "转冷，另外保存"),
        "erased": ("forgotten on request", "应要求彻底忘记"),
    }
)  # fmt: skip
_KINDS_ZH: Mapping[str, str] = MappingProxyType(
    {
        "profile": "个人情况", "preference": "偏好", "project": "项目", "environment": "环境",
        "fact": "事实", "rule": "规则", "plan": "计划", "relationship": "人际关系",
        "quote": "原话", "emotion": "情绪", "digest": "摘要", "skill": "技能", "lesson": "教训",
    }
)  # fmt: skip
_COUNTED_ZH: Mapping[str, str] = MappingProxyType(
    {
        "memory": "条记忆",
        "message": "条消息",
        "log entry": "条日志",
        "night": "夜",
        "token": "个词元",
    }
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def say(key: str, language: Language) -> str:
    """A text by its key."""
    english, chinese = _SAID[key]
    return chinese if language == "zh" else english


def kind_name(kind: str, language: Language) -> str:
    """The name of a kind of memories."""
    return _KINDS_ZH.get(kind, kind) if language == "zh" else kind


def counted(number: int, noun: str, language: Language) -> str:
    """`1,204 messages`, `1,204 条消息`."""
    if language == "zh":
        return f"{number:,} {_COUNTED_ZH[noun]}"
    return plural(number, noun).replace(str(number), f"{number:,}", 1)


def day_label(day: date, unit: str, language: Language) -> str:
    """How a day stands on an axis; of a `month` its name and year, of a `week` its Monday."""
    if unit == "month":
        return f"{day.year}年{day.month}月" if language == "zh" else (
            f"{_MONTHS[day.month - 1]} {day.year}"
        )  # fmt: skip
    if language == "zh":
        return f"{day.month}月{day.day}日"
    return f"{_MONTHS[day.month - 1]} {day.day}"
