"""What somebody still has to do, and what he says is done: reminders, obligations, unfinished work.

Closed-class grammar as in `polarity`: the frame of an intention (first person, a modal verb, a
request to be reminded), never a list of things to do. What the verb says is looked at only to leave
out states, perception and talk ("I need to know", 我得说), which are no work.
"""

import re

from slowwave.text.polarity import canonical, is_negated

__all__ = ["completed", "has_task", "is_over", "topic"]

LONGEST = 240
"""Characters of a sentence that can be a task: longer ones are documents."""

_STATES_EN = (
    r"(?:be|have|had|know|say|think|see|admit|ask|agree|confess|understand|feel|believe|wonder|"
    r"hope|guess|tell you|thank|apologi[sz]e|sleep|rest|eat|breathe|relax|wait|go|leave|stop|run|"
    r"hear|like|love|live|do (?:it|this|that)|mention|point out|note|remember that|stay|keep in)"
)
_ADVERBS_EN = r"(?:(?:still|also|really|just|only|now|then|first|definitely|probably|soon|" \
              r"finally|urgently|\w+ly) )*"  # fmt: skip
_TASK_EN = re.compile(
    r"(?<!don't )(?<!not )(?<!never )(?<!stop )\bremind me "
    r"(?:again )?(?:to|about|that|of|on|in|next|tomorrow|before|when)\b"
    r"|\b(?:don'?t|do not) let me forget\b|\bi (?:mustn'?t|must not|shouldn'?t) forget\b"
    r"|\bnote to self\b|\bto-?do(?: list)?\s*[:：\-–]"
    r"|\b(?:on|to) my (?:to-?do )?list\b"
    rf"|(?:\b(?:i|we)(?:'ve|'m|'re| have| am| are)? |^){_ADVERBS_EN}"
    rf"(?:need(?: to)?|have (?:got )?to|have yet to|got to|gotta|must|ought to|should|"
    rf"(?:am |are )?(?:going|planning|supposed|meant) to|gonna|plan to|intend to|aim to|mean to)"
    rf" {_ADVERBS_EN}(?!{_STATES_EN}\b)"
    r"(?!(?:you|him|her|them|a|an|the|some|more|my|no)\b)[a-z]{3,}"
    r"|\b(?:i|we)(?:'m| am|'re| are|'ve been| have been) (?:still |currently |now |busy )?"
    r"(?:working on|in the middle of|halfway through)\b"
    r"|\b(?:i|we) (?:still )?(?:haven'?t|have not|hadn'?t)(?: \w+)? (?!slept|eaten|seen|heard|been|"
    r"had|felt|met|lived|known|thought|liked|\w+ever)\w+(?:ed|nt|en|ne|ght|de|id|ut)\b.*"
    r"(?:\byet\b|\bstill\b|\bso far\b|$)"
    r"|\bstill (?:needs?|wants?|lacks?) (?:to be )?\w+(?:ing|ed)\b|\bstill (?:isn'?t|not) (?:done|"
    r"finished|ready|paid|booked|sent|ordered)\b"
    r"|\b(?:is|are) (?:still )?half[- ](?:done|finished)\b",
    re.IGNORECASE,
)
_WHEN_ZH = (
    r"(?:(?:今|明|后|这|下|本|上|个|周|星期|礼拜|月|年|号|日|天|末|晚上?|早上?|中午|下午|上午|[一二三四五六七八九十]|"
    r"\d|之前|以前|以内|之内|内|前|底|初|左右|最近|有空|回头|到时候|抽空|改天|找时间|过两天|过几天|趁)+)?"
)
_ADVERBS_ZH = r"(?:还|也|又|先|就|赶紧|尽快|记着|千万|一定|最好|可能|估计|差不多|大概|是)*"
_STATES_ZH = (
    r"(?!没|可以|够|行|挺|很|算|属|不|还|贵|便宜|知道|说|承认|想|看看|看$|问你|问一下你|睡|吃|喝|休息|是|有|会|能|像|觉|信|死|命|紧|求|领|点|素|害|诀|好好|"
    r"不|你|他|她|它|多少|什么|怎|谢|感谢|强调|注意|小心|先说|出门了|走了|下班|上班|上课|多|少|更|"
    r"(?:去)?(?:睡|吃|喝|休息|上班|上课|上厕所|洗澡|洗手间))"
)
_TASK_ZH = re.compile(
    r"(?<!别)(?<!不要)(?<!不用)(?<!不必)(?<!停止)(?<!少)提醒(?:一下)?我|[别不]要?让我忘|(?:帮我)?(?:记一?下|备忘|待办)[，,：:]?.*(?:要|得|去|买|办|交|打|约|订)"
    r"|(?:待办|todo|to-do)\s*[:：]"
    rf"|^(?:然后|另外|对了|还有|而且|不过|所以|但|可)?[，,]?{_WHEN_ZH}(?:我们?|自己)?(?:这边)?{_WHEN_ZH}"
    rf"{_ADVERBS_ZH}(?:得|必须得?|需要|应该|打算|准备|计划|想着|要|该)(?:去|把|给|跟|找|再|先|尽快|赶紧)*"
    rf"{_STATES_ZH}[\u4e00-\u9fff].+"
    r"|(?:还|都)没(?:有|能|来得及|顾上)?[^，,。睡吃喝醒想懂听看见去过]{0,6}"
    r"(?:下单|[写画做办交修改买订寄打约装搬换还付缴报选定译录拍剪编印洗补缝刷贴弄搞填签续])[完好上到掉]?"
    r"|^我们?(?:最近|这阵子|这几天|这段时间)?(?:正|还|一直)?在(?:做|写|弄|搞|筹备|准备|忙|画|织|译|改|修|装)(?!梦|饭|客|什么|爱)"
    r"|(?:还|只)(?:差|剩)[^，,。]{1,12}(?:没|要|未)|(?:还|只)差[^，,。]{0,6}[页张章份篇幅段件步]|(?:画|写|做|改|修|译|读|织|拼|装)(?:了|到)?一半|(?:还|都)没(?:有)?(?!睡|吃|喝|醒|想|看懂)[^，,。睡吃喝]{0,5}[完好]",
    re.IGNORECASE,
)
_NO_TASK = re.compile(
    r"[?？]|吗|呢$|如果|要是|假如|万一|除非|每[天周月年次回]|总是|经常|平时|一般|以前|当时|那时|本来|的话"
    r"|\b(?:if|unless|whenever|every|always|usually|never|used to|would|wouldn't|had to|when i was|"
    r"whether|suppose|imagine)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"还没|没有?[^，。]{0,4}[完好]|未完|快要?|差不多|即将|[?？吗]|还差|还要|还得|打算|准备"
    r"|\b(?:not|n't|never|almost|nearly|half|about to|will|going to|before|until|once|when|if|"
    r"need to|needs to|have to|must|should|plan to|remind)\b|n't\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"(?:[做写弄办交改修读看审签付买订画]|搞定|完成|上线|发布|结束|收工|交付|搞|处理|整理|通过|解决)"
    r"(?:完|好|掉|妥|齐|过)?(?:毕)?了"
    r"|(?:已经?|都|全部|终于|总算|刚刚?)(?:[^，。；,;]{0,6})(?:完成|搞定|做完|写完|办完|交付|上线|结束)"
    r"|(?:已经?|都|全部|终于|总算|刚刚?)[^，。；,;]{1,12}了(?=$|[，。；,;！!])"
    r"|\b(?:finished|completed|done|shipped|submitted|wrapped up|closed|launched|delivered|"
    r"published|signed off|handed in|sent off|merged|paid|booked|solved|sorted|released)\b",
    re.IGNORECASE,
)
_RESULT_ZH = re.compile(r"([\u4e00-\u9fff])(?:完|好|掉|过|到|成|妥|齐|上|走|出去|回来)(?:毕)?了")
_BARE_ZH = re.compile(r"([\u4e00-\u9fff])了(?=$|[，。；,;！!]|[\u4e00-\u9fff])")
_PAST_EN = re.compile(r"\b([a-z]{3,})\b", re.IGNORECASE)
_PASTS = (
    "bought buy, sent send, made make, wrote write, written write, paid pay, got get, gotten get, "
    "did do, gave give, given give, took take, taken take, rang ring, rung ring, built build, "
    "drew draw, drawn draw, met meet, sold sell, found find, told tell, spoke speak, "
    "spoken speak, chose choose, chosen choose, went go, brought bring, left leave, cut cut, "
    "put put, set set, read read, hung hang, swept sweep, fed feed, laid lay, sewn sew, dug dig, "
    "held hold, ran run, taught teach, won win, bound bind, ground grind, shut shut, drove drive, "
    "flew fly, kept keep, woven weave, wove weave, spun spin, hidden hide, lent lend, split split"
)
_IRREGULAR = dict(pair.split() for pair in _PASTS.split(", "))
_CUES = re.compile(
    r"提醒我|别忘了?|记得|打算|准备|计划|需要|必须|应该|待办|to-?do"
    r"|\b(?:remind me|need|needs|have to|has to|must|should|ought|plan|planning|intend|going to|"
    r"gonna|want|still|yet|todo|note to self|don'?t forget|haven'?t|list)\b",
    re.IGNORECASE,
)
_DATES = re.compile(
    r"[（(]\d{4}-\d{2}-\d{2}[^）)]*[）)]|\d{4}-\d{2}(?:-\d{2})?"
    r"|(?:[一二三四五六七八九十\d]+月)?[一二三四五六七八九十\d]+[号日]|[一二三四五六七八九十\d]+月(?:底|初|份)?"
    r"|(?:今|明|后|昨)[天晚早]|(?:这|下|本|上)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天末]|(?:这|下|本|上)(?:个)?[周月年]"
    r"|\b(?:today|tomorrow|tonight|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|"
    r"(?:this|next|last) (?:week|month|year)|january|february|march|april|june|july|august|"
    r"september|october|november|december)\b",
    re.IGNORECASE,
)


