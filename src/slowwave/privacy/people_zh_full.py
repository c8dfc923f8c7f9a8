"""Full Chinese names in running text: a surname, a given name, and company that names keep.

A surname's character alone says little (高 is high, 方 is square). So a name needs a given name of
characters that names are made of, no word of the language across its edges, and something around
it: a cue before it, a person's verb or a pause behind it.
"""

import re
from collections.abc import Iterator
from functools import cache

from slowwave.privacy.kinds import Found
from slowwave.privacy.names import (
    COMPOUND,
    given_chars,
    rare_surnames,
    surname_chars,
    zh_words,
)
from slowwave.text.entities import ZH_SURNAMES

__all__ = ["AFTER", "EVERYDAY", "NEVER", "begins_word", "find_full", "given_of"]

_CUE_BEFORE = re.compile(
    r"(?:[和跟与给找约请让问对被由叫是@把替帮陪见向比同及、,，。；;:！!？?\s\"“”「」『』()\[\]"
    r"【】《》<>|/\-—·•*#]|我们|咱们|\d[.、)]|^|听说|认识|姓|名字|名叫|联系|感谢|谢谢|通知"
    r"|提醒|告诉|采访"
    r"|看到|遇到|碰到|想起|得知|昨天|今天|明天|上午|下午|晚上|早上|中午|刚才|刚刚|后来|因为"
    r"|如果|于是|但是|不过|而且|还有|包括|以及|只有|除了|关于|根据|按照|代表|介绍|推荐|嫁给"
    r"|娶了|喜欢|爱上|等|为|说|的|是|去|接|送|了|有|加|派|选|聘|找到|拜托|委托|麻烦)$"
)
_STRONG_CUE = re.compile(
    r"(?:叫|名叫|姓名|我是|名字是|名字叫|联系人|收件人|收货人|负责人|对接人|患者|客户|嫁给"
    r"|认识|[@])[:是为叫\s\"]{0,3}$"
)
AFTER = re.compile(
    r"[在,，。；;:！!？?\s\"“”」』)）\]】、…~]|$"
    r"|[说问告找打发给来去回走到住想要会能把被将就也又还都已刚正在有没不是和跟与同及的地得喜欢"
    r"觉认提建写做负送寄买请让带看约叫对从向于陪帮教学读生病住结离嫁娶今明昨上下早晚中刚曾先后"
    r"只可应该必须需似好像似当任担升辞入加转介推分签拿吃喝睡哭笑怕爱恨等接开关出进过搬换变成]"
)
NEVER = frozenset(
    "的了是在有不我你他她它们这那个吗呢吧啊哪什么怎就也都还和跟与或把被给让从到对于为以所而且"
    "但很太最更再又已没要会能可应该去来说着过得地之其此每各某上下里外中间前后左右大多少几两三"
    "四五六七八九十百千万亿元块号年月日时分秒点件条次种样些"
)
EVERYDAY = frozenset(
    "明国建平文小光一可生天成长安定家和立新民本方正东海山江河水石金木红青春常年先发展开政工左"
    "右乐言通行意力功元力面全部分化路道理事心用法学实高大公共现代"
    "进起来去作动主要时利达连运会市场子书信义思想真白黑清风云雨雪冰冬夏秋夜日月星火土田园林木"
    "树花草叶果根枝马牛羊鱼龙虎鸟虫金银铜铁玉石珠宝财富贵贤德才能智慧"
    "空直相本根极始终前后里野府台室间门口车船飞起走跑跳坐站立见听说读写看记忆念爱喜欢悦愉快乐"
    "福祥顺和平安康宁静美丽秀好百千万亿双单多少几半领首顶项音响声色香味"
    "军兵将帅士官民族农工商业医药术艺节礼服务城村县州省部局处科班组队团员长师友亲父母儿女孩童"
    "老幼婴育教养训练习考试验证书籍存款项目标准备用具体质量度尺寸斤两"
)
"""Characters of given names that are as common in words."""
_AT_WORK = re.compile(
    r"[昨今明]|说|告诉|打电话|来了|走了|住院|结婚|离婚|怀孕|生了|出差|请假|辞职|退休|同意|答应|负责|联系|去世|病了"
)
"""What people do, and no word goes on with."""
_OWNS = re.compile(
    r"的(?:车|手机|电话|号码|生日|老婆|老公|妻子|丈夫|妈|爸|家(?![具电])|邮箱|微信|护照"
    r"|身份证|简历|工资|手术|体检|孩子"
    r"|儿子|女儿|地址|行程|航班|病|卡|账号|婚礼|房)"
)
"""What only a person has."""
_TALKS = re.compile(
    r"[说问告找打发给来去回住想要会把和跟也又就今昨明,，。、:]|$|(?:老师|医生|总|哥|姐)"
)


