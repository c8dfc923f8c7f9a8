"""The sentences of the dream diary, in English and Chinese: several for each thing that happens.

`{names}` are quoted memories, `{old}` and `{new}` what gave way to what, `{count}` a number.
"""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["SENTENCES"]

_Both = tuple[tuple[str, ...], tuple[str, ...]]

SENTENCES: Mapping[str, _Both] = MappingProxyType(
    {
        "opening": (
            (
                "I went back through {events} of {day}.",
                "{day} came back to me, {events} in all.",
                "I lay still and let {events} of {day} drift by.",
                "It was late when I leafed through {day}: {events}.",
                "Of {day} I had {events} to sort.",
            ),
            (
                "夜里我把{day}的 {events} 条记录又走了一遍。",
                "我静下来，{day}的 {events} 条记录又浮了上来。",
                "{day}留下了 {events} 条记录，我一条条看过去。",
                "灯灭以后，我翻了翻{day}，一共 {events} 条。",
                "{day}的 {events} 条记录，我理了一遍。",
            ),
        ),
        "quiet": (
            (
                "A quiet night: of {events} of {day} nothing had to be kept.",
                "{day} passed without leaving a mark; {events}, and I let them go.",
                "I looked through {events} of {day} and slept on.",
                "Nothing new in {day}. Some nights only the sea is heard.",
            ),
            (
                "安静的一夜：{day}的 {events} 条记录里，没有什么需要留下的。",
                "{day}风平浪静，{events} 条记录看完，我又睡了。",
                "{day}没有新东西，就让它过去吧。",
                "我看了{day}的 {events} 条记录，什么也没带走。",
            ),
        ),
        "once_more": (
            (
                "I read {day} once more, {events}, with fresh eyes.",
                "{day} again: {events}, and some of it I saw better this time.",
                "I went back to {day}, which I thought I knew: {events}.",
            ),
            (
                "我把{day}的 {events} 条记录重新读了一遍。",
                "{day}，我又回去看了一次，{events} 条记录，有些看得更清楚了。",
                "以为{day}已经读懂了，再读一遍，{events} 条记录里还有没看清的。",
            ),
        ),
        "undone": (
            ("I took back what I had dreamed of {day}.", "My dream of {day} is unmade again."),
            ("我收回了那一夜（{day}）的梦。", "关于{day}的那个梦，我把它放回去了。"),
        ),
        "new": (
            ("I will keep {names}.", "New to me: {names}.", "I wrote down {names}.",
             "{names}: that stays with me."),
            ("我记下了{names}。", "新知道的：{names}。", "{names}，我留下了。",
             "这些要记住：{names}。"),
        ),
        "replaced": (
            ("{old} is past; now it is {new}.", "Where I had {old}, I have {new} now.",
             "{old} gave way to {new}."),
            ("{old}已经过去了，如今是{new}。", "原来记的是{old}，现在换成了{new}。",
             "{new}取代了{old}。"),
        ),
        "ended": (
            ("{names}: that is over.", "I closed the page on {names}."),
            ("{names}，到此为止了。", "{names}已经结束，我合上了那一页。"),
        ),
        "changed": (
            ("I understood better: {names}.", "Clearer now: {names}.", "I set right {names}."),
            ("我弄得更清楚了：{names}。", "现在更确切了：{names}。", "我改正了{names}。"),
        ),
        "merged": (
            ("Two memories turned out to be one: {names}.", "{names}: said twice, kept once."),
            ("原来是同一件事：{names}。", "{names}说了不止一遍，合成了一条。"),
        ),
        "again": (
            ("I heard {names} again.", "Once more: {names}."),
            ("又听到了{names}。", "{names}，再一次得到印证。"),
        ),
        "back": (
            ("{names} came back to me.", "I had put {names} away; it is here again."),
            ("{names}又回来了。", "收起来的{names}，如今又用上了。"),
        ),
        "faded": (
            ("I let go of {names}.", "{names} grew cold.", "{names} sank out of sight."),
            ("我放下了{names}。", "{names}渐渐淡了。", "{names}沉到水底去了。"),
        ),
        "conflict": (
            ("I cannot tell what holds: {names}. You will have to.",
             "{names} does not go with what I knew; please decide."),
            ("{names}和我原来知道的对不上，请你来定。", "哪个才对我分不清：{names}，等你决定。"),
        ),
        "person": (
            ("I met {who} for the first time.", "A new name: {who}.",
             "{who} has a place here from today."),
            ("第一次听到{who}。", "认识了{who}。", "从今天起，{who}也在这里了。"),
        ),
        "due": (
            ("Soon: {names}.", "Not far off: {names}.", "The days until {names} are few."),
            ("快到了：{names}。", "没几天了：{names}。", "日子近了：{names}。"),
        ),
        "theme": (
            ("Again and again it was about {theme}.", "{theme} ran through all of it."),
            ("说来说去都离不开{theme}。", "这些天绕着{theme}转。"),
        ),
        "forgotten": (
            ("Something you had me forget knocked; I did not open.",
             "An old word you took from me stayed outside."),
            ("你让我忘掉的事又来敲门，我没有开。", "有句你要我忘记的话，我没让它进来。"),
        ),
        "doubt": (
            ("Of {count} I was not sure; they stayed behind.", "{count} I could not vouch for."),
            ("有 {count} 条我没有把握，没有留下。", "另外 {count} 条说不准，先放着。"),
        ),
    }
)  # fmt: skip
"""What happens → (English, Chinese) ways to say it."""