def has_task(sentence: str) -> bool:
    """Whether the speaker says that something is still to be done by him, or left unfinished."""
    if not 4 <= len(sentence) <= LONGEST:
        return False
    folded = canonical(sentence)
    if _NO_TASK.search(folded):
        return False
    return any(_TASK_ZH.search(part) or _TASK_EN.search(part) for part in _clauses(folded))


def is_over(sentence: str) -> bool:
    """Whether a sentence says that what it speaks of is finished."""
    folded = canonical(sentence)
    over = _DONE.search(folded) and not _NOT_YET.search(folded)
    return bool(over) and not is_negated(folded)


def completed(sentence: str) -> frozenset[str]:
    """The verbs that a sentence tells as done: a Chinese character, an English base form."""
    folded = canonical(sentence)
    found: set[str] = set()
    for part in _clauses(folded):
        if _NOT_YET.search(part) or is_negated(part):
            continue
        found.update(_RESULT_ZH.findall(part))
        found.update(_BARE_ZH.findall(part))
        for word in _PAST_EN.findall(part.lower()):
            if word in _IRREGULAR:
                found.add(_IRREGULAR[word])
            elif word.endswith("ed"):
                found.add(word)
    return frozenset(found)


def topic(text: str) -> str:
    """What a task is about: its text without when it is due and that it is to be done."""
    return " ".join(_CUES.sub(" ", _DATES.sub(" ", text)).split())


def _clauses(folded: str) -> list[str]:
    return [
        part.strip() for part in re.split(r"[，,；;。.!！]\s*|\s+(?:and|but|so)\s+", folded) if part
    ]
