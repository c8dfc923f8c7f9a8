"""Who is named in a stretch of text: a person (or pet) by name, else by the kin or role term.

Chinese names are found by surname, nickname or title next to a word of kin or naming ("叫"), Latin
names by apposition ("my boss, Ada Bell"), by naming ("her name is"), or as the subject of what only
people do. Nothing is guessed: no name said, no name given.
"""

import re

from slowwave.dream.distill_cues_en import KIN as KIN_EN
from slowwave.dream.distill_cues_zh import KIN as KIN_ZH
from slowwave.text.entities import ZH_COMPOUND_SURNAMES, ZH_SURNAMES

__all__ = ["called_in", "kin_in", "person_in"]

_HAN = r"[\u4e00-\u9fff]"
_COMMON = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵"
    "孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊殷施裴洪翁祝覃甘柳童颜梅盛骆凌霍柯管莫房温庄柴聂辛简饶欧华严安俞伍葛牛祁舒项费岑"
)
_FULL = rf"(?:{ZH_COMPOUND_SURNAMES}|[{_COMMON}])(?![的是在有也都就要了]){_HAN}{{1,2}}"
_NICK = rf"[小老阿](?![师板家婆公伴时孩学人子朋实]){_HAN}"
_TITLED = rf"(?:{ZH_COMPOUND_SURNAMES}|[{ZH_SURNAMES}])(?:老师|女士|先生|小姐|阿姨|叔叔?|姐|哥|总|工|编辑?|医生|大夫|师傅|经理|主任|教授|律师|导)"
_VERB = r"(?=[不没是在说对叫去来爱喜讨只有会要被考做养住吃喝最也都就很每从上下明后今昨前把给和跟的能刚得已正要（(）)，,。\s]|$)"
_ZH_NAMED = re.compile(
    rf"(?:我|我们|我家|咱|俺)(?:们|家)?的?(?:这|那)?(?:个|位)?{KIN_ZH}[，\s]?((?:{_TITLED}|{_NICK}|{_FULL}?)){_VERB}"
)
_ZH_CALLED = re.compile(rf"(?:她|他|它|{KIN_ZH}|{_HAN}人)[^，。]{{0,6}}?(?:大名|小名|名字是|名字叫|名叫|叫做?|姓)(?!我|你|他|她|它)({_HAN}{{1,4}})(?=[，,。！!\s]|$)|^(?:大名|小名|名叫|叫做?)({_HAN}{{2,4}})(?=[，,。！!\s]|$)")
_ZH_LEAD = re.compile(rf"^(?:{KIN_ZH}的?|[^，我你]{{1,8}}的)?({_TITLED}|{_NICK}){_VERB}|({_TITLED})")
_ZH_KIN = re.compile(rf"(我(?:们|家|的)?(?:家)?)?(?:这|那)?(?:个|位|隻|只)?({KIN_ZH})")
_ZH_MAIN_KIN = re.compile(rf"(?:^|[，,\s]|今天|明天|昨天|现在|说|讲)(?:我(?:们|家|的)?(?:家)?)?(?:这|那)?(?:个|位)?{KIN_ZH}(?!的(?:票|药|事|话|书|车))")
_NAME = r"[A-ZÀ-Þ][\w’'-]*(?:[ ][A-ZÀ-Þ][\w’-]*){0,2}"
_EN_NAMED = re.compile(rf"\b(?:[Mm]y|[Oo]ur|[Tt]he)(?: [a-z-]+){{0,2}} (?i:{KIN_EN})(?:,? (?:is |called |named )?)({_NAME})(?:’s|'s)?(?=[\s,.;)]|$)")
_EN_MIXED = re.compile(rf"(?:我|我们)的? ?(?i:{KIN_EN}) ({_NAME})")
_EN_APPOSED = re.compile(rf"\b(?:[Mm]y|[Oo]ur|[Tt]he new)(?: [a-z-]+){{1,3}}, ({_NAME}),")
_EN_CALLED = re.compile(rf"\b(?:(?:his|her|their|its|(?i:{KIN_EN})(?:['’]s)?) name(?: is|['’]s)|(?:she|he|they|it)(?: is|['’]s) (?:called|named)|is called|(?:dog|cat) called) ({_NAME})")
_EN_ROLE = re.compile(rf"^({_NAME}(?:,)?)(?: in \w+| from [\w ]+| at \w+)? (?:is|was|['’]s) (?:our|my|the) (?:[\w-]+ ){{0,3}}(?i:{KIN_EN})\b")
_EN_FULL = re.compile(rf"^([A-Z][\w’-]+ [A-Z][\w’-]+)(?: in \w+| from [\w ]+)? (?:is|has|does|goes|runs|owns|likes?|loves?|hates?|prefers?|works?|lives?|can|can't|will|took|takes|handles|starts?|left|joined|moved)\b")
_EN_LONE = re.compile(r"^(?:[Aa]nd |[Bb]ut )?([A-Z][a-z]+) (?:can['’]?t (?:eat|have|drink|stand|hear|see)|is (?:allergic|vegan|vegetarian|pregnant|our|my|on (?:leave|holiday|vacation))|likes|loves|hates|prefers|goes by|lives|works|calls|signed off|took|doesn['’]?t (?:like|eat|drink)|speaks|plays|was born|turns|turned)\b")
_EN_KIN = re.compile(rf"\b((?:[Mm]y|[Oo]ur)(?: [a-z-]+){{0,2}}? (?i:{KIN_EN}))\b")
_EN_MAIN_KIN = re.compile(rf"^(?:so |and |but |oh |also |no, |turns out |actually |you keep (?:saying|getting) (?:that )?)*(?:my|our)(?: [\w-]+){{0,2}}? {KIN_EN}\b(?!['’]s (?!name|at |in |a |not |been |got |allergic|vegan|turning|on )|s\b)|^(?:grandma|grandpa|mum|mom|dad|nan|gran|granny)\b")
_EN_BARE = re.compile(r"^(Grandma|Grandpa|Mum|Mom|Dad|Nan|Gran|Granny)\b")