_ONE = re.compile(
    r"一(?:[起直早块定样同边共向般旁会再时并路家个次下些点行把口脸手旦旁律味贯度]|大[早清]|方面)"
)
"""What 一 begins behind a name: together, all the time, early … (李一凡 is a name)."""


def begins_word(text: str, at: int) -> bool:
    """Whether an adverb begins here that stands behind names."""
    return bool(_ONE.match(text, at))


def find_full(text: str) -> Iterator[Found]:
    """Surname and given name in running text."""
    words, given = zh_words(), given_chars()
    end = 0
    for match in _full_start().finditer(text):
        at = match.start()
        counts = match[0] == "位" and not _STRONG_CUE.search(text, max(0, at - 6), at)
        if at < end or counts:
            continue
        head = match.end()
        length = _given_length(text, head, given)
        for size in range(length, 0, -1):
            if _is_full(text, at, head, head + size, words, given):
                end = head + size
                yield Found(at, end, "PERSON")
                break


@cache
def _full_start() -> re.Pattern[str]:
    rare = "".join(char for char in ZH_SURNAMES if char not in surname_chars())
    return re.compile(f"(?:{COMPOUND})|[{surname_chars()}]|(?<=叫)[{rare}]|(?<=我是)[{rare}]")


def _given_length(text: str, head: int, given: frozenset[str]) -> int:
    size = 0
    while size < 2 and head + size < len(text) and "\u4e00" <= text[head + size] <= "\u9fff":
        char = text[head + size]
        if char in NEVER and text[head : head + 2] != 2 * char:
            break
        if begins_word(text, head + size):
            break
        size += 1
    del given
    return size


def _is_full(
    text: str, at: int, head: int, end: int, words: frozenset[str], given: frozenset[str]
) -> bool:
    compound = head - at == 2
    before = text[max(0, at - 6) : at]
    sound = (
        end - at == 3
        and all(char in given for char in text[head:end])
        and text[at] not in EVERYDAY
        and text[end - 1] not in EVERYDAY
    )
    cued = bool(_CUE_BEFORE.search(before))
    named = sum(char in given for char in text[head:end]) + (text[at] in rare_surnames())
    at_work = end - at == 3 and named >= 2 and text[at] not in EVERYDAY
    telling = cued and (
        (at_work and bool(_AT_WORK.match(text, end))) or (sound and bool(AFTER.match(text, end)))
    )
    if not compound and not telling and _crosses(text, at, end, words):
        return False
    strong = bool(_STRONG_CUE.search(before)) or (sound and not _crosses(text, at, end, words))
    score = 3 if strong else 1 if _CUE_BEFORE.search(before) else -1
    score += 2 if compound or text[at] in rare_surnames() else 0
    score += 1 if AFTER.match(text, end) else -1
    twice = end - head == 2 and text[head] == text[head + 1]
    typical = 2 if twice else sum(char in given for char in text[head:end])
    score += any(char in given and char not in EVERYDAY for char in text[head:end])
    score += 2 * bool(_OWNS.match(text, end))
    if end - head == 2:
        score += 2 if typical == 2 else 0 if typical == 1 else -1
    else:
        score += 1 if typical else -1
        score -= 0 if strong or _TALKS.match(text, end) else 1
    return score >= 2


def _crosses(text: str, at: int, end: int, words: frozenset[str]) -> bool:
    """Whether a word of the language lies within the name or across one of its edges."""
    before = text[at - 1 : at + 1] if at else ""
    if before in words and before[0] not in "和跟与给找约请让问对被由叫是有的":
        return True
    if text[at : at + 2] in words and not (
        end - at == 3 and _STRONG_CUE.search(text[max(0, at - 6) : at])
    ):
        return True
    if text[at : at + 3] in words:
        return True
    return text[end - 1 : end + 1] in words and end - at == 2


def given_of(name: str, surnames: str, given: frozenset[str]) -> str:
    """The given name of two characters in a full Chinese name; "" when it has none."""
    head = 2 if name[:2] in COMPOUND.split("|") else 1
    rest = name[head:]
    if len(rest) != 2 or (head == 1 and name[0] not in surnames + ZH_SURNAMES):
        return ""
    return rest if all(char in given for char in rest) else ""