def person_in(text: str, folded: str) -> str | None:
    """The person (or pet) a stretch of text is about, as it names them; None if none is."""
    for pattern in (_ZH_CALLED, _ZH_NAMED, _EN_NAMED, _EN_APPOSED, _EN_MIXED, _EN_CALLED, _EN_ROLE, _EN_FULL, _EN_LONE):
        match = pattern.search(folded if pattern in (_ZH_CALLED, _ZH_NAMED) else text)
        if match:
            name = next((g for g in match.groups() if g), "")
            if name:
                start = match.start(match.lastindex or 1)
                return text[start : start + len(name)].strip(" ,") if pattern in (_ZH_CALLED, _ZH_NAMED) else name.strip(" ,")
    return _by_kin(text, folded)


def _by_kin(text: str, folded: str) -> str | None:
    lead = _ZH_LEAD.search(folded)
    if lead:
        return text[lead.start(lead.lastindex or 1) : lead.end(lead.lastindex or 1)]
    if _ZH_MAIN_KIN.search(folded):
        kin = _ZH_KIN.search(folded)
        if kin:
            return text[kin.start() : kin.end()]
    if _EN_MAIN_KIN.search(folded):
        match = _EN_KIN.search(text) or _EN_BARE.search(text)
        if match:
            return match.group(1)
    return None


def called_in(text: str, folded: str) -> str | None:
    """The name given by naming ("叫苏芮", "is called Ilse"), or None."""
    match = _ZH_CALLED.search(folded)
    if match:
        place = match.lastindex or 1
        return text[match.start(place) : match.end(place)]
    called = _EN_CALLED.search(text)
    return called.group(1) if called else None


def kin_in(text: str, folded: str) -> str | None:
    """A kin or role term with its "my", anywhere in the text, as it was said."""
    match = _EN_KIN.search(text)
    if match:
        return match.group(1)
    kin = _ZH_KIN.search(folded)
    return text[kin.start() : kin.end()] if kin and kin.group(1) else None
